//! A sentence behind its head: on one line where there is room, else beneath it behind a bar, so that no outside text
//! starts a line.

/// The lines of a head and its sentence, both escaped. `room` is how many columns there are. Sentences are broken
/// only if `breaks`: in a log a search must find them whole.
pub(super) fn lines(head: &str, sentence: &str, room: usize, breaks: bool) -> Vec<String> {
    let one = format!("{head}  {sentence}");
    if one.chars().count() <= room {
        return vec![one];
    }
    let room = if breaks { room } else { usize::MAX };
    let mut lines = vec![head.to_owned()];
    lines.extend(broken(sentence, room.saturating_sub(2)).map(|line| format!("| {line}")));
    lines
}

/// A sentence as lines of at most `room` columns, cut at single blanks. A word that is longer stands alone.
fn broken(sentence: &str, room: usize) -> impl Iterator<Item = String> {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        let Some(line) = lines.last_mut() else {
            continue;
        };
        let length = line.chars().count();
        if length == 0 {
            line.push_str(word);
        } else if length + 1 + word.chars().count() <= room {
            line.extend([" ", word]);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_stands_behind_its_head_or_beneath_it() {
        let (head, sentence) = (
            "material  a-rule  /path",
            "input `x` is new, and that matters",
        );
        let one = "material  a-rule  /path  input `x` is new, and that matters";
        assert_eq!(lines(head, sentence, 80, true), [one]);
        assert_eq!(
            lines(head, sentence, 40, false),
            [head, "| input `x` is new, and that matters"]
        );
        assert_eq!(
            lines(head, sentence, 24, true),
            [head, "| input `x` is new, and", "| that matters"]
        );
        let long = "`https://host.invalid/a-very-long-path` is where it leads";
        assert_eq!(
            lines("head", long, 20, true)[1..],
            [
                "| `https://host.invalid/a-very-long-path`",
                "| is where it leads"
            ]
        );
    }
}
