//! The progress of a run: simulated time, speed, errors, steps.

use flexura::simulate::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Time between two updates of the progress bar.
const REFRESH: Duration = Duration::from_millis(100);

/// When steps ended: what one takes, without the first, before which a run is set up, and the last, after which it ends.
#[derive(Debug, Default)]
pub struct Pace {
    first: Option<Instant>,
    last: [Option<Instant>; 2],
    steps: u32,
}

impl Pace {
    /// A step has ended.
    pub fn count(&mut self) {
        let now = Instant::now();
        self.first.get_or_insert(now);
        self.last = [self.last[1], Some(now)];
        self.steps += 1;
    }

    /// Mean time of a step between the first and the last (s); none of fewer than three.
    pub fn seconds_per_step(&self) -> Option<f64> {
        let (first, before_last) = (self.first?, self.last[0]?);
        (self.steps > 2).then(|| (before_last - first).as_secs_f64() / f64::from(self.steps - 2))
    }
}

/// The progress bar, refreshed a few times a second.
pub struct Display {
    bar: ProgressBar,
    /// Warnings shown so far.
    warned: usize,
    next: Instant,
    started: Instant,
    /// Simulated time at the start; of a restarted run that of its first step (s).
    from: Option<f64>,
}

impl Display {
    /// A bar on the terminal, or none.
    pub fn new(quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(1000) };
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {percent:>3}%  {msg}  {eta_precise} left") {
            bar.set_style(style);
        }
        let now = Instant::now();
        Self { bar, warned: 0, next: now, started: now, from: None }
    }

    /// Shows warnings at once, the rest when its time has come; `gap` is the largest of a loop (m or rad).
    pub fn update(&mut self, progress: &Progress, gap: Option<f64>) {
        for warning in &progress.warnings[self.warned..] {
            self.bar.suspend(|| eprintln!("warning: {warning}"));
        }
        self.warned = progress.warnings.len();
        let from = *self.from.get_or_insert(progress.time);
        let now = Instant::now();
        if now >= self.next {
            self.next = now + REFRESH;
            let speed = (progress.time - from) / (now - self.started).as_secs_f64().max(1e-9);
            self.bar.set_position((progress.fraction * 1000.0) as u64);
            self.bar.set_message(message(progress, speed, gap));
        }
    }

    /// Takes the bar away; how many warnings were shown.
    pub fn finish(self) -> usize {
        self.bar.finish_and_clear();
        self.warned
    }
}

/// The words of the bar; `speed` is simulated time over real time.
fn message(progress: &Progress, speed: f64, gap: Option<f64>) -> String {
    let steps = &progress.statistics;
    let mut text =
        format!("t = {:.4} s  {} × real time  {} steps", progress.time, rounded(speed), steps.accepted);
    if steps.rejected > 0 {
        text += &format!(" ({} rejected)", steps.rejected);
    }
    text += &format!("  energy {:.0e}", progress.energy.share());
    if let Some(gap) = gap {
        text += &format!("  loops {gap:.0e}");
    }
    text
}

/// Two digits that count.
fn rounded(speed: f64) -> String {
    if speed >= 10.0 { format!("{speed:.0}") } else { format!("{speed:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexura::integrate::StepStatistics;
    use flexura::simulate::EnergyAudit;

    #[test]
    fn the_bar_names_time_speed_steps_and_errors() {
        let statistics =
            StepStatistics { accepted: 120, rejected: 3, evaluations: 900, ..StepStatistics::default() };
        let energy = EnergyAudit { worst: 2.4e-9, largest: 1.0, floor: 0.0 };
        let progress = Progress { time: 1.5, fraction: 0.5, statistics, warnings: &[], energy };
        assert_eq!(
            message(&progress, 12.34, Some(3e-15)),
            "t = 1.5000 s  12 × real time  120 steps (3 rejected)  energy 2e-9  loops 3e-15"
        );
        let smooth = Progress { statistics: StepStatistics { rejected: 0, ..statistics }, ..progress };
        assert_eq!(message(&smooth, 0.456, None), "t = 1.5000 s  0.46 × real time  120 steps  energy 2e-9");
    }
}
