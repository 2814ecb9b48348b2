//! Checks of Lugrís et al.: natural and relative coordinates against recursions, dense products and meshes.

use super::checks::{Found, ROUNDING, finding};
use super::models::{apart, arm, evaluated, four_bar, pulled_arm, slider_crank, sprung_arm, unpulled_arm};
use super::operators::{Matrix, Vector};
use crate::context::Fault;
use flexura::algorithm::structured_tangent::TangentWeights;
use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions, InertiaRoute};
use flexura::formulation::graph::Equations;
use flexura::formulation::topological::{MassRoute, Topological, TopologicalOptions};
use flexura::motion::observe::inertial_acceleration;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace};

/// Accelerations of all body frames in natural coordinates, and by recursions.
fn accelerations(model: &Model, state: &State, inertia: InertiaRoute) -> Result<[Vec<f64>; 2], Fault> {
    let options = GlobalOptions { inertia, ..GlobalOptions::default() };
    let global = GlobalModel::at(model, &options, state).map_err(|error| Fault(error.to_string()))?;
    let found = GlobalIntegrator::new(model, &global).start(model, &global, state)?;
    let mut work = evaluated(model, state)?;
    work.poses(model, state);
    let (own, chidot) = (&work.accelerations.acceleration, &work.accelerations.chidot);
    let expected = (0..model.body_count()).flat_map(|k| {
        let whole = inertial_acceleration(model, &work.motion, own, chidot, k);
        [whole[3], whole[4], whole[5]]
    });
    let natural = (0..model.body_count()).flat_map(|k| global.body_acceleration(&found, k));
    Ok([natural.collect(), expected.collect()])
}

fn natural_error((model, state): (Model, State), inertia: InertiaRoute) -> Result<f64, Fault> {
    let [found, expected] = accelerations(&model, &state, inertia)?;
    Ok(apart(&found, &expected))
}

pub(super) fn natural_coordinates_close_the_loops() -> Found {
    Ok(vec![
        finding(
            "accelerations of the slider-crank in natural coordinates against closed recursions",
            natural_error(slider_crank()?, InertiaRoute::ByLevel)?,
            1e-9,
        ),
        finding("those of the flexible four-bar", natural_error(four_bar()?, InertiaRoute::ByLevel)?, 1e-8),
    ])
}

pub(super) fn nodal_inertia_moves_as_recursions_do() -> Found {
    Ok(vec![finding(
        "accelerations with BᵀMB over the nodes in every evaluation against level full on recursions",
        natural_error(arm("full")?, InertiaRoute::Nodal)?,
        ROUNDING,
    )])
}

pub(super) fn inertia_routes_move_as_recursions_do() -> Found {
    Ok(vec![
        finding(
            "accelerations with preprocessed sums against level consistent on recursions",
            natural_error(arm("consistent")?, InertiaRoute::Invariants)?,
            ROUNDING,
        ),
        finding(
            "those with carriers against level gram",
            natural_error(arm("gram")?, InertiaRoute::ByLevel)?,
            ROUNDING,
        ),
    ])
}

pub(super) fn natural_forces_are_those_of_bodies() -> Found {
    let (model, state) = arm("gram")?;
    let straight = {
        let mut state = state.clone();
        for part in &model.layout.bodies {
            state.q[part.modal_q()].fill(0.0);
        }
        state
    };
    let [bent, known] = accelerations(&model, &state, InertiaRoute::ByLevel)?;
    let [flat, known_flat] = accelerations(&model, &straight, InertiaRoute::ByLevel)?;
    let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
    Ok(vec![
        finding(
            "accelerations of an arm, inertia, elasticity and weight together, against recursions",
            apart(&bent, &known),
            ROUNDING,
        ),
        finding(
            "what bending adds to them (mostly −K y) against recursions",
            apart(&minus(&bent, &flat), &minus(&known, &known_flat)),
            ROUNDING,
        ),
    ])
}

pub(super) fn applied_forces_are_virtual_power() -> Found {
    let (model, state, force) = pulled_arm()?;
    let (free, _) = unpulled_arm()?;
    let [pulled, _] = accelerations(&model, &state, InertiaRoute::ByLevel)?;
    let [still, _] = accelerations(&free, &state, InertiaRoute::ByLevel)?;
    // M Δχ̇ = Bᵀ F with B of the tip, from the graph.
    let mut work = evaluated(&model, &state)?;
    work.poses(&model, &state);
    let frame = &model.frames[model.frame("fore.tip").ok_or_else(|| Fault("no frame".into()))?.0];
    let n = model.speed_count();
    let mut columns = vec![[0.0; 6]; n];
    work.motion.frame_jacobian(&model, &state, frame, &mut columns);
    let pull = Vector::from_fn(n, |i, _| (0..3).map(|a| columns[i][3 + a] * force[a]).sum());
    let mass = Matrix::from_row_slice(n, n, &Equations::generate(&free, &state).mass);
    let change = mass.cholesky().ok_or_else(|| Fault("singular".into()))?.solve(&pull);
    let mut known = Vec::new();
    for k in 0..model.body_count() {
        work.motion.body_jacobian(&model, k, &mut columns);
        known.extend((3..6).map(|a| (0..n).map(|i| columns[i][a] * change[i]).sum::<f64>()));
    }
    let found: Vec<f64> = pulled.iter().zip(&still).map(|(a, b)| a - b).collect();
    Ok(vec![finding(
        "what a pull at a tip adds to accelerations in natural coordinates against M⁻¹ Bᵀ F",
        apart(&found, &known),
        1e-9,
    )])
}

pub(super) fn accumulated_forces_and_masses_close_the_loops() -> Found {
    let mut list = Vec::new();
    for ((model, mut state), what, limit) in [
        (
            slider_crank()?,
            "accelerations of the slider-crank in relative coordinates against closed recursions",
            1e-9,
        ),
        (four_bar()?, "those of the flexible four-bar", 1e-8),
    ] {
        let known = evaluated(&model, &state)?.accelerations.chidot;
        let mut work = Workspace::new(&model);
        apply_prescribed(&model, &mut state, Some(&mut work.load));
        work.kinematics(&model, &state);
        work.loads(&model, &state);
        let mut found = work.load.acceleration.clone();
        Topological::new(&model, TopologicalOptions::default())
            .accelerate(&model, &state, &mut found, &mut work)?;
        list.push(finding(what, apart(&found, &known), limit));
    }
    Ok(list)
}

/// A formulation factorised at `state`.
fn factorised(
    model: &Model,
    state: &State,
    mass: MassRoute,
    weights: TangentWeights,
) -> Result<(Topological, Workspace), Fault> {
    let (mut work, mut state) = (Workspace::new(model), state.clone());
    apply_prescribed(model, &mut state, Some(&mut work.load));
    work.kinematics(model, &state);
    work.poses(model, &state);
    let options = TopologicalOptions { mass, penalty: 1.0, ..TopologicalOptions::default() };
    let mut formulation = Topological::new(model, options);
    formulation.evaluate_rows(model, &state, &work);
    formulation.factorize(model, &state, &work, weights)?;
    Ok((formulation, work))
}

const WEIGHTS: TangentWeights = TangentWeights { stiffness: 1e-6, damping: 1e-3 };

pub(super) fn multiplied_out_is_accumulated() -> Found {
    let (model, state) = arm("gram")?;
    let mut list = Vec::new();
    let factors = |route| -> Result<Vec<f64>, Fault> {
        Ok(factorised(&model, &state, route, WEIGHTS)?.0.factors().to_vec())
    };
    let value = apart(&factors(MassRoute::DirectProduct)?, &factors(MassRoute::Accumulated)?);
    list.push(finding(
        "factors with RᵀM̄R multiplied out against those with accumulated inertias",
        value,
        1e-11,
    ));
    // (24), (25): RᵀM̄R x from the product alone, against the mass matrix of the graph.
    let still = TangentWeights { stiffness: 0.0, damping: 0.0 };
    let (mut formulation, _) =
        factorised(&model, &state, MassRoute::DirectProduct, TangentWeights { stiffness: 1e-300, ..still })?;
    let n = model.speed_count();
    let x: Vec<f64> = (0..n).map(|i| 0.3 + (i as f64).sin()).collect();
    let mass = Equations::generate(&model, &state).mass;
    let image: Vec<f64> = (0..n).map(|i| (0..n).map(|j| mass[i * n + j] * x[j]).sum()).collect();
    list.push(finding(
        "(RᵀM̄R)⁻¹ M x with M of the linear graph against x",
        apart(&formulation.solved(&image), &x),
        1e-8,
    ));
    Ok(list)
}

pub(super) fn rows_of_loops_are_partial_velocities() -> Found {
    let mut list = Vec::new();
    for ((model, state), what) in [
        (slider_crank()?, "Φ_z by recursion against Φ_q q_z of the linear graph, slider-crank"),
        (four_bar()?, "the same, flexible four-bar"),
    ] {
        let (formulation, _) = factorised(&model, &state, MassRoute::Accumulated, WEIGHTS)?;
        let rows = Equations::generate(&model, &state);
        let n = rows.speeds;
        let (mut found, mut known) = (Vec::new(), Vec::new());
        formulation.for_jacobian(&model, |row, speed, value| {
            found.push(value);
            known.push(rows.jacobian[row * n + speed]);
        });
        list.push(finding(what, apart(&found, &known), 1e-11));
    }
    Ok(list)
}

/// A of (37) multiplied out over the free speeds, penalties as they are chosen: κ over what a row feels.
fn tangent(model: &Model, state: &State, extra: &Matrix) -> (Matrix, Vec<usize>) {
    let rows = Equations::generate(model, state);
    let n = rows.speeds;
    let free: Vec<usize> = (0..n).filter(|&i| !rows.prescribed[i]).collect();
    let mut whole = Matrix::from_row_slice(n, n, &rows.mass) + extra;
    for (part, body) in model.layout.bodies.iter().zip(&model.bodies) {
        for r in 0..part.modes {
            for s in 0..part.modes {
                let stiffness = WEIGHTS.stiffness * body.stiffness.entry(r, s, part.modes);
                whole[(part.v + r, part.v + s)] +=
                    stiffness + WEIGHTS.damping * body.damping.entry(r, s, part.modes);
            }
        }
    }
    let diagonal: Vec<f64> = (0..n).map(|i| whole[(i, i)]).collect();
    for r in 0..rows.rows() {
        let row = &rows.jacobian[r * n..(r + 1) * n];
        let mobility: f64 = free.iter().map(|&i| row[i] * row[i] / diagonal[i]).sum();
        if mobility > 0.0 {
            for i in 0..n {
                (0..n).for_each(|j| whole[(i, j)] += row[i] * row[j] / mobility);
            }
        }
    }
    (whole.select_rows(&free).select_columns(&free), free)
}

pub(super) fn tangents_are_multiplied_out() -> Found {
    let (model, state) = four_bar()?;
    let n = model.speed_count();
    let (mut formulation, _) = factorised(&model, &state, MassRoute::Accumulated, WEIGHTS)?;
    let (dense, free) = tangent(&model, &state, &Matrix::zeros(n, n));
    let right = Vector::from_fn(n, |i, _| 0.3 + (i as f64).sin());
    let found = formulation.solved(right.as_slice());
    let known = dense.lu().solve(&right.select_rows(&free)).ok_or_else(|| Fault("singular".into()))?;
    let found: Vec<f64> = free.iter().map(|&i| found[i]).collect();
    Ok(vec![finding(
        "A⁻¹x of the flexible four-bar against M + γ'h C + β'h²(K + JᵀαJ) multiplied out",
        apart(&found, known.as_slice()),
        1e-8,
    )])
}

pub(super) fn elements_are_in_the_tangent() -> Found {
    let (model, mut state) = sprung_arm()?;
    let n = model.speed_count();
    // At rest no force is in the spring, and none that turns with it in the tangent.
    state.v.fill(0.0);
    // C = −∂Q/∂ż by differences of the loads, which are linear in the speeds here; K = C k/d, for the spring is as long as it is.
    let loads = |speed: Option<usize>, by: f64| -> Vec<f64> {
        let (mut work, mut moved) = (Workspace::new(&model), state.clone());
        if let Some(i) = speed {
            moved.v[i] += by;
        }
        work.kinematics(&model, &moved);
        work.poses(&model, &moved);
        work.loads(&model, &moved);
        // Wrenches on bodies as generalised forces, by the linear graph: those without the element drop out of differences.
        let mut all = work.load.generalized.clone();
        let mut columns = vec![[0.0; 6]; n];
        for k in 0..model.body_count() {
            work.motion.body_jacobian(&model, k, &mut columns);
            let world = &work.motion.poses.rotation[k];
            let wrench = flexura::spatial::rotate6(world, &work.load.wrench[k]);
            all.iter_mut()
                .zip(&columns)
                .for_each(|(slot, column)| *slot += flexura::spatial::dot6(column, &wrench));
        }
        all
    };
    let mut damping = Matrix::zeros(n, n);
    for j in 0..n {
        let (up, down) = (loads(Some(j), 0.5), loads(Some(j), -0.5));
        (0..n).for_each(|i| damping[(i, j)] = down[i] - up[i]);
    }
    let modal = tangent(&model, &state, &Matrix::zeros(n, n)).0;
    let structural = Matrix::from_fn(n, n, |i, j| {
        let inside = model
            .layout
            .bodies
            .iter()
            .zip(&model.bodies)
            .find(|(part, _)| part.modal_v().contains(&i) && part.modal_v().contains(&j));
        inside.map_or(0.0, |(part, body)| body.damping.entry(i - part.v, j - part.v, part.modes))
    });
    let element = damping - structural;
    let (stiffness, viscosity) = super::models::SPRING;
    let dense = modal + element * (WEIGHTS.damping + WEIGHTS.stiffness * stiffness / viscosity);
    let (mut formulation, _) = factorised(&model, &state, MassRoute::Accumulated, WEIGHTS)?;
    let right = Vector::from_fn(n, |i, _| 0.3 + (i as f64).sin());
    let known = dense.lu().solve(&right).ok_or_else(|| Fault("singular".into()))?;
    Ok(vec![finding(
        "A⁻¹x with a spring and damper across the arm against differences of its forces",
        apart(&formulation.solved(right.as_slice()), known.as_slice()),
        1e-8,
    )])
}

pub(super) fn natural_tangents_contract() -> Found {
    let (model, state) = four_bar()?;
    let global = GlobalModel::at(&model, &GlobalOptions::default(), &state)
        .map_err(|error| Fault(error.to_string()))?;
    let mut integrator = GlobalIntegrator::new(&model, &global);
    let mut at = integrator.start(&model, &global, &state)?;
    let (mut iterations, mut factors, mut open) = (0, 0, 0.0_f64);
    for _ in 0..20 {
        let report = integrator.step(&model, &global, &mut at, 1e-4)?;
        (iterations, factors) = (iterations.max(report.iterations), factors.max(report.factorizations));
        open = open.max(report.violation[0]);
    }
    Ok(vec![
        finding("most iterations in 20 steps of 0.1 ms of the flexible four-bar", iterations as f64, 6.0),
        finding("most factorisations in one of them", factors as f64, 1.0),
        finding("largest |Φ| after them (m)", open, 1e-10),
    ])
}
