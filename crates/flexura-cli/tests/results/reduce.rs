//! `flexura reduce` and models with finite element parts.

use crate::common::{Folder, example, has, largest};
use flexura_results::ResultFile;

fn part(name: &str) -> String {
    example(&format!("parts/{name}"))
}

#[test]
fn reduce_prints_frequencies_and_writes_body_and_pictures() {
    let folder = Folder::new();
    let text = folder.succeed(&["reduce", &part("boom"), "--pictures", "3"]);
    has(
        &text,
        &[
            "part `boom`: 11 nodes, 10 elements, 2.392",
            "6 static + 4 dynamic",
            "static residual",
            "wrote boom.fxb and 3 pictures",
        ],
    );
    // First bending of a clamped tube, Euler-Bernoulli: 3.51602 sqrt(EI / (rho A L^4)) / (2 pi).
    let (outer, inner): (f64, f64) = (0.025, 0.022);
    let squared_radius = (outer.powi(2) + inner.powi(2)) / 4.0;
    let expected = 3.51602 * (70e9 * squared_radius / (2700.0 * 16.0)).sqrt() / std::f64::consts::TAU;
    let json: serde_json::Value =
        serde_json::from_str(&folder.succeed(&["reduce", &part("boom"), "--json", "--no-files"]))
            .expect("JSON");
    let first = json["frequencies_hz"][0].as_f64().expect("a number");
    // Shear and rotary inertia lower it by a few parts in a thousand.
    assert!(first < expected && first > 0.995 * expected, "{first} {expected}");
    let picture = std::fs::read_to_string(folder.file("boom_modes/mode_03.svg")).expect("a picture");
    has(&picture, &["<svg", "boom: mode 3, 73.9", "</svg>"]);
    assert_eq!(picture.matches("<path stroke=\"#").count(), 10 + 3, "ten beams and the axes");
    assert!(!folder.file("boom_modes/mode_04.svg").exists());
}

#[test]
fn models_use_parts_through_the_cache_or_without() {
    let folder = Folder::new();
    let run = |arguments: &[&str]| {
        let cache = folder.file("cache");
        let output =
            folder.command(arguments).env("FLEXURA_CACHE", cache).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{}", crate::common::errors(&output));
    };
    let entries = || std::fs::read_dir(folder.file("cache")).map_or(0, Iterator::count);
    let model = example("panel_swing");
    run(&["run", &model, "--no-cache", "--output", "plain.fxr"]);
    assert_eq!(entries(), 0);
    run(&["run", &model, "--output", "first.fxr"]);
    assert_eq!(entries(), 1);
    run(&["run", &model, "--output", "second.fxr"]);
    assert_eq!(entries(), 1);
    let open = |name: &str| ResultFile::open(folder.file(name)).expect("a result");
    let (plain, first, second) = (open("plain.fxr"), open("first.fxr"), open("second.fxr"));
    for channel in ["panel.eta.1", "energy.kinetic"] {
        let values = plain.channel(channel).expect("a channel");
        assert_eq!(values, first.channel(channel).expect("a channel"));
        assert_eq!(values, second.channel(channel).expect("a channel"));
    }
    let (balance, kinetic) = (largest(&plain, "energy.balance"), largest(&plain, "energy.kinetic"));
    assert!(balance < 1e-6 * kinetic && kinetic > 0.0, "{balance} of {kinetic} J");
    assert!(largest(&plain, "panel.eta.1") > 1e-3, "the panel bends");
}

#[test]
fn faults_have_their_exit_codes() {
    let folder = Folder::new();
    has(&folder.fail(5, &["reduce", "none.toml"]), &["cannot read part file none.toml"]);
    folder.write("part.toml", "mesh = \"deck.inp\"\n[[interface]]\nname = \"a\"\nnode = 1\n");
    has(&folder.fail(5, &["reduce", "part.toml"]), &["deck.inp", "No such file"]);
    folder.write("deck.inp", "*NODE\n1, 0, 0, zero\n");
    has(&folder.fail(3, &["reduce", "part.toml"]), &["deck.inp:2: *NODE: a coordinate of node 1 is `zero`"]);
    folder.write("part.toml", "meshh = \"deck.inp\"\n");
    has(
        &folder.fail(3, &["reduce", "part.toml"]),
        &["part.toml:1:1", "did you mean `mesh`?", "no body was made"],
    );
    assert!(!folder.file("part.fxb").exists());
}

/// One period of every mode as a result file: the drawn shape is that of the mode.
#[test]
fn modes_of_a_part_can_be_animated() {
    let folder = Folder::new();
    let text = folder.succeed(&["reduce", &part("boom"), "--pictures", "2", "--shapes", "modes.fxr"]);
    has(&text, &["2 pictures", "see its modes move: flexura view modes.fxr"]);
    let result = ResultFile::open(folder.file("modes.fxr")).expect("a result");
    assert_eq!((result.rows(), result.complete()), (64, true));
    let about: serde_json::Value =
        serde_json::from_str(&result.layout().metadata["modes"]).expect("a list of modes");
    assert_eq!(about[1]["first_row"], 32);
    // The deflection of the tip swings like a cosine: full at the start, none at a quarter, opposite at half.
    let [y, z] =
        ["y", "z"].map(|axis| result.channel(&format!("part.tip.position.{axis}")).expect("a channel"));
    let tip = |row: usize| y[row].hypot(z[row]);
    assert!(tip(0) > 0.02 && tip(0) < 0.3, "a tenth of two metres at most: {}", tip(0));
    assert!(tip(8) < 1e-9 && (y[16] + y[0]).abs() + (z[16] + z[0]).abs() < 1e-9);
    folder.succeed(&["view", "modes.fxr", "--save", "modes.html"]);
    folder.fail(2, &["reduce", &part("boom"), "--no-files", "--shapes", "x.fxr"]);
}
