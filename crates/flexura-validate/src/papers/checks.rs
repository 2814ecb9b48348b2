//! Checks of equations on small models, recursions and steps: each compares what a function gives with what it must give by another route.

use super::Finding;
use super::models::{apart, arm, evaluated, slider_text};
use crate::context::Fault;
use crate::run::model;
use flexura::algorithm::FlexibleRoute;
use flexura::algorithm::composite_body::{CompositeBody, composite_body, mass_matrix};
use flexura::algorithm::divide_and_conquer::{DivideAndConquer, Par, divide_and_conquer, joint_forces};
use flexura::algorithm::innovations::{Innovations, log_determinant, multiply, solve};
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::integrate::Integrator;
use flexura::model::description::{DampingChoice, InertiaLevel, MethodDescription};
use flexura::spatial::{dot6, shift_force, shift_motion};
use flexura::{Model, State, Workspace, evaluate};

pub(super) type Found = Result<Vec<Finding>, Fault>;

/// Rounding of a few hundred operations, times the condition of small mass matrices.
pub(super) const ROUNDING: f64 = 1e-10;

pub(super) fn one(what: &'static str, value: f64, limit: f64) -> Found {
    Ok(vec![Finding { what, value, limit }])
}

pub(super) fn finding(what: &'static str, value: f64, limit: f64) -> Finding {
    Finding { what, value, limit }
}

pub(super) fn shifts_are_adjoint() -> Found {
    let (l, f, v) = ([0.3, -1.2, 0.7], [1.0, 2.0, -3.0, 0.5, 0.1, 4.0], [0.2, -0.4, 0.6, 1.5, -2.0, 0.9]);
    let power = dot6(&f, &shift_motion(&l, &v));
    one(
        "power of φ(l) f along v against that of f along φ*(l) v",
        (dot6(&shift_force(&l, &f), &v) - power).abs(),
        1e-14,
    )
}

pub(super) fn inverse_dynamics_returns_the_loads() -> Found {
    let (model, state) = arm("gram")?;
    let work = evaluated(&model, &state)?;
    let mut inverse = InverseDynamics::new(&model);
    let (kin, found) = (&work.motion.kinematics, &work.accelerations.chidot);
    inverse_dynamics(&model, kin, &work.inertias, found, &work.load.wrench, Terms::All, &mut inverse);
    // Against the size of single terms: loads alone may be small beside them.
    let size = work.inertias.bias_modal.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    let worst = inverse
        .generalized
        .iter()
        .zip(&work.load.generalized)
        .fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    one("forces that the accelerations of forward dynamics need, less the loads", worst / size, ROUNDING)
}

/// M of composite bodies at a general state, and the evaluation it belongs to.
pub(super) fn mass(level: &str) -> Result<(Model, State, Workspace, Vec<f64>), Fault> {
    let (model, state) = arm(level)?;
    let mut work = evaluated(&model, &state)?;
    work.poses(&model, &state);
    let mut composite = CompositeBody::new(&model)?;
    mass_matrix(&model, &work.motion.kinematics, &work.inertias, &mut composite);
    Ok((model, state, work, composite.mass))
}

pub(super) fn articulated_bodies_solve_the_mass_matrix() -> Found {
    let (model, state) = arm("gram")?;
    let work = evaluated(&model, &state)?;
    let mut dense = CompositeBody::new(&model)?;
    composite_body(&model, &work.motion.kinematics, &work.inertias, &work.load, &mut dense)?;
    let value = apart(&work.accelerations.chidot, &dense.chidot);
    one("accelerations by articulated bodies against the dense mass matrix", value, ROUNDING)
}

pub(super) fn innovations_are_the_mass_matrix() -> Found {
    let (model, _, work, mass) = mass("gram")?;
    let n = model.speed_count();
    let x: Vec<f64> = (0..n).map(|i| 0.3 + (i as f64).sin()).collect();
    let (mut scratch, mut image, mut back) = (Innovations::new(&model), vec![0.0; n], vec![0.0; n]);
    let kin = &work.motion.kinematics;
    multiply(&model, kin, &work.articulated, &x, &mut scratch, &mut image)?;
    solve(&model, kin, &work.articulated, &image, &mut scratch, &mut back)?;
    let product: Vec<f64> = (0..n).map(|i| (0..n).map(|j| mass[i * n + j] * x[j]).sum()).collect();
    let mut factor = mass.clone();
    flexura::linear::cholesky_in_place(&mut factor, n).map_err(|_| Fault("singular".into()))?;
    // Factors hold reciprocal diagonals.
    let logarithm: f64 = (0..n).map(|i| -2.0 * factor[i * n + i].ln()).sum();
    let found = log_determinant(&model, &work.articulated)?;
    Ok(vec![
        Finding {
            what: "M x by its factors against the mass matrix",
            value: apart(&image, &product),
            limit: ROUNDING,
        },
        Finding { what: "M⁻¹ (M x) against x", value: apart(&back, &x), limit: 1e-9 },
        Finding {
            what: "log det M against that of Cholesky",
            value: apart(&[found], &[logarithm]),
            limit: ROUNDING,
        },
    ])
}

fn by_route(route: FlexibleRoute) -> Result<Vec<f64>, Fault> {
    let (model, state) = arm("ruthless")?;
    let mut work = Workspace::with_route(&model, route);
    evaluate(&model, &state, &mut work)?;
    Ok(work.accelerations.chidot)
}

pub(super) fn low_rank_is_the_direct_route() -> Found {
    let value = apart(&by_route(FlexibleRoute::LowRank)?, &by_route(FlexibleRoute::Direct)?);
    one("accelerations with and without a factor of D_f in every evaluation", value, ROUNDING)
}

pub(super) fn integrals_of_points_are_exact() -> Found {
    // Linear translations and points: Appendix B is then the sum over the nodes.
    let text = r#"
[model]
name = "points"
[[body]]
name = "rod"
level = "paper"
[body.beam]
length = 1.0
density = 1000
young = 1e9
shear = 4e8
section = { area = 1e-3, inertia_y = 1e-12, inertia_z = 1e-12, torsion = 2e-12 }
boundary = "clamped-free"
bending_y = 2
foreshortening = false
rotary_inertia = false
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground.origin", "rod.origin"]
[simulation]
end = 1.0
"#;
    let blocks = |level: InertiaLevel| -> Result<(Vec<f64>, Vec<f64>), Fault> {
        let mut description = model(text, "points.toml")?.description;
        description.bodies[0].level = Some(level);
        let body = &description.build()?.model.bodies[0];
        Ok(body.mass_and_bias(&[0.02, -0.01], &[0.5, 0.7], &[1.0, -2.0, 0.4]))
    };
    let ((mass, bias), (exact, exact_bias)) = (blocks(InertiaLevel::Paper)?, blocks(InertiaLevel::Full)?);
    Ok(vec![
        Finding {
            what: "mass block by modal integrals against sums over the nodes",
            value: apart(&mass, &exact),
            limit: 1e-9,
        },
        Finding {
            what: "bias by modal integrals against sums over the nodes",
            value: apart(&bias, &exact_bias),
            limit: 1e-9,
        },
    ])
}

fn divided(level: &str) -> Result<(Model, Workspace, DivideAndConquer), Fault> {
    let (model, state) = arm(level)?;
    let work = evaluated(&model, &state)?;
    let mut solver = DivideAndConquer::with_leaf(&model, 1);
    let kin = &work.motion.kinematics;
    divide_and_conquer(&model, kin, &work.inertias, &work.load, &mut solver, Par::Serial)?;
    Ok((model, work, solver))
}

fn divided_difference(level: &str) -> Result<f64, Fault> {
    let (_, work, solver) = divided(level)?;
    Ok(apart(&solver.chidot, &work.accelerations.chidot))
}

pub(super) fn divide_and_conquer_agrees_with_the_recursion() -> Found {
    one(
        "accelerations by divide and conquer, one body per leaf, against articulated bodies",
        divided_difference("gram")?,
        1e-9,
    )
}

pub(super) fn divided_ruthless_bodies_agree_with_the_recursion() -> Found {
    one("the same with modes factorised once", divided_difference("ruthless")?, 1e-9)
}

pub(super) fn divided_joint_forces_are_those_of_inverse_dynamics() -> Found {
    let (model, mut work, mut solver) = divided("gram")?;
    joint_forces(&model, &work.motion.kinematics, &work.inertias, &work.load, &mut solver);
    work.reactions(&model);
    let flat = |list: &[[f64; 6]]| list.iter().flatten().copied().collect::<Vec<f64>>();
    let value = apart(&flat(&solver.joint_force), &flat(&work.inverse.joint_force));
    one("joint forces of disassembly against inverse dynamics", value, 1e-9)
}

/// Coordinates after 20 ms of the spatial slider-crank.
fn arrival(method: &MethodDescription) -> Result<(Model, State), Fault> {
    let (text, name) = slider_text();
    let model = model(text, name)?.model;
    let (mut state, mut work) = (State::initial(&model, 0.0), Workspace::new(&model));
    let mut integrator = Integrator::new(&model, method);
    while state.time < 0.02 {
        integrator.step(&model, &mut state, &mut work, 0.02)?;
    }
    Ok((model, state))
}

/// |order − 2| of a method from steps of 2 and 1 ms against an error-controlled run.
fn order(method: fn(f64) -> MethodDescription) -> Result<f64, Fault> {
    order_of(method, |state| state.q)
}

fn order_of(method: fn(f64) -> MethodDescription, part: fn(State) -> Vec<f64>) -> Result<f64, Fault> {
    let exact = part(arrival(&crate::run::Route::Articulated(1e-12).method())?.1);
    let error = |step: f64| -> Result<f64, Fault> { Ok(apart(&part(arrival(&method(step))?.1), &exact)) };
    Ok(((error(2e-3)? / error(1e-3)?).log2() - 2.0).abs())
}

fn trapezoidal(step: f64) -> MethodDescription {
    MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 }
}

fn natural(step: f64) -> MethodDescription {
    MethodDescription::Global { step }
}

pub(super) fn topological_steps_are_of_second_order() -> Found {
    one("order of the trapezoidal rule in relative coordinates, less 2", order(trapezoidal)?, 0.2)
}

pub(super) fn natural_coordinates_are_of_second_order() -> Found {
    one("order of the trapezoidal rule in natural coordinates, less 2", order(natural)?, 0.2)
}

pub(super) fn natural_speeds_are_of_second_order() -> Found {
    one(
        "order of speeds in natural coordinates after projections, less 2",
        order_of(natural, |state| state.v)?,
        0.2,
    )
}

/// Largest rate of a row (m/s) after 20 ms of steps of 1 ms.
fn rate_of_rows(method: &MethodDescription) -> Result<f64, Fault> {
    let (model, state) = arrival(method)?;
    let mut work = Workspace::new(&model);
    flexura::constraint::prepare_at(&model, &state, &mut work)?;
    Ok(work.closure.largest_rate())
}

pub(super) fn relative_projections_fit_the_loops() -> Found {
    one(
        "largest rate of a row after steps in relative coordinates (m/s)",
        rate_of_rows(&trapezoidal(1e-3))?,
        1e-8,
    )
}

pub(super) fn natural_projections_fit_the_loops() -> Found {
    one("largest rate of a row after steps in natural coordinates (m/s)", rate_of_rows(&natural(1e-3))?, 1e-8)
}
