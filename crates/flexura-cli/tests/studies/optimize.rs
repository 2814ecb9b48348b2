//! `flexura optimize`: a spring whose best stiffness is known by hand, inputs and their table, files, mistakes.

use crate::common::{Folder, block_on_spring};

const TAIL: &str = "[simulation]\nend = 1\noutput_interval = 0.25\nmethod = \"rk4\"\nstep = 0.005\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("block.toml", &block_on_spring("9.0", TAIL));
    folder
}

/// x = x₀ cos ωt ends farthest below zero after a second where ω = π.
#[test]
fn the_best_spring_of_a_harmonic_motion() {
    let folder = folder();
    let arguments =
        ["optimize", "block.toml", "--objective", "end:rail.displacement", "-p", "rail.stiffness", "-q"];
    let said = folder.succeed(&[&arguments[..], &["-o", "best.toml", "--json"]].concat());
    let found: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let stiffness = number(&found["parameters"]["rail.stiffness"]["value"]);
    let best = std::f64::consts::PI.powi(2);
    assert!(
        (stiffness / best - 1.0).abs() < 1e-4 && (number(&found["objective"]) + 0.1).abs() < 1e-8,
        "{found}"
    );
    assert_eq!(found["converged"], true);
    let again = folder.succeed(&[
        "gradient",
        "best.toml",
        "--objective",
        "end:rail.displacement",
        "--initial",
        "--json",
    ]);
    let again: serde_json::Value = serde_json::from_str(&again).expect("JSON");
    assert_eq!(again["objective"], found["objective"]);
    let words = folder.succeed(&[&arguments[..], &["--bounds", "rail.stiffness=8:9.5"]].concat());
    assert!(words.contains("at a bound") && words.contains("9.50000000e0"), "{words}");
}

#[test]
fn inputs_have_a_table() {
    let folder = folder();
    let said = folder.succeed(&[
        "optimize",
        "block.toml",
        "--objective",
        "end:rail.displacement",
        "--inputs",
        "rail.effort",
        "--bounds",
        "rail.effort=-0.5:0.25",
        "--inputs-output",
        "effort.csv",
        "-q",
    ]);
    assert!(said.contains("4 values, 4 at a bound") && said.contains("wrote effort.csv"), "{said}");
    let table = std::fs::read_to_string(folder.file("effort.csv")).expect("a table");
    let rows: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(rows[0].contains("rail.effort") && rows.len() == 5, "{table}");
    // A push at τ acts with sin(3 (1 − τ)): up to one second all of them help downwards.
    assert!(rows[1..].iter().all(|row| row.ends_with("-0.5") || row.ends_with("-5e-1")), "{table}");
}

#[test]
fn mistakes_are_named() {
    let folder = folder();
    let fail = |code, arguments: &[&str]| {
        folder.fail(code, &[&["optimize", "block.toml", "-q"], arguments].concat())
    };
    let end = ["--objective", "end:rail.displacement"];
    assert!(fail(2, &["-p", "rail.stiffness"]).contains("--objective"));
    assert!(fail(2, &end).contains("give parameters or inputs"));
    assert!(fail(2, &[&end[..], &["-p", "rail.stifness"]].concat()).contains("rail.stifness"));
    assert!(
        fail(2, &[&end[..], &["-p", "rail.stiffness", "--bounds", "rail.stiffness=1"]].concat())
            .contains("LOW:HIGH")
    );
    assert!(
        fail(2, &[&end[..], &["-p", "rail.stiffness", "--bounds", "rail.stiffness=1:2"]].concat())
            .contains("does not lie")
    );
    assert!(
        fail(2, &[&end[..], &["-p", "rail.stiffness", "--inputs-output", "x.csv"]].concat())
            .contains("no --inputs")
    );
    assert!(
        fail(2, &[&end[..], &["-p", "rail.stiffness", "--tolerance", "2"]].concat()).contains("--tolerance")
    );
    assert!(
        fail(2, &[&end[..], &["-p", "rail.stiffness", "-o", "block.toml"]].concat()).contains("block.toml")
    );
}
