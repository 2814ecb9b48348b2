//! Checks of Richard: virtual work, Lagrange's equations by differences of energies, constraints.

use super::checks::{Found, ROUNDING, finding, mass};
use super::models::{apart, arm, evaluated, four_bar, hinged_arm, pulled_arm, slider_crank, unpulled_arm};
use crate::context::Fault;
use crate::run::model;
use flexura::algorithm::energy;
use flexura::formulation::graph::Equations;
use flexura::spatial::{dot, matrix_vector};
use flexura::{Model, State, Workspace};

pub(super) fn forces_do_virtual_work() -> Found {
    let (model, state, force) = pulled_arm()?;
    let (free, _) = unpulled_arm()?;
    let (with, without) = (Equations::generate(&model, &state), Equations::generate(&free, &state));
    let found: Vec<f64> = with.force.iter().zip(&without.force).map(|(a, b)| a - b).collect();
    // (13)-(16): δW = δr · F by differences of the place of the frame, for coordinates that are no quaternions.
    let frame = &model.frames[model.frame("fore.tip").ok_or_else(|| Fault("no frame".into()))?.0];
    let work_of = |state: &State| -> f64 {
        let mut work = Workspace::new(&model);
        work.motion.evaluate(&model, state);
        dot(&work.motion.frame(&model, state, frame).position, &force)
    };
    let potential = |state: &State| -> f64 {
        let mut work = Workspace::new(&free);
        work.kinematics(&free, state);
        work.poses(&free, state);
        energy(&free, state, &work.motion, &work.inertias).potential()
    };
    let still = State { v: vec![0.0; state.v.len()], ..state.clone() };
    let conservative = Equations::generate(&free, &still).force;
    let (mut values, mut known, mut held, mut slopes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (q, v) in plain(&model) {
        values.push(found[v]);
        known.push(slope(&state, q, work_of));
        held.push(conservative[v]);
        slopes.push(-slope(&state, q, potential));
    }
    Ok(vec![
        finding("what a pull at a tip adds to Q against r_qᵀ F by differences", apart(&values, &known), 1e-8),
        finding("Q at rest against −V_q of weight and strain by differences", apart(&held, &slopes), 1e-7),
    ])
}

/// Coordinates that are integrals of a speed: (place in q, place in v).
fn plain(model: &Model) -> Vec<(usize, usize)> {
    let mut list = Vec::new();
    for part in &model.layout.bodies {
        list.extend(part.modal_q().zip(part.modal_v()));
        if part.joint_v == 1 {
            list.extend(part.joint_q().zip(part.joint_v()));
        }
    }
    list
}

/// Slope of `value` along coordinate `q`, of fourth order.
fn slope(state: &State, q: usize, value: impl Fn(&State) -> f64) -> f64 {
    let step = 1e-3;
    let at = |t: f64| {
        let mut moved = state.clone();
        moved.q[q] += t * step;
        value(&moved)
    };
    (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * step)
}

pub(super) fn lagranges_equations_are_generated() -> Found {
    // Hinges and modes only: every speed is the rate of a coordinate.
    let (model, state) = hinged_arm()?;
    let n = model.speed_count();
    let pairs = plain(&model);
    let kinetic = |state: &State| -> f64 {
        let mut work = Workspace::new(&model);
        work.kinematics(&model, state);
        work.poses(&model, state);
        energy(&model, state, &work.motion, &work.inertias).kinetic
    };
    // p = ∂T/∂q̇ (30), exact by differences because T is quadratic in the speeds.
    let momentum = |state: &State, v: usize| -> f64 {
        let at = |t: f64| {
            let mut moved = state.clone();
            moved.v[v] += t;
            kinetic(&moved)
        };
        0.5 * (at(1.0) - at(-1.0))
    };
    let second: Vec<f64> = (0..n).map(|i| 2.0 - 0.7 * i as f64).collect();
    let moved = |t: f64| {
        let mut moved = state.clone();
        for &(q, v) in &pairs {
            moved.q[q] += t * state.v[v] + 0.5 * t * t * second[v];
            moved.v[v] += t * second[v];
        }
        moved
    };
    let step = 1e-3;
    let equations = Equations::generate(&model, &state);
    let still = State { v: vec![0.0; n], ..state.clone() };
    let rest = Equations::generate(&model, &still).force;
    let (mut found, mut known) = (Vec::new(), Vec::new());
    for &(q, v) in &pairs {
        let rate = (8.0 * (momentum(&moved(step), v) - momentum(&moved(-step), v))
            - (momentum(&moved(2.0 * step), v) - momentum(&moved(-2.0 * step), v)))
            / (12.0 * step);
        known.push(rate - slope(&state, q, kinetic));
        // Q at rest is −V_q; what speeds add to it, dampers apart, is −Q^K.
        let damping = damped(&model, &state, v);
        let inertial: f64 = (0..n).map(|j| equations.mass[v * n + j] * second[j]).sum();
        found.push(inertial + rest[v] - damping - equations.force[v]);
    }
    Ok(vec![finding(
        "M̂ q̈ + Q^K against d/dt ∂T/∂q̇ − ∂T/∂q by differences of the kinetic energy",
        apart(&found, &known),
        1e-7,
    )])
}

/// Force of modal dampers on speed `v`.
fn damped(model: &Model, state: &State, v: usize) -> f64 {
    let own = model.layout.bodies.iter().zip(&model.bodies).find(|(part, _)| part.modal_v().contains(&v));
    own.map_or(0.0, |(part, body)| {
        -(0..part.modes)
            .map(|s| body.damping.entry(v - part.v, s, part.modes) * state.v[part.v + s])
            .sum::<f64>()
    })
}

pub(super) fn terminal_equations_add_up() -> Found {
    let (model, state, _, known) = mass("gram")?;
    let equations = Equations::generate(&model, &state);
    let n = equations.speeds;
    let work = evaluated(&model, &state)?;
    let chidot = &work.accelerations.chidot;
    let rest: Vec<f64> =
        (0..n).map(|i| (0..n).map(|j| equations.mass[i * n + j] * chidot[j]).sum::<f64>()).collect();
    Ok(vec![
        finding("M̂ of the graph against composite bodies", apart(&equations.mass, &known), 1e-12),
        finding("M̂ q̈ of the recursion against Q", apart(&rest, &equations.force), ROUNDING),
    ])
}

pub(super) fn multipliers_are_reactions() -> Found {
    let (model, state) = four_bar()?;
    let equations = Equations::generate(&model, &state);
    let solution = equations.solve(&model)?;
    let (n, rows) = (equations.speeds, equations.rows());
    let reaction =
        |i: usize| (0..rows).map(|r| equations.jacobian[r * n + i] * solution.multipliers[r]).sum::<f64>();
    // (20), (44): M̂ q̈ − Q = Φ_qᵀ λ on every speed that is free.
    let free: Vec<usize> = (0..n).filter(|&i| !equations.prescribed[i]).collect();
    let (mut found, mut known) = (Vec::new(), Vec::new());
    for &i in &free {
        let inertial: f64 = (0..n).map(|j| equations.mass[i * n + j] * solution.accelerations[j]).sum();
        found.push(inertial - equations.force[i]);
        known.push(reaction(i));
    }
    // (19): rows times what the accelerations of two loads differ by, which is an admissible displacement.
    let mut other = equations.clone();
    free.iter().for_each(|&i| other.force[i] += 10.0 + i as f64);
    let pushed = other.solve(&model)?.accelerations;
    let difference: Vec<f64> = (0..n).map(|i| pushed[i] - solution.accelerations[i]).collect();
    let image = |r: usize| (0..n).map(|i| equations.jacobian[r * n + i] * difference[i]).sum::<f64>();
    let size = difference.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
    let power: f64 = (0..n).map(|i| difference[i] * reaction(i)).sum();
    let strength = known.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
    let mut work = evaluated(&model, &state)?;
    work.poses(&model, &state);
    let gap = work.closure.largest_residual();
    Ok(vec![
        finding("largest row of Φ(q, t) of the flexible four-bar (m, rad)", gap, 1e-8),
        finding(
            "Φ_q δq of an admissible displacement over its size",
            (0..rows).fold(0.0, |m: f64, r| m.max(image(r).abs())) / size,
            1e-9,
        ),
        finding("δqᵀ Φ_qᵀ λ of the same", power.abs() / (size * strength), 1e-9),
        finding("M̂ q̈ − Q against Φ_qᵀ λ", apart(&found, &known), 1e-8),
    ])
}

pub(super) fn joints_forbid_what_they_must() -> Found {
    // One body in absolute coordinates: every joint is a chord, its rows are E^k. Along z: what is free of (θ, r).
    let kinds: [(&str, [usize; 6]); 4] = [
        ("spherical", [1, 1, 1, 0, 0, 0]),
        ("revolute", [0, 0, 1, 0, 0, 0]),
        ("cylindrical", [0, 0, 1, 0, 0, 1]),
        ("prismatic", [0, 0, 0, 0, 0, 1]),
    ];
    let (mut wrong, mut moved) = (0, 0.0_f64);
    for (kind, free) in kinds {
        let axis = if kind == "spherical" { "" } else { "axis = [0, 0, 1]\n" };
        let text = format!(
            "[model]\nname = \"one\"\n[graph]\ntree = \"absolute\"\n[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 2, 3]\n[[joint]]\nname = \"joint\"\ntype = \"{kind}\"\nbetween = [\"ground.origin\", \"body.origin\"]\n{axis}[simulation]\nend = 1.0\n"
        );
        let model = model(&text, "one.toml")?.model;
        let state = State::initial(&model, 0.0);
        let equations = Equations::generate(&model, &state);
        let mut work = evaluated(&model, &state)?;
        work.poses(&model, &state);
        wrong += equations.rows().abs_diff(6 - free.iter().sum::<usize>());
        let mut columns = vec![[0.0; 6]; 6];
        work.motion.body_jacobian(&model, 0, &mut columns);
        // Speeds at which the body moves along one free direction: the columns are an orthonormal basis.
        for direction in (0..6).filter(|&d| free[d] == 1) {
            let rate =
                |r: usize| (0..6).map(|i| equations.jacobian[r * 6 + i] * columns[i][direction]).sum::<f64>();
            moved = (0..equations.rows()).fold(moved, |most, r| most.max(rate(r).abs()));
        }
        let square = nalgebra::DMatrix::from_row_slice(equations.rows(), 6, &equations.jacobian);
        wrong += equations.rows() - square.rank(1e-9);
    }
    Ok(vec![
        finding("rows of four joints that are missing, too many or dependent", wrong as f64, 0.0),
        finding("rates of their rows along what they leave free", moved, 1e-13),
    ])
}

pub(super) fn closures_have_the_multipliers_of_the_graph() -> Found {
    let mut list = Vec::new();
    for ((model, state), what) in [
        (slider_crank()?, "λ by (J M⁻¹ J*) λ = −Φ̈ on the recursions against the graph, slider-crank"),
        (four_bar()?, "the same, flexible four-bar"),
    ] {
        let work = evaluated(&model, &state)?;
        let known = Equations::generate(&model, &state).solve(&model)?.multipliers;
        list.push(finding(what, apart(&work.closure.multipliers, &known), 1e-9));
    }
    Ok(list)
}

pub(super) fn arms_carry_displacements() -> Found {
    // A rigid arm turns with its body and is swung by it: columns at its end against those at its root.
    let (model, state) = arm("gram")?;
    let mut work = evaluated(&model, &state)?;
    work.poses(&model, &state);
    let k = 2;
    let mut at_body = vec![[0.0; 6]; model.speed_count()];
    work.motion.body_jacobian(&model, k, &mut at_body);
    let mut frame =
        model.frames[model.frame("hand.origin").ok_or_else(|| Fault("no frame".into()))?.0].clone();
    frame.mount.position = [0.3, -0.2, 0.5];
    let mut at_end = vec![[0.0; 6]; model.speed_count()];
    work.motion.frame_jacobian(&model, &state, &frame, &mut at_end);
    let arm = matrix_vector(&work.motion.poses.rotation[k], &[0.3, -0.2, 0.5]);
    let known: Vec<f64> =
        at_body.iter().flat_map(|column| flexura::spatial::shift_motion(&arm, column)).collect();
    let found: Vec<f64> = at_end.iter().flatten().copied().collect();
    let mut list = super::graph_checks::partial_velocities_add_up()?;
    list.push(finding(
        "δθ and δθ × r of a rigid arm against partial velocities at its end",
        apart(&found, &known),
        1e-13,
    ));
    Ok(list)
}
