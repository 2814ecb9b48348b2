//! `flexura import`: a robot of another program as a model file.

use crate::Outcome;
use crate::failure::Failure;
use crate::open;
use crate::print::print;
use crate::whole_file;
use flexura_exchange::robot::{self, FlexibleKind, FlexibleLink, Options};
use std::path::{Path, PathBuf};

/// Turn a robot (URDF, MJCF or SDF) into a model file.
#[derive(clap::Args)]
#[command(
    after_help = "What the file says is used, or refused by line; all refusals are listed at once. Limits of joints become \
events of the run. Links without mass become frames of what carries them.

Examples:
  flexura import robot.urdf                                write robot.toml
  flexura import robot.urdf -o out/robot.toml --floating-base
  flexura import rover.sdf                                 a model of Gazebo, free unless a joint holds it
  flexura import humanoid.xml --leave-out                  without what has no counterpart here, which is listed
  flexura import robot.urdf --flexible forearm=forearm_part.toml
  flexura import robot.urdf --flexible links.toml          beams and parts in place of rigid links

A table of flexible links:
  [[link]]
  name = \"upper_arm\"
  [link.beam]                  # keys of [body.beam] but length, which is that to the joint `to`
  to = \"elbow\"
  density = 2700
  young = 70e9
  poisson = 0.33
  section = { tube = [0.03, 0.027] }
  boundary = \"clamped-free\"
  bending_y = 2
  bending_z = 2
  [[link]]
  name = \"forearm\"
  fe = \"forearm_part.toml\"     # as the model file names it"
)]
pub struct Arguments {
    /// Robot: URDF, MJCF or SDF, told apart by the root of the XML
    robot: PathBuf,
    /// Model file to write, `-` for standard output [default: the robot's name with the ending .toml]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Let the root link of a URDF file move freely
    #[arg(long)]
    floating_base: bool,
    /// Leave out what is sound but has no counterpart here, and say so, instead of refusing the file
    #[arg(long)]
    leave_out: bool,
    /// Make links flexible: LINK=PART (a part or reduced body, as the model names it), or a table (TOML)
    #[arg(long, value_name = "LINK=PART|TABLE")]
    flexible: Vec<String>,
}

/// Runs the sub-command.
pub fn import(arguments: &Arguments) -> Outcome {
    let standard = arguments.output.as_deref() == Some(Path::new("-"));
    let output =
        arguments.output.clone().filter(|_| !standard).unwrap_or_else(|| default_name(&arguments.robot));
    open::refuse_same_file(&arguments.robot, &output)?;
    let mut flexible = Vec::new();
    for word in &arguments.flexible {
        flexible.extend(chosen(word)?);
    }
    let source = open::source();
    let options = Options {
        floating_base: arguments.floating_base,
        leave_out: arguments.leave_out,
        flexible,
        folder: output.parent().map(Path::to_path_buf).unwrap_or_default(),
        source: &source,
    };
    let imported = robot::import(&arguments.robot, &options).map_err(|refused| {
        let count = flexura::model::words::count(refused.findings.len(), "error");
        let hint = match refused.findings.iter().any(|finding| finding.foreign) {
            true => "; `--leave-out` goes without what has no counterpart here",
            false => "",
        };
        let text = format!("{refused}\n\n{}: {count}, no model was written{hint}", arguments.robot.display());
        if refused.unreadable {
            Failure::File(text.trim_start_matches("error: ").to_owned())
        } else {
            Failure::Model(text)
        }
    })?;
    for notice in &imported.notices {
        eprintln!("notice: {notice}");
    }
    if standard {
        return print(&imported.text);
    }
    whole_file::write(&output, &imported.text)?;
    let shown = output.display();
    print(&format!("wrote {shown}\nlook at it:  flexura view {shown}\nsimulate it: flexura run {shown}\n"))
}

fn default_name(robot: &Path) -> PathBuf {
    PathBuf::from(robot.file_name().unwrap_or_default()).with_extension("toml")
}

/// The links that one `--flexible` names.
fn chosen(word: &str) -> Result<Vec<FlexibleLink>, Failure> {
    match word.split_once('=') {
        Some((link, part)) if !link.is_empty() && !part.is_empty() => {
            Ok(vec![FlexibleLink { link: link.to_owned(), kind: FlexibleKind::Part(part.to_owned()) }])
        }
        Some(_) => {
            Err(Failure::Usage(format!("--flexible {word}: write LINK=PART, such as forearm=forearm.toml")))
        }
        None => robot::read_table(Path::new(word))
            .map_err(|why| Failure::Usage(format!("--flexible {word}: {why}"))),
    }
}
