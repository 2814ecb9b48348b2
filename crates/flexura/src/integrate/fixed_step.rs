//! Where steps of one length end.
//!
//! Times are anchor + n h, not sums: a sum of 12,000 steps is off by thousands of roundings, and what is left before the
//! end of the run is then a step of its own, too short for equations that divide by h².

use crate::checkpoint::Tape;

/// Share of a step that the step before takes over. A step longer by this much has the same accuracy; one as short as
/// this ends in rounding.
const SLIVER: f64 = 1e-4;

/// Share of a step by which an instant that was counted otherwise may miss its end.
const ROUNDING: f64 = 1e-9;

/// Steps of one length, counted from the last limit.
#[derive(Clone, Debug)]
pub(super) struct FixedStep {
    /// Length (s).
    pub length: f64,
    anchor: f64,
    count: u64,
    /// End of the last step (s).
    last: f64,
}

impl FixedStep {
    /// Steps of `length` (s).
    pub fn new(length: f64) -> Self {
        Self { length, anchor: f64::NAN, count: 0, last: f64::NAN }
    }

    /// End and length of the step from `start`, which hits `limit` exactly where it comes near.
    pub fn next(&mut self, start: f64, limit: f64) -> (f64, f64) {
        if start != self.last {
            (self.anchor, self.count) = (start, 0);
        }
        self.count += 1;
        let end = self.anchor + self.length * self.count as f64;
        let interval =
            if reaches(end, self.length, limit) { (limit, limit - start) } else { (end, self.length) };
        self.last = interval.0;
        if interval.0 == limit {
            (self.anchor, self.count) = (limit, 0);
        }
        interval
    }

    /// The end of a step from `start` on that `time` means, to rounding; `None` where it lies inside a step.
    pub fn end_near(&self, start: f64, time: f64) -> Option<f64> {
        let (anchor, count) = if start == self.last { (self.anchor, self.count) } else { (start, 0) };
        let steps = ((time - anchor) / self.length).round();
        let end = anchor + self.length * steps;
        (steps > count as f64 && (end - time).abs() <= ROUNDING * self.length).then_some(end)
    }

    /// What lasts from one step to the next.
    pub fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.anchor);
        tape.number(&mut self.last);
        tape.count(&mut self.count);
    }
}

/// End time and length of a step of `h` from `start` that must hit `limit` exactly when close.
pub(super) fn bounded(start: f64, h: f64, limit: f64) -> (f64, f64) {
    if reaches(start + h, h, limit) { (limit, limit - start) } else { (start + h, h) }
}

fn reaches(end: f64, h: f64, limit: f64) -> bool {
    end + SLIVER * h >= limit
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths of all steps from 0 to `limits`, one after the other.
    fn lengths(h: f64, limits: &[f64]) -> Vec<f64> {
        let (mut steps, mut time, mut found) = (FixedStep::new(h), 0.0, Vec::new());
        for &limit in limits {
            while time < limit {
                let (end, length) = steps.next(time, limit);
                found.push(length);
                time = end;
            }
            assert_eq!(time, limit);
        }
        found
    }

    #[test]
    fn no_sliver_is_left_however_many_steps_there_are() {
        for (h, end) in [(2.5e-4, 3.0), (1e-3, 100.0), (1.0 / 3.0, 1000.0), (0.1, 12_345.6), (7e-5, 0.7)] {
            let found = lengths(h, &[end]);
            let shortest = found.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(shortest > 0.99 * h, "step {h}, end {end}: {shortest}");
            assert_eq!(found.len(), (end / h).round() as usize);
        }
    }

    #[test]
    fn limits_are_hit_and_steps_are_counted_anew_from_them() {
        let found = lengths(0.1, &[0.25, 0.55, 1.0]);
        assert_eq!(found.len(), 3 + 3 + 5);
        assert!(found.iter().all(|&h| h > 0.049 && h < 0.1 + 1e-12));
    }

    #[test]
    fn a_step_taken_back_starts_at_its_own_start() {
        let mut steps = FixedStep::new(0.1);
        assert_eq!(steps.next(0.0, 1.0), (0.1, 0.1));
        assert_eq!(steps.next(0.0, 0.05), (0.05, 0.05));
        assert_eq!(steps.next(0.05, 1.0).1, 0.1);
    }
}
