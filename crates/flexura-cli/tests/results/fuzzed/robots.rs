//! Robots of other programs to models.

use super::{put, told};
use flexura_exchange::robot::{Options, import};
use std::path::Path;

/// A robot description of ROS.
pub fn urdf(bytes: &[u8], folder: &Path) {
    robot(bytes, "fuzzed.urdf", folder, true);
}

/// A model of MuJoCo.
pub fn mjcf(bytes: &[u8], folder: &Path) {
    robot(bytes, "fuzzed.xml", folder, false);
}

/// A model of Gazebo.
pub fn sdf(bytes: &[u8], folder: &Path) {
    robot(bytes, "fuzzed.sdf", folder, false);
}

fn robot(bytes: &[u8], name: &str, folder: &Path, floating_base: bool) {
    let path = put(folder, name, bytes);
    for leave_out in [false, true] {
        let options = Options {
            floating_base: floating_base && leave_out,
            leave_out,
            flexible: Vec::new(),
            folder: folder.to_path_buf(),
            source: &flexura::file::NoSource,
        };
        match import(&path, &options) {
            Err(refused) => told(&refused.to_string()),
            Ok(imported) => {
                imported.notices.iter().for_each(|notice| told(notice));
                // What comes out runs: it was built before it was handed over.
                let built = flexura::file::build_text(&imported.text, "fuzzed.toml");
                assert!(built.is_ok(), "an imported robot that does not build:\n{}", imported.text);
            }
        }
    }
}
