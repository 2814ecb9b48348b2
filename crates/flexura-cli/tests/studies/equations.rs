//! `flexura equations`: rows, numbers, formulas and code; runs with `formulation = "graph"`.

use crate::common::{Folder, example, has};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    match value.as_array() {
        Some(list) => list.iter().flat_map(numbers).collect(),
        None => vec![value.as_f64().expect("a number")],
    }
}

fn same(found: &Value, known: &Value, what: &str) {
    let (found, known) = (numbers(found), numbers(known));
    let size = known.iter().fold(1e-300_f64, |most, x| most.max(x.abs()));
    assert_eq!(found.len(), known.len(), "{what}");
    for (a, b) in found.iter().zip(&known) {
        assert!((a - b).abs() <= 1e-12 * size, "{what}: {a} against {b}");
    }
}

/// The paper's two kinds of systems and a spatial loop: M, J and accelerations are those of other commands to 1e-12.
#[test]
fn numbers_are_those_of_the_engine() {
    let folder = Folder::new();
    let models = format!("{}/../../models/validation", env!("CARGO_MANIFEST_DIR"));
    for name in ["flexnet_four_bar", "flexnet_panels", "rssr_spin"] {
        let path = format!("{models}/{name}.toml");
        let found = json(&folder.succeed(&["equations", &path, "--json"]));
        let known = json(&folder.succeed(&["matrices", &path, "--json"]));
        assert_eq!(found["speeds"], known["speeds"]);
        same(&found["M"], &known["M"], name);
        if !found["constraints"].as_array().expect("rows").is_empty() {
            same(&found["Phi_q"], &known["J"], name);
        }
        assert!(!found["graph"]["cutset"].as_array().expect("rows").is_empty());
        // M a = Q + Phi_q* lambda, Phi_q a = Lambda.
        let (n, a) = (found["speeds"].as_array().expect("names").len(), numbers(&found["accelerations"]));
        let (mass, jacobian) = (numbers(&found["M"]), numbers(&found["Phi_q"]));
        let (force, lambda, right) =
            (numbers(&found["Q"]), numbers(&found["lambda"]), numbers(&found["Lambda"]));
        accelerations_agree(&a, &json(&folder.succeed(&["accel", &path, "--json"])), name);
        let prescribed = found["prescribed"].as_array().expect("flags");
        let size = force.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        for i in (0..n).filter(|&i| prescribed[i] == Value::Bool(false)) {
            let needed: f64 = (0..n).map(|j| mass[i * n + j] * a[j]).sum();
            let reactions: f64 = lambda.iter().enumerate().map(|(r, x)| jacobian[r * n + i] * x).sum();
            assert!((needed - force[i] - reactions).abs() < 1e-12 * size, "{name}: row {i}");
        }
        let fast = right.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
        for (r, wanted) in right.iter().enumerate() {
            let image: f64 = (0..n).map(|i| jacobian[r * n + i] * a[i]).sum();
            assert!((image - wanted).abs() < 1e-12 * fast, "{name}: constraint {r}");
        }
    }
}

/// Accelerations `found` of all speeds against those that another command finds by the recursions, in the order of their size.
fn accelerations_agree(found: &[f64], known: &Value, name: &str) {
    let joints = known["joints"].as_object().expect("joints").values().map(|joint| &joint["acceleration"]);
    let modes = known["modal_accelerations"].as_object().expect("bodies").values();
    let mut known: Vec<f64> = joints.chain(modes).flat_map(numbers).collect();
    let mut found = found.to_vec();
    found.sort_by(f64::total_cmp);
    known.sort_by(f64::total_cmp);
    assert_eq!(found.len(), known.len(), "{name}");
    let size = known.iter().fold(1e-300_f64, |most, x| most.max(x.abs()));
    for (a, b) in found.iter().zip(&known) {
        assert!((a - b).abs() <= 1e-12 * size, "{name}: {a} against {b}");
    }
}

#[test]
fn a_pendulum_is_shown_in_every_form() {
    let folder = Folder::new();
    let path = example("pendulum");
    let text = folder.succeed(&["equations", &path]);
    has(&text, &["cutset equations", "circuit equations", "hinge", "M:", "Q:", "accelerations:"]);
    // 0.083333 + 0.5² kg m²; 9.81 · 0.5 N m.
    let text = folder.succeed(&["equations", &path, "--symbolic"]);
    has(&text, &["q1 = hinge.angle", "M[1,1] = 0.333333", "Q[1] = 4.905 cos(q1)"]);
    let text = folder.succeed(&["equations", &path, "--symbolic", "--format", "latex"]);
    has(&text, &["\\begin{align*}", "\\cos q_{1}"]);
    let said = folder.succeed(&["equations", &path, "--symbolic", "--format", "c", "--output", "p.c"]);
    has(&said, &["formulas: ", "articulated bodies: ", "written: p.c"]);
    has(
        &std::fs::read_to_string(folder.file("p.c")).expect("code"),
        &["int accelerations(", "#define SPEEDS 1"],
    );
    let text = folder.succeed(&["equations", &path, "--symbolic", "--format", "rust"]);
    has(&text, &["pub fn accelerations(", "pub const SPEEDS: usize = 1;"]);
}

#[test]
fn what_has_no_formula_is_refused() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(example("pendulum")).expect("a model");
    folder.write(
        "pushed.toml",
        &text.replace("position = 0.0", "effort = { polynomial = [0.0, 1.0] }\nposition = 0.0"),
    );
    has(&folder.fail(2, &["equations", "pushed.toml", "--symbolic"]), &["depends on time"]);
}

#[test]
fn runs_take_the_graph_and_say_what_they_refuse() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(example("pendulum")).expect("a model");
    folder.write("graph.toml", &text.replace("[simulation]", "[simulation]\nformulation = \"graph\""));
    has(&folder.succeed(&["check", "graph.toml"]), &["formulation graph"]);
    for (name, model) in [("graph", "graph.toml"), ("own", &example("pendulum"))] {
        folder.succeed(&["run", model, "-q", "--end", "1", "--output", &format!("{name}.fxr")]);
        folder.succeed(&[
            "export",
            &format!("{name}.fxr"),
            "--channels",
            "hinge.angle",
            "--output",
            &format!("{name}.csv"),
        ]);
    }
    let last = |name: &str| -> f64 {
        let table = std::fs::read_to_string(folder.file(&format!("{name}.csv"))).expect("a table");
        table
            .lines()
            .last()
            .and_then(|line| line.split(',').nth(1))
            .expect("a value")
            .parse()
            .expect("a number")
    };
    assert!((last("graph") - last("own")).abs() < 1e-8, "{} {}", last("graph"), last("own"));
    folder.write(
        "wrong.toml",
        &text.replace(
            "[simulation]",
            "[simulation]\nformulation = \"graph\"\nmethod = \"energy-preserving\"\nstep = 1e-3",
        ),
    );
    has(&folder.fail(3, &["check", "wrong.toml"]), &["explicit methods and radau"]);
    has(&folder.fail(2, &["run", &example("pendulum"), "--formulation", "tree"]), &["global or graph"]);
}
