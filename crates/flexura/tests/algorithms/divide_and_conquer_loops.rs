//! Kinematic loops inside divide and conquer: random mechanisms, redundant rows included, against a dense
//! solution of [M Jᵀ; J 0]; chains of four-bars against their analytic acceleration; chains anchored at both
//! ends and at several points against closure on articulated bodies; the same bits for any number of threads.

use crate::common::dense_closure::dense_solution;
use crate::common::four_bars::{four_bar_chain, four_bars, implicit};
use crate::common::mechanisms::{bricard, slider_crank, squeezer};
use crate::common::random_mechanism::Mechanism;
use crate::common::random_model::sweep;
use crate::common::relative_error;
use flexura::algorithm::divide_and_conquer::*;
use flexura::model::description::*;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, build, evaluate};
use flexura_samples::chains;

/// Workspace with kinematics, poses and loads at `state`, loops open.
fn opened(model: &Model, state: &mut State) -> Workspace {
    let mut work = Workspace::new(model);
    apply_prescribed(model, state, Some(&mut work.load));
    work.kinematics(model, state);
    work.loads(model, state);
    work
}

/// Solution of divide and conquer with leaves of `leaf` bodies, and its workspace.
fn divided(
    model: &Model,
    state: &State,
    open: &Workspace,
    leaf: usize,
    par: Par<'_>,
) -> (DivideAndConquer, Workspace) {
    let mut out = DivideAndConquer::with_leaf(model, leaf);
    let mut work = open.clone();
    close_loops(model, state, &mut work.loop_parts(), &mut out, par).expect("regular");
    (out, work)
}

/// Accelerations, constraint forces, determined multipliers, driving forces, rank, joint forces.
fn against_dense(seed: u64, leaf: usize, mechanism: &Mechanism, totals: &mut [usize; 4]) -> f64 {
    let built = build(mechanism.describe(seed)).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let model = &built.model;
    let mut state = State::initial(model, built.description.simulation.start);
    let mut work = opened(model, &mut state);
    let (mut out, mut solved) = divided(model, &state, &work, leaf, Par::Serial);
    work.accelerations(model).expect("regular");
    let open = work.accelerations.chidot.clone();
    let mut closed = work.clone();
    evaluate(model, &state, &mut closed).expect("regular");
    work.closure = closed.closure.clone();
    let dense = dense_solution(model, &work, &open, &closed.closure.acceleration);
    let (rows, speeds) = (model.constraint_count(), model.speed_count());
    assert_eq!(rows - out.dependent_rows().len(), dense.rank, "seed {seed}: rank");
    let force = |s: usize| -> f64 {
        let parts = solved.closure.multipliers.iter().enumerate();
        let sum: f64 = parts.map(|(r, x)| x * closed.closure.jacobian.entry(r, s)).sum();
        if model.prescribed[s] { 0.0 } else { sum }
    };
    let forces: Vec<f64> = (0..speeds).map(force).collect();
    let pick = |values: &[f64]| -> Vec<f64> {
        values.iter().zip(&dense.determined).filter(|(_, known)| **known).map(|(x, _)| *x).collect()
    };
    let expected = pick(&dense.multipliers);
    let found = pick(&solved.closure.multipliers);
    joint_forces(model, &solved.motion.kinematics, &solved.inertias, &solved.load, &mut out);
    solved.accelerations.chidot.copy_from_slice(&out.chidot);
    solved.reactions(model);
    let flat = |list: &[[f64; 6]]| list.iter().flatten().copied().collect::<Vec<f64>>();
    totals[0] += out.tree().assembly_count();
    totals[1] += model.body_count();
    totals[2] += usize::from(dense.rank < rows);
    totals[3] += expected.len();
    let scale = dense.force.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    // Forces in prescribed speeds hang on the shares of redundant rows: where there are such rows, drivers and
    // loops have no unique forces.
    let unique = dense.determined.iter().all(|known| *known);
    let driving =
        if unique { relative_error(&out.driving, &closed.accelerations.driving, scale) } else { 0.0 };
    [
        relative_error(&out.chidot, &dense.chidot, 1.0),
        relative_error(&forces, &dense.force, 1.0),
        relative_error(&found, &expected, 1.0),
        driving,
        relative_error(&flat(&out.joint_force), &flat(&solved.inverse.joint_force), scale),
    ]
    .into_iter()
    .fold(0.0, f64::max)
}

#[test]
fn random_loops_agree_with_a_dense_solution() {
    for (leaf, offset) in [(1, 0), (3, 200), (LEAF_BODIES, 400)] {
        let mut totals = [0; 4];
        let mechanism = Mechanism::everything();
        sweep(&format!("leaf {leaf:2}: loops"), 100, 1e-9, |seed| {
            against_dense(seed + offset, leaf, &mechanism, &mut totals)
        });
        let [assemblies, bodies, redundant, determined] = totals;
        println!(
            "  {assemblies} assemblies for {bodies} bodies; {redundant} mechanisms with redundant rows, \
             {determined} determined multipliers"
        );
        assert!(redundant > 20 && determined > 150, "the sweep must cover both");
    }
}

/// All bars turn alike: ((N+1)/3 + N) θ̈ = ((N+1)/2 + N) g sin θ, whatever the number of loops; three of the
/// five rows of every loop are redundant.
#[test]
fn chains_of_four_bars() {
    for loops in [1, 2, 3, 10, 50, 200] {
        let model = build(four_bar_chain(loops)).expect("sound").model;
        let mut state = State::initial(&model, 0.0);
        // A position off the vertical that closes every loop: verticals at θ, horizontals stay level.
        for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
            let turn = if joint.name.starts_with("ground") { -0.4 } else { 0.4 };
            state.q[part.q] += turn;
        }
        let work = opened(&model, &mut state);
        for leaf in [1, LOOP_LEAF_BODIES] {
            let (out, solved) = divided(&model, &state, &work, leaf, Par::Serial);
            let n = loops as f64;
            let expected = ((n + 1.0) / 2.0 + n) * 9.81 * 0.4_f64.sin() / ((n + 1.0) / 3.0 + n);
            let error = model.joints.iter().zip(&model.layout.bodies).map(|(joint, part)| {
                let sign = if joint.name.starts_with("ground") { -1.0 } else { 1.0 };
                (out.chidot[part.v] - sign * expected).abs() / expected
            });
            let error = error.fold(0.0, f64::max);
            println!(
                "{loops:3} four-bars, leaf {leaf}: error {error:.1e}, residual {:.0e}, {} of {} rows redundant, {} assemblies, depth {}",
                solved.closure.largest_residual(),
                out.dependent_rows().len(),
                model.constraint_count(),
                out.tree().assembly_count(),
                out.tree().depth(),
            );
            assert!(error < 1e-9);
            assert_eq!(out.dependent_rows().len(), 3 * loops);
        }
    }
}

/// A chain of `count` bars with bodies `anchored` held by loop joints of kind `kind` where they start.
fn anchored(count: usize, held: &[usize], kind: JointKindDescription) -> Model {
    anchored_with(count, held, kind, |_| ())
}

/// The same with bodies changed by `change`.
fn anchored_with(
    count: usize,
    anchored: &[usize],
    kind: JointKindDescription,
    change: impl FnOnce(&mut Description),
) -> Model {
    let mut description = chains::rigid_chain(count);
    change(&mut description);
    let start = build(description.clone()).expect("sound").model;
    for &body in anchored {
        let motion = crate::common::random_mechanism::motion_of(&start, 0.0, &format!("b{body}.out"));
        let mut held = chains::frame(&format!("held{body}"), Place::Origin, motion.position);
        held.rotation = RotationDescription::Matrix(motion.rotation);
        description.ground_frames.push(held);
        let name = format!("c{body}");
        description.graph.cut.push(name.clone());
        description.joints.push(chains::joint(
            name,
            kind,
            format!("ground.held{body}"),
            format!("b{body}.out"),
        ));
    }
    build(description).expect("sound").model
}

/// Anchored at both ends, and at several points, against closure on articulated bodies.
#[test]
fn several_anchors() {
    for (count, held) in [(3, vec![2]), (20, vec![19]), (300, vec![299]), (60, vec![14, 29, 44, 59])] {
        for kind in
            [JointKindDescription::Spherical, JointKindDescription::Revolute { axis: [0.0, 0.0, 1.0] }]
        {
            let model = anchored(count, &held, kind);
            let mut state = State::initial(&model, 0.0);
            let work = opened(&model, &mut state);
            let mut closed = work.clone();
            evaluate(&model, &state, &mut closed).expect("regular");
            for leaf in [1, LEAF_BODIES] {
                let (out, solved) = divided(&model, &state, &work, leaf, Par::Serial);
                let motion = relative_error(&out.chidot, &closed.accelerations.chidot, 1.0);
                let rows = relative_error(&solved.closure.multipliers, &closed.closure.multipliers, 1.0);
                println!(
                    "{count:3} bars, {} anchors, leaf {leaf:2}: acceleration {motion:.1e}, reactions {rows:.1e}, rank {} of {}",
                    held.len() + 1,
                    model.constraint_count() - out.dependent_rows().len(),
                    model.constraint_count(),
                );
                assert_eq!(out.dependent_rows().len(), closed.closure.dependent_rows().len());
                assert!(motion < 1e-9);
                assert!(rows < 1e-8 || !out.dependent_rows().is_empty());
            }
        }
    }
}

/// Refinement of closed loops: it leaves good solutions as they are, and mends those of badly scaled
/// mechanisms (every second body a million times as heavy), in accelerations, constraints and reactions.
#[test]
fn refinement_of_closed_loops() {
    let mut cases: Vec<(String, Model, State)> = Vec::new();
    for seed in 1..=10 {
        let built = build(Mechanism::everything().describe(seed)).expect("sound");
        let state = State::initial(&built.model, built.description.simulation.start);
        cases.push((format!("mechanism {seed}"), built.model, state));
    }
    for ratio in [1.0, 1e6] {
        let model = anchored_with(60, &[29, 59], JointKindDescription::Spherical, |description| {
            for body in description.bodies.iter_mut().step_by(2) {
                if let BodyKind::Rigid(rigid) = &mut body.kind {
                    rigid.mass *= ratio;
                    rigid.inertia = rigid.inertia.map(|row| row.map(|x| x * ratio));
                }
            }
        });
        let state = State::initial(&model, 0.0);
        cases.push((format!("anchored, ratio {ratio:.0e}"), model, state));
    }
    for (name, model, state) in &mut cases {
        let work = opened(model, state);
        let (mut out, mut solved) = divided(model, state, &work, 1, Par::Serial);
        let first = out.chidot.clone();
        let mut scratch = Residual::new(model, &out);
        let steps: Vec<[f64; 2]> = (0..3)
            .map(|_| {
                refine_loops(model, state, &mut solved.loop_parts(), &mut out, &mut scratch, Par::Serial)
                    .expect("regular")
            })
            .collect();
        let moved = relative_error(&out.chidot, &first, 1.0);
        let list: Vec<String> = steps.iter().map(|[f, c]| format!("{f:.0e} {c:.0e}")).collect();
        println!("{name}: forces and constraints {}; accelerations moved by {moved:.0e}", list.join(", "));
        let largest = first.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        // Rounding of the measure itself, or ten times better.
        assert!(steps[2][0] < 1e-12 || steps[2][0] < 0.1 * steps[0][0], "{name}: forces");
        assert!(steps[2][1] < 1e-12 * largest || steps[2][1] < 0.1 * steps[0][1], "{name}: constraints");
        assert!(moved < 1e-6);
    }
}

#[test]
fn threads_do_not_change_a_bit_of_closed_loops() {
    let mut cases: Vec<(Model, State)> = Vec::new();
    for seed in 1..=4 {
        let built = build(Mechanism::everything().describe(seed)).expect("sound");
        let state = State::initial(&built.model, built.description.simulation.start);
        cases.push((built.model, state));
    }
    for model in [
        // Enough bodies for threads to be used.
        build(four_bar_chain(300)).expect("sound").model,
        anchored(600, &[299, 599], JointKindDescription::Spherical),
    ] {
        let state = State::initial(&model, 0.0);
        cases.push((model, state));
    }
    let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for (model, state) in &mut cases {
        let work = opened(model, state);
        for leaf in [1, 5, LEAF_BODIES] {
            let (serial, expected) = divided(model, state, &work, leaf, Par::Serial);
            for count in [1, 2, 3, 8, 64] {
                let pool = Threads::new(count).expect("threads");
                let (out, solved) = divided(model, state, &work, leaf, Par::Threads(&pool));
                assert_eq!(bits(&out.chidot), bits(&serial.chidot), "{count} threads");
                assert_eq!(bits(&out.driving), bits(&serial.driving), "{count} threads");
                assert_eq!(bits(&solved.closure.multipliers), bits(&expected.closure.multipliers));
            }
        }
    }
}

/// A run that chooses divide and conquer, one body per leaf, moves like one on articulated bodies.
#[test]
fn runs_of_closed_loops_agree() {
    let run = |algorithm: AlgorithmDescription| {
        let mut description = four_bar_chain(3);
        description.simulation.algorithm = algorithm;
        description.simulation.output_interval = 0.1;
        description.output.channels = vec!["ground0.angle".into(), "right2.force.*".into()];
        build(description).expect("sound").simulate().expect("runs")
    };
    let divided = run(AlgorithmDescription::DivideAndConquer { threads: 2, leaf: 1, refinements: 0 });
    let articulated = run(AlgorithmDescription::ArticulatedBody);
    for name in ["ground0.angle", "right2.force.x", "right2.force.y"] {
        let pair = [&divided, &articulated].map(|run| run.channel(name).expect("recorded").to_vec());
        let apart = relative_error(&pair[0], &pair[1], 1.0);
        println!("{name}: {} rows, {apart:.1e}", pair[0].len());
        assert!(pair[0].len() == 11 && apart < 1e-7, "{name}: {apart:e}");
    }
}

/// Accelerations at the states that an implicit run passes, by divide and conquer and by closure on articulated
/// bodies; large chains take the block factorisation of the reflected inertia.
#[test]
fn states_of_implicit_runs_agree() {
    let cases = [
        (four_bars(2, 5, 4, [0.0; 3]), 0.01, 300),
        (four_bars(50, 101, 3, [0.0; 3]), 0.01, 10),
        (four_bar_chain(200), 0.01, 10),
        (squeezer(), 1e-4, 300),
        (bricard(), 5e-3, 300),
        (slider_crank(), 5e-3, 300),
        (flexura_samples::slider_rod::simeon(), 1e-4, 300),
        (flexura_samples::slider_rod::misaligned_four_bar(), 4e-3, 300),
    ];
    for (description, step, steps) in cases {
        let name = description.name.clone();
        let damping = DampingChoice::SpectralRadius(0.8);
        let model = build(description).unwrap_or_else(|error| panic!("{name}: {error}")).model;
        let mut integrator = flexura::integrate::Integrator::new(&model, &implicit(damping, step));
        let (mut state, mut run) = (State::initial(&model, 0.0), Workspace::new(&model));
        let (mut worst, mut states) = (0.0_f64, 0);
        for i in 0..steps {
            integrator
                .step(&model, &mut state, &mut run, 1e9)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            if i % (steps / 10) != 0 {
                continue;
            }
            let mut here = state.clone();
            let open = opened(&model, &mut here);
            let mut closed = open.clone();
            evaluate(&model, &here, &mut closed).expect("regular");
            let (out, _) = divided(&model, &here, &open, LOOP_LEAF_BODIES, Par::Serial);
            // Reactions balance elastic forces on light modes: what is left is rounding of what the opened tree would do.
            let mut tree = open.clone();
            let floor =
                tree.accelerations(&model).expect("regular").iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            worst = worst.max(relative_error(&out.chidot, &closed.accelerations.chidot, floor));
            states += 1;
        }
        println!("{name}: {states} states, {worst:.1e} apart");
        assert!(worst < 1e-9, "{name}: {worst:e}");
    }
}

/// A plane four-bar that rides on a body turned anywhere: rows out of its plane move nothing but rounding, which is no direction.
#[test]
fn plane_loops_on_turned_bodies_keep_their_rank() {
    let model = build(flexura_samples::looped_tree::looped_tree(9, 6, 4)).expect("sound").model;
    let mut random = chains::Random(11);
    let mut work = Workspace::new(&model);
    let mut state = State::initial(&model, 0.0);
    for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
        // Links between cells, and the base: the loops stay closed.
        if joint.name.starts_with("link") || joint.name == "base" {
            state.q[part.joint_q().start] = random.signed();
        }
    }
    flexura::constraint::project(&model, &mut state, &mut work).expect("closed");
    let work = opened(&model, &mut state);
    let mut closed = work.clone();
    evaluate(&model, &state, &mut closed).expect("regular");
    for leaf in [1, 2, LOOP_LEAF_BODIES, LEAF_BODIES] {
        let (out, _) = divided(&model, &state, &work, leaf, Par::Serial);
        let apart = relative_error(&out.chidot, &closed.accelerations.chidot, 1.0);
        println!("leaf {leaf}: {} dependent rows, {apart:.1e} apart", out.dependent_rows().len());
        assert_eq!(out.dependent_rows().len(), 3 * 5, "leaf {leaf}");
        assert!(apart < 1e-9, "leaf {leaf}: {apart:e}");
    }
}
