//! The one text of a lockfile: members sorted, a line each, LF, a final newline, nothing that moves by itself.

use super::{Acknowledgement, Entry, Lockfile, Review, Server, VERSION};
use crate::canonical;
use crate::catalogue::Definition;
use crate::fingerprint::Digest;
use crate::json::{Object, Value};
use crate::model::{Kind, part};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use std::collections::BTreeMap;

/// Members in bytewise order.
type Members = BTreeMap<String, Value>;

impl Lockfile {
    /// The text of the file. Equal lockfiles have equal texts, and it reads back to the same lockfile.
    pub fn to_text(&self) -> String {
        let mut members = Members::new();
        put_policy(&mut members, &self.policy);
        let servers = self
            .servers
            .iter()
            .map(|(name, server)| (name.as_str().to_owned(), server_value(server)));
        members.insert("servers".to_owned(), object(servers.collect()));
        members.insert("version".to_owned(), Value::Number(VERSION.into()));
        let mut text = canonical::to_pretty(&object(members));
        text.push('\n');
        text
    }
}

fn object(members: Members) -> Value {
    Value::Object(members.into_iter().collect())
}

fn put_policy(members: &mut Members, policy: &Object) {
    if !policy.is_empty() {
        let policy = canonical::canonical(&Value::Object(policy.clone()));
        members.insert("policy".to_owned(), policy);
    }
}

fn server_value(server: &Server) -> Value {
    let mut members = Members::new();
    members.insert("since".to_owned(), Value::from(server.since.as_str()));
    put_policy(&mut members, &server.policy);
    if !server.reviewed.is_empty() {
        let reviews = server.reviewed.iter().map(review_value).collect();
        members.insert("reviewed".to_owned(), Value::Array(reviews));
    }
    for kind in Kind::LISTED {
        let items = items(server, kind);
        if server.known.contains(&kind) || !items.is_empty() {
            members.insert(kind.plural().to_owned(), object(items));
        }
    }
    let parts = items(server, Kind::Server).into_iter();
    members.extend(parts.filter(|(name, _)| part::ALL.contains(&name.as_str())));
    object(members)
}

/// The entries of one kind by name, and those of new items that await a reviewer.
fn items(server: &Server, kind: Kind) -> Members {
    let accepted = server
        .entries
        .iter()
        .map(|(key, entry)| (key, entry_value(key.kind, entry)));
    let awaiting = server
        .awaiting
        .iter()
        .map(|(key, records)| (key, object(acknowledgements(records))));
    accepted
        .chain(awaiting)
        .filter(|(key, _)| key.kind == kind)
        .map(|(key, value)| (key.name.as_str().to_owned(), value))
        .collect()
}

fn entry_value(kind: Kind, entry: &Entry) -> Value {
    let mut members = acknowledgements(&entry.acknowledgements);
    let (name, definition) = match &*entry.item.definition {
        Definition::Canonical(_) => ("definition", entry.item.definition.glance().into_owned()),
        Definition::Raw { bytes, .. } => ("raw", Value::String(BASE64.encode(bytes))),
    };
    members.insert(name.to_owned(), definition);
    members.insert("digest".to_owned(), digest_value(entry.item.digest));
    if let Some(fingerprint) = entry.item.fingerprint(kind) {
        members.insert("fingerprint".to_owned(), digest_value(fingerprint));
    }
    if entry.removed {
        members.insert("removed".to_owned(), Value::Bool(true));
    }
    object(members)
}

fn acknowledgements(records: &[Acknowledgement]) -> Members {
    let mut members = Members::new();
    if !records.is_empty() {
        let records = records.iter().map(acknowledgement_value).collect();
        members.insert("acknowledgements".to_owned(), Value::Array(records));
    }
    members
}

fn acknowledgement_value(record: &Acknowledgement) -> Value {
    let state = |digest: Option<Digest>| digest.map_or(Value::Null, digest_value);
    let rules = record.rules.iter().map(|rule| Value::from(rule.as_str()));
    let members = [
        ("at", Value::from(record.at.as_str())),
        ("by", Value::from(record.by.as_str())),
        ("change", Value::from(record.change.as_str())),
        ("from", state(record.from)),
        ("level", Value::String(record.level.to_string())),
        ("note", Value::from(record.note.as_str())),
        ("rules", Value::Array(rules.collect())),
        ("to", state(record.to)),
    ];
    object(members.map(|(name, value)| (name.to_owned(), value)).into())
}

fn review_value(review: &Review) -> Value {
    let mut members = vec![
        ("at", Value::from(review.at.as_str())),
        ("by", Value::from(review.by.as_str())),
        ("note", Value::from(review.note.as_str())),
    ];
    members.extend(
        review
            .first_sight
            .map(|of| ("firstSight", digest_value(of))),
    );
    let members = members.into_iter();
    object(
        members
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

fn digest_value(digest: Digest) -> Value {
    Value::String(digest.to_string())
}
