//! A page of the book for every command: its help as the program prints it, and an example with its output.
//! `UPDATE_BOOK=1 cargo test -p flexura-cli --test manual command_pages::` writes the pages anew.

use super::book::root;
use super::commands::sub_commands;
use super::readme::shell;
use crate::common::Folder;
use std::fmt::Write;

/// Lines of output that a page shows.
const SHOWN: usize = 26;

/// What is run for a page; the output of the last line is shown. Commands without an entry need what is not everywhere.
const EXAMPLES: [(&str, &[&str]); 30] = [
    ("accel", &["flexura accel models/pendulum.toml"]),
    ("check", &["flexura check models/flexible_arm.toml"]),
    ("completions", &["flexura completions bash"]),
    ("equations", &["flexura equations models/pendulum.toml --symbolic"]),
    ("export", &["flexura run models/pendulum.toml", "flexura export pendulum.fxr --list"]),
    (
        "fatigue",
        &[
            "flexura run models/flexible_arm.toml",
            "flexura fatigue flexible_arm.fxr --curve models/fatigue/welded_steel.toml",
        ],
    ),
    (
        "fit",
        &[
            "flexura fit models/fit/ringdown.toml models/fit/ringdown.csv --parameters boom.young --time-offset 0.1 --bias",
        ],
    ),
    ("gradient", &["flexura gradient models/pendulum.toml --objective end:hinge.angle --all --initial"]),
    ("graph", &["flexura graph models/four_bar.toml"]),
    ("import", &["flexura import models/robots/two_links.urdf"]),
    ("inverse", &["flexura inverse models/robot_arm.toml"]),
    ("man", &["flexura man pages"]),
    ("matrices", &["flexura matrices models/pendulum.toml"]),
    ("modes", &["flexura modes models/satellite.toml"]),
    ("mpi", &["flexura mpi"]),
    ("new", &["flexura new --list"]),
    (
        "optimize",
        &[
            "flexura optimize models/tuned_absorber.toml --objective mean-square:rail.displacement --parameters slide.stiffness slide.damping -o tuned.toml",
        ],
    ),
    ("paper", &["flexura paper jpl-90-26 7.10"]),
    ("plot", &["flexura run models/pendulum.toml", "flexura plot pendulum.fxr hinge.angle -o angle.svg"]),
    ("reduce", &["flexura reduce models/parts/panel.toml"]),
    ("repair", &["flexura run models/pendulum.toml", "flexura repair pendulum.fxr"]),
    ("run", &["flexura run models/flexible_arm.toml"]),
    ("schema", &["flexura schema"]),
    (
        "sensitivity",
        &["flexura sensitivity models/pendulum.toml --parameters rod.mass --outputs hinge.angle"],
    ),
    ("static", &["flexura static models/panel_swing.toml --relax"]),
    ("stress", &["flexura run models/flexible_arm.toml", "flexura stress flexible_arm.fxr --worst 3"]),
    ("sweep", &["flexura sweep models/pendulum.toml --set rod.mass=1:2:3 --channels hinge.angle"]),
    ("validate", &["flexura validate --list"]),
    ("view", &["flexura run models/pendulum.toml", "flexura view pendulum.fxr --save pendulum.html"]),
    ("devices", &["flexura devices"]),
];

/// The head of a page: what a command does, and its help.
fn head(command: &str) -> String {
    let help = Folder::new().succeed(&[command, "--help"]);
    let (about, rest) = help.split_once("\n\n").expect("what it does");
    format!(
        "# `flexura {command}`\n\n{}.\n\n```text\n{}\n```\n",
        about.trim_end_matches('.'),
        rest.trim_end()
    )
}

/// The rest of it: the example with what it prints here.
fn example(command: &str) -> String {
    let (folder, mut text) = (Folder::new(), String::new());
    let Some((_, lines)) = EXAMPLES.iter().find(|(name, _)| *name == command) else { return text };
    std::os::unix::fs::symlink(root().join("models"), folder.file("models")).expect("a link");
    let mut said = String::new();
    for line in *lines {
        let output = shell(&folder, line).output().expect("a shell");
        said = String::from_utf8_lossy(&output.stdout).into_owned();
        let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}: {wrong}");
    }
    let shown: Vec<&str> = said.lines().take(SHOWN).collect();
    let more = if said.lines().count() > SHOWN { "\n…" } else { "" };
    let _ = write!(text, "\n## Example\n\n```sh\n{}\n```\n", lines.join("\n"));
    if !shown.is_empty() {
        let _ = write!(text, "\n```text\n{}{more}\n```\n", shown.join("\n"));
    }
    text
}

#[test]
fn every_command_has_a_page_that_its_help_would_write() {
    let update = std::env::var_os("UPDATE_BOOK").is_some();
    let source = root().join("book/src");
    let summary = std::fs::read_to_string(source.join("SUMMARY.md")).expect("the contents");
    let mut wrong = Vec::new();
    let commands = sub_commands(&Folder::new());
    for (name, _) in EXAMPLES {
        assert!(
            commands.iter().any(|command| command == name),
            "an example of `{name}`, which is no command"
        );
    }
    for command in commands {
        let path = source.join(format!("commands/{command}.md"));
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        let head = head(&command);
        // What examples print has times and places of a machine: they are run with all commands of the book (`book_commands`).
        let rest = known.strip_prefix(&head);
        let whole =
            EXAMPLES.iter().all(|(name, lines)| *name != command || known.contains(&lines.join("\n")));
        match (rest.is_some() && whole, update) {
            (true, _) => {}
            (false, true) => std::fs::write(&path, head + &example(&command)).expect("a written page"),
            (false, false) => wrong.push(format!("{}: run with UPDATE_BOOK=1", path.display())),
        }
        if !summary.contains(&format!("(commands/{command}.md)")) {
            wrong.push(format!("commands/{command}.md is not in SUMMARY.md"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
