//! From a recording to a program: sums of products in order, and back through them.
//!
//! Source: Griewank & Walther, Evaluating Derivatives (SIAM 2008), chapters 3 and 6. An evaluation was written down once (`scalar/traced.rs`);
//! what is left of it without zeros, ones and what no result sees are sums
//!
//! x = c + Σ f x_a + Σ f x_a x_b   (AD.6)
//!
//! and a few functions. Sums that one other sum alone uses are part of that one; signs and constant factors are parts of f. What depends
//! on constants of the model alone is *held*: its values stay from evaluation to evaluation, its derivatives add up over the run, and
//! they are carried on to the constants once at the end.
//!
//! Typeset: book/src/theory/adjoint.md (AD.6). Cost: per product two multiplications and an addition forwards, four operations backwards
//! (`replay.rs`).

use crate::scalar::{Guard, Meaning, Notes, Operand, Operation, Tape, Traced};

/// f x.
#[derive(Clone, Copy, Debug)]
pub(super) struct Straight {
    pub factor: f64,
    pub slot: u32,
}

/// f x y.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    pub factor: f64,
    pub slots: [u32; 2],
}

/// How a number comes about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// A constant and terms, from and to.
    Sum { slot: u32, constant: f64, straight: [u32; 2], products: [u32; 2] },
    /// A function of one or two numbers.
    Of { slot: u32, function: Function, slots: [u32; 2] },
}

/// Functions that are no sums of products.
#[derive(Clone, Copy, Debug)]
pub(super) enum Function {
    Quotient,
    Sqrt,
    Sin,
    Cos,
    Tanh,
    Ln,
    Atan2,
    Power(f64),
}

/// A guard on a slot.
pub(super) struct Gate {
    pub slot: u32,
    pub guard: Guard,
}

/// A program: slots of what is held, its nodes; slots of inputs, nodes of the evaluation.
#[derive(Default)]
pub(super) struct Program {
    pub slots: usize,
    /// Slots that are held.
    pub held_slots: usize,
    /// Nodes that are held, and those of the evaluation behind them.
    pub held_nodes: usize,
    pub nodes: Vec<Node>,
    pub straight: Vec<Straight>,
    pub products: Vec<Product>,
    /// Constants of the model that are leaves.
    pub constants: Vec<(Meaning, u32)>,
    /// Numbers that never change, and constants, with their values.
    pub fixed: Vec<(u32, f64)>,
    /// What changes from evaluation to evaluation.
    pub inputs: Vec<(Meaning, u32)>,
    /// Results; none where a result is constant.
    pub outputs: Vec<Option<u32>>,
    pub gates: Vec<Gate>,
}

/// Terms of a sum by places of the recording.
#[derive(Default)]
struct Terms {
    constant: f64,
    straight: Vec<(f64, usize)>,
    products: Vec<(f64, [usize; 2])>,
}

/// What is known of a recording.
struct Recording<'a> {
    operations: &'a [Operation],
    /// Whether a place depends on constants of the model alone.
    held: Vec<bool>,
    /// How often a place is used; often where it must have a slot.
    uses: Vec<u32>,
}

const OFTEN: u32 = 1 << 20;

impl Program {
    /// The program of what `notes` and `tape` say, with results `outputs`.
    pub fn new(tape: &Tape, notes: &Notes, outputs: &[Traced]) -> Self {
        let recording = Recording::new(&tape.operations, notes, outputs);
        let sums = recording.sums(notes, outputs);
        let mut maker = Maker { slots: vec![u32::MAX; tape.operations.len()], ..Maker::default() };
        for held in [true, false] {
            maker.leaves(&recording, notes, &sums, held);
            for (place, sum) in sums.iter().enumerate() {
                if let (Some(sum), true) = (sum, recording.held[place] == held) {
                    maker.node(tape.operations[place], place, sum);
                }
            }
            if held {
                maker.program.held_nodes = maker.program.nodes.len();
                maker.program.held_slots = maker.program.slots;
            }
        }
        maker.finish(notes, outputs)
    }
}

impl<'a> Recording<'a> {
    fn new(operations: &'a [Operation], notes: &Notes, outputs: &[Traced]) -> Self {
        let count = operations.len();
        let (mut held, mut live, mut uses) = (vec![false; count], vec![false; count], vec![0; count]);
        for (at, &operation) in operations.iter().enumerate() {
            held[at] = match operation {
                Operation::Symbol(number) => is_constant(notes.symbols[number as usize].0),
                _ => operands(operation).into_iter().flatten().filter_map(place_of).all(|p| held[p]),
            };
        }
        let roots = outputs.iter().map(|x| x.operand()).chain(notes.guards.iter().map(|guard| guard.number));
        for place in roots.filter_map(place_of) {
            (live[place], uses[place]) = (true, OFTEN);
        }
        for at in (0..count).rev() {
            if live[at] {
                for place in operands(operations[at]).into_iter().flatten().filter_map(place_of) {
                    live[place] = true;
                    uses[place] += 1;
                }
            }
        }
        Self { operations, held, uses }
    }

    /// Whether the operation at `place` is a sum or a product.
    fn is_sum(&self, place: usize) -> bool {
        use Operation::{Add, Divide, Multiply, Negate, Subtract};
        match self.operations[place] {
            Add(..) | Subtract(..) | Multiply(..) | Negate(_) => true,
            Divide(_, below) => below.number().is_some(),
            _ => false,
        }
    }

    /// `place` without its signs and constant factors.
    fn stripped(&self, mut place: usize) -> (f64, usize) {
        let mut factor = 1.0;
        loop {
            let next = match self.operations[place] {
                Operation::Negate(a) => (-1.0, a),
                Operation::Multiply(a, b) => match (a.number(), b.number()) {
                    (Some(f), _) => (f, b),
                    (_, Some(f)) => (f, a),
                    _ => return (factor, place),
                },
                Operation::Divide(a, b) => match b.number() {
                    Some(f) => (1.0 / f, a),
                    None => return (factor, place),
                },
                _ => return (factor, place),
            };
            let Some(inner) = place_of(next.1) else { return (factor, place) };
            (factor, place) = (factor * next.0, inner);
        }
    }

    /// Terms of the sum at `root`.
    fn terms(&self, root: usize) -> Terms {
        let mut terms = Terms::default();
        let mut rest = vec![(Operand::Place(root as u32), 1.0)];
        while let Some((operand, factor)) = rest.pop() {
            let place = match (operand.number(), place_of(operand)) {
                (Some(value), _) => {
                    terms.constant += factor * value;
                    continue;
                }
                (_, Some(place)) => place,
                _ => continue,
            };
            let inside = place == root
                || (self.is_sum(place) && self.uses[place] == 1 && self.held[place] == self.held[root]);
            if !inside {
                let (f, place) = self.stripped(place);
                terms.straight.push((factor * f, place));
                continue;
            }
            match self.operations[place] {
                Operation::Add(a, b) => rest.extend([(b, factor), (a, factor)]),
                Operation::Subtract(a, b) => rest.extend([(b, -factor), (a, factor)]),
                Operation::Negate(a) => rest.push((a, -factor)),
                Operation::Divide(a, b) => rest.push((a, factor / b.number().unwrap_or(1.0))),
                Operation::Multiply(a, b) => match (a.number(), b.number()) {
                    (Some(f), _) => rest.push((b, factor * f)),
                    (_, Some(f)) => rest.push((a, factor * f)),
                    _ => {
                        let [(f, a), (g, b)] =
                            [a, b].map(|x| place_of(x).map_or((1.0, root), |place| self.stripped(place)));
                        terms.products.push((factor * f * g, [a, b]));
                    }
                },
                _ => {}
            }
        }
        terms
    }

    /// Terms of all places that need a slot; functions have none.
    fn sums(&self, notes: &Notes, outputs: &[Traced]) -> Vec<Option<Terms>> {
        let mut needed = vec![false; self.operations.len()];
        let roots = outputs.iter().map(|x| x.operand()).chain(notes.guards.iter().map(|guard| guard.number));
        roots.filter_map(place_of).for_each(|place| needed[place] = true);
        let mut list: Vec<Option<Terms>> = (0..needed.len()).map(|_| None).collect();
        for at in (0..needed.len()).rev() {
            if !needed[at] {
                continue;
            }
            let terms = if self.is_sum(at) { self.terms(at) } else { Terms::default() };
            terms.straight.iter().for_each(|&(_, place)| needed[place] = true);
            terms.products.iter().flat_map(|(_, places)| places).for_each(|&place| needed[place] = true);
            if !self.is_sum(at) {
                let below = operands(self.operations[at]);
                below.into_iter().flatten().filter_map(place_of).for_each(|place| needed[place] = true);
            }
            list[at] = Some(terms);
        }
        list
    }
}

/// A program in the making.
#[derive(Default)]
struct Maker {
    program: Program,
    slots: Vec<u32>,
}

impl Maker {
    fn slot(&mut self) -> u32 {
        self.program.slots += 1;
        (self.program.slots - 1) as u32
    }

    /// Slots of symbols, constants of the model or inputs; with the former, constants that functions use.
    fn leaves(&mut self, recording: &Recording<'_>, notes: &Notes, sums: &[Option<Terms>], held: bool) {
        for (place, &operation) in recording.operations.iter().enumerate() {
            let (Operation::Symbol(number), Some(_)) = (operation, &sums[place]) else { continue };
            let (meaning, value) = notes.symbols[number as usize];
            if is_constant(meaning) != held {
                continue;
            }
            let slot = self.slot();
            self.slots[place] = slot;
            if held {
                self.program.constants.push((meaning, slot));
                self.program.fixed.push((slot, value));
            } else {
                self.program.inputs.push((meaning, slot));
            }
        }
    }

    /// The slot of an operand of a function.
    fn operand(&mut self, operand: Operand) -> u32 {
        match place_of(operand) {
            Some(place) => self.slots[place],
            None => {
                let slot = self.slot();
                self.program.fixed.push((slot, operand.number().unwrap_or(0.0)));
                slot
            }
        }
    }

    fn node(&mut self, operation: Operation, place: usize, terms: &Terms) {
        use Function::{Atan2, Cos, Ln, Power, Quotient, Sin, Sqrt, Tanh};
        let function = match operation {
            Operation::Symbol(_) => return,
            Operation::Divide(_, b) if b.number().is_none() => Some(Quotient),
            Operation::Sqrt(_) => Some(Sqrt),
            Operation::Sin(_) => Some(Sin),
            Operation::Cos(_) => Some(Cos),
            Operation::Tanh(_) => Some(Tanh),
            Operation::Ln(_) => Some(Ln),
            Operation::Atan2(..) => Some(Atan2),
            Operation::Power(_, bits) => Some(Power(f64::from_bits(bits))),
            _ => None,
        };
        let node = if let Some(function) = function {
            let [a, b] = operands(operation).map(|x| x.map(|x| self.operand(x)));
            let a = a.unwrap_or(0);
            Node::Of { slot: self.slot(), function, slots: [a, b.unwrap_or(a)] }
        } else {
            let slot = self.slot();
            let (from, program) = (&self.slots, &mut self.program);
            let starts = [program.straight.len() as u32, program.products.len() as u32];
            let straight = terms.straight.iter();
            program.straight.extend(straight.map(|&(factor, x)| Straight { factor, slot: from[x] }));
            let products = terms.products.iter();
            program
                .products
                .extend(products.map(|&(factor, [a, b])| Product { factor, slots: [from[a], from[b]] }));
            let ends = [program.straight.len() as u32, program.products.len() as u32];
            let (straight, products) = ([starts[0], ends[0]], [starts[1], ends[1]]);
            Node::Sum { slot, constant: terms.constant, straight, products }
        };
        self.slots[place] = match node {
            Node::Sum { slot, .. } | Node::Of { slot, .. } => slot,
        };
        self.program.nodes.push(node);
    }

    fn finish(mut self, notes: &Notes, outputs: &[Traced]) -> Program {
        let slot = |operand: Operand| place_of(operand).map(|place| self.slots[place]);
        self.program.outputs = outputs.iter().map(|x| slot(x.operand())).collect();
        let gates = notes.guards.iter().filter_map(|&guard| Some(Gate { slot: slot(guard.number)?, guard }));
        self.program.gates = gates.collect();
        self.program
    }
}

fn is_constant(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Construction(_) | Meaning::Constant(_))
}

fn place_of(operand: Operand) -> Option<usize> {
    match operand {
        Operand::Place(place) => Some(place as usize),
        Operand::Number(_) => None,
    }
}

/// Operands of an operation.
fn operands(operation: Operation) -> [Option<Operand>; 2] {
    use Operation::{
        Add, Atan2, Cos, Divide, Ln, Multiply, Negate, Power, Sin, Sqrt, Subtract, Symbol, Tanh,
    };
    match operation {
        Symbol(_) => [None; 2],
        Add(a, b) | Subtract(a, b) | Multiply(a, b) | Divide(a, b) | Atan2(a, b) => [Some(a), Some(b)],
        Negate(a) | Sqrt(a) | Sin(a) | Cos(a) | Tanh(a) | Ln(a) | Power(a, _) => [Some(a), None],
    }
}
