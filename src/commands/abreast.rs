//! Looks at many servers at once, on as many threads as there are processors.
//!
//! Each thread waits for the servers that it took with a runtime of its own. Where there is one server, or one
//! processor, no thread is started.

use super::check::{self, Look, Observation};
use super::credential::Credentials;
use crate::model::{Endpoint, SpecState};
use crate::parallel;
use crate::term::Progress;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::{JoinSet, LocalSet};

/// Looks that are still to be taken, each with its place among all.
type Looks = VecDeque<(usize, Look)>;
/// Where what was seen goes.
type Seen = UnboundedSender<(usize, Observation)>;

/// What is common to all threads.
struct Work {
    looks: Mutex<Looks>,
    /// How many servers are looked at at once.
    jobs: usize,
    places: Semaphore,
    progress: Arc<Progress>,
}

/// What one thread has for itself.
#[derive(Default)]
struct Own {
    looks: RefCell<Looks>,
    /// Of the run. They are asked for one after the other, by one thread.
    credentials: Option<Rc<Credentials>>,
}

/// Takes all looks, so many at a time, and answers in the order in which they came.
pub(super) async fn all(
    looks: Vec<Look>,
    jobs: usize,
    credentials: Rc<Credentials>,
    progress: &Arc<Progress>,
) -> Vec<Observation> {
    let looks = looks.into_iter().enumerate();
    let (own, looks): (Looks, Looks) = looks.partition(|(_, look)| may_be_shown_who_asks(look));
    let threads = parallel::threads(looks.len().min(jobs));
    let work = Arc::new(Work {
        jobs: jobs.min(own.len() + looks.len()),
        looks: Mutex::new(looks),
        places: Semaphore::new(jobs),
        progress: Arc::clone(progress),
    });
    let own = Own {
        looks: RefCell::new(own),
        credentials: Some(credentials),
    };
    let (seen, mut all) = unbounded_channel();
    let others: Vec<Other> = (1..threads)
        .filter_map(|_| Other::begin(&work, &seen))
        .collect();
    if !others.is_empty() {
        parallel::make_room(parallel::LARGE_ROOM);
    }
    work_through(&work, own, seen).await;
    let mut done = Vec::new();
    while let Some(one) = all.recv().await {
        done.push(one);
    }
    for other in others {
        other.end();
    }
    done.sort_by_key(|(index, _)| *index);
    done.into_iter()
        .map(|(_, observation)| observation)
        .collect()
}

fn may_be_shown_who_asks(look: &Look) -> bool {
    matches!(look.spec.state, SpecState::Ready(Endpoint::Http { .. }))
}

/// Takes looks until none is left, as many at a time as there are places.
async fn work_through(work: &Arc<Work>, own: Own, seen: Seen) {
    let own = Rc::new(own);
    let (local, mut running) = (LocalSet::new(), JoinSet::new());
    for _ in 0..work.jobs {
        let turns = take_turns(Arc::clone(work), Rc::clone(&own), seen.clone());
        running.spawn_local_on(turns, &local);
    }
    drop(seen);
    local
        .run_until(async {
            while let Some(joined) = running.join_next().await {
                if let Err(error) = joined
                    && error.is_panic()
                {
                    resume_unwind(error.into_panic());
                }
            }
        })
        .await;
}

async fn take_turns(work: Arc<Work>, own: Rc<Own>, seen: Seen) {
    loop {
        // The semaphore is never closed.
        let _place = work.places.acquire().await;
        let next = own.looks.borrow_mut().pop_front();
        let next = next.or_else(|| {
            let mut looks = work.looks.lock().unwrap_or_else(PoisonError::into_inner);
            looks.pop_front()
        });
        let Some((index, look)) = next else {
            return;
        };
        let observation = check::take(look, own.credentials.as_deref(), &work.progress).await;
        // Nobody waits for it any more where the run is ended.
        let _ = seen.send((index, observation));
    }
}

/// Another thread. It ends with its owner, and with it the servers that it looks at.
struct Other {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Other {
    /// `None` if there is none to be had: then the work is done without it.
    fn begin(work: &Arc<Work>, seen: &Seen) -> Option<Self> {
        let (work, seen) = (Arc::clone(work), seen.clone());
        let (stop, stopped) = oneshot::channel();
        let thread = Builder::new().stack_size(parallel::STACK).spawn(move || {
            parallel::make_room(parallel::LARGE_ROOM);
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            if let Ok(runtime) = runtime {
                runtime.block_on(async {
                    tokio::select! {
                        biased;
                        _ = stopped => {}
                        () = work_through(&work, Own::default(), seen) => {}
                    }
                });
            }
        });
        Some(Self {
            stop: Some(stop),
            thread: Some(thread.ok()?),
        })
    }

    /// Waits for its end. A failure inside is not lost.
    fn end(mut self) {
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // Whatever it has to say, nobody waits for.
            let _ = thread.join();
        }
    }
}
