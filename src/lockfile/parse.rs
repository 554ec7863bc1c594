//! Reading a lockfile: strict, by [`crate::json`], and every error with its line.
//!
//! Spelling does not matter (CRLF, a byte order mark, indentation, order of members). Anything else that
//! [`Lockfile::to_text`] would not write is an error: a member that is spelled wrong must not be passed over.

use super::members::Members;
use super::settings::{self, Scope};
use super::{Acknowledgement, Entry, Lockfile, Review, Server, VERSION, verify};
use crate::canonical;
use crate::catalogue::Item;
use crate::fingerprint::Digest;
use crate::json::{self, FlawKind, Limits, Value};
use crate::model::{ItemKey, Kind, Level, ServerName, part};
use crate::parallel;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

/// Why a file is no lockfile that can be trusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct LockfileError {
    /// The line, from 1, where it was found: of a mistake inside an entry, where the entry starts.
    pub line: usize,
    /// What kind of damage it is.
    pub fault: Fault,
    /// What is wrong. Outside text inside.
    pub message: String,
}

/// The kinds of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A merge that was not resolved.
    Conflict,
    /// It is not JSON, or read differently by different readers.
    Json,
    /// Written by another version of countersign.
    Version,
    /// A member is missing, unknown or of the wrong type.
    Shape,
    /// Definitions, digests and acknowledgements do not fit each other.
    Edited,
}

impl LockfileError {
    /// The way out, as a command to paste. `path` is the lockfile's.
    pub fn hint(&self, path: &str) -> String {
        let path = shlex::try_quote(path).map_or_else(|_| path.to_owned(), Into::into);
        match self.fault {
            Fault::Conflict => format!("git mergetool -- {path}"),
            Fault::Version => "update countersign".to_owned(),
            Fault::Json | Fault::Shape | Fault::Edited => {
                format!(
                    "git log -p -- {path} shows who edited it; git checkout REF -- {path} takes it back"
                )
            }
        }
    }
}

/// What git leaves at the start of a line in a merge that it could not do.
const CONFLICT_MARKERS: [&[u8]; 4] = [b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"];

impl Lockfile {
    /// Reads and verifies a lockfile.
    ///
    /// # Errors
    /// The first damage that is found.
    pub fn parse(source: &[u8]) -> Result<Self, LockfileError> {
        find_conflict(source)?;
        // A lockfile is larger than what it accepted: its bounds are those of memory, not of a server.
        let limits = Limits {
            depth: Limits::MAX_DEPTH,
            string: usize::MAX,
        };
        let document = json::read(source, limits).map_err(|error| LockfileError {
            line: error.line,
            fault: Fault::Json,
            message: error.kind.to_string(),
        })?;
        if let Some(flaw) = document.flaws.first() {
            return Err(LockfileError {
                line: json::line_of(source, flaw.offset),
                fault: Fault::Json,
                message: match &flaw.kind {
                    FlawKind::DuplicateMember(name) => {
                        format!("two members named `{name}` in one object")
                    }
                    FlawKind::LoneSurrogate => "half of a surrogate pair in a string".to_owned(),
                    FlawKind::EndlessExponent => "a number that no reader computes with".to_owned(),
                },
            });
        }
        lockfile(&Members::root(&document.value, source)?)
    }
}

fn find_conflict(source: &[u8]) -> Result<(), LockfileError> {
    let text = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        // No line of JSON starts like that.
        if let Some(marker) = CONFLICT_MARKERS.iter().find(|m| line.starts_with(m)) {
            return Err(LockfileError {
                line: index + 1,
                fault: Fault::Conflict,
                message: format!(
                    "a merge conflict that was not resolved (`{}`)",
                    String::from_utf8_lossy(marker)
                ),
            });
        }
    }
    Ok(())
}

fn lockfile(root: &Members<'_>) -> Result<Lockfile, LockfileError> {
    // The version first: a newer file may well have other members.
    let version = root.required("version")?;
    match version {
        Value::Number(number) if canonical::number(number) == VERSION => {}
        Value::Number(number) => {
            let message = format!("version {number}; this countersign reads version {VERSION}");
            return Err(root.error(Fault::Version, &message));
        }
        other => return Err(root.wrong_type("version", "number", other)),
    }
    root.only(&["policy", "servers", "version"])?;
    let mut lockfile = Lockfile {
        policy: settings::policy(root, Scope::Lockfile)?,
        ..Lockfile::default()
    };
    root.required("servers")?;
    if let Some(servers) = root.object("servers", "")? {
        let names: Vec<&str> = servers.raw().iter().map(|(name, _)| name).collect();
        let read = parallel::map_large(&names, |name| {
            let members = servers.object(name, &format!("server `{name}`"))?;
            members.map(|members| server(&members)).transpose()
        });
        for (name, server) in names.into_iter().zip(read) {
            if let Some(server) = server? {
                lockfile.servers.insert(ServerName::new(name), server);
            }
        }
    }
    Ok(lockfile)
}

fn server(members: &Members<'_>) -> Result<Server, LockfileError> {
    let lists = Kind::LISTED.map(Kind::plural);
    let mut names = vec!["policy", "reviewed", "since"];
    names.extend(part::ALL);
    names.extend(lists);
    members.only(&names)?;
    let date = |text: &str| {
        let shaped = text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
        shaped.then(|| text.to_owned())
    };
    let mut server = Server {
        since: members.parsed("since", "a date", date)?,
        policy: settings::policy(members, Scope::Server)?,
        ..Server::default()
    };
    for review in members.objects("reviewed", "reviewed")? {
        review.only(&["at", "by", "firstSight", "note"])?;
        server.reviewed.push(Review {
            by: review.text("by")?.to_owned(),
            at: review.parsed("at", "a time", time)?,
            note: review.text("note")?.to_owned(),
            first_sight: match review.raw().get("firstSight") {
                None => None,
                Some(_) => Some(review.parsed("firstSight", "a digest", |text| text.parse().ok())?),
            },
        });
    }
    for name in part::ALL {
        if let Some(entry) = members.object(name, name)? {
            item(&mut server, ItemKey::part(name), &entry)?;
        }
    }
    for kind in Kind::LISTED {
        let Some(list) = members.object(kind.plural(), "")? else {
            continue;
        };
        server.known.insert(kind);
        for (name, _) in list.raw().iter() {
            let word = format!("{} `{name}`", kind.word());
            if let Some(entry) = list.object(name, &word)? {
                item(&mut server, ItemKey::new(kind, name), &entry)?;
            }
        }
    }
    Ok(server)
}

/// Reads one item's entry, or the records of a new item that await another reviewer.
fn item(server: &mut Server, key: ItemKey, members: &Members<'_>) -> Result<(), LockfileError> {
    server.known.insert(key.kind);
    let edited = |wrong: Option<String>| {
        wrong.map_or(
            Ok(()),
            |message| Err(members.error(Fault::Edited, &message)),
        )
    };
    let acknowledgements = members
        .objects("acknowledgements", "acknowledgement")?
        .iter()
        .map(acknowledgement)
        .collect::<Result<Vec<_>, _>>()?;
    let only_records = members
        .raw()
        .iter()
        .all(|(name, _)| name == "acknowledgements");
    if only_records && !acknowledgements.is_empty() {
        edited(verify::records(&acknowledgements, None))?;
        server.awaiting.insert(key, acknowledgements);
        return Ok(());
    }
    members.only(&[
        "acknowledgements",
        "definition",
        "digest",
        "fingerprint",
        "raw",
        "removed",
    ])?;
    let item = definition(key.kind, members)?;
    let digest = members.parsed("digest", "a digest", |text| text.parse().ok())?;
    let fingerprint = match members.raw().get("fingerprint") {
        None => None,
        Some(_) => Some(members.parsed("fingerprint", "a digest", |text| text.parse().ok())?),
    };
    edited(verify::definition(&key, &item, digest, fingerprint))?;
    let removed = match members.raw().get("removed") {
        None => false,
        Some(Value::Bool(true)) => true,
        Some(_) => {
            let message = "`removed` is `true` or left out";
            return Err(members.error(Fault::Shape, message));
        }
    };
    let entry = Entry {
        item: item.put_away(),
        removed,
        acknowledgements,
    };
    edited(verify::records(&entry.acknowledgements, Some(&entry)))?;
    server.entries.insert(key, entry);
    Ok(())
}

fn definition(kind: Kind, members: &Members<'_>) -> Result<Item, LockfileError> {
    let raw = members.raw();
    match (raw.get("definition"), raw.get("raw")) {
        (Some(value), None) => Ok(Item::new(kind, value.clone())),
        (None, Some(_)) => {
            let bytes = members.parsed("raw", "base64", |text| BASE64.decode(text).ok())?;
            Ok(Item::raw(bytes))
        }
        (None, None) => Err(members.error(Fault::Shape, "`definition` is missing")),
        (Some(_), Some(_)) => Err(members.error(
            Fault::Shape,
            "both `definition` and `raw`; one of them stands",
        )),
    }
}

fn acknowledgement(members: &Members<'_>) -> Result<Acknowledgement, LockfileError> {
    members.only(&["at", "by", "change", "from", "level", "note", "rules", "to"])?;
    let state = |name: &str| -> Result<Option<Digest>, LockfileError> {
        match members.required(name)? {
            Value::Null => Ok(None),
            _ => members
                .parsed(name, "a digest", |text| text.parse().ok())
                .map(Some),
        }
    };
    members.required("rules")?;
    Ok(Acknowledgement {
        change: members.text("change")?.to_owned(),
        from: state("from")?,
        to: state("to")?,
        level: members.parsed("level", "`material` or `minor`", Level::from_word)?,
        rules: members.texts("rules")?,
        by: members.text("by")?.to_owned(),
        at: members.parsed("at", "a time", time)?,
        note: members.text("note")?.to_owned(),
    })
}

/// An RFC 3339 time, kept to the letter.
fn time(text: &str) -> Option<String> {
    text.parse::<jiff::Timestamp>().ok()?;
    Some(text.to_owned())
}
