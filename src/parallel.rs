//! The same work on many things, side by side, with the answers in their order.
//!
//! What comes out never depends on how many threads there were. Where none is to be had, the work is done here.

use std::hint::black_box;
use std::io;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::thread::{Builder, Scope, ScopedJoinHandle, available_parallelism, scope};

/// The stack of a thread, in bytes. Deeply nested definitions are walked recursively;
/// [`crate::json::Limits::MAX_DEPTH`] levels fit.
pub const STACK: usize = 256 << 20;

/// With fewer things for each, threads cost more than they save.
const SHARE: usize = 64;
/// The same for things that each are much work, such as a server.
const LARGE_SHARE: usize = 4;

/// How much memory a thread begins with, in bytes. Nothing of it is used before something is put there.
pub const ROOM: usize = 1 << 20;
/// The same where much is to be done.
pub const LARGE_ROOM: usize = 8 << 20;

/// At most so many work: memory is touched more than computed with.
const MOST: usize = 8;

/// What `work` makes of each thing.
pub fn map<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    in_shares(things, SHARE, work)
}

/// The same for things that each are much work.
pub fn map_large<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    in_shares(things, LARGE_SHARE, work)
}

/// Has the allocator take the memory of this thread from the system in one piece, and keep what is given back. glibc
/// asks for what a thread needs page by page otherwise, with a call for each, and gives it back as often.
pub fn make_room(bytes: usize) {
    // The first is so large that it comes from the system alone. Once it is given back, what is smaller is kept.
    for bytes in [2 * bytes, bytes] {
        drop(black_box(Vec::<u8>::with_capacity(bytes)));
    }
}

fn in_shares<T: Sync, R: Send>(
    things: &[T],
    share: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    in_parts(things, threads(things.len() / share), work)
}

/// How many threads are worth having for so many things.
pub fn threads(things: usize) -> usize {
    // Where one is enough, the system is not asked.
    if things < 2 {
        1
    } else {
        processors().min(things)
    }
}

/// How many may work at once. The system is asked once: on Linux that takes the reading of several files.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| available_parallelism().map_or(1, NonZero::get).min(MOST))
}

fn in_parts<T: Sync, R: Send>(things: &[T], parts: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let all = |part: &[T]| part.iter().map(&work).collect::<Vec<R>>();
    if parts < 2 {
        return all(things);
    }
    let (first, rest) = things.split_at(things.len() / parts);
    scope(|scope| {
        let others = rest.chunks(rest.len().div_ceil(parts - 1).max(1));
        let workers: Vec<_> = others
            .map(|part| (part, begin(scope, move || all(part))))
            .collect();
        let mut found = all(first);
        for (part, worker) in workers {
            found.extend(end(worker, || all(part)));
        }
        found
    })
}

/// Two things at once.
pub fn both<A: Send, B>(one: impl Fn() -> A + Sync, other: impl FnOnce() -> B) -> (A, B) {
    scope(|scope| {
        let worker = begin(scope, &one);
        let second = other();
        (end(worker, &one), second)
    })
}

fn begin<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> R + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, R>> {
    Builder::new().stack_size(STACK).spawn_scoped(scope, || {
        make_room(ROOM);
        work()
    })
}

/// What a thread found, or what is found without it if there was none.
fn end<R>(worker: io::Result<ScopedJoinHandle<'_, R>>, work: impl FnOnce() -> R) -> R {
    match worker {
        Ok(worker) => worker.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stand_in_the_order_of_the_things_however_many_threads_there_are() {
        for count in [0, 1, 2, 7, 100] {
            let things: Vec<usize> = (0..count).collect();
            let doubled: Vec<usize> = things.iter().map(|thing| 2 * thing).collect();
            for parts in 0..10 {
                assert_eq!(in_parts(&things, parts, |thing| 2 * thing), doubled);
            }
            assert_eq!(map(&things, |thing| 2 * thing), doubled);
            assert_eq!(map_large(&things, |thing| 2 * thing), doubled);
        }
        assert_eq!(both(|| 1, || "two"), (1, "two"));
    }

    #[test]
    fn a_failure_inside_is_not_lost() {
        let things = [1, 2, 3, 4];
        let failed = std::panic::catch_unwind(|| {
            in_parts(&things, 4, |thing| assert!(*thing < 4, "no such thing"))
        });
        assert!(failed.is_err());
    }
}
