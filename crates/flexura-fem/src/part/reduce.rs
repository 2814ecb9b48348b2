//! From a part to a reduced body.

use super::description::{Damping, Method};
use super::{Part, PartError};
use crate::body::{compact_of_held, modal_description};
use crate::error::FemError;
use crate::held::Held;
use crate::invariants::InvariantSource;
use crate::linear::generalized_eigen;
use crate::mesh::Element;
use crate::reduce::flexibility::compliance;
use crate::reduce::{Enough, ReducedModel, Reduction, ReductionKind, Residual, Selection};
use crate::reduced::{Labels, NodalRows, Picture, ReducedBody, StressRows};
use crate::stiffening::Stiffening;
use flexura::model::description::{DampingDescription, ModalDescription};
use nalgebra::DMatrix;

/// What a reduction is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Solving for static shapes and modes.
    Solving,
    /// Turning the mesh into mass nodes and second-order terms.
    Converting,
}

impl Stage {
    /// The stage in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Solving => "static shapes and modes",
            Self::Converting => "mass, attachments and stiffening",
        }
    }
}

/// Modes kept where the part file does not say.
const MODES: usize = 10;

impl Part {
    /// Has the reduction choose its shapes by an error, whatever the part file says of modes and residual shapes.
    pub fn ask_for(&mut self, enough: Enough) {
        let settings = &mut self.description.reduction;
        (settings.enough, settings.selection, settings.residual) = (Some(enough), None, Residual::None);
    }

    /// Reduces the part; `progress` hears what is being done.
    pub fn reduce(&self, progress: &mut dyn FnMut(Stage)) -> Result<ReducedBody, PartError> {
        let fail = |fault: FemError| PartError::Mesh { file: self.file.display().to_string(), fault };
        self.check_selection()?;
        progress(Stage::Solving);
        let mut notices = self.notices.clone();
        let reduced = self.reduction(&mut notices).run(&self.mesh).map_err(|fault| match &fault {
            FemError::OutOfRange { .. } if self.method() == Method::All => self.too_many(&fault),
            _ => fail(fault),
        })?;
        progress(Stage::Converting);
        let held = reduced.held(&self.mesh);
        let mut modal = self.body(&reduced, &held, &mut notices).map_err(fail)?;
        if let Some(damping) = self.damping(&reduced).map_err(fail)? {
            if reduced.damping.is_some() {
                notices
                    .push("the damping of [reduction] takes the place of that of viscous materials".into());
            }
            modal.damping = damping;
        }
        let picture = Picture::new(&self.mesh, &reduced);
        Ok(ReducedBody {
            stress: StressRows::new(&self.mesh, &reduced, &picture).map_err(fail)?,
            name: self.description.name.clone(),
            modal,
            mass: reduced.mass.clone(),
            labels: Labels::new(&self.mesh, &picture, &self.numbers, &self.named).map_err(fail)?,
            picture,
            nodal: match self.description.reduction.nodal {
                true => Some(NodalRows::new(&self.mesh, &reduced).map_err(fail)?),
                false => None,
            },
            compliance: compliance(&self.mesh, &reduced, &held).unwrap_or_default(),
            report: reduced.report,
            notices,
        })
    }

    /// The reduction the part file asks for.
    fn reduction(&self, notices: &mut Vec<String>) -> Reduction {
        let settings = &self.description.reduction;
        let method = self.method();
        let kind = match method {
            Method::ClampedFree => ReductionKind::Clamped { modes: MODES },
            Method::FreeFree => ReductionKind::Free { modes: MODES },
            Method::CraigBampton => ReductionKind::CraigBampton { modes: MODES },
            Method::Attachment => ReductionKind::Attachment { modes: MODES },
            Method::FreeAttachment => ReductionKind::FreeAttachment { modes: MODES },
            Method::All => ReductionKind::All,
        };
        let mut reduction =
            Reduction::new(self.reference(), kind).mass(settings.mass).residual(settings.residual);
        if let Some(enough) = settings.enough {
            reduction = reduction.enough(enough);
        }
        if let Some(selection) = settings.selection {
            reduction = reduction.select(selection);
        }
        if settings.orthonormal {
            reduction = reduction.orthonormal();
        }
        if let Some(plane) = settings.plane {
            reduction = reduction.in_plane(plane);
        }
        let corrected = matches!(method, Method::CraigBampton | Method::Attachment | Method::FreeAttachment);
        for interface in &self.description.interfaces {
            let node = self.mesh.names.get(&interface.name);
            // A node that follows a mean has no freedoms of its own to displace or load.
            let recovered = self.mesh.matrices.iter().flat_map(|matrices| &matrices.recovery);
            let follows = self.mesh.averages.iter().any(|link| Some(&link.node) == node)
                || recovered.into_iter().any(|(freedom, _)| Some(&(freedom / 6)) == node);
            if follows && settings.enough.is_some() {
                reduction = reduction.follower(&interface.name, interface.freedoms);
            } else if follows && corrected {
                let name = &interface.name;
                notices.push(format!(
                    "interface `{name}` follows other nodes: it gets no static shapes of its own"
                ));
            }
            if interface.name != self.reference() && !follows {
                reduction = reduction.interface_freedoms(&interface.name, interface.freedoms);
            }
        }
        reduction
    }

    fn check_selection(&self) -> Result<(), PartError> {
        let settings = &self.description.reduction;
        let method = self.method();
        let free = matches!(method, Method::FreeFree | Method::FreeAttachment);
        if free && matches!(settings.selection, Some(Selection::EffectiveMass { .. })) {
            let message = "modes of a free body carry no mass of their own";
            let help = "select them by `modes` or `up_to_frequency`";
            return Err(self.refuse("reduction.effective_mass", "reduction", message, help));
        }
        let given = method == Method::All && self.mesh.matrices.is_some();
        if settings.plane.is_some() && (free || given) {
            let message = "`plane` holds the part against motion across it; a free part, or every freedom of matrices, is not held";
            let help =
                "choose method = \"craig-bampton\", \"clamped-free\" or \"attachment\", or remove `plane`";
            return Err(self.refuse("reduction.plane", "reduction", message, help));
        }
        if settings.residual != Residual::None && (free || method == Method::All) {
            let message = match free {
                true => {
                    "residual shapes complete those of parts that are held at their reference; this one is free"
                }
                false => "the method `all` keeps every freedom: there is nothing to add",
            };
            let help =
                "choose method = \"craig-bampton\", \"clamped-free\" or \"attachment\", or remove `residual`";
            return Err(self.refuse("reduction.residual", "reduction", message, help));
        }
        if settings.enough.is_some() && (free || method == Method::All) {
            let message = match free {
                true => "`enough` chooses shapes of parts that are held at their reference; this one is free",
                false => "the method `all` keeps every freedom: `enough` has nothing to choose",
            };
            let help =
                "choose method = \"craig-bampton\", \"clamped-free\" or \"attachment\", or remove `enough`";
            return Err(self.refuse("reduction.enough", "reduction", message, help));
        }
        if method == Method::All {
            let message = "the method `all` keeps every freedom and chooses no modes";
            if settings.selection.is_some() {
                let help = "remove the selection, or choose method = \"craig-bampton\"";
                return Err(self.refuse("reduction", "reduction", message, help));
            }
        }
        Ok(())
    }

    /// More freedoms than a body can keep one by one.
    fn too_many(&self, fault: &FemError) -> PartError {
        let help = "take fewer elements, `plane` where the part moves in one, or method = \"craig-bampton\"";
        self.refuse("reduction.method", "reduction", &fault.to_string(), help)
    }

    /// The method: of matrices with generalised coordinates, where the file names none, all freedoms.
    fn method(&self) -> Method {
        let reduced = self.mesh.matrices.as_ref().is_some_and(|matrices| !matrices.coordinates.is_empty());
        let default = if reduced { Method::All } else { Method::default() };
        self.description.reduction.method.unwrap_or(default)
    }

    /// The body by sums over its mass, or by mass nodes where the part file asks for them.
    fn body(
        &self,
        reduced: &ReducedModel,
        held: &Held<'_>,
        notices: &mut Vec<String>,
    ) -> Result<ModalDescription, FemError> {
        let settings = &self.description.reduction;
        if let Some(matrices) = &self.mesh.matrices {
            if settings.stiffening {
                notices.push("no geometric stiffening: matrices hold no stresses".into());
            }
            if !matrices.coordinates.is_empty() {
                let lost = "how generalised coordinates change the inertia is not in the matrices";
                notices.push(format!("{lost}: left out"));
            }
            let source = InvariantSource::MassMatrix;
            return compact_of_held(&self.mesh, reduced, source, Stiffening::None, held);
        }
        if !settings.mass_nodes {
            let stiffening = if settings.stiffening { Stiffening::Automatic } else { Stiffening::None };
            return compact_of_held(&self.mesh, reduced, InvariantSource::Pieces, stiffening, held);
        }
        let beams = self.mesh.elements.iter().all(|element| matches!(element, Element::Beam(_)));
        let stiffening = match (settings.stiffening, beams && !reduced.kind.is_free()) {
            (true, true) => Stiffening::Beams,
            (true, false) => {
                let reason = "with mass_nodes only parts of beams held at their reference have it";
                notices.push(format!("no geometric stiffening: {reason}"));
                Stiffening::None
            }
            (false, _) => Stiffening::None,
        };
        modal_description(&self.mesh, reduced, stiffening)
    }

    /// Damping given in the part file; it replaces that of viscous materials.
    fn damping(&self, reduced: &ReducedModel) -> Result<Option<DampingDescription>, FemError> {
        Ok(match &self.description.reduction.damping {
            Damping::None => None,
            Damping::Given(given) => Some(given.clone()),
            Damping::Ratio(ratio) => Some(DampingDescription::Matrix(ratio_matrix(*ratio, reduced)?)),
        })
    }
}

/// The matrix sum of 2 ratio w M phi (M phi)^T over the modes of the reduced part, row by row.
fn ratio_matrix(ratio: f64, reduced: &ReducedModel) -> Result<Vec<f64>, FemError> {
    let (eigenvalues, shapes) = generalized_eigen(&reduced.stiffness, &reduced.mass)?;
    let weighted = &reduced.mass * shapes;
    let mut damping = DMatrix::zeros(weighted.nrows(), weighted.nrows());
    for (mode, eigenvalue) in eigenvalues.iter().enumerate() {
        let column = weighted.column(mode);
        damping.ger(2.0 * ratio * eigenvalue.max(0.0).sqrt(), &column, &column, 1.0);
    }
    let symmetric = 0.5 * (&damping + damping.transpose());
    Ok(symmetric.as_slice().to_vec())
}
