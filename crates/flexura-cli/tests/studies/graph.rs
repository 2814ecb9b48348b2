//! `flexura graph`: files, matrices, choice of the tree.

use crate::common::{Folder, example, has};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write;

/// Bars `b1` … with frames `a` and `b`, and hinges between the given frames.
fn mechanism(bars: usize, ground: &[&str], hinges: &[(&str, &str, &str)]) -> String {
    let mut text = String::from("[model]\nname = \"mech & co\"\n");
    for name in ground {
        let _ = write!(text, "[[ground.frame]]\nname = \"{name}\"\nposition = [1, 0, 0]\n");
    }
    for k in 1..=bars {
        let _ = write!(
            text,
            "[[body]]\nname = \"b{k}\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n\
             [[body.frame]]\nname = \"a\"\nposition = [-0.5, 0, 0]\n[[body.frame]]\nname = \"b\"\nposition = [0.5, 0, 0]\n"
        );
    }
    for (name, first, second) in hinges {
        let _ = write!(
            text,
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbetween = [\"{first}\", \"{second}\"]\naxis = [0, 1, 0]\n"
        );
    }
    text
}

fn four_bar() -> String {
    let hinges = [
        ("O", "ground.origin", "b1.a"),
        ("A", "b1.b", "b2.a"),
        ("B", "b2.b", "b3.b"),
        ("C", "ground.C", "b3.a"),
    ];
    mechanism(3, &["C"], &hinges)
}

fn graph_json(folder: &Folder, arguments: &[&str]) -> Value {
    let text = folder.succeed(&[&["graph", "model.toml", "--json"], arguments].concat());
    serde_json::from_str(&text).expect("JSON")
}

fn branches(json: &Value) -> Vec<&str> {
    let edges = json["edges"].as_array().expect("edges").iter();
    edges.filter(|edge| edge["branch"] == true).map(|edge| edge["name"].as_str().expect("a name")).collect()
}

#[test]
fn pictures_of_a_loop_have_every_name() {
    let folder = Folder::new();
    folder.write("model.toml", &four_bar());
    let text = folder.succeed(&["graph", "model.toml"]);
    has(
        &text,
        &[
            "  vertices            11",
            "edges               21: 10 branches, 11 chords",
            "joints as chords    B",
            "B: B, C, O, A (4 freedoms)",
            "6 × 3 bodies − 20 constraints = -2",
            "written: model.svg, model.dot",
        ],
    );
    let read = |name: &str| std::fs::read_to_string(folder.file(name)).expect(name);
    let (svg, dot) = (read("model.svg"), read("model.dot"));
    let json = graph_json(&folder, &[]);
    let names = json["edges"].as_array().expect("edges").iter().map(|edge| &edge["name"]);
    for name in names.chain(json["vertices"].as_array().expect("vertices")) {
        let name = name.as_str().expect("a name");
        assert_eq!(svg.matches(&format!(">{name}</text>")).count(), 1, "{name}");
        assert_eq!(dot.matches(&format!("label=\"{name}\"")).count(), 1, "{name}");
    }
    // Ten branches are bold, the chord and the eight edges of its circuit carry the colour of the loop.
    assert_eq!(dot.matches("style=bold").count(), 10);
    assert_eq!(svg.matches("stroke-width=\"3.4\"").count(), 10);
    let circuit = 1 + 3 + 6 + 1;
    assert_eq!(
        dot.matches(":#d55e00").count() + dot.matches("color=\"#d55e00\", fontcolor").count(),
        circuit
    );
    has(&svg, &["mech &amp; co", "</svg>"]);
    // The same picture every time.
    folder.succeed(&["graph", "model.toml", "--output", "again.v2"]);
    assert_eq!(read("again.v2.svg"), svg);
    assert_eq!(read("again.v2.dot"), dot);
    folder.succeed(&["graph", "model.toml", "--hide-work"]);
    assert!(!read("model.svg").contains(":work") && !read("model.dot").contains(":work"));
}

#[test]
fn tags_and_places_of_the_pictures_make_sense() {
    let folder = Folder::new();
    for name in ["pendulum", "satellite", "robot_arm", "flexible_arm", "controlled_arm"] {
        folder.succeed(&["graph", &example(name)]);
        let svg = std::fs::read_to_string(folder.file(&format!("{name}.svg"))).expect("a picture");
        let opened = svg.matches('<').count() - svg.matches("</").count();
        assert_eq!(opened, svg.matches("/>").count() + svg.matches("</").count(), "{name}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
        let size = |key: &str| -> f64 {
            let (_, rest) = svg.split_once(&format!("{key}=\"")).expect(key);
            rest.split('"').next().expect("a value").parse().expect("a number")
        };
        let mut circles = Vec::new();
        for part in svg.split("<circle ").skip(1) {
            let number = |key: &str| -> f64 {
                let (_, rest) = part.split_once(&format!("{key}=\"")).expect(key);
                rest.split('"').next().expect("a value").parse().expect("a number")
            };
            let (x, y) = (number("cx"), number("cy"));
            assert!((0.0..size("width")).contains(&x) && (0.0..size("height")).contains(&y), "{name}");
            circles.push((x, y));
        }
        for (i, a) in circles.iter().enumerate() {
            for b in &circles[..i] {
                assert!((a.0 - b.0).abs() > 30.0, "{name}: every vertex has a column of its own");
            }
        }
    }
}

#[test]
fn check_names_the_loops_of_a_model() {
    let folder = Folder::new();
    let at = |text: String, joint: &str, angle: &str| {
        let name = format!("name = \"{joint}\"\ntype = \"revolute\"\n");
        text.replace(&name, &format!("{name}position = {angle}\n"))
    };
    // A unit square, standing on the ground.
    let square = at(at(at(four_bar(), "O", "-1.5708"), "A", "1.5708"), "C", "-1.5708");
    folder.write("model.toml", &square);
    let text = folder.succeed(&["check", "model.toml"]);
    has(
        &text,
        &[
            "closed loops        1: 5 constraints, 2 independent",
            "1 by rank, -2 by counting (Grübler)",
            "): B, C, O, A",
        ],
    );
    assert!(!folder.succeed(&["check", &example("pendulum")]).contains("closed loops"));
}

#[test]
fn the_tree_can_be_forced() {
    let folder = Folder::new();
    folder.write("model.toml", &four_bar());
    let is = |tree: &str, name: &str| branches(&graph_json(&folder, &["--tree", tree])).contains(&name);
    assert!(is("joint", "O") && !is("joint", "B") && !is("joint", "body:b1"));
    assert!(!is("absolute", "O") && is("absolute", "body:b1") && is("absolute", "body:b3"));
    let mixed = "B, b3"; // a joint and a body
    assert!(
        is(mixed, "B")
            && is(mixed, "body:b3")
            && is(mixed, "body:b1")
            && !is(mixed, "body:b2")
            && !is(mixed, "O")
    );
    folder.write("cut.toml", &format!("{}[graph]\ncut = \"A\"\n", four_bar()));
    has(&folder.succeed(&["graph", "cut.toml"]), &["in the tree         O, B, C", "joints as chords    A"]);
    folder.write("absolute.toml", &format!("{}[graph]\ntree = \"absolute\"\n", four_bar()));
    has(&folder.succeed(&["graph", "absolute.toml"]), &["joints as chords    O, A, B, C"]);
    let text = folder.fail(2, &["graph", "model.toml", "--tree", "O,A,B,C"]);
    has(&text, &["form a circuit", "O"]);
    let text = folder.fail(2, &["graph", "model.toml", "--tree", "body:b4"]);
    has(&text, &["no edge, joint or body is called `body:b4`", "did you mean `body:b1`?"]);
}

#[test]
fn matrices_are_orthogonal_and_named() {
    let folder = Folder::new();
    folder.write("model.toml", &four_bar());
    let text = folder.succeed(&["graph", "model.toml", "--matrices"]);
    has(&text, &["incidence, 11 × 21", "cutset, 10 × 21", "circuit, 11 × 21", "| body:b1"]);
    let row =
        text.lines().skip_while(|line| !line.starts_with("circuit")).find(|line| line.starts_with("  B "));
    // Branches: the arms b1.a b1.b b2.a b2.b b3.b b3.a in order of use, C's place, O, A, C; then the chord B itself.
    assert_eq!(
        row.expect("the circuit of B").split_whitespace().collect::<Vec<_>>().join(" "),
        "B -1 1 -1 1 -1 1 -1 1 1 -1 | 1 . . . . . . . . . ."
    );
    for tree in ["joint", "absolute", "B,b3"] {
        let json = graph_json(&folder, &["--matrices", "--tree", tree]);
        let rows = |name: &str| -> Vec<HashMap<String, i64>> {
            let rows = json["matrices"][name].as_array().expect(name).iter();
            let terms = |row: &Value| {
                let terms = row["terms"].as_object().expect("terms").iter();
                terms.map(|(name, value)| (name.clone(), value.as_i64().expect("a number"))).collect()
            };
            rows.map(terms).collect()
        };
        let (incidence, cutset, circuit) = (rows("incidence"), rows("cutset"), rows("circuit"));
        assert_eq!((incidence.len(), cutset.len(), circuit.len()), (11, 10, 11));
        for closed in &circuit {
            for other in incidence.iter().chain(&cutset) {
                let product: i64 =
                    closed.iter().map(|(name, value)| value * other.get(name).copied().unwrap_or(0)).sum();
                assert_eq!(product, 0, "{tree}");
            }
        }
    }
}

#[test]
fn what_is_too_large_or_wrong_is_said() {
    let folder = Folder::new();
    let chain = |bars: usize| {
        let names: Vec<[String; 3]> = (1..=bars)
            .map(|k| {
                let first = if k == 1 { "ground.origin".into() } else { format!("b{}.b", k - 1) };
                [format!("j{k}"), first, format!("b{k}.a")]
            })
            .collect();
        let hinges: Vec<(&str, &str, &str)> = names
            .iter()
            .map(|[name, first, second]| (name.as_str(), first.as_str(), second.as_str()))
            .collect();
        mechanism(bars, &[], &hinges)
    };
    folder.write("model.toml", &chain(100));
    let output = folder.flexura(&["graph", "model.toml"]);
    has(&crate::common::errors(&output), &["only the DOT file is written"]);
    assert!(folder.file("model.dot").exists() && !folder.file("model.svg").exists());
    folder.write("model.toml", &chain(1000));
    has(&folder.fail(2, &["graph", "model.toml", "--matrices"]), &["more than 2000 vertices"]);
    folder.write("model.toml", &four_bar().replace("b1.a", "b1.c"));
    has(&folder.fail(3, &["graph", "model.toml"]), &["b1.c", "no model was built"]);
    folder.write("model.toml", &four_bar());
    folder.fail(5, &["graph", "model.toml", "--output", "no/such/folder/picture"]);
    folder.fail(5, &["graph", "missing.toml"]);
}
