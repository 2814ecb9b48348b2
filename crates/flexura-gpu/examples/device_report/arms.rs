//! Flexible arms with random payloads (`models/flexible_arm.toml`): one batch on the device beside the same runs on all cores.

use crate::kinds::{cores, random};
use crate::report::{Report, say};
use flexura::build::Built;
use flexura::model::description::{BodyKind, Description};
use flexura::{Model, Recording, Simulation};
use flexura_gpu::{BatchRun, Choice, DeviceError};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const TEXT: &str = include_str!("../../../../models/flexible_arm.toml");
const HAND: [&str; 3] = ["fore.hand.position.x", "fore.hand.position.y", "fore.hand.position.z"];

/// The arm with a payload of its own, over `end` seconds.
fn arm(base: &Description, number: usize, end: f64) -> Built {
    let mut description = base.clone();
    let payload = description.bodies.iter_mut().find(|body| body.name == "payload");
    if let Some(BodyKind::Rigid(rigid)) = payload.map(|body| &mut body.kind) {
        rigid.mass = 2.0 + 1.5 * random(number, 7);
    }
    description.output.channels = HAND.map(String::from).into();
    description.simulation.end = end;
    flexura::build(description).expect("sound")
}

/// What `work` gives for every number below `count`, on all cores; nothing for those that `seconds` did not suffice for.
fn by_all_cores<T: Send>(count: usize, seconds: f64, work: impl Fn(usize) -> T + Sync) -> Vec<(usize, T)> {
    let (next, done, begin) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(|| {
                let mut own = Vec::new();
                while begin.elapsed().as_secs_f64() < seconds {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    own.push((number, work(number)));
                }
                done.lock().expect("no thread fails").append(&mut own);
            });
        }
    });
    let mut done = done.into_inner().expect("no thread fails");
    done.sort_by_key(|(number, _)| *number);
    done
}

pub fn section(
    report: &mut Report,
    choice: Choice,
    count: usize,
    end: f64,
    patience: f64,
) -> Result<(), DeviceError> {
    report.section(&format!("{count} flexible arms with random payloads, {end} s"));
    let base = flexura::file::build_text(TEXT, "flexible_arm.toml").expect("sound").built.description;
    let clock = Instant::now();
    let built: Vec<Built> = by_all_cores(count, f64::INFINITY, |number| arm(&base, number, end))
        .into_iter()
        .map(|(_, built)| built)
        .collect();
    let building = clock.elapsed().as_secs_f64();
    say!(report, "- payloads of 0.5 to 3.5 kg; models built on {} cores in {building:.1} s", cores());
    let method = base.simulation.method.clone();
    say!(report, "- method {method}, a row every {} s", base.simulation.output_interval);
    let clock = Instant::now();
    let models: Vec<&Model> = built.iter().map(|built| &built.model).collect();
    let mut batch = BatchRun::new(&models, &method, choice)?;
    let lowering = clock.elapsed().as_secs_f64();
    say!(report, "- lowered, compiled and sent in {lowering:.1} s");
    let clock = Instant::now();
    let mut prepared: Vec<_> =
        built.iter().map(|built| Simulation::of(built).prepare().expect("channels")).collect();
    let mut rows: Vec<Recording> = prepared.iter().map(|run| Recording::new(run.channels())).collect();
    let share = count.div_ceil(cores()).max(1);
    let runs: Vec<_> = std::thread::scope(|scope| {
        let parts = prepared.chunks_mut(share).zip(rows.chunks_mut(share));
        let begun: Vec<_> = parts
            .map(|(prepared, rows)| {
                scope.spawn(move || {
                    let pairs = prepared.iter_mut().zip(rows);
                    pairs.map(|(run, sink)| run.follow(sink).expect("starts")).collect::<Vec<_>>()
                })
            })
            .collect();
        begun.into_iter().flat_map(|part| part.join().expect("starts")).collect()
    });
    let beginning = clock.elapsed().as_secs_f64();
    say!(report, "- runs begun (first rows) on {} cores in {beginning:.1} s", cores());
    let clock = Instant::now();
    let mut said = Instant::now();
    let ends = batch.run(runs, cores(), &mut |share| {
        if said.elapsed().as_secs_f64() > 10.0 {
            said = Instant::now();
            say!(report, "- {:.0} % after {:.1} s", 100.0 * share, clock.elapsed().as_secs_f64());
        }
        true
    })?;
    let stepping = clock.elapsed().as_secs_f64();
    let outcomes: Vec<_> = ends.iter().filter_map(|end| end.as_ref().ok()).collect();
    let steps: u64 = outcomes.iter().map(|outcome| outcome.statistics.accepted).sum();
    let audited = outcomes.iter().filter(|outcome| outcome.unbalanced.is_none()).count();
    say!(
        report,
        "- device: {} arms came to their ends, {audited} with balanced energy, {steps} steps, in {stepping:.1} s (rows on {} cores)",
        outcomes.len(),
        cores()
    );
    let device = building + lowering + beginning + stepping;
    // The processor: the same models, as many as patience allows.
    let clock = Instant::now();
    let here = by_all_cores(count, patience, |number| {
        let mut run = Simulation::of(&built[number]).prepare().expect("channels");
        let mut sink = Recording::new(run.channels());
        run.run(&mut sink, &mut |_| true, &mut ()).map(|_| sink)
    });
    let running = clock.elapsed().as_secs_f64();
    let apart = here.iter().filter_map(|(number, found)| Some((found.as_ref().ok()?, &rows[*number])));
    let apart = apart.map(|(here, there)| difference(here, there)).fold(0.0, f64::max);
    say!(report, "- processor: {} of {count} arms on {} cores in {running:.1} s", here.len(), cores());
    let (rate, own) =
        (count as f64 / device, here.len() as f64 / (running + building * here.len() as f64 / count as f64));
    say!(
        report,
        "\nArms per second, building and rows included: device {rate:.0}, {} cores {own:.0} ({:.2} times); without building and beginning: {:.0} and {:.0} ({:.2} times). Largest difference of the hand's path: {apart:.1e} m.",
        cores(),
        rate / own,
        count as f64 / stepping,
        here.len() as f64 / running,
        count as f64 / stepping * running / here.len() as f64
    );
    Ok(())
}

/// Largest distance of two paths of the hand, by coordinates (m).
fn difference(a: &Recording, b: &Recording) -> f64 {
    let of = |rows: &Recording, name: &str| rows.channel(name).expect("recorded");
    HAND.iter().fold(0.0, |most: f64, name| {
        let (a, b) = (of(a, name), of(b, name));
        assert_eq!(a.len(), b.len(), "as many rows");
        a.iter().zip(&b).fold(most, |most, (a, b)| most.max((a - b).abs()))
    })
}
