//! Every operation on files fails once: the n-th open, write, fsync, truncate or rename of a command, for every n up to its
//! end, alone or with all that follow (`faults.c`). No command may claim a success that is none, leave a file that cannot be
//! read, or lose what was there before.
//!
//! After the fault injection of SQLite ("How SQLite is tested", section 3).
#![cfg(target_os = "linux")]

use crate::common::{Folder, errors, example};
use flexura_results::ResultFile;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const NO_SPACE: &str = "28";
const INPUT_OUTPUT: &str = "5";

/// The library that makes operations fail, compiled once.
pub fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results/faults.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults.so");
        let mut compiler = Command::new("cc");
        compiler
            .args(["-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE", "-o"])
            .arg(&library)
            .arg(source)
            .arg("-ldl");
        assert!(compiler.status().expect("a C compiler").success());
        library
    })
}

/// What a command did with operation `at` failing; and whether it came that far.
fn with_fault(folder: &Folder, arguments: &[&str], at: usize, lasting: bool) -> (Output, Option<String>) {
    let log =
        folder.file("../").join(format!("{}.log", folder.path().file_name().unwrap().to_string_lossy()));
    let _ = std::fs::remove_file(&log);
    let whole = folder.path().canonicalize().expect("a folder");
    let mut command = folder.command(arguments);
    command.env("LD_PRELOAD", library()).env("FAULT_FOLDER", whole).env("FAULT_AT", at.to_string());
    command.env("FAULT_ERROR", if lasting { NO_SPACE } else { INPUT_OUTPUT });
    command.env("FAULT_LASTS", if lasting { "1" } else { "0" }).env("FAULT_LOG", &log);
    let output = command.output().expect("the program starts");
    let hit = std::fs::read_to_string(&log).ok();
    let _ = std::fs::remove_file(&log);
    (output, hit)
}

/// Runs a command with each of its operations failing, in a fresh folder every time; `judge` gets the folder, whether the
/// command reported success, and what it did. Returns how many operations there were.
fn fail_each(
    arguments: &[&str],
    prepare: &dyn Fn(&Folder),
    judge: &mut dyn FnMut(&Folder, bool, &str),
) -> usize {
    for lasting in [false, true] {
        for at in 1.. {
            let folder = Folder::in_memory();
            prepare(&folder);
            let (output, hit) = with_fault(&folder, arguments, at, lasting);
            let text = errors(&output);
            let Some(hit) = hit else {
                assert!(output.status.success(), "{text}");
                if lasting {
                    return at - 1;
                }
                break;
            };
            let story = format!("{arguments:?}, operation {} fails (lasting: {lasting}): {text}", hit.trim());
            assert!(!text.contains("panicked") && output.status.code().is_some(), "{story}");
            let success = output.status.success();
            assert!(success || text.contains("error"), "a failure without a word: {story}");
            judge(&folder, success, &story);
            assert!(at < 2000, "endless");
        }
    }
    unreachable!()
}

fn bytes(folder: &Folder, name: &str) -> Option<Vec<u8>> {
    std::fs::read(folder.file(name)).ok()
}

/// Half-written files that are still there.
fn leftovers(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".new") || name.ends_with(".tmp")).collect()
}

/// The angle in a result, which must be readable whatever became of the run.
fn angles(folder: &Folder, name: &str, story: &str) -> (Vec<f64>, bool) {
    let result = ResultFile::open(folder.file(name)).unwrap_or_else(|error| panic!("{error} after {story}"));
    (result.channel("hinge.angle").expect("a channel"), result.complete())
}

#[test]
fn a_run_never_loses_rows_or_an_earlier_checkpoint() {
    let pendulum = example("pendulum");
    let run = ["run", &pendulum, "-q", "--end", "0.12", "-o", "p.fxr"];
    let kept = ["--checkpoint", "p.checkpoint", "--checkpoint-interval", "0"];
    let reference = Folder::new();
    reference.succeed(&run);
    let (whole, _) = angles(&reference, "p.fxr", "no fault");
    // A run over an earlier, shorter one.
    let earlier = ["run", &pendulum, "-q", "--end", "0.05", "-o", "p.fxr"];
    let template = Folder::new();
    template.succeed(&[&earlier[..], &kept[..]].concat());
    let prepare = |folder: &Folder| {
        for name in ["p.fxr", "p.checkpoint"] {
            std::fs::copy(template.file(name), folder.file(name)).expect("a copied file");
        }
    };
    let (mut failures, arguments) = (0, [&run[..], &kept[..]].concat());
    let operations = fail_each(&arguments, &prepare, &mut |folder, success, story| {
        let (found, complete) = angles(folder, "p.fxr", story);
        let untouched = bytes(folder, "p.fxr") == bytes(&template, "p.fxr");
        let beginning = found.len() <= whole.len() && found == whole[..found.len()];
        assert!(untouched || beginning, "other rows after {story}");
        assert!(!success || (complete && found.len() == whole.len()), "a false success: {story}");
        let checkpoint =
            bytes(folder, "p.checkpoint").unwrap_or_else(|| panic!("no checkpoint after {story}"));
        assert!(checkpoint.starts_with(b"FLEXURA CHECKPOINT") && checkpoint.len() > 100, "{story}");
        assert_eq!(leftovers(folder), Vec::<String>::new(), "{story}");
        failures += usize::from(!success);
    });
    println!("run: {operations} operations, {failures} failures");
    assert!(operations > 10 && failures > operations / 2);
}

#[test]
fn exports_figures_and_bodies_are_old_or_new_but_whole() {
    let made = Folder::new();
    made.succeed(&["run", &example("pendulum"), "-q", "--end", "0.3", "-o", "p.fxr"]);
    std::fs::copy(example("parts/boom"), made.file("boom.toml")).expect("a part");
    let commands: [(&str, &[&str], &str); 5] = [
        ("p.csv", &["export", "p.fxr", "-o", "p.csv"], "p.fxr"),
        ("p.parquet", &["export", "p.fxr", "-o", "p.parquet"], "p.fxr"),
        ("p.svg", &["plot", "p.fxr", "hinge.angle", "-o", "p.svg"], "p.fxr"),
        ("p.html", &["view", "p.fxr", "--save", "p.html"], "p.fxr"),
        ("boom.fxb", &["reduce", "boom.toml", "-o", "boom.fxb", "--no-cache"], "boom.toml"),
    ];
    for (name, arguments, input) in commands {
        let reference = Folder::new();
        std::fs::copy(made.file(input), reference.file(input)).expect("a copied file");
        reference.succeed(arguments);
        let (old, new) = (b"what was there before".to_vec(), bytes(&reference, name).expect("a file"));
        let prepare = |folder: &Folder| {
            std::fs::copy(made.file(input), folder.file(input)).expect("a copied file");
            std::fs::write(folder.file(name), &old).expect("a written file");
        };
        let mut failures = 0;
        let operations = fail_each(arguments, &prepare, &mut |folder, success, story| {
            let found = bytes(folder, name).unwrap_or_else(|| panic!("{name} is gone after {story}"));
            assert!(found == new || found == old, "{name} is neither old nor new after {story}");
            assert!(!success || found == new, "a false success: {story}");
            assert_eq!(leftovers(folder), Vec::<String>::new(), "{story}");
            assert_eq!(bytes(folder, input), bytes(&made, input), "{story}");
            failures += usize::from(!success);
        });
        println!("{name}: {operations} operations, {failures} failures");
        assert!(
            operations >= 3 && failures >= operations,
            "{name}: {operations} operations, {failures} failures"
        );
    }
}

/// Whatever fails, the same command finishes the sweep later, with the table of an undisturbed one.
#[test]
fn a_sweep_goes_on_after_any_fault() {
    let pendulum = example("pendulum");
    let arguments = [
        "sweep",
        &pendulum,
        "--set",
        "rod.mass=1,2,3",
        "--channels",
        "hinge.angle",
        "-o",
        "study",
        "-q",
        "-j",
        "1",
    ];
    let reference = Folder::new();
    reference.succeed(&arguments);
    let table = bytes(&reference, "study/summary.csv").expect("a table");
    let mut failures = 0;
    let operations = fail_each(&arguments, &|_| {}, &mut |folder, success, story| {
        if success {
            assert_eq!(bytes(folder, "study/summary.csv").as_ref(), Some(&table), "a false success: {story}");
        } else {
            failures += 1;
            let output = folder.flexura(&arguments);
            assert!(output.status.success(), "{} after {story}", errors(&output));
            assert_eq!(bytes(folder, "study/summary.csv").as_ref(), Some(&table), "{story}");
        }
    });
    println!("sweep: {operations} operations, {failures} failures");
    assert!(operations > 5 && failures > operations / 2);
}

/// Where there is no memory a program of Rust ends at once: what was written before must be whole all the same.
#[test]
fn a_run_without_memory_leaves_readable_files() {
    let pendulum = example("pendulum");
    let arguments = [
        "run",
        &pendulum,
        "-q",
        "--end",
        "0.12",
        "-o",
        "p.fxr",
        "--checkpoint",
        "p.checkpoint",
        "--checkpoint-interval",
        "0",
    ];
    let reference = Folder::new();
    reference.succeed(&arguments);
    let (whole, _) = angles(&reference, "p.fxr", "no fault");
    let run = |folder: &Folder, at: usize| {
        let mut command = folder.command(&arguments);
        command.env("LD_PRELOAD", library()).env("FAULT_MEMORY", at.to_string());
        command.env("FAULT_LOG", folder.file("log")).output().expect("the program starts")
    };
    let counted = Folder::in_memory();
    assert!(run(&counted, 0).status.success());
    let log = std::fs::read_to_string(counted.file("log")).expect("a count");
    let total: usize = log.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
    let (mut ended, step) = (0, total / 60);
    // The first ones are those of the loader of programs.
    for at in (step..total).step_by(step) {
        let folder = Folder::in_memory();
        for name in ["p.fxr", "p.checkpoint"] {
            std::fs::copy(reference.file(name), folder.file(name)).expect("a copied file");
        }
        let output = run(&folder, at);
        let story = format!("allocation {at} of {total} fails: {}", errors(&output));
        let (found, complete) = angles(&folder, "p.fxr", &story);
        assert!(found.len() <= whole.len() && found == whole[..found.len()], "other rows after {story}");
        assert!(
            !output.status.success() || (complete && found.len() == whole.len()),
            "a false success: {story}"
        );
        let checkpoint = bytes(&folder, "p.checkpoint").unwrap_or_default();
        assert!(flexura_output::checkpoint_file::from_bytes(&checkpoint).is_ok(), "{story}");
        if !output.status.success() {
            // Of our own allocations, or of one that the C library makes for us.
            let said = ["memory allocation of", "out of memory"].iter().any(|words| story.contains(words));
            assert!(said, "an end without a reason: {story}");
            ended += 1;
        }
    }
    println!("{total} allocations, {ended} ends");
    assert!(ended > 20, "only {ended} of 60 ends");
}
