//! Parts of models, reduced with progress on a terminal.

use crate::busy::Other;
use flexura_fem::part::Stage;
use flexura_fem::source::PartSource;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::time::Duration;

/// A body source for models: reduces parts with progress, cached unless that is switched off.
pub fn source(cached: bool) -> PartSource {
    let source = if cached { PartSource::cached() } else { PartSource::default() };
    let (bar, alone) = (spinner(), Other::new());
    source.with_laws(flexura_exchange::fmi::open_law).with_progress(move |path, stage| {
        let _ = &alone;
        bar.set_message(words(path, stage));
    })
}

/// Drawn on a terminal only, and gone with its last user.
pub fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

pub fn words(path: &Path, stage: Stage) -> String {
    format!("{}: {}", path.display(), stage.words())
}
