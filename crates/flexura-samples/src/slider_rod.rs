//! Flexible mechanisms of published benchmark problems.

use flexura::beam::{Boundary, ModeCounts, Section, SectionConstants};
use flexura::model::description::*;
use flexura::model::invariants::ModalInvariants;
use flexura::time_function::TimeFunction;
use flexura::{Model, State, Workspace};
use std::f64::consts::PI;

const Z: [f64; 3] = [0.0, 0.0, 1.0];
const CRANK: f64 = 0.15;
const ROD: f64 = 0.30;

/// Slider-crank with a flexible rod (Simeon 1996; Mazzia & Magherini, Test Set for IVP Solvers, problem CRANK): two
/// lateral sine shapes and a quadratic stretch. The reduced model as given there, whose stretch is fifteen times
/// heavier than that of a bar.
pub fn simeon() -> Description {
    let (young, density, side) = (2.0e11, 7870.0, 0.008);
    let (area, lateral) = (side * side, (side / ROD) * (side / ROD));
    let (volume, mass) = (area * ROD, density * area * ROD);
    let mut sums = ModalInvariants::zero(4);
    sums.mass = 0.151104;
    sums.moment0 = [0.5 * ROD * sums.mass, 0.0, 0.0];
    // Out of the plane nothing turns; the numbers there only keep the body regular.
    let about = 0.0045339259;
    sums.inertia0 = [0.5 * about, 0.0, 0.0, 0.5 * about, 0.0, about];
    let modal: [[f64; 4]; 4] =
        [[0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 8.0, 1.0], [0.0, 0.0, 1.0, 2.0]];
    let along = [0.0, 0.0, 2.0 / 3.0, 1.0 / 6.0];
    let across = [2.0 / PI, 0.0, 0.0, 0.0];
    let lengthened = [0.0, 0.0, ROD / 3.0, ROD / 6.0];
    let turned = [ROD / PI, -0.5 * ROD / PI, 0.0, 0.0];
    let bend = 8.0 / PI.powi(3) - 1.0 / PI;
    let stretch = 16.0 / PI.powi(3);
    // Row: coordinate, column: rate.
    let mixed = [
        [0.0, 0.0, -stretch, bend],
        [0.0, 0.0, 0.0, 0.5 / PI],
        [stretch, 0.0, 0.0, 0.0],
        [-bend, -0.5 / PI, 0.0, 0.0],
    ];
    let rho = density * volume;
    for r in 0..4 {
        sums.moment1[r] = [rho * along[r], rho * across[r], 0.0];
        sums.inertia1[r] = [0.0, 0.0, 0.0, 0.0, 0.0, 2.0 * rho * lengthened[r]];
        sums.angular0[r] = [0.0, 0.0, rho * turned[r]];
        for s in 0..4 {
            sums.modal[4 * r + s] = mass * modal[r][s];
            sums.inertia2[4 * r + s] = [0.0, 0.0, 0.0, 0.0, 0.0, mass * modal[r][s]];
            sums.angular1[4 * r + s] = [0.0, 0.0, rho * mixed[s][r]];
        }
    }
    let unit = young * area / ROD;
    let mut stiffness = vec![0.0; 16];
    stiffness[0] = unit * PI.powi(4) / 24.0 * lateral;
    stiffness[5] = unit * PI.powi(4) * 2.0 / 3.0 * lateral;
    (stiffness[10], stiffness[15]) = (unit * 16.0 / 3.0, unit * 7.0 / 3.0);
    (stiffness[11], stiffness[14]) = (-unit * 8.0 / 3.0, -unit * 8.0 / 3.0);
    let mut tip = NodeDescription { name: "tip".into(), position: [ROD, 0.0, 0.0], ..Default::default() };
    tip.slopes = vec![[0.0; 3]; 4];
    tip.translations = vec![[0.0; 3], [0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]];
    let rod = ModalDescription {
        modes: 4,
        nodes: vec![tip],
        stiffness,
        invariants: Some(sums),
        ..Default::default()
    };
    let turn = TimeFunction::Polynomial { coefficients: vec![0.0, 150.0] };
    let hinge = |name: &str, ends: [&str; 2]| JointDescription::revolute(name, ends, Z);
    let mut description = Description::new("Simeon's slider-crank");
    // The slider's place is a coordinate of the tree, as in the test set.
    description.graph.cut = vec!["pin".into()];
    description
        .gravity([0.0; 3])
        .body(
            BodyDescription::rigid("crank", 0.36, [1e-4, 0.002727, 0.002727]).frame("pin", [CRANK, 0.0, 0.0]),
        )
        .body(BodyDescription::modal("rod", rod).frame_at(
            "tip",
            Place::Node("tip".into()),
            [0.0; 3],
            RotationDescription::Identity,
        ))
        .body(BodyDescription::rigid("slider", 0.075552, [1e-4; 3]))
        .joint(hinge("drive", ["ground.origin", "crank.origin"]).motion(turn))
        .joint(hinge("knee", ["crank.pin", "rod.origin"]))
        .joint(
            JointDescription::prismatic("slide", ["ground.origin", "slider.origin"], [1.0, 0.0, 0.0])
                .position(&[CRANK + ROD]),
        )
        .joint(hinge("pin", ["rod.tip", "slider.origin"]))
}

/// The first set of initial values of the test set, put on the constraints to rounding.
pub fn simeon_start(model: &Model) -> State {
    let mut state = State::initial(model, 0.0);
    let [rod, slider] =
        ["knee", "slide"].map(|name| &model.layout.bodies[model.joint(name).expect("branch").0]);
    state.q[rod.modal_q()].copy_from_slice(&[0.0, 0.0, 1.03339863e-5, 1.69327969e-5]);
    state.v[rod.modal_v()].copy_from_slice(&[0.444896105, 4.63434311e-3, -1.78591076e-6, -2.68938672e-6]);
    state.q[rod.joint_q().start] = 0.0;
    state.v[rod.joint_v().start] = -74.9957670 - 150.0;
    state.q[slider.joint_q().start] = 0.450016933;
    state.v[slider.joint_v().start] = -2.68938672e-6;
    let mut work = Workspace::new(model);
    flexura::state::prescribe::apply_prescribed(model, &mut state, Some(&mut work.load));
    flexura::constraint::project(model, &mut state, &mut work).expect("closed");
    state
}

/// Four-bar whose hinge at the far corner is tilted by 5° towards the second upright bar (Bauchau, IFToMM library of
/// flexible benchmarks): bars of 0.12, 0.24 and 0.12 m, the first driven at −0.6 rad/s.
pub fn misaligned_four_bar() -> Description {
    let young = 2.0e11;
    let bar = |name: &str, length: f64, [axial, torsion, bending, line]: [f64; 4]| {
        let area = axial / young;
        let shear = young / 2.6;
        let inertia = bending / young;
        let constants =
            SectionConstants { area, inertia_y: inertia, inertia_z: inertia, torsion: torsion / shear };
        let counts = ModeCounts { axial: 1, bending_y: 3, bending_z: 3, torsion: 1 };
        let mut beam = BeamDescription::new(length, line / area, young, shear, Section::General(constants))
            .modes(Boundary::InterfaceStatic, counts);
        // The motion is slow; vibration of the sudden start is not the subject.
        beam.damping = DampingDescription::KelvinVoigt { time: 1e-4 };
        let mut body = BodyDescription::beam(name, beam).station("tip", length);
        // Light about its own axis: deflections of millimetres count in that inertia.
        body.level = Some(InertiaLevel::Full);
        body
    };
    let thick = [52.99e6, 733.5, 1131.0, 1.997];
    let thin = [13.25e6, 45.84, 70.66, 0.4992];
    let turn = TimeFunction::Polynomial { coefficients: vec![std::f64::consts::FRAC_PI_2, -0.6] };
    let tilt = 5.0_f64.to_radians();
    let hinge = |name: &str, ends: [&str; 2], angle: f64| {
        JointDescription::revolute(name, ends, Z).position(&[angle])
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    // Parallel to the coupler at the start, so that the tilted axis has the same components on both sides.
    let level = RotationDescription::AxisAngle { axis: Z, angle: -quarter };
    let right = bar("right", 0.12, thin).frame_at("end", Place::Station(0.12), [0.0; 3], level);
    Description::new("misaligned four-bar")
        .gravity([0.0; 3])
        .ground_frame("d", [0.24, 0.0, 0.0])
        .body(bar("left", 0.12, thick))
        .body(bar("coupler", 0.24, thick))
        .body(right)
        .joint(JointDescription::revolute("a", ["ground.origin", "left.origin"], Z).motion(turn))
        .joint(hinge("b", ["left.tip", "coupler.origin"], -quarter))
        .joint(hinge("d", ["ground.d", "right.origin"], quarter))
        .joint(JointDescription::revolute("c", ["coupler.tip", "right.end"], [0.0, -tilt.sin(), tilt.cos()]))
}
