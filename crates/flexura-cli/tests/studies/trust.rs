//! Runs that cannot be trusted say so, earlier results are not lost, and results of another model do not pass for this one's.

use crate::common::{Folder, block_on_spring, errors, has};
use flexura_results::ResultFile;
use std::process::Stdio;

/// A bullet that flies half a metre into the floor in one step of a method that cannot know.
const BULLET: &str = r#"
[model]
gravity = [0, 0, 0]
[[ground.frame]]
name = "floor"
[[body]]
name = "bullet"
mass = 0.01
inertia = [1e-6, 1e-6, 1e-6]
[[joint]]
name = "f"
type = "free"
between = ["ground.origin", "bullet.origin"]
position = [0, 0, 10]
speed = [0, 0, 0, 0, 0, -1000]
[[element]]
name = "floor"
type = "contact"
between = ["ground.floor", "bullet.origin"]
radius = 0.005
stiffness = 1e9
friction = 0.3
[simulation]
end = 0.05
method = "rk4"
step = 1e-3
"#;

/// A load so far away that energies overflow.
const NOWHERE: &str = r#"
[[body]]
name = "load"
mass = 80.0
inertia = [3.333, 3.333, 3.333]
[[joint]]
name = "fall"
type = "free"
between = ["ground.origin", "load.origin"]
position = [-1e308, 0, 100]
[[element]]
name = "chute"
type = "drag"
between = ["ground.origin", "load.origin"]
density = 1.2
coefficient = 1.4
area = 20
medium_velocity = [3, 0, 0]
[simulation]
end = 6.0
"#;

/// A run that created 99 % of its energy ended as if nothing had happened, and one whose energy is no number reported zero.
#[test]
fn energy_that_does_not_balance_has_consequences() {
    let folder = Folder::new();
    for (name, text, words) in
        [("bullet.toml", BULLET, "created or lost"), ("nowhere.toml", NOWHERE, "no number")]
    {
        folder.write(name, text);
        let output = folder.flexura(&["run", name]);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        has(&errors(&output), &["warning: ", words, "cannot be trusted"]);
        has(&folder.fail(1, &["run", name, "--strict"]), &["--strict", words]);
        let value: serde_json::Value =
            serde_json::from_str(&folder.succeed(&["run", name, "--json"])).expect("JSON");
        assert_eq!(value["validity"]["energy_balanced"], false);
        assert_ne!(value["validity"]["energy_error_share"], 0.0);
    }
    // The same motion resolved, and a channel list without energies: audited all the same.
    folder.write(
        "good.toml",
        &BULLET.replace("method = \"rk4\"\nstep = 1e-3", "[output]\nchannels = [\"f.z\"]"),
    );
    let text = folder.succeed(&["run", "good.toml", "--strict"]);
    has(&text, &["energy: "]);
}

#[test]
fn sweeps_name_cases_whose_energy_does_not_balance() {
    let folder = Folder::new();
    folder.write("bullet.toml", BULLET);
    let sweep = ["sweep", "bullet.toml", "--set", "simulation.step=1e-7,1e-3", "-c", "f.z"];
    let output = folder.flexura(&sweep);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    has(&errors(&output), &["1 of 2 cases do not balance their energy; case 2"]);
    // From the journal too.
    has(&folder.fail(1, &[&sweep[..], &["--strict"]].concat()), &["1 of 2 cases"]);
}

/// `--from-static` of a model without equilibrium emptied the result of the run before.
#[test]
fn a_run_that_never_starts_keeps_the_earlier_result() {
    let folder = Folder::new();
    let model = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n[[joint]]\nname = \"j\"\n\
                 type = \"prismatic\"\nbetween = [\"ground.origin\", \"b.origin\"]\naxis = [0, 0, 1]\n";
    folder.write("m.toml", model);
    folder.succeed(&["run", "m.toml", "-o", "r.fxr"]);
    let rows = ResultFile::open(folder.file("r.fxr")).expect("a result").rows();
    assert!(rows > 10);
    folder.fail(4, &["run", "m.toml", "-o", "r.fxr", "--from-static"]);
    assert_eq!(ResultFile::open(folder.file("r.fxr")).expect("still there").rows(), rows);
}

/// Numbers of another grid stood in the result files of this one.
#[test]
fn result_files_of_a_sweep_belong_to_its_cases() {
    let folder = Folder::new();
    folder.write("m.toml", &block_on_spring("40.0", "[simulation]\nend = 0.5\n"));
    let sweep = |values: &str| {
        let set = format!("block.mass={values}");
        folder.succeed(&[
            "sweep",
            "m.toml",
            "--set",
            &set,
            "-c",
            "rail.displacement",
            "--results",
            "-o",
            "s",
        ]);
        let file = ResultFile::open(folder.file("s/0001.fxr")).expect("a result");
        file.channel("rail.displacement").expect("a channel")
    };
    let first = sweep("1,2");
    assert_ne!(sweep("30,40"), first);
    assert_eq!(sweep("1,2"), first);
}

/// A part file is part of the model: journals and checkpoints notice when it changes.
#[test]
fn changed_parts_make_another_model() {
    let folder = Folder::new();
    let part = include_str!("../../../../models/parts/panel.toml");
    let model = "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"panel\"\nfe = \"panel.toml\"\n[[joint]]\nname = \"hub\"\n\
                 type = \"revolute\"\nbetween = [\"ground.origin\", \"panel.hub\"]\naxis = [0, 1, 0]\n\
                 motion = { cycloidal = { from = 0, to = 0.8, start = 0.0, duration = 0.1 } }\n\
                 [simulation]\nend = 0.2\noutput_interval = 0.01\n";
    folder.write("m.toml", model);
    folder.write("panel.toml", part);
    let sweep = || {
        let arguments =
            ["sweep", "m.toml", "--set", "simulation.end=0.1,0.2", "-c", "panel.eta.1", "-o", "s"];
        let output = folder.flexura(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        (errors(&output), std::fs::read_to_string(folder.file("s/summary.csv")).expect("a summary"))
    };
    let (_, stiff) = sweep();
    let (words, again) = sweep();
    assert!(words.contains("2 of 2 cases are known") && again == stiff, "{words}");
    folder.succeed(&["run", "m.toml", "-o", "a.fxr", "--checkpoint", "c", "--checkpoint-interval", "0"]);
    folder.write("panel.toml", &part.replace("young = 8e9", "young = 2e9"));
    let (words, soft) = sweep();
    assert!(!words.contains("are known") && soft != stiff, "{words}");
    has(&folder.fail(2, &["run", "m.toml", "-o", "b.fxr", "--restart", "c"]), &["the model has changed"]);
}

/// A reader that closes standard error early (`2>&1 | head -1`) made the program panic.
#[test]
fn a_closed_standard_error_is_no_panic() {
    let folder = Folder::new();
    folder.write("bad.toml", &"[[body]]\nname = \"b\"\nmas = 1\n".repeat(2000));
    for arguments in [&["check", "bad.toml"][..], &["run", "bad.toml"], &["run", "none.toml"]] {
        let mut command = folder.command(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("starts");
        drop(child.stderr.take());
        let code = child.wait().expect("ends").code();
        assert!(matches!(code, Some(3 | 5)), "{arguments:?}: {code:?}");
    }
}
