//! `flexura playground`: models edited and run inside a browser.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::refuse_same_file;
use crate::print::print;
use crate::view::browser;
use flexura_output::playground_page;
use std::path::{Path, PathBuf};

/// Edit models and run them inside a browser: one page with the engine in it.
#[derive(clap::Args)]
#[command(
    after_help = "The page asks nothing of the network. It runs what stands in one model file: no finite element parts, no other files, no FMUs.

Examples:
  flexura playground                                       with a dozen models of the gallery
  flexura playground arm.toml                              with a model of one's own
  flexura playground --save playground.html                to put it on a site or a stick"
)]
pub struct Arguments {
    /// Model file (TOML) to begin with
    model: Option<PathBuf>,
    /// Write the page to this file and open no browser
    #[arg(long, value_name = "HTML")]
    save: Option<PathBuf>,
    /// Only print where the page is, open no browser
    #[arg(long, conflicts_with = "save")]
    no_open: bool,
}

/// Runs the sub-command.
pub fn playground(arguments: &Arguments) -> Outcome {
    let text = arguments.model.as_deref().map(read).transpose()?;
    let page = playground_page(text.as_deref());
    if let Some(path) = &arguments.save {
        if let Some(model) = &arguments.model {
            refuse_same_file(model, path)?;
        }
        crate::whole_file::write(path, &page)?;
        return print(&format!("{:.1} MB in {}\n", page.len() as f64 / 1e6, path.display()));
    }
    // The browser reads it after this program has ended.
    let path = fresh_folder()?.join("playground.html");
    crate::whole_file::write(&path, &page)?;
    print(&format!("{}\n", path.display()))?;
    if arguments.no_open || !browser::open(&path.display().to_string()) {
        eprintln!("open this file in a browser");
    }
    Ok(())
}

/// The text of a model, whatever it says: the page tells what is wrong with it.
fn read(path: &Path) -> Result<String, Failure> {
    flexura::file::read_plain_text(path)
        .map_err(|error| Failure::File(format!("cannot read model file {}: {error}", path.display())))
}

/// A folder of a name that nobody else can have taken.
fn fresh_folder() -> Result<PathBuf, Failure> {
    let mut bytes = [0u8; 8];
    getrandom::fill(&mut bytes).map_err(Failure::file)?;
    let path = std::env::temp_dir().join(format!("flexura-{:016x}", u64::from_le_bytes(bytes)));
    std::fs::create_dir(&path).map_err(|error| Failure::File(format!("{}: {error}", path.display())))?;
    Ok(path)
}
