//! Where secrets stand in the literal parts of a text: in URLs, assignments, flags, headers, JSON.
//!
//! Works on masked text (see [`super::expand`]) and finds byte ranges; it replaces nothing.

use super::assignments::assignments;
use super::looks;
use std::ops::Range;

/// A part of a text that is a secret, and the name under which it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// Bytes of the masked text.
    pub(super) range: Range<usize>,
    /// The name of the flag, variable, query member or header.
    pub(super) name: String,
}

impl Span {
    pub(super) fn new(range: Range<usize>, name: &str) -> Self {
        let name = match name.trim_matches('-') {
            "" => "argument",
            name => name,
        };
        Self {
            range,
            name: name.to_owned(),
        }
    }
}

/// Flags that are followed by a header: every header's value is a secret.
const HEADER_FLAGS: [&str; 3] = ["-H", "--header", "--headers"];
/// Flags of container programs that are followed by `NAME=VALUE`: every variable's value is a secret.
const ENV_FLAGS: [&str; 2] = ["-e", "--env"];
/// Programs for which [`ENV_FLAGS`] mean that.
const CONTAINER_PROGRAMS: [&str; 3] = ["docker", "podman", "nerdctl"];

/// How far a password that holds delimiters is looked at, in bytes: a bound on the time that a text takes.
const USERINFO_LENGTH: usize = 1024;

/// The secrets of a command and its arguments, word by word, each list sorted and without overlap.
pub(super) fn in_command(words: &[&str]) -> Vec<Vec<Span>> {
    let is_container = words
        .first()
        .is_some_and(|program| CONTAINER_PROGRAMS.contains(&program_name(program)));
    let mut out = Vec::with_capacity(words.len());
    for (i, word) in words.iter().enumerate() {
        let flag = i
            .checked_sub(1)
            .map(|before| words[before])
            .filter(|before| before.starts_with('-') && !before.contains(['=', ' ']))
            .unwrap_or_default();
        out.push(in_word(word, flag, i == 0, is_container));
    }
    out
}

/// `flag` is the word before, if it is a flag that may take this word as its value.
fn in_word(word: &str, flag: &str, is_program: bool, is_container: bool) -> Vec<Span> {
    // Everything from a place on, without the scheme that it may begin with.
    let from =
        |start: usize, name: &str| Some(Span::new(scheme_end(word, start)..word.len(), name));
    let after = |separators: &[char], start: usize| {
        let at = start + word[start..].find(separators)?;
        let blanks = leading_blanks(&word[at + 1..]);
        from(at + 1 + blanks, &word[start..at])
    };
    let whole = if HEADER_FLAGS.contains(&flag) {
        after(&[':', '='], 0)
    } else if is_container && ENV_FLAGS.contains(&flag) {
        after(&['='], 0)
    } else if is_container && word.starts_with("--env=") {
        after(&['='], "--env=".len())
    } else if is_container && word.starts_with("-e") {
        after(&['='], "-e".len())
    } else if looks::secret_name(flag)
        && !word.starts_with("--")
        && !looks::is_script(word)
        && !looks::is_switch(word)
    {
        from(0, flag)
    } else {
        None
    };
    match whole {
        Some(span) if span.range.is_empty() => Vec::new(),
        Some(span) => vec![span],
        None => {
            let name = if flag.is_empty() { "argument" } else { flag };
            in_text(word, name, !is_program && !looks::hash_name(flag))
        }
    }
}

/// The secrets of a URL: userinfo, and what in query and fragment is a secret by name or value.
pub(super) fn in_url(url: &str) -> Vec<Span> {
    in_text(url, "url", true)
}

/// The secrets of any text: userinfo of URLs, values by name, and words that look random.
fn in_text(text: &str, name: &str, random_counts: bool) -> Vec<Span> {
    let mut spans = userinfo(text);
    spans.extend(assignments(text));
    if random_counts {
        for (start, word) in words(text) {
            if looks::random(word) {
                spans.push(Span::new(start..start + word.len(), name));
            }
        }
    }
    without_overlap(spans)
}

/// The user and the password of every URL in a text.
pub(super) fn userinfo(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    for (at, _) in text.match_indices("://") {
        let Some(whole) = userinfo_of(text, at) else {
            continue;
        };
        let user = text[whole.clone()]
            .find(':')
            .map_or(whole.end, |n| whole.start + n);
        if user > whole.start {
            spans.push(Span::new(whole.start..user, "url.user"));
        }
        if user + 1 < whole.end {
            spans.push(Span::new(user + 1..whole.end, "url.password"));
        }
    }
    spans
}

/// The bytes before the `@` of the URL whose `://` stands at `at`.
pub(super) fn userinfo_of(text: &str, at: usize) -> Option<Range<usize>> {
    let start = at + "://".len();
    let rest = &text[start..];
    let authority_end = |c: char| is_word_end(c) || matches!(c, '/' | '?' | '#');
    let authority = &rest[..rest.find(authority_end).unwrap_or(rest.len())];
    let end = authority.rfind('@').or_else(|| {
        // A `/`, `?` or `#` inside a password that nobody escaped: what stands before it is no port then.
        let port = authority.rsplit_once(':').map_or("", |(_, port)| port);
        let is_port = |c: char| c.is_ascii_digit() || matches!(c, ']' | '\0');
        if port.chars().all(is_port) {
            return None;
        }
        let near = &rest[..rest.floor_char_boundary(USERINFO_LENGTH)];
        near[..near.find(is_word_end).unwrap_or(near.len())].rfind('@')
    })?;
    Some(start..start + end)
}

/// Where a value begins once the name of an authentication scheme before it is passed over.
pub(super) fn scheme_end(text: &str, start: usize) -> usize {
    let value = &text[start..];
    for scheme in ["Bearer ", "Basic ", "Token "] {
        if value
            .get(..scheme.len())
            .is_some_and(|v| v.eq_ignore_ascii_case(scheme))
        {
            return start + scheme.len() + leading_blanks(&value[scheme.len()..]);
        }
    }
    start
}

pub(super) fn leading_blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// The words of a text and where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive(is_word_end).map(move |word| {
        let start = at;
        at += word.len();
        (start, word.trim_end_matches(is_word_end))
    })
}

fn is_word_end(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '<' | '>')
}

fn without_overlap(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.range.start, std::cmp::Reverse(span.range.end)));
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut() {
            Some(last) if span.range.start < last.range.end => {
                last.range.end = last.range.end.max(span.range.end);
            }
            _ => out.push(span),
        }
    }
    out
}

/// The name of a program: no folder, no extension of Windows.
pub(super) fn program_name(command: &str) -> &str {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let end = name.len().saturating_sub(4);
    match name.get(end..).map(str::to_ascii_lowercase).as_deref() {
        Some(".exe" | ".cmd" | ".bat" | ".com") => &name[..end],
        _ => name,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The text with each secret as its name in square brackets.
    pub(in crate::config) fn marked(text: &str, spans: &[Span]) -> String {
        let mut out = String::new();
        let mut at = 0;
        for span in spans {
            out.push_str(&text[at..span.range.start]);
            out.extend(["[", &span.name, "]"]);
            at = span.range.end;
        }
        out + &text[at..]
    }

    fn command(words: &[&str]) -> Vec<String> {
        let spans = in_command(words);
        words
            .iter()
            .zip(spans)
            .map(|(word, spans)| marked(word, &spans))
            .collect()
    }

    #[test]
    fn what_is_no_secret_is_left_to_be_compared() {
        for text in [
            "--key-file=/etc/key.pem",
            "--auth=none",
            "--rev=0123456789abcdef0123456789abcdef01234567",
            "example/auth:1.2.3",
            "pkg@1.2.3",
            "https://h.invalid:8080/pkg@1.2.3?page=2",
            "https://[::1]:8080/x@y",
            "https://h.invalid/key:value",
            "import sys; print(key == 1)",
            "--token --verbose",
            "postgres://h/db",
        ] {
            assert_eq!(marked(text, &in_url(text)), text);
        }
    }

    #[test]
    fn userinfo_is_found_in_any_url() {
        for (text, expected) in [
            ("http://us:pw@h/x", "http://[url.user]:[url.password]@h/x"),
            ("https://tok@h", "https://[url.user]@h"),
            ("redis://:pw@h:1", "redis://:[url.password]@h:1"),
            (
                "a postgres://u:p/w?x@h:5/d b",
                "a postgres://[url.user]:[url.password]@h:5/d b",
            ),
            (
                "--db=pg://u:p@w@h/d",
                "--db=pg://[url.user]:[url.password]@h/d",
            ),
            (
                "https://a/?u=http://b:c@d",
                "https://a/?u=http://[url.user]:[url.password]@d",
            ),
        ] {
            assert_eq!(marked(text, &in_url(text)), expected);
        }
    }

    #[test]
    fn a_flag_says_what_the_next_word_is() {
        assert_eq!(
            command(&["npx", "srv", "--api-key", "s3cr3t", "--mode", "fast"]),
            ["npx", "srv", "--api-key", "[api-key]", "--mode", "fast"]
        );
        assert_eq!(
            command(&["npx", "mcp-remote", "https://h", "--header", "X-Any:s3cr3t"]),
            [
                "npx",
                "mcp-remote",
                "https://h",
                "--header",
                "X-Any:[X-Any]"
            ]
        );
        assert_eq!(
            command(&["x", "-H", "Authorization: Bearer s3cr3t"])[2],
            "Authorization: Bearer [Authorization]"
        );
        assert_eq!(
            command(&[
                "docker",
                "run",
                "-e",
                "ANY=a b",
                "-eB=c",
                "--env=C=d",
                "-e",
                "D",
                "img"
            ]),
            [
                "docker",
                "run",
                "-e",
                "ANY=[ANY]",
                "-eB=[B]",
                "--env=C=[C]",
                "-e",
                "D",
                "img"
            ]
        );
        // A program that is swapped behind a flag without a value must be seen.
        assert_eq!(
            command(&["node", "--no-auth", "server.js", "-e", "a=b"]),
            ["node", "--no-auth", "server.js", "-e", "a=b"]
        );
    }

    #[test]
    fn a_word_drawn_at_random_is_a_secret_unless_a_name_says_otherwise() {
        let random = "4f9aB27kQz81LmN0pXyW";
        assert_eq!(command(&["x", random])[1], "[argument]");
        assert_eq!(command(&["x", "--id", random])[2], "[id]");
        assert_eq!(
            command(&["x", &format!("sh {random} y")])[1],
            "sh [argument] y"
        );
        assert_eq!(command(&["x", "--rev", random])[2], random);
        assert_eq!(command(&[random])[0], random);
    }

    #[test]
    fn a_variable_is_never_cut_and_stands_for_itself() {
        let text = "--token=\u{0}0\u{0}";
        assert_eq!(in_url(text)[0].range, 8..text.len());
        let text = "https://\u{0}0\u{0}:\u{0}1\u{0}@h/\u{0}2\u{0}";
        let ranges: Vec<_> = in_url(text).into_iter().map(|span| span.range).collect();
        assert_eq!(ranges, [8..11, 12..15]);
    }

    #[test]
    fn a_program_has_no_folder_and_no_extension() {
        for command in ["npx", "/usr/bin/npx", r"C:\x\NPX.cmd", "npx.CMD"] {
            assert!(program_name(command).eq_ignore_ascii_case("npx"));
        }
    }

    #[test]
    fn a_large_text_takes_a_moment() {
        let started = std::time::Instant::now();
        for piece in [
            "a: ", "key=\"", "://", "key: ", "--a b ", "a=", "a=\\\"", "://a:b/", "x ", "://a:",
        ] {
            let text = piece.repeat((1 << 18) / piece.len());
            let spans = in_command(&["x", &text, "--key", &text]);
            assert_eq!(spans.len(), 4);
        }
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    proptest::proptest! {
        #[test]
        fn spans_are_sorted_apart_and_inside_whatever_the_text(
            words in proptest::collection::vec("(-{0,2}(key|token|rev|x)|[a-z]{1,4}://|[=:@?&#;\"'\\\\ /]|\\PC{0,3}|Bearer |[a-zA-Z0-9]{20}){0,9}", 0..4)
        ) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            for (word, spans) in words.iter().zip(in_command(&words)) {
                let mut at = 0;
                for span in spans {
                    assert!(at <= span.range.start && span.range.start < span.range.end);
                    assert!(word.get(span.range.clone()).is_some());
                    at = span.range.end;
                }
            }
        }
    }
}
