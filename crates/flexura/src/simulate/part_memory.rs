//! Checkpoints of runs by several ranks: what every rank has alike, and one block of words for every body that it records,
//! with the number of that body in the whole model. Any other number of ranks finds its own bodies among those of all parts.
//!
//! | words | what |
//! |---|---|
//! | 4 | method; coordinates, speeds and bodies of the whole model |
//! | course | time, method, sums, rows: the same on all ranks |
//! | 1 | number of blocks |
//! | each block | number of the body, number of words, words |

use super::{LinearRangeWarning, Run};
use crate::checkpoint::{Checkpoint, Tape};
use crate::division::Part;
use crate::error::SimulationError;
use crate::record::Sink;
use std::collections::HashMap;

const COUNTS: [&str; 3] = ["coordinates", "speeds", "bodies"];

impl<K: Sink> Run<'_, K> {
    /// The memory of this rank.
    pub(super) fn part_checkpoint(&mut self, part: &Part) -> Checkpoint {
        let mut tape = Tape::over(Vec::new());
        self.differing_part(part, &mut tape);
        self.remember_alike(&mut tape);
        let places = self.places_of_deformations();
        let mut warned: HashMap<String, Vec<LinearRangeWarning>> = HashMap::new();
        for warning in &self.outcome.warnings {
            warned.entry(warning.body.clone()).or_default().push(warning.clone());
        }
        let recorded: Vec<usize> = (0..self.model.body_count()).filter(|&k| part.records(k)).collect();
        tape.index(&mut recorded.len());
        for k in recorded {
            let warnings = warned.get(&self.model.bodies[k].name).map_or(&[][..], Vec::as_slice);
            let mut block = Tape::over(Vec::new());
            self.remember_body(k, places[k], warnings, &mut block);
            tape.index(&mut part.bodies()[k].clone());
            tape.append(&block.into_words());
        }
        Checkpoint { time: self.state.time, rows: self.outcome.rows, words: tape.into_words() }
    }

    /// Goes on from the memories of all ranks of an earlier run.
    pub(super) fn resume_part(&mut self, part: &Part, parts: &[Checkpoint]) -> Result<(), SimulationError> {
        let refused = |why: String| Err(SimulationError::Checkpoint(why));
        let damaged =
            || "the memory of a rank has another length: it is damaged, or of another version of the program";
        let places = self.places_of_deformations();
        let mut missing = vec![true; self.model.body_count()];
        for checkpoint in parts {
            if (checkpoint.time, checkpoint.rows) != (parts[0].time, parts[0].rows) {
                return refused("its parts are of different instants".into());
            }
            let mut tape = Tape::of(&checkpoint.words);
            let differing = self.differing_part(part, &mut tape);
            if !differing.is_empty() {
                return refused(format!("it has {}", differing.join("; ")));
            }
            self.remember_alike(&mut tape);
            for _ in 0..tape.length(0) {
                let mut body = 0;
                tape.index(&mut body);
                let mut block = tape.appended();
                let Ok(k) = part.bodies().binary_search(&body) else { continue };
                self.remember_body(k, places[k], &[], &mut block);
                missing[k] = false;
                if !block.used_up() {
                    return refused(damaged().into());
                }
            }
            if !tape.used_up() {
                return refused(damaged().into());
            }
        }
        // Words of many bodies, in the order in which a run without a break gives them.
        self.outcome.warnings.sort_by(|a, b| a.time.total_cmp(&b.time));
        match missing.iter().position(|&missing| missing) {
            None => Ok(()),
            Some(k) => refused(format!("nothing is in it of body `{}`", self.model.bodies[k].name)),
        }
    }

    /// Method and size of the whole model, written or read: what differs, in words.
    fn differing_part(&self, part: &Part, tape: &mut Tape) -> Vec<String> {
        let mut list: Vec<String> = self.differing_method(tape).into_iter().collect();
        for (what, own) in COUNTS.into_iter().zip(part.whole_counts()) {
            let mut count = own;
            tape.index(&mut count);
            if count != own {
                list.push(format!("{count} {what}, the run {own}"));
            }
        }
        list
    }

    /// What all ranks have alike.
    fn remember_alike(&mut self, tape: &mut Tape) {
        tape.number(&mut self.state.time);
        self.remember_course(tape);
        self.remember_rows(tape);
    }

    /// Place of every body among the flexible ones.
    fn places_of_deformations(&self) -> Vec<usize> {
        let mut before = 0;
        let place = |modes: usize| {
            before += usize::from(modes > 0);
            before - usize::from(modes > 0)
        };
        self.model.bodies.iter().map(|body| body.modes).map(place).collect()
    }

    /// What is remembered of body `k`, the flexible one at `place`; `warnings` are those so far, to be written.
    fn remember_body(&mut self, k: usize, place: usize, warnings: &[LinearRangeWarning], tape: &mut Tape) {
        let layout = &self.model.layout.bodies[k];
        tape.numbers(&mut self.state.q[layout.q..layout.joint_q().end]);
        tape.numbers(&mut self.state.v[layout.speeds()]);
        if layout.modes == 0 {
            return;
        }
        self.flagged[layout.modal..layout.modal + layout.modes].iter_mut().for_each(|flag| tape.flag(flag));
        self.remember_deformation(place, tape);
        for i in 0..tape.length(warnings.len()) {
            let (mut mode, mut time, mut value) =
                warnings.get(i).map_or((0, 0.0, 0.0), |warning| (warning.mode, warning.time, warning.value));
            tape.index(&mut mode);
            tape.number(&mut time);
            tape.number(&mut value);
            if tape.reading() {
                let body = self.model.bodies[k].name.clone();
                self.outcome.warnings.push(LinearRangeWarning { body, mode, time, value });
            }
        }
    }
}
