//! The MCP talk: from a way to reach a server to everything that it offers.
//!
//! A capture is complete or there is none. Nothing that a server offers is ever called, and nothing that it asks
//! for is ever done.

mod hello;
mod list;
mod listen;
mod message;
mod options;
mod recall;
mod session;
mod standing;
mod trouble;

pub use hello::revisions;
pub use options::{Bounds, CaCerts, Direction, Options, Profile, Trace};
pub use standing::{Standing, Told};

use crate::capture::{Answer, Capture, Era, Hello, Taking};
use crate::json::Value;
use crate::model::{Endpoint, Kind, Problem, Warning};
use crate::secret::Secrets;
use list::Listing;
use session::{Reply, Session};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use trouble::Trouble;

/// How often a session that the server has forgotten is begun anew.
const SESSIONS: usize = 3;

/// Asks a server for everything that it offers.
///
/// `expected_tools` are the tools that it is known to have: a listing that lacks one of them is asked for again
/// before it is believed. `progress` gets a few words now and then. Dropping the future ends the server.
///
/// # Errors
/// A [`Problem`] that says what could not be done; secrets are out of it. Its kind is `start`, `ended`,
/// `timeout`, `connect`, `auth`, `http`, `protocol`, `limit`, `unstable`, `config`, `usage` or `file`.
pub async fn capture(
    endpoint: &Endpoint,
    secrets: &Secrets,
    expected_tools: &BTreeSet<String>,
    options: &Options,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Capture, Problem> {
    if let Endpoint::File(path) = endpoint {
        return from_file(path, &options.bounds);
    }
    let mut session = Session::new(endpoint, secrets, options);
    match talk(&mut session, expected_tools, progress).await {
        Ok(mut capture) => {
            capture.warnings.extend(session.close().await);
            Ok(capture)
        }
        Err(trouble) => Err(session.fail(trouble).await),
    }
}

/// Captures, and sends further requests in the same talk. For the conformance suite alone, which looks at what a
/// client makes of a tool: no command asks for more than lists.
///
/// # Errors
/// As [`capture`]; also a request that is not answered, or with an error.
#[doc(hidden)]
pub async fn capture_and_ask(
    endpoint: &Endpoint,
    options: &Options,
    requests: impl FnOnce(&Capture) -> Vec<(String, serde_json::Map<String, serde_json::Value>)>,
) -> Result<Capture, Problem> {
    let mut session = Session::new(endpoint, &Secrets::default(), options);
    let outcome = async {
        let capture = talk(&mut session, &BTreeSet::new(), &|_: &str| {}).await?;
        for (method, params) in requests(&capture) {
            if let Reply::Error(error) = session.call(&method, params, options.timeout).await? {
                return Err(Trouble::Rpc(error).at(format!("`{method}` failed")));
            }
        }
        Ok(capture)
    };
    match outcome.await {
        Ok(capture) => {
            session.close().await;
            Ok(capture)
        }
        Err(trouble) => Err(session.fail(trouble).await),
    }
}

fn from_file(path: &Path, bounds: &Bounds) -> Result<Capture, Problem> {
    let name = path.display();
    let bound = bounds.listing_bytes;
    let mut source = Vec::new();
    File::open(path)
        .and_then(|file| file.take(bound as u64 + 1).read_to_end(&mut source))
        .map_err(|error| Problem::new("file", format!("cannot read `{name}`: {error}")))?;
    if source.len() > bound {
        return Err(Problem::new(
            "limit",
            format!("`{name}` is larger than {bound} bytes (--max-listing)"),
        ));
    }
    Capture::from_file(source, bounds.limits())
        .map_err(|error| Problem::new("file", format!("cannot read `{name}`: {error}")))
}

async fn talk(
    session: &mut Session<'_>,
    expected: &BTreeSet<String>,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Capture, Trouble> {
    progress("starting");
    let mut hello = session.greet().await?;
    list(session, &mut hello, expected, progress).await
}

/// Everything that is offered, in a talk that has begun. A session that the server has forgotten is begun anew, with
/// another hello, and listened to before it is asked where it lasts.
async fn list(
    session: &mut Session<'_>,
    hello: &mut Hello,
    expected: &BTreeSet<String>,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Capture, Trouble> {
    let mut left = SESSIONS;
    loop {
        let kinds: Vec<Kind> = Kind::LISTED
            .into_iter()
            .filter(|kind| *kind == Kind::Tool || announces(hello, *kind))
            .collect();
        session.announces_tools = announces(hello, Kind::Tool);
        left -= 1;
        match session.list_all(&kinds, expected, progress).await {
            Ok(lists) => return Ok(finish(session, hello.clone(), lists)),
            Err(trouble) if trouble.is_lost_session() && left > 0 => {
                session.transport()?.forget_session();
                *hello = session.greet_again().await?;
                if session.stays {
                    session.see_to_being_told(hello).await?;
                }
            }
            Err(trouble) => return Err(trouble),
        }
    }
}

/// Whether the server says that it has that list. One that was never asked may have any.
fn announces(hello: &Hello, kind: Kind) -> bool {
    let (Hello::Initialize(answer) | Hello::Discover(answer)) = hello else {
        return true;
    };
    let capability = match kind {
        Kind::Template => Kind::Resource,
        other => other,
    };
    answer
        .result()
        .get("capabilities")
        .and_then(|capabilities| capabilities.get(capability.plural()))
        .is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
}

fn finish(session: &mut Session<'_>, hello: Hello, lists: BTreeMap<Kind, Listing>) -> Capture {
    let mut warnings = std::mem::take(&mut session.warnings);
    let (name, version) = &session.options.client_info;
    let mut taking = Taking {
        transport: session
            .transport()
            .map(|transport| transport.word().to_owned())
            .unwrap_or_default(),
        era: Some(session.era),
        revision: session
            .secrets()
            .redact(session.revision.as_deref().unwrap_or_default()),
        profile: session.options.profile.name().to_owned(),
        client: format!("{name}/{version}"),
        ..Taking::default()
    };
    if !session.announces_tools {
        let offered = lists.get(&Kind::Tool).is_some_and(|tools| tools.is_offered);
        warnings.push(Warning::new(
            "no-tools-capability",
            if offered {
                "no tools capability is announced, and tools are listed all the same"
            } else {
                "no tools capability is announced, and there are no tools"
            },
        ));
    }
    // A kind that is not announced is known to be empty.
    let mut pages: BTreeMap<Kind, Vec<Answer>> = Kind::LISTED.map(|kind| (kind, Vec::new())).into();
    for (kind, listing) in lists {
        if session.era == Era::Modern {
            let (ttl, scope) = listing.cache();
            let secrets = session.secrets();
            // A number with a name in it would be none.
            let ttl = ttl.filter(|ttl| secrets.redact(ttl) == *ttl);
            let scope = scope.map(|scope| secrets.redact(&scope));
            taking.cache.insert(kind, (ttl, scope));
            if listing.mixes_cache_scopes() {
                warnings.push(Warning::new(
                    "cache-scope-differs",
                    format!("the pages of {} name different cache scopes", kind.plural()),
                ));
            }
        }
        if listing.is_offered {
            taking.pages.insert(kind, listing.pages.len());
        }
        pages.insert(kind, listing.pages);
    }
    Capture {
        hello,
        lists: pages,
        taking,
        warnings,
    }
}
