//! The Iltis of `models/vehicle` with every combination of flexible parts.

use flexura::Model;
use flexura::file::build_text_with;
use flexura::model::Built;
use flexura::model::description::Description;
use flexura_fem::source::PartSource;
use std::path::{Path, PathBuf};

/// Rigid and flexible model files of the suspension.
pub const SUSPENSION: [&str; 2] = ["suspension.toml", "suspension_flexible.toml"];
/// Rigid and flexible model files of the vehicle on the stepped road.
pub const VEHICLE: [&str; 2] = ["iltis_stepped_road.toml", "iltis_flexible.toml"];

/// Which of A-arm, leaf-spring bar and steering rod are flexible, in the order of the paper's tables.
pub const COMBINATIONS: [(&str, [bool; 3]); 8] = [
    ("none", [false, false, false]),
    ("A", [true, false, false]),
    ("B", [false, true, false]),
    ("S", [false, false, true]),
    ("A+B", [true, true, false]),
    ("A+S", [true, false, true]),
    ("B+S", [false, true, true]),
    ("all", [true, true, true]),
];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/vehicle").join(name)
}

/// A file of the folder.
pub fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A model of the folder with pieces of text put in place of others.
pub fn built(name: &str, replace: &[(&str, &str)]) -> Built {
    let text = replace.iter().fold(text(name), |text, (old, new)| text.replace(old, new));
    let (path, source) = (path(name), PartSource::default());
    build_text_with(&text, path.to_str().unwrap(), &source).unwrap_or_else(|errors| panic!("{errors}")).built
}

/// The rigid model with A-arms, bars and rods of the flexible one where asked for.
pub fn mixed(rigid: &Description, flexible: &Description, [arm, bar, rod]: [bool; 3]) -> Description {
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
    description
}

/// Builds a description that is known to be sound.
pub fn model(description: Description) -> Model {
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Writes the parts of the vehicle, edited, into a temporary folder `name`; returns `fe = "FOLDER` for use in place of
/// `fe = "parts` in the model's text.
#[allow(dead_code)]
pub fn edited_parts(name: &str, edit: impl Fn(&str) -> String) -> String {
    let folder = std::env::temp_dir().join(format!("flexura_vehicle_{name}_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    for name in ["arm_left", "arm_right", "arm_left_rear", "arm_right_rear"] {
        let edited = edit(&text(&format!("parts/{name}.toml")));
        std::fs::write(folder.join(format!("{name}.toml")), edited).expect("a part can be written");
    }
    format!("fe = \"{}", folder.display())
}
