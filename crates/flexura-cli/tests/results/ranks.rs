//! One model on several ranks: the result of one process, in several files that every reader takes for one.

use crate::common::{Folder, example, has};
use flexura_output::Scene;
use flexura_results::{ResultFile, repair};
use std::time::Duration;

const CHAIN: [&str; 4] = ["--set", "n=150", "--end", "0.01"];

fn run(folder: &Folder, more: &[&str]) -> String {
    let model = example("chain_of_many");
    folder.succeed(&[&["run", &model][..], &CHAIN, more].concat())
}

fn csv(folder: &Folder, result: &str) -> Vec<u8> {
    folder.succeed(&["export", result, "--output", "out.csv"]);
    std::fs::read(folder.file("out.csv")).expect("a table")
}

/// Verdicts that a result has for the viewer.
fn said(folder: &Folder, result: &str) -> Vec<String> {
    let file = ResultFile::open(folder.file(result)).expect("a result");
    let scene = Scene::new(file).expect("a scene");
    let found = scene.verdicts()["found"].as_array().expect("verdicts");
    let mut texts: Vec<String> = found.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

#[test]
fn ranks_write_the_result_of_one_process() {
    let folder = Folder::new();
    run(&folder, &["-q", "--output", "one.fxr"]);
    let one = csv(&folder, "one.fxr");
    for ranks in ["1", "2", "3", "4"] {
        let text = run(&folder, &["--ranks", ranks, "--output", "many.fxr"]);
        assert!(text.contains(&format!("ranks: {ranks}")), "{text}");
        assert_eq!(csv(&folder, "many.fxr"), one, "{ranks} ranks");
        assert!(
            folder.file(&format!("many.rank{}.fxr", ranks.parse::<usize>().expect("a number") - 1)).exists()
        );
    }
    let (whole, index) = (folder.file("one.fxr"), folder.file("many.fxr"));
    let (whole, index) =
        (ResultFile::open(whole).expect("a result"), ResultFile::open(index).expect("an index"));
    assert!(index.complete());
    assert_eq!(index.layout().families, whole.layout().families);
    assert_eq!(index.layout().metadata.get("picture"), whole.layout().metadata.get("picture"));
    folder.succeed(&["plot", "many.fxr", "energy.total", "--output", "total.svg"]);
    folder.succeed(&["view", "many.fxr", "--save", "page.html"]);
}

#[test]
fn rows_that_all_ranks_have_are_the_result() {
    let folder = Folder::new();
    run(&folder, &["-q", "--ranks", "3", "--output", "many.fxr"]);
    let rows = ResultFile::open(folder.file("many.fxr")).expect("an index").rows();
    // The end of one file is lost, as after a crash: what stands behind its rows and some of them.
    let part = folder.file("many.rank1.fxr");
    let bytes = std::fs::read(&part).expect("a part");
    let verdicts = ResultFile::open(&part).expect("a part").layout().metadata["verdicts"].len();
    std::fs::write(&part, &bytes[..bytes.len() - verdicts - 400]).expect("written");
    let torn = ResultFile::open(folder.file("many.fxr")).expect("readable");
    assert!(!torn.complete() && torn.rows() < rows && torn.torn().is_some_and(|why| why.contains("rank1")));
    assert!(repair(folder.file("many.fxr")).expect("repaired").changed);
    assert!(ResultFile::open(part).expect("readable").complete());
    std::fs::remove_file(folder.file("many.rank2.fxr")).expect("removed");
    let text = folder.fail(5, &["export", "many.fxr"]);
    assert!(text.contains("many.rank2.fxr"), "{text}");
}

#[test]
fn what_ranks_cannot_run_is_named() {
    let folder = Folder::new();
    let refused = |name: &str, more: &[&str], words: &[&str]| {
        let model = example(name);
        let text =
            folder.fail(4, &[&["run", &model, "--ranks", "2", "--output", "no.fxr"][..], more].concat());
        has(&text, words);
        assert!(!folder.file("no.fxr").exists() && !folder.file("no.rank0.fxr").exists(), "{text}");
    };
    let divided: [&str; 2] = ["--algorithm", "divide-and-conquer"];
    refused("pendulum", &[], &["divide-and-conquer"]);
    refused("controlled_arm", &divided, &["controller"]);
    let text = folder.fail(2, &["run", &example("chain_of_many"), "--ranks", "2", "--device", "emulated"]);
    has(&text, &["--device", "ranks"]);
    let mut launched = folder.command(&["run", &example("pendulum"), "-q"]);
    let cache = folder.file("no-adapters");
    let launched =
        launched.env("OMPI_COMM_WORLD_SIZE", "2").env("FLEXURA_CACHE", &cache).env_remove("FLEXURA_MPI");
    let output = launched.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let words =
        ["MPI launcher has started 2", "no adapter for Open MPI", "flexura mpi --build", "no-adapters"];
    has(&String::from_utf8_lossy(&output.stderr), &words);
    let mut alone = folder.command(&["run", &example("pendulum"), "-q", "--ranks", "1"]);
    assert!(alone.env("OMPI_COMM_WORLD_SIZE", "2").status().expect("the program starts").success());
    let mut swept =
        folder.command(&["sweep", &example("pendulum"), "--cases", "c.csv", "--channels", "energy.*"]);
    let swept = swept.env("PMI_SIZE", "4").env("FLEXURA_CACHE", &cache).env_remove("FLEXURA_MPI");
    let output = swept.output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    has(&String::from_utf8_lossy(&output.stderr), &["MPI launcher has started 4", "no adapter for MPICH"]);
    let text = folder.fail(5, &["mpi", "--build", "--mpicc", "no-such-mpicc", "--output", "adapters"]);
    has(&text, &["cannot start no-such-mpicc", "libmpich-dev", "--mpicc PATH"]);
    let text = folder.fail(5, &["mpi", "--build", "--mpicc", "false", "--output", "adapters"]);
    has(&text, &["does not compile the adapter"]);
}

/// Beams with all that acts: forces over time, loads over bodies, springs to the ground and inside a body.
const LOADED: &str = include_str!("loaded_chain.toml");

#[test]
fn loads_have_the_bits_of_one_process() {
    let folder = Folder::new();
    folder.write("loaded.toml", LOADED);
    folder.succeed(&["run", "loaded.toml", "-q", "--output", "one.fxr"]);
    let one = csv(&folder, "one.fxr");
    let verdicts = said(&folder, "one.fxr");
    let count = |verdicts: &[String], kind: &str| verdicts.iter().filter(|text| text.contains(kind)).count();
    assert!(count(&verdicts, r#""kind":"modes""#) > 20, "{verdicts:?}");
    for ranks in ["2", "3", "5"] {
        folder.succeed(&["run", "loaded.toml", "-q", "--ranks", ranks, "--output", "many.fxr"]);
        assert_eq!(csv(&folder, "many.fxr"), one, "{ranks} ranks");
        // Modes of no body have been judged, and of none is that kept quiet; what else is said is the same.
        let found = said(&folder, "many.fxr");
        let of_modes = |text: &String| text.contains(r#""kind":"modes""#);
        let (modes, rest): (Vec<String>, Vec<String>) = found.into_iter().partition(of_modes);
        let named = |k: usize| {
            modes
                .iter()
                .any(|text| text.contains(&format!("`link{k}`: modes not judged, which runs on one rank do")))
        };
        assert!((1..=16).all(named) && !modes.iter().any(|text| text.contains("true")), "{modes:?}");
        assert_eq!(
            rest.len(),
            verdicts.len() - count(&verdicts, r#""kind":"modes""#),
            "{ranks} ranks: {rest:?}"
        );
    }
    // A spring between the first link and the last is of two ranks.
    let across = LOADED.replace("\"link2.origin\", \"link2.tip\"", "\"link2.origin\", \"link16.tip\"");
    folder.write("across.toml", &across);
    let text = folder.fail(4, &["run", "across.toml", "--ranks", "2"]);
    has(&text, &["element `beside`", "`link2` and `link16`", "fewer ranks"]);
}

/// A run on three ranks that was killed goes on on other numbers of ranks, from a checkpoint that is always whole.
#[test]
fn killed_runs_go_on_on_other_numbers_of_ranks() {
    let folder = Folder::new();
    let model = example("chain_of_many");
    let with = |more: &[&'static str]| -> Vec<&str> {
        [&["run", model.as_str(), "--set", "n=150", "--end", "0.06", "-q"][..], more].concat()
    };
    folder.succeed(&with(&["--output", "one.fxr"]));
    let one = csv(&folder, "one.fxr");
    for (pause, ranks) in [(60, "2"), (120, "4"), (180, "1")] {
        let _ = std::fs::remove_file(folder.file("c.fxc"));
        let kept =
            ["--ranks", "3", "--checkpoint", "c.fxc", "--checkpoint-interval", "0", "--output", "killed.fxr"];
        let mut run = folder.command(&with(&kept)).spawn().expect("the program starts");
        // A first checkpoint, then some more.
        while !folder.file("c.fxc").exists() && run.try_wait().expect("a process").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(pause));
        let _ = run.kill();
        // One that has ended before is a whole run with its last checkpoint: what follows holds all the same.
        run.wait().expect("it ends");
        let rows = csv(&folder, "killed.fxr");
        assert!(one.starts_with(&rows), "rows so far are those of the whole run");
        folder.succeed(&with(&["--ranks", ranks, "--restart", "c.fxc", "--output", "rest.fxr"]));
        assert_eq!(csv(&folder, "rest.fxr"), one, "{ranks} ranks");
    }
}

/// What belongs to other runs is named; nothing is written.
#[test]
fn checkpoints_of_ranks_and_of_one_process_are_told_apart() {
    let folder = Folder::new();
    let kept = ["--checkpoint-interval", "0", "--checkpoint"];
    run(&folder, &[&["-q", "--output", "one.fxr"][..], &kept, &["one.fxc"]].concat());
    run(&folder, &[&["-q", "--ranks", "2", "--output", "two.fxr"][..], &kept, &["two.fxc"]].concat());
    let model = example("chain_of_many");
    let start = [&["run", model.as_str()][..], &CHAIN].concat();
    let refused = |code: i32, more: &[&str], wanted: &[&str]| {
        let text = folder.fail(code, &[&start[..], more, &["--output", "no.fxr"]].concat());
        has(&text, wanted);
        assert!(!folder.file("no.fxr").exists(), "{text}");
    };
    refused(2, &["--restart", "two.fxc"], &["by 2 ranks", "--ranks"]);
    refused(2, &["--ranks", "2", "--restart", "one.fxc"], &["without ranks"]);
    // The two sets of files take turns, and only the last is left.
    let parts =
        |rank: usize| ["a", "b"].map(|turn| folder.file(&format!("two.rank{rank}.{turn}.fxc")).exists());
    assert!(parts(0) == parts(1) && parts(0)[0] != parts(0)[1], "{:?} {:?}", parts(0), parts(1));
    let last = if parts(0)[0] { "two.rank1.a.fxc" } else { "two.rank1.b.fxc" };
    std::fs::remove_file(folder.file(last)).expect("removed");
    refused(5, &["--ranks", "3", "--restart", "two.fxc"], &[last]);
}

/// Processes that Slurm has started beside each other without MPI would write the same files.
#[test]
fn strangers_are_refused() {
    let folder = Folder::new();
    let model = example("chain_of_many");
    let command = |words: &[&str]| {
        let mut command = folder.command(words);
        command.env("SLURM_STEP_NUM_TASKS", "4").env("SLURM_PROCID", "2");
        command.output().expect("the program starts")
    };
    let refused = command(&["run", &model, "--output", "a.fxr"]);
    assert_eq!(refused.status.code(), Some(2));
    has(&String::from_utf8_lossy(&refused.stderr), &["4 processes", "srun --mpi=pmix"]);
    assert!(!folder.file("a.fxr").exists());
    let alone = command(&[
        "run", &model, "--set", "n=4", "--end", "0.001", "-q", "--ranks", "1", "--output", "a.fxr",
    ]);
    assert!(alone.status.success(), "{}", String::from_utf8_lossy(&alone.stderr));
}

/// The part of one rank is a result file as well: it is kept where the index is elsewhere.
#[test]
fn parts_of_earlier_results_are_kept() {
    let folder = Folder::new();
    let model = example("chain_of_many");
    let run = [
        "run", &model, "--set", "n=20", "--end", "0.001", "-q", "--ranks", "2", "--keep", "--output", "a.fxr",
    ];
    folder.succeed(&run);
    std::fs::rename(folder.file("a.fxr"), folder.file("b.fxr")).expect("a file");
    let before = csv(&folder, "b.fxr");
    has(&folder.fail(5, &run), &["rank", "--keep"]);
    assert_eq!(csv(&folder, "b.fxr"), before);
}
