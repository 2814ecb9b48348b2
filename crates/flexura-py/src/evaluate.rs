//! One evaluation of the dynamics: accelerations, inverse dynamics, mass matrix.
//!
//! Small models keep the interpreter attached: letting it go and coming back would cost
//! more than the evaluation.

use crate::error::simulation_error;
use crate::model::PyModel;
use flexura::algorithm::composite_body::{CompositeBody, composite_body, mass_matrix};
use flexura::algorithm::divide_and_conquer::{DivideAndConquer, Par, divide_and_conquer};
use flexura::algorithm::inverse_dynamics::{Terms, inverse_dynamics};
use flexura::model::joint::JointKind;
use flexura::prescribe::apply_prescribed;
use flexura::{DynamicsError, Model, State, Workspace, evaluate};
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Models with more speeds let the interpreter go during an evaluation.
const ATTACHED_SPEEDS: usize = 200;
/// How far the square of a quaternion's length may be from one.
const UNIT: f64 = 1e-6;

/// Vectors of numbers as users give them.
pub type Vector<'py> = PyArrayLike1<'py, f64, AllowTypeChange>;

/// What evaluations need, made once per model.
pub struct Scratch {
    state: State,
    work: Workspace,
    composite: Option<CompositeBody>,
    divided: Option<Box<DivideAndConquer>>,
}

impl Scratch {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let state = State::initial(model, 0.0);
        Self { state, work: Workspace::new(model), composite: None, divided: None }
    }
}

/// Copies `values` over `to`; wrong lengths and numbers that are not finite are refused.
pub fn copy(name: &str, values: &Vector<'_>, to: &mut [f64]) -> PyResult<()> {
    let given = values.as_array();
    if given.len() != to.len() {
        let text = format!("{name} has {} entries, the model needs {}", given.len(), to.len());
        return Err(PyValueError::new_err(text));
    }
    for (i, (slot, &value)) in to.iter_mut().zip(given).enumerate() {
        if !value.is_finite() {
            return Err(PyValueError::new_err(format!("{name}[{i}] is {value}: give finite numbers")));
        }
        *slot = value;
    }
    Ok(())
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
    copy("q", q, &mut state.q)?;
    copy("v", v, &mut state.v)?;
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
fn on_scratch<T: Send>(
    py: Python<'_>,
    model: &PyModel,
    action: impl FnOnce(&Model, &mut Scratch) -> T + Send,
) -> T {
    let scratch: &Mutex<Scratch> = &model.scratch;
    let engine = model.model();
    // The lock is never held while waiting for the interpreter.
    let act = move || action(engine, &mut scratch.lock().unwrap_or_else(PoisonError::into_inner));
    if engine.speed_count() > ATTACHED_SPEEDS { py.detach(act) } else { act() }
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
    DivideAndConquer,
}

fn algorithm(name: &str) -> PyResult<Algorithm> {
    match name {
        "articulated" => Ok(Algorithm::Articulated),
        "composite" => Ok(Algorithm::Composite),
        "divide-and-conquer" => Ok(Algorithm::DivideAndConquer),
        _ => Err(PyValueError::new_err(format!(
            "algorithm \"{name}\": choose \"articulated\", \"composite\" or \"divide-and-conquer\""
        ))),
    }
}

fn solve(model: &Model, scratch: &mut Scratch, chosen: Algorithm) -> Result<(), DynamicsError> {
    let Scratch { state, work, composite, divided } = scratch;
    work.load.before = false;
    apply_prescribed(model, state, Some(&mut work.load));
    match chosen {
        Algorithm::Articulated => evaluate(model, state, work),
        Algorithm::Composite => {
            work.kinematics(model, state);
            work.loads(model, state);
            let composite = match composite {
                Some(composite) => composite,
                None => composite.insert(CompositeBody::new(model)?),
            };
            composite_body(model, &work.kinematics, &work.inertias, &work.load, composite)?;
            work.articulated.chidot.copy_from_slice(&composite.chidot);
            Ok(())
        }
        Algorithm::DivideAndConquer => {
            work.kinematics(model, state);
            work.loads(model, state);
            let divided = divided.get_or_insert_with(|| Box::new(DivideAndConquer::new(model)));
            divide_and_conquer(model, &work.kinematics, &work.inertias, &work.load, divided, Par::Serial)?;
            work.articulated.chidot.copy_from_slice(&divided.chidot);
            Ok(())
        }
    }
}

/// Fills the scratch from the user's vectors, the model being small enough to stay attached.
fn prepare(model: &PyModel, q: &Vector<'_>, v: &Vector<'_>, t: f64) -> PyResult<()> {
    let mut scratch = model.scratch.lock().unwrap_or_else(PoisonError::into_inner);
    fill_state(model.model(), &mut scratch.state, q, v, t)
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
        let chosen = self::algorithm(algorithm)?;
        if !matches!(chosen, Algorithm::Articulated) {
            no_loops(self.model(), algorithm)?;
        }
        let out = match out {
            Some(out) => out,
            None => PyArray1::zeros(py, self.model().speed_count(), false),
        };
        let mut values =
            out.try_readwrite().map_err(|_| PyValueError::new_err("out cannot be written to"))?;
        let values = values.as_slice_mut().map_err(|_| PyValueError::new_err("out must be contiguous"))?;
        if values.len() != self.model().speed_count() {
            let text =
                format!("out has {} entries, the model needs {}", values.len(), self.model().speed_count());
            return Err(PyValueError::new_err(text));
        }
        prepare(self, &q, &v, t)?;
        on_scratch(py, self, |model, scratch| {
            solve(model, scratch, chosen)?;
            values.copy_from_slice(&scratch.work.articulated.chidot);
            Ok(())
        })
        .map_err(|error: DynamicsError| simulation_error(error))?;
        Ok(out)
    }

    /// Generalised forces that the accelerations need beyond the model's own loads.
    #[pyo3(signature = (q, v, a, t=0.0))]
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: Vector<'py>,
        v: Vector<'py>,
        a: Vector<'py>,
        t: f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        no_loops(self.model(), "inverse dynamics")?;
        let mut wanted = vec![0.0; self.model().speed_count()];
        copy("a", &a, &mut wanted)?;
        prepare(self, &q, &v, t)?;
        let forces = on_scratch(py, self, |model, Scratch { state, work, .. }| {
            work.load.before = false;
            apply_prescribed(model, state, Some(&mut work.load));
            work.kinematics(model, state);
            work.loads(model, state);
            let (kinematics, inertias) = (&work.kinematics, &work.inertias);
            inverse_dynamics(
                model,
                kinematics,
                inertias,
                &wanted,
                &work.load.wrench,
                Terms::All,
                &mut work.inverse,
            );
            let needed = work.inverse.generalized.iter().zip(&work.load.generalized);
            needed.map(|(needed, there)| needed - there).collect::<Vec<f64>>()
        });
        Ok(PyArray1::from_vec(py, forces))
    }

    /// Mass matrix at q over all speeds.
    fn mass_matrix<'py>(&self, py: Python<'py>, q: Vector<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let speeds = self.model().speed_count();
        let still = PyArray1::<f64>::zeros(py, speeds, false).into_any().extract::<Vector<'py>>()?;
        prepare(self, &q, &still, 0.0)?;
        let mass = on_scratch(py, self, |model, Scratch { state, work, composite, .. }| {
            let composite = match composite {
                Some(composite) => composite,
                None => composite.insert(CompositeBody::new(model)?),
            };
            work.kinematics(model, state);
            mass_matrix(model, &work.kinematics, &work.inertias, composite);
            Ok(composite.mass.clone())
        })
        .map_err(|error: DynamicsError| simulation_error(error))?;
        PyArray1::from_vec(py, mass).reshape([speeds, speeds])
    }

    /// Seconds the engine alone takes for `count` evaluations at the state last given; for measurements.
    fn _engine_seconds(&self, py: Python<'_>, count: usize) -> PyResult<f64> {
        on_scratch(py, self, |model, scratch| {
            let started = std::time::Instant::now();
            for _ in 0..count {
                solve(model, scratch, Algorithm::Articulated)?;
            }
            Ok(started.elapsed().as_secs_f64())
        })
        .map_err(|error: DynamicsError| simulation_error(error))
    }
}
