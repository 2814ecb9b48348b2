//! Reduction of a finite element model to a few shapes.
//!
//! - Clamped: modes of the structure held at its reference node.
//! - Free: elastic modes of the free structure, its six rigid motions left out.
//! - Craig-Bampton (R. R. Craig, M. C. C. Bampton, "Coupling of substructures for
//!   dynamic analyses", 1968): held at the reference node, one static shape per
//!   interface freedom and modes with all interfaces fixed, as U. Lugris and
//!   co-workers use it for multibody systems (2007).
//! - Attachment shapes besides the modes of a held or free structure (`attachment`).
//! - Residual shapes of inertia beside any of the held ones (`residual`).
//! - As many of all these as an error asks for ([`enough`]).
//! - Every freedom, no reduction at all (`nodal`).
//!
//! Orthonormal shapes are offered but not the default: formulations that split static from
//! dynamic shapes need them as they are.

pub(crate) mod attachment;
mod chosen;
pub mod craig_bampton;
pub mod enough;
pub(crate) mod flexibility;
mod nodal;
pub(crate) mod plane;
pub(crate) mod report;
mod residual;
pub(crate) mod select;

use crate::assemble::{System, assemble, rigid_motions};
use crate::constraint::Supports;
use crate::eigen::{EigenOptions, Spectrum};
use crate::element::{self, Evaluated, MassModel};
use crate::error::FemError;
use crate::held::Held;
use crate::linear::{Factor, generalized_eigen};
use crate::mesh::Mesh;
pub use enough::{Enough, Reached};
use nalgebra::{DMatrix, Vector3};
pub use plane::Plane;
pub use report::TruncationReport;
pub use residual::Residual;
pub use select::Selection;
use select::Source;

/// Which shapes to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReductionKind {
    /// Modes held at the reference node.
    Clamped {
        /// Number of modes.
        modes: usize,
    },
    /// Elastic modes of the free body.
    Free {
        /// Number of elastic modes.
        modes: usize,
    },
    /// One static shape per interface freedom and fixed-interface modes.
    CraigBampton {
        /// Number of fixed-interface modes.
        modes: usize,
    },
    /// Static corrections for loads at the interfaces, and modes held at the reference node.
    Attachment {
        /// Number of modes.
        modes: usize,
    },
    /// Static corrections with inertia relief, and elastic modes of the free body.
    FreeAttachment {
        /// Number of elastic modes.
        modes: usize,
    },
    /// Every freedom as a shape, held at the reference node: nodal coordinates, or matrices reduced already.
    All,
}

impl ReductionKind {
    /// Whether the shapes are those of a free body.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Free { .. } | Self::FreeAttachment { .. })
    }

    fn modes(&self) -> usize {
        match *self {
            Self::Clamped { modes }
            | Self::Free { modes }
            | Self::CraigBampton { modes }
            | Self::Attachment { modes }
            | Self::FreeAttachment { modes } => modes,
            Self::All => 0,
        }
    }
}

/// What to reduce and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    reference: String,
    interfaces: Vec<(String, [bool; 6])>,
    kind: ReductionKind,
    mass: MassModel,
    options: EigenOptions,
    selection: Option<Selection>,
    orthonormal: bool,
    plane: Option<Plane>,
    residual: Residual,
    enough: Option<Enough>,
    followers: Vec<(String, [bool; 6])>,
}

/// A reduced structure.
#[derive(Clone, Debug)]
pub struct ReducedModel {
    /// Reference node: origin of the body frame.
    pub reference: usize,
    /// Kind of reduction.
    pub kind: ReductionKind,
    /// Mass model of the reduced matrices.
    pub mass_model: MassModel,
    /// Nodal displacements of each shape, six rows per node (m, rad).
    pub shapes: DMatrix<f64>,
    /// Number of static shapes; they come first.
    pub static_shapes: usize,
    /// Stiffness of the shapes.
    pub stiffness: DMatrix<f64>,
    /// Mass of the shapes about the still reference frame.
    pub mass: DMatrix<f64>,
    /// Kelvin-Voigt damping of the shapes; `None` when no material is viscous.
    pub damping: Option<DMatrix<f64>>,
    /// What was kept and what was lost.
    pub report: TruncationReport,
}

impl ReducedModel {
    /// The structure held at the reference node.
    pub(crate) fn held<'a>(&self, mesh: &'a Mesh) -> Held<'a> {
        Held::new(mesh, self.reference, self.mass_model)
    }
}

/// Shapes in the unknowns of the supported structure.
struct Basis {
    shapes: DMatrix<f64>,
    static_shapes: usize,
}

impl Reduction {
    /// A reduction about a named reference node.
    pub fn new(reference: &str, kind: ReductionKind) -> Self {
        Self {
            reference: reference.into(),
            interfaces: Vec::new(),
            kind,
            mass: MassModel::default(),
            options: EigenOptions::default(),
            selection: None,
            orthonormal: false,
            plane: None,
            residual: Residual::None,
            enough: None,
            followers: Vec::new(),
        }
    }

    /// Adds a named interface node with all its freedoms.
    pub fn interface(self, name: &str) -> Self {
        self.interface_freedoms(name, [true; 6])
    }

    /// Adds a named interface node with the marked freedoms (ux, uy, uz, rx, ry, rz).
    pub fn interface_freedoms(mut self, name: &str, freedoms: [bool; 6]) -> Self {
        self.interfaces.push((name.into(), freedoms));
        self
    }

    /// Chooses the mass model.
    pub fn mass(mut self, model: MassModel) -> Self {
        self.mass = model;
        self
    }

    /// Chooses how eigenvalues are iterated.
    pub fn options(mut self, options: EigenOptions) -> Self {
        self.options = options;
        self
    }

    /// Chooses the dynamic modes otherwise than by the number in the kind.
    pub fn select(mut self, selection: Selection) -> Self {
        self.selection = Some(selection);
        self
    }

    /// Replaces the shapes by their combinations with unit mass and no coupling.
    pub fn orthonormal(mut self) -> Self {
        self.orthonormal = true;
        self
    }

    /// Keeps the shapes that move in a plane; the structure is held against all others.
    pub fn in_plane(mut self, plane: Plane) -> Self {
        self.plane = Some(plane);
        self
    }

    /// Adds what the shapes miss of the static response to accelerations of the frame, linear, angular and of spin, and to the inertia of
    /// what answers. For held structures; one with every freedom has nothing to add.
    pub fn residual(mut self, residual: Residual) -> Self {
        self.residual = residual;
        self
    }

    /// Chooses modes and residual shapes by the error they leave, in place of a number of modes. For held structures.
    pub fn enough(mut self, enough: Enough) -> Self {
        self.enough = Some(enough);
        self
    }

    /// Adds a named node that follows others: it has no static shapes of its own, and loads on it count with [`Self::enough`].
    pub fn follower(mut self, name: &str, freedoms: [bool; 6]) -> Self {
        self.followers.push((name.into(), freedoms));
        self
    }

    /// Reduces a mesh.
    pub fn run(&self, mesh: &Mesh) -> Result<ReducedModel, FemError> {
        let reference = mesh.named(&self.reference)?;
        let supports =
            if self.kind.is_free() { Supports::none() } else { Supports::none().clamp(&[reference]) };
        let leaving = self.plane.map_or([false; 6], Plane::leaving);
        let supports = supports.hold_everywhere(leaving);
        let system = assemble(mesh, &supports, self.mass)?;
        let interfaces = self.interface_unknowns(mesh, &system)?;
        let (mut basis, response, reached) = match self.enough {
            None => {
                let (basis, response) = self.basis(mesh, &system, reference, &interfaces)?;
                (basis, response, None)
            }
            Some(enough) => self.chosen(mesh, &system, reference, &interfaces, enough)?,
        };
        if self.orthonormal {
            let (k, m) = (system.stiffness.congruence(&basis.shapes), system.mass.congruence(&basis.shapes));
            let (_, combinations) = generalized_eigen(&k, &m)?;
            basis = Basis { shapes: &basis.shapes * combinations, static_shapes: 0 };
        }
        let stiffness = system.stiffness.congruence(&basis.shapes);
        let mass = system.mass.congruence(&basis.shapes);
        let mut reduced = ReducedModel {
            reference,
            kind: self.kind,
            mass_model: self.mass,
            shapes: system.dofs.expand(&basis.shapes),
            static_shapes: basis.static_shapes,
            stiffness,
            mass,
            damping: None,
            report: TruncationReport::default(),
        };
        reduced.damping = viscous(mesh, &reduced.shapes)?;
        let loaded = report::Loaded { interfaces: &interfaces, response: response.as_ref() };
        reduced.report = report::build(mesh, &system, &loaded, &basis.shapes, &reduced)?;
        reduced.report.reached = reached;
        Ok(reduced)
    }

    /// Unknowns of the interface freedoms; a freedom held or linked elsewhere is refused.
    fn interface_unknowns(&self, mesh: &Mesh, system: &System) -> Result<Vec<usize>, FemError> {
        let mut unknowns = Vec::new();
        for (name, freedoms) in &self.interfaces {
            let node = mesh.named(name)?;
            let leaving = self.plane.map_or([false; 6], Plane::leaving);
            for offset in (0..6).filter(|offset| freedoms[*offset] && !leaving[*offset]) {
                let reason = || {
                    format!(
                        "freedom {} of interface `{name}` is held, follows a link, or is a rotation of a \
                         node of solids: use the master of a rigid link",
                        ["ux", "uy", "uz", "rx", "ry", "rz"][offset]
                    )
                };
                let unknown = system.dofs.unknown(6 * node + offset);
                unknowns.push(unknown.ok_or_else(|| FemError::Constraint { node, reason: reason() })?);
            }
        }
        unknowns.sort_unstable();
        unknowns.dedup();
        Ok(unknowns)
    }

    /// Shapes, and the full response to unit loads at the interfaces where there are any.
    fn basis(
        &self,
        mesh: &Mesh,
        system: &System,
        reference: usize,
        interfaces: &[usize],
    ) -> Result<(Basis, Option<DMatrix<f64>>), FemError> {
        if !self.kind.is_free() {
            return self.held_basis(mesh, system, reference, interfaces);
        }
        let response = if interfaces.is_empty() {
            None
        } else {
            let support = attachment::determinate_support(system, reference)?;
            Some(attachment::free_response(mesh, system, interfaces, &support)?)
        };
        let basis = self.modal_basis(mesh, system, interfaces, response.as_ref())?;
        Ok((basis, response))
    }

    /// The same of a held structure: one factorisation serves loads at the interfaces and all of inertia.
    fn held_basis(
        &self,
        mesh: &Mesh,
        system: &System,
        reference: usize,
        interfaces: &[usize],
    ) -> Result<(Basis, Option<DMatrix<f64>>), FemError> {
        let residual = self.residual != Residual::None && self.kind != ReductionKind::All;
        let count = interfaces.len();
        let mut loads = attachment::unit_loads(system.dofs.unknowns(), interfaces);
        if residual {
            let inertia = residual::loads(mesh, system, self.mass, reference)?;
            loads = loads.resize_horizontally(count + inertia.ncols(), 0.0);
            loads.columns_mut(count, inertia.ncols()).copy_from(&inertia);
        }
        if loads.ncols() == 0 {
            return Ok((self.modal_basis(mesh, system, interfaces, None)?, None));
        }
        let factor = Factor::definite(&system.stiffness)?;
        let all = attachment::held_response(&factor, &loads)?;
        let response = (count > 0).then(|| all.columns(0, count).into_owned());
        // The factors of large parts are what takes their memory: they go before those of the modes come.
        let factor = (self.residual == Residual::Inertia).then_some(factor);
        let basis = self.modal_basis(mesh, system, interfaces, response.as_ref())?;
        if !residual {
            return Ok((basis, response));
        }
        let behind = loads.ncols() - count;
        let (inertia, answers) = (loads.columns(count, behind).into(), all.columns(count, behind).into());
        let mut basis = residual::complete(system, basis, &inertia, &answers)?;
        if let Some(factor) = &factor {
            basis = residual::complete_inertia(system, factor, basis, &inertia, &answers)?;
        }
        Ok((basis, response))
    }

    /// The shapes of the kind. `response`: to unit loads at the interfaces.
    fn modal_basis(
        &self,
        mesh: &Mesh,
        system: &System,
        interfaces: &[usize],
        response: Option<&DMatrix<f64>>,
    ) -> Result<Basis, FemError> {
        if self.kind == ReductionKind::All {
            return nodal::every_freedom(mesh, system);
        }
        let translations = select::translations(mesh, system);
        let selection = self.selection.unwrap_or(Selection::Count(self.kind.modes()));
        if let ReductionKind::CraigBampton { .. } = self.kind {
            return craig_bampton::basis(system, interfaces, &selection, &self.options, &translations);
        }
        let rigid = if self.kind.is_free() { 6 } else { 0 };
        let options = EigenOptions { free: self.kind.is_free(), ..self.options };
        let source = Source { pencil: system.pencil(), options, factors: None, rigid, translations };
        let mut spectrum = selection.modes(source)?;
        if self.kind.is_free() {
            spectrum = elastic(mesh, system, spectrum)?;
        }
        let corrected =
            matches!(self.kind, ReductionKind::Attachment { .. } | ReductionKind::FreeAttachment { .. });
        match response.filter(|_| corrected) {
            Some(response) => attachment::basis(system, interfaces, response.clone(), spectrum),
            None => Ok(Basis { shapes: spectrum.shapes, static_shapes: 0 }),
        }
    }
}

/// The elastic modes of a free body; other motions without strain than six are refused.
fn elastic(mesh: &Mesh, system: &System, spectrum: Spectrum) -> Result<Spectrum, FemError> {
    let share = rigid_share(mesh, system, &spectrum.shapes)?;
    let kept: Vec<usize> = (0..share.len()).filter(|mode| share[*mode] < 0.5).collect();
    if kept.len() + 6 != share.len() {
        return Err(FemError::RigidMotions { found: share.len() - kept.len() });
    }
    let eigenvalues = kept.iter().map(|mode| spectrum.eigenvalues[*mode]).collect();
    Ok(Spectrum { eigenvalues, shapes: spectrum.shapes.select_columns(&kept), ..spectrum })
}

/// Viscous matrix of nodal shapes; `None` when no material is viscous and no matrix is given.
pub fn viscous(mesh: &Mesh, shapes: &DMatrix<f64>) -> Result<Option<DMatrix<f64>>, FemError> {
    let given = mesh.matrices.as_ref().and_then(|matrices| matrices.damping_of(shapes));
    if mesh.materials.iter().all(|material| material.viscosity.is_none()) {
        return Ok(given);
    }
    let mut total = given.unwrap_or_else(|| DMatrix::zeros(shapes.ncols(), shapes.ncols()));
    for (index, element) in mesh.elements.iter().enumerate() {
        if let Some(matrix) = Evaluated::new(mesh, index)?.viscous() {
            let local = shapes.select_rows(&element::freedoms(element));
            total.gemm_tr(1.0, &local, &(matrix * &local), 1.0);
        }
    }
    Ok(Some((&total + total.transpose()) * 0.5))
}

/// Part of the mass-weighted square of each shape that is a rigid motion (0 to 1).
pub fn rigid_share(mesh: &Mesh, system: &System, shapes: &DMatrix<f64>) -> Result<Vec<f64>, FemError> {
    let middle = mesh.nodes.iter().map(|x| Vector3::from(*x)).sum::<Vector3<f64>>() / mesh.nodes.len() as f64;
    let rigid = system.dofs.restrict(&rigid_motions(mesh, middle));
    let gram = system.mass.congruence(&rigid);
    let projected = system.mass.multiply(&rigid).tr_mul(shapes);
    let solved = crate::linear::solve_definite(&gram, &projected)?;
    let norms = system.mass.congruence(shapes).diagonal();
    Ok((0..shapes.ncols())
        .map(|mode| projected.column(mode).dot(&solved.column(mode)) / norms[mode])
        .collect())
}
