//! Rotating cantilever at high speed and on a hub (gamma = Ω √(ρA L⁴/EI), delta = hub radius / L): flap and
//! chord frequencies against converged Ritz values of the exact rotating-beam problem, as tabulated by Wright
//! et al. (J. Appl. Mech. 49, 1982) and Yoo & Shin (J. Sound Vib. 212, 1998).

use flexura::analysis::{EquilibriumOptions, equilibrium, linearize, modes};
use flexura::beam::{BeamMode, Boundary, ModeCounts, ModeKind, Section, SectionConstants, Shape};
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura::{Model, State};

const BENDING: usize = 10;

/// s² P_k(2s − 1), P the Legendre polynomials: the boundary layer of a fast beam, 1/gamma thick, needs more
/// than its eigenfunctions at rest.
fn clamped_legendre(k: usize) -> Vec<f64> {
    let x = |p: &[f64]| {
        // (2s − 1) p(s)
        let mut out = vec![0.0; p.len() + 1];
        for (i, c) in p.iter().enumerate() {
            out[i] -= c;
            out[i + 1] += 2.0 * c;
        }
        out
    };
    let (mut last, mut here) = (vec![0.0], vec![1.0]);
    for n in 0..k {
        // (n + 1) P_{n+1} = (2n + 1) x P_n − n P_{n−1}
        let mut next: Vec<f64> = x(&here).iter().map(|c| c * (2 * n + 1) as f64 / (n + 1) as f64).collect();
        for (slot, c) in next.iter_mut().zip(&last) {
            *slot -= c * n as f64 / (n + 1) as f64;
        }
        (last, here) = (here, next);
    }
    [vec![0.0, 0.0], here].concat()
}

/// EI = ρA = L = 1; with a slenderness √(EA L²/EI) the beam stretches, else it does not.
fn spinning_beam(speed: f64, hub: f64, slenderness: Option<f64>, level: InertiaLevel) -> Model {
    let (young, inertia) = slenderness.map_or((1e8, 1e-8), |s| (s * s, 1.0 / (s * s)));
    // The planes differ by 1e-6 only to keep their modes apart.
    let constants = SectionConstants {
        area: 1.0,
        inertia_y: inertia,
        inertia_z: inertia * (1.0 + 1e-6),
        torsion: inertia,
    };
    let axial = if slenderness.is_some() { 6 } else { 0 };
    let counts = ModeCounts { axial, ..Default::default() };
    let mut beam = BeamDescription::new(1.0, 1.0, young, 0.4 * young, Section::General(constants))
        .modes(Boundary::ClampedFree, counts);
    for kind in [ModeKind::BendingY, ModeKind::BendingZ] {
        let shape = |k: usize| BeamMode { kind, shape: Shape::Polynomial(clamped_legendre(k)) };
        beam.modes.extend((0..BENDING).map(shape));
    }
    beam.rotary_inertia = false;
    let motion = TimeFunction::Polynomial { coefficients: vec![0.0, speed] };
    Description::new("spinning beam")
        .gravity([0.0; 3])
        .body(BodyDescription::beam("beam", beam).level(level).frame("axis", [-hub, 0.0, 0.0]))
        .joint(
            JointDescription::revolute("hub", ["ground.origin", "beam.axis"], [0.0, 0.0, 1.0]).motion(motion),
        )
        .build()
        .expect("valid")
        .model
}

/// Lowest frequency of a mode with more than half of its size in the coordinates of `range`.
fn first_frequency(model: &Model, state: &State, range: std::ops::Range<usize>) -> f64 {
    let list = modes(&linearize(model, state, &[], &[]).expect("linear system")).expect("modes");
    let share = |shape: &[(f64, f64)]| {
        let size = |i: usize| shape[i].0.powi(2) + shape[i].1.powi(2);
        range.clone().map(size).sum::<f64>() / (0..shape.len()).map(size).sum::<f64>()
    };
    let inside = list.iter().filter(|mode| share(&mode.shape) > 0.5 && mode.imaginary > 0.0);
    inside.map(|mode| mode.imaginary).fold(f64::INFINITY, f64::min)
}

fn settled(model: &Model) -> State {
    let start = State::initial(model, 0.0);
    equilibrium(model, &start, &EquilibriumOptions::default()).expect("relative equilibrium").state
}

/// Flap and chord without stretch: 0.5 %.
#[test]
fn fast_and_on_a_hub_without_stretch() {
    let table = [
        (50.0, 0.0, 51.07983, 10.44742),
        (2.0, 1.0, 4.83369, 4.40052),
        (10.0, 1.0, 16.60636, 13.25788),
        (50.0, 1.0, 79.33146, 61.59124),
        (10.0, 5.0, 29.47445, 27.72622),
    ];
    for (speed, hub, flap, chord) in table {
        let model = spinning_beam(speed, hub, None, InertiaLevel::Gram);
        let state = settled(&model);
        let found = [
            first_frequency(&model, &state, BENDING..2 * BENDING),
            first_frequency(&model, &state, 0..BENDING),
        ];
        println!(
            "gamma {speed}, delta {hub}: flap {:.5} ({flap}), chord {:.5} ({chord})",
            found[0], found[1]
        );
        assert!((found[0] / flap - 1.0).abs() < 5e-3 && (found[1] / chord - 1.0).abs() < 5e-3, "{found:?}");
    }
}

/// Chord with gyroscopic stretch coupling at slenderness 70: 0.5 %. The reference linearises about the beam
/// without stretch, as level `consistent` does by leaving the stretch out of its modal mass. Levels `gram` and
/// `full` linearise about the stretched beam (0.7 % at gamma 10) and agree with each other.
#[test]
fn fast_and_on_a_hub_with_stretch() {
    for (speed, hub, chord) in [
        (2.0, 0.0, 3.61957),
        (10.0, 0.0, 4.97002),
        (50.0, 0.0, 7.33448),
        (2.0, 1.0, 4.39780),
        (10.0, 1.0, 13.04816),
        (50.0, 1.0, 41.23232),
    ] {
        let chord_at = |level| {
            let model = spinning_beam(speed, hub, Some(70.0), level);
            first_frequency(&model, &settled(&model), 6..6 + BENDING)
        };
        let found = chord_at(InertiaLevel::Consistent);
        let [gram, full] = [InertiaLevel::Gram, InertiaLevel::Full].map(chord_at);
        println!("gamma {speed}, delta {hub}: stretched {gram:.5}, full {full:.5}");
        assert!((gram / full - 1.0).abs() < 1e-5, "{gram} {full}");
        println!("gamma {speed}, delta {hub}: chord {found:.5} ({chord})");
        assert!((found / chord - 1.0).abs() < 5e-3, "{found}");
    }
}
