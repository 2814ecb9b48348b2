//! Finite element parts that belong to the program, so that cases run without files.

use flexura::file::{BodySource, SourceError, SourcedBody};
use flexura_fem::part::Part;
use std::path::Path;

/// Part files by name.
pub struct Parts<'a>(pub &'a [(&'a str, String)]);

impl BodySource for Parts<'_> {
    fn body(&self, path: &Path) -> Result<SourcedBody, SourceError> {
        let fault = |message: String| SourceError { message, help: "this is an error of the case".into() };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (_, text) = self
            .0
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| fault(format!("the case has no part `{name}`")))?;
        let part = Part::from_text(text, path).map_err(|error| fault(error.to_string()))?;
        let body = part.reduce(&mut |_| {}).map_err(|error| fault(error.to_string()))?;
        Ok(SourcedBody {
            mass: body.nodal.as_ref().map(|rows| std::sync::Arc::new(rows.nodal_mass())),
            skin: body.picture.skin(&body.stress),
            modal: body.modal,
            notices: body.notices,
            recovery: None,
        })
    }
}
