//! What a history says of a server, one event a line, and how an event is written.

use crate::fingerprint::Digest;
use crate::json::{Object, Value};
use crate::model::{ItemKey, Kind, Level};
use crate::pair;
use crate::report::Change;

/// Something that was observed of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When, as RFC 3339.
    pub at: String,
    /// What.
    pub what: What,
}

/// What was observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// The server, or where `items` are named these items of it, were seen for the first time.
    FirstSight {
        /// The catalogue.
        taken: Taken,
        /// The new items of a server that was known; empty for a new server.
        items: Vec<ItemKey>,
    },
    /// The catalogue differs from the one before it.
    Change {
        /// The catalogue.
        taken: Taken,
        /// The step that each item took.
        changes: Vec<Observed>,
        /// The items that were seen for the first time.
        items: Vec<ItemKey>,
        /// Whether the server announced it; `None` where nobody listened.
        announced: Option<bool>,
        /// For how many milliseconds it was announced when it was found; of one that was not, the most that it may have
        /// been there. `None` where that is unknown.
        delay: Option<u64>,
    },
    /// It could not be asked.
    Unreachable {
        /// The problem's stable word.
        kind: String,
        /// What happened. Outside text, secrets already out of it.
        message: String,
    },
    /// It answers again, as it did before.
    Reachable,
    /// Its configuration no longer disables it.
    Enabled,
    /// Its configuration disables it.
    Disabled,
    /// Somebody asked for a full review.
    Flagged {
        /// `incident`, `report`, `policy` or `usage`.
        reason: String,
        /// What they said. Outside text.
        note: String,
    },
}

/// A catalogue that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The snapshot that holds it.
    pub snapshot: Digest,
    /// How it was taken: [`crate::capture::Taking::to_value`], in canonical order.
    pub taking: Value,
}

/// The step that one item took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The id of the change.
    pub id: String,
    /// The item; after a renaming, its new name.
    pub key: ItemKey,
    /// The old name after a renaming.
    pub former: Option<ItemKey>,
    /// What happened to it.
    pub event: pair::Event,
    /// Why it matters.
    pub reasons: Vec<ObservedReason>,
}

/// One rule that a step hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedReason {
    /// The rule's id, as the countersign of that time named it.
    pub rule: String,
    /// How much it mattered.
    pub level: Level,
    /// Where, as a JSON Pointer. Outside text.
    pub path: String,
}

impl From<&Change> for Observed {
    fn from(change: &Change) -> Self {
        let reasons = change.reasons.iter().map(|reason| ObservedReason {
            rule: reason.rule.to_owned(),
            level: reason.level,
            path: reason.path.as_str().to_owned(),
        });
        Self {
            id: change.id.clone(),
            key: change.key.clone(),
            former: change.former.clone(),
            event: change.event,
            reasons: reasons.collect(),
        }
    }
}

impl What {
    /// The word for it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::FirstSight { .. } => "first-sight",
            Self::Change { .. } => "change",
            Self::Unreachable { .. } => "unreachable",
            Self::Reachable => "reachable",
            Self::Enabled => "enabled",
            Self::Disabled => "disabled",
            Self::Flagged { .. } => "flagged",
        }
    }

    /// The catalogue that was taken, if one was.
    pub const fn taken(&self) -> Option<&Taken> {
        match self {
            Self::FirstSight { taken, .. } | Self::Change { taken, .. } => Some(taken),
            _ => None,
        }
    }
}

const EVENTS: [pair::Event; 5] = [
    pair::Event::Changed,
    pair::Event::Added,
    pair::Event::Removed,
    pair::Event::Returned,
    pair::Event::Renamed,
];

impl Event {
    /// What its line says, without what binds it to the line before.
    pub fn to_value(&self) -> Value {
        Value::Object(self.to_object())
    }

    /// The members of its line, without the one that binds it to the line before.
    pub(super) fn to_object(&self) -> Object {
        let mut object = Object::default();
        object.set("at", Value::from(self.at.as_str()));
        object.set("event", Value::from(self.what.word()));
        if let Some(taken) = self.what.taken() {
            object.set("snapshot", Value::String(taken.snapshot.to_string()));
            object.set("taking", taken.taking.clone());
        }
        match &self.what {
            What::FirstSight { items, .. } => put_items(&mut object, items),
            What::Change {
                changes,
                items,
                announced,
                delay,
                ..
            } => {
                let changes = changes.iter().map(observed_value).collect();
                object.set("changes", Value::Array(changes));
                put_items(&mut object, items);
                if let Some(announced) = announced {
                    object.set("announced", Value::Bool(*announced));
                }
                if let Some(delay) = delay {
                    object.set("delayMs", Value::Number(delay.to_string().into()));
                }
            }
            What::Unreachable { kind, message } => {
                object.set("kind", Value::from(kind.as_str()));
                object.set("message", Value::from(message.as_str()));
            }
            What::Flagged { reason, note } => {
                object.set("reason", Value::from(reason.as_str()));
                object.set("note", Value::from(note.as_str()));
            }
            What::Reachable | What::Enabled | What::Disabled => {}
        }
        object
    }

    /// Reads what [`Event::to_object`] wrote; `None` if it is something else. Members that a later countersign
    /// added are passed over.
    pub(super) fn from_object(object: &Object) -> Option<Self> {
        let text = |name: &str| object.text(name).map(str::to_owned);
        let taken = || {
            Some(Taken {
                snapshot: object.text("snapshot")?.parse().ok()?,
                taking: object.get("taking")?.clone(),
            })
        };
        let what = match object.text("event")? {
            "first-sight" => What::FirstSight {
                taken: taken()?,
                items: items(object)?,
            },
            "change" => What::Change {
                taken: taken()?,
                changes: object
                    .get("changes")?
                    .as_array()?
                    .iter()
                    .map(observed)
                    .collect::<Option<_>>()?,
                items: items(object)?,
                announced: object.get("announced").and_then(Value::as_bool),
                delay: match object.get("delayMs") {
                    Some(Value::Number(text)) => text.parse().ok(),
                    _ => None,
                },
            },
            "unreachable" => What::Unreachable {
                kind: text("kind")?,
                message: text("message")?,
            },
            "reachable" => What::Reachable,
            "enabled" => What::Enabled,
            "disabled" => What::Disabled,
            "flagged" => What::Flagged {
                reason: text("reason")?,
                note: text("note")?,
            },
            _ => return None,
        };
        Some(Self {
            at: text("at")?,
            what,
        })
    }
}

fn put_items(object: &mut Object, items: &[ItemKey]) {
    if !items.is_empty() {
        let items = items.iter().map(key_value).collect();
        object.set("items", Value::Array(items));
    }
}

fn items(object: &Object) -> Option<Vec<ItemKey>> {
    match object.get("items") {
        None => Some(Vec::new()),
        Some(items) => items.as_array()?.iter().map(key).collect(),
    }
}

fn key_value(key: &ItemKey) -> Value {
    let members = [
        ("kind", Value::from(key.kind.word())),
        ("name", Value::from(key.name.as_str())),
    ];
    object(members)
}

fn key(value: &Value) -> Option<ItemKey> {
    let kind = Kind::from_word(value.get("kind")?.as_str()?)?;
    Some(ItemKey::new(kind, value.get("name")?.as_str()?))
}

fn observed_value(step: &Observed) -> Value {
    let reasons = step.reasons.iter().map(|reason| {
        object([
            ("rule", Value::from(reason.rule.as_str())),
            ("level", Value::String(reason.level.to_string())),
            ("path", Value::from(reason.path.as_str())),
        ])
    });
    let mut members = vec![
        ("id", Value::from(step.id.as_str())),
        ("item", key_value(&step.key)),
        ("event", Value::from(step.event.word())),
        ("reasons", Value::Array(reasons.collect())),
    ];
    if let Some(former) = &step.former {
        members.push(("former", key_value(former)));
    }
    object(members)
}

fn observed(value: &Value) -> Option<Observed> {
    let event = value.get("event")?.as_str()?;
    let reasons = value.get("reasons")?.as_array()?.iter().map(|reason| {
        let level = reason.get("level")?.as_str()?;
        Some(ObservedReason {
            rule: reason.get("rule")?.as_str()?.to_owned(),
            level: [Level::Minor, Level::Material]
                .into_iter()
                .find(|known| known.to_string() == level)?,
            path: reason.get("path")?.as_str()?.to_owned(),
        })
    });
    Some(Observed {
        id: value.get("id")?.as_str()?.to_owned(),
        key: key(value.get("item")?)?,
        former: match value.get("former") {
            None => None,
            Some(former) => Some(key(former)?),
        },
        event: EVENTS.into_iter().find(|known| known.word() == event)?,
        reasons: reasons.collect::<Option<_>>()?,
    })
}

fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let members = members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    Value::Object(members.collect())
}
