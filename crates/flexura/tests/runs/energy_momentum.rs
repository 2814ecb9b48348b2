//! The energy-preserving and energy-decaying steps: conservation, order, numerical damping.
use crate::common::mechanisms::*;
use flexura::algorithm::energy;
use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::integrate::Integrator;
use flexura::model::description::*;
use flexura::{Model, State, Workspace};

fn preserving(step: f64) -> MethodDescription {
    MethodDescription::EnergyMomentum { step, spectral_radius: 1.0 }
}

fn total_energy(model: &Model, state: &State, work: &mut Workspace) -> f64 {
    work.kinematics(model, state);
    work.poses(model, state);
    energy(model, state, &work.motion, &work.inertias).total()
}

/// Spatial chain of three rigid bodies on ball joints, spinning.
fn rigid_tree() -> Description {
    let mut out = Description::new("rigid tree");
    for i in 0..3 {
        let name = format!("b{i}");
        let body = BodyDescription::rigid(&name, 1.0, [0.02, 0.1, 0.09]).frame("in", [-0.5, 0.0, 0.0]);
        out = out.body(body.frame("out", [0.5, 0.1, 0.0]));
        let from = if i == 0 { "ground.origin".to_string() } else { format!("b{}.out", i - 1) };
        let joint = JointDescription::spherical(&format!("j{i}"), [&from, &format!("{name}.in")]);
        out = out.joint(joint.speed(&[1.0 + i as f64, -2.0, 0.5]));
    }
    out
}

fn beam(length: f64, modes: usize) -> BeamDescription {
    let section = Section::Rectangle { width_y: 0.02, height_z: 0.03 };
    let counts = ModeCounts { axial: 0, bending_y: modes, bending_z: modes, torsion: 0 };
    BeamDescription::new(length, 1200.0, 2e10, 8e9, section).modes(Boundary::ClampedFree, counts)
}

/// Two flexible links on a ball joint and a hinge.
fn flexible_tree() -> Description {
    let link = |name: &str| {
        BodyDescription::beam(name, beam(1.0, 2))
            .level(InertiaLevel::Full)
            .station("in", 0.0)
            .station("out", 1.0)
    };
    Description::new("flexible tree")
        .body(link("first"))
        .body(link("second"))
        .joint(JointDescription::spherical("ball", ["ground.origin", "first.in"]).speed(&[0.5, 1.0, -1.0]))
        .joint(JointDescription::revolute("hinge", ["first.out", "second.in"], [0.0, 1.0, 0.0]).speed(&[2.0]))
}

/// Largest energy change over `steps` steps, relative to the kinetic energy reached.
fn energy_error(description: Description, step: f64, steps: usize) -> f64 {
    let name = description.name.clone();
    let built = description.build().unwrap_or_else(|e| panic!("{name}: {e}"));
    let model = &built.model;
    let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    let mut integrator = Integrator::new(model, &preserving(step));
    let first = total_energy(model, &state, &mut work);
    let (mut worst, mut scale, mut gap) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..steps {
        integrator.step(model, &mut state, &mut work, 1e9).unwrap_or_else(|e| panic!("{name}: {e}"));
        let now = total_energy(model, &state, &mut work);
        let kinetic = energy(model, &state, &work.motion, &work.inertias).kinetic;
        worst = worst.max((now - first - integrator.work_done).abs());
        scale = scale.max(kinetic);
        if !model.loops.is_empty() {
            flexura::constraint::prepare_at(model, &state, &mut work).expect("regular");
            gap = gap.max(work.closure.largest_residual());
        }
    }
    let evaluations = integrator.statistics().evaluations as f64 / steps as f64;
    println!(
        "{name}: {steps} steps of {step} s, energy error {:.1e} of {scale:.2} J, gap {gap:.1e}, {evaluations:.1} \
         iterations per step",
        worst / scale
    );
    assert!(gap < 1e-12, "{name}: gap {gap:.1e}");
    worst / scale
}

/// Solver tolerance: rounding of ten thousand steps.
const LIMIT: f64 = 1e-10;

#[test]
fn trees_keep_their_energy() {
    assert!(energy_error(rigid_tree(), 0.005, 10_000) < LIMIT);
    assert!(energy_error(flexible_tree(), 0.0005, 10_000) < LIMIT);
}

#[test]
fn closed_loops_keep_their_energy() {
    assert!(energy_error(slider_crank(), 0.002, 10_000) < LIMIT);
    assert!(energy_error(bricard(), 0.005, 10_000) < LIMIT);
    assert!(energy_error(flexible_slider_crank(), 0.0005, 10_000) < LIMIT);
}

/// Work of a driver, a damper and modal damping is counted exactly.
#[test]
fn work_of_drivers_and_dampers_is_counted() {
    let mut description = flexible_four_bar();
    description.joints[2].coordinates = vec![CoordinateDescription { damping: 2.0, ..Default::default() }];
    assert!(energy_error(description, 2e-5, 2_000) < LIMIT);
    // The driver in the joint that closes the loop.
    let mut description = flexible_four_bar();
    description.graph.cut = vec!["drive".into()];
    assert!(energy_error(description, 2e-5, 500) < LIMIT);
}

/// Position of a frame after `end` seconds.
fn arrival(description: Description, method: MethodDescription, frame: &str, end: f64) -> [f64; 3] {
    let built = description.method(method).run_for(end).output_interval(end).build().expect("builds");
    let recording = built.simulate().expect("runs");
    ["x", "y", "z"].map(|axis| recording.last(&format!("{frame}.position.{axis}")).expect("recorded"))
}

#[test]
fn steps_are_of_second_order() {
    let cases = [(rigid_tree(), "b2.out", 0.5, 0.01), (slider_crank(), "crank.b", 0.5, 0.01)];
    let flexible =
        [(flexible_tree(), "second.out", 0.2, 0.0005), (flexible_slider_crank(), "rod.b", 0.1, 0.0005)];
    for (description, frame, end, step) in cases.into_iter().chain(flexible) {
        let name = description.name.clone();
        let exact = arrival(description.clone(), tight(), frame, end);
        let error = |h: f64| {
            let found = arrival(description.clone(), preserving(h), frame, end);
            (0..3).map(|i| (found[i] - exact[i]).powi(2)).sum::<f64>().sqrt()
        };
        let errors = [error(step), error(step / 2.0), error(step / 4.0)];
        let orders = [(errors[0] / errors[1]).log2(), (errors[1] / errors[2]).log2()];
        println!(
            "{name}: errors {:.2e} {:.2e} {:.2e}, orders {:.2} {:.2}",
            errors[0], errors[1], errors[2], orders[0], orders[1]
        );
        assert!(orders[1] > 1.8, "{name}: order {}", orders[1]);
    }
}

/// A clamped beam with one bending mode, deflected.
fn oscillator() -> Description {
    let section = Section::Rectangle { width_y: 0.02, height_z: 0.03 };
    let counts = ModeCounts { axial: 0, bending_y: 1, bending_z: 0, torsion: 0 };
    let mut beam = BeamDescription::new(1.0, 1200.0, 1e8, 4e7, section).modes(Boundary::ClampedFree, counts);
    beam.foreshortening = false;
    Description::new("oscillator")
        .gravity([0.0; 3])
        .body(BodyDescription::beam("beam", beam).station("root", 0.0))
        .joint(JointDescription::weld("clamp", ["ground.origin", "beam.root"]))
        .initial_modal("beam", &[1e-3], &[0.0])
}

/// Amplitude left after a step with Ω = ω h, measured over steps of a linear mode.
fn amplitude_factor(omega_h: f64, spectral_radius: f64) -> f64 {
    let built = oscillator().build().expect("builds");
    let model = &built.model;
    let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    work.kinematics(model, &state);
    let stiffness = model.bodies[0].stiffness.quadratic_form(&[1.0]);
    let omega = (stiffness / work.inertias.modal[0]).sqrt();
    let method = MethodDescription::EnergyMomentum { step: omega_h / omega, spectral_radius };
    let mut integrator = Integrator::new(model, &method);
    let first = total_energy(model, &state, &mut work);
    let steps = 4;
    for _ in 0..steps {
        integrator.step(model, &mut state, &mut work, 1e9).expect("regular");
    }
    (total_energy(model, &state, &mut work) / first).powf(0.5 / steps as f64)
}

/// Amplification of the θ-method whose damping begins where a step no longer resolves a mode.
fn theory(omega_h: f64, spectral_radius: f64) -> f64 {
    let most = (1.0 - spectral_radius) / (1.0 + spectral_radius);
    let theta = 0.5 * (1.0 + most * omega_h * omega_h / (1.0 + omega_h * omega_h));
    ((1.0 + ((1.0 - theta) * omega_h).powi(2)) / (1.0 + (theta * omega_h).powi(2))).sqrt()
}

const RADII: [f64; 4] = [1.0, 0.8, 0.5, 0.0];

/// Numerical damping against frequency; `FLEXURA_UPDATE=1` draws it into book/src/pictures/energy_decay.svg.
#[test]
fn decay_follows_the_amplification_of_the_method() {
    println!("{:>10} {:>10} {:>10} {:>10} {:>10}", "omega h", "rho 1", "rho 0.8", "rho 0.5", "rho 0");
    let frequencies: Vec<f64> = (0..=24).map(|i| 10f64.powf(-2.0 + i as f64 / 6.0)).collect();
    let mut measured = vec![Vec::new(); RADII.len()];
    for &omega_h in &frequencies {
        let found = RADII.map(|rho| amplitude_factor(omega_h, rho));
        println!(
            "{omega_h:>10.4} {:>10.6} {:>10.6} {:>10.6} {:>10.6}",
            found[0], found[1], found[2], found[3]
        );
        for (i, (&rho, &factor)) in RADII.iter().zip(&found).enumerate() {
            let expected = theory(omega_h, rho);
            assert!((factor - expected).abs() < 1e-8, "Ω {omega_h}, ρ {rho}: {factor} instead of {expected}");
            measured[i].push((omega_h, factor));
        }
    }
    if std::env::var_os("FLEXURA_UPDATE").is_some() {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/pictures/energy_decay.svg");
        std::fs::write(path, picture(&measured)).expect("writable folder");
    }
}

/// Curves of the theory and measured points.
fn picture(measured: &[Vec<(f64, f64)>]) -> String {
    let place = |omega_h: f64, factor: f64| (70.0 + 125.0 * (omega_h.log10() + 2.0), 330.0 - 280.0 * factor);
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"640\" height=\"400\" fill=\"white\"/>\n",
    );
    for i in 0..=4 {
        let (x, _) = place(10f64.powi(i - 2), 0.0);
        out += &format!(
            "<path d=\"M{x} 50V330\" stroke=\"#ddd\"/><text x=\"{x}\" y=\"348\" text-anchor=\"middle\">{}</text>\n",
            10f64.powi(i - 2)
        );
    }
    for i in 0..=5 {
        let (_, y) = place(1.0, 0.2 * f64::from(i));
        out += &format!(
            "<path d=\"M70 {y}H570\" stroke=\"#ddd\"/><text x=\"62\" y=\"{}\" text-anchor=\"end\">{:.1}</text>\n",
            y + 4.0,
            0.2 * f64::from(i)
        );
    }
    for (i, colour) in ["#333", "#1b7", "#27c", "#c33"].into_iter().enumerate() {
        let curve: Vec<String> = (0..=200)
            .map(|j| 10f64.powf(-2.0 + f64::from(j) / 50.0))
            .map(|omega_h| place(omega_h, theory(omega_h, RADII[i])))
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        out += &format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>\n",
            curve.join(" ")
        );
        for &(omega_h, factor) in &measured[i] {
            let (x, y) = place(omega_h, factor);
            out += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>\n");
        }
        let (_, y) = place(1.0, RADII[i]);
        out += &format!("<text x=\"578\" y=\"{:.0}\" fill=\"{colour}\">ρ = {}</text>\n", y + 4.0, RADII[i]);
    }
    out + "<text x=\"320\" y=\"375\" text-anchor=\"middle\">ω h (angular frequency × step)</text>\n\
           <text x=\"70\" y=\"32\">amplitude of a mode left after one energy-decaying step; lines: θ-method, points: measured</text>\n</svg>\n"
}

/// Energy only falls where bodies vibrate, and stays where all are rigid.
#[test]
fn decaying_steps_take_energy_from_vibrations_only() {
    let decaying = |step: f64| MethodDescription::EnergyMomentum { step, spectral_radius: 0.5 };
    for (description, step, flexible) in
        [(flexible_slider_crank(), 0.001, true), (slider_crank(), 0.002, false)]
    {
        let built = description.build().expect("builds");
        let model = &built.model;
        let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
        let mut integrator = Integrator::new(model, &decaying(step));
        let first = total_energy(model, &state, &mut work);
        let mut last = first;
        for _ in 0..1000 {
            integrator
                .step(model, &mut state, &mut work, 1e9)
                .unwrap_or_else(|e| panic!("{}: {e}", model.name));
            let now = total_energy(model, &state, &mut work);
            assert!(now <= last + 1e-12 * first.abs().max(1.0), "energy grew by {:.1e}", now - last);
            last = now;
        }
        println!("{}: energy {first:.6} to {last:.6} J", model.name);
        assert!(if flexible { last < first - 1e-6 } else { (last - first).abs() < 1e-10 });
    }
}
