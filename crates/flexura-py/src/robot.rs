//! Robots of other programs to model files.

use crate::error::ModelError;
use flexura_exchange::robot::{self, FlexibleKind, FlexibleLink, Options};
use flexura_fem::PartSource;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// Text of the model file of a robot, and notices; `parts` are links with the part each is made of, `tables` files of
/// flexible links, `folder` that of the model file.
#[pyfunction]
#[pyo3(signature = (path, folder, parts, tables, floating_base=false, leave_out=false))]
pub fn import_robot(
    path: PathBuf,
    folder: PathBuf,
    parts: Vec<(String, String)>,
    tables: Vec<PathBuf>,
    floating_base: bool,
    leave_out: bool,
) -> PyResult<(String, Vec<String>)> {
    let part = |(link, file)| FlexibleLink { link, kind: FlexibleKind::Part(file) };
    let mut flexible: Vec<FlexibleLink> = parts.into_iter().map(part).collect();
    for table in &tables {
        flexible.extend(robot::read_table(Path::new(table)).map_err(ModelError::new_err)?);
    }
    let source = PartSource::cached();
    let options = Options { floating_base, leave_out, flexible, folder, source: &source };
    match robot::import(&path, &options) {
        Ok(imported) => Ok((imported.text, imported.notices)),
        Err(refused) if refused.unreadable => Err(PyOSError::new_err(refused.to_string())),
        Err(refused) => Err(ModelError::new_err(refused.to_string())),
    }
}
