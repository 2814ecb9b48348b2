//! The span of a run and the interval of its rows.

use crate::error::SimulationError;
use crate::model::description::SimulationDescription;

/// Rows above which a run would never end.
const MOST_ROWS: f64 = 1e12;

/// Refuses spans and intervals that are none: a run over them would end at once and look like a success.
pub(super) fn check_span(settings: &SimulationDescription) -> Result<(), SimulationError> {
    let (start, end, interval) = (settings.start, settings.end, settings.output_interval);
    if !start.is_finite() || !end.is_finite() || end < start {
        let text =
            format!("the run goes from {start} s to {end} s: give an end that is not before the start");
        return Err(SimulationError::Settings(text));
    }
    if interval > 0.0 && (end - start) / interval > MOST_ROWS {
        let text =
            format!("a row every {interval} s would be more than {MOST_ROWS:.0e}: give a longer interval");
        return Err(SimulationError::Settings(text));
    }
    if !interval.is_finite() || interval < 0.0 {
        let text =
            format!("a row every {interval} s: give a positive interval, or zero for a row at every step");
        return Err(SimulationError::Settings(text));
    }
    Ok(())
}
