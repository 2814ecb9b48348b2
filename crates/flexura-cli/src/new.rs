//! `flexura new`: a commented starter model. `flexura schema`: the schemas of model and part files.

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// A file to start from.
struct Template {
    name: &'static str,
    about: &'static str,
    text: &'static str,
    /// Whether it describes a finite element part, to be used by a model.
    part: bool,
}

const fn model(name: &'static str, about: &'static str, text: &'static str) -> Template {
    Template { name, about, text, part: false }
}

const TEMPLATES: [Template; 5] = [
    model("pendulum", "one rigid body on one hinge", include_str!("../templates/pendulum.toml")),
    model("arm", "a flexible arm turned by a motor, with a load", include_str!("../templates/arm.toml")),
    model("four-bar", "a linkage: a closed loop", include_str!("../templates/four-bar.toml")),
    model(
        "controlled",
        "a servo turns a flexible arm to a wanted angle",
        include_str!("../templates/controlled.toml"),
    ),
    Template {
        name: "part",
        about: "a flexible part of finite elements, for `fe` of a body",
        text: include_str!("../templates/part.toml"),
        part: true,
    },
];

/// What templates write where the name of the file belongs.
const PLACEHOLDER: &str = "MODEL";

/// Write a commented starter model.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura new swing                      a pendulum, swing.toml
  flexura new robot --template arm       a flexible arm, robot.toml
  flexura new bracket --template part    a part of finite elements, bracket.toml
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
        let lines = TEMPLATES.iter().map(|template| format!("{:<12} {}\n", template.name, template.about));
        return print(&lines.collect::<String>());
    };
    let Some(template) = TEMPLATES.iter().find(|template| template.name == arguments.template) else {
        let known: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
        let text = format!("--template {}: choose one of {}", arguments.template, known.join(", "));
        return Err(Failure::Usage(text));
    };
    let mut path = name.clone();
    if path.extension().is_none_or(|extension| extension != "toml") {
        path.as_mut_os_string().push(".toml");
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = template.text.replace(PLACEHOLDER, &stem);
    let written = OpenOptions::new().write(true).create_new(true).open(&path);
    let written = written.and_then(|mut file| file.write_all(text.as_bytes()));
    let shown = path.display();
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::File(format!("{shown} exists and is left alone: choose another name"))
        }
        _ => Failure::File(format!("cannot write {shown}: {error}")),
    })?;
    if template.part {
        return print(&format!(
            "wrote {shown}\nreduce it:   flexura reduce {shown} --shapes {stem}_modes.fxr\n\
             see its modes: flexura view {stem}_modes.fxr\nin a model:  fe = \"{shown}\" of a body\n"
        ));
    }
    print(&format!(
        "wrote {shown}\nlook at it:  flexura view {shown}\nsimulate it: flexura run {shown}\n\
         see it move: flexura view {stem}.fxr\n"
    ))
}

/// Print the JSON schema of model or part files.
#[derive(clap::Args)]
#[command(after_help = "Examples:
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
    if arguments.part { print(flexura_fem::part::SCHEMA) } else { print(&crate::schema::with_language()) }
}
