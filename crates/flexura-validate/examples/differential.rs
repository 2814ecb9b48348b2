//! Random models by every choice of a run: `differential N [--seed S] [--out DIR] [--show] [--file MODEL]`.
//!
//! Prints progress, what was compared and refused, and every disagreement; writes failing models, made small, as files
//! into DIR. `--show` prints the model of the first seed instead, `--file` runs one model file. A model that does not end within five minutes is
//! written and ends the program.

use flexura_validate::differential::{Tally, examine, examine_text, model};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

struct Options {
    models: u64,
    seed: u64,
    out: PathBuf,
    show: bool,
    file: Option<PathBuf>,
}

fn options() -> Result<Options, String> {
    let mut options =
        Options { models: 100, seed: 1, out: PathBuf::from("target/differential"), show: false, file: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: &str| text.parse::<u64>().map_err(|error| format!("`{text}`: {error}"));
        match word.as_str() {
            "--seed" => options.seed = number(&next()?)?,
            "--out" => options.out = PathBuf::from(next()?),
            "--file" => options.file = Some(PathBuf::from(next()?)),
            "--show" => options.show = true,
            count => options.models = number(count)?,
        }
    }
    Ok(options)
}

/// Seeds in work with their beginning.
type Working = Mutex<Vec<(u64, Instant)>>;

fn main() -> Result<(), String> {
    let options = options()?;
    if options.show {
        println!("{}", model(options.seed).ok_or("no loop closes")?);
        return Ok(());
    }
    if let Some(path) = &options.file {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let started = Instant::now();
        let say = &mut |words| println!("{:6.2} s {words}", started.elapsed().as_secs_f64());
        let tally = examine_text(&text, say)?;
        println!("{} comparisons, {} disagreements", tally.comparisons(), tally.faults);
        return Ok(());
    }
    std::fs::create_dir_all(&options.out).map_err(|error| error.to_string())?;
    let (next, end) = (AtomicU64::new(options.seed), options.seed + options.models);
    let (total, working) = (Mutex::new(Tally::default()), Working::default());
    let started = Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(&options, &next, end, &total, &working));
        }
        let mut said = 0;
        while next.load(Ordering::Relaxed) < end + threads as u64 {
            std::thread::sleep(Duration::from_millis(200));
            let done = next.load(Ordering::Relaxed).min(end) - options.seed;
            if done > said {
                eprint!("\r{done} of {} models, {:.0} s ", options.models, started.elapsed().as_secs_f64());
                said = done;
            }
            give_up_on_hanging(&options, &working);
        }
    });
    eprintln!();
    let total = total.into_inner().map_err(|error| error.to_string())?;
    println!("{total}seeds {} to {}, {:.0} s", options.seed, end - 1, started.elapsed().as_secs_f64());
    if total.faults > 0 {
        return Err(format!("{} disagreements; models are in {}", total.faults, options.out.display()));
    }
    Ok(())
}

fn work(options: &Options, next: &AtomicU64, end: u64, total: &Mutex<Tally>, working: &Working) {
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= end {
            return;
        }
        note(working, |list| list.push((seed, Instant::now())));
        let (tally, findings) = examine(seed);
        // Of many disagreements of one model the first is worth the work; shrinking is bounded by itself.
        note(working, |list| list.retain(|(other, _)| *other != seed));
        for finding in &findings {
            println!("\n{}", finding.words());
        }
        if let Some(finding) = findings.first() {
            let small = finding.shrunk();
            let path = options.out.join(format!("seed-{seed}.toml"));
            match std::fs::write(&path, small.file()) {
                Ok(()) => println!("  smallest: {}: {}", path.display(), small.words()),
                Err(error) => println!("  {}: {error}\n{}", path.display(), small.file()),
            }
        }
        note(total, |total| total.add(tally));
    }
}

fn note<T>(place: &Mutex<T>, change: impl FnOnce(&mut T)) {
    if let Ok(mut inside) = place.lock() {
        change(&mut inside);
    }
}

/// A run that never returns cannot be interrupted: its model is written and the program ends.
fn give_up_on_hanging(options: &Options, working: &Working) {
    let Ok(list) = working.lock() else { return };
    if let Some((seed, _)) = list.iter().find(|(_, since)| since.elapsed() > Duration::from_secs(300)) {
        let path = options.out.join(format!("hangs-{seed}.toml"));
        let written = std::fs::write(&path, model(*seed).unwrap_or_default());
        eprintln!("\nseed {seed} does not end: {} {written:?}", path.display());
        std::process::exit(2);
    }
}
