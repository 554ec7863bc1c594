//! The calls that a guard holds, beside the changes of the items that they would use.

use super::World;
use crate::model::Problem;
use crate::report::{Held, ServerReport};
use crate::store::Store;

/// How many characters of the arguments are told; `approve --show` tells more.
const ARGUMENTS: usize = 200;

/// Adds them to what waits of a server.
pub(super) fn add(world: &World, store: &Store, server: &mut ServerReport) -> Result<(), Problem> {
    if server.changes.is_empty() {
        return Ok(());
    }
    let held = store.held_under(&world.lock)?;
    for change in &mut server.changes {
        let of_it = held.iter().filter(|record| {
            let call = &record.call;
            call.server == server.name
                && (call.item == change.key || Some(&call.item) == change.former.as_ref())
        });
        let told = of_it.map(|record| {
            let shown = &record.call.shown_arguments;
            let mut arguments: String = shown.chars().take(ARGUMENTS).collect();
            if arguments.len() < record.arguments_bytes {
                arguments.push('…');
            }
            Held {
                id: record.id.clone(),
                arguments,
                asked_by: record.call.asked_by.clone(),
                last: record.last.clone(),
            }
        });
        change.held = told.collect();
    }
    Ok(())
}
