//! From how many bodies, or systems, on a device is faster: one evaluation on the device, on one core, on all cores.

use crate::kinds::{cores, level_word, template};
use crate::report::{Report, say};
use flexura::model::description::{AlgorithmDescription, InertiaLevel};
use flexura::{Model, State, Workspace};
use flexura_gpu::{Choice, DeviceError, System};
use flexura_samples::chains;
use std::sync::{Barrier, Mutex};
use std::time::Instant;

/// Milliseconds at one size: device, one core, all cores.
type Point = (usize, [f64; 3]);

/// Where the device becomes faster than `other` says, by straight lines over logarithms.
fn crossing(points: &[Point], other: impl Fn(&[f64; 3]) -> f64) -> String {
    let gain = |point: &Point| (other(&point.1) / point.1[0]).ln();
    let Some(place) = points.iter().position(|point| gain(point) > 0.0) else {
        return "more than these".into();
    };
    if place == 0 {
        return format!("{} or fewer", points[0].0);
    }
    let (before, after) = (&points[place - 1], &points[place]);
    let share = gain(before) / (gain(before) - gain(after));
    let (from, to) = ((before.0 as f64).ln(), (after.0 as f64).ln());
    format!("about {:.0}", (from + share * (to - from)).exp())
}

fn conclude(report: &mut Report, what: &str, things: &str, points: &[Point]) {
    let one = crossing(points, |ms| ms[1]);
    let best = crossing(points, |ms| ms[1].min(ms[2]));
    let all = format!("the faster of one and {} cores", cores());
    say!(
        report,
        "\n**{what}: the device is the faster one from** {one} {things} (one core), {best} {things} ({all})."
    );
}

pub fn section(report: &mut Report, choice: Choice) -> Result<(), DeviceError> {
    let device = choice != Choice::Emulated;
    report.section("Crossover");
    let powers: &[u32] = if device { &[4, 6, 7, 8, 9, 10, 12, 14, 16] } else { &[4, 6] };
    for (modes, level) in [(0, InertiaLevel::Gram), (4, InertiaLevel::Gram)] {
        huge(report, choice, powers, modes, level)?;
    }
    let systems: &[usize] =
        if device { &[1, 4, 16, 32, 64, 128, 256, 512, 1_024, 4_096, 16_384] } else { &[1, 16] };
    for (bodies, modes) in [(32, 0), (8, 4)] {
        batch(report, choice, systems, bodies, modes)?;
    }
    Ok(())
}

/// One system: articulated bodies on one core, divide and conquer on all of them.
fn huge(
    report: &mut Report,
    choice: Choice,
    powers: &[u32],
    modes: usize,
    level: InertiaLevel,
) -> Result<(), DeviceError> {
    let all = format!("{} cores ms", cores());
    report.head(&["one chain of", "level", "modes", "device ms", "one core ms", &all]);
    let mut points = Vec::new();
    for &power in powers {
        let model = template(1 << power, modes, level);
        let state = chains::random_state(&model, 5);
        let mut system = System::huge(&model, choice)?;
        system.set_state(&state)?;
        let device = system.time_evaluation(5)?;
        system.check()?;
        let times = [device, evaluated(&model, &state, 1, power), evaluated(&model, &state, cores(), power)];
        let word = level_word(modes, level);
        say!(
            report,
            "| {} | {word} | {modes} | {:.4} | {:.4} | {:.4} |",
            1 << power,
            times[0],
            times[1],
            times[2]
        );
        points.push((1 << power, times));
    }
    conclude(report, &format!("One chain, {modes} modes"), "bodies", &points);
    Ok(())
}

/// The least of several evaluations (ms).
fn evaluated(model: &Model, state: &State, threads: usize, power: u32) -> f64 {
    let mut work = Workspace::new(model);
    if threads > 1 {
        let divided = AlgorithmDescription::DivideAndConquer { threads, leaf: 0, refinements: 0 };
        work.choose(model, divided).expect("threads");
    }
    let mut best = f64::INFINITY;
    for _ in 0..(1 << 17 >> power).clamp(3, 200) {
        let begin = Instant::now();
        flexura::evaluate(model, state, &mut work).expect("regular");
        best = best.min(begin.elapsed().as_secs_f64());
    }
    1e3 * best
}

/// Many systems: articulated bodies, each core its share of the systems without waiting for the others.
fn batch(
    report: &mut Report,
    choice: Choice,
    sizes: &[usize],
    bodies: usize,
    modes: usize,
) -> Result<(), DeviceError> {
    let all = format!("{} cores ms", cores());
    report.head(&["systems", "bodies", "modes", "device ms", "one core ms", &all]);
    let model = template(bodies, modes, InertiaLevel::Gram);
    let states: Vec<State> = (0..64).map(|seed| chains::random_state(&model, seed)).collect();
    let mut points = Vec::new();
    for &systems in sizes {
        let mut system = System::batch(&model, systems, choice)?;
        let own: Vec<State> = (0..systems).map(|k| states[k % states.len()].clone()).collect();
        system.set_states(&own)?;
        let device = system.time_evaluation(5)?;
        system.check()?;
        let times = [device, shared(&model, &states, systems, 1), shared(&model, &states, systems, cores())];
        say!(
            report,
            "| {systems} | {bodies} | {modes} | {:.4} | {:.4} | {:.4} |",
            times[0],
            times[1],
            times[2]
        );
        points.push((systems, times));
    }
    conclude(report, &format!("Batches of chains of {bodies}, {modes} modes"), "systems", &points);
    Ok(())
}

/// One evaluation of all systems on `threads` threads (ms), mean over rounds, from the first that begins to the last that ends.
fn shared(model: &Model, states: &[State], systems: usize, threads: usize) -> f64 {
    let threads = threads.min(systems);
    let rounds = (8_192 / systems).clamp(1, 500);
    let (barrier, span) = (Barrier::new(threads), Mutex::new((None::<Instant>, None::<Instant>)));
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (barrier, span) = (&barrier, &span);
            scope.spawn(move || {
                let mut work = Workspace::new(model);
                let own = (0..systems).skip(thread).step_by(threads);
                flexura::evaluate(model, &states[0], &mut work).expect("regular");
                barrier.wait();
                let begin = Instant::now();
                for _ in 0..rounds {
                    for system in own.clone() {
                        flexura::evaluate(model, &states[system % states.len()], &mut work).expect("regular");
                    }
                }
                let (end, mut span) = (Instant::now(), span.lock().expect("no thread fails"));
                span.0 = Some(span.0.map_or(begin, |first| first.min(begin)));
                span.1 = Some(span.1.map_or(end, |last| last.max(end)));
            });
        }
    });
    let (first, last) = *span.lock().expect("no thread fails");
    let seconds = first.zip(last).map_or(f64::NAN, |(first, last)| (last - first).as_secs_f64());
    1e3 * seconds / rounds as f64
}
