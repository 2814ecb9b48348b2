//! What the program is: its version with commit and formats, its manual pages, completions for shells.

use crate::failure::Failure;
use crate::print::print;
use crate::{Arguments as Whole, Outcome};
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Version, commit, what was built in, and the formats of the files that are written.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = match option_env!("FLEXURA_BUILT_FROM") {
        None => "development build".to_owned(),
        Some("") => "optimised build, commit unknown".to_owned(),
        Some(commit) => format!("commit {commit}"),
    };
    format!(
        "{} ({commit})\nplatform    {} {}\ndevices     {}\n\
         formats     result {}, reduced body {}, checkpoint {}; FMI 2.0 and 3.0",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(target_feature = "crt-static") {
            "none: a static program loads no driver"
        } else {
            "CUDA, loaded where there is one (flexura devices)"
        },
        flexura_results::FORMAT_VERSION,
        flexura_fem::reduced::VERSION,
        flexura_output::checkpoint_file::VERSION,
    )
});

/// The text of `--version`.
pub fn long_version() -> &'static str {
    &LONG_VERSION
}

/// Completions for a shell.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura completions bash > ~/.local/share/bash-completion/completions/flexura
  flexura completions zsh > \"${fpath[1]}/_flexura\"
  flexura completions fish > ~/.config/fish/completions/flexura.fish")]
pub struct CompletionArguments {
    /// Shell that completes
    shell: Shell,
}

/// Prints the completions.
pub fn completions(arguments: &CompletionArguments) -> Outcome {
    let mut bytes = Vec::new();
    clap_complete::generate(arguments.shell, &mut Whole::command(), "flexura", &mut bytes);
    print(&String::from_utf8_lossy(&bytes))
}

/// Manual pages.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura man ~/.local/share/man/man1      then: man flexura-run
  flexura man pages")]
pub struct ManArguments {
    /// Folder for the pages, one per command; made where it is missing
    folder: PathBuf,
}

/// Writes the manual pages.
pub fn man(arguments: &ManArguments) -> Outcome {
    let folder = &arguments.folder;
    let wrong = |error| Failure::File(format!("cannot write manual pages to {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(wrong)?;
    clap_mangen::generate_to(Whole::command(), folder).map_err(wrong)?;
    let shown = folder.display();
    print(&format!("manual pages in {shown}; read one with: man {shown}/flexura-run.1\n"))
}
