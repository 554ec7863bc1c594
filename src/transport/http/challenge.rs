//! What a refusal says about who may ask: the Bearer challenge of `WWW-Authenticate` (RFC 6750, section 3) with
//! the address of the resource's metadata (RFC 9728, section 5.1).

use crate::transport::cut;

/// How many characters of what it names are shown.
const LONGEST: usize = 200;

/// A Bearer challenge. Outside text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Challenge {
    /// Where the server says who may let in.
    pub(crate) resource_metadata: Option<String>,
    /// The scopes that the request wants, separated by spaces.
    pub(crate) scope: Option<String>,
    /// Why a token was refused, such as `insufficient_scope`.
    pub(crate) error: Option<String>,
}

impl Challenge {
    /// The first Bearer challenge of these header values.
    pub(crate) fn read<'a>(values: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut found: Option<Self> = None;
        for value in values {
            let mut is_ours = false;
            let mut rest = value;
            loop {
                rest = rest.trim_start_matches([' ', '\t', ',']);
                let end = rest.find([' ', '\t', ',', '=']).unwrap_or(rest.len());
                let (token, after) = rest.split_at(end);
                if token.is_empty() && after.is_empty() {
                    break;
                }
                rest = after;
                let spaced = rest.trim_start_matches([' ', '\t']);
                let Some(value) = spaced.strip_prefix('=') else {
                    // No `=` behind it: the name of a scheme begins another challenge.
                    is_ours = found.is_none() && token.eq_ignore_ascii_case("bearer");
                    if is_ours {
                        found = Some(Self::default());
                    }
                    continue;
                };
                let (value, after) = parameter(value.trim_start_matches([' ', '\t']));
                rest = after;
                if is_ours && let Some(found) = &mut found {
                    found.set(token, value);
                }
            }
        }
        found
    }

    /// What it names, cut where it is long.
    pub(crate) fn words(&self) -> String {
        let parts = [
            ("the scope", &self.scope),
            ("the metadata", &self.resource_metadata),
        ];
        let parts = parts.iter().filter_map(|(what, text)| {
            let text = text.as_deref()?;
            Some(format!("{what} `{}`", cut(text, LONGEST)))
        });
        parts.collect::<Vec<_>>().join(" and ")
    }

    fn set(&mut self, name: &str, value: String) {
        let member = match name.to_ascii_lowercase().as_str() {
            "resource_metadata" => &mut self.resource_metadata,
            "scope" => &mut self.scope,
            "error" => &mut self.error,
            _ => return,
        };
        member.get_or_insert(value);
    }
}

/// The value of a parameter, a token or a quoted string, and what comes after it.
fn parameter(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ', '\t']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> Option<Challenge> {
        Challenge::read(values.iter().copied())
    }

    #[test]
    fn the_bearer_challenge_is_found_among_others() {
        let full = Challenge {
            resource_metadata: Some("https://h.invalid/.well-known/x?a=b,c".into()),
            scope: Some("read write".into()),
            error: Some("insufficient_scope".into()),
        };
        for values in [
            &[
                r#"Bearer resource_metadata="https://h.invalid/.well-known/x?a=b,c", scope="read write", error=insufficient_scope"#,
            ][..],
            &[
                r#"Basic realm="a, Bearer b", bearer  Error = "insufficient_scope" ,scope="read\ write",resource_metadata="https://h.invalid/.well-known/x?a=b,c", Digest scope="other""#,
            ],
            &[
                "Negotiate",
                r#"Bearer resource_metadata="https://h.invalid/.well-known/x?a=b,c",error="insufficient_scope", scope="read write", scope="again""#,
            ],
        ] {
            assert_eq!(read(values).as_ref(), Some(&full), "{values:?}");
        }
        assert_eq!(read(&["bearer"]), Some(Challenge::default()));
    }

    #[test]
    fn anything_else_is_none_and_ends() {
        for value in [
            "",
            "Basic",
            "=",
            "==,",
            "\"",
            "Basic x=\"Bearer",
            "scope=read",
            ",,",
            "é=\"é\\",
        ] {
            assert_eq!(read(&[value]), None, "{value}");
        }
        assert!(
            read(&["Bearer scope=\"cut"])
                .is_some_and(|found| found.scope.as_deref() == Some("cut"))
        );
    }
}
