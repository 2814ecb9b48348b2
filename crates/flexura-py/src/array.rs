//! Vectors of users, read where NumPy keeps them.
//!
//! The `numpy` crate tracks borrows of arrays in a table behind a lock, which costs more
//! than an evaluation of a small model. Here an array is only touched while the
//! interpreter is attached and no Python code can run, so that nothing needs tracking.
#![allow(unsafe_code)]

use numpy::npyffi::{_PyArray_GET_ITEM_DATA, NPY_ARRAY_WRITEABLE};
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods, get_array_module};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A vector of numbers: a contiguous array of doubles as it is, anything else converted.
pub struct Vector<'py>(Bound<'py, PyArray1<f64>>);

impl<'py> FromPyObject<'_, 'py> for Vector<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.cast::<PyArray1<f64>>() {
            Ok(array) if array.is_aligned() && array.is_contiguous() => Ok(Self(array.to_owned())),
            _ => converted(&given),
        }
    }
}

/// Real numbers of any type and layout, as a new array.
fn converted<'py>(given: &Bound<'py, PyAny>) -> PyResult<Vector<'py>> {
    let array = get_array_module(given.py())?.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let dimensions: usize = array.getattr("ndim")?.extract()?;
    if dimensions != 1 || !matches!(kind.as_str(), "b" | "i" | "u" | "f") {
        let dtype = array.getattr("dtype")?;
        let text =
            format!("a vector of real numbers is needed, not an array of {dimensions} dimensions of {dtype}");
        return Err(PyTypeError::new_err(text));
    }
    Ok(Vector(array.call_method1("astype", ("float64",))?.cast_into()?))
}

impl Vector<'_> {
    /// Copies the numbers over `to`; wrong lengths and numbers that are not finite are refused.
    pub fn copy_to(&self, name: &str, to: &mut [f64]) -> PyResult<()> {
        // SAFETY: attached, and nothing below runs Python code before the slice is given up.
        let given = unsafe { self.0.as_slice() }.map_err(|fault| PyValueError::new_err(fault.to_string()))?;
        if given.len() != to.len() {
            let text = format!("{name} has {} entries, the model needs {}", given.len(), to.len());
            return Err(PyValueError::new_err(text));
        }
        if let Some((i, value)) = given.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            return Err(PyValueError::new_err(format!("{name}[{i}] is {value}: give finite numbers")));
        }
        to.copy_from_slice(given);
        Ok(())
    }
}

/// Whether `array` may be filled with `length` numbers.
pub fn check_out(array: &Bound<'_, PyArray1<f64>>, length: usize) -> PyResult<()> {
    // SAFETY: the pointer is that of a live array.
    let flags = unsafe { (*_PyArray_GET_ITEM_DATA(array.as_array_ptr())).flags };
    if flags & NPY_ARRAY_WRITEABLE == 0 {
        return Err(PyValueError::new_err("out cannot be written to"));
    }
    if !(array.is_aligned() && array.is_contiguous()) {
        return Err(PyValueError::new_err("out must be contiguous"));
    }
    if array.len() != length {
        let text = format!("out has {} entries, the model needs {length}", array.len());
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// Fills an array that passed [`check_out`].
pub fn fill_out(array: &Bound<'_, PyArray1<f64>>, values: &[f64]) -> PyResult<()> {
    // Another thread may have changed the array while the interpreter was let go.
    check_out(array, values.len())?;
    // SAFETY: attached, writable, and nothing runs Python code before the slice is given up.
    let out = unsafe { array.as_slice_mut() }.map_err(|fault| PyValueError::new_err(fault.to_string()))?;
    out.copy_from_slice(values);
    Ok(())
}
