//! `<compiler>` and `<option>`: how the file is to be read, and gravity.

use crate::finding::Findings;
use crate::robot::placed::Angles;
use crate::robot::xml::Node;

/// How the file is to be read.
#[derive(Clone, Debug)]
pub struct Settings {
    pub angles: Angles,
    pub gravity: [f64; 3],
    /// Whether a range alone makes a limit.
    pub automatic_limits: bool,
    pub inertia: InertiaFrom,
    /// Folder of meshes, relative to that of the main file.
    pub mesh_folder: String,
    /// Whether folders in names of meshes count for nothing.
    pub strip_folders: bool,
}

/// Where masses come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InertiaFrom {
    /// `<inertial>`, else solids.
    Either,
    /// Solids, whatever `<inertial>` says.
    Solids,
    /// `<inertial>` only.
    Inertial,
}

/// Attributes that change nothing here.
const IDLE: [&str; 5] = ["texturedir", "discardvisual", "fusestatic", "usethread", "exactmeshinertia"];
/// Attributes that would change masses or poses, with the value at which they do not.
const NEUTRAL: [(&str, &str); 5] = [
    ("settotalmass", "-1"),
    ("boundmass", "0"),
    ("boundinertia", "0"),
    ("balanceinertia", "false"),
    ("coordinate", "local"),
];
/// Options of forces that are not imported, with the value at which there are none.
const MEDIUM: [&str; 3] = ["wind", "density", "viscosity"];

/// The settings of all `<compiler>` and `<option>` elements, the last word counting.
pub fn read(root: &Node, findings: &mut Findings) -> Settings {
    let mut settings = Settings {
        angles: Angles { unit: std::f64::consts::PI / 180.0, sequence: "xyz".into() },
        gravity: [0.0, 0.0, -9.81],
        automatic_limits: true,
        inertia: InertiaFrom::Either,
        mesh_folder: String::new(),
        strip_folders: false,
    };
    root.all("compiler").for_each(|node| compiler(node, &mut settings, findings));
    root.all("option").for_each(|node| option(node, &mut settings, findings));
    settings
}

fn compiler(node: &Node, settings: &mut Settings, findings: &mut Findings) {
    let used = ["angle", "eulerseq", "autolimits", "inertiafromgeom", "meshdir", "assetdir", "strippath"];
    let known: Vec<&str> = used.iter().copied().chain(IDLE).chain(NEUTRAL.map(|(name, _)| name)).collect();
    node.only(&known, findings);
    node.only_children(&["lengthrange"], findings);
    for (name, neutral) in NEUTRAL {
        let value = node.text(name).filter(|value| {
            value.parse::<f64>().ok() != neutral.parse().ok()
                || *value != neutral && neutral.parse::<f64>().is_err()
        });
        if let Some(value) = value {
            let message = format!("<compiler> {name}=\"{value}\" changes what the file says of its bodies");
            findings.fault(&node.place, message, "write the masses and poses that result into the file");
        }
    }
    let word = |name: &str, words: &[&str], findings: &mut Findings| {
        let found = node.text(name)?;
        let place = words.iter().position(|word| *word == found);
        if place.is_none() {
            let message = format!("<compiler> {name}=\"{found}\"");
            findings.fault(&node.place, message, format!("write one of: {}", words.join(", ")));
        }
        place
    };
    match word("angle", &["degree", "radian"], findings) {
        Some(0) => settings.angles.unit = std::f64::consts::PI / 180.0,
        Some(_) => settings.angles.unit = 1.0,
        None => {}
    }
    if let Some(choice) = word("autolimits", &["false", "true"], findings) {
        settings.automatic_limits = choice == 1;
    }
    if let Some(choice) = word("inertiafromgeom", &["auto", "true", "false"], findings) {
        settings.inertia = [InertiaFrom::Either, InertiaFrom::Solids, InertiaFrom::Inertial][choice];
    }
    if let Some(choice) = word("strippath", &["false", "true"], findings) {
        settings.strip_folders = choice == 1;
    }
    // The folder of all assets gives way to that of meshes.
    if let Some(folder) = node.text("meshdir").or(node.text("assetdir")) {
        settings.mesh_folder = folder.to_owned();
    }
    if let Some(sequence) = node.text("eulerseq") {
        let sound = sequence.len() == 3 && sequence.chars().all(|letter| "xyzXYZ".contains(letter));
        match sound {
            true => settings.angles.sequence = sequence.to_owned(),
            false => {
                let message = format!("<compiler> eulerseq=\"{sequence}\"");
                findings.fault(&node.place, message, "write three letters of xyz or XYZ");
            }
        }
    }
}

fn option(node: &Node, settings: &mut Settings, findings: &mut Findings) {
    if let Some(gravity) = node.array("gravity", findings) {
        settings.gravity = gravity;
    }
    for name in MEDIUM {
        let values = node.numbers(name, findings).unwrap_or_default();
        if values.iter().any(|&value| value != 0.0) {
            let message = format!("<option> {name}: forces of a medium are not imported");
            findings.foreign(
                &node.place,
                message,
                "write them in the model file as [[element]] type = \"drag\"",
            );
        }
    }
    let numerical = |name: &str| name != "gravity" && !MEDIUM.contains(&name);
    if node.attributes.iter().any(|(name, _)| numerical(name)) {
        findings.passed(&node.place, "<option>", "of MuJoCo's solvers: method and steps are in [simulation]");
    }
    for flag in node.all("flag") {
        for (name, value) in &flag.attributes {
            match (name.as_str(), value.as_str()) {
                ("gravity", "disable") => settings.gravity = [0.0; 3],
                ("passive" | "spring" | "damper" | "actuation", "disable") => {
                    let message = format!("<flag> {name}=\"disable\" switches forces off");
                    findings.foreign(&flag.place, message, "take the springs and dampers out of the file");
                }
                _ => {}
            }
        }
    }
}
