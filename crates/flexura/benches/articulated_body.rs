//! Times of forward dynamics: `cargo bench -p flexura --bench articulated_body`.
//!
//! One thread, a new state in every call, medians over rounds. Times are printed
//! for people; no test depends on them. On a shared machine differences below a
//! factor of 1.5 mean nothing.

use flexura::algorithm::composite_body::CompositeBody;
use flexura::algorithm::{FlexibleRoute, composite_body};
use flexura::model::description::InertiaLevel;
use flexura::{Model, State, Workspace, evaluate};
use flexura_samples::chains::{flexible_chain, model, random_state, rigid_chain};
use std::time::Instant;

const ROUNDS: usize = 9;
const STATES: u64 = 8;
const SIZES: [usize; 6] = [4, 16, 64, 256, 1024, 4096];
/// Speeds handled per round: enough for the clock, short enough to be undisturbed.
const SPEEDS_PER_ROUND: usize = 20_000;

/// Median over rounds of the time of one call of `work` [ns].
fn median_time(model: &Model, mut work: impl FnMut(&State)) -> f64 {
    let states: Vec<State> = (0..STATES).map(|seed| random_state(model, seed)).collect();
    let calls = (SPEEDS_PER_ROUND / model.speed_count()).max(2);
    work(&states[0]);
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            states.iter().cycle().take(calls).for_each(&mut work);
            start.elapsed().as_secs_f64() * 1e9 / calls as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

/// One evaluation by articulated bodies [ns].
fn articulated_time(model: &Model, route: FlexibleRoute) -> f64 {
    let mut work = Workspace::<f64>::with_route(model, route);
    median_time(model, |state| evaluate(model, state, &mut work).expect("regular"))
}

/// One evaluation by composite bodies [ns].
fn composite_time(model: &Model) -> f64 {
    let mut work = Workspace::<f64>::new(model);
    let mut dense = CompositeBody::new(model).expect("small enough");
    median_time(model, |state| {
        work.kinematics(model, state);
        work.loads(model, state);
        composite_body(model, &work.motion.kinematics, &work.inertias, &work.load, &mut dense)
            .expect("regular");
    })
}

/// A chain without modes, or with modes at a level.
#[derive(Clone, Copy)]
struct Kind(usize, InertiaLevel);

impl Kind {
    fn chain(self, bodies: usize) -> Model {
        model(if self.0 == 0 { rigid_chain(bodies) } else { flexible_chain(bodies, self.0, self.1) })
    }

    fn name(self) -> String {
        if self.0 == 0 { "rigid".into() } else { format!("{:?} {} modes", self.1, self.0).to_lowercase() }
    }
}

fn kinds() -> Vec<Kind> {
    let mut kinds = vec![Kind(0, InertiaLevel::Full)];
    for level in [InertiaLevel::Ruthless, InertiaLevel::Consistent] {
        kinds.extend([5, 10, 15].map(|modes| Kind(modes, level)));
    }
    kinds
}

fn print_per_body() {
    println!("\nArticulated bodies: ns per body (kinematics, loads and accelerations)");
    let header: Vec<String> = SIZES.iter().map(|n| format!("{n:>7}")).collect();
    println!("{:22}{}", "N", header.join(""));
    for kind in kinds() {
        print!("{:22}", kind.name());
        for bodies in SIZES {
            let time = articulated_time(&kind.chain(bodies), FlexibleRoute::Automatic);
            print!("{:7.0}", time / bodies as f64);
        }
        println!();
    }
}

fn print_parts() {
    println!("\nParts of an evaluation at N = 64: ns per body");
    println!("{:22}{:>12}{:>8}{:>15}", "", "kinematics", "loads", "accelerations");
    for kind in kinds() {
        let model = kind.chain(64);
        let mut work = Workspace::<f64>::new(&model);
        let kinematics = median_time(&model, |state| work.kinematics(&model, state));
        let loads = median_time(&model, |state| work.loads(&model, state));
        // The kinematics of the last state stay; accelerations do not depend on it in cost.
        let accelerations = median_time(&model, |_| {
            work.accelerations(&model).expect("regular");
        });
        let [a, b, c] = [kinematics, loads, accelerations].map(|time| time / 64.0);
        println!("{:22}{a:12.0}{b:8.0}{c:15.0}", kind.name());
    }
}

/// Composite bodies cost less for few speeds; says up to where.
fn print_composite() {
    println!("\nComposite bodies (a) against articulated bodies (b): us per evaluation");
    let sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
    for kind in kinds() {
        let times = sizes.map(|bodies| {
            let model = kind.chain(bodies);
            (composite_time(&model) / 1e3, articulated_time(&model, FlexibleRoute::Automatic) / 1e3)
        });
        let columns: Vec<String> =
            sizes.iter().zip(times).map(|(n, (a, b))| format!("{n}: {a:.2}/{b:.2}")).collect();
        let last = times.iter().rposition(|(a, b)| a < b);
        let until = last.map_or("never".into(), |i| format!("up to N = {}", sizes[i]));
        println!("{:22}{}; composite is faster {until}", kind.name(), columns.join(", "));
    }
}

fn print_routes() {
    println!("\nDirect against low-rank elimination of constant modes, N = 64: ns per body");
    let mut crossover = None;
    for modes in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20] {
        let model = Kind(modes, InertiaLevel::Ruthless).chain(64);
        let [direct, low_rank] = [FlexibleRoute::Direct, FlexibleRoute::LowRank]
            .map(|route| articulated_time(&model, route) / 64.0);
        println!("{modes:3} modes: direct {direct:6.0}, low-rank {low_rank:6.0}");
        if low_rank >= direct {
            crossover = None;
        } else {
            crossover = crossover.or(Some(modes));
        }
    }
    println!("low-rank is faster from {crossover:?} modes on");
}

/// The rigid chain others have been timed on.
fn print_published_chain() {
    println!("\nRigid chain, forward dynamics: us per evaluation");
    for bodies in [4, 16, 64, 256] {
        let time = articulated_time(&model(rigid_chain(bodies)), FlexibleRoute::Automatic);
        println!("N {bodies:4}: {:8.2}", time / 1e3);
    }
    println!("published elsewhere, other machine (N = 4, 16, 64, 256):");
    println!("  Pinocchio 4.1 aba 1.13, 4.99, 20.6, 95; MuJoCo 4.0 mj_forward 1.17, 4.80, 33.4, 898;");
    println!("  Drake 1.51 10.7, 25.2, 84.7, 346; Simbody 3.7 13.4, 27.1, 96.7, 394");
}

fn main() {
    print_per_body();
    print_parts();
    print_routes();
    print_composite();
    print_published_chain();
}
