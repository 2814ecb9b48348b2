//! Beams that bend far, with curvature to third order: how far they are trusted, how many points their energy needs, what is said of
//! their modes, and what does not go with them. The truth is the elastica, θ″ = −P cos θ, integrated here.

use flexura::State;
use flexura::analysis::{EquilibriumOptions, equilibrium};
use flexura::beam::{
    BeamInput, BeamMode, Boundary, ModeCounts, ModeKind, SectionProperties, Shape, bending_samples,
};
use flexura::build::Built;
use flexura::model::body::CurvatureEnergy;
use flexura::model::description::*;
use flexura::simulate::{Start, linear_range_warnings, trusted_deformation};
use flexura::{Recorder, Recording};

/// EI = 1 N m², L = 1 m, hardly any mass.
fn properties() -> SectionProperties {
    SectionProperties {
        axial: 1e6,
        torsion: 1.0,
        bending_y: 1.0,
        bending_z: 1.0,
        shear: [None; 2],
        mass: 1e-3,
        rotary: [2e-9, 1e-9, 1e-9],
    }
}

/// A cantilever under a tip force P across it.
fn cantilever(curvature: Curvature, modes: (Boundary, usize), force: f64) -> Built {
    let counts = ModeCounts { bending_y: modes.1, ..ModeCounts::default() };
    let mut beam = BeamDescription::with_properties(1.0, properties()).modes(modes.0, counts);
    beam.curvature = Some(curvature);
    Description::new("cantilever")
        .gravity([0.0; 3])
        .body(BodyDescription::beam("beam", beam).station("tip", 1.0))
        .joint(JointDescription::weld("clamp", ["ground.origin", "beam.origin"]))
        .force("load", "beam.tip", [0.0, force, 0.0], None)
        .run_for(1e-6)
        .output_interval(1e-6)
        .build()
        .expect("builds")
}

fn at_rest(built: &Built) -> State {
    let start = State::initial(&built.model, 0.0);
    equilibrium(&built.model, &start, &EquilibriumOptions::default()).expect("equilibrium").state
}

/// Deflection and slope of the tip.
fn tip(built: &Built, state: &State) -> [f64; 2] {
    let model = &built.model;
    let frame = &model.frames[model.frame("beam.tip").expect("the tip").0];
    let attachment = &model.bodies[0].attachments[frame.mount.attachment];
    let (rotation, position) = attachment.deformed_frame(&state.q[model.layout.bodies[0].modal_q()]);
    [position[1], rotation[1][0].atan2(rotation[0][0])]
}

/// Tip deflection of the elastica, by shooting with the midpoint rule.
fn elastica(force: f64) -> f64 {
    const STEPS: usize = 20_000;
    let h = 1.0 / STEPS as f64;
    let shoot = |start: f64| {
        (0..STEPS).fold([0.0, start, 0.0], |[angle, curvature, w]: [f64; 3], _| {
            let (middle, half) = (angle + 0.5 * h * curvature, curvature - 0.5 * h * force * angle.cos());
            [angle + h * half, curvature - h * force * middle.cos(), w + h * middle.sin()]
        })
    };
    let (mut low, mut high) = (0.0, 2.0 * force);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[1] > 0.0 { high = middle } else { low = middle }
    }
    shoot(low)[2]
}

/// Relative error of the deflection where the tip has turned by `slope`.
fn error_at(curvature: Curvature, slope: f64) -> f64 {
    let (mut low, mut high) = (0.0, 4.0);
    for _ in 0..40 {
        let force = 0.5 * (low + high);
        let built = cantilever(curvature, (Boundary::InterfaceStatic, 5), force);
        if tip(&built, &at_rest(&built))[1] > slope { high = force } else { low = force }
    }
    let built = cantilever(curvature, (Boundary::InterfaceStatic, 5), low);
    (tip(&built, &at_rest(&built))[0] / elastica(low) - 1.0).abs()
}

/// The limit of beams with curvature to third order is where their error has grown to that of linear ones at theirs.
#[test]
fn curved_beams_are_trusted_as_far_as_linear_ones_err() {
    use Curvature::{Linear, ThirdOrder};
    let limit = |curvature| {
        let built = cantilever(curvature, (Boundary::InterfaceStatic, 5), 0.1);
        trusted_deformation(&built.model.bodies[0])[0]
    };
    let (linear, curved) = (limit(Linear), limit(ThirdOrder));
    let errors = [error_at(Linear, linear), error_at(ThirdOrder, curved), error_at(ThirdOrder, 1.5 * curved)];
    println!("errors {errors:.4?} at slopes {linear}, {curved} and half more");
    assert!(curved > 2.0 * linear);
    assert!(errors[1] <= errors[0], "{errors:?}");
    assert!(errors[2] > errors[0], "the limit may be wider: {errors:?}");
}

#[test]
fn warnings_know_the_curvature() {
    let between = |curvature| {
        let built = cantilever(curvature, (Boundary::InterfaceStatic, 5), 0.8);
        let state = at_rest(&built);
        let [_, slope] = tip(&built, &state);
        assert!(slope > 0.3 && slope < 0.45, "{slope}");
        linear_range_warnings(&built.model, &state).len()
    };
    assert!(between(Curvature::Linear) > 0);
    assert_eq!(between(Curvature::ThirdOrder), 0);
    let far = cantilever(Curvature::ThirdOrder, (Boundary::InterfaceStatic, 5), 2.0);
    assert!(!linear_range_warnings(&far.model, &at_rest(&far)).is_empty());
}

/// What the run says of the modes of the beam at rest: (share that is missing, words).
fn verdict(curvature: Curvature, modes: (Boundary, usize), force: f64) -> (f64, String) {
    let built = cantilever(curvature, modes, force);
    let mut recorder = Recorder::new(&built.model, &["beam.tip.position.y".to_string()]).expect("a channel");
    let mut rows = Recording::new(recorder.channels());
    let (settings, start) = (&built.description.simulation, Start::State(at_rest(&built)));
    let run = flexura::simulate::run_kept;
    let outcome =
        run(&built.model, settings, start, &mut recorder, &mut rows, &mut |_| true, &mut ()).expect("a run");
    let found = outcome.modes.iter().find(|found| found.missing.is_some()).expect("judged");
    (found.missing.unwrap_or(f64::NAN), found.to_string())
}

/// Shapes of the tip carry a tip force whatever the deflection: nothing is missing, and no other boundary is advised. One mode of a
/// cantilever lacks as much of the force far from straight as near it.
#[test]
fn modes_of_far_bent_beams_are_judged_by_their_own_moments() {
    use Curvature::ThirdOrder;
    for force in [0.05, 0.5, 1.0, 1.5] {
        let (missing, words) = verdict(ThirdOrder, (Boundary::InterfaceStatic, 5), force);
        println!("P {force}: {missing:.2e} missing");
        assert!(missing < 1e-3, "P {force}: {words}");
    }
    let few = [0.05, 1.0].map(|force| verdict(ThirdOrder, (Boundary::ClampedFree, 1), force));
    let advice = few.each_ref().map(|(_, words)| words.rsplit("): ").next().unwrap_or_default());
    println!("one mode: {few:?}");
    assert!(few[0].0 > 0.02 && (few[1].0 / few[0].0 - 1.0).abs() < 0.3, "{few:?}");
    assert!(advice.iter().all(|words| *words == advice[0]), "{advice:?}");
}

/// Stiffness of a fast mode on a bent beam: its second difference on the energy, with the points of its own and with those
/// that a mode of number 60, which stands still, brings along.
#[test]
fn fast_modes_have_points_enough() {
    let mode = |n| BeamMode { kind: ModeKind::BendingY, shape: Shape::ClampedFreeBending(n) };
    for fast in [4, 12, 16, 20, 30] {
        let stiffness = |silent: bool| {
            let modes: Vec<_> = [1, 2, fast].into_iter().chain(silent.then_some(60)).map(mode).collect();
            let eta = |x: f64| [vec![0.15, 0.03, x], vec![0.0; modes.len() - 3]].concat();
            let input = BeamInput {
                length: 1.3,
                properties: properties(),
                modes: modes.clone(),
                foreshortening: true,
                finite_turns: true,
                mass_stations: None,
            };
            let samples = bending_samples(&input).expect("samples");
            let energy = CurvatureEnergy::new(&samples).expect("it bends");
            let (step, points) = (1e-4, samples.weights.len());
            let at = |x: f64| energy.energy(&eta(x));
            ((at(step) + at(-step) - 2.0 * at(0.0)) / (step * step), points)
        };
        let ((few, points), (many, more)) = (stiffness(false), stiffness(true));
        println!("mode {fast}: {few:.6e} with {points} points, {many:.6e} with {more}");
        assert!(more > 2 * points || fast > 16, "{more} {points}");
        assert!((few / many - 1.0).abs() < 1e-3, "mode {fast}: {few} {many}");
    }
}
