//! Settings of a run that replace those of the model.

use flexura::build::in_formulation;
use flexura::model::Model;
use flexura::model::description::{
    AlgorithmDescription, FormulationChoice, MethodDescription, SimulationDescription,
};

/// More threads than any machine gives.
const MOST_THREADS: usize = 1024;
/// Rows of a single channel then take 16 GB.
const MOST_ROWS: f64 = 1e9;

/// Settings of a run that replace those of the model.
#[derive(Clone, Default)]
pub struct Settings {
    pub end: Option<f64>,
    pub output_interval: Option<f64>,
    pub relative_tolerance: Option<f64>,
    pub absolute_tolerance: Option<f64>,
    pub channels: Option<Vec<String>>,
    pub picture: Option<bool>,
    pub threads: Option<usize>,
    pub formulation: Option<String>,
    pub device: Option<String>,
}

impl Settings {
    /// The settings of the model with these put in.
    pub fn apply(&self, model: &Model, own: &SimulationDescription) -> Result<SimulationDescription, String> {
        let mut settings = match &self.formulation {
            Some(word) => {
                let choice = FormulationChoice::from_word(word).ok_or_else(|| {
                    format!("formulation = \"{word}\": choose recursive, topological, global or graph")
                })?;
                in_formulation(model, own, choice)
                    .map_err(|found| format!("{}: {}", found.message, found.help))?
            }
            None => own.clone(),
        };
        if let Some(end) = self.end {
            if !(end > settings.start && end.is_finite()) {
                return Err(format!("end = {end}: must be later than the start time {} s", settings.start));
            }
            settings.end = end;
        }
        if let Some(interval) = self.output_interval {
            if !(interval >= 0.0 && interval.is_finite()) {
                return Err(format!("output_interval = {interval}: give seconds, or 0 for every step"));
            }
            settings.output_interval = interval;
        }
        let rows = (settings.end - settings.start) / settings.output_interval;
        if settings.output_interval > 0.0 && rows > MOST_ROWS {
            return Err(format!(
                "output_interval = {}: {rows:.1e} rows do not fit into memory; give a longer one",
                settings.output_interval
            ));
        }
        let tolerances = [
            ("relative_tolerance", self.relative_tolerance),
            ("absolute_tolerance", self.absolute_tolerance),
        ];
        for (name, given) in tolerances {
            let Some(given) = given else { continue };
            if !(given > 0.0 && given < 1.0) {
                return Err(format!("{name} = {given}: give a number between 0 and 1"));
            }
            let (MethodDescription::DormandPrince { relative_tolerance, absolute_tolerance, .. }
            | MethodDescription::Radau { relative_tolerance, absolute_tolerance, .. }
            | MethodDescription::Automatic { relative_tolerance, absolute_tolerance, .. }) =
                &mut settings.method
            else {
                return Err(format!("{name}: the method of the model has none; set simulation.tolerance"));
            };
            *(if name == "relative_tolerance" { relative_tolerance } else { absolute_tolerance }) = given;
        }
        if let Some(count) = self.threads {
            if !(1..=MOST_THREADS).contains(&count) {
                return Err(format!("threads = {count}: give 1 to {MOST_THREADS}"));
            }
            let AlgorithmDescription::DivideAndConquer { threads, .. } = &mut settings.algorithm else {
                let text =
                    "threads: only simulation.algorithm = \"divide-and-conquer\" uses several in one run";
                return Err(text.into());
            };
            *threads = count;
        }
        Ok(settings)
    }
}
