//! Bodies and laws of other files: refused here, with the way out.

use flexura::control::{Callback, ExternalLaw};
use flexura::file::{BodySource, SourceError, SourcedBody};
use flexura::model::description::ControllerDescription;
use std::path::Path;

/// The way out for models that need more than their own text.
pub const WITH_FILES: &str = "run this model with the program: flexura run MODEL";

/// What the page refuses: files.
pub struct NoFiles;

impl BodySource for NoFiles {
    fn body(&self, path: &Path) -> Result<SourcedBody, SourceError> {
        Err(SourceError {
            message: format!("the playground reads no finite element parts (`{}`)", path.display()),
            help: WITH_FILES.into(),
        })
    }

    fn law(
        &self,
        path: &Path,
        _: &ExternalLaw,
        _: &ControllerDescription,
    ) -> Result<(Callback, usize), SourceError> {
        Err(SourceError {
            message: format!("the playground runs no FMUs (`{}`)", path.display()),
            help: WITH_FILES.into(),
        })
    }
}
