//! Whatever is described is in the model, in every choice of coordinates, and does the same there.

use flexura::file;
use flexura::model::description::{ElementKindDescription, TreeChoice};

/// Two gears, the small one driven against a damper on the large one.
fn gears(graph: &str, method: &str) -> String {
    format!(
        r#"
        [model]
        gravity = [0, 0, 0]
        {graph}
        [[ground.frame]]
        name = "second"
        position = [0.3, 0, 0]
        [[body]]
        name = "small"
        mass = 1.0
        inertia = [0.006667, 0.006667, 0.006667]
        [[body]]
        name = "large"
        mass = 4.0
        inertia = [0.1067, 0.1067, 0.1067]
        [[joint]]
        name = "drive"
        type = "revolute"
        between = ["ground.origin", "small.origin"]
        effort = 0.5
        [[joint]]
        name = "driven"
        type = "revolute"
        between = ["ground.second", "large.origin"]
        damping = 0.2
        [[element]]
        name = "teeth"
        type = "coupler"
        between = ["drive", "driven"]
        factors = [0.1, 0.2]
        stiffness = 1e5
        damping = 50
        [simulation]
        end = 2.0
        output_interval = 0.5
        {method}
        "#
    )
}

/// Gears of which one closes a loop were not coupled: 150 rad/s instead of 9.5 rad/s.
#[test]
fn couplers_act_in_every_tree() {
    let channels = ["drive.rate", "driven.rate", "drive.angle", "teeth.effort", "driven.moment.z"];
    let trees =
        ["", "[graph]\ntree = \"absolute\"", "[graph]\ntree = [\"drive\"]", "[graph]\ntree = [\"driven\"]"];
    let methods = [
        "method = \"dormand-prince\"",
        "method = \"radau\"",
        "method = \"rk4\"\nstep = 2e-4",
        "method = \"trapezoidal\"\nstep = 5e-4",
        "method = \"generalized-alpha\"\nspectral_radius = 0.8\nstep = 5e-4",
        "method = \"energy-preserving\"\nstep = 5e-4",
    ];
    let last = |graph: &str, method: &str| {
        let text = gears(graph, method);
        let built = file::build_text(&text, "gears.toml").expect("valid").built;
        let recording = built.simulate().unwrap_or_else(|error| panic!("{method} {graph}: {error}"));
        assert!(recording.last("energy.balance").expect("recorded").abs() < 1e-2, "{method} {graph}");
        channels.map(|name| recording.last(name).unwrap_or_else(|error| panic!("{graph}: {error}")))
    };
    let expected = last("", methods[0]);
    for method in methods {
        for graph in trees {
            let found = last(graph, method);
            for ((name, found), expected) in channels.iter().zip(found).zip(expected) {
                let close = (found - expected).abs() < 2e-3 * (1.0 + expected.abs());
                assert!(close, "{method} {graph}: {name} is {found}, not {expected}");
            }
        }
    }
}

/// A coupler that cannot measure its joint is refused by name.
#[test]
fn couplers_that_measure_nothing_are_refused() {
    let text = gears("[graph]\ntree = \"absolute\"", "")
        .replace(
            "name = \"driven\"\n        type = \"revolute\"",
            "name = \"driven\"\n        type = \"universal\"",
        )
        .replace("[\"drive\", \"driven\"]", "[\"drive\", \"driven.angle1\"]")
        .replace("damping = 0.2", "");
    let errors = file::build_text(&text, "gears.toml").expect_err("cannot be measured");
    let all = file::render_all(&errors.diagnostics, &errors.spans);
    assert!(all.contains("coupler-loop") && all.contains("`teeth`") && all.contains("`driven`"), "{all}");
}

fn models() -> Vec<std::path::PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut folders, mut files) = (vec![root.join("models"), root.join("book/examples")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path())
        {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|ending| ending == "toml") {
                files.push(entry);
            }
        }
    }
    files.sort();
    files
}

/// Names of everything described are names in the model, or the model is refused.
#[test]
fn every_example_is_complete_in_every_tree() {
    let mut seen = [0; 4];
    for path in models() {
        let Ok(loaded) = file::load_model(&path) else { continue };
        for tree in [TreeChoice::Joint, TreeChoice::Absolute] {
            let mut description = loaded.built.description.clone();
            description.graph.tree = tree;
            description.graph.cut.clear();
            let Ok(built) = description.build() else { continue };
            let (model, described) = (&built.model, &built.description);
            let couplers =
                |kind: &ElementKindDescription| matches!(kind, ElementKindDescription::Coordinates(_));
            let coupled = described.elements.iter().filter(|element| couplers(&element.kind)).count();
            let counts = [
                (model.forces.len(), described.forces.len()),
                (model.loads.len(), described.loads.len()),
                (model.elements.len(), described.elements.len() - coupled),
                (model.couplers.len(), coupled),
                (model.controllers.len(), described.controllers.len()),
            ];
            for (index, (found, expected)) in counts.into_iter().enumerate() {
                assert_eq!(found, expected, "{}: {index}", path.display());
                seen[index.min(3)] += found;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

/// An event on a channel that is not there.
#[test]
fn events_that_watch_nothing_are_refused() {
    let event =
        gears("", "") + "\n[[simulation.event]]\nname = \"fast\"\nchannel = \"drive.speed\"\nvalue = 3.0\n";
    let errors = file::build_text(&event, "gears.toml").expect_err("no such channel");
    let all = file::render_all(&errors.diagnostics, &errors.spans);
    assert!(all.contains("unknown-channel") && all.contains("`fast`"), "{all}");
}
