//! Times of one evaluation at levels `consistent`, `gram` and `full`: `cargo bench -p flexura --bench inertia_levels`.
//!
//! A cantilever on a hinge, hardly bent (level `consistent` fails otherwise): mass block and bias alone, and the whole evaluation of accelerations. One thread,
//! levels in turns, least time of rounds; all in one run. Times are printed for people.

use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::model::body::{InertiaModel, MassBlock};
use flexura::model::description::*;
use flexura::spatial::SymmetricSpatial;
use flexura::{Model, State, Workspace, evaluate};
use std::time::Instant;

const ROUNDS: usize = 15;
const LEVELS: [InertiaLevel; 3] = [InertiaLevel::Consistent, InertiaLevel::Gram, InertiaLevel::Full];

fn cantilever(counts: ModeCounts, rotary: bool, level: InertiaLevel) -> Model {
    let section = Section::Rectangle { width_y: 0.004, height_z: 0.04 };
    let mut beam =
        BeamDescription::new(1.0, 7850.0, 2.1e11, 8.1e10, section).modes(Boundary::ClampedFree, counts);
    beam.rotary_inertia = rotary;
    Description::new("cantilever")
        .body(BodyDescription::beam("beam", beam).level(level))
        .joint(JointDescription::revolute("hinge", ["ground.origin", "beam.origin"], [0.0, 0.0, 1.0]))
        .build()
        .expect("valid")
        .model
}

/// Least time over rounds of one call (ns).
fn least(calls: usize, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| work());
    start.elapsed().as_secs_f64() * 1e9 / calls as f64
}

/// Name, rotary inertia, and counts for a number of modes.
type Kind = (&'static str, bool, fn(usize) -> ModeCounts);

struct Case {
    model: Model,
    state: State,
    work: Workspace,
    best: [f64; 2],
}

impl Case {
    fn new(model: Model) -> Self {
        let mut state = State::initial(&model, 0.0);
        for (i, x) in state.q.iter_mut().enumerate() {
            *x = 1e-6 / (1.0 + i as f64);
        }
        for (i, x) in state.v.iter_mut().enumerate() {
            *x = 0.1 / (1.0 + i as f64);
        }
        let work = Workspace::new(&model);
        Self { model, state, work, best: [f64::INFINITY; 2] }
    }

    fn round(&mut self) {
        let Self { model, state, work, best } = self;
        let (body, part) = (&model.bodies[0], &model.layout.bodies[0]);
        let n = body.modes;
        let calls = 400_000 / (n * n + 40);
        let (mut rigid, mut bias_rigid) = (SymmetricSpatial::ZERO, [0.0; 6]);
        let (mut coupling, mut modal, mut bias_modal) = (vec![[0.0; 6]; n], vec![0.0; n * n], vec![0.0; n]);
        let mut scratch = vec![0.0; body.scratch()];
        let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
        let block = least(calls, || {
            let mut block = MassBlock {
                rigid: &mut rigid,
                coupling: &mut coupling,
                modal: &mut modal,
                bias_modal: &mut bias_modal,
                bias_rigid: &mut bias_rigid,
                scratch: &mut scratch,
            };
            body.evaluate(std::hint::black_box(eta), rate, &[0.1, 0.2, 0.3], &mut block);
            std::hint::black_box(block.modal[0]);
        });
        let whole = least(calls, || evaluate(model, state, work).expect("regular"));
        best[0] = best[0].min(block);
        best[1] = best[1].min(whole);
    }
}

fn main() {
    println!("ns per evaluation: mass block and bias | accelerations; ratios against level consistent");
    let kinds: [Kind; 4] = [
        ("one plane, points", false, |n| ModeCounts { bending_y: n, ..ModeCounts::default() }),
        ("one plane, sections", true, |n| ModeCounts { bending_y: n, ..ModeCounts::default() }),
        ("two planes", true, |n| ModeCounts {
            bending_y: n.div_ceil(2),
            bending_z: n / 2,
            ..ModeCounts::default()
        }),
        ("two planes, twist, stretch", true, |n| ModeCounts {
            bending_y: n.div_ceil(4),
            bending_z: (n + 2) / 4,
            torsion: (n + 1) / 4,
            axial: n / 4,
        }),
    ];
    for (name, rotary, counts) in kinds {
        println!("\n{name}");
        for n in [3, 5, 10, 20, 30] {
            let mut cases = LEVELS.map(|level| Case::new(cantilever(counts(n), rotary, level)));
            for _ in 0..ROUNDS {
                cases.iter_mut().for_each(Case::round);
            }
            let rows = match &cases[1].model.bodies[0].inertia {
                InertiaModel::Gram(gram) => (gram.carriers(), gram.modal_carriers(), gram.curved_rows()),
                _ => (0, 0, 0),
            };
            let [consistent, gram, full] = [0, 1, 2].map(|i| cases[i].best);
            println!(
                "{n:>3} modes, {} + {} carriers, {:>2} curved rows: consistent {:>7.0} | {:>7.0}   gram {:>7.0} | {:>7.0} \
                 ({:.2} | {:.2})   full {:>8.0} | {:>8.0}",
                rows.0,
                rows.1,
                rows.2,
                consistent[0],
                consistent[1],
                gram[0],
                gram[1],
                gram[0] / consistent[0],
                gram[1] / consistent[1],
                full[0],
                full[1]
            );
        }
    }
}
