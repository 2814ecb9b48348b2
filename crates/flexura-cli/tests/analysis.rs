//! `flexura static` and `flexura modes`.

mod common;

use common::{Folder, example};

fn arm() -> String {
    example("flexible_arm")
}

fn json(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&folder.succeed(arguments)).expect("JSON")
}

/// A settled arm hangs below its straight position and stays there when simulated.
#[test]
fn static_equilibrium_is_a_rest_position() {
    let (folder, arm) = (Folder::new(), arm());
    let found = json(&folder, &["static", &arm, "--json"]);
    assert!(found["residual"].as_f64().unwrap() < 1e-9);
    assert!(found["modal"]["fore"][2].as_f64().unwrap() < -1e-3, "the fore arm sags: {found}");
    // The motor starts at 0.1 s; until then nothing moves.
    folder.succeed(&["run", &arm, "--from-static", "--end", "0.1", "-o", "arm.fxr", "-q"]);
    let text = folder.succeed(&["export", "arm.fxr", "--channels", "energy.kinetic"]);
    let values = text.lines().skip(1).filter_map(|line| line.split(',').nth(1)?.parse::<f64>().ok());
    let largest = values.fold(0.0, f64::max);
    assert!(largest < 1e-15, "kinetic energy {largest:e} J");
}

/// Eigenvalues, response and matrices of one linear system belong together.
#[test]
fn modes_response_and_matrices() {
    let (folder, arm) = (Folder::new(), arm());
    let found = json(&folder, &["modes", &arm, "--static", "--json"]);
    let first = found["modes"][0]["frequency_hz"].as_f64().unwrap();
    assert!((0.5..1.5).contains(&first), "elbow spring swing near 0.8 Hz: {first}");
    let input = ["--inputs", "elbow.effort", "--outputs", "elbow.angle"];
    folder.succeed(&[&["modes", &arm, "--static"], &input[..], &["--matrices", "linear"]].concat());
    let a = std::fs::read_to_string(folder.file("linear").join("A.mtx")).expect("A.mtx");
    assert_eq!(a.lines().nth(1), Some("20 20"));
    assert_eq!(a.lines().count(), 2 + 400);
    // At rest the angle answers an effort like the spring alone.
    let response = ["--response", "0.001", "0.002", "2"];
    let text = folder.succeed(&[&["modes", &arm, "--static"], &input[..], &response].concat());
    let gain: f64 = text.lines().nth(1).and_then(|line| line.split(',').nth(1)).unwrap().parse().unwrap();
    assert!((gain * 150.0 - 1.0).abs() < 0.02, "static gain {gain}");
}

/// Wrong names are usage errors that say what to write.
#[test]
fn wrong_names_are_explained() {
    let (folder, arm) = (Folder::new(), arm());
    assert!(folder.fail(2, &["modes", &arm, "--inputs", "elbo.effort"]).contains("JOINT.effort"));
    assert!(folder.fail(2, &["modes", &arm, "--inputs", "shoulder.effort"]).contains("prescribed"));
}

/// Newton's method stays at the upright pendulum, relaxation falls to the hanging one.
#[test]
fn relaxation_falls_into_the_stable_equilibrium() {
    let (folder, pendulum) = (Folder::new(), example("pendulum"));
    let angle = |relax: &[&str]| {
        let start = ["static", &pendulum, "--json", "--set", "hinge.position=-1.5"];
        let found = json(&folder, &[&start[..], relax].concat());
        found["joints"]["hinge"][0].as_f64().expect("an angle")
    };
    let (upright, hanging) = (angle(&[]), angle(&["--relax"]));
    assert!((upright - hanging).abs() > 3.0, "{upright} {hanging}");
    assert!((hanging.sin() - 1.0).abs() < 1e-9, "hangs along -z: {hanging}");
}
