//! Facts: what differs between the two sides of a pair, where, and what kind of place that is.
//!
//! Every pointer that differs is in at least one fact. Nothing here knows what matters; [`crate::rules`] does.

mod branches;
mod reference;
mod schema;
mod server;
mod surface;

pub mod hidden;
pub mod keyword;
pub mod survey;
pub mod values;

pub(crate) use branches::refuses_all;
pub(crate) use schema::renamed_inputs;
pub(crate) use surface::effective_hint;

use crate::catalogue::{Definition, Item};
use crate::json::{self, FlawKind, Limits, Value};
use crate::model::{Kind, Pointer};
use crate::pair::{Event, Pair};
use keyword::Dialect;
use survey::News;

/// How deep a comparison goes. What differs below is one fact whose meaning is left open.
pub(crate) const DEPTH: usize = 100;

/// One place that differs.
#[derive(Debug, Clone)]
pub struct Fact<'a> {
    /// The kind of item that it is in.
    pub kind: Kind,
    /// Where in the definition; of an element that moved, where it stands now. Inside a schema that a reference
    /// was followed to, the place of the reference goes on.
    pub path: Pointer,
    /// Where it stood before, if that is another place.
    pub was: Option<Pointer>,
    /// What kind of place.
    pub place: Place<'a>,
    /// What stood there.
    pub before: Option<&'a Value>,
    /// What stands there now.
    pub after: Option<&'a Value>,
}

impl Fact<'_> {
    /// Which of its sides are there.
    pub fn happened(&self) -> Happened {
        match (self.before, self.after) {
            (None, _) => Happened::Added,
            (_, None) => Happened::Removed,
            _ => Happened::Changed,
        }
    }

    /// Whether it is a title that is made of a name on both sides.
    fn is_generated_title(&self) -> bool {
        match &self.place {
            Place::Title { generated, .. } => *generated,
            Place::Schema(spot) => matches!(spot.what, What::Title { generated: true }),
            _ => false,
        }
    }
}

/// What differs of a renamed item beside its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Nothing.
    Nothing,
    /// Titles that are made of the name.
    Titles,
    /// Something else.
    More,
}

/// What happened at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Happened {
    /// Nothing stood there.
    Added,
    /// Nothing stands there now.
    Removed,
    /// Something else stands there.
    Changed,
}

impl Happened {
    /// The word for sentences and reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

/// What kind of place differs.
#[derive(Debug, Clone)]
pub enum Place<'a> {
    /// The item as a whole came, went, came back or got another name.
    Item {
        /// Its name.
        name: &'a str,
        /// Its old name, after a renaming.
        former: Option<&'a str>,
        /// Which of them happened.
        event: Event,
        /// What differs beside the name, after a renaming.
        rest: Rest,
    },
    /// The definition, or what it was, has no canonical form.
    Flawed(Flaw),
    /// A side is no object, so that there is nothing to compare inside.
    Whole,
    /// `name` of a resource or template.
    Name,
    /// `title`, or `annotations.title`.
    Title {
        /// Whether each title is made of the item's name.
        generated: bool,
        /// Whether clients show what they showed.
        same: bool,
    },
    /// `description`.
    Description,
    /// A hint in a tool's annotations, or the annotations themselves where they are empty or no object.
    Hint {
        /// Its name.
        name: &'a str,
        /// What it comes to on both sides, defaults applied; `None` if that cannot be said of a side.
        effective: Option<(bool, bool)>,
        /// Whether it means nothing on both sides, because the tool claims to be read-only.
        idle: bool,
    },
    /// An argument of a prompt.
    Argument {
        /// Its name.
        name: &'a str,
        /// What of it.
        part: ArgumentPart<'a>,
    },
    /// Any other member of an item, or something inside one.
    Member {
        /// The member of the item.
        member: &'a str,
        /// The name under which the value stands.
        name: &'a str,
    },
    /// Only the order of an array differs, of what it has in common on both sides.
    Order,
    /// Somewhere in an input or output schema.
    Schema(Box<Spot<'a>>),
    /// The instructions of a server.
    Instructions,
    /// A member of what a server says it is, or something inside one.
    Info {
        /// The member.
        member: &'a str,
        /// The name under which the value stands.
        name: &'a str,
    },
    /// What a server says it can do.
    Capabilities {
        /// The name under which the value stands.
        name: &'a str,
    },
    /// A member of a server's launch; `None` for all of it.
    Launch(Option<&'a str>),
}

/// Why a definition has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// So many different definitions bear one name.
    Ambiguous(usize),
    /// Two members of this name stand in one object.
    Duplicate(String),
    /// Something else that readers disagree on, in words.
    Malformed(&'static str),
    /// There was a flaw, and there is none now.
    Mended,
}

/// What of a prompt's argument differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentPart<'a> {
    /// All of it came or went.
    Whole {
        /// The argument that went when it came, or came when it went, if it is the same but for the name.
        counterpart: Option<&'a str>,
    },
    /// Its title or description.
    Text,
    /// Whether it must be given.
    Required,
}

/// A place in a schema.
#[derive(Debug, Clone)]
pub struct Spot<'a> {
    /// Which schema.
    pub side: Side,
    /// What kind of place.
    pub what: What<'a>,
    /// The property or definition that it is in, the innermost.
    pub input: Option<&'a str>,
    /// Whether that is a definition, which inputs share.
    pub shared: bool,
    /// Whether accepting more here means accepting more as a whole: not so inside `not` and `if`.
    pub decided: bool,
    /// Whether it restricts values of a type that is not accepted now, so that it refuses nothing.
    pub moot: bool,
    /// What came and went with it that a reader would look for.
    pub news: News<'a>,
}

/// Which schema of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// `inputSchema`.
    Input,
    /// `outputSchema`.
    Output,
}

/// What `$schema` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoken {
    /// Nothing: 2020-12 holds.
    Silent,
    /// A dialect that is known.
    Known(Dialect),
    /// Anything else.
    Unknown,
}

/// What kind of place in a schema differs.
#[derive(Debug, Clone)]
pub enum What<'a> {
    /// The value of a keyword that holds no schema.
    Keyword(&'a str),
    /// `title`.
    Title {
        /// Whether each title is made of the name of what it stands on.
        generated: bool,
    },
    /// The values that are accepted, by `enum` or `const`; `None` is any.
    Values {
        /// They were.
        before: Option<Vec<&'a Value>>,
        /// They are.
        after: Option<Vec<&'a Value>>,
    },
    /// Names in `required`, or in a list of a dependent keyword.
    Required {
        /// Names that came in and that no property declares.
        undeclared: Vec<&'a str>,
    },
    /// `$schema`.
    Dialect {
        /// It said.
        before: Spoken,
        /// It says.
        after: Spoken,
        /// A keyword in the schema that means something else in other dialects.
        sensitive: Option<&'a str>,
    },
    /// A property came or went.
    Input {
        /// Its name, or a pattern of names.
        name: &'a str,
        /// Whether it must be given.
        required: bool,
        /// The property that went when it came, or came when it went, if it is the same but for the name.
        counterpart: Option<&'a str>,
    },
    /// A schema in `$defs` or `definitions` came or went.
    Definition {
        /// Its name.
        name: &'a str,
        /// Whether its content was compared where a reference to it was written out, or came in its place.
        followed: bool,
    },
    /// An element of `anyOf`, `oneOf`, `allOf` or `prefixItems` came or went.
    Branch {
        /// Of which.
        keyword: &'a str,
    },
    /// All that stands under a keyword that holds schemas came, went, or is or was a mere truth value.
    Subschema {
        /// The keyword.
        keyword: &'a str,
    },
    /// The whole schema came or went.
    Root,
    /// A local reference was written out, or came in the place of what it stands for, or has another name.
    Reference,
    /// `null` is accepted beside the rest now, or no longer, by way of `anyOf`.
    Nullable {
        /// Whether it is now; `None` if it is on both sides, spelled in two ways.
        accepted: Option<bool>,
    },
    /// It became one of several schemas, or was one of them and is alone now. It is compared with the branch that it
    /// is most like; the others came or went.
    Wrapped {
        /// Whether there are several now.
        came: bool,
    },
    /// `anyOf` stands for what `oneOf` was, or the other way round.
    Union {
        /// The keyword now.
        now: &'a str,
        /// Whether no value fits two of the branches that there were, so that both words mean the same.
        exclusive: bool,
    },
    /// It cannot be compared: too deep, no schema, a reference in conflict with what stands beside it.
    Opaque(&'static str),
}

/// Says of facts about what is at a path, or inside, that it stood under another name or number before.
fn moved(facts: &mut [Fact<'_>], path: &Pointer, stood: &str) {
    for fact in facts {
        let was = fact.was.as_ref().unwrap_or(&fact.path);
        let was = was.replaced(path, stood);
        fact.was = (was != fact.path).then_some(was);
    }
}

/// Everything that differs between the two sides of a pair. Empty only if nothing does.
pub fn facts<'p>(pair: &'p Pair<'_>) -> Vec<Fact<'p>> {
    let kind = pair.key.kind;
    let (before, after) = (pair.before, pair.after);
    let values = (
        before.map(|item| item.definition.value()),
        after.map(|item| item.definition.value()),
    );
    let mut facts = flaws(kind, before, after);
    if kind == Kind::Server {
        server::compare(pair.key.name.as_str(), values, &mut facts);
        return facts;
    }
    let came_or_went = pair.event != Event::Changed;
    if came_or_went {
        facts.insert(0, of_item(pair, values));
    }
    if let (Some(old), Some(new)) = values {
        surface::compare(pair, old, new, &mut facts);
        let alone = facts.len() == 1;
        let titles = facts.iter().skip(1).all(Fact::is_generated_title);
        if let Some(Fact {
            place: Place::Item { rest, .. },
            ..
        }) = facts.first_mut()
        {
            *rest = match (alone, titles) {
                (true, _) => Rest::Nothing,
                (false, true) => Rest::Titles,
                _ => Rest::More,
            };
        }
    }
    facts
}

fn of_item<'p>(
    pair: &'p Pair<'_>,
    (before, after): (Option<&'p Value>, Option<&'p Value>),
) -> Fact<'p> {
    let member = pair.key.kind.name_member();
    let renamed = pair.event == Event::Renamed;
    let of = |value: Option<&'p Value>| {
        if renamed {
            value.and_then(|value| value.get(member))
        } else {
            value
        }
    };
    let root = Pointer::root();
    Fact {
        kind: pair.key.kind,
        path: if renamed { root.join(member) } else { root },
        was: None,
        place: Place::Item {
            name: pair.key.name.as_str(),
            former: pair.former.as_ref().map(|key| key.name.as_str()),
            event: pair.event,
            rest: Rest::More,
        },
        before: of(before),
        after: of(after),
    }
}

/// The flaws of the current side, or that those of the baseline are gone.
fn flaws<'p>(kind: Kind, before: Option<&'p Item>, after: Option<&'p Item>) -> Vec<Fact<'p>> {
    let raw = |item: &&'p Item| item.digest.is_raw();
    let found = match (before.filter(raw), after.filter(raw)) {
        (_, Some(now)) => flaws_of(now),
        (Some(_), None) if after.is_some() => vec![Flaw::Mended],
        _ => Vec::new(),
    };
    found
        .into_iter()
        .map(|flaw| Fact {
            kind,
            path: Pointer::root(),
            was: None,
            place: Place::Flawed(flaw),
            before: before.map(|item| item.definition.value()),
            after: after.map(|item| item.definition.value()),
        })
        .collect()
}

/// Why an item has no canonical form: at least one flaw.
pub fn flaws_of(item: &Item) -> Vec<Flaw> {
    let Definition::Raw { bytes, value, .. } = &*item.definition else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if let Value::Array(several) = value {
        found.push(Flaw::Ambiguous(several.len()));
    }
    let limits = Limits {
        depth: Limits::MAX_DEPTH,
        string: usize::MAX,
    };
    match json::read(bytes, limits) {
        Ok(document) => found.extend(document.flaws.into_iter().map(|flaw| match flaw.kind {
            FlawKind::DuplicateMember(name) => Flaw::Duplicate(name),
            FlawKind::LoneSurrogate => Flaw::Malformed("half of a surrogate pair in a string"),
            FlawKind::EndlessExponent => {
                Flaw::Malformed("a number whose exponent no reader computes with")
            }
        })),
        Err(_) => found.push(Flaw::Malformed("bytes that are no JSON")),
    }
    found.dedup();
    if found.is_empty() {
        found.push(Flaw::Malformed("a definition that was kept raw"));
    }
    found
}
