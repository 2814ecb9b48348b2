//! Modes and residual shapes chosen by the error they leave.
//!
//! Asked for are an error e and a band of frequencies. Of the part held at its reference the basis Phi then has
//! - the static answer X = K^-1 F to every load F that joints and motion put on it, to e in the norm of K (strain, by its mean
//!   square): unit loads at the interfaces, also at those that follow a mean, and the inertia loads of (FE.6);
//! - every natural frequency up to the band, to e, of the part held at its reference and of the free part: a machine holds it in
//!   some way between the two.
//!
//! It begins with the method's static shapes and all its modes below the band, adds what is missing of the static answers
//! (FE.13), and then, for every vibration u of the reduced part whose frequency is not good enough, the residual of an inverse
//! iteration,
//!   psi = X' - Phi (Phi^T K Phi)^-1 Phi^T M u,   X' = K^-1 M u,
//! with M (u + R a) in place of M u where the rigid motion R a of the free part takes part. How good a frequency is is known before it
//! is improved: Ritz values only fall as the space grows, and those of Phi with all these psi have the next power of the error.
//! A Sturm count says whether a vibration of the held part has no Ritz value at all.
//!
//! Symbols: K, M stiffness and mass of the held part; R rigid motions about the reference node; F loads.
//! Cost: the modes, then per round one solution for as many right-hand sides as there are vibrations in the band.
//!
//! Typeset: book/src/theory/reduction.md (FE.16).

use super::Basis;
use super::attachment::held_response;
use super::plane::Plane;
use super::residual::{add, energies, missing, rounding};
use crate::assemble::{System, mass_properties};
use crate::eigen::{EigenOptions, ShiftedFactor, frequency, lowest_modes_with};
use crate::element::MassModel;
use crate::error::{FemError, positive};
use crate::frame_loads::{self, Frame};
use crate::linear::{Factor, generalized_eigen};
use crate::mesh::Mesh;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use std::fmt;

/// What a reduction has to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enough {
    /// Largest error of static answers (in strain, by its mean square) and of frequencies (1).
    pub error: f64,
    /// Up to which frequency (Hz); `None` for three times the lowest one of the part held at its reference.
    pub band: Option<f64>,
}

/// What it reached, by its own estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// What was asked for.
    pub asked: f64,
    /// Up to which frequency (Hz).
    pub band: f64,
    /// Largest error of a static answer.
    pub statics: f64,
    /// Largest error of a frequency of the part held at its reference.
    pub held: f64,
    /// Largest error of a frequency of the free part; `None` where that is not judged: its mass cannot turn about some axis.
    pub free: Option<f64>,
    /// Vibrations of the held and of the free part up to the band.
    pub vibrations: [usize; 2],
}

impl fmt::Display for Reached {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "asked for {:.1e} up to {:.4} Hz; estimated: static answers {:.1e}",
            self.asked, self.band, self.statics
        )?;
        let [held, free] = self.vibrations;
        write!(out, ", {held} frequencies held at the reference {:.1e}", self.held)?;
        match self.free {
            Some(error) => write!(out, ", {free} of the free part {error:.1e}"),
            None => write!(out, "; the free part is not judged, it has no inertia about some axis"),
        }
    }
}

/// Errors that can be asked for.
pub const RANGE: std::ops::RangeInclusive<f64> = 1e-6..=0.5;
/// Where no band is given: up to so many times the lowest frequency of the held part. A beam held at one end vibrates 2.8 times as
/// fast between two hinges.
const REACH: f64 = 3.0;
/// Most rounds of improvement; each takes the next power of the error, two or three suffice.
const ROUNDS: usize = 12;
/// Share of its energy that a psi must bring: less is rounding.
const NOTHING: f64 = 1e-13;
/// Share of what is asked for at which an estimated frequency is left alone: it is an estimate.
const SURE: f64 = 0.5;

/// A reduced part in one way of being held.
struct State {
    /// Values of the elastic vibrations, ascending.
    values: Vec<f64>,
    /// Their shares of the shapes.
    shapes: DMatrix<f64>,
    /// Their shares of the rigid motions; no rows where there are none.
    rigid: DMatrix<f64>,
}

/// The part, and what is asked of its shapes.
pub(super) struct Task<'a> {
    pub mesh: &'a Mesh,
    pub system: &'a System,
    pub factor: &'a Factor,
    pub mass: MassModel,
    pub reference: usize,
    pub plane: Option<Plane>,
}

/// The band in hertz: as given, or by the lowest frequency of the held part.
pub(super) fn band(
    factors: &mut ShiftedFactor<'_>,
    enough: Enough,
    options: &EigenOptions,
) -> Result<f64, FemError> {
    if !RANGE.contains(&enough.error) {
        let rule = "it must lie between 1e-6 and 0.5".into();
        return Err(FemError::OutOfRange { what: "the error asked for".into(), value: enough.error, rule });
    }
    match enough.band {
        Some(band) => positive("the band of frequencies", band).map(|()| band),
        None => {
            let spectrum = lowest_modes_with(factors, 1, options)?;
            Ok(REACH * frequency(spectrum.eigenvalues[0]))
        }
    }
}

/// Adds shapes to `basis` until it is good enough up to a frequency with so many vibrations of the held part below. `loads`, `kinds` and `response`: all static loads, which of them compare, and
/// the answers of the full model.
pub(super) fn complete(
    task: &Task<'_>,
    enough: Enough,
    (band, counted): (f64, usize),
    basis: Basis,
    (loads, kinds): (&DMatrix<f64>, &[usize]),
    response: &DMatrix<f64>,
) -> Result<(Basis, Reached), FemError> {
    let whole = energies(loads, response);
    let nothing = rounding(&whole, kinds);
    let share = enough.error * enough.error;
    let lacking = missing(task.system, &basis.shapes, loads, response)?;
    let basis = add(task.system, basis, lacking, |load, _| (share * whole[load]).max(nothing[load]))?;
    let free = Free::new(task)?;
    let (basis, mut reached) = improve(task, enough, band, basis, free.as_ref(), counted)?;
    let left = missing(task.system, &basis.shapes, loads, response)?;
    let kept = (0..loads.ncols()).filter(|load| whole[*load] > nothing[*load]);
    let lost = |load: usize| {
        let column = left.columns(load, 1).into_owned();
        (task.system.stiffness.congruence(&column)[(0, 0)].max(0.0) / whole[load]).sqrt()
    };
    reached.statics = kept.map(lost).fold(0.0, f64::max);
    Ok((basis, reached))
}

/// Rounds of improvement of the frequencies.
fn improve(
    task: &Task<'_>,
    enough: Enough,
    band: f64,
    mut basis: Basis,
    free: Option<&Free>,
    counted: usize,
) -> Result<(Basis, Reached), FemError> {
    let top = (std::f64::consts::TAU * band).powi(2);
    let mut last = f64::INFINITY;
    for _ in 0..ROUNDS {
        let held = judge(task, &basis, None, top, enough.error, counted)?;
        let loose = free.map(|free| judge(task, &basis, Some(free), top, enough.error, 0)).transpose()?;
        let worst = loose.as_ref().map(|found| found.error);
        last = held.error.max(worst.unwrap_or(0.0));
        if last <= SURE * enough.error && held.count >= counted {
            let vibrations = [held.count, loose.map_or(0, |found| found.count)];
            let reached = Reached {
                asked: enough.error,
                band,
                statics: 0.0,
                held: held.error,
                free: worst,
                vibrations,
            };
            return Ok((basis, reached));
        }
        let columns: Vec<_> =
            held.better.into_iter().chain(loose.into_iter().flat_map(|found| found.better)).collect();
        let before = basis.shapes.ncols();
        if !columns.is_empty() {
            let columns = DMatrix::from_columns(&columns);
            basis = add(task.system, basis, columns, |_, alone| NOTHING.max(DEPENDENT * alone))?;
        }
        if basis.shapes.ncols() == before {
            break;
        }
    }
    let rule = format!("{} is asked for up to {band:.4} Hz: ask for less, or choose `modes`", enough.error);
    Err(FemError::OutOfRange { what: "the error of frequencies that was reached".into(), value: last, rule })
}

/// Below this share of its energy alone a psi counts as dependent on those before.
const DEPENDENT: f64 = 1e-9;

/// What is known of the vibrations of one state.
struct Judged {
    /// Largest estimated error of a frequency in the band.
    error: f64,
    /// Vibrations in the band.
    count: usize,
    /// Columns that make those better that are not good enough.
    better: Vec<DVector<f64>>,
}

fn judge(
    task: &Task<'_>,
    basis: &Basis,
    free: Option<&Free>,
    top: f64,
    asked: f64,
    counted: usize,
) -> Result<Judged, FemError> {
    let state = state(task, &basis.shapes, free)?;
    // One more than lies in the band: the next may fall into it.
    let inside = state.values.iter().filter(|value| **value <= top * (1.0 + asked).powi(2)).count();
    let looked = (inside.max(counted) + 1).min(state.values.len());
    let shares = state.shapes.columns(0, looked);
    let mut loads = task.system.mass.multiply(&(&basis.shapes * shares));
    if let Some(free) = free {
        loads -= &free.loads * state.rigid.columns(0, looked);
    }
    let response = held_response(task.factor, &loads)?;
    let whole = energies(&loads, &response);
    // Columns by the size of the answers they belong to, so that one limit tells all of them from rounding.
    let mut lacking = missing(task.system, &basis.shapes, &loads, &response)?;
    for (mut column, energy) in lacking.column_iter_mut().zip(whole) {
        column /= energy.max(f64::MIN_POSITIVE).sqrt();
    }
    let wider = Basis { shapes: basis.shapes.clone(), static_shapes: basis.static_shapes };
    let wider = add(task.system, wider, lacking.clone(), |_, alone| NOTHING.max(DEPENDENT * alone))?;
    let better = self::state(task, &wider.shapes, free)?;
    let mut judged = Judged { error: 0.0, count: 0, better: Vec::new() };
    for column in 0..looked {
        if better.values[column] > top {
            // Counted and not found: whatever lies next is made better until it is.
            if judged.count < counted && column < counted {
                judged.better.push(lacking.column(column).into_owned());
            }
            continue;
        }
        judged.count += 1;
        let error = (state.values[column] / better.values[column]).sqrt() - 1.0;
        judged.error = judged.error.max(error);
        if error > SURE * asked {
            judged.better.push(lacking.column(column).into_owned());
        }
    }
    Ok(judged)
}

/// Rigid motions of the free part about its reference.
struct Free {
    /// Their inertia loads, -M R.
    loads: DMatrix<f64>,
    /// R^T M R.
    mass: DMatrix<f64>,
}

impl Free {
    /// `None` where mass cannot turn about some axis.
    fn new(task: &Task<'_>) -> Result<Option<Self>, FemError> {
        let origin = Vector3::from(task.mesh.nodes[task.reference]);
        let frame = Frame { origin, axes: Matrix3::identity() };
        let nodal = frame_loads::nodal(task.mesh, task.mass, &frame)?;
        let leaving = task.plane.map_or([false; 6], Plane::leaving);
        let kept: Vec<usize> = (0..6).filter(|motion| !leaving[*motion]).collect();
        let columns: Vec<_> =
            kept.iter().map(|motion| task.system.dofs.project(&nodal.column(*motion).into_owned())).collect();
        let (mass, center, inertia) = mass_properties(task.mesh, task.mass)?;
        let arm = (center - origin).cross_matrix();
        let mut whole = DMatrix::zeros(6, 6);
        whole.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * mass));
        whole.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-arm * mass));
        whole.fixed_view_mut::<3, 3>(3, 0).copy_from(&(arm * mass));
        whole.fixed_view_mut::<3, 3>(3, 3).copy_from(&(inertia - arm * arm * mass));
        let turning = inertia.symmetric_eigenvalues();
        let thin = turning.min() <= 1e-12 * turning.max();
        let mass = whole.select_rows(&kept).select_columns(&kept);
        Ok((!thin).then(|| Self { loads: DMatrix::from_columns(&columns), mass }))
    }
}

/// Vibrations of the reduced part, held at its reference or free.
fn state(task: &Task<'_>, shapes: &DMatrix<f64>, free: Option<&Free>) -> Result<State, FemError> {
    let (k, m) = (task.system.stiffness.congruence(shapes), task.system.mass.congruence(shapes));
    let Some(free) = free else {
        let (values, shapes) = generalized_eigen(&k, &m)?;
        return Ok(State {
            values: values.as_slice().to_vec(),
            shapes,
            rigid: DMatrix::zeros(0, values.len()),
        });
    };
    let (rigid, count) = (free.mass.nrows(), shapes.ncols());
    let (mut stiffness, mut mass) =
        (DMatrix::zeros(rigid + count, rigid + count), DMatrix::zeros(rigid + count, rigid + count));
    stiffness.view_mut((rigid, rigid), (count, count)).copy_from(&k);
    let coupling = -free.loads.tr_mul(shapes);
    mass.view_mut((0, 0), (rigid, rigid)).copy_from(&free.mass);
    mass.view_mut((0, rigid), (rigid, count)).copy_from(&coupling);
    mass.view_mut((rigid, 0), (count, rigid)).copy_from(&coupling.transpose());
    mass.view_mut((rigid, rigid), (count, count)).copy_from(&m);
    let (values, vectors) = generalized_eigen(&stiffness, &mass)?;
    Ok(State {
        values: values.as_slice()[rigid..].to_vec(),
        shapes: vectors.view((rigid, rigid), (count, count)).into_owned(),
        rigid: vectors.view((0, rigid), (rigid, count)).into_owned(),
    })
}
