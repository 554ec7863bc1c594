//! The few colours of a text report. Every terminal escape that is ever written comes from here.

/// Whether to colour, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    /// Whether escape codes may be written.
    pub(super) color: bool,
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
    /// An escaped text in its colour, if there is any.
    pub(super) fn of(self, ink: Ink, text: &str) -> String {
        let (on, off) = match (self.color, ink) {
            (false, _) => ("", ""),
            (true, Ink::Head) => ("\u{1b}[1m", "\u{1b}[0m"),
            (true, Ink::Old) => ("\u{1b}[31m", "\u{1b}[0m"),
            (true, Ink::New) => ("\u{1b}[32m", "\u{1b}[0m"),
            (true, Ink::OldWords) => ("\u{1b}[1;7;31m", "\u{1b}[0m"),
            (true, Ink::NewWords) => ("\u{1b}[1;7;32m", "\u{1b}[0m"),
            (true, Ink::Error) => ("\u{1b}[1;31m", "\u{1b}[0m"),
            (true, Ink::Warning) => ("\u{1b}[33m", "\u{1b}[0m"),
            (true, Ink::Faint) => ("\u{1b}[2m", "\u{1b}[0m"),
        };
        if text.is_empty() {
            String::new()
        } else {
            format!("{on}{text}{off}")
        }
    }
}
