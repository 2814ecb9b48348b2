//! Flexible bodies from other files: who reads them, and how a model takes them in.
//!
//! The engine knows no elements and no file of them. A model names a file
//! (`fe = "panel.toml"`), and a [`BodySource`] handed to the loader turns the name
//! into nodes and modes. `flexura-fem` has one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::model::Compliance;
use crate::model::controller::{Block, Callback, ExternalLaw};
use crate::model::description::{
    BodyKind, ControllerDescription, Description, FrameDescription, GeometryDescription, ModalDescription,
    PictureDescription, Place, RotationDescription, Skin,
};
use crate::model::nodal_mass::NodalMass;
use crate::model::recovery::Recovery;

/// Turns the file named by `fe` in a model into a flexible body.
pub trait BodySource {
    /// The body described by the file at `path`.
    fn body(&self, path: &Path) -> Result<SourcedBody, SourceError>;

    /// Flexibility of the same body before it was reduced, after [`BodySource::body`]; `None` where it is not known.
    fn compliance(&self, _path: &Path) -> Option<Compliance> {
        None
    }

    /// The control law in the file at `path`, with the number of values it remembers.
    fn law(
        &self,
        _path: &Path,
        _law: &ExternalLaw,
        _controller: &ControllerDescription,
    ) -> Result<(Callback, usize), SourceError> {
        Err(SourceError {
            message: "this program cannot run FMUs".into(),
            help: "use the program `flexura` or the Python package".into(),
        })
    }
}

/// A body from a source.
#[derive(Clone, Debug, Default)]
pub struct SourcedBody {
    /// Nodes, modes, stiffness and damping; every named node becomes a frame.
    pub modal: ModalDescription,
    /// How it looks, where that is known.
    pub skin: Option<Skin>,
    /// Rows of stresses and displacements, where they are known.
    pub recovery: Option<Arc<Recovery>>,
    /// The assembled mass matrix behind it, where that is kept.
    pub mass: Option<Arc<NodalMass>>,
    /// What the user should know: shown as warnings.
    pub notices: Vec<String>,
}

/// Why a source has no body for a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SourceError {
    /// The cause; may have several lines.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// No source: models with `fe` are refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSource;

impl BodySource for NoSource {
    fn body(&self, _: &Path) -> Result<SourcedBody, SourceError> {
        Err(SourceError {
            message: "this program cannot read finite element parts".into(),
            help: "use the program `flexura`, or load the model with a body source: \
                   flexura::file::load_model_with(path, &flexura_fem::PartSource::default())"
                .into(),
        })
    }
}

/// A source that asks another once per file: for models that are built many times.
pub struct RememberedBodies<'a> {
    source: &'a dyn BodySource,
    known: RefCell<BTreeMap<PathBuf, (SourcedBody, Option<Compliance>)>>,
}

impl<'a> RememberedBodies<'a> {
    /// Remembers what `source` makes.
    pub fn new(source: &'a dyn BodySource) -> Self {
        Self { source, known: RefCell::default() }
    }
}

impl BodySource for RememberedBodies<'_> {
    fn body(&self, path: &Path) -> Result<SourcedBody, SourceError> {
        if let Some(known) = self.known.borrow().get(path) {
            return Ok(known.0.clone());
        }
        let body = self.source.body(path)?;
        let compliance = self.source.compliance(path);
        self.known.borrow_mut().insert(path.to_path_buf(), (body.clone(), compliance));
        Ok(body)
    }

    fn compliance(&self, path: &Path) -> Option<Compliance> {
        self.known.borrow().get(path).and_then(|known| known.1.clone())
    }

    fn law(
        &self,
        path: &Path,
        law: &ExternalLaw,
        controller: &ControllerDescription,
    ) -> Result<(Callback, usize), SourceError> {
        self.source.law(path, law, controller)
    }
}

/// Replaces every body that names a file by the body the source makes of it.
/// File names are relative to the folder of the model file.
#[doc(hidden)]
pub fn resolve(description: &mut Description, model_file: &str, source: &dyn BodySource) -> Vec<Diagnostic> {
    let folder = Path::new(model_file).parent().map(Path::to_path_buf).unwrap_or_default();
    let mut findings = Vec::new();
    for index in 0..description.bodies.len() {
        let body = &mut description.bodies[index];
        let BodyKind::FiniteElements { file } = &body.kind else { continue };
        let path: PathBuf = folder.join(file);
        let (place, item) = (format!("body[{index}].fe"), format!("body `{}`", body.name));
        match source.body(&path) {
            Ok(found) => {
                for notice in found.notices {
                    let help = "nothing to do if this is meant";
                    findings.push(Diagnostic::warning("fe-notice", &place, &item, notice, help));
                }
                add_frames(&mut body.frames, &found.modal);
                body.kind = BodyKind::Modal(found.modal);
                if let Some(compliance) = source.compliance(&path) {
                    description.compliances.push((body.name.clone(), Arc::new(compliance)));
                }
                if let Some(recovery) = found.recovery.filter(|rows| rows.fits()) {
                    description.recoveries.push((body.name.clone(), recovery));
                }
                if let Some(mass) = found.mass.filter(|mass| mass.is_whole()) {
                    description.nodal_masses.push((body.name.clone(), mass));
                }
                // What the model file draws comes first.
                let name = body.name.clone();
                let drawn = description.pictures.iter().any(|picture| picture.body == name);
                if let Some(skin) = found.skin.filter(|_| !drawn) {
                    description.pictures.push(PictureDescription {
                        body: name,
                        geometry: GeometryDescription::Skin(Arc::new(skin)),
                        position: [0.0; 3],
                        rotation: RotationDescription::Identity,
                        colour: None,
                    });
                }
            }
            Err(fault) => {
                findings.push(Diagnostic::error("fe-part", place, item, fault.message, fault.help));
            }
        }
    }
    resolve_laws(description, &folder, source, &mut findings);
    findings
}

/// Replaces every control law that names a file by the callback that the source makes of it.
fn resolve_laws(
    description: &mut Description,
    folder: &Path,
    source: &dyn BodySource,
    findings: &mut Vec<Diagnostic>,
) {
    for (index, controller) in description.controllers.iter_mut().enumerate() {
        let Block::External(law) = &controller.block else { continue };
        if law.file.is_empty() {
            // The reader has said so.
            continue;
        }
        match source.law(&folder.join(&law.file), law, controller) {
            Ok((callback, memory)) => controller.block = Block::Callback(callback, memory),
            Err(fault) => {
                let (place, item) =
                    (format!("controller[{index}].file"), format!("controller `{}`", controller.name));
                findings.push(Diagnostic::error("fmu", place, item, fault.message, fault.help));
            }
        }
    }
}

/// A frame for every named node the user has not already put a frame of that name on.
fn add_frames(frames: &mut Vec<FrameDescription>, modal: &ModalDescription) {
    for node in modal.nodes.iter().filter(|node| !node.name.is_empty()) {
        let taken = node.name == "origin" || frames.iter().any(|frame| frame.name == node.name);
        if !taken {
            let place = Place::Node(node.name.clone());
            frames.push(FrameDescription { name: node.name.clone(), place, ..FrameDescription::default() });
        }
    }
}
