//! Nothing is lost: the real program, stopped or refused at every one of its writes (by `strace`), and many of it at
//! once. The whole sweep takes minutes and writes the page:
//!
//! `COUNTERSIGN_FAULTS=all cargo test --test cli old_or_new`
//!
//! Without the variable each kind of call of each operation is met once, by one fault.

mod crowd;
mod operations;
mod state;
mod trace;

use crate::support::{Sandbox, repository};
use operations::{OPERATIONS, Operation};
use state::{Files, State};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use trace::{Ended, FAULTS, Fault, Point};

/// Whether every point is met by every fault.
fn is_whole_sweep() -> bool {
    std::env::var("COUNTERSIGN_FAULTS").is_ok_and(|wanted| wanted == "all")
}

/// What stood on the disk after the faults of one kind, in one operation.
#[derive(Default)]
struct Row {
    points: usize,
    old: usize,
    between: usize,
    new: usize,
    refused: usize,
    done: usize,
}

/// An operation, and its states without a fault.
struct Trial {
    operation: &'static Operation,
    sandbox: Sandbox,
    before: Files,
    /// What it ends with.
    after: State,
    /// What a second run makes of that.
    again: State,
    points: Vec<Point>,
}

impl Trial {
    fn new(operation: &'static Operation) -> Self {
        let sandbox = Sandbox::new();
        (operation.prepare)(&sandbox);
        let before = state::take(&sandbox);
        let (ended, points) = trace::count(&sandbox, operation);
        assert_eq!(
            ended.status,
            Some(operation.status),
            "{}: {}",
            operation.name,
            ended.said
        );
        let after = state::read(&sandbox);
        let again = if operation.is_recorded_each_time {
            assert_eq!(
                trace::plain(&sandbox, operation).status,
                Some(operation.status)
            );
            state::read(&sandbox)
        } else {
            after.clone()
        };
        Self {
            operation,
            sandbox,
            before,
            after,
            again,
            points,
        }
    }

    /// Lets a fault happen at a point, and holds what is there afterwards against what may be.
    fn meet(&self, point: &Point, fault: &Fault, row: &mut Row) {
        state::put_back(&self.sandbox, &self.before);
        let old = state::read(&self.sandbox);
        let place = format!(
            "{}, {} at {} `{}`",
            self.operation.name, fault.name, point.call, point.path
        );
        let ended = trace::inject(&self.sandbox, self.operation, point, fault);
        let place = format!(
            "{place}\nstatus {:?}\n{}\n{}",
            ended.status, ended.said, ended.log
        );
        assert!(ended.is_met, "not met: {place}");
        let found = state::read(&self.sandbox);
        for (path, content) in &found {
            let is_old = old.get(path) == Some(content);
            assert!(
                is_old || self.after.get(path) == Some(content),
                "neither the old `{path}` nor the new: {place}"
            );
        }
        let gone = old.keys().find(|path| !found.contains_key(*path));
        assert!(
            gone.is_none_or(|path| !self.after.contains_key(path)),
            "{gone:?} is gone: {place}"
        );
        self.holds(&place);
        row.points += 1;
        if found == self.after {
            row.new += 1;
        } else if found == old {
            row.old += 1;
        } else {
            row.between += 1;
        }
        let litter = state::litter(&self.sandbox);
        if fault.words.is_some() {
            assert!(litter.is_empty(), "{litter:?}: {place}");
            self.is_told(&ended, point, fault, found == self.after, &place, row);
        }
        assert!(litter.len() <= 1, "{litter:?}: {place}");
        state::grow_old(&litter);
        let rerun = trace::plain(&self.sandbox, self.operation);
        let end = state::read(&self.sandbox);
        assert!(
            end == self.after || end == self.again,
            "the next run ends elsewhere: {place}\n--- then\n{}",
            rerun.said
        );
        let statuses = [Some(self.operation.status), Some(self.operation.repeated)];
        assert!(statuses.contains(&rerun.status), "{}: {place}", rerun.said);
        self.holds(&place);
        // Litter goes with the next write to its folder, an hour later.
        for path in litter {
            let folder = path.parent().expect("a folder");
            let swept = self.sandbox.root().join("swept");
            countersign::store::atomic::write(&folder.join("swept.json"), b"{}").expect("written");
            fs::rename(folder.join("swept.json"), swept).expect("moved");
            assert!(!path.exists(), "`{}` stays: {place}", path.display());
        }
    }

    /// Histories and snapshots are whole, and so says `history --verify`.
    fn holds(&self, place: &str) {
        crate::files::verified(&self.sandbox.data());
        let lockfile = countersign::store::load(&self.sandbox.path(crate::files::LOCKFILE));
        if lockfile.is_ok_and(|lockfile| !lockfile.servers.is_empty()) {
            let verified = self.sandbox.run(&["history", "--verify"]);
            assert_eq!(verified.status, 0, "{}: {place}", verified.stdout);
        }
    }

    /// A run that was refused something ends with 2 and says of which path and why, or does it all the same.
    fn is_told(
        &self,
        ended: &Ended,
        point: &Point,
        fault: &Fault,
        is_done: bool,
        place: &str,
        row: &mut Row,
    ) {
        let words = fault.words.expect("an error");
        let statuses = [Some(2), Some(self.operation.refused)];
        if statuses.contains(&ended.status) && ended.tells(words) {
            // What fails from then on may be told of a later path, the last that was tried.
            let root = crate::support::text(self.sandbox.root());
            let path = if fault.stays { root } else { point.folder() };
            assert!(ended.tells(&path), "the path is not told: {place}");
            row.refused += 1;
        } else {
            assert!(is_done, "neither told nor done: {place}");
            assert_eq!(ended.status, Some(self.operation.status), "{place}");
            row.done += 1;
        }
    }
}

/// The points and faults of a trial that are met: all, or each kind of call once, the faults by turns.
fn chosen<'a>(trial: &'a Trial, turn: &mut usize) -> Vec<(&'a Point, &'static Fault)> {
    if is_whole_sweep() {
        let all = trial.points.iter();
        return all
            .flat_map(|point| FAULTS.iter().map(move |fault| (point, fault)))
            .collect();
    }
    let mut kinds: BTreeMap<&str, Vec<&Point>> = BTreeMap::new();
    for point in &trial.points {
        kinds.entry(&point.call).or_default().push(point);
    }
    let kinds = kinds.into_values();
    kinds
        .map(|points| {
            *turn += 1;
            // Another point of that kind, and another fault, each time.
            let point = points[*turn * 7 % points.len()];
            (point, &FAULTS[*turn % FAULTS.len()])
        })
        .collect()
}

#[test]
fn old_or_new_is_whole_whatever_happens_at_whichever_write() {
    let (mut points, mut table) = (String::new(), String::new());
    let mut turn = 0;
    let mut all = 0;
    for operation in OPERATIONS {
        let trial = Trial::new(operation);
        let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
        for (point, fault) in chosen(&trial, &mut turn) {
            let at = FAULTS.iter().position(|known| known.name == fault.name);
            let row = rows.entry(at.expect("one of them")).or_default();
            trial.meet(point, fault, row);
        }
        let calls = trace::calls(&trial.points);
        let _ = writeln!(
            points,
            "| `{}` | {} | {calls} |",
            operation.name,
            trial.points.len()
        );
        for (at, row) in &rows {
            all += row.points;
            let fault = &FAULTS[*at];
            let told = match fault.words {
                Some(_) if row.done == 0 => format!("{} refused", row.refused),
                Some(_) => format!("{} refused, {} done all the same", row.refused, row.done),
                None => "–".to_owned(),
            };
            let _ = writeln!(
                table,
                "| `{}` | {} | {} | {} | {} | {} | {told} |",
                operation.name, fault.name, row.points, row.old, row.between, row.new,
            );
        }
    }
    let crowd = crowd::table(if is_whole_sweep() { 10 } else { 1 });
    let page = repository("docs/faults.md");
    if is_whole_sweep() {
        let text = include_str!("page.md")
            .replace("{points}\n", &points)
            .replace("{faults}\n", &table)
            .replace("{crowd}\n", &crowd)
            .replace("{all}", &all.to_string());
        fs::write(&page, text).expect("written");
    }
    let committed = fs::read_to_string(&page).unwrap_or_default();
    for operation in OPERATIONS {
        for fault in FAULTS {
            let row = format!("| `{}` | {} |", operation.name, fault.name);
            assert!(
                committed.contains(&row),
                "docs/faults.md lacks `{row}`: COUNTERSIGN_FAULTS=all cargo test --test cli old_or_new"
            );
        }
    }
}
