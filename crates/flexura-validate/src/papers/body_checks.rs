//! Checks of one flexible body: what a level of inertia and the motion of a point give against sums over the nodes as papers print them.

use super::checks::{Found, finding};
use super::models::apart;
use super::operators::{Matrix, Vector, shift};
use crate::context::Fault;
use flexura::Model;
use flexura::model::description::{
    AttachmentRule, BodyDescription, Description, InertiaLevel, JointDescription, ModalDescription,
    NodeDescription,
};
use flexura::spatial::{add, cross, matrix_vector, scale};

pub(super) const ETA: [f64; 2] = [0.06, -0.04];
pub(super) const RATE: [f64; 2] = [0.7, 0.5];
const SPIN: [f64; 3] = [1.1, -0.8, 0.6];

/// What nodes of the rod have.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Nodes {
    /// Mass, inertia, offsets, slopes.
    General,
    /// The same, with translations of second order.
    Curved,
    /// Mass alone.
    Points,
}

/// Three nodes in two modes; the first one is the root, which does not move.
pub(super) fn nodes(kind: Nodes) -> Vec<NodeDescription> {
    let rotary = if kind == Nodes::Points { 0.0 } else { 1.0 };
    let node =
        |name: &str, mass: f64, x: f64, translations: [[f64; 3]; 2], slopes: [[f64; 3]; 2]| NodeDescription {
            name: name.into(),
            mass,
            inertia: [[0.05, 0.004, 0.002], [0.004, 0.06, -0.003], [0.002, -0.003, 0.07]]
                .map(|row| row.map(|j| rotary * mass * j)),
            offset: [0.02, -0.03, 0.05].map(|p| rotary * p),
            position: [x, 0.1 * x, -0.2 * x],
            slopes: slopes.to_vec(),
            translations: translations.to_vec(),
            quadratic: Vec::new(),
        };
    let mut list = vec![
        node("root", 1.0, 0.0, [[0.0; 3]; 2], [[0.0; 3]; 2]),
        node("middle", 0.6, 0.5, [[0.02, 0.1, 0.34], [0.0, -0.3, 0.2]], [[0.1, -1.1, 0.2], [0.3, 0.4, -0.9]]),
        node("tip", 0.4, 1.0, [[-0.05, 0.2, 1.0], [0.1, 1.0, -0.3]], [[0.2, -1.4, 0.3], [-0.5, 0.6, 1.2]]),
    ];
    if kind == Nodes::Curved {
        list[1].quadratic = vec![[-0.3, 0.1, 0.0], [0.05, 0.0, 0.1], [0.05, 0.0, 0.1], [-0.4, 0.0, 0.2]];
        list[2].quadratic = vec![[-1.2, 0.0, 0.1], [0.2, 0.1, 0.0], [0.2, 0.1, 0.0], [-0.9, 0.2, 0.0]];
    }
    list
}

/// The rod at `level`, free in space, points by the papers' rule.
pub(super) fn rod(kind: Nodes, level: InertiaLevel) -> Result<Model, Fault> {
    let modal = ModalDescription {
        modes: 2,
        nodes: nodes(kind),
        stiffness: vec![80.0, 5.0, 5.0, 900.0],
        ..ModalDescription::default()
    };
    let mut body = BodyDescription::modal("rod", modal);
    (body.level, body.attachments) = (Some(level), Some(AttachmentRule::LambdaEtad));
    let body = body.node("tip", "tip");
    let joint = JointDescription::free("base", ["ground.origin", "rod.origin"]);
    Ok(Description::new("rod").body(body).joint(joint).build()?.model)
}

fn skew(v: &[f64; 3]) -> [[f64; 3]; 3] {
    [[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]]
}

/// M_m = Σ G* M_s G and b_m = Σ G*(M_s a + b) with G = [Π, φ*] (3.1)-(3.3), (3.23)-(3.25), (3.29)-(3.33), (3.39).
fn node_sums(
    list: &[NodeDescription],
    eta: &[f64; 2],
    rate: &[f64; 2],
    omega: &[f64; 3],
) -> (Matrix, Vector) {
    let (mut mass, mut bias) = (Matrix::zeros(8, 8), Vector::zeros(8));
    for node in list {
        let second = |r: usize, x: &[f64; 2]| {
            let row = |s: usize| node.quadratic.get(2 * r + s).copied().unwrap_or([0.0; 3]);
            add(&scale(x[0], &row(0)), &scale(x[1], &row(1)))
        };
        let column = |r: usize| add(&node.translations[r], &second(r, eta));
        let combine = |list: [[f64; 3]; 2], x: &[f64; 2]| add(&scale(x[0], &list[0]), &scale(x[1], &list[1]));
        let columns = [column(0), column(1)];
        let half = combine([second(0, eta), second(1, eta)], eta);
        let place = add(
            &node.position,
            &add(&combine([node.translations[0], node.translations[1]], eta), &scale(0.5, &half)),
        );
        let (turn, slide) = (combine([node.slopes[0], node.slopes[1]], rate), combine(columns, rate));
        let mut influence = Matrix::zeros(6, 8);
        for i in 0..3 {
            for r in 0..2 {
                influence[(i, r)] = node.slopes[r][i];
                influence[(3 + i, r)] = columns[r][i];
            }
        }
        influence.view_mut((0, 2), (6, 6)).copy_from(&shift(&place).transpose());
        let (m, p, s) = (node.mass, &node.offset, skew(&node.offset));
        let inertia = Matrix::from_fn(6, 6, |i, j| match (i / 3, j / 3) {
            (0, 0) => node.inertia[i][j],
            (0, _) => m * s[i][j - 3],
            (_, 0) => -m * s[i - 3][j],
            _ => {
                if i == j {
                    m
                } else {
                    0.0
                }
            }
        });
        let spin = add(omega, &turn);
        let momentum = matrix_vector(&node.inertia, &spin);
        let gyroscopic = (cross(&spin, &momentum), scale(m, &cross(&spin, &cross(&spin, p))));
        let convective = combine([second(0, rate), second(1, rate)], rate);
        let swing = cross(omega, &add(&cross(omega, &place), &scale(2.0, &slide)));
        let acceleration = (cross(omega, &turn), add(&swing, &convective));
        let join = |(a, b): ([f64; 3], [f64; 3])| Vector::from_iterator(6, a.into_iter().chain(b));
        let force = &inertia * join(acceleration) + join(gyroscopic);
        mass += influence.transpose() * &inertia * &influence;
        bias += influence.transpose() * force;
    }
    (mass, bias)
}

fn rows(matrix: &Matrix) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

pub(super) fn paper_levels_are_sums_over_the_nodes() -> Found {
    let body = &rod(Nodes::Curved, InertiaLevel::Paper)?.bodies[0];
    let (mass, bias) = body.mass_and_bias(&ETA, &RATE, &SPIN);
    let (known, known_bias) = node_sums(&nodes(Nodes::Curved), &ETA, &RATE, &SPIN);
    Ok(vec![
        finding("Σ G* M_s G over three nodes against the mass block", apart(&mass, &rows(&known)), 1e-13),
        finding("Σ G*(M_s a + b) against the bias", apart(&bias, known_bias.as_slice()), 1e-13),
    ])
}

/// Coefficients of a cubic in t from its values at −1, 0, 1, 2.
fn orders(value: impl Fn(f64) -> Vec<f64>) -> [Vec<f64>; 4] {
    let at = [-1.0, 0.0, 1.0, 2.0].map(value);
    let each = |i: usize| {
        let [a, b, c, d] = [at[0][i], at[1][i], at[2][i], at[3][i]];
        let even = 0.5 * (a + c) - b;
        let cube = (d - b - 4.0 * even - (c - a)) / 6.0;
        [b, 0.5 * (c - a) - cube, even, cube]
    };
    std::array::from_fn(|order| (0..at[0].len()).map(|i| each(i)[order]).collect())
}

/// Largest difference of an order over the largest entry of all orders.
fn orders_apart(found: &[Vec<f64>; 4], known: &[Vec<f64>; 4], rows: std::ops::Range<usize>) -> f64 {
    let size =
        known.iter().flat_map(|order| &order[rows.clone()]).fold(1e-300, |most: f64, x| most.max(x.abs()));
    let pairs = found.iter().zip(known).flat_map(|(a, b)| a[rows.clone()].iter().zip(&b[rows.clone()]));
    pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / size
}

fn scaled(t: f64) -> ([f64; 2], [f64; 2]) {
    (ETA.map(|x| t * x), RATE.map(|x| t * x))
}

pub(super) fn mass_by_integrals_is_the_sum_in_every_order() -> Found {
    let body = &rod(Nodes::General, InertiaLevel::Paper)?.bodies[0];
    let list = nodes(Nodes::General);
    let found = orders(|t| body.mass_and_bias(&scaled(t).0, &[0.0; 2], &[0.0; 3]).0);
    let known = orders(|t| rows(&node_sums(&list, &scaled(t).0, &[0.0; 2], &[0.0; 3]).0));
    let each = |order: usize| apart(&found[order], &known[order]);
    Ok(vec![
        finding("M_m⁰ (G, F0, E, J0, m p0) against sums over the nodes", each(0), 1e-13),
        finding("M_m¹ (F1, J1, p1) against the same", each(1), 1e-11),
        finding("M_m² (J2) against the same", each(2), 1e-9),
    ])
}

/// (B.50) and its parts: rows of one kind, order by order of the deformation.
fn bias_rows(rows: std::ops::Range<usize>) -> Result<f64, Fault> {
    let body = &rod(Nodes::General, InertiaLevel::Paper)?.bodies[0];
    let list = nodes(Nodes::General);
    let found = orders(|t| body.mass_and_bias(&scaled(t).0, &scaled(t).1, &SPIN).1);
    let known = orders(|t| node_sums(&list, &scaled(t).0, &scaled(t).1, &SPIN).1.as_slice().to_vec());
    Ok(orders_apart(&found, &known, rows))
}

pub(super) fn modal_bias_is_the_sum_in_every_order() -> Found {
    Ok(vec![finding("b_η of both modes, order by order, against Σ Π*(M_s a + b)", bias_rows(0..2)?, 1e-12)])
}

pub(super) fn angular_bias_is_the_sum_in_every_order() -> Found {
    Ok(vec![finding("b_ω, order by order, against Σ (M_s a + b) about the frame", bias_rows(2..5)?, 1e-12)])
}

pub(super) fn linear_bias_is_the_sum_in_every_order() -> Found {
    Ok(vec![finding("b_v, order by order, against Σ (M_s a + b)", bias_rows(5..8)?, 1e-12)])
}

pub(super) fn bias_is_the_sum_in_every_order() -> Found {
    Ok(vec![finding("b_m⁰ to b_m³, all rows, against sums over the nodes", bias_rows(0..8)?, 1e-12)])
}

pub(super) fn ruthless_blocks_are_those_without_deformation() -> Found {
    let body = &rod(Nodes::General, InertiaLevel::Ruthless)?.bodies[0];
    let (mass, bias) = body.mass_and_bias(&ETA, &RATE, &SPIN);
    let (known, known_bias) = node_sums(&nodes(Nodes::General), &[0.0; 2], &[0.0; 2], &SPIN);
    Ok(vec![
        finding(
            "mass block of a bent body against sums over the nodes of a straight one",
            apart(&mass, &rows(&known)),
            1e-13,
        ),
        finding(
            "bias of a bent, moving body against that of a straight one at rest",
            apart(&bias, known_bias.as_slice()),
            1e-13,
        ),
    ])
}

pub(super) fn inertia_of_points_is_kanes() -> Found {
    // (37), (38) with errata E1 and E2: Σ v_r · m a, by the acceleration of every point.
    let (alpha, rise, second) = ([0.4, -1.3, 0.7], [2.0, -0.5, 1.1], [3.0, -2.0]);
    let mut known = [0.0; 8];
    for node in nodes(Nodes::Points) {
        let combine =
            |x: &[f64; 2]| add(&scale(x[0], &node.translations[0]), &scale(x[1], &node.translations[1]));
        let (place, slide) = (add(&node.position, &combine(&ETA)), combine(&RATE));
        let swing = cross(&SPIN, &add(&cross(&SPIN, &place), &scale(2.0, &slide)));
        let force =
            scale(node.mass, &add(&add(&rise, &cross(&alpha, &place)), &add(&swing, &combine(&second))));
        for i in 0..3 {
            known[2 + i] += cross(&place, &force)[i];
            known[5 + i] += force[i];
        }
        (0..2).for_each(|r| known[r] += flexura::spatial::dot(&node.translations[r], &force));
    }
    let motion: Vec<f64> = second.into_iter().chain(alpha).chain(rise).collect();
    let mut list = Vec::new();
    for (level, what) in [
        (InertiaLevel::Gram, "Γ[α; a; q̈] + β of points, level gram, against Σ v_r · m a"),
        (InertiaLevel::Consistent, "the same, level consistent"),
        (InertiaLevel::Full, "the same, level full"),
    ] {
        let (mass, bias) = rod(Nodes::Points, level)?.bodies[0].mass_and_bias(&ETA, &RATE, &SPIN);
        let found: Vec<f64> =
            (0..8).map(|i| bias[i] + (0..8).map(|j| mass[8 * i + j] * motion[j]).sum::<f64>()).collect();
        list.push(finding(what, apart(&found, &known), 1e-12));
    }
    Ok(list)
}

/// Bias that belongs to a mass block M(η), by differences of it: Ṁ V − ½ ∂(V*MV)/∂η on modes, Ṁ V + ω × M V on the frame.
fn bias_of(mass: impl Fn(&[f64; 2]) -> Vec<f64>) -> Vec<f64> {
    let step = 1e-4;
    let speeds: Vec<f64> = RATE.into_iter().chain(SPIN).chain([0.0; 3]).collect();
    let times = |m: &[f64], i: usize| (0..8).map(|j| m[8 * i + j] * speeds[j]).sum::<f64>();
    let slopes: Vec<Vec<f64>> = (0..2)
        .map(|r| {
            let moved = |t: f64| mass(&std::array::from_fn(|s| ETA[s] + if s == r { t * step } else { 0.0 }));
            moved(1.0).iter().zip(moved(-1.0)).map(|(a, b)| (a - b) / (2.0 * step)).collect()
        })
        .collect();
    let change: Vec<f64> = (0..64).map(|at| RATE[0] * slopes[0][at] + RATE[1] * slopes[1][at]).collect();
    let here = mass(&ETA);
    let half = |a: usize| std::array::from_fn::<f64, 3, _>(|i| times(&here, a + i));
    let (spun, pushed) = (cross(&SPIN, &half(2)), cross(&SPIN, &half(5)));
    (0..8)
        .map(|i| {
            let own = match i {
                0 | 1 => -0.5 * (0..8).map(|j| speeds[j] * times(&slopes[i], j)).sum::<f64>(),
                2..5 => spun[i - 2],
                _ => pushed[i - 5],
            };
            times(&change, i) + own
        })
        .collect()
}

pub(super) fn biases_belong_to_their_mass() -> Found {
    let mut list = Vec::new();
    for (level, what) in [
        (InertiaLevel::Gram, "bias of level gram against derivatives of its mass block"),
        (InertiaLevel::Consistent, "the same, level consistent"),
        (InertiaLevel::Full, "the same, level full"),
    ] {
        let mut model = rod(Nodes::General, level)?;
        let body = model.bodies.remove(0);
        let (_, bias) = body.mass_and_bias(&ETA, &RATE, &SPIN);
        let known = bias_of(|eta| body.mass_and_bias(eta, &[0.0; 2], &[0.0; 3]).0);
        list.push(finding(what, apart(&bias, &known), 1e-6));
    }
    Ok(list)
}
