//! How a piece of text shows what it is: by the few colours of a text report, by markup, or not at all. Every terminal
//! escape that is ever written comes from here.

use super::markup;

/// By what a piece of text shows what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    /// Nothing.
    Plain,
    /// Escape codes of a terminal.
    Terminal,
    /// Elements of HTML; the text is escaped for it.
    Markup,
}

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// A heading.
    Head,
    /// It stood in the baseline only.
    Old,
    /// It stands in the current side only.
    New,
    /// Words that went, inside a line.
    OldWords,
    /// Words that came, inside a line.
    NewWords,
    /// An error.
    Error,
    /// A warning, and what waits.
    Warning,
    /// Context.
    Faint,
}

impl Paint {
    /// An escaped text as what it is.
    pub(super) fn of(self, ink: Ink, text: &str) -> String {
        match self {
            _ if text.is_empty() => String::new(),
            Self::Plain => text.to_owned(),
            Self::Terminal => format!("\u{1b}[{}m{text}\u{1b}[0m", code(ink)),
            Self::Markup => {
                let text = markup::text(text);
                match ink {
                    Ink::OldWords => format!("<del>{text}</del>"),
                    Ink::NewWords => format!("<ins>{text}</ins>"),
                    _ => text,
                }
            }
        }
    }
}

fn code(ink: Ink) -> &'static str {
    match ink {
        Ink::Head => "1",
        Ink::Old => "31",
        Ink::New => "32",
        Ink::OldWords => "1;7;31",
        Ink::NewWords => "1;7;32",
        Ink::Error => "1;31",
        Ink::Warning => "33",
        Ink::Faint => "2",
    }
}
