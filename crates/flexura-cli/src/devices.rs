//! `flexura devices`: what `run --device` can use; and the run of a model on one.

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use flexura::file::Loaded;
use flexura::simulate::check_remote;
use flexura_gpu::{Choice, Description, DeviceError, DeviceRun, cuda_devices};
use serde_json::json;

/// List the devices that runs can use.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura devices
  flexura run models/flexible_arm.toml --device cuda
  flexura run models/flexible_arm.toml --device cuda:1")]
pub struct Arguments {
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn run(arguments: &Arguments) -> Outcome {
    let found = cuda_devices();
    if arguments.json {
        let list: Vec<_> = found.as_deref().unwrap_or_default().iter().map(record).collect();
        let reason = found.as_ref().err().map(ToString::to_string);
        return print(&format!("{}\n", json!({ "devices": list, "reason": reason })));
    }
    let text = match &found {
        Ok(list) => list.iter().map(line).collect(),
        Err(error) => format!("{error}; runs go on the processor\n"),
    };
    print(&text)
}

fn line(device: &Description) -> String {
    let (all, free) = device.memory;
    let (major, minor, processors) = device.capability;
    format!(
        "{}  {}: {:.1} of {:.1} GB free, {processors} multiprocessors, compute capability {major}.{minor}\n",
        device.word,
        device.name,
        free as f64 / 1e9,
        all as f64 / 1e9
    )
}

fn record(device: &Description) -> serde_json::Value {
    let (major, minor, processors) = device.capability;
    json!({
        "device": device.word,
        "name": device.name,
        "memory": device.memory.0,
        "free_memory": device.memory.1,
        "compute_capability": format!("{major}.{minor}"),
        "multiprocessors": processors,
    })
}

/// A device by its word.
pub fn choice(word: &str) -> Result<Choice, String> {
    Choice::parse(word).ok_or_else(|| "choose cuda, cuda:1 (the second device) or emulated".to_string())
}

/// Prepares the run of a model on a device; refused before any file is touched.
pub fn prepare<'m>(loaded: &'m Loaded, choice: Choice) -> Result<DeviceRun<'m>, Failure> {
    let (model, settings) = (&loaded.built.model, &loaded.built.description.simulation);
    check_remote(settings).map_err(|error| Failure::Simulation(format!("--device: {error}")))?;
    DeviceRun::new(model, &settings.method, choice).map_err(|error| match error {
        DeviceError::NoDevice(_) | DeviceError::NoEmulation => {
            Failure::Usage(format!("--device: {error}\n  = help: `flexura devices` lists what is there"))
        }
        other => Failure::Simulation(format!("--device: {other}")),
    })
}
