//! Checks of equations on small models: loops and the linear graph.

use super::Finding;
use super::checks::{Found, ROUNDING, one};
use super::models::{apart, arm, evaluated, four_bar, slider_crank};
use crate::context::Fault;
use crate::run::model;
use flexura::build::split_segments;
use flexura::formulation::graph::{Equations, joint_forces as cutset_forces};
use flexura::graph::{SystemGraph, circuit, cutset, cutset_chords, incidence};
use flexura::model::description::{BodyDescription, Description, JointDescription, TreeChoice};
use flexura::spatial::{add6, scale6};
use flexura::state::State;
use flexura_fem::{
    EigenOptions, MassModel, Material, Mesh, Reduction, ReductionKind, Section, Stiffening, Supports,
    Viscosity, assemble, generate, lowest_modes, modal_description, reduce,
};
use nalgebra::DMatrix;

pub(super) fn loops_hold_in_accelerations() -> Found {
    let (model, state) = slider_crank()?;
    let work = evaluated(&model, &state)?;
    let rows = Equations::generate(&model, &state);
    let (n, found) = (rows.speeds, &work.accelerations.chidot);
    let image: Vec<f64> =
        (0..rows.rows()).map(|r| (0..n).map(|i| rows.jacobian[r * n + i] * found[i]).sum()).collect();
    Ok(vec![
        Finding {
            what: "rows by recursion against partial velocities",
            value: apart(&work.closure.jacobian.dense(n), &rows.jacobian),
            limit: ROUNDING,
        },
        Finding {
            what: "Φ_q q̈ of the closed motion against Λ",
            value: apart(&image, &rows.right),
            limit: ROUNDING,
        },
    ])
}

pub(super) fn biases_are_derivatives_along_the_motion() -> Found {
    // Two routes to what accelerates at constant speeds: the recursion frame by frame, and dual numbers along the motion.
    let (model, state) = arm("gram")?;
    let work = evaluated(&model, &state)?;
    let solution = Equations::generate(&model, &state).solve(&model)?;
    let value = apart(&solution.accelerations, &work.accelerations.chidot);
    one("accelerations with biases by dual numbers against those composed frame by frame", value, ROUNDING)
}

pub(super) fn cutsets_and_circuits_are_orthogonal() -> Found {
    let description =
        model(include_str!("../../../../models/validation/flexnet_four_bar.toml"), "four_bar.toml")?
            .description;
    let description = split_segments(&description);
    let system = SystemGraph::new(&description);
    let tree = system.tree(&TreeChoice::Joint).map_err(|error| Fault(error.to_string()))?;
    let graph = &system.graph;
    let cuts = cutset(graph, &tree);
    let circuits = circuit(&cutset_chords(graph, &tree));
    let order: Vec<usize> = tree.branches.iter().chain(&tree.chords).copied().collect();
    let dense = |matrix: &flexura::graph::IntegerMatrix, i: usize| {
        let mut row = vec![0; matrix.columns()];
        matrix.row(i).for_each(|(column, value)| row[column] = value);
        row
    };
    let mut worst = 0;
    for i in 0..cuts.rows() {
        let cut = dense(&cuts, i);
        for j in 0..circuits.rows() {
            let sum: i32 = cut.iter().zip(&dense(&circuits, j)).map(|(a, b)| a * b).sum();
            worst = worst.max(sum.abs());
        }
    }
    // Incidence in the order of the trees: every circuit enters a vertex as often as it leaves it.
    let (ends, mut open) = (incidence(graph), 0);
    for i in 0..ends.rows() {
        let vertex = dense(&ends, i);
        for j in 0..circuits.rows() {
            let sum: i32 = circuits.row(j).map(|(column, value)| value * vertex[order[column]]).sum();
            open = open.max(sum.abs());
        }
    }
    Ok(vec![
        Finding {
            what: "largest entry of cutsets times circuits, four-bar",
            value: f64::from(worst),
            limit: 0.0,
        },
        Finding {
            what: "largest entry of incidence times circuits, four-bar",
            value: f64::from(open),
            limit: 0.0,
        },
    ])
}

pub(super) fn cutsets_give_the_reactions() -> Found {
    let (model, state) = slider_crank()?;
    let mut work = evaluated(&model, &state)?;
    let forces = cutset_forces(&model, &state, &work.accelerations.chidot, &work.closure.multipliers);
    work.reactions(&model);
    let flat = |list: &[[f64; 6]]| list.iter().flatten().copied().collect::<Vec<f64>>();
    let value = apart(&flat(&forces), &flat(&work.inverse.joint_force));
    one("reactions of tree joints from their cutsets against inverse dynamics", value, 1e-9)
}

pub(super) fn partial_velocities_add_up() -> Found {
    let (model, state) = arm("gram")?;
    let mut work = evaluated(&model, &state)?;
    work.poses(&model, &state);
    let frame = &model.frames[model.frame("fore.tip").ok_or_else(|| Fault("no frame".into()))?.0];
    let mut columns = vec![[0.0; 6]; model.speed_count()];
    work.motion.frame_jacobian(&model, &state, frame, &mut columns);
    let sum = columns.iter().zip(&state.v).fold([0.0; 6], |sum, (column, v)| add6(&sum, &scale6(*v, column)));
    let motion = work.motion.frame(&model, &state, frame);

    one("Σ partial velocities × speeds at a tip against its velocity", apart(&sum, &motion.velocity), 1e-12)
}

pub(super) fn the_graph_has_the_accelerations_of_the_recursion() -> Found {
    let (model, state) = four_bar()?;
    let work = evaluated(&model, &state)?;
    let solution = Equations::generate(&model, &state).solve(&model)?;
    let value = apart(&solution.accelerations, &work.accelerations.chidot);
    one("accelerations of the flexible four-bar by the graph against closed recursions", value, 1e-9)
}

/// A steel rod of 1 m and twelve millimetres that stretches, held at its start, in eight elements.
pub(super) fn rod(material: Material) -> Result<Mesh, Fault> {
    Ok(generate::beam(1.0, 8, material, Section::circle(0.006))?)
}

pub(super) fn steel() -> Material {
    Material::isotropic(2.1e11, 0.3, 7800.0)
}

pub(super) fn nodal_coordinates_are_those_of_the_mesh() -> Found {
    let mesh = rod(steel())?;
    let reduced = Reduction::new("root", ReductionKind::All).run(&mesh)?;
    let system = assemble(&mesh, &Supports::none().clamp(&[mesh.named("root")?]), MassModel::Consistent)?;
    let known = lowest_modes(system.pencil(), 6, &EigenOptions::default())?.frequencies();
    let body = modal_description(&mesh, &reduced, Stiffening::Beams)?;
    let description = Description::new("rod").body(BodyDescription::modal("rod", body)).joint(
        JointDescription::revolute("hinge", ["ground.origin", "rod.origin"], [0.0, 0.6, 0.8]).speed(&[3.0]),
    );
    let model = description.build()?.model;
    let mut state = State::initial(&model, 0.0);
    for (i, q) in state.q.iter_mut().enumerate() {
        *q += 1e-3 * (1.0 + i as f64).sin();
    }
    let work = evaluated(&model, &state)?;
    let solution = Equations::generate(&model, &state).solve(&model)?;
    Ok(vec![
        Finding {
            what: "six frequencies in 48 nodal coordinates against iteration on the mesh",
            value: apart(&reduced.report.frequencies[..6], &known),
            limit: 1e-8,
        },
        Finding {
            what: "their accelerations by the graph against the recursion",
            value: apart(&solution.accelerations, &work.accelerations.chidot),
            limit: 1e-9,
        },
    ])
}

pub(super) fn linear_mass_has_its_own_frequencies() -> Found {
    // A chain of linear bars of length l: ω = c/l √(6 (1 − cos kl)/(2 + cos kl)), k = (2j − 1) π/2L.
    let mesh = rod(steel())?;
    let along = [false, true, true, true, true, true];
    let held = Supports::none().hold(&(0..9).collect::<Vec<_>>(), along).clamp(&[0]);
    let system = assemble(&mesh, &held, MassModel::Linear)?;
    let found = lowest_modes(system.pencil(), 3, &EigenOptions::default())?.frequencies();
    let known = [1.0, 3.0, 5.0].map(|odd| {
        let phase: f64 = odd * std::f64::consts::FRAC_PI_2 / 8.0;
        let share = (6.0 * (1.0 - phase.cos()) / (2.0 + phase.cos())).sqrt();
        8.0 * (2.1e11_f64 / 7800.0).sqrt() * share / std::f64::consts::TAU
    });
    one("three frequencies of a bar against those of a chain of linear elements", apart(&found, &known), 1e-9)
}

pub(super) fn elements_have_the_stiffness_and_damping_of_theory() -> Found {
    // Twist of one radian per metre dissipates G' J per metre, G' = η/(2 (1 + ν')) the viscous modulus of shear.
    let mesh = rod(steel().with_viscosity(Viscosity::Isotropic { young: 3e6, poisson: -0.2 }))?;
    let mut twist = DMatrix::zeros(6 * mesh.nodes.len(), 1);
    mesh.nodes.iter().enumerate().for_each(|(node, place)| twist[(6 * node + 3, 0)] = place[0]);
    let damping = reduce::viscous(&mesh, &twist)?.ok_or_else(|| Fault("no viscosity".into()))?;
    let known = 3e6 / 1.6 * std::f64::consts::FRAC_PI_2 * 0.006_f64.powi(4);
    let mut found = panels_have_the_frequencies_of_theory()?;
    found.push(Finding {
        what: "dissipation of a twisting rod against its viscous modulus of shear",
        value: apart(&[damping[(0, 0)]], &[known]),
        limit: ROUNDING,
    });
    Ok(found)
}

fn panels_have_the_frequencies_of_theory() -> Found {
    // A square panel of 2 m and 3 mm of steel, one edge clamped: converged Ritz solution of Kirchhoff's plate.
    const KNOWN: [f64; 2] = [0.65057, 1.59439];
    let mesh = generate::plate([2.0, 2.0], [8, 8], 0.003, steel())?;
    let supports = Supports::none().clamp(mesh.set("x0")?);
    let system = assemble(&mesh, &supports, MassModel::Consistent)?;
    let found = lowest_modes(system.pencil(), KNOWN.len(), &EigenOptions::default())?;
    one(
        "lowest two frequencies of 128 shell triangles against Kirchhoff's plate",
        apart(&found.frequencies(), &KNOWN),
        0.02,
    )
}
