//! What a registered case that is not built yet does: it fails, so that it cannot be overlooked.

use crate::context::{Context, Fault};

/// Fails.
pub fn run(_: &mut Context) -> Result<(), Fault> {
    Err(Fault("this case is not built yet".into()))
}
