//! The commands of the book, page by page in its order, as they stand, in a folder with `models` and `book`. A block in front of a
//! message of the program must say that message. What cannot run here is named below with the reason.

use super::book::{files, read, root};
use super::readme::{serves, shell, stays};
use crate::common::Folder;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Commands that are not run here: how they begin, and why.
const ELSEWHERE: [(&str, &str); 27] = [
    (
        "flexura export arm.toml -o arm",
        "needs the library of flexura-fmu; python/tests/test_fmi.py writes FMUs",
    ),
    ("flexura export models/pendulum.toml -o swing.fmu", "as the line before"),
    (
        "flexura fit models/fit/ringdown.toml models/fit/ringdown.csv --parameters boom.young --",
        "seconds; book/src/fitting.md has another one, which is run",
    ),
    ("flexura view engine_flexible.fxr --png", "needs Chromium; viewer/test draws pictures so"),
    ("flexura view engine.fxr --png", "needs Chromium; viewer/test draws pictures so"),
    ("flexura view crane.fxr --png", "needs Chromium; viewer/test draws pictures so"),
    ("flexura view crane.fxr --mp4", "needs Chromium; viewer/test draws films so"),
    ("cargo ", "builds the program; scripts/test does"),
    ("export PATH=", "where the program lies is the test's affair"),
    ("scripts/", "run by hand and by the releases (book/src/releases.md, book/src/fuzzing.md)"),
    ("sudo scripts/", "needs a bare system; run for releases"),
    ("sha256sum ", "files of a release"),
    ("pip install ", "files of a release; scripts/try_release runs it"),
    ("tar xzf ", "files of a release; scripts/try_release runs it"),
    ("./flexura ", "files of a release; scripts/try_release runs it"),
    ("gmsh ", "another program; its mesh is kept in models/meshes"),
    ("mpirun ", "needs MPI; scripts/test_mpi runs it"),
    ("srun ", "needs a cluster"),
    ("on=$(", "part of a job of a cluster"),
    ("test $? -ne 130", "part of a job of a cluster"),
    ("flexura mpi --build", "needs mpicc; scripts/test_mpi runs it"),
    ("flexura run models/flexible_arm.toml --device cuda", "needs a GPU"),
    ("flexura run MODEL --device cuda", "needs a machine without a GPU"),
    ("flexura sweep arm.toml --cases cases.csv --channels 'arm.tip.*' --device cuda", "needs a GPU"),
    ("flexura import robot.urdf", "a file of the reader"),
    ("flexura import robot.xml", "a file of the reader"),
    ("flexura deck bar.inp", "a file of the reader; `studies deck::` reads such decks"),
];

/// Commands that take long: how they begin, and what makes them short here.
const SHORTER: [(&str, &str); 3] = [
    ("flexura sweep book/examples/accuracy.toml", " --set simulation.end=0.1"),
    ("flexura gradient models/flexible_arm.toml", " --end 0.05"),
    ("flexura run models/chain_of_many.toml --ranks", " --set n=50"),
];

/// A block of commands, and the message that the page shows below it.
struct Block {
    lines: Vec<String>,
    message: Option<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    // Fences alternate: text, then what is inside.
    let parts: Vec<&str> = text.split("\n```").collect();
    for (i, inside) in parts.iter().enumerate().skip(1).step_by(2) {
        if let Some(code) = inside.strip_prefix("sh\n") {
            let bare = |line: &str| line.split(" #").next().unwrap_or(line).trim().to_string();
            let lines = code.lines().map(bare).filter(|line| !line.is_empty() && !line.starts_with('#'));
            found.push(Block { lines: lines.collect(), message: None });
        } else if let (Some(code), Some(last)) = (inside.strip_prefix("message\n"), found.last_mut()) {
            let before = parts[i - 1].trim();
            if before.is_empty() && last.message.is_none() {
                last.message = code.lines().next().map(str::to_owned);
            }
        }
    }
    found
}

/// Without digits: times, counts and rounding are those of a machine.
fn words(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

fn known<'a>(list: &'a [(&str, &str)], line: &str) -> Option<&'a (&'a str, &'a str)> {
    list.iter().find(|(start, _)| line.starts_with(start))
}

/// Runs the blocks of a page; how many commands ran, and what went wrong.
fn run_page(name: &str, text: &str) -> (usize, Vec<String>) {
    let folder = Folder::new();
    for part in ["models", "book"] {
        std::os::unix::fs::symlink(root().join(part), folder.file(part)).expect("a link");
    }
    let (mut ran, mut wrong) = (0, Vec::new());
    for block in blocks(text) {
        for (i, line) in block.lines.iter().enumerate() {
            if known(&ELSEWHERE, line).is_some() {
                continue;
            }
            ran += 1;
            let line = line.replace("MODEL.toml", "MODEL").replace("MODEL", "models/pendulum.toml");
            if stays(&line) {
                serves(&folder, &line);
                continue;
            }
            let longer = known(&SHORTER, &line).map_or("", |(_, addition)| addition);
            let output = shell(&folder, &format!("{line}{longer}")).output().expect("a shell");
            let said =
                [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            let message = block.message.as_ref().filter(|_| i + 1 == block.lines.len());
            let refused = message.is_some_and(|message| message.starts_with("error"));
            let here = format!("{name}: {line}");
            if output.status.success() == refused {
                wrong.push(format!("{here}: {}", said[1].lines().take(4).collect::<Vec<_>>().join("\n")));
            }
            if let Some(message) =
                message.filter(|message| !words(&said.concat()).contains(words(message).trim()))
            {
                wrong.push(format!("{here}: the page says `{message}`, the program\n{}", said.concat()));
            }
        }
    }
    (ran, wrong)
}

#[test]
fn every_command_of_the_book_runs_where_the_ones_before_it_have_run() {
    let source = root().join("book/src");
    let pages: Vec<(String, String)> = files(&source, "md")
        .iter()
        .map(|page| (page.strip_prefix(&source).expect("inside").display().to_string(), read(page)))
        .filter(|(_, text)| text.contains("\n```sh\n"))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut sum = (0, Vec::new());
        while let Some((name, text)) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (ran, wrong) = run_page(name, text);
            sum.0 += ran;
            sum.1.extend(wrong);
        }
        sum
    };
    let sums = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a page")).collect::<Vec<_>>()
    });
    let wrong: Vec<String> = sums.iter().flat_map(|sum| sum.1.clone()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let ran: usize = sums.iter().map(|sum| sum.0).sum();
    assert!(ran > 60, "only {ran} commands");
    // No exception outlives its command.
    let all: Vec<String> =
        pages.iter().flat_map(|(_, text)| blocks(text)).flat_map(|block| block.lines).collect();
    for (start, _) in ELSEWHERE.iter().chain(&SHORTER) {
        assert!(all.iter().any(|line| line.starts_with(start)), "no page has `{start}` any more");
    }
}

/// Whether a text has an option whole: `--out` is none where only `--output` is.
fn has_word(text: &str, option: &str) -> bool {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '-' || letter == '_'))
        .any(|word| word == option)
}

/// Options that pages name inside their text belong to the command they stand with.
#[test]
fn every_option_that_the_book_names_exists() {
    let (folder, mut checked, mut wrong) = (Folder::new(), 0, Vec::new());
    let mut helps = std::collections::BTreeMap::new();
    for page in files(&root().join("book/src"), "md") {
        let text = read(&page);
        for code in text.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("flexura ")) {
            let Some(command) = code.split_whitespace().next() else { continue };
            if code.contains('\n') || !command.chars().all(|letter| letter.is_ascii_lowercase()) {
                continue;
            }
            let help = helps.entry(command.to_string()).or_insert_with(|| {
                let output = folder.flexura(&[command, "--help"]);
                output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
            });
            let Some(help) = help else {
                wrong.push(format!("{}: no command `{command}` in `{code}`", page.display()));
                continue;
            };
            for option in code.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2) {
                let option =
                    option.split('=').next().unwrap_or(option).trim_end_matches([',', ';', ')', ']']);
                checked += 1;
                // For those who write the chapter of cases, not in the help.
                if !has_word(help, option) && option != "--chapter" {
                    wrong.push(format!("{}: `flexura {command}` has no {option}", page.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 60, "only {checked} options");
}
