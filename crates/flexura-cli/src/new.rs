//! `flexura new`: a commented starter model. `flexura schema`: the schemas of model and part files.

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// Templates: name, one line about it, text.
pub const TEMPLATES: [(&str, &str, &str); 4] = [
    ("pendulum", "one rigid body on one hinge", include_str!("../templates/pendulum.toml")),
    ("arm", "a flexible arm turned by a motor, with a load", include_str!("../templates/arm.toml")),
    ("four-bar", "a linkage: a closed loop", include_str!("../templates/four-bar.toml")),
    (
        "controlled",
        "a servo turns a flexible arm to a wanted angle",
        include_str!("../templates/controlled.toml"),
    ),
];

/// What templates write where the name of the file belongs.
const PLACEHOLDER: &str = "MODEL";

/// Write a commented starter model.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura new swing                      a pendulum, swing.toml
  flexura new robot --template arm       a flexible arm, robot.toml
  flexura new --list                     all templates")]
pub struct Arguments {
    /// Name of the model file; `.toml` is added where it is missing
    #[arg(required_unless_present = "list")]
    name: Option<PathBuf>,
    /// What to start from
    #[arg(short, long, value_name = "NAME", default_value = "pendulum")]
    template: String,
    /// List the templates
    #[arg(long)]
    list: bool,
}

/// Runs `flexura new`.
pub fn new(arguments: &Arguments) -> Outcome {
    let Some(name) = arguments.name.as_ref().filter(|_| !arguments.list) else {
        let lines = TEMPLATES.iter().map(|(name, words, _)| format!("{name:<12} {words}\n"));
        return print(&lines.collect::<String>());
    };
    let template = TEMPLATES.iter().find(|(name, ..)| *name == arguments.template);
    let Some((_, _, text)) = template else {
        let known: Vec<&str> = TEMPLATES.iter().map(|(name, ..)| *name).collect();
        let text = format!("--template {}: choose one of {}", arguments.template, known.join(", "));
        return Err(Failure::Usage(text));
    };
    let mut path = name.clone();
    if path.extension().is_none_or(|extension| extension != "toml") {
        path.as_mut_os_string().push(".toml");
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = text.replace(PLACEHOLDER, &stem);
    let written = OpenOptions::new().write(true).create_new(true).open(&path);
    let written = written.and_then(|mut file| file.write_all(text.as_bytes()));
    let shown = path.display();
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::File(format!("{shown} exists and is left alone: choose another name"))
        }
        _ => Failure::File(format!("cannot write {shown}: {error}")),
    })?;
    print(&format!(
        "wrote {shown}\nlook at it:  flexura view {shown}\nsimulate it: flexura run {shown}\n\
         see it move: flexura view {stem}.fxr\n"
    ))
}

/// Print the JSON schema of model or part files.
#[derive(clap::Args)]
#[command(after_help = "Example:
  flexura schema > flexura.schema.json
and as the first line of a model, for completion and checks in editors with taplo:
  #:schema ./flexura.schema.json
For the part files of finite elements: flexura schema --part > flexura-part.schema.json")]
pub struct SchemaArguments {
    /// The schema of part files (finite elements) instead
    #[arg(long)]
    part: bool,
}

/// Runs `flexura schema`.
pub fn schema(arguments: &SchemaArguments) -> Outcome {
    print(if arguments.part { flexura_fem::part::SCHEMA } else { flexura::file::SCHEMA })
}
