//! Parts that move in a plane: modes counted are those of the plane, refusals, and loads across the plane that runs name.

use flexura::file::load_model_with;
use flexura::simulate::run;
use flexura_fem::PartSource;
use flexura_fem::part::Part;
use flexura_fem::{Material, Plane, Reduction, ReductionKind, Section, generate};
use std::path::Path;

fn frequencies(plane: Option<Plane>, modes: usize) -> (Vec<f64>, f64) {
    let mesh =
        generate::beam(1.0, 24, Material::isotropic(70e9, 0.33, 2700.0), Section::tube(0.01, 0.008)).unwrap();
    let mut reduction = Reduction::new("root", ReductionKind::CraigBampton { modes }).interface("tip");
    if let Some(plane) = plane {
        reduction = reduction.in_plane(plane);
    }
    let reduced = reduction.run(&mesh).unwrap();
    let dynamic = reduced.static_shapes..reduced.shapes.ncols();
    let found =
        dynamic.map(|i| (reduced.stiffness[(i, i)] / reduced.mass[(i, i)]).sqrt() / std::f64::consts::TAU);
    let leaving = plane.map_or([false; 6], Plane::leaving);
    let out = (0..reduced.shapes.nrows()).filter(|row| leaving[row % 6]);
    let largest = out.fold(0.0_f64, |most, row| most.max(reduced.shapes.row(row).amax()));
    (found.collect(), largest)
}

/// Bending in two planes comes in pairs, twist is in none: the plane has one of each pair, and stretch.
#[test]
fn the_plane_has_one_of_each_pair_and_no_twist() {
    let (all, _) = frequencies(None, 24);
    // A held tube twists at k c / 2L with c = sqrt(G / density).
    let speed = (70e9_f64 / (2.0 * 1.33) / 2700.0).sqrt();
    let twist =
        |frequency: f64| (1..6).any(|k| (frequency / (f64::from(k) * speed / 2.0) - 1.0).abs() < 0.02);
    for plane in [Plane::Xy, Plane::Zx] {
        let (found, out) = frequencies(Some(plane), 10);
        assert_eq!((found.len(), out), (10, 0.0));
        // Every frequency of the plane is one of the whole, and every bending frequency of the whole is in the plane.
        for frequency in &found {
            let twins = all.iter().filter(|other| (*other / frequency - 1.0).abs() < 1e-6).count();
            let beyond = *frequency > *all.last().unwrap();
            assert!(twins == 2 || twins == 1 || beyond, "{frequency} Hz {twins} times in {all:?}");
        }
        for frequency in all.iter().filter(|frequency| !twist(**frequency)).filter(|f| **f < found[9]) {
            assert!(found.iter().any(|other| (other / frequency - 1.0).abs() < 1e-6), "{frequency} Hz lost");
        }
    }
}

const PART: &str = r#"
name = "boom"
[[material]]
name = "aluminium"
young = 70e9
poisson = 0.33
density = 2700
[[node]]
name = "root"
position = [0, 0, 0]
[[node]]
name = "tip"
position = [2, 0, 0]
[[beam]]
between = ["root", "tip"]
elements = 10
material = "aluminium"
section = { tube = [0.025, 0.022] }
[[interface]]
name = "root"
node = "root"
[[interface]]
name = "tip"
node = "tip"
[reduction]
reference = "root"
plane = "xy"
modes = 4
"#;

#[test]
fn free_parts_are_held_in_no_plane() {
    let text = PART.replace("modes = 4", "method = \"free-free\"\nmodes = 4");
    let part = Part::from_text(&text, Path::new("boom.toml")).unwrap();
    let error = part.reduce(&mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("plane") && error.contains("craig-bampton"), "{error}");
    assert!(Part::from_text(&PART.replace("\"xy\"", "\"x\""), Path::new("boom.toml")).is_err());
}

/// The part's own flexibility judges the shapes: a load across the plane is not carried, and the run says so.
#[test]
fn loads_across_the_plane_are_named() {
    let folder = std::env::temp_dir().join(format!("flexura-plane-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("boom.toml"), PART).unwrap();
    let alarms = |force: &str| {
        let path = folder.join("model.toml");
        let text = format!(
            "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"boom\"\nfe = \"boom.toml\"\n[[joint]]\nname = \"root\"\n\
             type = \"weld\"\nbetween = [\"ground.origin\", \"boom.root\"]\n[[force]]\nname = \"load\"\nat = \"boom.tip\"\n\
             force = {force}\n[simulation]\nend = 0.2\nmethod = \"generalized-alpha\"\nstep = 0.002\n"
        );
        std::fs::write(&path, text).unwrap();
        let loaded = load_model_with(&path, &PartSource::default()).unwrap_or_else(|error| panic!("{error}"));
        let (model, description) = (&loaded.built.model, &loaded.built.description);
        let mut recorder = flexura::record::Recorder::new(model, &[]).unwrap();
        let mut rows = flexura::record::Recording::new(recorder.channels());
        let outcome = run(model, &description.simulation, &mut recorder, &mut rows, &mut |_| true).unwrap();
        outcome.modes.iter().any(flexura::truncation::ModeVerdict::is_alarm)
    };
    assert!(!alarms("[0, 20, 0]"), "in the plane");
    assert!(alarms("[0, 0, 20]"), "across it");
    std::fs::remove_dir_all(folder).unwrap();
}
