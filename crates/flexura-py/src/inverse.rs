//! Inverse dynamics, forces that motions need, matrices of the equations of motion.

use crate::array::Vector;
use crate::error::simulation_error;
use crate::evaluate::{compute, fill_state};
use crate::model::PyModel;
use crate::scratch::Scratch;
use flexura::algorithm::inverse_dynamics::{Terms, inverse_dynamics};
use flexura::analysis::{
    AnalysisError, DynamicsDerivatives, InverseProblem, MotionSeries, log_determinant_of_mass, mass_matrices,
    speed_labels,
};
use flexura::formulation::graph::Equations;
use flexura::formulation::graph::symbolic::{Language, Symbolic};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Load, Model, State};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;

/// Wrong names are wrong values; the rest belongs to the state.
fn analysis_error(error: AnalysisError) -> PyErr {
    match error {
        AnalysisError::Name(text) => PyValueError::new_err(text),
        other => simulation_error(other),
    }
}

/// All accelerations given, or those of named drives.
fn problem(model: &Model, drives: Option<&[String]>) -> PyResult<InverseProblem> {
    match drives {
        Some(drives) => InverseProblem::with_drives(model, drives),
        None => InverseProblem::new(model),
    }
    .map_err(analysis_error)
}

/// Forces of named drives for accelerations, among which those of prescribed motions are the model's own.
fn forces_of_drives(
    model: &Model,
    state: &mut State,
    accelerations: &mut [f64],
    drives: &[String],
) -> PyResult<Vec<f64>> {
    let mut load = Load::new(model);
    apply_prescribed(model, state, Some(&mut load));
    let own = load.acceleration.iter().zip(&model.prescribed);
    for (slot, (own, prescribed)) in accelerations.iter_mut().zip(own) {
        *slot = if *prescribed { *own } else { *slot };
    }
    let mut problem = problem(model, Some(drives))?;
    problem.solve(state, accelerations).map(<[f64]>::to_vec).map_err(analysis_error)
}

fn square<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    rows: usize,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_vec(py, values).reshape([rows, columns])
}

impl PyModel {
    /// The state at q with speeds v, or at rest.
    fn state_at(&self, py: Python<'_>, q: &Vector<'_>, v: Option<Vector<'_>>, t: f64) -> PyResult<State> {
        let model = self.model();
        let v = match v {
            Some(v) => v,
            None => PyArray1::<f64>::zeros(py, model.speed_count(), false).into_any().extract()?,
        };
        let mut state = State::initial(model, t);
        fill_state(model, &mut state, q, &v, t)?;
        Ok(state)
    }
}

#[pymethods]
impl PyModel {
    /// Generalised forces that the accelerations need beyond the model's own loads.
    #[pyo3(signature = (q, v, a, t=0.0, drives=None))]
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: Vector<'py>,
        v: Vector<'py>,
        a: Vector<'py>,
        t: f64,
        drives: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let model = self.model();
        if let (None, Some(joint)) = (&drives, model.loops.first()) {
            let text = format!(
                "inverse dynamics of closed loops (joint `{}` closes a loop) needs the joints that drive them: drives=[…]",
                joint.name
            );
            return Err(PyValueError::new_err(text));
        }
        let mut wanted = vec![0.0; model.speed_count()];
        a.copy_to("a", &mut wanted)?;
        let mut scratch = self.take_scratch();
        fill_state(model, &mut scratch.state, &q, &v, t)?;
        if let Some(drives) = drives {
            let forces = forces_of_drives(model, &mut scratch.state, &mut wanted, &drives)?;
            self.give_back(scratch);
            return Ok(PyArray1::from_vec(py, forces));
        }
        compute(py, model, &mut scratch, |model, Scratch { state, work, .. }| {
            apply_prescribed(model, state, Some(&mut work.load));
            work.kinematics(model, state);
            work.loads(model, state);
            let (kinematics, inertias, wrench) = (&work.motion.kinematics, &work.inertias, &work.load.wrench);
            inverse_dynamics(model, kinematics, inertias, &wanted, wrench, Terms::All, &mut work.inverse);
            let needed = wanted.iter_mut().zip(&work.inverse.generalized).zip(&work.load.generalized);
            needed.for_each(|((slot, needed), there)| *slot = needed - there);
        });
        self.give_back(scratch);
        Ok(PyArray1::from_vec(py, wanted))
    }

    /// Derivatives of the forces that accelerations need, and of the accelerations, over positions and speeds at (q, v, t).
    #[pyo3(signature = (q, v=None, t=0.0, a=None))]
    fn derivatives<'py>(
        &self,
        py: Python<'py>,
        q: Vector<'py>,
        v: Option<Vector<'py>>,
        t: f64,
        a: Option<Vector<'py>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (model, speeds) = (self.model(), self.model().speed_count());
        let mut state = self.state_at(py, &q, v, t)?;
        apply_prescribed(model, &mut state, None);
        let mut given = vec![0.0; speeds];
        if let Some(a) = &a {
            a.copy_to("a", &mut given)?;
        }
        let held = a.is_some();
        let find = || -> Result<DynamicsDerivatives, AnalysisError> {
            let mut found = DynamicsDerivatives::new(model)?;
            match held {
                true => found.evaluate_forces(model, &state, &given)?,
                false => found.evaluate(model, &state)?,
            }
            Ok(found)
        };
        let found = py.detach(find).map_err(analysis_error)?;
        let out = PyDict::new(py);
        let names: Vec<String> = speed_labels(model).into_iter().map(|label| label.speed).collect();
        out.set_item("speeds", names)?;
        out.set_item("forces_over_positions", square(py, found.forces_over_positions, speeds, speeds)?)?;
        out.set_item("forces_over_speeds", square(py, found.forces_over_speeds, speeds, speeds)?)?;
        if !held {
            let matrices = [
                ("accelerations_over_positions", found.accelerations_over_positions),
                ("accelerations_over_speeds", found.accelerations_over_speeds),
                ("accelerations_over_forces", found.accelerations_over_forces),
            ];
            for (name, matrix) in matrices {
                out.set_item(name, square(py, matrix, speeds, speeds)?)?;
            }
        }
        Ok(out)
    }

    /// M, M⁻¹, log det M, bias, applied forces and the Jacobian of the loops at (q, v, t).
    #[pyo3(signature = (q, v=None, t=0.0))]
    fn matrices<'py>(
        &self,
        py: Python<'py>,
        q: Vector<'py>,
        v: Option<Vector<'py>>,
        t: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (model, speeds) = (self.model(), self.model().speed_count());
        let mut state = self.state_at(py, &q, v, t)?;
        apply_prescribed(model, &mut state, None);
        let found = py.detach(|| mass_matrices(model, &state)).map_err(analysis_error)?;
        let out = PyDict::new(py);
        let names: Vec<String> = found.labels.into_iter().map(|label| label.speed).collect();
        out.set_item("speeds", names)?;
        out.set_item("mass", square(py, found.mass, speeds, speeds)?)?;
        out.set_item("inverse", square(py, found.inverse, speeds, speeds)?)?;
        out.set_item("log_determinant", found.log_determinant)?;
        out.set_item("bias", PyArray1::from_vec(py, found.bias))?;
        out.set_item("applied", PyArray1::from_vec(py, found.applied))?;
        out.set_item("jacobian", square(py, found.jacobian, found.rows.len(), speeds)?)?;
        out.set_item("constraints", found.rows)?;
        Ok(out)
    }

    /// M, Q, Φ_q, Λ, accelerations and λ of the equations generated from the linear graph at (q, v, t).
    #[pyo3(signature = (q, v=None, t=0.0))]
    fn equations<'py>(
        &self,
        py: Python<'py>,
        q: Vector<'py>,
        v: Option<Vector<'py>>,
        t: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (model, speeds) = (self.model(), self.model().speed_count());
        let state = self.state_at(py, &q, v, t)?;
        let (found, solution) = py
            .detach(|| {
                let found = Equations::generate(model, &state);
                found.solve(model).map(|solution| (found, solution))
            })
            .map_err(simulation_error)?;
        let out = PyDict::new(py);
        let names: Vec<String> = speed_labels(model).into_iter().map(|label| label.speed).collect();
        let rows = found.rows();
        out.set_item("speeds", names)?;
        out.set_item("mass", square(py, found.mass, speeds, speeds)?)?;
        out.set_item("prescribed", found.prescribed)?;
        out.set_item("force", PyArray1::from_vec(py, found.force))?;
        out.set_item("jacobian", square(py, found.jacobian, rows, speeds)?)?;
        out.set_item("right", PyArray1::from_vec(py, found.right))?;
        out.set_item("accelerations", PyArray1::from_vec(py, solution.accelerations))?;
        out.set_item("multipliers", PyArray1::from_vec(py, solution.multipliers))?;
        Ok(out)
    }

    /// The same equations as formulas: text, LaTeX, C or Rust.
    #[pyo3(signature = (format="text"))]
    fn formulas(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let model = self.model();
        let write: fn(&Symbolic) -> String = match format {
            "text" => Symbolic::text,
            "latex" => Symbolic::latex,
            "c" => |formulas| formulas.code(Language::C),
            "rust" => |formulas| formulas.code(Language::Rust),
            _ => {
                let text = format!("format \"{format}\": choose \"text\", \"latex\", \"c\" or \"rust\"");
                return Err(PyValueError::new_err(text));
            }
        };
        py.detach(|| Symbolic::generate(model).map(|formulas| write(&formulas)))
            .map_err(PyValueError::new_err)
    }

    /// Inverse of the mass matrix at q over all speeds.
    fn inverse_mass_matrix<'py>(
        &self,
        py: Python<'py>,
        q: Vector<'py>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (model, speeds) = (self.model(), self.model().speed_count());
        let state = self.state_at(py, &q, None, 0.0)?;
        let found = py.detach(|| mass_matrices(model, &state)).map_err(analysis_error)?;
        square(py, found.inverse, speeds, speeds)
    }

    /// log det M at q.
    fn log_determinant(&self, py: Python<'_>, q: Vector<'_>) -> PyResult<f64> {
        let state = self.state_at(py, &q, None, 0.0)?;
        log_determinant_of_mass(self.model(), &state).map_err(analysis_error)
    }

    /// Forces that a motion needs, by name over time.
    #[pyo3(signature = (time, columns, drives=None))]
    fn inverse_motion<'py>(
        &self,
        py: Python<'py>,
        time: Vec<f64>,
        columns: BTreeMap<String, Vec<f64>>,
        drives: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let model = self.model();
        if let Some(controller) = model.controllers.iter().find(|controller| controller.state_count() > 0) {
            return Err(PyValueError::new_err(format!(
                "controller `{}` remembers what a motion does not hold: leave it out of the model",
                controller.name
            )));
        }
        let mut problem = problem(model, drives.as_deref())?;
        let (forces, labels) = py
            .detach(|| {
                let series = MotionSeries::new(model, time, columns.into_iter().collect())?;
                let mut state = State::initial(model, series.times()[0]);
                let mut given = vec![0.0; model.speed_count()];
                let mut forces = vec![Vec::with_capacity(series.rows()); model.speed_count()];
                for row in 0..series.rows() {
                    series.fill(model, row, &mut state, &mut given);
                    let found = problem.solve(&state, &given)?;
                    forces.iter_mut().zip(found).for_each(|(column, force)| column.push(*force));
                }
                Ok((
                    forces,
                    problem
                        .labels()
                        .iter()
                        .zip(problem.sought())
                        .map(|(l, s)| (l.effort.clone(), s))
                        .collect::<Vec<_>>(),
                ))
            })
            .map_err(analysis_error)?;
        let out = PyDict::new(py);
        for ((name, _), column) in labels.into_iter().zip(forces).filter(|((_, sought), _)| *sought) {
            out.set_item(name, PyArray1::from_vec(py, column))?;
        }
        Ok(out)
    }
}
