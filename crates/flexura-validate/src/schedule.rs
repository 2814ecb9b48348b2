//! Cases in parallel: the longest first, each on one thread.

use crate::context::{Case, CaseOutcome, Context, Fault};
use crate::quantity::Quantity;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// How cases are run.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Only the fast part of every case.
    pub quick: bool,
    /// Measure the tables of times of a case's paper, and nothing else.
    pub times: bool,
    /// Cases at a time; zero: one per core.
    pub threads: usize,
    /// Raised from outside to stop.
    pub stop: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Options<'_> {
    fn default() -> Self {
        Self { quick: false, times: false, threads: 0, stop: &NEVER }
    }
}

/// What happens meanwhile.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// A case does something now.
    Stage(&'a str, &'a str),
    /// A case is done.
    Done(&'a CaseOutcome),
}

/// Runs one case; a case that cannot be computed has a quantity that fails and says why.
pub fn run_case(case: &'static Case, options: &Options, hear: &dyn Fn(News)) -> CaseOutcome {
    let stage = |words: &str| hear(News::Stage(case.id, words));
    let mut context = Context::new(case, options.quick, &stage, options.stop);
    let started = Instant::now();
    let run = |context: &mut Context| match options.times {
        true => crate::times::measure(case.id, context),
        false => (case.run)(context),
    };
    if let Err(Fault(words)) = run(&mut context) {
        let quantity = Quantity::new("the case can be computed", "1", f64::NAN);
        context.judge(quantity.exactly(1.0, words));
    }
    context.vouch_for_wide_tolerances();
    let mut outcome = context.finish();
    outcome.seconds = started.elapsed().as_secs_f64();
    hear(News::Done(&outcome));
    outcome
}

/// Runs cases on several threads; the outcomes are in the order of `cases`.
pub fn run_all(cases: &[&'static Case], options: &Options, hear: &(dyn Fn(News) + Sync)) -> Vec<CaseOutcome> {
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by(|&a, &b| cases[b].cost.total_cmp(&cases[a].cost));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if options.threads > 0 { options.threads } else { cores }.min(cases.len()).max(1);
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<CaseOutcome>>> = Mutex::new(vec![None; cases.len()]);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if options.stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let outcome = run_case(cases[index], options, hear);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[index] = Some(outcome);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_iter().flatten().collect()
}
