//! `flexura inverse`: efforts of a run from its motion, states, drives, refusals.

use crate::common::{Folder, example, has};
use flexura_results::ResultFile;
use serde_json::Value;

/// Two links under gravity with a spring, driven by known efforts.
const ARM: &str = r#"
[model]
name = "arm"
gravity = [0, 0, -9.81]

[[body]]
name = "upper"
mass = 2.0
inertia = [0.01, 0.2, 0.2]
[[body.frame]]
name = "root"
position = [-0.5, 0, 0]
[[body.frame]]
name = "end"
position = [0.5, 0, 0]

[[body]]
name = "fore"
mass = 1.0
inertia = [0.01, 0.1, 0.1]
[[body.frame]]
name = "root"
position = [-0.4, 0, 0]

[[joint]]
name = "shoulder"
type = "revolute"
between = ["ground.origin", "upper.root"]
axis = [0, 1, 0]
effort = { harmonic = { amplitude = 8.0, frequency = 0.5 } }

[[joint]]
name = "elbow"
type = "revolute"
between = ["upper.end", "fore.root"]
axis = [0, 1, 0]
position = 0.3
stiffness = 5.0
damping = 0.2
effort = { harmonic = { offset = 1.0, amplitude = 3.0, frequency = 1.0 } }

[simulation]
end = 1.0
output_interval = 0.005
relative_tolerance = 1e-11
absolute_tolerance = 1e-13
"#;

/// Efforts of the model at time t.
fn efforts(t: f64) -> [f64; 2] {
    let turn = std::f64::consts::TAU * t;
    [8.0 * (0.5 * turn).sin(), 1.0 + 3.0 * turn.sin()]
}

/// Rows of CSV text as numbers, after the header.
fn rows(text: &str) -> Vec<Vec<f64>> {
    let number = |cell: &str| cell.parse().expect("a number");
    text.lines().skip(1).map(|line| line.split(',').map(number).collect()).collect()
}

/// Largest error of the efforts in `text` against those of the model.
fn largest_error(text: &str) -> f64 {
    let error = |row: &Vec<f64>| {
        let exact = efforts(row[0]);
        (row[1] - exact[0]).abs().max((row[2] - exact[1]).abs())
    };
    rows(text).iter().map(error).fold(0.0, f64::max)
}

/// Forward dynamics with known efforts, then back: from coordinates, speeds and accelerations of the result nothing but
/// rounding is left; from coordinates alone, printed and read again, the error of splines over 5 ms.
#[test]
fn efforts_of_a_run_come_back_from_its_motion() {
    let folder = Folder::new();
    folder.write("arm.toml", ARM);
    folder.succeed(&["run", "arm.toml", "-q"]);
    let text = folder.succeed(&["inverse", "arm.toml", "--motion", "arm.fxr", "--without-efforts"]);
    assert!(text.starts_with("time [s],shoulder.effort [N m],elbow.effort [N m]\n"), "{text}");
    assert_eq!(rows(&text).len(), 201);
    // Forces of some 30 N m found by sums of a dozen terms.
    assert!(largest_error(&text) < 1e-12, "{}", largest_error(&text));
    // With the efforts among the loads of the model nothing more is needed.
    let text = folder.succeed(&["inverse", "arm.toml", "--motion", "arm.fxr"]);
    assert!(rows(&text).iter().all(|row| row[1].abs() < 1e-11 && row[2].abs() < 1e-11), "{text}");
    folder.succeed(&[
        "export",
        "arm.fxr",
        "--channels",
        "shoulder.angle",
        "elbow.angle",
        "--output",
        "path.csv",
    ]);
    let arguments =
        ["inverse", "arm.toml", "--motion", "path.csv", "--without-efforts", "--output", "efforts.csv"];
    has(&folder.succeed(&arguments), &["201 instants", "efforts.csv"]);
    let text = std::fs::read_to_string(folder.file("efforts.csv")).expect("a file");
    // Accelerations of third order at the ends: h³ = 1e-7 s³, times 4 kg m² and fifth derivatives of some 100 rad/s⁵.
    let error = largest_error(&text);
    assert!(error < 1e-4 && error > 1e-11, "{error}");
}

/// The same forces at one state by text and JSON; accelerations of forward dynamics need none.
#[test]
fn forces_at_the_start() {
    let folder = Folder::new();
    let model = example("pendulum");
    // A horizontal rod of 1 kg and 1 m: 4.905 N m hold it; 1/3 kg m² per rad/s² come on top.
    let found: Value = serde_json::from_str(&folder.succeed(&["inverse", &model, "--json"])).expect("JSON");
    assert!((found["forces"]["hinge.effort"].as_f64().expect("a number") + 4.905).abs() < 1e-12);
    for name in ["hinge.angle", "hinge.rate", "hinge.rate_acceleration", "hinge.effort"] {
        let setting = format!("{name}=2");
        let text = folder.succeed(&["inverse", &model, "--acceleration", &setting, "--json"]);
        let found: Value = serde_json::from_str(&text).expect("JSON");
        let (force, exact) =
            (found["forces"]["hinge.effort"].as_f64().expect("a number"), 2.0 * 0.333333 - 4.905);
        assert!((force - exact).abs() < 1e-12, "{force} against {exact}");
    }
    let text = folder.succeed(&["inverse", &model, "--reactions", "--static", "--set", "hinge.position=1.5"]);
    // Hanging still: no effort, the weight in the hinge.
    has(&text, &["hinge.effort ", "hinge.force.x", "9.81 N"]);
}

/// Drives in a closed mechanism: the effort found makes the run that was asked for.
#[test]
fn a_drive_of_a_loop_moves_it_as_asked() {
    let folder = Folder::new();
    let model = example("squeezer");
    has(&folder.fail(2, &["inverse", &model]), &["closes a loop", "--drives JOINT"]);
    let asked = ["inverse", &model, "--drives", "beta", "--acceleration", "beta.angle=100", "--json"];
    let found: Value = serde_json::from_str(&folder.succeed(&asked)).expect("JSON");
    assert_eq!(found["accelerations"]["beta.rate_acceleration"], 100.0);
    assert_eq!(found["forces"].as_object().map(serde_json::Map::len), Some(1));
    assert!(found["accelerations"]["theta.rate_acceleration"].as_f64().expect("a number").abs() > 1.0);
    has(
        &folder.fail(2, &["inverse", &model, "--drives", "beta", "theta"]),
        &["leave 1 freedoms", "theta.angle"],
    );
    let text = folder.fail(2, &["inverse", &model, "--drives", "beta", "--acceleration", "theta.angle=1"]);
    has(&text, &["theta.angle=1", "not among --drives"]);
}

/// The drive of a recorded loop is found from its motion; the result says what it was.
#[test]
fn the_drive_of_a_recorded_loop_comes_back() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(example("squeezer")).expect("the model");
    let start = text.find("[simulation]").expect("settings");
    let settings = "[simulation]\nend = 0.01\noutput_interval = 0.001\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12\n";
    folder.write("squeezer.toml", &format!("{}{settings}", &text[..start]));
    folder.succeed(&["run", "squeezer.toml", "-q"]);
    let result = ResultFile::open(folder.file("squeezer.fxr")).expect("a result");
    let arguments =
        ["inverse", "squeezer.toml", "--motion", "squeezer.fxr", "--drives", "beta", "--without-efforts"];
    let text = folder.succeed(&arguments);
    assert!(text.starts_with("time [s],beta.effort [N m]\n"), "{text}");
    let found = rows(&text);
    assert_eq!(found.len(), result.rows());
    // The benchmark's drive is constant: 0.033 N m. Loops are closed to 1e-9, accelerations of 1e4 amplify that.
    for row in found {
        assert!((row[1] - 0.033).abs() < 1e-7, "{row:?}");
    }
}

#[test]
fn wrong_requests_are_named() {
    let folder = Folder::new();
    folder.write("arm.toml", ARM);
    let pendulum = example("pendulum");
    for (name, text, parts) in [
        ("a.csv", "time,elbow.angle [deg]\n0,0\n1,1\n", &["`elbow.angle [deg]`: it is read in rad"][..]),
        (
            "b.csv",
            "time,elbwo.angle\n0,0\n1,1\n",
            &["no channel `elbwo.angle`", "did you mean `elbow.angle`"],
        ),
        ("c.csv", "t,elbow.angle\n0,0\n1,1\n", &["no column `time`"]),
        ("d.csv", "time,elbow.angle\n0,0\n1,x\n", &["line 3: `x` in column `elbow.angle` is no number"]),
        ("e.csv", "time,elbow.angle\n0,0\n1\n", &["line 3 has 1 cells, the header 2"]),
    ] {
        folder.write(name, text);
        let output = folder.flexura(&["inverse", "arm.toml", "--motion", name]);
        assert!(!output.status.success(), "{name}");
        has(&String::from_utf8_lossy(&output.stderr), parts);
    }
    has(&folder.fail(2, &["inverse", &pendulum, "--without-efforts"]), &["no efforts and no controllers"]);
    has(&folder.fail(2, &["inverse", &pendulum, "--drives", "hinje"]), &["did you mean `hinge`"]);
    let text = folder.fail(2, &["inverse", &pendulum, "--acceleration", "hinge.angel=1"]);
    has(&text, &["hinge.angel", "did you mean `hinge.angle`"]);
    has(
        &folder.fail(2, &["inverse", &pendulum, "--acceleration", "hinge.angle=fast"]),
        &["COORDINATE=NUMBER"],
    );
    // A column less than coordinates: the rest stands still, and is named.
    folder.write("half.csv", "time [s],elbow.angle [rad]\n0,0\n0.5,0.1\n1,0.4\n");
    let output = folder.flexura(&["inverse", "arm.toml", "--motion", "half.csv"]);
    assert!(output.status.success());
    has(&String::from_utf8_lossy(&output.stderr), &["note: no column for shoulder.angle"]);
}
