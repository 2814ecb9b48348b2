//! Floating-point operations beside those of JPL 90-26 section 8.
//!
//! A serial chain of revolute joints, both ends of every body deforming (free-free
//! modes), level `ruthless`, attachments `frozen`. The algorithms run on counting
//! numbers; divisions count as products, square roots and sign changes are free.
//!
//! What the paper counts. Its formulas cover (7.10) articulated inertias, (7.11)
//! inward and (7.12) outward sweep of a typical inner body. Its Table 1 grows from
//! body to body by these formulas plus (n² + 24n + 100) products and (n² + 20n + 59)
//! additions: one more step that the text does not list, of the size of the velocity
//! sweep with a_m, b_m and Kη. The matrices of (7.8) are computed beforehand.
//!
//! What we count. `sweeps` is `articulated_body`: the same three equations, with the
//! subtraction of applied forces. `velocity` is the kinematics pass: rotations,
//! velocities, a_m, b_m and Kη. Their sum is everything an evaluation does, and is
//! what must not exceed Table 1.

use flexura_samples::chains;

use chains::{flexible_chain, model, random_state};
use flexura::algorithm::composite_body::{CompositeBody, composite_inertias};
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::algorithm::{FlexibleRoute, composite_body, mass_matrix};
use flexura::model::description::InertiaLevel;
use flexura::scalar::{Counting, OperationCount};
use flexura::{Model, State, Workspace};

const BODIES: [u64; 3] = [3, 6, 9];
const MODES: [u64; 3] = [5, 10, 15];

/// Table 1 as (products, additions), rows N, columns n_m; 19959 is printed as 19591.
const TABLE_1: [[(u64, u64); 3]; 3] = [
    [(5223, 4195), (11432, 9677), (18587, 16287)],
    [(12591, 10075), (27611, 23315), (44846, 39225)],
    [(19959, 15955), (43790, 36953), (71105, 62163)],
];

fn sum(a: OperationCount, b: OperationCount) -> OperationCount {
    OperationCount { products: a.products + b.products, additions: a.additions + b.additions }
}

fn total(count: OperationCount) -> u64 {
    count.products + count.additions
}

fn text(count: OperationCount) -> String {
    format!("{:5}m + {:5}a", count.products, count.additions)
}

fn assert_at_most(what: &str, ours: OperationCount, paper: OperationCount) {
    let fits = ours.products <= paper.products && ours.additions <= paper.additions;
    assert!(fits, "{what}: {} exceeds the paper's {}", text(ours), text(paper));
}

/// A chain with its state and workspace in counting numbers.
struct Case {
    model: Model,
    state: State<Counting>,
    work: Workspace<Counting>,
}

impl Case {
    fn new(bodies: u64, modes: u64, route: FlexibleRoute) -> Self {
        let model = model(flexible_chain(bodies as usize, modes as usize, InertiaLevel::Ruthless));
        let state = State::lift(&random_state(&model, 7));
        let work = Workspace::with_route(&model, route);
        Self { model, state, work }
    }

    /// Velocity pass, and sweeps of the articulated-body algorithm.
    fn articulated(&mut self) -> (OperationCount, OperationCount) {
        let velocity = OperationCount::of(|| self.work.kinematics(&self.model, &self.state));
        let sweeps = OperationCount::of(|| {
            self.work.accelerations(&self.model).unwrap();
        });
        (velocity, sweeps)
    }
}

#[test]
fn articulated_body_is_at_or_below_table_1() {
    println!(
        " N n_m | paper Table 1   | direct sweeps   | low-rank sweeps | velocity        | automatic, all"
    );
    for (i, bodies) in BODIES.into_iter().enumerate() {
        for (j, modes) in MODES.into_iter().enumerate() {
            let (products, additions) = TABLE_1[i][j];
            let paper = OperationCount { products, additions };
            let count = |route| Case::new(bodies, modes, route).articulated();
            let (velocity, direct) = count(FlexibleRoute::Direct);
            let (_, low_rank) = count(FlexibleRoute::LowRank);
            let (_, chosen) = count(FlexibleRoute::Automatic);
            let all = sum(velocity, chosen);
            let columns = [paper, direct, low_rank, velocity, all].map(text).join(" | ");
            println!("{bodies:2} {modes:3} | {columns}");
            assert_at_most("the whole evaluation", all, paper);
            assert_at_most("the direct route", sum(velocity, direct), paper);
            assert_at_most("the low-rank route", sum(velocity, low_rank), paper);
            assert_eq!(total(chosen), total(direct).min(total(low_rank)), "the automatic choice");
        }
    }
}

/// The printed formulas of section 8.2 for one inner body: (7.10), (7.11) and (7.12).
fn printed_sweeps(n: u64) -> OperationCount {
    let inertias = if n <= 7 {
        (5 * n * n * n + 75 * n * n + 1528 * n + 1080, 5 * n * n * n + 63 * n * n + 1096 * n + 984)
    } else {
        (6 * (12 * n * n + 255 * n + 572), 6 * (13 * n * n + 182 * n + 445))
    };
    OperationCount {
        products: inertias.0 / 6 + n * n + 25 * n + 49 + 18 * n + 52,
        additions: inertias.1 / 6 + n * n + 24 * n + 50 + 19 * n + 42,
    }
}

/// The low-rank route is cheaper from 8 modes on, where the paper puts its change too.
#[test]
fn routes_cross_where_the_automatic_choice_changes() {
    println!("n_m | paper's formulas | direct          | low-rank        (sweeps per inner body)");
    let mut crossover = None;
    for modes in 1..=16 {
        let per_body = |route| {
            let [large, small] = [9, 6].map(|bodies| Case::new(bodies, modes, route).articulated().1);
            OperationCount {
                products: (large.products - small.products) / 3,
                additions: (large.additions - small.additions) / 3,
            }
        };
        let [direct, low_rank, chosen] =
            [FlexibleRoute::Direct, FlexibleRoute::LowRank, FlexibleRoute::Automatic].map(per_body);
        let columns = [printed_sweeps(modes), direct, low_rank].map(text).join(" | ");
        println!("{modes:3} | {columns}");
        assert_at_most("the sweeps of an inner body", chosen, printed_sweeps(modes));
        if crossover.is_none() && total(low_rank) < total(direct) {
            crossover = Some(modes);
        }
    }
    println!("low-rank needs fewer operations from {crossover:?} modes on");
    assert_eq!(crossover, Some(8));
}

/// Items 1, 2, 3 and 5 of section 8.1 for a chain of `bodies` bodies with `n` modes.
fn printed_composite(bodies: u64, n: u64) -> [OperationCount; 4] {
    let columns = bodies * (bodies + 1) / 2;
    let size = bodies * (n + 1);
    let cubic = size * size * size;
    [
        (bodies * (48 * n + 90), bodies * (2 * n * n + 97 * n + 232) / 2),
        (columns * (12 * n * n + 34 * n + 13), columns * (11 * n * n + 24 * n + 13)),
        (bodies * (2 * n * n + 54 * n + 206), bodies * (2 * n * n + 50 * n + 143)),
        ((cubic + 9 * size * size - 4 * size) / 6, (cubic + 6 * size * size - 7 * size) / 6),
    ]
    .map(|(products, additions)| OperationCount { products, additions })
}

/// Our counts of the same items.
fn counted_composite(bodies: u64, modes: u64) -> [OperationCount; 4] {
    let Case { model, state, mut work } = Case::new(bodies, modes, FlexibleRoute::Direct);
    let velocity = OperationCount::of(|| work.kinematics(&model, &state));
    let mut out = CompositeBody::new(&model).unwrap();
    let (kin, inertias) = (&work.motion.kinematics, &work.inertias);
    let composites = OperationCount::of(|| composite_inertias(&model, kin, inertias, &mut out));
    let matrix = OperationCount::of(|| mass_matrix(&model, kin, inertias, &mut out));
    let mut inverse = InverseDynamics::new(&model);
    let still = vec![Counting(0.0); model.speed_count()];
    let bias = OperationCount::of(|| {
        inverse_dynamics(&model, kin, inertias, &still, &work.load.wrench, Terms::All, &mut inverse);
    });
    let whole = OperationCount::of(|| composite_body(&model, kin, inertias, &work.load, &mut out).unwrap());
    let size = bodies * (modes + 1);
    [
        composites,
        difference(matrix, composites),
        sum(velocity, bias),
        // T − C is the paper's item 4: one addition per speed.
        difference(difference(whole, sum(matrix, bias)), OperationCount { products: 0, additions: size }),
    ]
}

fn difference(a: OperationCount, b: OperationCount) -> OperationCount {
    OperationCount { products: a.products - b.products, additions: a.additions - b.additions }
}

/// Item 3 includes the velocity pass on both sides.
///
/// Two items can exceed the paper's, by terms that vanish in the sum:
/// * R(k), with many modes: the paper has no n² products there, though Π*ΓΠ of a deforming
///   outboard point needs 3n² + 3n; it can only be in its item 2. Items 1 and 2 are
///   therefore compared as one.
/// * The solution: one reciprocal and one scaling per speed more, because the factor is
///   LLᵀ with reciprocal diagonal (shared with the other algorithms) and not LDLᵀ.
#[test]
fn composite_body_is_at_or_below_section_8_1() {
    let names = ["R(k)", "M without R(k)", "C", "solution"];
    for bodies in BODIES {
        for modes in MODES {
            let (paper, ours) = (printed_composite(bodies, modes), counted_composite(bodies, modes));
            for (name, (paper, ours)) in names.iter().zip(paper.iter().zip(&ours)) {
                println!(
                    "N {bodies}, n_m {modes:2}, {name:14}: paper {}, ours {}",
                    text(*paper),
                    text(*ours)
                );
            }
            assert_at_most("the mass matrix", sum(ours[0], ours[1]), sum(paper[0], paper[1]));
            assert_at_most("the bias", ours[2], paper[2]);
            let spare = OperationCount { products: 2 * bodies * (modes + 1), additions: 0 };
            assert_at_most("the solution", ours[3], sum(paper[3], spare));
            let [paper, ours] = [paper, ours].map(|items| items.into_iter().reduce(sum).unwrap());
            println!("N {bodies}, n_m {modes:2}, sum           : paper {}, ours {}", text(paper), text(ours));
            assert_at_most("forward dynamics by composite bodies", ours, paper);
        }
    }
}
