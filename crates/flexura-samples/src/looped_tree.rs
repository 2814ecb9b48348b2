//! One tree with many local loops: cells of a four-bar and a chain, each on the end of an earlier one.
//!
//! The start closes all loops exactly and is at rest, so that assembly has nothing to do. Bars point in random directions:
//! a straight chain of thousands would have a moment of inertia with the cube of its length.

use crate::chains::{Random, frame, joint};
use flexura::model::description::*;

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Where the rocker stands, from the tip of the bar that carries a cell; its tip from there.
const FOOT: [f64; 3] = [0.0, 0.9, 0.0];
const REACH: [f64; 3] = [1.1, -0.2, 0.0];
/// The same point on the coupler, whose origin lies at the tip of the crank.
const BACK: [f64; 3] = [0.1, 0.7, 0.0];

/// `cells` cells of `bodies` bodies (four or more) and one loop each, behind one another or, every tenth on the average, beside
/// others; plane four-bars with redundant rows and spatial ones with more freedom in turn.
pub fn looped_tree(cells: usize, bodies: usize, seed: u64) -> Description {
    let mut description = Description::new("looped tree").gravity([0.0, -9.81, 0.0]);
    let mut random = Random(seed);
    description.bodies.push(rod("root".into(), X));
    let axis = JointKindDescription::Revolute { axis: Z };
    description.joints.push(joint("base".into(), axis, "ground.origin".into(), "root.in".into()));
    for cell in 0..cells {
        let before = match (cell, random.below(10)) {
            (0, _) => "root".to_string(),
            (_, 0) => last(random.below(cell), bodies),
            _ => last(cell - 1, bodies),
        };
        add_cell(&mut description, cell, bodies, &before, &mut random);
    }
    description
}

/// The bar that carries what follows cell `cell`.
fn last(cell: usize, bodies: usize) -> String {
    format!("c{cell}b{}", bodies - 1)
}

/// A bar of 1 kg from its origin to `tip`, on whose tip a cell may stand.
fn rod(name: String, tip: [f64; 3]) -> BodyDescription {
    let square: f64 = tip.iter().map(|x| x * x).sum();
    let inertia = |i: usize, j: usize| {
        let round = if i == j { square / 12.0 + 0.01 } else { 0.0 };
        round - tip[i] * tip[j] / 12.0
    };
    let foot = std::array::from_fn(|i| tip[i] + FOOT[i]);
    BodyDescription {
        name,
        kind: BodyKind::Rigid(RigidDescription {
            mass: 1.0,
            center_of_mass: tip.map(|x| 0.5 * x),
            inertia: std::array::from_fn(|i| std::array::from_fn(|j| inertia(i, j))),
        }),
        frames: vec![
            frame("in", Place::Origin, [0.0; 3]),
            frame("out", Place::Origin, tip),
            frame("foot", Place::Origin, foot),
        ],
        level: None,
        attachments: None,
        carriers: None,
    }
}

/// A direction anywhere, of length about one.
fn somewhere(random: &mut Random) -> [f64; 3] {
    let point: [f64; 3] = std::array::from_fn(|_| random.signed());
    let length = point.iter().map(|x| x * x).sum::<f64>().sqrt().max(0.1);
    point.map(|x| x / length)
}

fn add_cell(description: &mut Description, cell: usize, bodies: usize, before: &str, random: &mut Random) {
    let name = |b: usize| format!("c{cell}b{b}");
    let mut coupler = rod(name(1), somewhere(random));
    coupler.frames.push(frame("back", Place::Origin, BACK));
    description.bodies.extend([rod(name(0), X), coupler, rod(name(2), REACH)]);
    description.bodies.extend((3..bodies).map(|b| rod(name(b), somewhere(random))));
    let revolute = |axis| JointKindDescription::Revolute { axis };
    let [elbow, closing] = match cell % 2 {
        0 => [revolute(Z), revolute(Z)],
        _ => [JointKindDescription::Spherical, JointKindDescription::Spherical],
    };
    let mut add = |word: &str, kind, from: String, to: String| {
        description.joints.push(joint(format!("{word}{cell}"), kind, from, to));
    };
    add("crank", revolute(Z), format!("{before}.out"), format!("{}.in", name(0)));
    add("elbow", elbow, format!("{}.out", name(0)), format!("{}.in", name(1)));
    add("rocker", revolute(Z), format!("{before}.foot"), format!("{}.in", name(2)));
    add("close", closing, format!("{}.out", name(2)), format!("{}.back", name(1)));
    for b in 3..bodies {
        let from = if b == 3 { name(1) } else { name(b - 1) };
        add(&format!("link{b}of"), revolute([Y, Z][b % 2]), format!("{from}.out"), format!("{}.in", name(b)));
    }
    description.graph.cut.push(format!("close{cell}"));
}
