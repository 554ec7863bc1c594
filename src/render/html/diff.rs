//! A diff as a table: what was on the left, what is on the right, lines that were edited beside each other.

use crate::render::hunks::{Diff, Line};
use crate::render::rows::{Row, Side};

/// The table of a diff that was made for markup; nothing where it has no line.
pub(super) fn table(diff: &Diff) -> String {
    if diff.lines.is_empty() {
        return String::new();
    }
    let has = |side| {
        let is = |line: &Line| matches!(line, Line::Row(row) if row.side == side);
        diff.lines.iter().any(is)
    };
    // What came or went whole has one side.
    let one = match (has(Side::Old), has(Side::New), has(Side::Both)) {
        (true, false, false) => Some(Side::Old),
        (false, true, false) => Some(Side::New),
        _ => None,
    };
    let mut out = String::from("<table>\n");
    out.push_str(match one {
        Some(Side::Old) => "<thead><tr><th scope=\"col\">before</th></tr></thead>\n",
        Some(_) => "<thead><tr><th scope=\"col\">now</th></tr></thead>\n",
        None => "<thead><tr><th scope=\"col\">before</th><th scope=\"col\">now</th></tr></thead>\n",
    });
    out.push_str("<tbody>\n");
    let mut edited: Vec<&Row> = Vec::new();
    for line in &diff.lines {
        match line {
            Line::Row(row) if row.side != Side::Both => edited.push(row),
            other => {
                out += &edits(&mut edited, one);
                out += &unedited(other, one);
            }
        }
    }
    out += &edits(&mut edited, one);
    out + "</tbody></table>\n"
}

fn unedited(line: &Line, one: Option<Side>) -> String {
    match line {
        Line::Note(text) => {
            let span = if one.is_none() { " colspan=\"2\"" } else { "" };
            format!("<tr><td class=\"count\"{span}>{text}</td></tr>\n")
        }
        Line::Row(row) => {
            let cell = cell("same", &row.text);
            format!("<tr>{cell}{cell}</tr>\n")
        }
    }
}

/// The rows of one place, edited ones beside each other.
fn edits(rows: &mut Vec<&Row>, one: Option<Side>) -> String {
    let (old, new): (Vec<&Row>, Vec<&Row>) = rows.drain(..).partition(|row| row.side == Side::Old);
    let mut out = String::new();
    for (old, new) in beside(&old, &new) {
        let old = old.map_or_else(|| cell("none", ""), |row| cell("old", &row.text));
        let new = new.map_or_else(|| cell("none", ""), |row| cell("new", &row.text));
        let cells = match one {
            Some(Side::Old) => old,
            Some(_) => new,
            None => old + &new,
        };
        out.extend(["<tr>", &cells, "</tr>\n"]);
    }
    out
}

/// Rows of both sides as they stand beside each other: pairs on one line, the rest as it comes.
fn beside<'a>(old: &[&'a Row], new: &[&'a Row]) -> Vec<(Option<&'a Row>, Option<&'a Row>)> {
    let (mut old, mut new) = (
        old.iter().copied().peekable(),
        new.iter().copied().peekable(),
    );
    let mut out = Vec::new();
    loop {
        let pair = |row: Option<&&Row>| row.map(|row| row.pair);
        let (take_old, take_new) = match (pair(old.peek()), pair(new.peek())) {
            (None, None) => return out,
            (left, right) if left == right => (true, true),
            // Whoever has no partner, or lost it, stands alone until the others have caught up.
            (Some(Some(left)), Some(Some(right))) => (left < right, right < left),
            (Some(None), Some(_)) | (Some(_), None) => (true, false),
            _ => (false, true),
        };
        out.push((old.next_if(|_| take_old), new.next_if(|_| take_new)));
    }
}

/// `text` is markup already.
fn cell(class: &str, text: &str) -> String {
    format!("<td class=\"{class}\">{text}</td>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::definition::Line;
    use crate::render::hunks::diff;
    use crate::render::paint::Paint;

    fn shown(before: &[&str], after: &[&str]) -> Vec<String> {
        let lines = |lines: &[&str]| -> Vec<Line> {
            let lines = lines.iter().map(|text| (*text).to_owned());
            lines.map(|text| Line { text, place: 0 }).collect()
        };
        let table = table(&diff(&lines(before), &lines(after), Paint::Markup));
        let rows = table.lines().filter(|line| line.starts_with("<tr>"));
        rows.map(|row| {
            row.replace("<td class=", "")
                .replace("</td>", " ")
                .replace("<tr>", "")
                .replace("</tr>", "")
        })
        .collect()
    }

    #[test]
    fn edited_lines_stand_beside_each_other_with_their_words_marked() {
        let long = "\"description\": \"Find notes that hold a phrase.\"";
        let new = "\"description\": \"Find all notes that hold a phrase.\"";
        let rows = shown(
            &["\"a\": 1", long, "\"z\": 2"],
            &["\"a\": 1", "\"b\": <3>", new, "\"z\": 2"],
        );
        assert_eq!(
            rows,
            [
                "\"same\">&quot;a&quot;: 1 \"same\">&quot;a&quot;: 1 ",
                "\"none\"> \"new\">&quot;b&quot;: &lt;3&gt; ",
                "\"old\">&quot;description&quot;: &quot;Find notes that hold a phrase.&quot; \
                 \"new\">&quot;description&quot;: &quot;Find <ins>all </ins>notes that hold a phrase.&quot; ",
                "\"same\">&quot;z&quot;: 2 \"same\">&quot;z&quot;: 2 ",
            ]
        );
    }

    #[test]
    fn what_came_or_went_whole_has_one_side() {
        assert_eq!(shown(&[], &["a", "b"]), ["\"new\">a ", "\"new\">b "]);
        assert_eq!(shown(&["a"], &[]), ["\"old\">a "]);
        assert_eq!(
            shown(&["a"], &["b", "c"]),
            ["\"old\">a \"new\">b ", "\"none\"> \"new\">c "]
        );
        assert_eq!(table(&Diff::default()), "");
    }
}
