//! Cases of a rollout: what they set, and what they come to.

use crate::model::build_model;
use crate::result::Finished;
use crate::settings::Settings;
use crate::text::with_numbers;
use flexura::file::{FileErrors, Loaded};
use flexura::model::description::SimulationDescription;
use flexura::{SimulationError, State};
use pyo3::prelude::*;
use std::sync::Arc;

/// Numbers of the file that one case sets.
pub(crate) type Numbers = Vec<(String, f64)>;

/// One run of a study.
pub(crate) struct Case {
    pub numbers: Numbers,
    pub state: Option<State>,
    pub laws: Vec<(String, Py<PyAny>, usize)>,
}

/// Why a case has no result.
pub(crate) enum Fault {
    Setting(String),
    Model(FileErrors),
    Run(SimulationError),
    Python(PyErr),
}

/// A case that ended, with the exception that ended it early.
pub(crate) struct Done {
    pub finished: Finished,
    pub stopped: Option<PyErr>,
}

/// Model, settings and start of a case.
pub(crate) fn case_model(
    base: &Arc<Loaded>,
    case: Case,
    wanted: &Settings,
) -> Result<(Arc<Loaded>, SimulationDescription, State), Fault> {
    let loaded = if case.numbers.is_empty() {
        Arc::clone(base)
    } else {
        let text = with_numbers(base.spans.source(), &case.numbers).map_err(Fault::Setting)?;
        Arc::new(build_model(&text, base.spans.file_name(), case.laws).map_err(Fault::Model)?)
    };
    let settings =
        wanted.apply(&loaded.built.model, &loaded.built.description.simulation).map_err(Fault::Setting)?;
    let initial = State::initial(&loaded.built.model, settings.start);
    let start = match case.state {
        Some(state) if state.q.len() == initial.q.len() && state.v.len() == initial.v.len() => state,
        Some(_) => return Err(Fault::Setting("the parameters change the size of the state".into())),
        None => initial,
    };
    Ok((loaded, settings, start))
}

/// Looks at signals and draws the progress bar.
pub(crate) fn look(py: Python<'_>, progress: Option<&Py<PyAny>>, fraction: f64) -> PyResult<()> {
    py.check_signals()?;
    match progress {
        Some(show) => show.call1(py, (fraction, f64::NAN)).map(|_| ()),
        None => Ok(()),
    }
}
