//! Robots of other programs to model files: URDF (`urdf.rs`), MJCF (`mjcf`) and SDF (`sdf`).
//!
//! All are read into one description of links and joints (`description.rs`). Links without mass become frames of what
//! carries them (`merge.rs`), chosen links become flexible (`flexible.rs`), and the rest is written as a model file
//! (`write.rs`), which is built once before it is handed over: what comes out runs.

mod combine;
mod description;
mod flexible;
mod merge;
mod mesh;
mod mjcf;
mod names;
mod placed;
mod sdf;
mod solid;
mod urdf;
mod verify;
mod write;
mod xml;

use crate::finding::{Findings, Place, Refused};
use flexura::file::BodySource;
use std::path::{Path, PathBuf};

pub use flexible::{FlexibleKind, FlexibleLink, read_table};

/// How a robot is imported.
pub struct Options<'a> {
    /// Whether the root link moves freely; URDF only, where a file cannot say it.
    pub floating_base: bool,
    /// Whether sound things without a counterpart here are left out, and said, instead of refused.
    pub leave_out: bool,
    /// Links to be made flexible.
    pub flexible: Vec<FlexibleLink>,
    /// Folder of the model file: parts of flexible links are found from there.
    pub folder: PathBuf,
    /// Makes bodies of parts.
    pub source: &'a dyn BodySource,
}

/// A robot as a model file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Text of the model file.
    pub text: String,
    /// What the user should know: what is left out, renamed, or meant otherwise.
    pub notices: Vec<String>,
}

/// The model file of the robot at `path`: MJCF where its root is `<mujoco>`, URDF where it is `<robot>`, SDF where it is `<sdf>`.
pub fn import(path: &Path, options: &Options<'_>) -> Result<Imported, Refused> {
    let mut findings = Findings::default();
    let text = read(path, options, &mut findings);
    // Things left out leave a model that may still be wrong: both are said at once.
    let (text, places) = text.unwrap_or_default();
    if !text.is_empty() {
        verify::verify(&text, &places, options, &mut findings);
    }
    let notices = findings.settle(options.leave_out)?;
    let header = header(path, &notices);
    Ok(Imported { text: header + &text, notices })
}

fn read(path: &Path, options: &Options<'_>, findings: &mut Findings) -> Option<(String, verify::Places)> {
    let root = xml::read(path, findings)?;
    let robot = match root.tag.as_str() {
        "robot" => urdf::read(
            &root,
            options.floating_base,
            &mesh::Folders { robot: path, model: &options.folder },
            findings,
        ),
        "mujoco" => {
            if options.floating_base {
                let help = "say it in the file: <freejoint/> in the body";
                findings.fault(&root.place, "a floating base is asked for, but the file is MJCF", help);
            }
            mjcf::read(root, &mesh::Folders { robot: path, model: &options.folder }, findings)
        }
        "sdf" => {
            if options.floating_base {
                let help = "say it in the file: a model that no joint ties to `world` moves freely";
                findings.fault(&root.place, "a floating base is asked for, but the file is SDF", help);
            }
            sdf::read(&root, &mesh::Folders { robot: path, model: &options.folder }, findings)
        }
        other => {
            let message = format!("the root is <{other}>, which is neither URDF nor MJCF nor SDF");
            findings.fault(&root.place, message, "give a file whose root is <robot>, <mujoco> or <sdf>");
            None
        }
    };
    let mut robot = robot?;
    merge::merge(&mut robot, findings);
    flexible::soften(&mut robot, options, findings);
    if robot.links.is_empty() {
        let place = Place { line: 0, ..root_place(path) };
        findings.fault(&place, "nothing moves: no link has mass", "give at least one link an inertia");
        return None;
    }
    Some(write::write(&robot, findings))
}

fn root_place(path: &Path) -> Place {
    Place { file: path.display().to_string().into(), line: 0 }
}

/// What stands above the model: where it comes from and what the user should know.
fn header(path: &Path, notices: &[String]) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let file = file.replace(char::is_control, "\u{fffd}");
    let mut text = format!("# Imported from {file} by `flexura import`. SI units.\n");
    for line in notices.iter().flat_map(|notice| notice.lines()) {
        // Comments of TOML have no room for control characters, which names of robots may hold.
        text += &format!("# - {}\n", line.replace(char::is_control, "\u{fffd}"));
    }
    text + "\n"
}
