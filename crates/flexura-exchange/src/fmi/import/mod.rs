//! FMUs of other programs as controllers: co-simulation by FMI 2.0 and 3.0.
//!
//! | what | file |
//! |---|---|
//! | variables and identity from `modelDescription.xml` | `description.rs` |
//! | the archive in a folder of its own, the loaded library | `unpacked.rs` |
//! | the standard's functions, the only unsafe code of this crate | `library.rs` |
//! | one FMU in many runs | `runs.rs` |
//!
//! At a sample the FMU advances from the sample before with the inputs it had then, gets the new ones, and is asked for its outputs, which are held
//! until the next sample: the order of every master that lets its parts step side by side. An output that follows an input directly follows
//! at once, one that is computed by a step follows a sample later.

mod description;
mod library;
mod runs;
mod unpacked;

use description::FmuDescription;
use flexura::control::{Callback, ExternalLaw};
use flexura::file::SourceError;
use flexura::model::description::ControllerDescription;
use runs::Runs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use unpacked::Unpacked;

/// Values a law remembers in the state of a run: the run it belongs to, and how many samples it has seen.
const MEMORY: usize = 2;

/// References of the variables that a controller uses.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wiring {
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    parameters: Vec<(u32, f64)>,
}

fn refuse(message: String, help: &str) -> SourceError {
    SourceError { message, help: help.into() }
}

/// The control law in the FMU at `path`, with the number of values it remembers.
pub fn open_law(
    path: &Path,
    law: &ExternalLaw,
    controller: &ControllerDescription,
) -> Result<(Callback, usize), SourceError> {
    let unpacked = Unpacked::open(path).map_err(|why| {
        refuse(
            format!("{}: {why}", path.display()),
            "export a co-simulation FMU (FMI 2.0 or 3.0) for this platform",
        )
    })?;
    let wiring = wire(&unpacked.description, law, controller)?;
    // One that is not given a wanted value is handed over as it is measured, the others as errors.
    let signs: Vec<f64> = (0..controller.sensors.len())
        .map(|k| if k < controller.references.len() { 1.0 } else { -1.0 })
        .collect();
    // Whether it can be brought to life at all is said before a run, not in it.
    let start = vec![0.0; wiring.inputs.len()];
    let mut runs = Runs::new(unpacked, wiring);
    runs.probe(&start).map_err(|why| {
        refuse(
            format!("{}: {why}", path.display()),
            "the message is the FMU's own: ask the program that wrote it",
        )
    })?;
    let runs = Mutex::new(runs);
    let call = move |time: f64, errors: &[f64], memory: &mut [f64], outputs: &mut [f64]| {
        let mut inputs = [0.0; 64];
        let inputs = &mut inputs[..errors.len()];
        for ((slot, error), sign) in inputs.iter_mut().zip(errors).zip(&signs) {
            // Without a negative zero, which some laws would print.
            *slot = sign * error + 0.0;
        }
        let mut runs = runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.sample(time, inputs, memory, outputs)
    };
    Ok((Callback(Arc::new(call)), MEMORY))
}

/// The variables that sensors, actuators and parameters stand for.
fn wire(
    description: &FmuDescription,
    law: &ExternalLaw,
    controller: &ControllerDescription,
) -> Result<Wiring, SourceError> {
    let side = |named: &[String], kind: &str, items: &[String], item: &str| {
        let all = description.names(kind);
        let chosen: Vec<String> = if named.is_empty() { all.clone() } else { named.to_vec() };
        if chosen.len() != items.len() {
            let message = format!(
                "{} {kind}s of the FMU ({}) for {} {item}",
                chosen.len(),
                chosen.join(", "),
                items.len()
            );
            let help =
                format!("write {kind}s = [..], one for each of the {item}; there are: {}", all.join(", "));
            return Err(refuse(message, &help));
        }
        chosen.iter().map(|name| reference(description, name, kind)).collect::<Result<Vec<u32>, _>>()
    };
    let inputs = side(&law.inputs, "input", &controller.sensors, "sensors")?;
    let outputs = side(&law.outputs, "output", &controller.actuators, "actuators")?;
    let parameters =
        law.parameters.iter().map(|(name, value)| Ok((reference(description, name, "parameter")?, *value)));
    Ok(Wiring { inputs, outputs, parameters: parameters.collect::<Result<_, SourceError>>()? })
}

fn reference(description: &FmuDescription, name: &str, kind: &str) -> Result<u32, SourceError> {
    let known = description.variables.iter().find(|variable| variable.name == name);
    match known {
        Some(variable) if variable.causality == kind && variable.real => Ok(variable.reference),
        Some(variable) if variable.causality == kind => Err(refuse(
            format!("`{name}` of the FMU is no single real number"),
            "only scalar variables of type Real (FMI 2) or Float64 (FMI 3) can be used",
        )),
        Some(variable) => Err(refuse(
            format!("`{name}` of the FMU is no {kind}, but of causality {}", variable.causality),
            &format!("{kind}s are: {}", description.names(kind).join(", ")),
        )),
        None => Err(refuse(
            format!("the FMU has no variable `{name}`"),
            &format!("{kind}s are: {}", description.names(kind).join(", ")),
        )),
    }
}
