//! Motion of frames, their Jacobians, and steps on the manifold of coordinates.

use super::array::Vector;
use super::evaluate::fill_state;
use super::model::PyModel;
use flexura::Model;
use flexura::model::Frame;
use flexura::motion::retract::move_by_twist;
use flexura::state::prescribe::apply_prescribed;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

fn frame<'a>(model: &'a Model, name: &str) -> PyResult<&'a Frame> {
    let found = model.frame(name).map(|id| &model.frames[id.0]);
    found.ok_or_else(|| {
        let known: Vec<&str> = model.frames.iter().map(|frame| frame.name.as_str()).collect();
        PyKeyError::new_err(format!("no frame \"{name}\"; frames are {}", known.join(", ")))
    })
}

#[pymethods]
impl PyModel {
    /// Pose and velocity of a frame at (q, v, t), inertial components.
    #[pyo3(signature = (name, q, v, t=0.0))]
    fn frame_motion<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        q: Vector<'py>,
        v: Vector<'py>,
        t: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let model = self.model();
        let frame = frame(model, name)?;
        let mut scratch = self.take_scratch();
        fill_state(model, &mut scratch.state, &q, &v, t)?;
        apply_prescribed(model, &mut scratch.state, None);
        let motion = &mut scratch.work.motion;
        motion.evaluate(model, &scratch.state);
        let found = motion.frame(model, &scratch.state, frame);
        self.give_back(scratch);
        let out = PyDict::new(py);
        out.set_item("position", PyArray1::from_slice(py, &found.position))?;
        out.set_item("rotation", PyArray2::from_vec2(py, &found.rotation.map(|row| row.to_vec()))?)?;
        out.set_item("angular_velocity", PyArray1::from_slice(py, &found.velocity[..3]))?;
        out.set_item("velocity", PyArray1::from_slice(py, &found.velocity[3..]))?;
        Ok(out)
    }

    /// Jacobian of a frame at (q, t): [ω; v] in inertial components is J v.
    #[pyo3(signature = (name, q, t=0.0))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        q: Vector<'py>,
        t: f64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (model, speeds) = (self.model(), self.model().speed_count());
        let frame = frame(model, name)?;
        let mut scratch = self.take_scratch();
        let still = PyArray1::<f64>::zeros(py, speeds, false).into_any().extract::<Vector<'py>>()?;
        fill_state(model, &mut scratch.state, &q, &still, t)?;
        apply_prescribed(model, &mut scratch.state, None);
        let motion = &mut scratch.work.motion;
        motion.evaluate(model, &scratch.state);
        let mut columns = vec![[0.0; 6]; speeds];
        motion.frame_jacobian(model, &scratch.state, frame, &mut columns);
        self.give_back(scratch);
        let rows = (0..6).flat_map(|i| columns.iter().map(move |column| column[i])).collect();
        PyArray1::from_vec(py, rows).reshape([6, speeds])
    }

    /// Coordinates q moved by a step of speeds over a unit of time: quaternions turn, the others add.
    fn retract<'py>(
        &self,
        py: Python<'py>,
        q: Vector<'py>,
        step: Vector<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let model = self.model();
        let mut scratch = self.take_scratch();
        fill_state(model, &mut scratch.state, &q, &step, 0.0)?;
        let mut start = vec![0.0; model.coordinate_count()];
        q.copy_to("q", &mut start)?;
        let mut moved = start.clone();
        let mut twist = vec![0.0; model.speed_count()];
        step.copy_to("step", &mut twist)?;
        move_by_twist(model, &start, &twist, &mut moved);
        self.give_back(scratch);
        Ok(PyArray1::from_vec(py, moved))
    }
}
