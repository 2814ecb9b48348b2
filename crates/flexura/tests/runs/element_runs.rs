//! Simulations with force elements against closed solutions.

use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::model::description::*;
use flexura::model::element::*;
use flexura::{Recording, State, Workspace, evaluate};

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const WEIGHTLESS: [f64; 3] = [0.0; 3];

fn tight() -> MethodDescription {
    MethodDescription::DormandPrince {
        relative_tolerance: 1e-11,
        absolute_tolerance: 1e-13,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

fn simulate(description: Description) -> Recording {
    let built = description.method(tight()).build().expect("valid model");
    assert!(built.warnings.is_empty(), "{:?}", built.warnings);
    built.simulate().expect("the run succeeds")
}

fn channel(run: &Recording, name: &str) -> Vec<f64> {
    run.channel(name).expect("recorded channel")
}

/// Largest difference between a channel and a function of time.
fn deviation(run: &Recording, name: &str, expected: impl Fn(f64) -> f64) -> f64 {
    let pairs = run.time().into_iter().zip(channel(run, name));
    let worst = pairs.fold(0.0_f64, |most, (t, value)| most.max((value - expected(t)).abs()));
    println!("{name}: {worst:.2e}");
    worst
}

fn largest(run: &Recording, name: &str) -> f64 {
    deviation(run, name, |_| 0.0)
}

/// A mass of 2 kg that slides along `axis` of the ground from `start` (m) at `speed` (m/s).
fn slider(axis: [f64; 3], start: f64, speed: f64) -> Description {
    let joint = JointDescription::prismatic("slide", ["ground.origin", "mass.origin"], axis);
    Description::new("slider")
        .gravity(WEIGHTLESS)
        .body(BodyDescription::point_mass("mass", 2.0))
        .joint(joint.position(&[start]).speed(&[speed]))
}

#[test]
fn a_mass_on_a_spring_damper() {
    let (mass, stiffness, damping, preload, gravity) = (2.0, 80.0, 3.0, 4.0, 5.0);
    let mut spring = SpringDamper::linear(1.0, stiffness, damping);
    spring.preload = preload;
    let run = simulate(
        slider(X, 0.2, 0.0)
            .gravity([gravity, 0.0, 0.0])
            .ground_frame("wall", [-1.0, 0.0, 0.0])
            .element("strut", spring, ["ground.wall", "mass.origin"])
            .run_for(3.0),
    );
    let rest = (mass * gravity - preload) / stiffness;
    let decay = 0.5 * damping / mass;
    let omega = (stiffness / mass - decay * decay).sqrt();
    let solution = |t: f64| {
        let swing = (omega * t).cos() + decay / omega * (omega * t).sin();
        rest + (0.2 - rest) * (-decay * t).exp() * swing
    };
    assert!(deviation(&run, "slide.displacement", solution) < 1e-9);
    assert!(deviation(&run, "strut.length", |t| 1.0 + solution(t)) < 1e-9);
    assert!(largest(&run, "energy.balance") < 1e-9);
    assert!(channel(&run, "power.elements").iter().all(|&p| p <= 0.0));
}

/// Small and large motions alike: translation and rotation about one axis are linear in the bushing.
#[test]
fn a_body_on_a_bushing_swings_at_its_natural_frequencies() {
    let (mass, inertia) = (3.0, [0.2, 0.3, 0.4]);
    let stiffness = [5.0, 7.0, 11.0, 130.0, 170.0, 190.0];
    for direction in 0..6 {
        let mut position = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let (sin, cos) = 0.3_f64.sin_cos();
        if direction < 3 {
            (position[0], position[1 + direction]) = (cos, sin);
        } else {
            position[1 + direction] = 0.2;
        }
        let joint = JointDescription::free("float", ["ground.origin", "block.origin"]).position(&position);
        let run = simulate(
            Description::new("bushing")
                .gravity(WEIGHTLESS)
                .body(BodyDescription::rigid("block", mass, inertia))
                .joint(joint)
                .element("mount", Bushing::diagonal(stiffness, [0.0; 6]), ["ground.origin", "block.origin"])
                .run_for(2.0),
        );
        let inertia = if direction < 3 { inertia[direction] } else { mass };
        let omega = (stiffness[direction] / inertia).sqrt();
        let name = ["qx", "qy", "qz", "x", "y", "z"][direction];
        // The quaternion has the sine of half the angle 0.6 cos ωt.
        let expected = |t: f64| match direction {
            0..3 => (0.3 * (omega * t).cos()).sin(),
            _ => 0.2 * (omega * t).cos(),
        };
        assert!(deviation(&run, &format!("float.{name}"), expected) < 1e-9);
        assert!(largest(&run, "energy.balance") < 1e-9);
    }
}

#[test]
fn a_rotor_on_a_torsion_spring() {
    let joint = JointDescription::revolute("hinge", ["ground.origin", "rotor.origin"], Z).position(&[1.0]);
    let run = simulate(
        Description::new("rotor")
            .body(BodyDescription::rigid("rotor", 1.0, [0.1, 0.1, 0.2]))
            .joint(joint)
            .element("spring", TorsionSpringDamper::linear(Z, 1.8, 0.0), ["ground.origin", "rotor.origin"])
            .run_for(3.0),
    );
    assert!(deviation(&run, "hinge.angle", |t| (3.0 * t).cos()) < 1e-9);
    assert!(deviation(&run, "spring.angle", |t| (3.0 * t).cos()) < 1e-9);
}

#[test]
fn two_rotors_in_gear() {
    let rotor = |name: &str, inertia: f64| BodyDescription::rigid(name, 1.0, [0.5, 0.5, inertia]);
    let law = Coupler { factors: [0.5, 1.5], offset: 0.2, stiffness: 40.0, damping: 0.0 };
    let run = simulate(
        Description::new("gears")
            .body(rotor("small", 0.2))
            .body(rotor("large", 0.8))
            .joint(JointDescription::revolute("a", ["ground.origin", "small.origin"], Z).position(&[1.0]))
            .joint(JointDescription::revolute("b", ["ground.origin", "large.origin"], Z))
            .element("gear", law, ["a", "b.angle"])
            .run_for(2.0),
    );
    let omega = (40.0_f64 * (0.25 / 0.2 + 2.25 / 0.8)).sqrt();
    assert!(deviation(&run, "gear.deflection", |t| 0.3 * (omega * t).cos()) < 1e-9);
    assert!(largest(&run, "energy.balance") < 1e-9);
}

/// Falling in a medium at rest: v = −V tanh(g t/V); and wind carries a body along.
#[test]
fn drag_limits_the_speed() {
    let drag = Drag { density: 1.2, coefficient: [0.5; 3], area: [0.4; 3], medium_velocity: [0.0; 3] };
    let limit = (2.0 * 2.0 * 9.81 / (1.2 * 0.5 * 0.4_f64)).sqrt();
    let fall = slider(Z, 0.0, 0.0).gravity([0.0, 0.0, -9.81]).run_for(3.0);
    let run = simulate(fall.element("air", drag, ["ground.origin", "mass.origin"]));
    assert!(deviation(&run, "slide.speed", |t| -limit * (9.81 * t / limit).tanh()) < 1e-9);
    assert!(largest(&run, "energy.balance") < 1e-9);

    let wind = Drag { medium_velocity: [10.0, 0.0, 0.0], ..drag };
    let run =
        simulate(slider(X, 0.0, 0.0).run_for(3.0).element("wind", wind, ["ground.origin", "mass.origin"]));
    // w' = −b w², w(0) = 10.
    let b = 0.5 * 1.2 * 0.5 * 0.4 / 2.0;
    assert!(deviation(&run, "slide.speed", |t| 10.0 - 10.0 / (1.0 + 10.0 * b * t)) < 1e-9);
    assert!(channel(&run, "power.elements").iter().skip(1).all(|&p| p > 0.0));
    assert!(largest(&run, "energy.balance") < 1e-9);
}

fn ground_contact(dissipation: f64, friction: f64) -> Contact {
    Contact { radius: 0.1, stiffness: 4e4, exponent: 1.5, dissipation, friction, friction_speed: 1e-3 }
}

#[test]
fn a_sphere_bounces_without_loss_and_never_sticks() {
    for (dissipation, name) in [(0.0, "elastic"), (0.3, "lossy")] {
        let run = simulate(
            slider(Z, 0.6, 0.0)
                .gravity([0.0, 0.0, -9.81])
                .element("floor", ground_contact(dissipation, 0.0), ["ground.origin", "mass.origin"])
                .output_interval(0.0)
                .run_for(1.4),
        );
        let push = channel(&run, "floor.force.z");
        assert!(push.iter().all(|&f| f >= 0.0) && push.iter().any(|&f| f > 100.0), "{name}");
        // The step across first touch meets a kink: its error is that of a lower order.
        assert!(largest(&run, "energy.balance") < 2e-7);
        let energy = channel(&run, "energy.total");
        let (first, last) = (energy[0], energy[energy.len() - 1]);
        if dissipation == 0.0 {
            assert!(deviation(&run, "energy.total", |_| first) < 2e-7);
        } else {
            assert!(last < 0.9 * first);
        }
        // It bounced at least twice.
        let clear = channel(&run, "floor.clearance");
        assert!(clear.windows(2).filter(|pair| pair[0] > 0.0 && pair[1] <= 0.0).count() >= 2, "{name}");
    }
}

#[test]
fn friction_slows_a_sliding_block() {
    let contact = Contact { radius: 0.0, ..ground_contact(0.0, 0.3) };
    let depth = (2.0 * 9.81 / 4e4_f64).powf(1.0 / 1.5);
    let joint =
        JointDescription::new("slide", JointKindDescription::Translational, ["ground.origin", "mass.origin"]);
    let run = simulate(
        Description::new("block")
            .body(BodyDescription::point_mass("mass", 2.0))
            .joint(joint.position(&[0.0, 0.0, -depth]).speed(&[2.0, 1.0, 0.0]))
            .element("floor", contact, ["ground.origin", "mass.origin"])
            .run_for(0.7),
    );
    let speed = 5.0_f64.sqrt();
    let share = |t: f64| (speed - 0.3 * 9.81 * t) / speed;
    assert!(deviation(&run, "slide.vx", |t| 2.0 * share(t)) < 1e-8);
    assert!(deviation(&run, "slide.vy", share) < 1e-8);
    assert!(deviation(&run, "slide.z", |_| -depth) < 1e-9);
    assert!(largest(&run, "energy.balance") < 1e-8);
}

/// A bump stop and a rod: the mass is caught after the gap, and hangs from the rod by its weight.
#[test]
fn stops_and_rods() {
    let stop = BumpStop { axis: Some(X), gap: -0.5, stiffness: 2e3, exponent: 1.0, dissipation: 0.0 };
    let run =
        simulate(slider(X, 0.0, -1.0).run_for(0.9).element("stop", stop, ["ground.origin", "mass.origin"]));
    let (omega, touch) = ((2e3 / 2.0_f64).sqrt(), 0.5);
    let expected = |t: f64| match t - touch {
        free if free < 0.0 => -t,
        held if held < std::f64::consts::PI / omega => -0.5 - (omega * held).sin() / omega,
        left => -0.5 + left - std::f64::consts::PI / omega,
    };
    assert!(deviation(&run, "slide.displacement", expected) < 1e-8);

    let weight = 2.0 * 9.81;
    let rod = Rod { length: 1.0, stiffness: 1e4, damping: 0.0 };
    let model = slider(Z, -1.0 - weight / 1e4, 0.0).gravity([0.0, 0.0, -9.81]).element(
        "rod",
        rod,
        ["ground.origin", "mass.origin"],
    );
    let model = model.build().expect("valid model").model;
    let (state, mut work) = (State::initial(&model, 0.0), Workspace::new(&model));
    evaluate(&model, &state, &mut work).expect("regular");
    assert!(work.accelerations.chidot[0].abs() < 1e-10);
}

fn beam() -> BodyDescription {
    let section = Section::Rectangle { width_y: 0.02, height_z: 0.03 };
    let counts = ModeCounts { bending_y: 2, bending_z: 2, torsion: 1, ..ModeCounts::default() };
    let beam = BeamDescription::new(1.0, 2700.0, 2e10, 8e9, section);
    BodyDescription::beam("arm", beam.modes(Boundary::ClampedFree, counts))
        .station("root", 0.0)
        .station("middle", 0.5)
        .station("tip", 1.0)
}

/// Everything at once, on the deforming points of a beam and on a block hung from its tip.
#[test]
fn the_energy_balance_of_every_element() {
    let table = ForceTable::new(&[-0.5, 0.0, 0.4, 1.0], &[-30.0, 0.0, 20.0, 90.0]).expect("a good table");
    let (law, damping) = (ForceLaw::Table(table), Damping::Linear { compression: 0.2, extension: 0.6 });
    let strut = SpringDamper { axis: None, free_length: 0.5, law, preload: 1.0, damping };
    let stop = BumpStop { axis: None, gap: 0.9, stiffness: 500.0, exponent: 1.5, dissipation: 0.2 };
    let air =
        Drag { density: 1.2, coefficient: [1.0; 3], area: [0.1, 0.2, 0.3], medium_velocity: [1.0, 0.0, 0.0] };
    let mut mount = Bushing::diagonal([1.0, 1.0, 1.0, 40.0, 40.0, 40.0], [0.01; 6]);
    mount.cubic = [0.5; 6];
    let gear = Coupler { factors: [1.0, -2.0], offset: 0.0, stiffness: 5.0, damping: 0.05 };
    let description = Description::new("everything")
        .ground_frame("floor", [0.0, 0.0, -0.4])
        .ground_frame("wall", [0.3, 0.6, 0.2])
        .body(beam().level(InertiaLevel::Full)) // the slender torsion mode bends far
        .body(BodyDescription::rigid("block", 0.4, [0.002, 0.003, 0.004]).frame("eye", [0.1, 0.0, 0.0]))
        .joint(JointDescription::revolute("shoulder", ["ground.origin", "arm.root"], Z).speed(&[1.0]))
        .joint(JointDescription::revolute("wrist", ["arm.tip", "block.eye"], X).speed(&[-2.0]))
        .element("strut", strut, ["ground.wall", "arm.middle"])
        .element("twist", TorsionSpringDamper::linear([0.6, 0.0, 0.8], 0.8, 0.02), ["arm.tip", "block.eye"])
        .element("mount", mount, ["arm.middle", "block.origin"])
        .element("stop", stop, ["ground.wall", "block.origin"])
        .element("rod", Rod { length: 0.9, stiffness: 300.0, damping: 0.5 }, ["ground.wall", "arm.tip"])
        .element("air", air, ["ground.origin", "block.origin"])
        .element(
            "floor",
            Contact { radius: 0.42, stiffness: 500.0, ..ground_contact(0.1, 0.4) },
            ["ground.floor", "block.origin"],
        )
        .element("gear", gear, ["shoulder", "wrist"])
        .run_for(1.0);
    let run = simulate(description);
    for element in ["strut", "twist", "mount", "stop", "rod", "floor", "gear"] {
        assert!(largest(&run, &format!("{element}.energy")) > 1e-6, "{element} takes no part");
    }
    assert!(largest(&run, "arm.eta.1") > 1e-4 && largest(&run, "power.elements") > 0.01);
    assert!(largest(&run, "energy.balance") < 1e-8);
}

/// Springs feel the deflection of a beam whose points the dynamics keeps frozen.
#[test]
fn frozen_points_still_load_their_springs() {
    let spring = SpringDamper::linear(0.0, 1000.0, 0.0);
    let description = Description::new("propped")
        .gravity(WEIGHTLESS)
        .ground_frame("prop", [1.0, 0.0, 0.0])
        .body(beam().level(InertiaLevel::Ruthless))
        .joint(JointDescription::weld("clamp", ["ground.origin", "arm.root"]))
        .element("prop", spring, ["ground.prop", "arm.tip"])
        .initial_modal("arm", &[0.01, 0.0, 0.0, 0.0, 0.0], &[0.0; 5]);
    let model = description.build().expect("valid model").model;
    let (state, mut work) = (State::initial(&model, 0.0), Workspace::new(&model));
    evaluate(&model, &state, &mut work).expect("regular");
    let force = flexura::force::element::evaluate_element(&model, &state, &work.motion, &model.elements[0]);
    assert!(force.0.measure > 5e-3, "{}", force.0.measure);
    assert!((norm(&force.0.wrench) - 1000.0 * force.0.measure).abs() < 1e-9);
}

fn norm(wrench: &[f64; 6]) -> f64 {
    wrench.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A welded point mass disappears into its host; what acts on it then acts on the host.
#[test]
fn loads_on_a_welded_point_mass_are_kept() {
    let welded = Description::new("welded")
        .body(BodyDescription::rigid("host", 1.0, [0.1; 3]))
        .body(BodyDescription::point_mass("guest", 0.5))
        .joint(JointDescription::free("float", ["ground.origin", "host.origin"]))
        .joint(JointDescription::weld("glue", ["host.origin", "guest.origin"]));
    let count = |description: Description| {
        let model = description.build().expect("valid model").model;
        (model.body_count(), model.forces.len() + model.elements.len())
    };
    assert_eq!(count(welded.clone()), (1, 0));
    assert_eq!(count(welded.clone().force("push", "guest.origin", X, None)), (1, 1));
    let rod = Rod { length: 1.0, stiffness: 10.0, damping: 0.0 };
    assert_eq!(count(welded.element("rod", rod, ["ground.origin", "guest.origin"])), (1, 1));
}
