//! Every input that once did harm, and files of the repository cut and changed, through the functions that are fuzzed
//! (`fuzzed`): what coverage-guided runs found stays found, without their tools.

use crate::common::Folder;
use crate::fuzzed::{TARGETS, Target, target};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Files of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

/// Runs an input, and says which it was where it does harm.
fn feed(target: Target, bytes: &[u8], what: &str, folder: &Path) {
    let outcome = std::panic::catch_unwind(|| target(bytes, folder));
    assert!(outcome.is_ok(), "{what}");
}

#[test]
fn inputs_that_once_did_harm_do_none() {
    let folder = Folder::in_memory();
    let mut fed = 0;
    for (name, target) in TARGETS {
        for path in files(&root().join("fuzz/seeds").join(name)) {
            let bytes = std::fs::read(&path).expect("a seed");
            feed(target, &bytes, &format!("{name}: {}", path.display()), folder.path());
            fed += 1;
        }
    }
    let entries = std::fs::read_dir(root().join("fuzz/seeds")).expect("the folder of seeds").flatten();
    for entry in entries.filter(|entry| entry.path().is_dir()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(target(&name).is_some(), "fuzz/seeds/{name} belongs to no target");
    }
    assert!(fed > 0, "no seed was found");
}

/// Numbers without a pattern, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % sides.max(1)
    }
}

/// Sound files of each format.
fn sound(name: &str) -> Vec<PathBuf> {
    let at = |path: &str| root().join(path);
    let sample = |name: &str| at("crates/flexura-cli/tests/results/fuzzed/samples").join(name);
    match name {
        "model" => files(&at("models")),
        "part" => files(&at("models/parts")),
        "abaqus" => vec![at("crates/flexura-fem/tests/decks/small.inp")],
        "nastran" => vec![at("crates/flexura-fem/tests/decks/small.bdf")],
        "gmsh" => vec![
            at("crates/flexura-fem/tests/decks/small_2.msh"),
            at("crates/flexura-fem/tests/decks/small_4.msh"),
            at("crates/flexura-fem/tests/decks/meshes/frame_2_binary.msh"),
            at("crates/flexura-fem/tests/decks/meshes/wedge_4_binary.msh"),
        ],
        "unv" => vec![at("crates/flexura-fem/tests/decks/meshes/hex.unv")],
        "vtk" => ["hex.vtk", "wedge_5_binary.vtk", "wedge_raw_zlib.vtu", "tet_meshio.vtu"]
            .map(|name| at("crates/flexura-fem/tests/decks/meshes").join(name))
            .to_vec(),
        "matrix_market" => vec![at("crates/flexura-fem/tests/decks/matrices/beam_k.mtx")],
        "dmig" => vec![at("crates/flexura-fem/tests/decks/matrices/beam.pch")],
        "reduced_body" => vec![at("crates/flexura-cli/tests/results/releases/0.1.0/boom.fxb")],
        "result" => vec![at("crates/flexura-cli/tests/results/releases/0.1.0/swing.fxr")],
        "checkpoint" => vec![at("crates/flexura-cli/tests/results/releases/0.1.0/swing.checkpoint")],
        "urdf" => {
            vec![at("models/robots/two_links.urdf"), at("crates/flexura-exchange/tests/data/walker.urdf")]
        }
        "mjcf" => vec![
            at("crates/flexura-exchange/tests/data/tree.xml"),
            at("crates/flexura-exchange/tests/data/chain.xml"),
        ],
        "sdf" => vec![at("crates/flexura-exchange/tests/data/arm.sdf")],
        "op4" => vec![sample("beam.op4")],
        "fatigue_curve" => files(&at("models/fatigue")),
        "gauges" => files(&at("models/gauges")),
        "stl" => vec![sample("tetrahedron.stl"), sample("bytes.stl")],
        "obj" => vec![at("models/shapes/rod.obj")],
        "gltf" => vec![at("models/shapes/piston.glb"), sample("tetrahedron.gltf")],
        _ => Vec::new(),
    }
}

/// A file with one to three places changed: bytes replaced, taken out, doubled, or the rest cut off.
fn changed(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(bytes.len());
        let end = (at + 1 + dice.roll(12)).min(bytes.len());
        match dice.roll(6) {
            0 => drop(bytes.drain(at..end)),
            1 if dice.roll(4) == 0 => bytes.truncate(at),
            2 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            3 => bytes[at..end].fill([0, 0xff, b'9', b'\n', b'"', 0x1b][dice.roll(6)]),
            _ if at < bytes.len() => bytes[at] ^= 1 << dice.roll(8),
            _ => {}
        }
    }
    bytes
}

#[test]
fn sound_files_and_changed_ones_do_no_harm() {
    let folder = Folder::in_memory();
    let mut dice = Dice(0x2026_1118_0026_0001);
    for (name, target) in TARGETS {
        let mut sources: Vec<Vec<u8>> =
            sound(name).iter().map(|path| std::fs::read(path).expect("a file of the repository")).collect();
        sources.retain(|bytes| bytes.len() < 60_000);
        if name == "checkpoint" {
            // Changed memories of runs: each byte chooses one.
            sources.extend((0..7).map(|run| std::iter::once(run).chain(vec![0x7f; 40]).collect()));
        }
        for (index, source) in sources.iter().enumerate() {
            feed(target, source, &format!("{name}, file {index}"), folder.path());
        }
        for round in 0..CHANGED.min(CHANGED * sources.len()) {
            let bytes = changed(&sources[round % sources.len()], &mut dice);
            feed(
                target,
                &bytes,
                &format!("{name}, change {round}: {:?}", String::from_utf8_lossy(&bytes)),
                folder.path(),
            );
        }
    }
}

/// Changed files per format.
const CHANGED: usize = 120;
