//! Energy of flexible chains without losses, as a batch and on the processor, by the same method and tolerance.

use crate::kinds::{cores, random};
use crate::report::{Report, say};
use flexura::build::Built;
use flexura::model::description::{InertiaLevel, MethodDescription};
use flexura::record::EnergyAudit;
use flexura::{Model, Recording, Simulation};
use flexura_gpu::{BatchRun, Choice, DeviceError};
use flexura_samples::chains;

fn chain(number: usize, end: f64, method: &MethodDescription) -> Built {
    let mut description = chains::clamped_chain(4, 3, InertiaLevel::Gram);
    for (k, joint) in description.joints.iter_mut().enumerate() {
        joint.position = vec![0.3 * random(4 * number + k, 3)];
        joint.speed = vec![0.5 * random(4 * number + k, 4)];
    }
    description.output.channels = vec!["energy.*".into()];
    (description.simulation.end, description.simulation.output_interval) = (end, end / 4.0);
    description.simulation.method = method.clone();
    flexura::build(description).expect("sound")
}

fn worst<'a>(audits: impl Iterator<Item = &'a EnergyAudit>) -> f64 {
    audits.map(EnergyAudit::share).fold(0.0, f64::max)
}

pub fn section(
    report: &mut Report,
    choice: Choice,
    systems: usize,
    beside: usize,
    end: f64,
) -> Result<(), DeviceError> {
    report.section(&format!("Energy of {systems} flexible chains over {end} s"));
    report.head(&[
        "method",
        "largest share unaccounted for, device",
        "the same systems, device",
        "the same systems, processor",
        "systems beside",
    ]);
    for method in [
        MethodDescription::Rk4 { step: 5e-4 },
        MethodDescription::DormandPrince {
            relative_tolerance: 1e-9,
            absolute_tolerance: 1e-11,
            initial_step: 1e-4,
            largest_step: 0.05,
        },
    ] {
        let built: Vec<Built> = (0..systems).map(|number| chain(number, end, &method)).collect();
        let models: Vec<&Model> = built.iter().map(|built| &built.model).collect();
        let mut batch = BatchRun::new(&models, &method, choice)?;
        let mut prepared: Vec<_> =
            built.iter().map(|built| Simulation::of(built).prepare().expect("channels")).collect();
        let mut sinks: Vec<_> = prepared.iter().map(|run| Recording::new(run.channels())).collect();
        let runs = prepared.iter_mut().zip(&mut sinks).map(|(run, sink)| run.follow(sink).expect("starts"));
        let ends = batch.run(runs.collect(), cores(), &mut |_| true)?;
        let there: Vec<EnergyAudit> = ends.iter().filter_map(|end| Some(end.as_ref().ok()?.energy)).collect();
        if there.len() < systems {
            say!(report, "| {method} | **{} of {systems} systems failed** | | | |", systems - there.len());
            continue;
        }
        let here: Vec<EnergyAudit> = (built.iter().take(beside))
            .map(|built| {
                let mut run = Simulation::of(built).prepare().expect("channels");
                let mut sink = Recording::new(run.channels());
                run.run(&mut sink, &mut |_| true, &mut ()).expect("runs").energy
            })
            .collect();
        let (all, same, own) = (worst(there.iter()), worst(there.iter().take(beside)), worst(here.iter()));
        say!(report, "| {method} | {all:.2e} | {same:.2e} | {own:.2e} | {} |", here.len());
    }
    Ok(())
}
