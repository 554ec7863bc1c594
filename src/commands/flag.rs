//! `flag`: asks for a full review of a server. It stands in the server's history until somebody has reviewed it.

use super::world::World;
use super::{Output, kept, record};
use crate::cli;
use crate::model::{Problem, ServerName};
use crate::policy;
use crate::render::{self, Format};
use crate::store::{Event, What};

pub(super) fn run(world: &World, args: &cli::Flag) -> Result<Output, Problem> {
    let lockfile = world.need_lockfile()?;
    let name = ServerName::new(args.server.as_str());
    let Some(locked) = lockfile.servers.get(&name) else {
        let message = format!("the lockfile holds no server `{}`", args.server);
        return Err(Problem::new("usage", message).with_hint("countersign servers"));
    };
    let store = world.store()?;
    let twins = record::Twins::of(Some(&lockfile), &[]);
    let Some(kept) = kept::kept(world, &store, &twins, Some(&lockfile), &name)?
        .into_iter()
        .next()
    else {
        return Err(Problem::new(
            "store",
            format!("nothing is kept of `{}`", args.server),
        ));
    };
    let (reason, note) = (args.reason.word(), args.note.clone().unwrap_or_default());
    kept.lock()?.append(Event {
        at: world.now_after(policy::last_review(locked, &world.today())),
        what: What::Flagged {
            reason: reason.to_owned(),
            note: note.clone(),
        },
    })?;
    let stdout = if world.common.format == Format::Json {
        render::document(&serde_json::json!({
            "flag": 1, "server": name.as_str(), "reason": reason, "note": note,
        }))
    } else {
        let shown = render::escape::name(name.as_str());
        format!(
            "flagged {shown} ({reason}): it is due for a review on this machine, until `countersign ack {shown}` records one, once nothing of it waits\n"
        )
    };
    Ok(Output {
        stdout,
        stderr: String::new(),
        status: 0,
    })
}
