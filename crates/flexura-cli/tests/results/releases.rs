//! Files of earlier releases are read, or refused by name as checkpoints and other formats are; what a release brings along.
//!
//! `releases/VERSION/` holds what that version wrote: a model with its result, a checkpoint in the middle of it, a reduced body.

use crate::common::{Folder, has};
use flexura::file::fnv1a;
use flexura_results::ResultFile;
use std::path::PathBuf;

fn stored(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/results/releases/0.1.0").join(name)
}

/// Puts the stored files into a folder; the checkpoint names the result where it lies now.
fn unpacked() -> Folder {
    let folder = Folder::new();
    for name in ["swing.toml", "swing.fxr", "boom.fxb"] {
        std::fs::copy(stored(name), folder.file(name)).expect("a copied file");
    }
    let bytes = std::fs::read(stored("swing.checkpoint")).expect("a checkpoint");
    let (content, hash) = bytes.split_last_chunk::<8>().expect("a hash");
    assert_eq!(fnv1a(content), u64::from_le_bytes(*hash));
    let (from, to) = ("/tmp/flexura-0.1.0/swing.fxr", folder.file("swing.fxr"));
    let at = content.windows(from.len()).position(|window| window == from.as_bytes()).expect("the result");
    let to = to.to_str().expect("a name").as_bytes();
    let mut moved = [&content[..at], to, &content[at + from.len()..]].concat();
    moved.extend(fnv1a(&moved).to_le_bytes());
    std::fs::write(folder.file("swing.checkpoint"), moved).expect("a written file");
    folder
}

#[test]
fn results_of_earlier_releases_are_read() {
    let folder = unpacked();
    let old = ResultFile::open(folder.file("swing.fxr")).expect("a readable result");
    assert_eq!((old.rows(), old.complete()), (21, true));
    assert_eq!(folder.succeed(&["export", "swing.fxr"]).lines().count(), 22);
    folder.succeed(&["plot", "swing.fxr", "hinge.angle", "-o", "angle.svg"]);
    folder.succeed(&["view", "swing.fxr", "--save", "page.html"]);
    // The same model now: the same motion.
    folder.succeed(&["run", "swing.toml", "--end", "0.2", "-o", "new.fxr", "-q"]);
    let new = ResultFile::open(folder.file("new.fxr")).expect("a readable result");
    for name in ["hinge.angle", "beam.tip.position.x"] {
        let (old, new) = (old.channel(name).expect("a channel"), new.channel(name).expect("a channel"));
        let largest = old.iter().zip(&new).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(old.len() == new.len() && largest < 1e-12, "{name}: {largest:e}");
    }
}

/// Steps of another version need not have the same bits: that is said, and nothing is written.
#[test]
fn checkpoints_of_other_versions_are_refused_by_name() {
    let folder = unpacked();
    let go_on = ["run", "swing.toml", "--restart", "swing.checkpoint", "-o", "on.fxr", "-q"];
    has(&folder.fail(2, &go_on), &["0.1.0 or before", env!("CARGO_PKG_VERSION"), "from the start"]);
    assert!(!folder.file("on.fxr").exists());
    let kept = ["--checkpoint", "own.checkpoint", "--checkpoint-interval", "0"];
    folder.succeed(&[&["run", "swing.toml", "--end", "0.2", "-o", "own.fxr", "-q"][..], &kept[..]].concat());
    folder.succeed(&["run", "swing.toml", "--restart", "own.checkpoint", "-o", "on.fxr", "-q"]);
    assert_eq!(ResultFile::open(folder.file("on.fxr")).expect("a result").rows(), 41);
}

#[test]
fn reduced_bodies_of_earlier_releases_are_taken() {
    let folder = unpacked();
    let model = "[model]\ngravity = [0, -9.81, 0]\n[[body]]\nname = \"boom\"\nfe = \"boom.fxb\"\n[[joint]]\nname = \"root\"\n\
         type = \"weld\"\nbetween = [\"ground.origin\", \"boom.root\"]\n";
    folder.write("model.toml", model);
    let modes = folder.succeed(&["modes", "model.toml"]);
    // First bending frequency of a clamped tube of aluminium, 2 m long: 1.8751² / (2π L²) √(E I / ρ A).
    let (outer, inner) = (0.025_f64, 0.022_f64);
    let ratio = (outer * outer + inner * inner) / 4.0;
    let first = 1.8751_f64.powi(2) / (2.0 * std::f64::consts::PI * 4.0) * (70e9 * ratio / 2700.0).sqrt();
    let found: f64 = modes
        .split_whitespace()
        .filter_map(|word| word.parse::<f64>().ok())
        .min_by(|a, b| (a - first).abs().total_cmp(&(b - first).abs()))
        .expect("numbers");
    assert!((found / first - 1.0).abs() < 5e-3, "{found} Hz instead of {first} Hz in {modes}");
}

#[test]
fn formats_of_the_future_are_named() {
    let folder = unpacked();
    let later = |name: &str, from: &[u8], to: &[u8]| {
        let bytes = std::fs::read(folder.file(name)).expect("a file");
        let at = bytes.windows(from.len()).position(|window| window == from).expect("a version");
        let changed = [&bytes[..at], to, &bytes[at + from.len()..]].concat();
        std::fs::write(folder.file(name), changed).expect("a written file");
    };
    later("swing.checkpoint", b"CHECKPOINT 1\n", b"CHECKPOINT 7\n");
    let text = folder.fail(5, &["run", "swing.toml", "--restart", "swing.checkpoint", "-o", "on.fxr"]);
    has(&text, &["swing.checkpoint", "format 7", "reads 1", "the program that wrote it"]);
    assert!(!folder.file("on.fxr").exists());
}

#[test]
fn the_program_says_what_it_is() {
    let folder = Folder::new();
    assert_eq!(folder.succeed(&["-V"]).trim(), format!("flexura {}", env!("CARGO_PKG_VERSION")));
    let text = folder.succeed(&["--version"]);
    let built = if cfg!(debug_assertions) { "development build" } else { "commit" };
    has(&text, &[env!("CARGO_PKG_VERSION"), built, "result 1", "checkpoint 1", "FMI 2.0 and 3.0"]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        has(&folder.succeed(&["completions", shell]), &["flexura", "sensitivity", "checkpoint-interval"]);
    }
    has(&folder.fail(2, &["completions", "cmd"]), &["bash", "zsh"]);
    folder.succeed(&["man", "pages"]);
    let page = std::fs::read_to_string(folder.file("pages/flexura-run.1")).expect("a page");
    has(&page, &[".TH flexura-run", "checkpoint", "Examples:"]);
    let help = folder.succeed(&["--help"]);
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 20);
    for command in commands.into_iter().filter(|command| *command != "help") {
        assert!(folder.file(&format!("pages/flexura-{command}.1")).is_file(), "no page of {command}");
    }
    folder.write("file", "");
    has(&folder.fail(5, &["man", "file"]), &["cannot write manual pages to file"]);
}
