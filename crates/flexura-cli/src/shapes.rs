//! Mode shapes as a result file: one period of every mode, to be animated like a run.

use crate::Outcome;
use crate::failure::Failure;
use crate::open::{open_text, refuse_same_file};
use flexura::analysis::{LinearSystem, MODE_PHASES, Mode, mode_state, sound_amplitude};
use flexura::file::Loaded;
use flexura::record::Recorder;
use flexura::{Model, State, Workspace, evaluate};
use flexura_fem::reduced::ReducedBody;
use flexura_output::layout;
use flexura_results::{Writer, WriterOptions};
use serde_json::json;
use std::f64::consts::TAU;
use std::path::Path;

/// Rows of one period: the phases at which amplitudes were found sound.
const ROWS: usize = MODE_PHASES;
/// Halvings of an amplitude before it is given up.
const HALVINGS: usize = 40;
/// Largest displacement of a part relative to its size.
const VISIBLE_SHIFT: f64 = 0.1;

/// Writes modes, given with their numbers, to `path`.
///
/// The k-th of them takes the rows (k − 1) · 32 .. k · 32 and the time from k − 1 to k: one second stands for one period.
/// The metadata `modes` lists number, first row, number of rows, eigenvalue, frequency, damping and amplitude.
pub fn write_shapes(
    loaded: &Loaded,
    state: &State,
    system: &LinearSystem,
    list: &[(usize, &Mode)],
    model_path: &Path,
    path: &Path,
) -> Outcome {
    refuse_same_file(model_path, path)?;
    let model = &loaded.built.model;
    let amplitudes: Vec<f64> =
        list.iter().map(|(_, mode)| sound_amplitude(model, state, system, mode)).collect();
    let about: Vec<serde_json::Value> = list
        .iter()
        .zip(&amplitudes)
        .enumerate()
        .map(|(i, ((number, mode), amplitude))| {
            json!({
                "number": number,
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
    write_periods(loaded, about, path, |i, phase| {
        mode_state(model, state, system, list[i].1, amplitudes[i], phase).map_err(Failure::simulation)
    })
}

/// Writes one period of every mode of a reduced part, held at its reference; `shapes` are their amplitudes.
pub fn write_part_shapes(body: &ReducedBody, file: &Path, shapes: &[Vec<f64>], path: &Path) -> Outcome {
    let quoted = serde_json::Value::from(file.to_string_lossy()).to_string();
    let text = format!(
        "[model]\nname = {}\ngravity = [0, 0, 0]\n[[body]]\nname = \"part\"\nfe = {quoted}\n[[joint]]\nname = \"held\"\n\
         type = \"weld\"\nbetween = [\"ground.origin\", \"part.origin\"]\n",
        serde_json::Value::from(format!("modes of {}", body.name))
    );
    let loaded = open_text(&text, file)?;
    let model = &loaded.built.model;
    let still = State::initial(model, 0.0);
    let about = body.report.frequencies.iter().take(shapes.len()).enumerate().map(|(i, frequency)| {
        json!({ "number": i + 1, "first_row": i * ROWS, "rows": ROWS, "frequency_hz": frequency })
    });
    let about: Vec<serde_json::Value> = about.collect();
    let limits = &model.bodies[0];
    let factor = |shape: &Vec<f64>| {
        let shift = limits.largest_deflection(shape, 0.0);
        let visible = if shift > 0.0 { VISIBLE_SHIFT / shift } else { 0.0 };
        sound_factor(model, &still, shape, visible)
    };
    let factors: Vec<f64> = shapes.iter().map(factor).collect();
    write_periods(&loaded, about, path, |i, phase| {
        let mut moved = still.clone();
        let range = model.layout.bodies[0].modal_q();
        for (q, shape) in moved.q[range].iter_mut().zip(&shapes[i]) {
            *q = factors[i] * shape * phase.cos();
        }
        Ok(moved)
    })
}

/// `factor` made smaller until the mass of the part bent by it either way is positive.
fn sound_factor(model: &Model, still: &State, shape: &[f64], factor: f64) -> f64 {
    let (mut work, mut factor) = (Workspace::new(model), factor);
    let range = model.layout.bodies[0].modal_q();
    let mut sound = |factor: f64| {
        [factor, -factor].iter().all(|size| {
            let mut moved = still.clone();
            moved.q[range.clone()].iter_mut().zip(shape).for_each(|(q, x)| *q = size * x);
            evaluate(model, &moved, &mut work).is_ok()
        })
    };
    for _ in 0..HALVINGS {
        if sound(factor) {
            break;
        }
        factor *= 0.5;
    }
    factor
}

/// A result file with [`ROWS`] rows for every mode; `state_at` gives the state of a mode at a phase (rad).
fn write_periods(
    loaded: &Loaded,
    about: Vec<serde_json::Value>,
    path: &Path,
    state_at: impl Fn(usize, f64) -> Result<State, Failure>,
) -> Outcome {
    let model = &loaded.built.model;
    let mut recorder = Recorder::with_picture(model, &loaded.built.description.output.channels)
        .map_err(Failure::simulation)?;
    let count = about.len();
    let layout = layout(loaded, recorder.channels(), true)
        .with_metadata("kind", "modes")
        .with_metadata("modes", &serde_json::Value::from(about).to_string());
    let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let mut writer = Writer::create(path, &layout, &options).map_err(Failure::file)?;
    let mut work = Workspace::new(model);
    for i in 0..count {
        for row in 0..ROWS {
            let part = row as f64 / ROWS as f64;
            let moved = state_at(i, TAU * part)?;
            recorder.sample(model, &moved, 0.0, &mut work, writer.row()).map_err(Failure::simulation)?;
            // The time of the file runs through the periods, whatever the instant of the linearisation.
            writer.row()[0] = i as f64 + part;
            writer.commit().map_err(Failure::file)?;
        }
    }
    writer.finish().map_err(Failure::file)?;
    Ok(())
}
