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
        // The plate begins 0.6 m from the hub, where the beams of the yoke end: there the last sections of beams are drawn too.
        let distance = point[0].hypot(point[2]);
        if (distance - 0.6).abs() > 0.02 {
            assert_eq!(stress.is_nan(), distance < 0.6, "{point:?}: {stress}");
        }
        assert!(stress.is_nan() || *stress > 0.0, "{point:?}: {stress}");
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

/// A glTF file taken apart by hand: document and buffer.
struct Glb {
    document: serde_json::Value,
    buffer: Vec<u8>,
}

impl Glb {
    fn read(bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("a word")) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let length = word(12);
        assert_eq!((&bytes[16..20], length % 4), (&b"JSON"[..], 0));
        let document = serde_json::from_slice(&bytes[20..20 + length]).expect("a document");
        let at = 20 + length;
        assert_eq!(
            (&bytes[at + 4..at + 8], word(at), at + 8 + word(at)),
            (&b"BIN\0"[..], word(at) / 4 * 4, bytes.len())
        );
        Self { document, buffer: bytes[at + 8..].to_vec() }
    }

    /// Numbers of an accessor.
    fn numbers(&self, accessor: &serde_json::Value) -> Vec<f64> {
        let accessor = &self.document["accessors"][accessor.as_u64().expect("an index") as usize];
        let view = &self.document["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
        let number = |value: &serde_json::Value| value.as_u64().expect("a number") as usize;
        let (offset, length) = (number(&view["byteOffset"]), number(&view["byteLength"]));
        let width = match accessor["type"].as_str() {
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            _ => 1,
        };
        assert_eq!(length, 4 * width * number(&accessor["count"]), "{accessor}");
        let floats = accessor["componentType"] == 5126;
        let chunks = self.buffer[offset..offset + length].chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]);
        let list: Vec<f64> = chunks
            .map(|c| if floats { f64::from(f32::from_le_bytes(c)) } else { f64::from(u32::from_le_bytes(c)) })
            .collect();
        for (i, bound) in accessor["min"].as_array().into_iter().flatten().enumerate() {
            let least = list.iter().skip(i).step_by(width).copied().fold(f64::INFINITY, f64::min);
            // Both are single precision; the reader of the document may miss the last bit of a double.
            assert_eq!(bound.as_f64().map(|bound| bound as f32), Some(least as f32), "{accessor}");
        }
        list
    }

    /// Values of key frames of a node.
    fn frames(&self, node: &str, path: &str) -> (Vec<f64>, Vec<f64>) {
        let nodes = self.document["nodes"].as_array().expect("nodes");
        let index = nodes.iter().position(|found| found["name"] == node).expect(node);
        let run = &self.document["animations"][0];
        let mut channels = run["channels"].as_array().expect("channels").iter();
        let channel =
            channels.find(|c| c["target"]["node"] == index && c["target"]["path"] == path).expect(path);
        let sampler = &run["samplers"][channel["sampler"].as_u64().expect("a sampler") as usize];
        (self.numbers(&sampler["input"]), self.numbers(&sampler["output"]))
    }
}

/// Where key frames and morph targets put points is where the meshes for ParaView have them.
#[test]
fn gltf_files_move_and_bend_as_the_meshes_do() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("controlled_arm"), "--end", "0.8", "-o", "r.fxr"]);
    has(
        &folder.succeed(&["export", "r.fxr", "-o", "r.glb", "--every", "8"]),
        &["wrote r.glb", "key frames", "morph targets"],
    );
    folder.succeed(&["export", "r.fxr", "-o", "r.pvd", "--every", "8"]);
    let glb = Glb::read(&std::fs::read(folder.file("r.glb")).expect("a file"));
    let names: Vec<String> = glb.document["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .filter(|node| node["mesh"].is_u64())
        .map(|node| node["name"].as_str().expect("a name").to_owned())
        .collect();
    let frames = glb.frames(&names[0], "translation").0.len();
    assert_eq!((frames, glb.frames(&names[0], "translation").0[1]), (11, 0.08_f32.into()));
    let (mut bent, mut farthest) = (0.0_f64, 0.0_f64);
    for frame in [0, 5, 10] {
        let grid = std::fs::read_to_string(folder.file(&format!("r/{frame:05}.vtu"))).expect("a grid");
        let mut points = Vec::new();
        for name in &names {
            let node = glb.document["nodes"]
                .as_array()
                .expect("nodes")
                .iter()
                .find(|node| node["name"] == *name)
                .expect("a node");
            let mesh = &glb.document["meshes"][node["mesh"].as_u64().expect("a mesh") as usize];
            let primitive = &mesh["primitives"][0];
            let rest = glb.numbers(&primitive["attributes"]["POSITION"]);
            let (_, places) = glb.frames(name, "translation");
            let (_, turns) = glb.frames(name, "rotation");
            let targets: Vec<Vec<f64>> = primitive["targets"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|t| glb.numbers(&t["POSITION"]))
                .collect();
            let weights = if targets.is_empty() { Vec::new() } else { glb.frames(name, "weights").1 };
            let [x, y, z, w] = turns[4 * frame..4 * frame + 4] else { panic!("four numbers") };
            for (k, at) in rest.chunks_exact(3).enumerate() {
                let local: [f64; 3] = std::array::from_fn(|i| {
                    let moved = targets
                        .iter()
                        .enumerate()
                        .map(|(t, shape)| weights[frame * targets.len() + t] * shape[3 * k + i]);
                    let moved = moved.sum::<f64>();
                    bent = bent.max(moved.abs());
                    at[i] + moved
                });
                // v + 2 w (u × v) + 2 u × (u × v)
                let u = [x, y, z];
                let cross = |a: &[f64; 3], b: &[f64; 3]| {
                    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
                };
                let first = cross(&u, &local);
                let second = cross(&u, &first);
                points.push(std::array::from_fn::<f64, 3, _>(|i| {
                    places[3 * frame + i] + local[i] + 2.0 * (w * first[i] + second[i])
                }));
            }
        }
        let known = numbers(&grid, "Points");
        let markers = points.len() - known.len() / 3;
        assert_eq!(markers, 0, "every point of the meshes is drawn");
        for (found, known) in points.iter().zip(known.chunks_exact(3)) {
            for i in 0..3 {
                farthest = farthest.max((found[i] - known[i]).abs());
            }
        }
    }
    // Sections turn to first order in the file: half the square of the slope at the tip, 3/2 of the deflection of an arm of one metre, times half its
    // thickness of 6 mm is missing; and single precision.
    let turned = 0.5 * (1.5 * bent).powi(2) * 0.003;
    assert!(farthest < turned + 3e-7 && bent > 1e-2, "{farthest:e} apart, bent by {bent:e}");
    // The root stands upright: z of the model is y of the file.
    let root = glb.document["nodes"].as_array().expect("nodes").last().expect("a root");
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for (found, known) in root["rotation"].as_array().expect("a turn").iter().zip([-half, 0.0, 0.0, half]) {
        assert!((found.as_f64().expect("a number") - known).abs() < 1e-12, "{root}");
    }
}

#[test]
fn matlab_files_are_written_by_their_ending() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum"), "--end", "0.1"]);
    folder.succeed(&["export", "pendulum.fxr", "-c", "energy.*", "-o", "e.mat"]);
    let bytes = std::fs::read(folder.file("e.mat")).expect("a file");
    assert!(
        bytes.starts_with(b"MATLAB 5.0 MAT-file")
            && &bytes[124..128] == b"\x00\x01IM"
            && bytes.len().is_multiple_of(8)
    );
    // The first variable: an array of doubles called `time`, as many as there are rows.
    let rows = folder.succeed(&["export", "pendulum.fxr", "-c", "energy.total"]).lines().count() - 1;
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("a word")) as usize;
    assert_eq!([word(128), word(144), word(160), word(164)], [14, 6, rows, 1]);
    assert_eq!((&bytes[176..180], word(184), word(188)), (&b"time"[..], 9, 8 * rows));
    has(&folder.fail(2, &["export", "pendulum.fxr", "-c", "enrgy.*", "-o", "e.mat"]), &["enrgy"]);
}

#[test]
fn endings_of_other_formats_are_refused_and_capitals_are_no_other_ending() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum"), "--end", "0.1"]);
    for name in ["run.gltf", "run.xlsx", "run.fmu"] {
        let told = folder.fail(2, &["export", "pendulum.fxr", "-o", name]);
        has(&told, &[name, "endings are .csv, .txt, .dat, .parquet, .mat, .glb, .pvd"]);
        assert!(!folder.file(name).exists());
    }
    folder.succeed(&["export", "pendulum.fxr", "-o", "run.GLB"]);
    assert!(std::fs::read(folder.file("run.GLB")).expect("a file").starts_with(b"glTF"));
    for name in ["run.txt", "run.dat", "run"] {
        folder.succeed(&["export", "pendulum.fxr", "-o", name]);
        assert!(std::fs::read_to_string(folder.file(name)).expect("a text").starts_with("time"));
    }
}
