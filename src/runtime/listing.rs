//! A list result, read item by item and written anew where an item is not listed as sent. Pure.

use super::account::Account;
use super::envelope::poses;
use super::verdict::Listing;
use crate::canonical;
use crate::capture::{Answer, Capture, Hello, Taking};
use crate::catalogue::{Catalogue, Definition, Item};
use crate::json::{Limits, Object, Value};
use crate::model::{ItemKey, Kind};
use crate::secret::Secrets;
use std::collections::BTreeMap;

/// The member of a list result's `_meta` that says what was left out, and why.
pub const WITHHELD: &str = "countersign/withheld";
/// The member of an item's `_meta` that marks it.
pub const MARK: &str = "unsecure";

/// A result, read strictly. It is put into an object of its own, so that no member of it is taken for a `result`.
pub fn read_result(result: &[u8], limits: Limits) -> Result<Answer, String> {
    let source = [b"{\"result\":", result, b"}"].concat();
    Answer::read(source, limits).map_err(|error| error.to_string())
}

/// The items that some pages of one list hold.
///
/// # Errors
/// Pages that hold no list, or that clients would read differently.
pub fn items(
    kind: Kind,
    pages: Vec<Answer>,
    secrets: &Secrets,
) -> Result<BTreeMap<ItemKey, Item>, String> {
    catalogue(Hello::None, [(kind, pages)].into(), secrets).map(|catalogue| catalogue.items)
}

/// What some answers hold.
pub(super) fn catalogue(
    hello: Hello,
    lists: BTreeMap<Kind, Vec<Answer>>,
    secrets: &Secrets,
) -> Result<Catalogue, String> {
    let capture = Capture {
        hello,
        lists,
        taking: Taking::default(),
        warnings: Vec::new(),
    };
    Catalogue::from_capture(&capture, secrets)
        .map(|(catalogue, _)| catalogue)
        .map_err(|error| error.to_string())
}

/// A page as the client may see it; `None` where that is how the server sent it.
///
/// # Errors
/// A page that holds no list, or that clients would read differently.
pub fn rewrite(kind: Kind, result: &[u8], account: &Account) -> Result<Option<Vec<u8>>, String> {
    let page = read_result(result, account.limits)?;
    let found = items(kind, vec![page.clone()], &account.secrets)?;
    let verdicts: BTreeMap<&ItemKey, _> = found
        .iter()
        .map(|(key, item)| (key, account.verdict(key, item)))
        .collect();
    let Some(result) = page.result().as_object() else {
        return Err("the result is no object".to_owned());
    };
    let member = kind.list_member();
    if result.iter().any(|(name, _)| poses(&[member], name)) {
        return Err(format!("it holds `{member}` in another case as well"));
    }
    let listed = result.get(member).and_then(Value::as_array);
    let (mut out, mut withheld, mut is_as_sent) = (Vec::new(), Object::default(), true);
    for element in listed.unwrap_or_default() {
        let key = name_of(kind, element).map(|name| ItemKey::new(kind, name));
        // What bears no name can be neither reviewed nor used.
        let verdict = key.as_ref().and_then(|key| verdicts.get(key));
        let listing = verdict.map_or(Listing::Withheld, |verdict| verdict.listing);
        is_as_sent &= listing == Listing::AsSent;
        let mut leave_out = || {
            let name = key.as_ref().map_or("(unnamed)", |key| key.name.as_str());
            let why = verdict.map_or("it bears no name", |verdict| &verdict.why);
            withheld.set(name, Value::from(why));
        };
        match listing {
            Listing::AsSent => out.push(as_sent(&page, element)),
            Listing::Marked => out.push(marked(element)),
            Listing::Withheld => leave_out(),
            Listing::AsAccepted => {
                match key.as_ref().and_then(|key| account.accepted(key)) {
                    // Of several definitions under one name one is enough.
                    Some(item) => match accepted(item) {
                        Some(text) if !out.contains(&text) => out.push(text),
                        Some(_) => {}
                        None => leave_out(),
                    },
                    None => leave_out(),
                }
            }
        }
    }
    if is_as_sent {
        return Ok(None);
    }
    let list = [b"[", &out.join(&b","[..])[..], b"]"].concat();
    let mut members = vec![(kind.list_member().to_owned(), list)];
    if !withheld.is_empty() {
        members.push(("_meta".to_owned(), meta_with(result, WITHHELD, withheld)));
    }
    Ok(Some(with_members(&page, result, members)))
}

/// A result with some members replaced or added; the others as they were sent.
pub(super) fn with_members(
    page: &Answer,
    result: &Object,
    mut members: Vec<(String, Vec<u8>)>,
) -> Vec<u8> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let member = |name: &str, value: Vec<u8>| {
        let name = canonical::to_text(&Value::from(name));
        [name.as_bytes(), b":", &value].concat()
    };
    for (name, value) in result.iter() {
        let at = members.iter().position(|(replaced, _)| replaced == name);
        let value = match at {
            Some(at) => members.remove(at).1,
            None => as_sent(page, value),
        };
        parts.push(member(name, value));
    }
    parts.extend(
        members
            .into_iter()
            .map(|(name, value)| member(&name, value)),
    );
    [b"{", &parts.join(&b","[..])[..], b"}"].concat()
}

/// The `_meta` of a result with one more member, as JSON text.
fn meta_with(result: &Object, name: &str, value: Object) -> Vec<u8> {
    let mut meta = match result.get("_meta") {
        Some(Value::Object(meta)) => meta.clone(),
        _ => Object::default(),
    };
    meta.set(name, Value::Object(value));
    canonical::to_text(&Value::Object(meta)).into_bytes()
}

/// A value's own bytes; of what has no span of its own, the same value.
pub(super) fn as_sent(page: &Answer, value: &Value) -> Vec<u8> {
    match value {
        Value::Object(object) => page.source[object.span()].to_vec(),
        other => canonical::to_text(other).into_bytes(),
    }
}

/// An object with the mark in its `_meta`.
pub(super) fn marked(value: &Value) -> Vec<u8> {
    let mut object = value.as_object().cloned().unwrap_or_default();
    let mut meta = match object.get("_meta") {
        Some(Value::Object(meta)) => meta.clone(),
        _ => Object::default(),
    };
    meta.set(MARK, Value::Bool(true));
    object.set("_meta", Value::Object(meta));
    canonical::to_text(&Value::Object(object)).into_bytes()
}

/// An accepted definition as an element of a list; `None` for one that readers disagree on.
fn accepted(item: &Item) -> Option<Vec<u8>> {
    match &*item.definition {
        Definition::Canonical(canonical) => Some(canonical.text().as_bytes().to_vec()),
        Definition::Raw { .. } => None,
    }
}

/// The name that an element bears: of duplicates the last, as [`Item::key`] has it.
fn name_of(kind: Kind, element: &Value) -> Option<&str> {
    let members = element.as_object()?.iter();
    let names = members.filter(|(name, _)| *name == kind.name_member());
    names.last()?.1.as_str()
}
