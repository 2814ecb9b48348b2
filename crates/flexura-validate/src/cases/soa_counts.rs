//! Operation counts of the recursive algorithms (JPL 90-26, section 8).

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::FlexibleRoute;
use flexura::model::description::InertiaLevel;
use flexura::scalar::{Counting, OperationCount};
use flexura::{State, Workspace};
use flexura_samples::chains::{flexible_chain, model, random_state};

/// The case.
pub const CASE: Case = Case {
    id: "soa-counts",
    title: "Operation counts of the articulated-body algorithm",
    source: "Jain & Rodriguez, JPL 90-26, section 8, Table 1",
    trust: Trust::T1,
    about: "A serial chain of N bodies with revolute joints and n free-free modes each, both ends deforming, the ruthlessly \
            linearised model. The algorithms run on numbers that count: products (m) and additions (a); divisions count \
            as products. A whole evaluation (velocities, a_m, b_m, Kη, and the three sweeps) must need no more than the \
            published table; the sweeps of one inner body no more than the formulas of section 8.2; forward dynamics by composite \
            bodies no more than those of section 8.1, and more than by articulated bodies. Table 1 prints 19591 m for N = 9, n = 5; its rows grow linearly, so that 19959 is meant.\n\n\
            The second way to D_f⁻¹ (low rank) must become the cheaper one at 8 modes, where the report changes over.",
    models: &[],
    cost: 2.0,
    run,
};

/// N, n, products, additions.
const TABLE: [(u64, u64, u64, u64); 9] = [
    (3, 5, 5223, 4195),
    (3, 10, 11432, 9677),
    (3, 15, 18587, 16287),
    (6, 5, 12591, 10075),
    (6, 10, 27611, 23315),
    (6, 15, 44846, 39225),
    (9, 5, 19959, 15955),
    (9, 10, 43790, 36953),
    (9, 15, 71105, 62163),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let mut drawn: Vec<(u64, f64, f64)> = Vec::new();
    for (bodies, modes, products, additions) in TABLE {
        let (velocity, sweeps) = counted(bodies, modes, FlexibleRoute::Automatic)?;
        for (kind, ours, paper) in [
            ("products", velocity.products + sweeps.products, products),
            ("additions", velocity.additions + sweeps.additions, additions),
        ] {
            let name = format!("{kind} of an evaluation over the published ones, N = {bodies}, n = {modes}");
            let why = format!("not more than published: {ours} against {paper}");
            context.judge(Quantity::new(name, "1", ours as f64 / paper as f64).no_more_than(1.0, why));
        }
        let ours = velocity.products + velocity.additions + sweeps.products + sweeps.additions;
        drawn.push((modes, ours as f64, (products + additions) as f64));
    }
    crossover(context)?;
    composite(context)?;
    let bodies = [3.0, 6.0, 9.0];
    let mut curves = Vec::new();
    for modes in [5, 10, 15] {
        let of = || drawn.iter().filter(|row| row.0 == modes);
        let [ours, paper] = [of().map(|row| row.1).collect::<Vec<_>>(), of().map(|row| row.2).collect()];
        curves.push(Curve::line(format!("n = {modes}"), &bodies, &ours));
        curves.push(Curve::points(format!("n = {modes}, published"), &bodies, &paper));
    }
    let panel = Panel::new("bodies", "products and additions", "", curves);
    context.draw(Figure::new("Operations of one evaluation, beside Table 1 of the report.", vec![panel]));
    Ok(())
}

/// Velocity pass, and sweeps of the articulated-body algorithm.
fn counted(
    bodies: u64,
    modes: u64,
    route: FlexibleRoute,
) -> Result<(OperationCount, OperationCount), Fault> {
    let model = model(flexible_chain(bodies as usize, modes as usize, InertiaLevel::Ruthless));
    let state: State<Counting> = State::lift(&random_state(&model, 7));
    let mut work: Workspace<Counting> = Workspace::with_route(&model, route);
    let velocity = OperationCount::of(|| work.kinematics(&model, &state));
    let mut found = Ok(());
    let sweeps = OperationCount::of(|| found = work.accelerations(&model).map(|_| ()));
    found?;
    Ok((velocity, sweeps))
}

/// Least number of modes at which the low-rank route needs fewer operations for an inner body.
fn crossover(context: &mut Context) -> Result<(), Fault> {
    let mut first = f64::NAN;
    let (mut n, mut lines) = (Vec::new(), [Vec::new(), Vec::new()]);
    for modes in 1..=16 {
        let per_body = |route| -> Result<f64, Fault> {
            let [large, small] = [counted(9, modes, route)?.1, counted(6, modes, route)?.1];
            let total = |count: OperationCount| (count.products + count.additions) as f64;
            Ok((total(large) - total(small)) / 3.0)
        };
        let (direct, low_rank) = (per_body(FlexibleRoute::Direct)?, per_body(FlexibleRoute::LowRank)?);
        if first.is_nan() && low_rank < direct {
            first = modes as f64;
        }
        if [5, 10, 15].contains(&modes) {
            let [products, additions] = printed_sweeps(modes);
            let printed = (products + additions) as f64;
            let name = format!("operations of the sweeps of one inner body over the printed ones, n = {modes}");
            let ours = direct.min(low_rank);
            let why = format!("formulas of section 8.2, (7.10) to (7.12): {ours} against {printed}");
            context.judge(Quantity::new(name, "1", ours / printed).no_more_than(1.0, why));
        }
        n.push(modes as f64);
        lines[0].push(direct);
        lines[1].push(low_rank);
    }
    let why = "the report uses the explicit inverse up to 7 modes";
    context.judge(Quantity::new("modes from which the low-rank route is cheaper", "1", first).exactly(8.0, why));
    let curves = vec![Curve::line("explicit", &n, &lines[0]), Curve::line("low rank", &n, &lines[1])];
    let panel = Panel::new("modes", "operations per inner body", "", curves);
    context.draw(Figure::new("The two ways to the inverse of D_f: sweeps of one inner body.", vec![panel]));
    Ok(())
}

/// Products and additions that section 8.2 prints for one inner body: (7.10), (7.11) and (7.12).
fn printed_sweeps(n: u64) -> [u64; 2] {
    let inertias = if n <= 7 {
        [5 * n * n * n + 75 * n * n + 1528 * n + 1080, 5 * n * n * n + 63 * n * n + 1096 * n + 984]
    } else {
        [6 * (12 * n * n + 255 * n + 572), 6 * (13 * n * n + 182 * n + 445)]
    };
    [inertias[0] / 6 + n * n + 43 * n + 101, inertias[1] / 6 + n * n + 43 * n + 92]
}

/// Products and additions that section 8.1 prints for a chain: R(k), the mass matrix, C, T − C and the solution.
fn printed_composite(bodies: u64, n: u64) -> [u64; 2] {
    let (columns, size) = (bodies * (bodies + 1) / 2, bodies * (n + 1));
    let cubic = size * size * size;
    let products = bodies * (48 * n + 90)
        + columns * (12 * n * n + 34 * n + 13)
        + bodies * (2 * n * n + 54 * n + 206)
        + (cubic + 9 * size * size - 4 * size) / 6;
    let additions = bodies * (2 * n * n + 97 * n + 232) / 2
        + columns * (11 * n * n + 24 * n + 13)
        + bodies * (2 * n * n + 50 * n + 143)
        + size
        + (cubic + 6 * size * size - 7 * size) / 6;
    [products, additions]
}

/// Judges forward dynamics by composite bodies against section 8.1, and articulated bodies against both: "the cheaper one even for few
/// flexible bodies and modes" (section 8.2).
fn composite(context: &mut Context) -> Result<(), Fault> {
    for (bodies, modes, ..) in TABLE {
        let model = model(flexible_chain(bodies as usize, modes as usize, InertiaLevel::Ruthless));
        let state: State<Counting> = State::lift(&random_state(&model, 7));
        let mut work: Workspace<Counting> = Workspace::with_route(&model, FlexibleRoute::Direct);
        let mut out = CompositeBody::new(&model)?;
        let mut found = Ok(());
        let ours = OperationCount::of(|| {
            work.kinematics(&model, &state);
            found = composite_body(&model, &work.motion.kinematics, &work.inertias, &work.load, &mut out).map(|_| ());
        });
        found?;
        let printed = printed_composite(bodies, modes);
        for (kind, ours, printed) in [("products", ours.products, printed[0]), ("additions", ours.additions, printed[1])] {
            let name = format!("{kind} by composite bodies over the printed ones, N = {bodies}, n = {modes}");
            let why = format!("formulas of section 8.1: {ours} against {printed}");
            context.judge(Quantity::new(name, "1", ours as f64 / printed as f64).no_more_than(1.0, why));
        }
        let (velocity, sweeps) = counted(bodies, modes, FlexibleRoute::Automatic)?;
        let articulated = velocity.products + velocity.additions + sweeps.products + sweeps.additions;
        let composite = ours.products + ours.additions;
        let name = format!("operations by articulated bodies over those by composite bodies, N = {bodies}, n = {modes}");
        let why = format!("section 8.2: articulated bodies are cheaper even for few bodies and modes: {articulated} against {composite}");
        context.judge(Quantity::new(name, "1", articulated as f64 / composite as f64).no_more_than(1.0, why));
    }
    Ok(())
}
