//! The table of demands: times of one evaluation beside those of a cost model, which is run in the same report.
//!
//! The cost model (`calibration=PROGRAM`) is a chain of revolute joints with constant modal mass; it prints one line for each case, such as
//! `M4 n=1048576 L=16 mode1  1.3000 ms`: modes, bodies, bodies per lane, and 2 for batches of systems of L bodies.

use crate::kinds::{fill, kinds, level_word, template};
use crate::report::{Report, say};
use flexura::model::description::InertiaLevel;
use flexura_gpu::{Choice, DeviceError, System};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One chain, or systems that are chains.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    Chain(usize),
    Systems(usize, usize),
}

/// A case with what is demanded of it at level `ruthless` (ms); the default level may take 2.5 times as long.
struct Row {
    shape: Shape,
    modes: usize,
    demand: f64,
}

const ROWS: [Row; 9] = [
    Row { shape: Shape::Chain(1 << 10), modes: 0, demand: 0.05 },
    Row { shape: Shape::Chain(1 << 16), modes: 0, demand: 0.15 },
    Row { shape: Shape::Chain(1 << 20), modes: 0, demand: 0.5 },
    Row { shape: Shape::Chain(1 << 20), modes: 4, demand: 1.5 },
    Row { shape: Shape::Chain(1 << 20), modes: 10, demand: 3.5 },
    Row { shape: Shape::Systems(65_536, 32), modes: 0, demand: 0.43 },
    Row { shape: Shape::Systems(65_536, 32), modes: 4, demand: 1.3 },
    Row { shape: Shape::Systems(65_536, 32), modes: 10, demand: 3.3 },
    Row { shape: Shape::Systems(262_144, 8), modes: 4, demand: 1.3 },
];
const DEFAULT_LEVEL: f64 = 2.5;

/// What one evaluation took, by the best of the lane lengths tried.
struct Taken {
    ms: f64,
    leaf: usize,
    bytes: f64,
    launches: usize,
}

fn leaves(shape: Shape, modes: usize) -> &'static [usize] {
    match (shape, modes) {
        (Shape::Systems(..), _) => &[0],
        (Shape::Chain(..=8_191), _) => &[2, 4, 8],
        (Shape::Chain(..=262_143), _) => &[8, 16],
        (_, 0) => &[16, 32],
        _ => &[8, 16],
    }
}

fn taken(
    choice: Choice,
    shape: Shape,
    modes: usize,
    level: InertiaLevel,
    rounds: usize,
) -> Result<Taken, DeviceError> {
    let mut best = Taken { ms: f64::INFINITY, leaf: 0, bytes: 0.0, launches: 0 };
    for &leaf in leaves(shape, modes) {
        let model;
        let bodies;
        let mut system = match shape {
            Shape::Chain(count) => {
                model = template(7, modes, level);
                bodies = count;
                System::repeated(&model, count, leaf, choice)?
            }
            Shape::Systems(systems, count) => {
                model = template(count, modes, level);
                bodies = systems * count;
                System::batch(&model, systems, choice)?
            }
        };
        fill(&mut system, modes)?;
        let ms = system.time_evaluation(rounds)?;
        system.check()?;
        if ms < best.ms {
            let bytes = system.lowered().bytes() as f64 / bodies as f64;
            best = Taken { ms, leaf, bytes, launches: system.launch_count() };
        }
    }
    Ok(best)
}

/// Best times of the cost model (ms), by modes, bodies, and bodies of a system where it is a batch.
type Known = HashMap<(usize, usize, Option<usize>), f64>;

fn read_line(line: &str, known: &mut Known) -> Option<()> {
    let mut words = line.split_whitespace();
    let modes = words.next()?.strip_prefix('M')?.parse().ok()?;
    let bodies = words.next()?.strip_prefix("n=")?.parse().ok()?;
    let leaf: usize = words.next()?.strip_prefix("L=")?.parse().ok()?;
    let way: usize = words.next()?.strip_prefix("mode")?.parse().ok()?;
    let ms: f64 = words.next()?.parse().ok()?;
    let best = known.entry((modes, bodies, (way == 2).then_some(leaf))).or_insert(f64::INFINITY);
    *best = best.min(ms);
    Some(())
}

/// Runs the cost model, for at most `limit`; what it printed until then counts.
fn calibrate(report: &mut Report, program: &str, limit: Duration) -> Known {
    let (mut known, begin) = (Known::new(), Instant::now());
    let child = Command::new(program).arg("all").stdout(Stdio::piped()).spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            say!(report, "The cost model `{program}` does not start: {error}.");
            return known;
        }
    };
    let (sender, lines) = std::sync::mpsc::channel();
    let out = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let lines = out.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok);
        lines.for_each(|line| drop(sender.send(line)));
    });
    let mut count = 0;
    loop {
        match lines.recv_timeout(limit.saturating_sub(begin.elapsed())) {
            Ok(line) => count += usize::from(read_line(&line, &mut known).is_some()),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                say!(report, "The cost model was stopped after {:.0} s.", limit.as_secs_f64());
                drop(child.kill());
                break;
            }
        }
    }
    drop((child.wait(), reader.join()));
    let seconds = begin.elapsed().as_secs_f64();
    say!(
        report,
        "Cost model run beside: {count} times in {seconds:.0} s, the best lane length of each case below."
    );
    known
}

fn name(shape: Shape) -> String {
    match shape {
        Shape::Chain(count) => format!("one chain of {count}"),
        Shape::Systems(systems, bodies) => format!("{systems} × {bodies}"),
    }
}

pub fn section(
    report: &mut Report,
    choice: Choice,
    program: Option<String>,
    limit: f64,
) -> Result<(), DeviceError> {
    report.section("Demands");
    let device = choice != Choice::Emulated;
    let known = match &program {
        Some(program) => calibrate(report, program, Duration::from_secs_f64(limit)),
        None => {
            say!(report, "No cost model was run beside (`calibration=PROGRAM`).");
            Known::new()
        }
    };
    say!(
        report,
        "\nBest of twelve rounds of ten evaluations, device time; the default level may take {DEFAULT_LEVEL} times the demand."
    );
    report.head(&[
        "case",
        "modes",
        "demand ms",
        "cost model ms",
        "`ruthless` ms",
        "met",
        "`gram` ms",
        "met",
        "bodies per lane",
        "launches",
        "bytes per body",
        "TB/s if each byte moved once",
    ]);
    let rounds = if device { 12 } else { 1 };
    for row in ROWS {
        let shape = match (device, row.shape) {
            (true, shape) => shape,
            (false, Shape::Chain(_)) => Shape::Chain(1 << 10),
            (false, Shape::Systems(_, bodies)) => Shape::Systems(64, bodies),
        };
        let (total, key) = match shape {
            Shape::Chain(count) => (count, None),
            Shape::Systems(systems, bodies) => (systems * bodies, Some(bodies)),
        };
        let model = known.get(&(row.modes, total, key)).map_or(String::new(), |ms| format!("{ms:.4}"));
        let fast = taken(choice, shape, row.modes, InertiaLevel::Ruthless, rounds)?;
        let usual = if row.modes == 0 {
            None
        } else {
            Some(taken(choice, shape, row.modes, InertiaLevel::Gram, rounds)?)
        };
        let met = |ms: f64, demand: f64| match device {
            true => format!("{} ({:.2})", if ms <= demand { "yes" } else { "**no**" }, ms / demand),
            false => "not asked".into(),
        };
        let (gram, gram_met, gram_bytes) = usual.as_ref().map_or_else(Default::default, |taken| {
            let met = met(taken.ms, DEFAULT_LEVEL * row.demand);
            (format!("{:.4}", taken.ms), met, format!(", {:.0}", taken.bytes))
        });
        say!(
            report,
            "| {} | {} | {} | {model} | {:.4} | {} | {gram} | {gram_met} | {} | {} | {:.0}{gram_bytes} | {:.2} |",
            name(shape),
            row.modes,
            row.demand,
            fast.ms,
            met(fast.ms, row.demand),
            fast.leaf,
            fast.launches,
            fast.bytes,
            fast.bytes * total as f64 / fast.ms / 1e9
        );
    }
    Ok(())
}

/// All levels and lane lengths of one shape, for those who work on the kernels.
pub fn details(report: &mut Report, choice: Choice, only: Option<usize>) -> Result<(), DeviceError> {
    report.section("Details");
    report.head(&["case", "level", "modes", "bodies per lane", "launches", "ms", "bytes per body"]);
    let device = choice != Choice::Emulated;
    let shapes = if device {
        vec![
            Shape::Chain(1 << 10),
            Shape::Chain(1 << 16),
            Shape::Chain(1 << 20),
            Shape::Systems(65_536, 32),
            Shape::Systems(262_144, 8),
        ]
    } else {
        vec![Shape::Chain(1 << 8), Shape::Systems(16, 8)]
    };
    for shape in shapes {
        for (modes, level) in kinds(only) {
            let found = taken(choice, shape, modes, level, if device { 12 } else { 1 })?;
            let word = level_word(modes, level);
            let (name, Taken { ms, leaf, bytes, launches }) = (name(shape), found);
            say!(report, "| {name} | {word} | {modes} | {leaf} | {launches} | {ms:.4} | {bytes:.0} |");
        }
    }
    Ok(())
}

/// Opens one small system of every kind of kernels that the table needs.
pub fn tasks() -> Vec<(usize, InertiaLevel, Shape)> {
    let mut out = Vec::new();
    for row in ROWS {
        let levels: &[InertiaLevel] = if row.modes == 0 {
            &[InertiaLevel::Gram]
        } else {
            &[InertiaLevel::Ruthless, InertiaLevel::Gram]
        };
        // More lanes than teams of threads take, as in the table.
        let shape = match row.shape {
            Shape::Chain(count) => Shape::Chain(count.min(1 << 17)),
            Shape::Systems(_, bodies) => Shape::Systems(8_192, bodies),
        };
        for &level in levels {
            if !out.contains(&(row.modes, level, shape)) {
                out.push((row.modes, level, shape));
            }
        }
    }
    out
}

/// One of them.
pub fn open(choice: Choice, (modes, level, shape): (usize, InertiaLevel, Shape)) -> Result<(), DeviceError> {
    match shape {
        Shape::Chain(count) => drop(System::repeated(&template(7, modes, level), count, 8, choice)?),
        Shape::Systems(systems, bodies) => {
            drop(System::batch(&template(bodies, modes, level), systems, choice)?)
        }
    }
    Ok(())
}
