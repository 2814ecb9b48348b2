//! Mode shapes as a result file: one period of every mode, to be animated like a run.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::refuse_same_file;
use crate::run::layout;
use flexura::State;
use flexura::Workspace;
use flexura::analysis::{LinearSystem, Mode, mode_state, visible_amplitude};
use flexura::file::Loaded;
use flexura::record::Recorder;
use flexura_results::{Writer, WriterOptions};
use serde_json::json;
use std::f64::consts::TAU;
use std::path::Path;

/// Rows of one period.
const ROWS: usize = 32;

/// Writes the modes that vibrate to `path`.
///
/// Mode k takes the rows (k − 1) · 32 .. k · 32 and the time from k − 1 to k: one second stands for one period.
/// The metadata `modes` lists number, first row, number of rows, eigenvalue, frequency, damping and amplitude.
pub fn write_shapes(
    loaded: &Loaded,
    state: &State,
    system: &LinearSystem,
    list: &[&Mode],
    model_path: &Path,
    path: &Path,
) -> Outcome {
    refuse_same_file(model_path, path)?;
    let model = &loaded.built.model;
    let patterns = &loaded.built.description.output.channels;
    let mut recorder = Recorder::with_picture(model, patterns).map_err(Failure::simulation)?;
    let amplitudes: Vec<f64> = list.iter().map(|mode| visible_amplitude(model, system, mode)).collect();
    let about: Vec<serde_json::Value> = list
        .iter()
        .zip(&amplitudes)
        .enumerate()
        .map(|(i, (mode, amplitude))| {
            json!({
                "number": i + 1,
                "first_row": i * ROWS,
                "rows": ROWS,
                "real": mode.real,
                "imaginary": mode.imaginary,
                "frequency_hz": mode.imaginary / TAU,
                "damping_ratio": mode.damping_ratio(),
                "amplitude": amplitude,
            })
        })
        .collect();
    let layout = layout(loaded, recorder.channels(), true)
        .with_metadata("kind", "modes")
        .with_metadata("modes", &serde_json::Value::from(about).to_string());
    let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let mut writer = Writer::create(path, &layout, &options).map_err(Failure::file)?;
    let mut work = Workspace::new(model);
    for (i, (mode, amplitude)) in list.iter().zip(&amplitudes).enumerate() {
        for row in 0..ROWS {
            let part = row as f64 / ROWS as f64;
            let moved = mode_state(model, state, system, mode, *amplitude, TAU * part);
            recorder.sample(model, &moved, 0.0, &mut work, writer.row()).map_err(Failure::simulation)?;
            // The time of the file runs through the periods, whatever the instant of the linearisation.
            writer.row()[0] = i as f64 + part;
            writer.commit().map_err(Failure::file)?;
        }
    }
    writer.finish().map_err(Failure::file)?;
    Ok(())
}
