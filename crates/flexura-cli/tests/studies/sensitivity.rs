//! `flexura sensitivity` and `--set`.

use crate::common::{Folder, block_on_spring};

fn column(csv: &str, name: &str) -> Vec<f64> {
    let index =
        csv.lines().next().and_then(|line| line.split(',').position(|head| head == name)).expect(name);
    let cell = |line: &str| line.split(',').nth(index).and_then(|cell| cell.parse().ok());
    csv.lines().skip(1).map(|line| cell(line).expect("a number")).collect()
}

/// x = x₀ cos ωt of a block on a spring, differentiated by hand.
#[test]
fn derivatives_of_a_harmonic_motion() {
    let folder = Folder::new();
    let tail = "[simulation]\nend = 2\noutput_interval = 0.5\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-13\n";
    folder.write("block.toml", &block_on_spring("9.0", tail));
    let arguments = ["sensitivity", "block.toml", "-p", "rail.stiffness", "rail.position", "block.mass"];
    let csv = folder.succeed(&[&arguments[..], &["--outputs", "rail.displacement"]].concat());
    let time = column(&csv, "time [s]");
    assert_eq!(time, [0.0, 0.5, 1.0, 1.5, 2.0]);
    let (stiffness, start, mass) = (
        column(&csv, "d rail.displacement / d rail.stiffness"),
        column(&csv, "d rail.displacement / d rail.position"),
        column(&csv, "d rail.displacement / d block.mass"),
    );
    for (i, t) in time.iter().enumerate() {
        // ω = √(k/m) = 3: ∂ω/∂k = ω/2k, ∂ω/∂m = −ω/2m
        let slope = -0.1 * (3.0 * t).sin() * t;
        assert!((start[i] - (3.0 * t).cos()).abs() < 1e-9);
        assert!((stiffness[i] - slope * 3.0 / 18.0).abs() < 1e-9, "{} {}", stiffness[i], slope / 6.0);
        assert!((mass[i] + slope * 1.5).abs() < 1e-9);
    }
}

/// `--set` changes one number for one command; errors list what is there.
#[test]
fn numbers_can_be_set() {
    let folder = Folder::new();
    folder.write("block.toml", &block_on_spring("9.0", ""));
    let text = folder.succeed(&["check", "block.toml", "--set", "block.mass=2.5"]);
    assert!(text.contains("2.5 kg"), "{text}");
    let modes = folder.succeed(&["modes", "block.toml", "--set", "rail.stiffness=36", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&modes).expect("JSON");
    assert!((found["modes"][0]["imaginary"].as_f64().expect("number") - 6.0).abs() < 1e-9);
    let wrong = folder.fail(2, &["run", "block.toml", "--set", "block.mas=2"]);
    assert!(wrong.contains("block.mass"), "{wrong}");
    assert!(folder.fail(2, &["static", "block.toml", "--set", "block.mass"]).contains("PATH=NUMBER"));
    assert!(folder.fail(3, &["run", "block.toml", "--set", "block.mass=-1"]).contains("mass"));
    let list = folder.succeed(&["sensitivity", "block.toml", "--list"]);
    assert!(list.contains("joint.rail.stiffness = 9"), "{list}");
    assert!(folder.fail(2, &["sensitivity", "block.toml"]).contains("--parameters"));
}

/// A boom of finite elements with a load at its tip swings down; the derivative by the load's mass against
/// differences of whole runs.
#[test]
fn models_with_finite_element_parts_have_sensitivities() {
    let folder = Folder::new();
    folder.write("boom.toml", include_str!("../../../../models/parts/boom.toml"));
    let model = "[[body]]\nname = \"boom\"\nfe = \"boom.toml\"\n[[body]]\nname = \"load\"\nmass = 3.0\ninertia = [0.01, 0.01, 0.01]\n\
                 [[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground.origin\", \"boom.root\"]\naxis = [0, 1, 0]\n\
                 stiffness = 50\n\
                 [[joint]]\nname = \"grip\"\ntype = \"weld\"\nbetween = [\"boom.tip\", \"load.origin\"]\n\
                 [simulation]\nend = 0.2\noutput_interval = 0.1\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12\n";
    folder.write("swing.toml", model);
    let name = "pin.angle";
    let run = |mass: &str| {
        let arguments =
            ["sensitivity", "swing.toml", "--no-cache", "-p", "load.mass", "--outputs", name, "--set"];
        let setting = format!("load.mass={mass}");
        folder.succeed(&[&arguments[..], &[setting.as_str()]].concat())
    };
    let (less, given, more) = (run("2.99"), run("3.0"), run("3.01"));
    let (less, more) = (column(&less, &format!("{name} [rad]")), column(&more, &format!("{name} [rad]")));
    let slope = column(&given, &format!("d {name} / d load.mass"));
    for time in 1..3 {
        let difference = (more[time] - less[time]) / 0.02;
        // Central differences over a hundredth of the mass: 1e-5 of truncation.
        assert!((slope[time] / difference - 1.0).abs() < 1e-4, "{slope:?} {difference}");
    }
}
