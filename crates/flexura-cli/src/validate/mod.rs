//! `flexura validate`: papers and benchmarks computed again, with verdicts and a report.

mod chapter;
mod figures;
mod html;
mod tables;
#[cfg(test)]
mod tests;
mod words;

use crate::Outcome;
use crate::failure::Failure;
use crate::interrupt::{Late, watch_for_interrupt};
use crate::print::print;
use flexura_validate::{CASES, Case, CaseOutcome, News, Options, Verdict, find, run_all, timed_cases};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Compute papers and benchmarks again and judge every quantity.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura validate                              every case, on all cores
  flexura validate --list                       the cases
  flexura validate iftomm-andrews iftomm-bricard      two of them, with all their quantities
  flexura validate --quick                      the fast part of every case
  flexura validate --report validation.html     a page with figures, to read beside the papers
  flexura validate lugris-vehicle --timing      the paper's tables of times, measured here
  flexura validate --json | grep '\"fail\"'       one line per quantity
Verdicts:
  pass              within the tolerance
  fail              outside the tolerance (exit code 1)
  expected_failure  outside the tolerance, as it must be
  no_reference      the source gives no number")]
pub struct Arguments {
    /// Cases; default: all
    #[arg(value_name = "ID")]
    cases: Vec<String>,
    /// List the cases and leave
    #[arg(long)]
    list: bool,
    /// One line of JSON per quantity
    #[arg(long)]
    json: bool,
    /// Write a page with tables and figures
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Write the same as a chapter of the book, with figures in a folder of the same name
    #[arg(long, value_name = "FILE.md", hide = true)]
    chapter: Option<PathBuf>,
    /// Measure the tables of computing times of a case's paper, one case at a time; judges nothing
    #[arg(long, conflicts_with_all = ["quick", "chapter", "threads"])]
    timing: bool,
    /// Cases at a time; default: one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Only the fast part of every case
    #[arg(long)]
    quick: bool,
    /// No progress, no table
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the sub-command.
pub fn validate(arguments: &Arguments) -> Outcome {
    let cases = chosen(&arguments.cases, arguments.timing)?;
    if arguments.list {
        return print(&list(&cases));
    }
    let stop = watch_for_interrupt(Late::End("interrupted; nothing is written"));
    // Times are measured by one run at a time.
    let threads = if arguments.timing { 1 } else { arguments.threads.map_or(0, usize::from) };
    let options = Options { quick: arguments.quick, times: arguments.timing, threads, stop: &stop };
    let display = Display::new(cases.len(), arguments.quiet);
    let outcomes = run_all(&cases, &options, &|news| display.hear(news));
    display.bar.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted("interrupted; nothing is written".into()));
    }
    if let Some(path) = &arguments.report {
        write(path, &html::page(&outcomes, arguments.quick))?;
    }
    if let Some(path) = &arguments.chapter {
        chapter::write(path, &outcomes)?;
    }
    if arguments.json {
        print(&json_lines(&outcomes))?;
    } else if !arguments.quiet {
        let text = match arguments.timing {
            true => tables::text(&outcomes),
            false => words::table(&outcomes, !arguments.cases.is_empty()),
        };
        print(&text)?;
    }
    verdict(&outcomes)
}

fn chosen(names: &[String], timing: bool) -> Result<Vec<&'static Case>, Failure> {
    if names.is_empty() {
        return Ok(CASES.iter().filter(|case| !timing || timed(case)).copied().collect());
    }
    let known = || CASES.iter().map(|case| case.id).collect::<Vec<_>>().join(", ");
    let one = |name: &String| {
        find(name).ok_or_else(|| Failure::Usage(format!("no case `{name}`; cases are {}", known())))
    };
    let cases: Vec<&'static Case> = names.iter().map(one).collect::<Result<_, _>>()?;
    match cases.iter().find(|case| timing && !timed(case)) {
        None => Ok(cases),
        Some(case) => {
            let known = timed_cases().collect::<Vec<_>>().join(", ");
            let text =
                format!("the source of `{}` has no table of computing times; those of {known} have", case.id);
            Err(Failure::Usage(text))
        }
    }
}

/// Whether the source of a case has tables of times.
fn timed(case: &Case) -> bool {
    timed_cases().any(|id| id == case.id)
}

fn list(cases: &[&Case]) -> String {
    let line = |case: &&Case| format!("{:<25}{}  {}\n", case.id, case.trust.label(), case.title);
    cases.iter().map(line).collect()
}

fn json_lines(outcomes: &[CaseOutcome]) -> String {
    let lines = outcomes.iter().flat_map(|outcome| {
        let quantities = outcome.quantities.iter().map(|quantity| format!("{}\n", quantity.json(outcome.id)));
        quantities.chain(tables::json_lines(outcome)).collect::<Vec<_>>()
    });
    lines.collect()
}

/// A failure if any quantity fails.
fn verdict(outcomes: &[CaseOutcome]) -> Outcome {
    let failed = |outcome: &&CaseOutcome| outcome.count(Verdict::Fail) > 0;
    let names: Vec<&str> = outcomes.iter().filter(failed).map(|outcome| outcome.id).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(Failure::Verdict(format!("quantities outside their tolerance in: {}", names.join(", "))))
}

fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| Failure::File(format!("{}: {error}", path.display())))
}

/// Cases done, and what the running ones do.
struct Display {
    bar: ProgressBar,
    quiet: bool,
    running: Mutex<BTreeMap<String, String>>,
}

impl Display {
    fn new(cases: usize, quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(cases as u64) };
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed}  {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, quiet, running: Mutex::default() }
    }

    fn hear(&self, news: News) {
        let mut running = self.running.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match news {
            News::Stage(id, words) => {
                running.insert(id.into(), words.into());
            }
            News::Done(outcome) => {
                running.remove(outcome.id);
                self.bar.inc(1);
                match (self.quiet, self.bar.is_hidden()) {
                    (true, _) => {}
                    (false, false) => self.bar.println(words::line(outcome)),
                    // No terminal: lines for a log.
                    (false, true) => eprintln!("{}", words::line(outcome)),
                }
            }
        }
        let texts: Vec<String> = running.iter().map(|(id, words)| format!("{id}: {words}")).collect();
        self.bar.set_message(texts.join(" | "));
    }
}
