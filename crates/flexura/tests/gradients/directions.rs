//! Derivatives over the initial state along directions, beside those of steps in dual numbers.

use crate::implicit::setup;
use crate::numbers;
use flexura::Model;
use flexura::State;
use flexura::analysis::{Cost, KeptRun};
use flexura::build::Built;
use flexura::motion::retract::retract;
use flexura::record::Source;
use flexura::scalar::Dual;

pub type Number = Dual<1>;

/// Over the initial state of `built`, along random directions, of a random combination of all coordinates and speeds at the end, which
/// `reach` finds from a start in dual numbers; to `limit` of the largest term. What it has cost.
pub fn agree(
    name: &str,
    built: &Built,
    (seeds, limit): (&[u64], f64),
    reach: impl Fn(&Model, State<Number>) -> State<Number>,
) -> Cost {
    let model = &built.model;
    let channels: Vec<_> = flexura::record::all_channels(model)
        .into_iter()
        .filter(|channel| matches!(channel.source, Source::Coordinate(_) | Source::Speed(_)))
        .collect();
    let names: Vec<&str> = channels.iter().map(|channel| channel.name.as_str()).collect();
    let mut run = KeptRun::new(built, &[], &setup(&names)).expect("run");
    let count = names.len();
    let mut weights = vec![0.0; run.rows().len()];
    let last = weights.len() - count;
    weights[last..].copy_from_slice(&numbers(count, 3));
    let found = run.pull_back(&weights).expect("gradient");
    let start = run.start().clone();
    let (n, z) = (start.v.len(), start.z.len());
    for &seed in seeds {
        let direction = numbers(2 * n + z, seed);
        let mut lifted = State::<Number>::lift(&start);
        let step_of: Vec<Number> = (0..n).map(|i| Number { re: 0.0, eps: [direction[i]] }).collect();
        retract(model, &State::<Number>::lift(&start).q, &step_of, &mut lifted.q);
        (0..n).for_each(|i| lifted.v[i].eps = [direction[n + i]]);
        (0..z).for_each(|i| lifted.z[i].eps = [direction[2 * n + i]]);
        let reached = reach(model, lifted);
        let (mut exact, mut size) = (0.0, 0.0_f64);
        for (channel, weight) in run.channels().iter().zip(&weights[last..]) {
            let slope = match channel.source {
                Source::Coordinate(i) => reached.q[i].eps[0],
                Source::Speed(i) => reached.v[i].eps[0],
                _ => 0.0,
            };
            exact += weight * slope;
            size = size.max((weight * slope).abs());
        }
        let pairs = found.position.iter().chain(&found.speed).chain(&found.controller).zip(&direction);
        let along: f64 = pairs.map(|(slope, d)| slope * d).sum();
        println!("{name}: {along:e} {exact:e}, {:.1e} of {size:.1e}", (along - exact).abs() / size);
        assert!((along - exact).abs() < limit * size, "{name}: {along} {exact} {size}");
    }
    println!("{name}: {}", run.cost());
    run.cost()
}
