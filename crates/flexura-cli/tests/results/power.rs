//! The power goes: every operation on files of a run with checkpoints is recorded (`faults.c`), and the disk is put together as it may
//! be after each of them. What was not synced may be there, may be missing, or may have left only its name and length.
//!
//! At every such moment the result must be readable up to some row, and a checkpoint that is there must be whole and have
//! its rows in the result: a run can go on.
#![cfg(target_os = "linux")]

use crate::common::{Folder, example};
use crate::faults::library;
use flexura_output::checkpoint_file;
use flexura_results::ResultFile;
use std::collections::BTreeMap;

/// What the disk was told.
#[derive(Debug)]
enum Operation {
    Open { file: usize, empties: bool, name: String },
    Write { file: usize, at: usize, bytes: Vec<u8> },
    Truncate { file: usize, length: usize },
    Sync { file: usize },
    SyncFolder,
    Rename { from: String, to: String },
}

/// What becomes of everything that was not synced.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// It is there.
    Kept,
    /// It never was.
    Lost,
    /// Names and lengths are there, the bytes are zeros.
    Hollow,
}

/// Content of one file: as it is, and what a sync made last.
#[derive(Clone, Default)]
struct Content {
    now: Vec<u8>,
    synced: Vec<u8>,
}

/// A disk with its names, as they are and as a sync of the folder made them last.
#[derive(Default)]
struct Disk {
    contents: Vec<Content>,
    names: BTreeMap<String, usize>,
    synced_names: BTreeMap<String, usize>,
    open: BTreeMap<usize, usize>,
}

impl Disk {
    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Open { file, empties, name } => {
                let known = self.names.get(name).copied().unwrap_or_else(|| {
                    self.contents.push(Content::default());
                    self.contents.len() - 1
                });
                self.names.insert(name.clone(), known);
                self.open.insert(*file, known);
                if *empties {
                    self.contents[known].now.clear();
                }
            }
            Operation::Write { file, at, bytes } => {
                let now = &mut self.contents[self.open[file]].now;
                now.resize(now.len().max(at + bytes.len()), 0);
                now[*at..at + bytes.len()].copy_from_slice(bytes);
            }
            Operation::Truncate { file, length } => self.contents[self.open[file]].now.resize(*length, 0),
            Operation::Sync { file } => {
                let place = self.open[file];
                self.contents[place].synced = self.contents[place].now.clone();
                // A file that is synced can be found again, where it had its name by then.
                for (name, known) in &self.names {
                    if *known == place && !self.synced_names.contains_key(name) {
                        self.synced_names.insert(name.clone(), place);
                    }
                }
            }
            Operation::SyncFolder => self.synced_names = self.names.clone(),
            Operation::Rename { from, to } => {
                if let Some(place) = self.names.remove(from) {
                    self.names.insert(to.clone(), place);
                }
            }
        }
    }

    /// What a file holds after the power came back.
    fn after(&self, name: &str, fate: Fate) -> Option<Vec<u8>> {
        let names = if matches!(fate, Fate::Lost) { &self.synced_names } else { &self.names };
        let content = &self.contents[*names.get(name)?];
        Some(match fate {
            Fate::Kept => content.now.clone(),
            Fate::Lost => content.synced.clone(),
            Fate::Hollow => {
                let mut bytes = content.synced.clone();
                bytes.resize(content.now.len(), 0);
                bytes
            }
        })
    }
}

/// The operations of a record.
fn operations(bytes: &[u8]) -> Vec<Operation> {
    let (mut list, mut rest, mut source) = (Vec::new(), bytes, String::new());
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let line = std::str::from_utf8(&rest[..end]).expect("a line of words").to_owned();
        rest = &rest[end + 1..];
        let (kind, words) = line.split_once(' ').unwrap_or((&line, ""));
        let numbers: Vec<usize> = words.split(' ').map_while(|word| word.parse().ok()).collect();
        let name = || words.rsplit(' ').next().unwrap_or_default().to_owned();
        match kind {
            "open" => list.push(Operation::Open { file: numbers[0], empties: numbers[1] == 1, name: name() }),
            "write" => {
                let (bytes, after) = rest.split_at(numbers[2]);
                list.push(Operation::Write { file: numbers[0], at: numbers[1], bytes: bytes.to_vec() });
                rest = after;
            }
            "sync" => list.push(Operation::Sync { file: numbers[0] }),
            "truncate" => list.push(Operation::Truncate { file: numbers[0], length: numbers[1] }),
            "folder" => list.push(Operation::SyncFolder),
            "from" => source = name(),
            "to" => list.push(Operation::Rename { from: std::mem::take(&mut source), to: name() }),
            other => panic!("no operation: {other}"),
        }
    }
    list
}

/// The operations that a command tells its disk.
fn recorded(folder: &Folder, arguments: &[&str]) -> Vec<Operation> {
    let record = Folder::in_memory();
    let whole = folder.path().canonicalize().expect("a folder");
    let mut command = folder.command(arguments);
    command
        .env("LD_PRELOAD", library())
        .env("FAULT_FOLDER", whole)
        .env("FAULT_RECORD", record.file("record"));
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", crate::common::errors(&output));
    operations(&std::fs::read(record.file("record")).expect("a record"))
}

#[test]
fn a_run_can_go_on_after_the_power_went_at_any_moment() {
    let folder = Folder::in_memory();
    let model = example("pendulum");
    let arguments = [
        "run",
        &model,
        "-q",
        "--end",
        "0.2",
        "-o",
        "p.fxr",
        "--checkpoint",
        "p.checkpoint",
        "--checkpoint-interval",
        "0",
    ];
    let operations = recorded(&folder, &arguments);
    let whole = ResultFile::open(folder.file("p.fxr")).expect("a result").time().to_vec();
    let syncs = operations.iter().filter(|operation| matches!(operation, Operation::Sync { .. })).count();
    assert!(operations.len() > 40 && syncs > 5, "{} operations, {syncs} syncs", operations.len());
    let (mut disk, mut checkpoints, mut moments) = (Disk::default(), 0, 0);
    let scene = Folder::in_memory();
    for (number, operation) in operations.iter().enumerate() {
        disk.apply(operation);
        for fate in [Fate::Kept, Fate::Lost, Fate::Hollow] {
            let story = format!("operation {number}, what was not synced is {fate:?}");
            moments += 1;
            let rows = disk.after("p.fxr", fate).map(|bytes| {
                std::fs::write(scene.file("p.fxr"), bytes).expect("a file");
                ResultFile::open(scene.file("p.fxr")).map(|file| file.time().to_vec())
            });
            if let Some(Ok(times)) = &rows {
                assert!(
                    times.len() <= whole.len() && times[..] == whole[..times.len()],
                    "other rows: {story}"
                );
            }
            // A checkpoint that is there is whole, and its rows are in the result.
            let Some(bytes) = disk.after("p.checkpoint", fate) else { continue };
            let found = checkpoint_file::from_bytes(&bytes);
            let found = found.unwrap_or_else(|fault| panic!("{fault:?}: a checkpoint is torn: {story}"));
            let times = rows.unwrap_or_else(|| panic!("a checkpoint without a result: {story}"));
            let times = times.unwrap_or_else(|fault| panic!("{fault}: {story}"));
            let needed = found.checkpoint.rows as usize;
            assert!(
                times.len() >= needed,
                "{} rows of {needed} that the checkpoint needs: {story}",
                times.len()
            );
            checkpoints += 1;
        }
    }
    println!("{} operations, {moments} moments, {checkpoints} with a checkpoint", operations.len());
    assert!(checkpoints > 50, "{checkpoints}");
}
