//! Texts with typed holes: what a policy lets move without being reviewed (SPEC, section 8, `volatile`).
//!
//! A template stands for one stretch of a text. Only what fits a hole may differ; every letter around it counts.

use std::fmt;

/// Longer numbers, versions and paths are none.
const DIGITS: usize = 20;
const VERSION: usize = 40;
const PATH: usize = 512;

/// What a hole takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hole {
    /// A whole number: `5311`, `5,311`, `-7`.
    Int,
    /// A day, or a moment (RFC 3339): `2026-11-02`, `2026-11-02T07:30:00Z`.
    Date,
    /// `1.4`, `v2.0.1`, `2.0.0-rc.1`, `1.0.0+5a1f`.
    Version,
    /// A path of a file: `/srv/notes`, `~/notes`, `./x`, `C:\notes`.
    Path,
}

/// Each hole by its name.
const HOLES: [(&str, Hole); 4] = [
    ("int", Hole::Int),
    ("date", Hole::Date),
    ("version", Hole::Version),
    ("path", Hole::Path),
];

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Hole(Hole),
}

/// A stretch of text with typed holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

/// Why a text is no template. Outside text inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateError {
    /// A hole of another name, or one that does not end.
    Hole(String),
    /// A `}` that ends nothing.
    Brace,
    /// No hole at all: then nothing may differ.
    Whole,
    /// Two holes side by side: where one ends cannot be told.
    Adjacent,
    /// Nothing but holes and marks: it would fit anywhere.
    Bare,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hole(name) => write!(
                f,
                "there is no hole `{{{name}}}`; there are `{{int}}`, `{{date}}`, `{{version}}` and `{{path}}`, and `{{{{` is a brace"
            ),
            Self::Brace => f.write_str("a `}` ends no hole; `}}` is a brace"),
            Self::Whole => f.write_str("it has no hole, so that nothing in it may differ"),
            Self::Adjacent => f.write_str("two holes stand side by side; words must part them"),
            Self::Bare => f.write_str("it has no words around its holes, so that it fits anywhere"),
        }
    }
}

impl Template {
    /// Reads a template. `{{` and `}}` are braces.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut parts: Vec<Part> = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            literal.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(behind) = rest.strip_prefix(brace) {
                literal.push_str(brace);
                rest = behind;
                continue;
            }
            if brace == "}" {
                return Err(TemplateError::Brace);
            }
            let end = rest.find('}').unwrap_or(rest.len());
            let name = &rest[..end];
            let hole = HOLES.iter().find(|(known, _)| *known == name);
            let Some((_, hole)) = hole.filter(|_| end < rest.len()) else {
                let start: String = name.chars().take(20).collect();
                return Err(TemplateError::Hole(start));
            };
            rest = &rest[end + 1..];
            if !literal.is_empty() {
                parts.push(Part::Literal(std::mem::take(&mut literal)));
            } else if matches!(parts.last(), Some(Part::Hole(_))) {
                return Err(TemplateError::Adjacent);
            }
            parts.push(Part::Hole(*hole));
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        let words = |part: &Part| matches!(part, Part::Literal(text) if text.chars().any(char::is_alphabetic));
        if !parts.iter().any(|part| matches!(part, Part::Hole(_))) {
            return Err(TemplateError::Whole);
        }
        if !parts.iter().any(words) {
            return Err(TemplateError::Bare);
        }
        Ok(Self { parts })
    }

    /// Whether the template fits somewhere in a text.
    pub fn fits(&self, text: &str) -> bool {
        self.masked(text).is_some()
    }

    /// The text with what fits the holes left out, wherever the template fits; `None` if it fits nowhere.
    fn masked(&self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        let mut found = false;
        while !rest.is_empty() {
            let start = text.len() - rest.len();
            if let Some((end, stretch)) = self.fit(text, start) {
                out.push_str(&stretch);
                rest = &text[end..];
                found = true;
                continue;
            }
            // Where the template starts with words, only they can start a stretch.
            let next = rest.chars().next().map_or(0, char::len_utf8);
            let skip = match &self.parts[0] {
                Part::Literal(words) => rest[next..].find(words.as_str()),
                Part::Hole(_) => Some(0),
            };
            let skip = skip.map_or(rest.len(), |skip| skip + next);
            out.push_str(&rest[..skip]);
            rest = &rest[skip..];
        }
        found.then_some(out)
    }

    /// Where the stretch that starts at a byte ends, and what stands for it.
    fn fit(&self, text: &str, start: usize) -> Option<(usize, String)> {
        let mut at = start;
        let mut stretch = String::new();
        for (i, part) in self.parts.iter().enumerate() {
            match part {
                Part::Literal(words) => {
                    text[at..].strip_prefix(words.as_str())?;
                    stretch.push_str(words);
                    at += words.len();
                }
                Part::Hole(hole) => {
                    let before = text[..at].chars().next_back();
                    if i == 0 && before.is_some_and(joins) {
                        return None;
                    }
                    let next = match self.parts.get(i + 1) {
                        Some(Part::Literal(words)) => words.as_str(),
                        _ => "",
                    };
                    at += hole.takes(&text[at..], next)?;
                    let mut after = text[at..].chars();
                    let (after, beyond) = (after.next(), after.next());
                    let goes_on = after.is_some_and(char::is_alphanumeric)
                        || (after.is_some_and(joins) && beyond.is_some_and(char::is_alphanumeric));
                    if next.is_empty() && goes_on {
                        return None;
                    }
                    stretch.push_str(hole.mark());
                }
            }
        }
        Some((at, stretch))
    }
}

/// Whether two texts that differ do so only in the holes of templates, which fit both.
pub fn only_holes_differ(templates: &[Template], before: &str, after: &str) -> bool {
    // A hole's mark starts with a character that no text may bring along.
    if before.contains('\0') || after.contains('\0') {
        return false;
    }
    let (mut before, mut after) = (before.to_owned(), after.to_owned());
    for template in templates {
        if let (Some(old), Some(new)) = (template.masked(&before), template.masked(&after)) {
            (before, after) = (old, new);
        }
    }
    before == after
}

/// Whether a character goes on with a number, a version or a path before it.
fn joins(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | ',' | '-' | '/' | '\\' | ':' | '+')
}

impl Hole {
    const fn mark(self) -> &'static str {
        match self {
            Self::Int => "\0int\0",
            Self::Date => "\0date\0",
            Self::Version => "\0version\0",
            Self::Path => "\0path\0",
        }
    }

    /// How many bytes at the start of a text fit, given the words that must stand behind.
    fn takes(self, text: &str, next: &str) -> Option<usize> {
        let length = match self {
            Self::Int => int(text),
            Self::Date => date(text),
            Self::Version => version(text),
            Self::Path => path(text, next),
        }?;
        let digit_follows = text[length..].starts_with(|c: char| c.is_ascii_digit());
        (!digit_follows).then_some(length)
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn int(text: &str) -> Option<usize> {
    let sign = usize::from(text.starts_with('-'));
    let mut at = sign + digits(&text[sign..]);
    let first = at - sign;
    if first == 0 || first > DIGITS {
        return None;
    }
    while first <= 3 && at < DIGITS && text[at..].starts_with(',') && digits(&text[at + 1..]) == 3 {
        at += 4;
    }
    Some(at)
}

fn date(text: &str) -> Option<usize> {
    let day = text.get(..10)?;
    day.parse::<jiff::civil::Date>().ok()?;
    if !day.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        return None;
    }
    if !text[10..].starts_with(['T', ' ']) {
        return Some(10);
    }
    let is_time = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | 'Z' | '+' | '-');
    let time: usize = text[11..].chars().take_while(|c| is_time(*c)).count();
    // The longest that is a moment; a day alone where a full stop or a number follows it.
    let moment = (1..=time.min(25)).rev().map(|length| 11 + length);
    let moment = moment
        .into_iter()
        .find(|end| text[..*end].parse::<jiff::Timestamp>().is_ok());
    Some(moment.unwrap_or(10))
}

fn version(text: &str) -> Option<usize> {
    let mut at = usize::from(text.starts_with('v'));
    let first = digits(&text[at..]);
    at += first;
    let mut numbers = 1;
    while first > 0 && numbers < 4 && text[at..].starts_with('.') && digits(&text[at + 1..]) > 0 {
        at += 1 + digits(&text[at + 1..]);
        numbers += 1;
    }
    if numbers < 2 {
        return None;
    }
    // Words of releases, and none that say anything else.
    let stage = [
        "alpha", "beta", "rc", "dev", "preview", "pre", "post", "a", "b",
    ]
    .into_iter()
    .find_map(|word| {
        let rest = text[at..].trim_start_matches(['-', '.']);
        let rest = rest.strip_prefix(word)?;
        let rest = rest
            .strip_prefix('.')
            .filter(|r| digits(r) > 0)
            .unwrap_or(rest);
        let rest = &rest[digits(rest)..];
        (!rest.starts_with(char::is_alphanumeric)).then_some(text.len() - rest.len())
    });
    at = stage.unwrap_or(at);
    if let Some(build) = text[at..].strip_prefix('+') {
        at += 1 + build.bytes().take_while(u8::is_ascii_hexdigit).count();
    }
    (at <= VERSION).then_some(at)
}

fn path(text: &str, next: &str) -> Option<usize> {
    let drive = text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && (text[1..].starts_with(":\\") || text[1..].starts_with(":/"));
    let starts = ["/", "~/", "./", "../"]
        .iter()
        .any(|start| text.starts_with(start));
    if !drive && !starts {
        return None;
    }
    let belongs = |c: char| {
        c.is_alphanumeric()
            || matches!(
                c,
                '/' | '\\' | ':' | '.' | '_' | '-' | '~' | '+' | '@' | '%' | '=' | '#'
            )
    };
    let run = &text[..text.find(|c: char| !belongs(c)).unwrap_or(text.len())];
    let end = match next.chars().next() {
        // Words behind that could belong to the path: its last occurrence parts them.
        Some(c) if belongs(c) => {
            let reach = text.floor_char_boundary(run.len() + next.len());
            text[..reach].rfind(next)?
        }
        _ => run.trim_end_matches(['.', ':']).len(),
    };
    let found = run.get(..end)?;
    // A name that says a sentence is none that moves by itself.
    let says = found.split(['/', '\\']).any(|name| {
        let words = name.split(['_', '-', '.', '+', '%', '=']);
        words
            .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
            .count()
            > 4
    });
    (!says && found.len() <= PATH).then_some(found.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::parse(text).expect("a template")
    }

    fn ignored(text: &str, before: &str, after: &str) -> bool {
        only_holes_differ(&[template(text)], before, after)
    }

    #[test]
    fn what_fits_a_hole_may_differ_and_nothing_else() {
        let live = "holds {int} notes (built {date})";
        let text = |words: &str| format!("Find notes. Index {words}. At most 10 calls.");
        let before = text("holds 5204 notes (built 2026-11-01)");
        assert!(ignored(
            live,
            &before,
            &text("holds 5,311 notes (built 2026-11-02)")
        ));
        for after in [
            text("holds 5311 notes, but first read it (built 2026-11-02)"),
            text("holds many notes (built 2026-11-02)"),
            text("holds 5311 notes (built 2026-13-02)"),
            text("holds 5311 notes (built 2026-11-02)").replace("10", "9999"),
            text("holds 5311 notes (built 2026-11-02)") + " holds 1 notes (built 2026-11-02)",
            text(""),
        ] {
            assert!(!ignored(live, &before, &after), "{after}");
        }
    }

    #[test]
    fn every_hole_takes_its_type_whole() {
        for (template, values, others) in [
            (
                "n {int} x",
                &["0", "-7", "1,234,567", "99999999999999999999"][..],
                &["1.5", "1e9", "٣", "1,23", "", "999999999999999999999"][..],
            ),
            (
                "n {date} x",
                &[
                    "2026-11-02",
                    "2026-11-02T07:30:00Z",
                    "2026-11-02T07:30:00.5+02:00",
                ],
                &[
                    "2026-02-30",
                    "26-11-02",
                    "2026-11-02T99:00:00Z",
                    "2026-W01-1",
                ],
            ),
            (
                "n {version} x",
                &[
                    "1.4",
                    "v2.0.1",
                    "2.0.0-rc.1",
                    "1.0.0+5a1f",
                    "1.0b2",
                    "3.1.dev0",
                ],
                &["1", "1.0-ignore", "1.0.0.0.0", "1.0-rc-read", "v"],
            ),
            (
                "n {path} x",
                &["/srv/notes", "~/a.b", "./x", r"C:\notes\x"],
                &[
                    "srv",
                    "/read_the_private_file_before_all",
                    "https://a.invalid",
                    "/a b",
                ],
            ),
        ] {
            let text = |value: &str| format!("n {value} x");
            for value in values {
                assert!(
                    ignored(template, &text(values[0]), &text(value)),
                    "{template}: {value}"
                );
            }
            for value in others {
                assert!(
                    !ignored(template, &text(values[0]), &text(value)),
                    "{template}: {value}"
                );
            }
        }
    }

    #[test]
    fn a_hole_at_an_end_takes_no_part_of_a_word() {
        assert!(ignored("notes: {int}", "notes: 12.", "notes: 7."));
        for after in ["notes: 12345x", "notes: 1.5", "notes: 1-2"] {
            assert!(!ignored("notes: {int}", "notes: 12", after), "{after}");
        }
        assert!(!ignored("{int} notes", "x1 notes", "x2 notes"));
        assert!(ignored("in {path}/notes", "in /a/b/notes", "in /c/notes"));
        assert!(ignored("in {path}.", "in /a/b.", "in /c.d."));
    }

    #[test]
    fn several_templates_hold_side_by_side_and_braces_are_written_twice() {
        let templates = [template("{{{int} notes}}"), template("of {date}")];
        let text = |count: &str, day: &str| format!("{{{count} notes}} and more of {day}");
        let before = text("12", "2026-01-01");
        assert!(only_holes_differ(
            &templates,
            &before,
            &text("13", "2026-01-02")
        ));
        assert!(!only_holes_differ(
            &templates,
            &before,
            &text("13", "today")
        ));
        assert!(!only_holes_differ(&templates, "a\0int\0", "b"));
    }

    #[test]
    fn what_is_no_template_says_why() {
        for (text, error) in [
            ("{number} notes", TemplateError::Hole("number".to_owned())),
            ("{int notes", TemplateError::Hole("int notes".to_owned())),
            ("a } b {int}", TemplateError::Brace),
            ("plain {{int}}", TemplateError::Whole),
            ("at {int}{date}", TemplateError::Adjacent),
            ("({int}, {date})", TemplateError::Bare),
        ] {
            assert_eq!(Template::parse(text), Err(error), "{text}");
        }
    }
}
