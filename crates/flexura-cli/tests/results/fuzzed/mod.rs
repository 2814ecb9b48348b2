//! What files of strangers go through, one function per format: each takes any bytes and must come back, without a panic, in
//! bounded time and memory. Whatever is refused is refused in words.
//!
//! The coverage-guided programs of `fuzz` call these functions with inputs they make; `corpus.rs` calls them in every test run
//! with the files of the repository and with all inputs that once did harm (`fuzz/seeds`).

mod bodies;
mod meshes;
mod models;
mod results;
mod robots;
mod runs;
mod shapes;

use std::path::Path;

/// Takes bytes, and a folder of its own for files.
pub type Target = fn(&[u8], &Path);

/// Every format, by name.
pub const TARGETS: [(&str, Target); 23] = [
    ("model", models::model),
    ("part", meshes::part),
    ("abaqus", meshes::abaqus),
    ("nastran", meshes::nastran),
    ("gmsh", meshes::gmsh),
    ("unv", meshes::unv),
    ("vtk", meshes::vtk),
    ("matrix_market", meshes::matrix_market),
    ("dmig", meshes::dmig),
    ("reduced_body", bodies::reduced_body),
    ("sid", bodies::sid),
    ("result", results::result),
    ("journal", results::journal),
    ("checkpoint", runs::checkpoint),
    ("urdf", robots::urdf),
    ("mjcf", robots::mjcf),
    ("sdf", robots::sdf),
    ("op4", meshes::op4),
    ("fatigue_curve", results::fatigue_curve),
    ("gauges", results::gauges),
    ("stl", shapes::stl),
    ("obj", shapes::obj),
    ("gltf", shapes::gltf),
];

/// The function of a format.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target)
}

/// What is told must be something.
fn told(message: &str) {
    assert!(!message.trim().is_empty(), "refused without a reason");
}

/// Findings of model files must not steer the terminal that shows them either; the command line sees to that for all others.
fn shown(message: &str) {
    told(message);
    let steering = message.chars().find(|c| c.is_control() && *c != '\n');
    assert!(steering.is_none(), "a message with the control character {steering:?}: {message:?}");
}

/// The input as text; bytes that are none are replaced, as the readers of decks do.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Puts the input into a file of its folder.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a scratch file can be written");
    path
}
