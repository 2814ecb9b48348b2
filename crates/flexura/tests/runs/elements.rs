//! Force elements: energy, dissipation, action and reaction, invariance and tangents, on random
//! frames and in random trees of rigid and flexible bodies.

use crate::common::random_element::*;
use crate::common::random_model::*;
use crate::common::relative_error;
use flexura::algorithm::{FlexibleRoute, energy, momentum};
use flexura::model::description::*;
use flexura::model::element::*;
use flexura::scalar::{Dual, Scalar};
use flexura::spatial::{
    add, angular, cross, dot6, identity3, linear, negate6, norm, rotate6, shift_force, sub,
};
use flexura::{State, Workspace};

const SAMPLES: u64 = 300;

/// Calls `check` with every kind of element between random frames; returns the largest result by kind.
fn worst(name: &str, mut check: impl FnMut(&ElementKind, &FrameState, &FrameState) -> f64) -> f64 {
    let mut largest: Vec<(&str, f64)> = Vec::new();
    for seed in 0..SAMPLES {
        let random = &mut Random::new(seed);
        for kind in random_elements(random) {
            let (first, second) = (random_frame_state(random), random_frame_state(random));
            let found = check(&kind, &first, &second);
            let found = if found.is_nan() { f64::INFINITY } else { found };
            match largest.iter_mut().find(|(word, _)| *word == kind.word()) {
                Some((_, most)) => *most = most.max(found),
                None => largest.push((kind.word(), found)),
            }
        }
    }
    println!("{name}: {largest:?}");
    assert_eq!(largest.len(), 9);
    largest.iter().fold(0.0, |most, (_, found)| most.max(*found))
}

/// `frame` with the rates of its pose.
fn moving(frame: &FrameState) -> FrameState<Moving> {
    let along = |rate: [f64; 3]| rate.map(|x| Dual::new(0.0, [x]));
    displaced(frame, &along(angular(&frame.velocity)), &along(linear(&frame.velocity)))
}

#[test]
fn power_is_the_loss_of_energy_and_the_dissipation() {
    let error = worst("power balance", |kind, first, second| {
        let force = kind.evaluate(first, second);
        let on_first = force.on_first(first, second);
        let parts = [dot6(&on_first, &first.velocity), dot6(&force.wrench, &second.velocity)];
        let stored = kind.evaluate(&moving(first), &moving(second)).energy.eps[0];
        let scale = parts.iter().fold(stored.abs().max(1.0), |m, x| m.max(x.abs()));
        (parts[0] + parts[1] + stored - force.power).abs() / scale
    });
    assert!(error < 1e-11, "{error:e}");
}

#[test]
fn dissipation_is_never_positive() {
    let highest = worst("dissipation", |kind, first, second| {
        let mut kind = kind.clone();
        if let ElementKind::Drag(drag) = &mut kind {
            drag.medium_velocity = [0.0; 3]; // wind may drive
        }
        // An actuator drives either way, a tyre exchanges energy with the slope of the road.
        if kind.effort().is_some() || matches!(kind, ElementKind::Tyre(_)) {
            0.0
        } else {
            kind.evaluate(first, second).power
        }
    });
    assert!(highest <= 0.0, "{highest:e}");
    let mut random = Random::new(5);
    for _ in 0..SAMPLES {
        let coupler = Coupler { factors: [2.0, -0.7], offset: 0.1, stiffness: 30.0, damping: 2.0 };
        let force = coupler.evaluate([random.unit(), random.unit()], [random.unit(), -random.unit()]);
        assert!(force.power <= 0.0);
    }
}

#[test]
fn action_is_opposite_to_reaction() {
    let error = worst("action and reaction", |kind, first, second| {
        let force = kind.evaluate(first, second);
        let on_first = shift_force(&first.position, &force.on_first(first, second));
        let on_second = shift_force(&second.position, &force.wrench);
        relative_error(&on_first, &negate6(&on_second), 1.0)
    });
    assert!(error < 1e-14, "{error:e}");
}

#[test]
fn the_observer_does_not_matter() {
    let mut random = Random::new(77);
    let error = worst("observer", |kind, first, second| {
        let observer = random_frame_state(&mut random);
        let here = kind.evaluate(first, second);
        let there = kind.evaluate(&carried(first, &observer), &carried(second, &observer));
        let turned = rotate6(&observer.rotation, &here.wrench);
        let scalars = relative_error(
            &[there.energy, there.power, there.measure],
            &[here.energy, here.power, here.measure],
            1.0,
        );
        relative_error(&there.wrench, &turned, 1.0).max(scalars)
    });
    assert!(error < 1e-12, "{error:e}");
}

/// Both wrenches after moving the two frames by `step` along one of 24 directions: 12 of the pose,
/// then 12 of the velocity.
fn wrenches<S: Scalar>(kind: &ElementKind, frames: [&FrameState; 2], direction: usize, step: S) -> [S; 12] {
    let along = |start: usize| -> [S; 3] {
        std::array::from_fn(|i| if start + i == direction { step } else { S::ZERO })
    };
    let varied = |end: usize| {
        let mut frame = displaced(frames[end], &along(6 * end), &along(6 * end + 3));
        if (12 + 6 * end..18 + 6 * end).contains(&direction) {
            frame.velocity[direction - 12 - 6 * end] += step;
        }
        frame
    };
    let (first, second) = (varied(0), varied(1));
    let force = kind.evaluate(&first, &second);
    let on_first = force.on_first(&first, &second);
    std::array::from_fn(|i| if i < 6 { on_first[i] } else { force.wrench[i - 6] })
}

fn column(tangent: &Tangent, direction: usize) -> [f64; 12] {
    let matrix = if direction < 12 { &tangent.position } else { &tangent.velocity };
    std::array::from_fn(|i| matrix[i][direction % 12])
}

/// Central difference of fourth order.
fn difference(kind: &ElementKind, frames: [&FrameState; 2], direction: usize, h: f64) -> [f64; 12] {
    let at = |step: f64| wrenches(kind, frames, direction, step);
    let (near, far) = ([at(h), at(-h)], [at(2.0 * h), at(-2.0 * h)]);
    std::array::from_fn(|i| (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * h))
}

#[test]
fn tangents_are_the_derivatives() {
    let (mut smooth, mut skipped) = (0, 0);
    let error = worst("tangent", |kind, first, second| {
        let tangent = kind.tangent(first, second);
        let entries = tangent.position.as_flattened().iter().chain(tangent.velocity.as_flattened());
        let scale = entries.fold(1.0_f64, |m, x| m.max(x.abs()));
        let mut worst = 0.0_f64;
        for direction in 0..24 {
            let frames = [first, second];
            let exact = wrenches(kind, frames, direction, Dual::<1>::new(0.0, [1.0])).map(|x| x.eps[0]);
            let found = column(&tangent, direction);
            worst = worst.max(relative_error(&found, &exact, scale));
            let [coarse, fine] = [6e-4, 3e-4].map(|h| difference(kind, frames, direction, h));
            // Differences across a kink of the law say nothing.
            if relative_error(&coarse, &fine, scale) < 1e-8 {
                smooth += 1;
                worst = worst.max(relative_error(&found, &fine, scale));
            } else {
                skipped += 1;
            }
        }
        worst
    });
    println!("tangent columns: {smooth} compared with differences, {skipped} at kinks");
    assert!(error < 1e-9, "{error:e}");
    assert!(skipped * 50 < smooth);
}

#[test]
fn the_tangent_of_a_coupler() {
    let coupler = Coupler { factors: [2.0, -0.7], offset: 0.1, stiffness: 30.0, damping: 2.0 };
    let (stiffness, damping) = coupler.tangent();
    for k in 0..2 {
        let unit = |index: usize| -> [Moving; 2] {
            std::array::from_fn(|i| Dual::new(0.3, [f64::from(u8::from(i == index))]))
        };
        let pairs = [
            (coupler.evaluate(unit(k), unit(9)), &stiffness, "coordinates"),
            (coupler.evaluate(unit(9), unit(k)), &damping, "speeds"),
        ];
        for (force, matrix, what) in pairs {
            for i in 0..2 {
                let slope = -coupler.factors[i] * force.effort.eps[0];
                assert!((slope - matrix[i][k]).abs() < 1e-12, "{what} {i} {k}");
            }
        }
    }
}

/// Tension of a spring-damper at its free length while the ends move apart at `rate`.
fn tension(preload: f64, damping: Damping, rate: f64) -> f64 {
    let law = ForceLaw::Linear { stiffness: 10.0 };
    let kind = ElementKind::from(SpringDamper { axis: None, free_length: 1.0, law, preload, damping });
    let still = FrameState { rotation: identity3(), position: [0.0; 3], velocity: [0.0; 6] };
    let end = FrameState { position: [0.0, 1.0, 0.0], velocity: [0.0, 0.0, 0.0, 0.0, rate, 0.0], ..still };
    -kind.evaluate(&still, &end).wrench[4]
}

#[test]
fn dampers_tell_compression_from_extension() {
    let damping = Damping::Linear { compression: 2.0, extension: 5.0 };
    for (rate, expected) in [(1.0, 8.0), (-1.0, 1.0), (0.0, 3.0)] {
        assert!((tension(3.0, damping.clone(), rate) - expected).abs() < 1e-12);
    }
}

/// However fast the frames part, a stop and a contact do not hold them.
#[test]
fn one_sided_elements_never_pull() {
    let (stiffness, exponent, dissipation) = (1e3, 1.5, 2.0);
    let stop = BumpStop { axis: Some([0.0, 0.0, 1.0]), gap: 0.5, stiffness, exponent, dissipation };
    let distance = BumpStop { axis: None, ..stop };
    let contact =
        Contact { radius: 0.5, stiffness, exponent, dissipation, friction: 0.3, friction_speed: 0.01 };
    let still = FrameState { rotation: identity3(), position: [0.0; 3], velocity: [0.0; 6] };
    for kind in [ElementKind::from(stop), distance.into(), contact.into()] {
        let push = |rate: f64| {
            let velocity = [0.0, 0.0, 0.0, 0.0, 0.0, rate];
            let end = FrameState { position: [0.0, 0.0, 0.3], velocity, ..still };
            kind.evaluate(&still, &end).wrench[5]
        };
        assert!(push(0.0) > 10.0 && push(-0.4) > push(0.0) && push(0.4) < push(0.0), "{}", kind.word());
        assert!([0.5, 0.6, 5.0].iter().all(|&rate| push(rate) == 0.0), "{}", kind.word());
    }
}

/// Coinciding frames at rest have no direction and no speed: nothing may be divided by zero.
#[test]
fn coinciding_frames_give_finite_forces_and_tangents() {
    let mut random = Random::new(3);
    for kind in random_elements(&mut random) {
        let mut frame = random_frame_state(&mut random);
        frame.velocity = [0.0; 6];
        let force = kind.evaluate(&frame, &frame);
        let tangent = kind.tangent(&frame, &frame);
        let all = force.wrench.iter().chain(tangent.position.as_flattened());
        let all = all.chain(tangent.velocity.as_flattened()).chain([&force.energy, &force.power]);
        assert!(all.into_iter().all(|x| x.is_finite()), "{}", kind.word());
    }
}

/// A random tree with every kind of element between random frames; `grounded` ends on the ground too.
fn random_machine(seed: u64, level: InertiaLevel, grounded: bool) -> (flexura::Model, State) {
    let random = &mut Random::new(seed);
    let recipe = Recipe { floating: !grounded, loads: grounded, ..Recipe::small(level) };
    let mut description = recipe.describe(random);
    let mut frames = Vec::new();
    for (b, body) in description.bodies.iter_mut().enumerate() {
        for end in ["p", "q"] {
            let frame = random_frame(format!("{end}{b}"), &body.kind, random);
            frames.push(format!("{}.{}", body.name, frame.name));
            body.frames.push(frame);
        }
    }
    if grounded {
        frames.push("ground.origin".into());
    } else {
        description.gravity = [0.0; 3];
    }
    for (e, kind) in random_elements(random).into_iter().enumerate() {
        let first = random.below(frames.len());
        let second = (first + 1 + random.below(frames.len() - 1)) % frames.len();
        description = description.element(&format!("e{e}"), kind, [&frames[first], &frames[second]]);
    }
    let joints = description.joints.iter().filter(|joint| {
        matches!(joint.kind, JointKindDescription::Revolute { .. } | JointKindDescription::Prismatic { .. })
    });
    let joints: Vec<String> = joints.map(|joint| joint.name.clone()).collect();
    if let [first, second, ..] = &joints[..] {
        let law = Coupler { factors: [1.3, -0.4], offset: 0.2, stiffness: 12.0, damping: 0.6 };
        description = description.element("gear", law, [first, second]);
    }
    let model = description.build().expect("random machines are valid").model;
    let state = random_state(&model, random);
    (model, state)
}

/// Evaluation at `state`, and the state and poses with their rates along the flow.
fn along(model: &flexura::Model, state: &mut State) -> (Workspace, State<Moving>, Workspace<Moving>) {
    let work = evaluated(model, state, FlexibleRoute::Automatic);
    let moving = along_flow(model, state, &work.accelerations.chidot);
    let mut rates = Workspace::new(model);
    rates.kinematics(model, &moving);
    rates.poses(model, &moving);
    (work, moving, rates)
}

#[test]
fn machines_change_their_energy_by_the_power_supplied() {
    for level in EXACT_LEVELS {
        let mut coupled = 0;
        sweep(&format!("energy with elements, {level:?}"), 150, 1e-11, |seed| {
            let (model, mut state) = random_machine(seed, level, true);
            coupled += model.couplers.len();
            let (work, moving, rates) = along(&model, &mut state);
            let e = energy(&model, &moving, &rates.motion, &rates.inertias);
            let stored = [e.kinetic, e.gravity, e.elastic, e.springs, e.elements].map(|x| x.eps[0]);
            let drivers: f64 = work.accelerations.driving.iter().zip(&state.v).map(|(f, u)| f * u).sum();
            let largest = stored.iter().fold(work.power.elements.abs().max(1.0), |m, x| m.max(x.abs()));
            (e.total().eps[0] - work.power.total() - drivers).abs() / largest
        });
        assert!(coupled > 10);
    }
}

/// Elements between bodies cannot change the momentum of a floating system.
#[test]
fn machines_keep_their_momentum() {
    for level in EXACT_LEVELS {
        sweep(&format!("momentum with elements, {level:?}"), 150, 1e-11, |seed| {
            let (model, mut state) = random_machine(seed, level, false);
            let (work, moving, rates) = along(&model, &mut state);
            let h = momentum(&model, &moving, &rates.motion, &rates.inertias, &[0.0; 3]);
            let forces = work.load.wrench.iter().map(|wrench| norm(&linear(wrench)));
            let largest = forces.fold(1.0, f64::max);
            let rate = h.linear.iter().chain(&h.angular).fold(0.0_f64, |m, x| m.max(x.eps[0].abs()));
            rate / largest
        });
    }
}

/// The contact's moment comes from friction at the lowest point alone: a rolling sphere feels none.
#[test]
fn a_rolling_sphere_slides_nowhere() {
    let contact = Contact {
        radius: 0.5,
        stiffness: 100.0,
        exponent: 1.5,
        dissipation: 0.0,
        friction: 0.8,
        friction_speed: 0.01,
    };
    let plane = FrameState { rotation: identity3(), position: [0.0; 3], velocity: [0.0; 6] };
    let spin = [0.0, 3.0, 0.0];
    let lowest = [0.0, 0.0, -0.5];
    let speed = sub(&[0.0; 3], &cross(&spin, &lowest));
    let velocity = flexura::spatial::join(&spin, &speed);
    let ball = FrameState { position: add(&[0.0; 3], &[0.2, 0.1, 0.4]), velocity, ..plane };
    let force = ElementKind::from(contact).evaluate(&plane, &ball);
    assert!(force.wrench[5] > 1.0 && force.power.abs() < 1e-15);
    assert!(force.wrench[..5].iter().all(|x| x.abs() < 1e-15), "{:?}", force.wrench);
}

/// The tyre of the IAVSD road vehicle benchmark (Frik, Leister & Schwartz 1993).
fn benchmark_tyre(side_force: SideForce) -> Tyre {
    Tyre {
        radius: 0.364325,
        stiffness: 4.6e5,
        damping: 0.0,
        deflection: Deflection::Vertical,
        side_force,
        slip_point: SlipPoint::Contact,
        low_speed: 1e-6,
        road: Road::default(),
    }
}

fn benchmark_calspan() -> SideForce {
    SideForce::Calspan(Calspan {
        cornering: [2625.0, 14.47, 12930.0],
        camber: [2.29, 18175.0],
        friction: [-0.464e-4, 1.216, 2.18e-11],
        skid: 1.0274,
        aligning: [-0.171e-4, 0.171e-4],
        overload: 1.0,
    })
}

/// A wheel under `load` that moves forward at 20 m/s with a lateral speed and a camber angle.
fn on_the_road(tyre: &Tyre, load: f64, lateral: f64, camber: f64) -> ElementForce {
    let road =
        FrameState { rotation: identity3(), position: [0.0; 3], velocity: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] };
    let height = tyre.radius - load / tyre.stiffness;
    let (sin, cos) = camber.sin_cos();
    let wheel = FrameState {
        rotation: [[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]],
        position: [3.0, 1.0, height],
        velocity: [0.0, 20.0 / height, 0.0, 20.0, lateral, 0.0],
    };
    ElementKind::from(tyre.clone()).evaluate(&road, &wheel)
}

#[test]
fn the_benchmark_tyre_has_the_published_stiffness() {
    // Linear cornering and camber stiffness (N/rad) that the benchmark gives for both axles.
    for (load, cornering, camber) in [(3829.6, 41641.0, 6925.0), (3593.6, 40162.0, 6600.0)] {
        let tyre = benchmark_tyre(benchmark_calspan());
        let side = |lateral, camber| on_the_road(&tyre, load, lateral, camber).wrench[4];
        let slip = 1e-6;
        let found = [-side(20.0 * slip, 0.0) / slip, -side(0.0, slip) / slip];
        println!("at {load} N: cornering {:.0}, camber {:.0} N/rad", found[0], found[1]);
        assert!((found[0] / cornering - 1.0).abs() < 1e-3, "{found:?}");
        assert!((found[1].abs() / camber - 1.0).abs() < 2e-3, "{found:?}");
        // Full sliding: the force no longer grows.
        let limit = (-0.464e-4 * load + 1.216 + 2.18e-11 * load * load) * 1.0274 * load;
        assert!((side(-40.0, 0.0) - limit).abs() < 1e-9 * limit);
    }
}

#[test]
fn a_brush_tyre_rolls_freely_slides_at_the_limit_and_always_brakes() {
    let brush =
        Brush { cornering_stiffness: 4e4, longitudinal_stiffness: 6e4, friction: 0.8, half_length: 0.09 };
    let tyre = benchmark_tyre(SideForce::Brush(brush));
    let rolling = on_the_road(&tyre, 4000.0, 0.0, 0.0);
    assert!(rolling.wrench[3].abs() < 1e-6 && rolling.wrench[4].abs() < 1e-6, "{:?}", rolling.wrench);
    for lateral in [-30.0, -1.0, -0.1, 0.2, 4.0, 40.0] {
        let force = on_the_road(&tyre, 4000.0, lateral, 0.0);
        assert!(force.wrench[4] * lateral < 0.0 && force.power < 0.0);
        assert!(force.wrench[4].abs() <= 3200.0 * (1.0 + 1e-12));
    }
    let slip = 1e-7;
    let side = on_the_road(&tyre, 4000.0, 20.0 * slip, 0.0);
    assert!((side.wrench[4] / slip + 4e4).abs() < 1.0);
    // The force acts a third of the half length behind the centre.
    assert!((side.wrench[2] / side.wrench[4] + 0.03).abs() < 1e-4);
    assert!((on_the_road(&tyre, 4000.0, 40.0, 0.0).wrench[4] + 3200.0).abs() < 1e-9);
}

#[test]
fn a_linear_tyre_has_its_stiffness_and_acts_behind_the_spoke() {
    let law = Linear { cornering: 4e4, camber: 6e3, aligning: 2e3, overturning: 500.0, trail: 0.06 };
    let tyre = benchmark_tyre(SideForce::Linear(law));
    let (load, angle, camber) = (4000.0, 1e-3, 2e-3);
    let wrench = on_the_road(&tyre, load, 20.0 * angle, camber).wrench;
    let height = tyre.radius - load / tyre.stiffness;
    let side = -(law.cornering * angle + law.camber * camber);
    // Moment about the centre of the force that acts at the foot of the spoke, `trail` behind it.
    let foot = [-law.trail, height * camber, -height];
    let arm = cross(&foot, &[0.0, side, load]);
    let expected =
        [arm[0] + law.overturning * camber, arm[1], arm[2] + law.aligning * angle, 0.0, side, load];
    for (found, expected) in wrench.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4 * load, "{wrench:?} instead of {expected:?}");
    }
}

#[test]
fn a_tyre_in_the_air_feels_nothing() {
    let tyre = benchmark_tyre(benchmark_calspan());
    let lifted = on_the_road(&tyre, -100.0, 1.0, 0.1);
    assert_eq!((lifted.wrench, lifted.energy, lifted.power), ([0.0; 6], 0.0, 0.0));
}
