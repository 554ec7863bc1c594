//! Which spellings of a URI may mean one resource. Pure.
//!
//! Servers read URIs in their own ways, so this takes for one what any of them may take for one: it serves to refuse,
//! never to let pass.

use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization as _;

/// A URI longer than so many bytes is compared with none.
const LONGEST: usize = 64 << 10;
/// Percent-encoding within percent-encoding is followed so far.
const DEEPEST: usize = 8;

/// The forms that all spellings of a URI share, without query and fragment; none for one that is too long or too deeply
/// encoded to be compared.
pub fn forms(uri: &str) -> BTreeSet<String> {
    let Some(whole) = legible(uri) else {
        return BTreeSet::new();
    };
    let parts = Parts::of(&whole);
    let mut forms: BTreeSet<String> = [parts.kept(0), parts.kept(1)].into();
    // The host of a file is this machine, however it is called.
    if parts.scheme == "file:" && parts.has_host {
        let path = Parts {
            host: None,
            ..parts
        };
        forms.insert(path.kept(0));
    }
    forms
}

/// A URI without query and fragment, decoded, in one case; `None` for one that is too long or too deeply encoded.
fn legible(uri: &str) -> Option<String> {
    let plain = (uri.len() <= LONGEST).then(|| decoded(uri)).flatten()?;
    let folded: String = plain.nfkc().flat_map(char::to_lowercase).collect();
    let legible: String = folded
        .chars()
        .filter(|c| !c.is_control())
        .map(|c| if c == '\\' { '/' } else { c })
        .collect();
    let whole = legible.split(['?', '#']).next().unwrap_or_default();
    Some(whole.trim().to_owned())
}

/// What a URI is made of.
struct Parts<'a> {
    /// With its colon; empty if there is none.
    scheme: String,
    /// What some take for a host and others for the first part of a path.
    host: Option<&'a str>,
    /// Whether all take it for a host.
    has_host: bool,
    rest: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(whole: &'a str) -> Self {
        let (scheme, rest) = match whole.split_once(':') {
            Some((scheme, rest)) => (format!("{scheme}:"), rest),
            None => (String::new(), whole),
        };
        let mut segments = rest.split('/').map(segment).filter(|s| !s.is_empty());
        Self {
            scheme,
            host: segments.next().map(host_of),
            has_host: rest.starts_with("//") && !rest.starts_with("///"),
            rest: segments.collect(),
        }
    }

    /// Without dot segments; `..` leads out of all but the first `floor` parts.
    fn kept(&self, floor: usize) -> String {
        let mut out: Vec<&str> = Vec::new();
        for part in self.host.into_iter().chain(self.rest.iter().copied()) {
            match part {
                ".." if out.len() > floor => {
                    out.pop();
                }
                ".." | "." => {}
                part => out.push(part),
            }
        }
        format!("{}{}", self.scheme, out.join("/"))
    }
}

/// Whether two URIs may mean one resource, by their forms.
pub fn may_be_one(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    !one.is_disjoint(other)
}

/// What a URI may be taken to begin with: its forms, and what a server sees that takes dot segments, or a user, for the
/// value of a variable.
pub fn beginnings(uri: &str) -> BTreeSet<String> {
    let mut beginnings = forms(uri);
    if let Some(whole) = legible(uri) {
        beginnings.insert(Parts::of(&whole).kept(usize::MAX));
        beginnings.insert(Parts::of(&whole.replace('@', "%40")).kept(usize::MAX));
    }
    beginnings
}

/// Whether a URI, by its beginnings, begins as a template does before its first variable (RFC 6570): it may stand for it.
pub fn begins_like(uri: &BTreeSet<String>, template: &str) -> bool {
    let literal = forms(template.split('{').next().unwrap_or_default());
    uri.iter()
        .any(|uri| literal.iter().any(|literal| uri.starts_with(literal)))
}

/// Without percent-encoding, however often it was applied.
fn decoded(text: &str) -> Option<String> {
    let mut text = text.to_owned();
    for _ in 0..DEEPEST {
        let next = decoded_once(&text);
        if next == text {
            return Some(text);
        }
        text = next;
    }
    None
}

fn decoded_once(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let digit = |offset: usize| char::from(*bytes.get(at + offset)?).to_digit(16);
        let code = (byte == b'%').then(|| Some(digit(1)? * 16 + digit(2)?));
        let code = code.flatten().and_then(|code| u8::try_from(code).ok());
        out.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A part of a path without parameters, and without what some file systems cut at its end.
fn segment(part: &str) -> &str {
    let part = part.split(';').next().unwrap_or_default();
    if matches!(part, "." | "..") {
        return part;
    }
    part.trim_end_matches(['.', ' '])
}

/// A host without user and without the port that goes without saying.
fn host_of(part: &str) -> &str {
    let host = part.rsplit('@').next().unwrap_or(part);
    let goes_without_saying =
        |number: &str| matches!(number.trim_start_matches('0'), "" | "21" | "80" | "443");
    let without = host
        .rsplit_once(':')
        .filter(|(_, number)| goes_without_saying(number));
    segment(without.map_or(host, |(host, _)| host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_that_a_server_may_take_for_one_are_one() {
        for (one, others) in [
            (
                "note://Inbox/1",
                &[
                    "NOTE://inbox/1",
                    "note://inbox/%31",
                    "note://inbox/%2531",
                    "note://inbox/./1",
                    "note://inbox/x/../1",
                    "note://x/../inbox/1",
                    "note://inbox//1/",
                    "note:/inbox/1",
                    "note://inbox\\1",
                    "note://inbox/1?x=1",
                    "note://inbox/1#top",
                    "note://inbox/1;v=2",
                    "note://inbox/1.",
                    "note://inbox/1%20",
                    "note://inbox/1%00",
                    "no\tte://inbox/1",
                    "note://me@inbox/1",
                    "note://inbox:/1",
                    "note%3a//inbox/1",
                    "note://\u{ff29}nbox/1",
                ][..],
            ),
            (
                "https://h/a",
                &["https://H:443/a", "https://h:0443/a", "https://h./b/../a"],
            ),
            ("http://[::1]/a", &["http://[::1]:80/a"]),
            ("web://h/1", &["web://h/../1", "web://h/%2e%2e/1"]),
            (
                "file:///etc/passwd",
                &[
                    "file:/etc/passwd",
                    "file://etc/passwd",
                    "file://localhost/etc/passwd",
                    "file://127.0.0.1/x/../etc/passwd",
                ],
            ),
        ] {
            for other in others {
                assert!(may_be_one(&forms(one), &forms(other)), "{one} {other}");
            }
        }
    }

    #[test]
    fn other_resources_are_others() {
        let one = forms("note://inbox/1");
        for other in [
            "note://inbox/2",
            "note://inbox/11",
            "note://outbox/1",
            "file://inbox/1",
            "note://inbox",
            "note://inbox/1/2",
            "",
        ] {
            assert!(!may_be_one(&one, &forms(other)), "{other}");
        }
        let deep = format!("note://{}31", "%".to_owned() + &"25".repeat(20));
        assert!(forms(&deep).is_empty());
        assert!(forms(&"a".repeat(LONGEST + 1)).is_empty());
    }

    #[test]
    fn what_a_template_may_stand_for_begins_like_it() {
        for (template, uri, wanted) in [
            ("note://inbox/{id}", "NOTE://inbox/7", true),
            ("note://inbox/{id}", "note:///in%62ox/7", true),
            ("note://inbox/{id}", "note://outbox/7", false),
            ("note://h/inbox/{+path}", "note://h/inbox/../outbox/7", true),
            ("note://h/inbox/{+path}", "note://h/outbox/7", false),
            ("note://inbox{box}/{id}", "note://inbox@x/7", true),
            ("{+uri}", "anything:7", true),
            ("search://q?term={term}", "search://q?x=1", true),
        ] {
            assert_eq!(
                begins_like(&beginnings(uri), template),
                wanted,
                "{template} {uri}"
            );
        }
    }
}
