//! What a tool says it answers with: a model reads the schema of the answers too.

use super::surface::only_blanks;
use super::wording::is_text;
use super::{Rule, words};
use crate::diff::{Fact, Place, Side, Spot, What};
use crate::model::Level;

fn output_spot<'f, 'a>(fact: &'f Fact<'a>) -> Option<&'f Spot<'a>> {
    match &fact.place {
        Place::Schema(spot) if spot.side == Side::Output => Some(spot),
        _ => None,
    }
}

pub(super) static OUTPUT_WORDING_CHANGED: Rule = Rule {
    id: "output-wording-changed",
    level: Level::Material,
    title: "text in the output schema differs",
    why: "a model reads it as it reads descriptions: it can be told there what to do with the answer",
    says: |fact, _| {
        let spot = output_spot(fact)?;
        let subject = words::subject(spot);
        if is_text(spot) {
            return (!only_blanks(fact)).then(|| {
                format!(
                    "text on {subject} {}{}: the model is told something else",
                    words::happened(fact),
                    words::note(fact.before, fact.after)
                )
            });
        }
        let list = |texts: &[&str]| words::list(texts.iter().copied());
        match (&spot.news.said[..], &spot.news.unsaid[..], &spot.what) {
            ([], [], What::Opaque(why)) => Some(format!(
                "{subject} cannot be compared ({why}), so another text is assumed"
            )),
            ([], [], _) => None,
            ([], unsaid, _) => Some(format!("{subject} no longer says {}", list(unsaid))),
            (said, _, _) => Some(format!(
                "{subject} newly says {}: the model may take it as told",
                list(said)
            )),
        }
    },
    last: false,
};

pub(super) static OUTPUT_SCHEMA_CHANGED: Rule = Rule {
    id: "output-schema-changed",
    level: Level::Minor,
    title: "the output schema differs, and no text in it",
    why: "answers have another shape; nothing more is sent and nothing else is told",
    says: |fact, _| {
        let spot = output_spot(fact)?;
        Some(match &spot.what {
            What::Root => format!("the output schema {}", words::happened(fact)),
            What::Input { name, .. } => {
                format!("output {} {}", words::quote(name), words::happened(fact))
            }
            What::Keyword(keyword) | What::Subschema { keyword } | What::Branch { keyword } => {
                format!(
                    "{} of {} {}",
                    words::quote(keyword),
                    words::subject(spot),
                    words::happened(fact)
                )
            }
            _ => format!("{} has another shape", words::subject(spot)),
        })
    },
    last: true,
};
