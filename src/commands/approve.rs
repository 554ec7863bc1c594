//! `approve`: the calls that a guard holds; shows one of them and lets it through, once. It contacts no server.

use super::world::World;
use super::{Output, git};
use crate::cli;
use crate::model::Problem;
use crate::render::{self, Format, cap, escape};
use crate::store::HeldRecord;
use crate::term;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) fn run(world: &World, args: &cli::Approve) -> Result<Output, Problem> {
    let store = world.store()?;
    let held = store.held()?;
    // They let nothing through; whoever looks for a call in vain has to know of them.
    let mut damaged = String::new();
    for error in store.damaged_held()? {
        let problem = Problem::from(error);
        let hint = problem.hint.unwrap_or_default();
        for (word, text) in [("warning", &problem.message), ("hint", &hint)] {
            // Writing to a string cannot fail.
            let _ = writeln!(damaged, "{word}: {}", escape::line(text));
        }
    }
    let Some(prefix) = &args.id else {
        return Ok(said(
            match world.common.format {
                Format::Json => render::document(&json!({
                    "held": held.iter().map(document).collect::<Vec<_>>(),
                })),
                _ => list(&held),
            },
            damaged,
        ));
    };
    let mut fitting = held
        .iter()
        .filter(|record| record.id.starts_with(prefix.as_str()));
    let record = match (fitting.next(), fitting.next()) {
        (Some(record), None) if !prefix.is_empty() => record.clone(),
        (Some(_), Some(_)) => {
            let message = format!("`{prefix}` is the beginning of more than one held call's id");
            return Err(Problem::new("usage", message).with_hint("countersign approve"));
        }
        _ => {
            let message = format!(
                "no call is held under `{prefix}`: it was used up, or its tool has changed since"
            );
            return Err(Problem::new("usage", message).with_hint("countersign approve"));
        }
    };
    let record = if args.show {
        record
    } else {
        let by = match &args.by {
            Some(by) => by.clone(),
            None => git::identity(&world.cwd)?,
        };
        let approved = store.approve(&record.id, &by, &world.now())?;
        approved.ok_or_else(|| {
            Problem::new("usage", format!("`{}` is no longer held", record.id))
                .with_hint("countersign approve")
        })?
    };
    Ok(said(
        match world.common.format {
            Format::Json => render::document(&document(&record)),
            _ => show(&record, args.show),
        },
        damaged,
    ))
}

fn said(stdout: String, stderr: String) -> Output {
    Output {
        stdout,
        stderr,
        status: 0,
    }
}

fn list(held: &[HeldRecord]) -> String {
    if held.is_empty() {
        return "no call is held\n".to_owned();
    }
    let rows: Vec<Vec<String>> = held
        .iter()
        .map(|record| {
            let call = &record.call;
            let state = match &record.approved {
                Some((by, _)) => format!("approved by {by}"),
                None => "waits".to_owned(),
            };
            let item = format!(
                "{}/{}:{}",
                call.server.as_str(),
                call.item.kind.word(),
                call.item.name.as_str()
            );
            let arguments: String = call.shown_arguments.chars().take(60).collect();
            let is_cut = arguments.len() < record.arguments_bytes;
            let arguments = if is_cut {
                format!("{arguments}…")
            } else {
                arguments
            };
            vec![
                record.id.clone(),
                item,
                arguments,
                call.asked_by.clone(),
                record.last.clone(),
                state,
            ]
        })
        .collect();
    let headers = ["id", "item", "arguments", "asked by", "last asked", "state"];
    format!(
        "{}\ncountersign approve ID shows one of them and lets it through, once\n",
        render::table(&headers, &rows, term::table_width())
    )
}

fn show(record: &HeldRecord, only_show: bool) -> String {
    let call = &record.call;
    let mut out = String::new();
    let mut line = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name:<12}{}", escape::short(value));
    };
    line("server", call.server.as_str());
    line(call.item.kind.word(), call.item.name.as_str());
    line("definition", &call.definition.to_string());
    line("why", &call.why);
    line("asked by", &call.asked_by);
    line("first asked", &record.first);
    line("last asked", &record.last);
    let (shown, _) = cap::cut(&call.shown_arguments);
    let hidden = record.arguments_bytes.saturating_sub(shown.len());
    out.push_str("arguments\n");
    for part in escape::block(shown) {
        let _ = writeln!(out, "    {part}");
    }
    if hidden > 0 {
        let _ = writeln!(out, "    [{hidden} bytes more are not shown]");
    }
    let _ = match (&record.approved, only_show) {
        (Some((by, at)), true) => writeln!(out, "\napproved by {}, {at}", escape::short(by)),
        (_, true) => writeln!(out, "\nnot approved: countersign approve {}", record.id),
        (_, false) => writeln!(
            out,
            "\napproved: the next call of this {} with these arguments passes, once. The definition stays under review",
            call.item.kind.word()
        ),
    };
    out
}

fn document(record: &HeldRecord) -> Value {
    let call = &record.call;
    let (arguments, _) = cap::cut(&call.shown_arguments);
    json!({
        "id": record.id,
        "server": call.server.as_str(),
        "kind": call.item.kind.word(),
        "name": call.item.name.as_str(),
        "definition": call.definition.to_string(),
        "arguments": arguments,
        "hidden": record.arguments_bytes.saturating_sub(arguments.len()),
        "askedBy": call.asked_by,
        "why": call.why,
        "first": record.first,
        "last": record.last,
        "approved": record.approved.as_ref().map(|(by, at)| json!({ "by": by, "at": at })),
    })
}
