//! Places in a JSON document. Pure.

use crate::json::Value;

/// A JSON Pointer (RFC 6901).
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The pointer that a text is; `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        (text.is_empty() || text.starts_with('/')).then(|| Self(text.to_owned()))
    }

    /// The whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// The pointer to a member or an element of what this one points to.
    #[must_use]
    pub fn join(&self, token: &str) -> Self {
        let mut out = self.0.clone();
        out.push('/');
        for c in token.chars() {
            match c {
                '~' => out.push_str("~0"),
                '/' => out.push_str("~1"),
                other => out.push(other),
            }
        }
        Self(out)
    }

    /// The same pointer with another token where `path`, which has as many tokens up to there, ends.
    #[must_use]
    pub fn replaced(&self, path: &Self, token: &str) -> Self {
        let tokens = path.0.matches('/').count();
        let mut out = Self::root();
        for (at, own) in self.0.split('/').skip(1).enumerate() {
            if at + 1 == tokens {
                out = out.join(token);
            } else {
                out.0.extend(["/", own]);
            }
        }
        out
    }

    /// The pointer to an element.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// The text of the pointer. Its tokens are outside text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its tokens, unescaped.
    pub fn tokens(&self) -> Vec<String> {
        let token = |token: &str| token.replace("~1", "/").replace("~0", "~");
        self.0.split('/').skip(1).map(token).collect()
    }

    /// What it points to in a document.
    pub fn find<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        let mut tokens = self.tokens().into_iter();
        tokens.try_fold(document, |value, token| value.child(&token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, read};

    #[test]
    fn what_a_pointer_leads_to_is_found() {
        let text = br#"{"a/b":[{"m~n":"here"}],"":"empty"}"#;
        let value = read(text, Limits::default()).expect("legal JSON").value;
        let pointer = Pointer::root().join("a/b").index(0).join("m~n");
        assert_eq!(pointer.tokens(), ["a/b", "0", "m~n"]);
        assert_eq!(pointer.find(&value).and_then(Value::as_str), Some("here"));
        let empty = Pointer::root().join("");
        assert_eq!(empty.find(&value).and_then(Value::as_str), Some("empty"));
        assert_eq!(Pointer::root().find(&value), Some(&value));
        assert_eq!(pointer.join("more").find(&value), None);
        assert_eq!(Pointer::root().join("a/b").index(1).find(&value), None);
    }

    #[test]
    fn a_token_on_the_way_is_replaced_by_another() {
        let list = Pointer::root().join("a/b");
        let pointer = list.index(1).join("m~n");
        assert_eq!(
            pointer.replaced(&list.index(1), "0"),
            list.index(0).join("m~n")
        );
        assert_eq!(pointer.replaced(&pointer, "x/y"), list.index(1).join("x/y"));
    }
}
