//! An evaluation by its program, and derivatives back through it.
//!
//! Forwards nodes in order, backwards in the opposite one: with x̄ the derivative of the result over x, a term f x_a x_b of x gives
//! x̄_a += f x_b x̄ and x̄_b += f x_a x̄. Nothing is allocated.

use super::evaluation::{Place, Pulled, Seeds, direct_weights, is_free};
use super::program::{Function, Node, Program};
use super::sweep::Sweep;
use crate::model::Model;
use crate::scalar::Meaning;

/// A program with its numbers.
pub(super) struct Replay {
    program: Program,
    values: Vec<f64>,
    bars: Vec<f64>,
    /// The path whose constants it has.
    pub path: usize,
    /// Slots of accelerations and multipliers.
    accelerations: Vec<Option<u32>>,
    /// Results that are asked to vanish, behind the others.
    rest: usize,
    /// Derivatives over functions of time, over both sweeps.
    pub samples: Vec<f64>,
    /// What has added up over constants, while sweeps are for looking.
    held: Vec<f64>,
}

impl Replay {
    pub fn new(program: Program, path: usize, (found, rest): (usize, usize), samples: usize) -> Self {
        let mut accelerations = vec![None; found];
        for &(meaning, slot) in &program.inputs {
            if let Meaning::Acceleration(i) = meaning {
                accelerations[i] = Some(slot);
            }
        }
        let (values, bars) = (vec![0.0; program.slots], vec![0.0; program.slots]);
        let (samples, held) = (vec![0.0; samples], Vec::new());
        let mut replay = Self { program, values, bars, path, accelerations, rest, samples, held };
        let Replay { program, values, .. } = &mut replay;
        program.fixed.iter().for_each(|&(slot, value)| values[slot as usize] = value);
        forwards(program, 0..program.held_nodes, values);
        replay
    }

    /// Memory (bytes).
    pub fn bytes(&self) -> usize {
        let program = &self.program;
        16 * self.values.len()
            + size_of_val(&program.nodes[..])
            + size_of_val(&program.straight[..])
            + size_of_val(&program.products[..])
    }

    /// Forgets derivatives over constants.
    pub fn begin(&mut self) {
        self.bars[..self.program.held_slots].fill(0.0);
        self.samples.fill(0.0);
    }

    /// Evaluates; whether the branches are those of the recording.
    pub fn run(&mut self, at: Place<'_>, found: &[f64], drives: &[f64]) -> bool {
        let Self { program, values, .. } = self;
        for &(meaning, slot) in &program.inputs {
            values[slot as usize] = match meaning {
                Meaning::Start(i) => at.start_q[i],
                Meaning::Vector(i) => at.y[i],
                Meaning::Acceleration(i) => found[i],
                Meaning::Sample(i) => drives[i],
                Meaning::Construction(_) | Meaning::Constant(_) => continue,
            };
        }
        forwards(program, program.held_nodes..program.nodes.len(), values);
        self.samples.fill(0.0);
        let holds = |gate: &super::program::Gate| {
            gate.guard.comparison.of(values[gate.slot as usize]) == gate.guard.outcome
        };
        program.gates.iter().all(holds)
    }

    /// Carries what has added up over the run on to the constants; each with its derivative.
    pub fn finish(&mut self) -> impl Iterator<Item = (Meaning, f64)> + '_ {
        let Self { program, values, bars, .. } = self;
        backwards(program, 0..program.held_nodes, values, bars);
        program.constants.iter().map(|&(meaning, slot)| (meaning, bars[slot as usize]))
    }
}

impl Sweep for Replay {
    fn sweep(&mut self, model: &Model, direct: Option<Seeds<'_>>, solved: Option<&[f64]>) {
        let Self { program, values, bars, .. } = self;
        bars[program.held_slots..].fill(0.0);
        let split = program.outputs.len() - self.rest;
        if let Some(seeds) = direct {
            for (output, weight) in program.outputs[..split].iter().zip(direct_weights(model, seeds)) {
                if let Some(slot) = output {
                    bars[*slot as usize] += weight;
                }
            }
        }
        if let Some(solved) = solved {
            for (i, (output, weight)) in program.outputs[split..].iter().zip(solved).enumerate() {
                if let (Some(slot), true) = (output, is_free(model, i)) {
                    bars[*slot as usize] -= weight;
                }
            }
        }
        backwards(program, program.held_nodes..program.nodes.len(), values, bars);
    }

    fn over_acceleration(&self, i: usize) -> f64 {
        self.accelerations[i].map_or(0.0, |slot| self.bars[slot as usize])
    }

    fn gather(&mut self, out: &mut Pulled) {
        self.look(out);
        for &(meaning, slot) in &self.program.inputs {
            if let Meaning::Sample(i) = meaning {
                self.samples[i] += self.bars[slot as usize];
            }
        }
    }

    fn look(&mut self, out: &mut Pulled) {
        for &(meaning, slot) in &self.program.inputs {
            let bar = self.bars[slot as usize];
            match meaning {
                Meaning::Start(i) => out.start_q[i] += bar,
                Meaning::Vector(i) => out.y[i] += bar,
                _ => {}
            }
        }
    }

    fn hold(&mut self) {
        self.held.clear();
        self.held.extend_from_slice(&self.bars[..self.program.held_slots]);
    }

    fn let_go(&mut self) {
        self.bars[..self.program.held_slots].copy_from_slice(&self.held);
    }
}

fn forwards(program: &Program, range: std::ops::Range<usize>, values: &mut [f64]) {
    for node in &program.nodes[range] {
        match node {
            Node::Sum { slot, constant, straight, products } => {
                let mut sum = *constant;
                for term in &program.straight[straight[0] as usize..straight[1] as usize] {
                    sum += term.factor * values[term.slot as usize];
                }
                for term in &program.products[products[0] as usize..products[1] as usize] {
                    let [a, b] = term.slots;
                    sum += term.factor * values[a as usize] * values[b as usize];
                }
                values[*slot as usize] = sum;
            }
            Node::Of { slot, function, slots } => {
                let [x, y] = slots.map(|slot| values[slot as usize]);
                values[*slot as usize] = match function {
                    Function::Quotient => x / y,
                    Function::Sqrt => x.sqrt(),
                    Function::Sin => x.sin(),
                    Function::Cos => x.cos(),
                    Function::Tanh => x.tanh(),
                    Function::Ln => x.ln(),
                    Function::Atan2 => x.atan2(y),
                    Function::Power(exponent) => x.powf(*exponent),
                };
            }
        }
    }
}

fn backwards(program: &Program, range: std::ops::Range<usize>, values: &[f64], bars: &mut [f64]) {
    for node in program.nodes[range].iter().rev() {
        match node {
            Node::Sum { slot, straight, products, .. } => {
                let bar = bars[*slot as usize];
                if bar == 0.0 {
                    continue;
                }
                for term in &program.straight[straight[0] as usize..straight[1] as usize] {
                    bars[term.slot as usize] += bar * term.factor;
                }
                for term in &program.products[products[0] as usize..products[1] as usize] {
                    let ([a, b], share) = (term.slots, bar * term.factor);
                    bars[a as usize] += share * values[b as usize];
                    bars[b as usize] += share * values[a as usize];
                }
            }
            Node::Of { slot, function, slots } => {
                let bar = bars[*slot as usize];
                if bar == 0.0 {
                    continue;
                }
                let [a, b] = slots.map(|slot| slot as usize);
                let (x, y, value) = (values[a], values[b], values[*slot as usize]);
                match function {
                    Function::Quotient => {
                        bars[a] += bar / y;
                        bars[b] -= bar * value / y;
                    }
                    Function::Sqrt => bars[a] += bar * 0.5 / value,
                    Function::Sin => bars[a] += bar * x.cos(),
                    Function::Cos => bars[a] -= bar * x.sin(),
                    Function::Tanh => bars[a] += bar * (1.0 - value * value),
                    Function::Ln => bars[a] += bar / x,
                    Function::Atan2 => {
                        let square = x * x + y * y;
                        bars[a] += bar * y / square;
                        bars[b] -= bar * x / square;
                    }
                    Function::Power(exponent) => bars[a] += bar * exponent * x.powf(exponent - 1.0),
                }
            }
        }
    }
}
