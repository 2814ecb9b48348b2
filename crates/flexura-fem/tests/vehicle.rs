//! The Iltis with flexible A-arms, leaf-spring bars and steering rods: examples 2 and 3 of Lugrís, Cuadrado,
//! González & Luaces (2007), in the topological (recursive) and the global formulation.

use flexura::file::build_text_with;
use flexura::formulation::global::{GlobalModel, GlobalOptions};
use flexura::model::Built;
use flexura::model::description::Description;
use flexura::{Model, Recording};
use flexura_fem::source::PartSource;
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/vehicle").join(name)
}

/// A model of the folder with lines put in place of others.
fn built(name: &str, replace: &[(&str, &str)]) -> Built {
    let path = file(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let text = replace.iter().fold(text, |text, (old, new)| text.replace(old, new));
    let source = PartSource::default();
    build_text_with(&text, path.to_str().unwrap(), &source).unwrap_or_else(|errors| panic!("{errors}")).built
}

/// The rigid model with A-arms, bars and rods of the flexible one where asked for.
fn mixed(rigid: &Description, flexible: &Description, [arm, bar, rod]: [bool; 3]) -> Model {
    let mut description = rigid.clone();
    let bends = |name: &str| {
        (arm && name.starts_with("arm"))
            || (bar && name.starts_with("bar"))
            || (rod && name.starts_with("rod"))
    };
    for (body, other) in description.bodies.iter_mut().zip(&flexible.bodies) {
        if bends(&body.name) {
            *body = other.clone();
        }
    }
    if arm {
        // The frame of the hinge is an interface of the part.
        description.joints = flexible.joints.clone();
    }
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

const COMBINATIONS: [[bool; 3]; 8] = [
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [false, false, true],
    [true, true, false],
    [true, false, true],
    [false, true, true],
    [true, true, true],
];

/// Tables 3 and 5 of the paper: none, A, B, S, A+B, A+S, B+S, all.
#[test]
fn coordinate_counts() {
    let tables = [
        ("suspension.toml", "suspension_flexible.toml", [8, 12, 14, 14, 18, 18, 20, 24], 25),
        ("iltis_stepped_road.toml", "iltis_flexible.toml", [34, 50, 58, 58, 74, 74, 82, 98], 168),
    ];
    for (rigid, flexible, topological, published) in tables {
        let (rigid, flexible) = (built(rigid, &[]).description, built(flexible, &[]).description);
        let mut counts = Vec::new();
        for (choice, expected) in COMBINATIONS.into_iter().zip(topological) {
            let model = mixed(&rigid, &flexible, choice);
            let free = model.prescribed.iter().filter(|prescribed| !**prescribed).count();
            assert_eq!(free, expected, "{choice:?}");
            counts.push(GlobalModel::new(&model, &GlobalOptions::default()).unwrap().coordinate_count());
        }
        println!("topological {topological:?}, global {counts:?} (paper, rigid: {published})");
    }
}

fn simulate(built: &Built, end: f64) -> Recording {
    let mut description = built.description.clone();
    description.simulation.end = end;
    let again = Built { description, ..built.clone() };
    again.simulate().unwrap_or_else(|error| panic!("{error}"))
}

/// Largest difference of a channel, and its largest change over time.
fn difference(a: &Recording, b: &Recording, name: &str) -> (f64, f64) {
    let (a, b) = (a.channel(name).unwrap(), b.channel(name).unwrap());
    let apart = a.iter().zip(&b).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()));
    (apart, a.iter().fold(0.0, |most: f64, x| most.max((x - a[0]).abs())))
}

#[test]
fn both_formulations_agree_through_the_step() {
    for name in ["suspension.toml", "suspension_flexible.toml"] {
        let topological = simulate(&built(name, &[]), 2.3);
        let global =
            simulate(&built(name, &[("[simulation]", "[simulation]\nformulation = \"global\"")]), 2.3);
        for channel in ["chassis.position.z", "hub_fl.position.z"] {
            let (apart, range) = difference(&topological, &global, channel);
            println!("{name} {channel}: {apart:.2e} m apart, moves {range:.3} m");
            assert!(apart < 0.01 * range);
        }
    }
}
