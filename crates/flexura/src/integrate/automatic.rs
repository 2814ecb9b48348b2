//! Steps by the cheaper of two methods: Dormand-Prince, or Radau IIA where stiffness holds the explicit steps.
//!
//! Source: the sign of stiffness is that of Hairer & Wanner, Solving ODE II, section IV.2, in a form for equations of second order:
//! the last two stages of a Dormand-Prince step stand at one instant, and λ² = |Δv̇| / |Δδ| of their difference is the rate
//! of the fastest motion, vibration or decay, that the step excites. Steps held by stability have h λ near 1; steps held by
//! accuracy lie well below. Whether Radau IIA then pays is not guessed but tried: both methods have the same tolerances, so
//! the one that advances farther for its cost is taken. What it costs is counted in evaluations of the equations of motion, not timed,
//! so that a run has the same bits everywhere.
//!
//! Cost of a step of n states: e evaluations with their share of solving, e (1 + n / c), and f factorisations, f n² / c, where
//! c = 135 from counted operations: about 450 n for an evaluation, 10/3 n³ for a factorisation, 10 n² for the solutions of three
//! stages.
//!
//! Symbols: δ increments of coordinates, v speeds, h step. Cost of the choice itself: O(n) per explicit step; trials, at ever longer
//! intervals where they do not pay.
//!
//! Typeset: book/src/theory/integrators.md (TI.17), (TI.18).

use super::stepper::{End, Stepper};
use super::{Dense, DormandPrince, Flow, Radau5, StepStatistics};
use crate::checkpoint::Tape;
use crate::error::SimulationError;
use crate::model::Model;
use crate::workspace::Workspace;

/// Steps over which a method is judged.
const WINDOW: u64 = 10;
/// Windows that a method on trial is given while its steps still grow.
const TRIAL: u64 = 5;
/// Steps before the other method is tried again: at first, and at most.
const PATIENCE: [u64; 2] = [50, 6_400];
/// How much farther the explicit method must come to be taken back, lest the choice swings.
const CLEARLY: f64 = 1.2;
/// Operations of an evaluation by those of one solution per state, c above.
const EVALUATION: f64 = 135.0;

/// Both methods, and what is known of them.
#[derive(Clone, Debug)]
pub(super) struct Automatic {
    explicit: DormandPrince,
    implicit: Radau5,
    /// Length of y.
    size: f64,
    /// Whether the next step is implicit, and whether the last one was.
    stiff: bool,
    last: bool,
    /// Windows that the present method has been on trial for; zero where it is settled.
    trial: u64,
    /// Time per cost of the explicit and the implicit method, of their last window (s).
    rates: [f64; 2],
    /// Steps since the other method was tried, and after how many it is tried again.
    waited: u64,
    patience: u64,
    window: Window,
}

/// What the present method has done lately.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    steps: u64,
    advance: f64,
    cost: f64,
    /// Length of its first step (s).
    first: f64,
}

impl Automatic {
    /// Scratch for both methods.
    pub fn new(size: usize, explicit: DormandPrince, implicit: Radau5) -> Self {
        Self {
            explicit,
            implicit,
            size: size as f64,
            stiff: false,
            last: false,
            trial: 0,
            rates: [0.0; 2],
            waited: 0,
            patience: PATIENCE[0],
            window: Window::default(),
        }
    }

    fn present(&mut self) -> &mut dyn Stepper {
        if self.stiff { &mut self.implicit } else { &mut self.explicit }
    }

    /// Enters a step and, at the end of a window, decides who takes the next one.
    fn judge(&mut self, before: &StepStatistics, h: f64) {
        let after = self.statistics();
        let share = self.size / EVALUATION;
        let evaluations = (after.evaluations - before.evaluations) as f64;
        let factors = (after.factorizations - before.factorizations) as f64;
        let solved = if self.stiff { evaluations * share } else { 0.0 };
        if self.window.steps == 0 {
            self.window.first = h;
        }
        self.window.steps += 1;
        self.window.advance += h;
        self.window.cost += evaluations + solved + factors * share * self.size;
        self.waited += 1;
        if self.window.steps >= WINDOW {
            self.rates[usize::from(self.stiff)] = self.window.advance / self.window.cost;
            let growing = h > 2.0 * self.window.first;
            self.window = Window::default();
            self.decide(h, growing);
        }
    }

    fn decide(&mut self, h: f64, growing: bool) {
        let [explicit, implicit] = self.rates;
        let ahead = if self.stiff { implicit > explicit } else { explicit > CLEARLY * implicit };
        match self.trial {
            0 if self.stiff && explicit > CLEARLY * implicit => self.turn(h, 0),
            0 if self.waited >= self.patience && (self.stiff || self.suspects()) => self.turn(h, 1),
            0 => {}
            // Explicit steps on trial have the length that stability or accuracy left them; they need no time to grow.
            _ if ahead => (self.trial, self.waited, self.patience) = (0, 0, PATIENCE[0]),
            windows if growing && windows < TRIAL => self.trial += 1,
            _ => {
                self.patience = (2 * self.patience).min(PATIENCE[1]);
                self.turn(h, 0);
            }
        }
    }

    /// Whether explicit steps seem to be held by stability, and there is something to do about it.
    fn suspects(&self) -> bool {
        self.explicit.is_held() && self.implicit.fits()
    }

    /// The other method takes the next steps, from the length of this one's on where it has nothing better.
    fn turn(&mut self, h: f64, trial: u64) {
        self.stiff = !self.stiff;
        (self.trial, self.waited) = (trial, 0);
        if self.stiff {
            self.implicit.begin_with(h);
        }
    }
}

impl Stepper for Automatic {
    /// A step by the present method; where that one cannot go on, by the other.
    fn step(
        &mut self,
        model: &Model,
        flow: &mut Flow,
        work: &mut Workspace,
        limit: f64,
        dense: &mut Dense,
    ) -> Result<(), SimulationError> {
        let before = self.statistics();
        self.last = self.stiff;
        let stopped = match self.present().step(model, flow, work, limit, dense) {
            Ok(()) => {
                self.judge(&before, dense.end() - dense.start());
                return Ok(());
            }
            Err(error) => error,
        };
        if !self.implicit.fits() {
            return Err(stopped);
        }
        let first = limit - flow.start_time();
        self.window = Window::default();
        self.turn(1e-6 * first.min(1.0), 0);
        self.last = self.stiff;
        self.explicit.restart();
        // What stopped the one says more than that the other stops too.
        self.present().step(model, flow, work, limit, dense).map_err(|_| stopped)
    }

    fn end(&self) -> End {
        if self.last { self.implicit.end() } else { self.explicit.end() }
    }

    fn complete(&self, model: &Model, reactions: bool, work: &mut Workspace) -> bool {
        if self.last {
            self.implicit.complete(model, reactions, work)
        } else {
            self.explicit.complete(model, reactions, work)
        }
    }

    fn restart(&mut self) {
        self.explicit.restart();
        self.implicit.restart();
    }

    fn take_back(&mut self) {
        self.explicit.take_back();
        self.implicit.take_back();
    }

    fn refresh(&mut self) {
        self.explicit.refresh();
        self.implicit.refresh();
    }

    fn remember(&mut self, tape: &mut Tape) {
        self.explicit.remember(tape);
        self.implicit.remember(tape);
        tape.flag(&mut self.stiff);
        tape.flag(&mut self.last);
        for count in [&mut self.trial, &mut self.waited, &mut self.patience, &mut self.window.steps] {
            tape.count(count);
        }
        self.rates.iter_mut().for_each(|rate| tape.number(rate));
        for number in [&mut self.window.advance, &mut self.window.cost, &mut self.window.first] {
            tape.number(number);
        }
    }

    fn statistics(&self) -> StepStatistics {
        let (a, b) = (self.explicit.statistics(), self.implicit.statistics());
        StepStatistics {
            accepted: a.accepted + b.accepted,
            rejected: a.rejected + b.rejected,
            evaluations: a.evaluations + b.evaluations,
            jacobians: b.jacobians,
            factorizations: b.factorizations,
            stiff: b.accepted,
            held: a.held,
        }
    }
}
