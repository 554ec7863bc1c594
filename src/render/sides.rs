//! What a change was and is: the diff of its sides, within its bound, with digests and hidden text beside it.

use super::count::{collapse, ends, number};
use super::definition::{self, brief, lines};
use super::escape::{line as escaped, quoted};
use super::hunks::{self, Diff, Line};
use super::paint::{Ink, Paint};
use super::rows::{self, Row};
use crate::catalogue::Definition;
use crate::json::Value;
use crate::pair::Event;
use crate::report::{Change, Side};
use crate::text::hidden::decoded;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How much of a removed item's description is shown, in bytes.
const REMOVED: usize = 200;
/// How much of hidden text and of flaws is shown, in bytes.
const NOTE: usize = 2_000;

/// Both sides of a change, ready to be laid out.
#[derive(Debug)]
pub(super) struct Sides {
    /// Which definitions these are, escaped.
    pub(super) above: Vec<String>,
    /// What differs.
    pub(super) diff: Diff,
    /// What the diff does not show, escaped.
    pub(super) below: Vec<String>,
}

impl Sides {
    /// Of a change, or of what is left of both definitions without what is shown elsewhere.
    pub(super) fn of(change: &Change, left: Option<[&Value; 2]>, paint: Paint) -> Self {
        let (before, after) = (change.before.as_ref(), change.after.as_ref());
        let mut shown = match (before, after) {
            (Some(side), None) if change.event == Event::Removed => gone(side, paint),
            _ => compared(change, left, paint),
        };
        for side in [before, after].into_iter().flatten() {
            if let Definition::Raw { flaws, .. } = &*side.definition {
                let flaws = ends(&collapse(&escaped(&flaws.join("; "))), NOTE);
                let digest = side.digest.short();
                shown
                    .below
                    .push(format!("{digest} has no canonical form: {flaws}"));
            }
        }
        let [old, new] = [before, after].map(|side| Some(side?.definition.value()));
        let said: Vec<&str> = change.reasons.iter().map(|r| r.message.as_str()).collect();
        shown.below.extend(hidden(old, new, &said));
        shown
    }

    /// As lines.
    pub(super) fn text(self, paint: Paint) -> Vec<String> {
        let mut out = self.above;
        out.extend(self.diff.text(paint));
        let below = self.below.iter().map(|text| format!("| {text}"));
        out.extend(below.map(|text| paint.of(Ink::Warning, &text)));
        out
    }
}

fn compared(change: &Change, left: Option<[&Value; 2]>, paint: Paint) -> Sides {
    let sides = [&change.before, &change.after];
    let [old, new] = match left {
        Some(left) => left.map(|side| Some(brief(side))),
        None => sides.map(|side| Some(brief(side.as_ref()?.definition.value()))),
    };
    let side_lines = |side: &Option<Cow<'_, Value>>, other: &Option<Cow<'_, Value>>| match side {
        Some(side) => lines(side, other.as_deref()),
        None => Vec::new(),
    };
    let (old, new) = (side_lines(&old, &new), side_lines(&new, &old));
    let diff = hunks::diff(&old, &new, paint);
    let mut above = digests(change, [&old, &new], diff.hidden);
    if diff.lines.is_empty() && sides.iter().all(|side| side.is_some()) {
        above.push("| both sides read the same".to_owned());
    }
    Sides {
        above,
        diff,
        below: Vec::new(),
    }
}

/// A removed item is known: its digest and what it said it does are enough.
pub(super) fn removed(side: &Side) -> Option<String> {
    let text = side.definition.value().get("description")?.as_str()?;
    Some(ends(&collapse(&quoted(text)), REMOVED))
}

fn gone(side: &Side, paint: Paint) -> Sides {
    let row = removed(side).map(|text| {
        let text = format!("\"description\": {text}");
        Line::Row(Row::whole(rows::Side::Old, &text, paint))
    });
    Sides {
        above: Vec::new(),
        diff: Diff {
            lines: row.into_iter().collect(),
            hidden: [0, 0],
        },
        below: Vec::new(),
    }
}

/// Which definitions these are; in full where they are not shown whole.
fn digests(change: &Change, lines: [&[definition::Line]; 2], hidden: [usize; 2]) -> Vec<String> {
    let sides = [("before", &change.before), ("after ", &change.after)];
    if hidden == [0, 0] {
        let digests: Vec<String> = sides
            .iter()
            .filter_map(|(_, side)| Some(side.as_ref()?.digest.short()))
            .collect();
        // What was acknowledged before is told without its definitions.
        if digests.is_empty() {
            return Vec::new();
        }
        return vec![format!("digest {}", digests.join(" -> "))];
    }
    let mut out = Vec::new();
    for (i, (word, side)) in sides.into_iter().enumerate() {
        let Some(side) = side else { continue };
        let length: usize = lines[i].iter().map(|line| line.text.len() + 1).sum();
        let mut line = format!("{word} {}", side.digest);
        if hidden[i] > 0 {
            let [length, hidden] = [length, hidden[i]].map(number);
            line.extend([
                ", ",
                &length,
                " bytes, ",
                &hidden,
                " of its changed lines not shown",
            ]);
        }
        out.push(line);
    }
    out
}

/// The hidden texts of the current side, or of the baseline if there was more, escaped. `said` are the sentences about them:
/// what came in and is told there whole is not told again.
pub(super) fn hidden(
    before: Option<&Value>,
    after: Option<&Value>,
    said: &[&str],
) -> Option<String> {
    let of = |side: Option<&Value>| {
        let mut spelled = BTreeSet::new();
        if let Some(value) = side {
            add_spelled(value, &mut spelled);
        }
        spelled
    };
    let (old, new) = (of(before), of(after));
    let say = |what, texts: Vec<&String>| {
        let texts: Vec<String> = texts.into_iter().map(|text| quoted(text)).collect();
        format!("{what}: {}", ends(&texts.join(", "), NOTE))
    };
    let came: Vec<_> = new.difference(&old).collect();
    let went: Vec<_> = old.difference(&new).collect();
    let is_said = |text: &&String| said.iter().any(|said| said.contains(&format!("`{text}`")));
    if !came.is_empty() {
        (!came.iter().all(is_said)).then(|| say("hidden text", came))
    } else if !went.is_empty() {
        Some(say("hidden text is gone", went))
    } else {
        (!new.is_empty()).then(|| say("hidden text, as before", new.iter().collect()))
    }
}

/// Adds what the hidden characters of each string in a value spell.
fn add_spelled(value: &Value, spelled: &mut BTreeSet<String>) {
    let mut texts = Vec::new();
    match value {
        Value::String(text) => texts.push(text.as_str()),
        Value::Array(elements) => {
            for element in elements {
                add_spelled(element, spelled);
            }
        }
        Value::Object(object) => {
            for (name, member) in object.iter() {
                texts.push(name);
                add_spelled(member, spelled);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    let texts = texts.into_iter().map(decoded);
    spelled.extend(texts.filter(|text| !text.is_empty()));
}
