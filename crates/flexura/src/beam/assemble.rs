//! Mass stations and modal stiffness of a uniform beam, of Euler-Bernoulli's or (static shapes) Timoshenko's kind.
//!
//! Source: assumed-mode (Ritz) discretisation, Meirovitch, Analytical Methods in
//! Vibrations, chapter 6. Symbols: m mass and j rotary inertia per length, f_r shape of mode r and
//! g_r its shear angle, x_j and w_j Gauss points and weights.
//!
//! Station j: mass m w_j; rotary inertia w_j diag(j_x, j_y, j_z).
//! Stiffness: K(r,s) = int EA f_r' f_s' (axial), E I f_r'' f_s'' + k GA g_r g_s (bending),
//! GJ f_r' f_s' (torsion); other pairs are zero.
//!
//! Typeset: book/src/theory/beams.md (BM.4) to (BM.6).

use super::foreshortening::{Order, quadratic_terms};
use super::quadrature::{Quadrature, composite, gauss_legendre, order_for};
use super::shape::PreparedShape;
use super::turning::turning_terms;
use super::{BeamError, SectionProperties, Shape, positive};
use crate::linear::cholesky_in_place;

/// Kind of motion of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeKind {
    /// Displacement along x.
    Axial,
    /// Displacement along +y, rotation +f' about z.
    BendingY,
    /// Displacement along +z, rotation -f' about y.
    BendingZ,
    /// Rotation f about x.
    Torsion,
}

/// One assumed mode of a beam.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamMode {
    /// What the shape describes.
    pub kind: ModeKind,
    /// The shape along the beam.
    pub shape: Shape,
}

/// A uniform straight beam on the body x axis and its assumed modes.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamInput {
    /// Length (m).
    pub length: f64,
    /// Rigidities and inertia per length.
    pub properties: SectionProperties,
    /// Assumed modes, in the order of the modal coordinates.
    pub modes: Vec<BeamMode>,
    /// Whether the quadratic displacements (geometric stiffening) are computed.
    pub foreshortening: bool,
    /// Whether sections turn as the deflected line does to second order, and not by the slope of the modes alone.
    pub finite_turns: bool,
    /// Number of mass stations; chosen for exact mass integrals when absent.
    pub mass_stations: Option<usize>,
}

/// A point of the beam with its mass and its motion by the modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    /// Mass (kg).
    pub mass: f64,
    /// Rotary inertia about the station origin in body axes (kg m2).
    pub inertia: [[f64; 3]; 3],
    /// Undeformed position in the body frame (m).
    pub position: [f64; 3],
    /// Rotation per unit of each modal coordinate (rad per unit).
    pub slopes: Vec<[f64; 3]>,
    /// Displacement per unit of each modal coordinate (m per unit).
    pub translations: Vec<[f64; 3]>,
    /// Gamma2, n x n row-major and symmetric; the displacement is half its quadratic form (m per unit2).
    pub quadratic: Option<Vec<[f64; 3]>>,
    /// Lambda2, n x n row-major and symmetric, of sections that joints and frames hold, of beams with finite turns; empty where it is zero (rad per unit2).
    pub turn: Option<Vec<[f64; 3]>>,
}

/// Assumed-mode data of a beam with n modes.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
pub struct BeamData {
    /// Mass stations in ascending x.
    pub stations: Vec<Station>,
    /// Modal stiffness, n x n row-major (N m per unit2).
    pub stiffness: Vec<f64>,
    /// Modal mass of the stations, n x n row-major, for information (kg m2 per unit2).
    pub modal_mass: Vec<f64>,
}

/// A mode whose shape is ready for evaluation.
pub(crate) struct PreparedMode {
    pub(crate) kind: ModeKind,
    pub(crate) shape: PreparedShape,
}

/// Computes mass stations, modal stiffness and modal mass of a beam.
///
/// Points follow `quadrature::order_for`. `mass_stations` replaces the number
/// of stations only; the stiffness is still integrated exactly.
pub fn assemble(input: &BeamInput) -> Result<BeamData, BeamError> {
    let modes = prepare(input)?;
    let order = order_of(&modes);
    let exact = composite(order.0, order.1, 0.0, input.length);
    let mass_rule = match input.mass_stations {
        Some(0) => return Err(BeamError::NoStations),
        Some(count) => gauss_legendre(count, 0.0, input.length),
        None => exact.clone(),
    };
    let stations: Vec<Station> =
        mass_rule.iter().map(|(x, weight)| station(input, &modes, order, x, weight)).collect();
    let modal_mass = modal_mass(&stations, modes.len());
    if let Some(mode) = (0..modes.len()).find(|r| modal_mass[r * modes.len() + r] <= 0.0) {
        return Err(BeamError::ModeWithoutMass { mode });
    }
    if let Some(mode) = dependent_mode(&modal_mass, modes.len()) {
        return Err(BeamError::DependentMode { mode });
    }
    Ok(BeamData { stiffness: stiffness(input, &modes, &exact), stations, modal_mass })
}

/// The first mode that the modes before it make up, to rounding: there the mass matrix, scaled to a
/// unit diagonal, has no positive pivot left.
fn dependent_mode(mass: &[f64], n: usize) -> Option<usize> {
    const ROUNDING: f64 = 1e-14;
    let size = |r: usize| mass[r * n + r].sqrt();
    let mut scaled: Vec<f64> = (0..n * n).map(|k| mass[k] / (size(k / n) * size(k % n))).collect();
    for r in 0..n {
        scaled[r * n + r] -= ROUNDING;
    }
    cholesky_in_place(&mut scaled, n).err()
}

/// Massless station at x (m), for joints, loads and outputs.
#[doc(hidden)]
pub fn station_at(input: &BeamInput, x: f64) -> Result<Station, BeamError> {
    let modes = prepare(input)?;
    if !(0.0..=input.length).contains(&x) {
        let length = input.length;
        return Err(BeamError::OutsideBeam { x, length });
    }
    let order = order_of(&modes);
    let turn = input.finite_turns.then(|| turning_terms(&modes, order, x));
    Ok(Station { turn, ..station(input, &modes, order, x, 0.0) })
}

/// Points and weights along part of the beam that integrate a linear load times any of its shapes.
pub(crate) fn line_rule(input: &BeamInput, start: f64, end: f64) -> Result<Quadrature, BeamError> {
    let modes = prepare(input)?;
    let length = input.length;
    for x in [start, end] {
        if !(0.0..=length).contains(&x) {
            return Err(BeamError::OutsideBeam { x, length });
        }
    }
    if end <= start {
        return Err(BeamError::EmptySpan { start, end });
    }
    let order = order_of(&modes);
    Ok(composite(order.0, order.1, start, end))
}

/// Modal forces of a temperature field: Q_r = int rigidity x thermal strain x strain of mode r, with the
/// thermal stretch expansion x temperature and curvatures -expansion x gradient along y and z.
pub(crate) fn thermal_forces(
    input: &BeamInput,
    expansion: f64,
    temperature: f64,
    gradient: &[f64; 2],
) -> Result<Vec<f64>, BeamError> {
    let modes = prepare(input)?;
    let order = order_of(&modes);
    let rule = composite(order.0, order.1, 0.0, input.length);
    let thermal = |kind: ModeKind| match kind {
        ModeKind::Axial => expansion * temperature,
        ModeKind::BendingY => -expansion * gradient[0],
        ModeKind::BendingZ => -expansion * gradient[1],
        ModeKind::Torsion => 0.0,
    };
    let force = |mode: &PreparedMode| {
        rigidity(input, mode.kind) * thermal(mode.kind) * rule.integrate(|x| strain(mode, x))
    };
    Ok(modes.iter().map(force).collect())
}

/// Lengths that can be meant (m); far outside, shapes and their integrals overflow.
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// Checks the input and makes its shapes ready.
pub(crate) fn prepare(input: &BeamInput) -> Result<Vec<PreparedMode>, BeamError> {
    positive("beam length", input.length)?;
    if !LENGTHS.contains(&input.length) {
        return Err(BeamError::UnlikelyLength { length: input.length });
    }
    input.properties.validate()?;
    let [along_y, along_z] = input.properties.shear_parameters(input.length);
    let prepared = |(mode, beam_mode): (usize, &BeamMode)| {
        let phi = match beam_mode.kind {
            ModeKind::BendingY => along_y,
            ModeKind::BendingZ => along_z,
            ModeKind::Axial | ModeKind::Torsion => 0.0,
        };
        let shape = beam_mode.shape.prepare_sheared(input.length, phi);
        let shape = shape.map_err(|reason| BeamError::BadShape { mode, reason })?;
        let kind = beam_mode.kind;
        Ok(PreparedMode { kind, shape })
    };
    input.modes.iter().enumerate().map(prepared).collect()
}

fn order_of(modes: &[PreparedMode]) -> Order {
    let phase = modes.iter().map(|mode| mode.shape.phase_length());
    let degree = modes.iter().map(|mode| mode.shape.degree());
    order_for(phase.fold(0.0, f64::max), degree.max().unwrap_or(0))
}

/// Station at x that stands for the given length of beam.
fn station(input: &BeamInput, modes: &[PreparedMode], order: Order, x: f64, length: f64) -> Station {
    let (slopes, translations) = modes.iter().map(|mode| motion(mode, x)).unzip();
    let [jx, jy, jz] = input.properties.rotary.map(|inertia| inertia * length);
    Station {
        mass: input.properties.mass * length,
        inertia: [[jx, 0.0, 0.0], [0.0, jy, 0.0], [0.0, 0.0, jz]],
        position: [x, 0.0, 0.0],
        slopes,
        translations,
        quadratic: input.foreshortening.then(|| quadratic_terms(modes, order, x)),
        turn: None,
    }
}

/// Rotation and displacement of the section at x per unit of a modal coordinate.
pub(super) fn motion(mode: &PreparedMode, x: f64) -> ([f64; 3], [f64; 3]) {
    let f = mode.shape.at(x);
    match mode.kind {
        ModeKind::Axial => ([0.0; 3], [f.value, 0.0, 0.0]),
        ModeKind::BendingY => ([0.0, 0.0, f.rotation()], [0.0, f.value, 0.0]),
        ModeKind::BendingZ => ([0.0, -f.rotation(), 0.0], [0.0, 0.0, f.value]),
        ModeKind::Torsion => ([f.value, 0.0, 0.0], [0.0; 3]),
    }
}

fn stiffness(input: &BeamInput, modes: &[PreparedMode], rule: &Quadrature) -> Vec<f64> {
    let n = modes.len();
    let mut matrix = vec![0.0; n * n];
    for (x, weight) in rule.iter() {
        let strains: Vec<f64> = modes.iter().map(|mode| strain(mode, x)).collect();
        let shears: Vec<f64> = modes.iter().map(|mode| mode.shape.at(x).shear).collect();
        for r in 0..n {
            let factor = weight * rigidity(input, modes[r].kind);
            let sheared = weight * shear_rigidity(input, modes[r].kind);
            for s in (0..n).filter(|s| modes[*s].kind == modes[r].kind) {
                // The product of the strains first, so that the sum is exactly symmetric.
                matrix[r * n + s] += factor * (strains[r] * strains[s]) + sheared * (shears[r] * shears[s]);
            }
        }
    }
    matrix
}

/// Generalised strain at x: stretch, curvature or rate of twist.
pub(crate) fn strain(mode: &PreparedMode, x: f64) -> f64 {
    let f = mode.shape.at(x);
    match mode.kind {
        ModeKind::Axial | ModeKind::Torsion => f.slope,
        ModeKind::BendingY | ModeKind::BendingZ => f.curvature,
    }
}

/// EA, EI or GJ.
pub(crate) fn rigidity(input: &BeamInput, kind: ModeKind) -> f64 {
    let properties = &input.properties;
    match kind {
        ModeKind::Axial => properties.axial,
        ModeKind::BendingY => properties.bending_y,
        ModeKind::BendingZ => properties.bending_z,
        ModeKind::Torsion => properties.torsion,
    }
}

/// k GA of the plane of a bending mode; zero where shear is rigid, for its shear angle is zero too.
pub(crate) fn shear_rigidity(input: &BeamInput, kind: ModeKind) -> f64 {
    let [along_y, along_z] = input.properties.shear;
    match kind {
        ModeKind::BendingY => along_y.unwrap_or(0.0),
        ModeKind::BendingZ => along_z.unwrap_or(0.0),
        ModeKind::Axial | ModeKind::Torsion => 0.0,
    }
}

/// sum_j m gamma_r . gamma_s + lambda_r . I lambda_s over the stations.
fn modal_mass(stations: &[Station], n: usize) -> Vec<f64> {
    let mut matrix = vec![0.0; n * n];
    for station in stations {
        let (gamma, lambda) = (&station.translations, &station.slopes);
        for r in 0..n {
            for s in 0..n {
                let moved: f64 = (0..3).map(|i| gamma[r][i] * gamma[s][i]).sum();
                // The inertia of a station is diagonal in body axes.
                let turned: f64 = (0..3).map(|i| station.inertia[i][i] * (lambda[r][i] * lambda[s][i])).sum();
                matrix[r * n + s] += station.mass * moved + turned;
            }
        }
    }
    matrix
}
