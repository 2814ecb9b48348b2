//! `flexura export` to Parquet and to meshes for ParaView.

use crate::common::{Folder, example, has};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A cantilever bent as by a force at its tip: v = δ (3 s² − s³)/2, M = 3 E I δ (1 − s)/L².
const CANTILEVER: &str = "[model]
gravity = [0, 0, 0]
[[body]]
name = \"beam\"
[body.beam]
length = 2.0
density = 2700
young = 70e9
poisson = 0.33
section = { rectangle = [0.02, 0.05] }
shapes = [{ kind = \"bending_y\", polynomial = [0, 0, 1.5, -0.5] }]
[[body.frame]]
name = \"tip\"
station = \"tip\"
[[joint]]
name = \"clamp\"
type = \"weld\"
between = [\"ground.origin\", \"beam.origin\"]
[simulation]
end = 0.02
[[simulation.initial]]
body = \"beam\"
modal_position = [0.03]
";

/// Numbers of the array called `name` in a VTU file.
fn numbers(text: &str, name: &str) -> Vec<f64> {
    let (_, rest) = text.split_once(&format!("Name=\"{name}\"")).expect(name);
    let data = rest.split_once('>').expect("an array").1.split_once('<').expect("its end").0;
    let bytes = STANDARD.decode(data).expect("base64");
    let length = u32::from_le_bytes(bytes[..4].try_into().expect("a length")) as usize;
    assert_eq!(length + 4, bytes.len(), "{name}");
    bytes[4..].chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().expect("eight bytes"))).collect()
}

#[test]
fn meshes_are_deformed_and_stressed() {
    let folder = Folder::new();
    folder.write("m.toml", CANTILEVER);
    folder.succeed(&["run", "m.toml"]);
    let text = folder.succeed(&["export", "m.fxr", "-o", "m.pvd", "--every", "2"]);
    has(&text, &["2 meshes", "m.pvd"]);
    let list = std::fs::read_to_string(folder.file("m.pvd")).expect("a collection");
    has(&list, &["timestep=\"0.02\" file=\"m/00001.vtu\""]);
    let grid = std::fs::read_to_string(folder.file("m/00000.vtu")).expect("a grid");
    let (points, stress) = (numbers(&grid, "Points"), numbers(&grid, "von_mises"));
    assert_eq!(points.len(), 3 * stress.len());
    // Tip: deflection 0.03 m, slope 1.5 δ/L; corners half a width away. The picture is in f32.
    let tip: Vec<f64> = points.chunks(3).rev().take(4).map(|p| p[1]).collect();
    let middle = tip.iter().sum::<f64>() / 4.0;
    assert!((middle - 0.03).abs() < 1e-7, "{middle}");
    // Root: σ = E (b/2) 3 δ/L² in all four corners; none at the tip.
    let expected = 70e9 * 0.01 * 3.0 * 0.03 / 4.0;
    for corner in &stress[..4] {
        assert!((corner / expected - 1.0).abs() < 1e-6, "{corner} against {expected}");
    }
    assert!(stress[stress.len() - 4..].iter().all(|s| s.abs() < 1e-6 * expected));
    let half = stress[stress.len() / 2];
    assert!((half / expected - 0.5).abs() < 0.03, "linear along the beam: {half}");
}

#[test]
fn rigid_bodies_and_large_scales_are_exported() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("robot_arm"), "--end", "0.05", "-o", "r.fxr"]);
    folder.succeed(&["export", "r.fxr", "-o", "out.pvd", "--scale", "10", "--every", "5"]);
    let grid = std::fs::read_to_string(folder.file("out/00000.vtu")).expect("a grid");
    assert!(numbers(&grid, "Points").iter().all(|value| value.is_finite()));
    // A shorter export leaves nothing of the longer one in its folder.
    let meshes = || std::fs::read_dir(folder.file("out")).expect("a folder").count();
    let before = meshes();
    folder.succeed(&["export", "r.fxr", "-o", "out.pvd", "--every", "50"]);
    let list = std::fs::read_to_string(folder.file("out.pvd")).expect("a collection");
    assert!(meshes() < before && meshes() == list.matches("<DataSet").count(), "{} of {before}", meshes());
    // A file is in the way of the folder of meshes.
    folder.write("blocked", "precious");
    has(&folder.fail(5, &["export", "r.fxr", "-o", "blocked.pvd"]), &["cannot write blocked"]);
}

/// Beams of a finite element part have no stresses in the file: they must not look relaxed beside its plate.
#[test]
fn stresses_that_are_not_known_are_no_numbers() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("panel_swing"), "--end", "0.5", "-o", "p.fxr"]);
    folder.succeed(&["export", "p.fxr", "-o", "p.pvd", "--every", "50"]);
    let grid = std::fs::read_to_string(folder.file("p/00001.vtu")).expect("a grid");
    let (points, stress) = (numbers(&grid, "Points"), numbers(&grid, "von_mises"));
    for (point, stress) in points.chunks(3).zip(&stress) {
        // The plate begins 0.6 m from the hub, where the beams of the yoke end.
        let beam = point[0].hypot(point[2]) < 0.59;
        assert_eq!(stress.is_nan(), beam, "{point:?}: {stress}");
        assert!(beam || *stress > 0.0, "{point:?}: {stress}");
    }
}

#[test]
fn parquet_files_are_written_by_their_ending() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum"), "--end", "0.1"]);
    folder.succeed(&["export", "pendulum.fxr", "-c", "energy.*", "-o", "e.parquet"]);
    let bytes = std::fs::read(folder.file("e.parquet")).expect("a file");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    has(&folder.fail(2, &["export", "pendulum.fxr", "-c", "enrgy.*", "-o", "e.parquet"]), &["enrgy"]);
    assert_eq!(bytes, std::fs::read(folder.file("e.parquet")).expect("left alone"));
}
