//! Geometry files of pictures: STL, OBJ and glTF.

use super::{put, shown};
use flexura::file::load_model;
use flexura::picture::Picture;
use std::path::Path;

/// STL, as text or in bytes.
pub fn stl(bytes: &[u8], folder: &Path) {
    drawn(bytes, "fuzzed.stl", folder);
}

/// Wavefront OBJ.
pub fn obj(bytes: &[u8], folder: &Path) {
    drawn(bytes, "fuzzed.obj", folder);
}

/// glTF: JSON with buffers inside, or in one binary file.
pub fn gltf(bytes: &[u8], folder: &Path) {
    drawn(bytes, "fuzzed.gltf", folder);
    drawn(bytes, "fuzzed.glb", folder);
}

/// A body with that file as its picture.
fn drawn(bytes: &[u8], name: &str, folder: &Path) {
    put(folder, name, bytes);
    let text = format!(
        "[[body]]\nname = \"block\"\nmass = 1.0\ninertia = [1, 1, 1]\n[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\n\
         between = [\"ground.origin\", \"block.origin\"]\n[[picture]]\nbody = \"block\"\nfile = \"{name}\"\n"
    );
    match load_model(put(folder, "pictured.toml", text.as_bytes())) {
        Err(errors) => shown(&errors.to_string()),
        Ok(loaded) => {
            let solids = Picture::new(&loaded.built).bodies.remove(0).solids;
            assert_eq!(solids.len(), 1, "a file that was taken is drawn");
        }
    }
}
