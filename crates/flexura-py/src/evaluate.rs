//! One evaluation of the dynamics: accelerations, mass matrix.
//!
//! Small models keep the interpreter attached: letting it go and coming back would cost
//! more than the evaluation.

use crate::array::{Vector, check_out, fill_out};
use crate::error::simulation_error;
use crate::model::PyModel;
use crate::scratch::Scratch;
use flexura::algorithm::composite_body::{CompositeBody, composite_body, mass_matrix};
use flexura::model::description::AlgorithmDescription;
use flexura::model::joint::JointKind;
use flexura::state::prescribe::apply_prescribed;
use flexura::{DynamicsError, Model, State, Workspace, evaluate};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::PoisonError;

/// Models with more speeds let the interpreter go during an evaluation.
const ATTACHED_SPEEDS: usize = 200;
/// How far the square of a quaternion's length may be from one.
const UNIT: f64 = 1e-6;
/// Up to this many bodies divide and conquer goes down to single ones; it would not divide them otherwise.
const SMALL: usize = 128;

impl PyModel {
    /// Scratch for one evaluation; an evaluation that fails may keep it.
    pub(super) fn take_scratch(&self) -> Box<Scratch> {
        let free = self.scratch.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| Box::new(Scratch::new(self.model())))
    }

    pub(super) fn give_back(&self, scratch: Box<Scratch>) {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }
}

/// Fills a state from user's vectors.
pub fn fill_state(
    model: &Model,
    state: &mut State,
    q: &Vector<'_>,
    v: &Vector<'_>,
    time: f64,
) -> PyResult<()> {
    if !time.is_finite() {
        return Err(PyValueError::new_err(format!("t is {time}: give a finite number")));
    }
    state.time = time;
    q.copy_to("q", &mut state.q)?;
    v.copy_to("v", &mut state.v)?;
    for (joint, part) in model.joints.iter().zip(&model.layout.bodies) {
        if matches!(joint.joint.kind, JointKind::Spherical | JointKind::Free) {
            let start = part.joint_q().start;
            let square: f64 = state.q[start..start + 4].iter().map(|x| x * x).sum();
            if (square - 1.0).abs() > UNIT {
                let text = format!(
                    "q[{start}:{}] is the quaternion of joint `{}` and must have unit length, not {}",
                    start + 4,
                    joint.name,
                    square.sqrt()
                );
                return Err(PyValueError::new_err(text));
            }
        }
    }
    Ok(())
}

/// Runs `action` on the scratch, detached for large models.
pub(crate) fn compute<'a, T: Send>(
    py: Python<'_>,
    model: &Model,
    scratch: &'a mut Scratch,
    action: impl FnOnce(&Model, &'a mut Scratch) -> T + Send,
) -> T {
    if model.speed_count() > ATTACHED_SPEEDS {
        py.detach(|| action(model, scratch))
    } else {
        action(model, scratch)
    }
}

/// A closed loop that an algorithm does not know.
fn no_loops(model: &Model, words: &str) -> PyResult<()> {
    match model.loops.first() {
        Some(joint) => Err(PyValueError::new_err(format!(
            "{words} does not know closed loops (joint `{}` closes one): use algorithm=\"articulated\"",
            joint.name
        ))),
        None => Ok(()),
    }
}

#[derive(Clone, Copy)]
enum Algorithm {
    Articulated,
    Composite,
    ConjugateGradient,
    DivideAndConquer,
}

fn algorithm(name: &str) -> PyResult<Algorithm> {
    match name {
        "articulated" => Ok(Algorithm::Articulated),
        "composite" => Ok(Algorithm::Composite),
        "conjugate-gradient" => Ok(Algorithm::ConjugateGradient),
        "divide-and-conquer" => Ok(Algorithm::DivideAndConquer),
        _ => Err(PyValueError::new_err(format!(
            "algorithm \"{name}\": choose \"articulated\", \"composite\", \"conjugate-gradient\" or \"divide-and-conquer\""
        ))),
    }
}

/// Scratch of divide and conquer.
fn divided_work(model: &Model) -> Workspace {
    let leaf = if model.body_count() > SMALL { 0 } else { 1 };
    let mut work = Workspace::new(model);
    // One thread is the caller's own: nothing is asked of the system.
    let _ = work.choose(model, AlgorithmDescription::DivideAndConquer { threads: 1, leaf, refinements: 0 });
    work
}

/// Scratch of conjugate gradients.
fn gradient_work(model: &Model) -> Workspace {
    let mut work = Workspace::new(model);
    // Needs neither threads nor a matrix.
    let _ = work.choose(model, AlgorithmDescription::ConjugateGradient);
    work
}

/// Accelerations at the state of the scratch.
fn solve<'a>(model: &Model, scratch: &'a mut Scratch, chosen: Algorithm) -> Result<&'a [f64], DynamicsError> {
    let Scratch { state, work, composite, divided, gradients } = scratch;
    let work = match chosen {
        Algorithm::DivideAndConquer => divided.get_or_insert_with(|| Box::new(divided_work(model))),
        Algorithm::ConjugateGradient => gradients.get_or_insert_with(|| Box::new(gradient_work(model))),
        _ => work,
    };
    apply_prescribed(model, state, Some(&mut work.load));
    if !matches!(chosen, Algorithm::Composite) {
        evaluate(model, state, work)?;
        return Ok(&work.accelerations.chidot);
    }
    work.kinematics(model, state);
    work.loads(model, state);
    let composite = match composite {
        Some(composite) => composite,
        None => composite.insert(CompositeBody::new(model)?),
    };
    composite_body(model, &work.motion.kinematics, &work.inertias, &work.load, composite)?;
    Ok(&composite.chidot)
}

#[pymethods]
impl PyModel {
    /// Accelerations at (q, v, t): one number per speed.
    #[pyo3(signature = (q, v, t=0.0, algorithm="articulated", out=None))]
    fn accelerations<'py>(
        &self,
        py: Python<'py>,
        q: Vector<'py>,
        v: Vector<'py>,
        t: f64,
        algorithm: &str,
        out: Option<Bound<'py, PyArray1<f64>>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (model, chosen) = (self.model(), self::algorithm(algorithm)?);
        if matches!(chosen, Algorithm::Composite | Algorithm::ConjugateGradient) {
            no_loops(model, algorithm)?;
        }
        if let Some(out) = &out {
            check_out(out, model.speed_count())?;
        }
        let mut scratch = self.take_scratch();
        fill_state(model, &mut scratch.state, &q, &v, t)?;
        let found = compute(py, model, &mut scratch, |model, scratch| solve(model, scratch, chosen));
        let values = found.map_err(simulation_error)?;
        let out = match out {
            Some(out) => fill_out(&out, values).map(|()| out)?,
            None => PyArray1::from_slice(py, values),
        };
        self.give_back(scratch);
        Ok(out)
    }

    /// Mass matrix at q over all speeds.
    fn mass_matrix<'py>(&self, py: Python<'py>, q: Vector<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (model, speeds) = (self.model(), self.model().speed_count());
        let mut scratch = self.take_scratch();
        let still = PyArray1::<f64>::zeros(py, speeds, false).into_any().extract::<Vector<'py>>()?;
        fill_state(model, &mut scratch.state, &q, &still, 0.0)?;
        let mass = compute(py, model, &mut scratch, |model, Scratch { state, work, composite, .. }| {
            let composite = match composite {
                Some(composite) => composite,
                None => composite.insert(CompositeBody::new(model)?),
            };
            work.kinematics(model, state);
            mass_matrix(model, &work.motion.kinematics, &work.inertias, composite);
            Ok(composite.mass.clone())
        });
        let mass = mass.map_err(|error: DynamicsError| simulation_error(error))?;
        self.give_back(scratch);
        PyArray1::from_vec(py, mass).reshape([speeds, speeds])
    }

    /// Seconds the engine alone takes for `count` evaluations at the state last given; for measurements.
    fn _engine_seconds(&self, py: Python<'_>, count: usize) -> PyResult<f64> {
        let mut scratch = self.take_scratch();
        let seconds = compute(py, self.model(), &mut scratch, |model, scratch| {
            let started = std::time::Instant::now();
            for _ in 0..count {
                solve(model, scratch, Algorithm::Articulated)?;
            }
            Ok(started.elapsed().as_secs_f64())
        });
        self.give_back(scratch);
        seconds.map_err(|error: DynamicsError| simulation_error(error))
    }
}
