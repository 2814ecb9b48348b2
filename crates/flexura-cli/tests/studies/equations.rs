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

/// Models of `numbers_are_those_of_the_engine`, moving: what is added to their files, and whether they are closed.
const MOVING: [(&str, &str, &str); 3] = [
    // In the middle of the motion, bent and swinging.
    (
        "flexnet_four_bar",
        "[[simulation.initial]]\nbody = \"coupler\"\nmodal_position = [2e-3, -1e-3]\nmodal_speed = [0.7, 0.4]\n",
        "",
    ),
    (
        "flexnet_panels",
        "[[simulation.initial]]\nbody = \"inner\"\nmodal_position = [0.02, -0.01, 0.005, 0.002, 0, 0.001, 0]\nmodal_speed = [0.3, -0.2, 0.1, 0.4, 0.2, 0, -0.1]\n",
        "start = 5.0\n",
    ),
    ("rssr_spin", "", ""),
];

/// A copy of a model of `models/validation` with gravity, at another start.
fn moving(folder: &Folder, name: &str, added: &str, start: &str) -> String {
    let models = format!("{}/../../models/validation", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(format!("{models}/{name}.toml")).expect("a model");
    let text = text
        .replace("fe = \"parts/", &format!("fe = \"{models}/parts/"))
        .replace("gravity = [0, 0, 0]", "gravity = [0.7, -9.81, 1.3]")
        .replace("[simulation]\n", &format!("[simulation]\n{start}"));
    folder.write(&format!("{name}.toml"), &(text + "\n" + added));
    format!("{name}.toml")
}

/// The paper's two examples and a spatial four-bar, at moving states: M, J, λ and accelerations are those of the recursions to 1e-12.
#[test]
fn numbers_are_those_of_the_engine() {
    let folder = Folder::new();
    for (name, added, start) in MOVING {
        let path = moving(&folder, name, added, start);
        let found = json(&folder.succeed(&["equations", &path, "--json"]));
        let known = json(&folder.succeed(&["matrices", &path, "--json"]));
        assert_eq!(found["speeds"], known["speeds"]);
        same(&found["M"], &known["M"], name);
        assert!(!found["graph"]["cutset"].as_array().expect("rows").is_empty());
        let (n, a) = (found["speeds"].as_array().expect("names").len(), numbers(&found["accelerations"]));
        let (force, right) = (numbers(&found["Q"]), numbers(&found["Lambda"]));
        let largest = |list: &[f64]| list.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        assert!(largest(&force) > 1.0 && largest(&a) > 0.1, "{name} is at rest");
        accelerations_agree(&found, &json(&folder.succeed(&["accel", &path, "--json"])), name);
        let lambda = numbers(&found["lambda"]);
        if !found["constraints"].as_array().expect("rows").is_empty() {
            same(&found["Phi_q"], &known["J"], name);
            assert!(largest(&lambda) > 1.0, "{name} has no reactions");
            multipliers_agree(&folder.file(&path), &lambda, name);
        }
        // M a = Q + Phi_q* lambda, Phi_q a = Lambda.
        let (mass, jacobian) = (numbers(&found["M"]), numbers(&found["Phi_q"]));
        let prescribed = found["prescribed"].as_array().expect("flags");
        for i in (0..n).filter(|&i| prescribed[i] == Value::Bool(false)) {
            let terms: Vec<f64> = (0..n).map(|j| mass[i * n + j] * a[j]).collect();
            let reactions: Vec<f64> =
                lambda.iter().enumerate().map(|(r, x)| jacobian[r * n + i] * x).collect();
            // Rounding is that of the largest term, which may be far larger than their sum.
            let size = largest(&terms).max(largest(&reactions)).max(force[i].abs());
            let left = terms.iter().sum::<f64>() - force[i] - reactions.iter().sum::<f64>();
            assert!(left.abs() < 1e-12 * size, "{name}: row {i}: {left:e} of {size:e}");
        }
        for (r, wanted) in right.iter().enumerate() {
            let terms: Vec<f64> = (0..n).map(|i| jacobian[r * n + i] * a[i]).collect();
            let left = terms.iter().sum::<f64>() - wanted;
            assert!(
                left.abs() <= 1e-12 * largest(&terms).max(wanted.abs()),
                "{name}: constraint {r}: {left:e}"
            );
        }
    }
}

/// Accelerations against those that another command finds by the recursions, joint by joint and body by body.
fn accelerations_agree(found: &Value, known: &Value, name: &str) {
    let mut lists: std::collections::BTreeMap<(bool, String), Vec<f64>> = std::collections::BTreeMap::new();
    for (label, x) in found["speeds"].as_array().expect("names").iter().zip(numbers(&found["accelerations"]))
    {
        let label = label.as_str().expect("a name");
        let (item, rest) = label.split_once('.').expect("a name and a kind");
        lists.entry((rest.starts_with("eta_rate"), item.into())).or_default().push(x);
    }
    let size = lists.values().flatten().fold(1e-300_f64, |most, x| most.max(x.abs()));
    let joints = known["joints"].as_object().expect("joints");
    let modes = known["modal_accelerations"].as_object().expect("bodies");
    let moving = joints.iter().filter(|(_, joint)| !numbers(&joint["acceleration"]).is_empty()).count();
    assert_eq!(lists.len(), moving + modes.len(), "{name}: {:?}", lists.keys());
    for ((modal, item), values) in &lists {
        let other = numbers(if *modal { &modes[item] } else { &joints[item]["acceleration"] });
        assert_eq!(values.len(), other.len(), "{name}: {item}");
        for (a, b) in values.iter().zip(&other) {
            assert!((a - b).abs() <= 1e-12 * size, "{name}: {item}: {a} against {b} of {size:e}");
        }
    }
}

/// λ against the reactions that the closure on the recursions finds, row by row.
fn multipliers_agree(path: &std::path::Path, found: &[f64], name: &str) {
    let loaded = flexura::load_with(path, &flexura_fem::PartSource::default()).expect("a model");
    let (model, start) = (&loaded.built.model, loaded.built.description.simulation.start);
    let mut state = flexura::State::initial(model, start);
    let mut work = flexura::Workspace::new(model);
    flexura::state::prescribe::apply_prescribed(model, &mut state, Some(&mut work.load));
    flexura::evaluate(model, &state, &mut work).expect("regular");
    let known = &work.closure.multipliers;
    let size = known.iter().fold(1e-300_f64, |most, x| most.max(x.abs()));
    assert_eq!(found.len(), known.len(), "{name}");
    for (r, (a, b)) in found.iter().zip(known).enumerate() {
        assert!((a - b).abs() <= 1e-12 * size, "{name}: λ {r}: {a} against {b} of {size:e}");
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
    has(&said, &["formulas: ", "with the solution of the system: ", "articulated bodies: ", "written: p.c"]);
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
