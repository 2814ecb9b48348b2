//! Beams split into segments: the same as a chain welded by hand, names and loads, and large deflections.

use flexura::analysis::{EquilibriumOptions, equilibrium, neglected_stiffening};
use flexura::beam::{Boundary, ModeCounts, SEGMENT_MODES, Section, SectionConstants, SectionProperties};
use flexura::build::Built;
use flexura::file::{build_text, load_model};
use flexura::model::description::*;
use flexura::record::Recorder;
use flexura::{State, Workspace, evaluate};

const LENGTH: f64 = 1.2;
const COUNT: usize = 4;

fn section() -> Section {
    Section::Rectangle { width_y: 0.02, height_z: 0.03 }
}

fn beam(length: f64) -> BeamDescription {
    BeamDescription::new(length, 2700.0, 7e9, 2.7e9, section()).shear_area([5e-4, 4e-4])
}

fn line_load(body: &str, name: &str, span: (f64, f64), force: [[f64; 3]; 2]) -> LoadDescription {
    let kind = LoadKind::Line { span: (span.0, Some(span.1)), force, axes: LoadAxes::Follower };
    LoadDescription { name: name.into(), body: body.into(), kind, scale: None }
}

/// A load that grows from 0.5 to 1.1 m of the beam.
fn growing(x: f64) -> [f64; 3] {
    [0.3, 2.0 * (x - 0.5) / 0.6, -1.0]
}

/// A beam on a hinge with a frame inside it, a force, a mass and a load: split by the program.
fn split() -> Description {
    let mut system = Description::new("split")
        .body(
            BodyDescription::beam("beam", beam(LENGTH).segments(COUNT))
                .station("middle", 0.7)
                .station("tip", LENGTH),
        )
        .body(BodyDescription::point_mass("payload", 0.4))
        .joint(JointDescription::revolute("hinge", ["ground.origin", "beam.origin"], [0.0, 0.0, 1.0]))
        .joint(JointDescription::weld("grip", ["beam.tip", "payload.origin"]))
        .force("push", "beam.middle", [0.2, 1.5, -0.7], None);
    system.loads.push(line_load("beam", "wind", (0.5, 1.1), [growing(0.5), growing(1.1)]));
    system
}

/// The same, welded by hand.
fn by_hand() -> Description {
    let length = LENGTH / COUNT as f64;
    let mut system = Description::new("by hand");
    for i in 0..COUNT {
        let piece = beam(length).modes(Boundary::InterfaceStatic, SEGMENT_MODES);
        let mut body = BodyDescription::beam(&format!("piece{i}"), piece).station("end", length);
        body = body.level(InertiaLevel::Full);
        if i == 2 {
            // 0.7 m lie 0.1 m inside the third piece.
            body = body.station("middle", (0.7 / length - 2.0) * length);
        }
        system = system.body(body);
    }
    system = system
        .body(BodyDescription::point_mass("payload", 0.4))
        .joint(JointDescription::revolute("hinge", ["ground.origin", "piece0.origin"], [0.0, 0.0, 1.0]))
        .joint(JointDescription::weld("grip", ["piece3.end", "payload.origin"]));
    for i in 1..COUNT {
        let (inner, outer) = (format!("piece{}.end", i - 1), format!("piece{i}.origin"));
        system = system.joint(JointDescription::weld(&format!("weld{i}"), [&inner, &outer]));
    }
    system = system.force("push", "piece2.middle", [0.2, 1.5, -0.7], None);
    for i in 1..COUNT {
        let (from, to) = ((i as f64 * length).max(0.5), ((i + 1) as f64 * length).min(1.1));
        let local = |x: f64| x - i as f64 * length;
        let force = [growing(from), growing(to)];
        system.loads.push(line_load(
            &format!("piece{i}"),
            &format!("wind{i}"),
            (local(from), local(to)),
            force,
        ));
    }
    system
}

/// Speeds and modal coordinates that differ from each other and are small enough for linear modes.
fn disturbed(built: &Built) -> State {
    let mut state = State::initial(&built.model, 0.0);
    let wave = |i: usize, size: f64| size * (0.7 + 1.3 * i as f64).sin();
    (0..state.q.len()).for_each(|i| state.q[i] = wave(i, 2e-3));
    (0..state.v.len()).for_each(|i| state.v[i] = wave(i, 0.3));
    state
}

fn accelerations(built: &Built) -> Vec<f64> {
    let mut work = Workspace::new(&built.model);
    evaluate(&built.model, &disturbed(built), &mut work).expect("evaluates");
    work.accelerations.chidot.clone()
}

/// Ends of the pieces differ in the last bit (1.2/4 and 0.1 inside it), so: to rounding.
#[test]
fn segments_are_a_welded_chain() {
    let (split, hand) = (split().build().expect("split"), by_hand().build().expect("by hand"));
    let (a, b) = (accelerations(&split), accelerations(&hand));
    assert_eq!(a.len(), 6 * COUNT + 1);
    let size = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let apart = a.iter().zip(&b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
    assert!(apart <= 1e-11 * size, "{apart:e} of {size:e}");
}

/// Without loads and inner frames there is nothing to round: every bit agrees.
#[test]
fn a_bare_chain_agrees_bit_by_bit() {
    let bare = |mut system: Description| {
        (system.forces, system.loads) = (Vec::new(), Vec::new());
        system.bodies.iter_mut().for_each(|body| body.frames.retain(|frame| frame.name != "middle"));
        accelerations(&system.build().expect("builds"))
    };
    let (a, b) = (bare(split()), bare(by_hand()));
    assert!(a.iter().zip(&b).all(|(x, y)| x.to_bits() == y.to_bits()));
}

/// The welded bar of the repository's example in one line.
#[test]
fn the_compressed_bar_in_one_line() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/compressed_bar.toml");
    let pieces = load_model(path).expect("sound").built;
    let text = "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"bar\"\nlevel = \"gram\"\n[body.beam]\nlength = 4.0\ndensity = 1.0\nyoung = \
                1.0\nshear = 1.0\nsection = { area = 1.0, inertia_y = 1.0, inertia_z = 1.0, torsion = 1.0 }\nsegments = \
                4\nboundary = \"clamped-free\"\naxial = 4\n[[joint]]\nname = \"clamp\"\ntype = \"weld\"\nbetween = \
                [\"ground.origin\", \"bar.origin\"]\n[simulation]\nend = 10\n[[simulation.initial]]\nbody = \
                \"bar\"\nmodal_position = [-8.105694691387e-03, 9.006327434874e-04, -3.242277876555e-04, 1.654223406406e-04]\n";
    let loaded = build_text(text, "bar.toml").expect("sound");
    assert!(loaded.warnings.iter().any(|found| found.code == "segments-without-strain"));
    let bar = loaded.built;
    assert_eq!(bar.model.initial_q, pieces.model.initial_q);
    let rate = |built: &Built| {
        let mut work = Workspace::new(&built.model);
        evaluate(&built.model, &State::initial(&built.model, 0.0), &mut work).expect("evaluates");
        work.accelerations.chidot.clone()
    };
    assert!(rate(&bar).iter().zip(rate(&pieces)).all(|(x, y)| x.to_bits() == y.to_bits()));
}

#[test]
fn names_of_the_user_stay() {
    let model = split().build().expect("builds").model;
    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["beam.1", "beam.2", "beam.3", "beam.4"]);
    for (frame, body) in [("beam.origin", 0), ("beam.middle", 2), ("beam.tip", 3), ("beam.1.end", 0)] {
        let found = &model.frames[model.frame(frame).unwrap_or_else(|| panic!("no {frame}")).0];
        assert_eq!(found.body.map(|body| body.0), Some(body), "{frame}");
    }
    let channels = flexura::record::all_channels(&model);
    for name in [
        "beam.position.x",
        "beam.tip.position.y",
        "beam.3.eta.2",
        "beam.weld.2.moment.z",
        "wind.2.load_power",
    ] {
        assert!(channels.iter().any(|channel| channel.name == name), "no channel {name}");
    }
}

/// Every tree of coordinates starts from the same poses and accelerates alike.
#[test]
fn absolute_coordinates_agree() {
    let tip = |tree: TreeChoice| {
        let mut system = split();
        system.graph.tree = tree;
        let built = system.build().expect("builds");
        let row = sample(&built, &State::initial(&built.model, 0.0), "beam.tip.*");
        assert_eq!(row.len(), 19);
        row
    };
    let (joint, absolute) = (tip(TreeChoice::Joint), tip(TreeChoice::Absolute));
    for (a, b) in joint.iter().zip(&absolute) {
        assert!((a - b).abs() < 1e-8 * a.abs().max(1.0), "{joint:?} {absolute:?}");
    }
}

/// Channels matching `pattern` at `state`.
fn sample(built: &Built, state: &State, pattern: &str) -> Vec<f64> {
    let mut recorder = Recorder::new(&built.model, &[pattern.to_string()]).expect("channels");
    let mut row = vec![0.0; recorder.channels().len() + 1];
    let mut work = Workspace::new(&built.model);
    recorder.sample(&built.model, state, 0.0, &mut work, &mut row).expect("row");
    row.split_off(1)
}

/// A free segmented beam that bends and tumbles keeps energy and momentum.
#[test]
fn a_free_beam_keeps_energy_and_momentum() {
    let system = Description::new("free")
        .gravity([0.0; 3])
        .body(BodyDescription::beam("beam", beam(LENGTH).segments(3)))
        .joint(
            JointDescription::free("float", ["ground.origin", "beam.origin"])
                .speed(&[1.0, -2.0, 3.0, 0.1, 0.2, -0.1]),
        )
        .initial_modal("beam", &[0.0, 0.004, 0.01, -0.003, 0.005, 0.01], &[])
        .run_for(0.05)
        .output_interval(0.005);
    let result = system.build().expect("builds").simulate().expect("runs");
    let total = result.last("energy.total").expect("energy");
    assert!(result.last("energy.balance").expect("balance").abs() < 1e-7 * total.abs());
    for axis in ["linear.x", "linear.z", "angular.x", "angular.y", "angular.z"] {
        let values = result.channel(&format!("momentum.{axis}")).expect("recorded");
        let change = values.iter().fold(0.0_f64, |m, x| m.max((x - values[0]).abs()));
        assert!(change < 1e-7 * total.abs(), "{axis}: {change:e}");
    }
}

/// Tip of a cantilever at rest under a force (N).
fn tip_at_rest(beam: BeamDescription, force: [f64; 3]) -> [f64; 3] {
    let length = beam.length;
    let body = BodyDescription::beam("beam", beam).station("tip", length);
    let built = Description::new("cantilever")
        .gravity([0.0; 3])
        .body(body)
        .joint(JointDescription::weld("clamp", ["ground.origin", "beam.origin"]))
        .force("load", "beam.tip", force, None)
        .build()
        .expect("builds");
    let start = State::initial(&built.model, 0.0);
    let found = equilibrium(&built.model, &start, &EquilibriumOptions::default()).expect("equilibrium");
    let row = sample(&built, &found.state, "beam.tip.position.?");
    [row[0], row[1], row[2]]
}

/// EI = L = 1, stiff along the axis and in shear.
fn slender() -> SectionProperties {
    let rotary = [2e-4, 1e-4, 1e-4];
    let shear = [None; 2];
    SectionProperties { axial: 1e9, torsion: 1.0, bending_y: 1.0, bending_z: 1.0, shear, mass: 1.0, rotary }
}

/// Elastica (elliptic integrals) at P L²/EI = 10: w/L = 0.8106090, u/L = 0.5549956. Within 0.5 % with 16 segments, and the
/// error falls at least with the square of their number.
#[test]
fn the_elastica_converges_at_least_quadratically() {
    let error = |count: usize| {
        let [x, y, _] =
            tip_at_rest(BeamDescription::with_properties(1.0, slender()).segments(count), [0.0, 10.0, 0.0]);
        (y / 0.810_609_0 - 1.0).abs().max(((1.0 - x) / 0.554_995_6 - 1.0).abs())
    };
    let errors = [8, 16, 32].map(error);
    println!("elastica, 8, 16, 32 segments: {errors:?}");
    assert!(errors[1] < 5e-3);
    assert!(errors[0] / errors[1] > 4.0 && errors[1] / errors[2] > 4.0, "{errors:?}");
}

/// The bend of 45 degrees (Bathe & Bolourchi 1979) with J = 1/6: tip at (47.1501, 15.6847, 53.4755), within 1 %.
#[test]
fn the_bend_of_45_degrees() {
    let (young, shear) = (1e7, 5e6 * 5.0 / 6.0);
    let inertia = 1.0 / 12.0;
    let properties = SectionProperties {
        axial: young,
        torsion: young * inertia,
        bending_y: young * inertia,
        bending_z: young * inertia,
        shear: [Some(shear); 2],
        mass: 1.0,
        rotary: [2.0 * inertia, inertia, inertia],
    };
    let quarter = std::f64::consts::FRAC_PI_4;
    let mut beam = BeamDescription::with_properties(100.0 * quarter, properties).segments(8);
    beam.arc = [quarter, 0.0];
    let tip = tip_at_rest(beam, [0.0, 0.0, 600.0]);
    println!("tip of the bend with 8 segments: {tip:.4?}");
    for (found, exact) in tip.iter().zip([47.1501, 15.6847, 53.4755]) {
        assert!((found / exact - 1.0).abs() < 0.01, "{tip:?}");
    }
}

/// A short cantilever bends and shears: P L³/3EI + P L/kGA, exactly with one segment and with four.
#[test]
fn shear_adds_to_the_deflection() {
    let properties = SectionProperties { shear: [Some(5.0), Some(8.0)], ..slender() };
    for count in [1, 4] {
        let force = 1e-6;
        let beam = || BeamDescription::with_properties(1.0, properties).segments(count);
        let (y, z) = (tip_at_rest(beam(), [0.0, force, 0.0])[1], tip_at_rest(beam(), [0.0, 0.0, force])[2]);
        for (found, shear) in [(y, 5.0), (z, 8.0)] {
            let exact = force * (1.0 / 3.0 + 1.0 / shear);
            assert!((found / exact - 1.0).abs() < 1e-9, "{count} segments: {found:e} {exact:e}");
        }
    }
}

fn spinning(foreshortening: bool, speed: f64) -> Built {
    let unit = Section::General(SectionConstants { area: 1.0, inertia_y: 1.0, inertia_z: 1.0, torsion: 1.0 });
    let counts = ModeCounts { bending_y: 1, ..ModeCounts::default() };
    let mut beam = BeamDescription::new(1.0, 1.0, 1.0, 1.0, unit).modes(Boundary::ClampedFree, counts);
    (beam.foreshortening, beam.rotary_inertia) = (foreshortening, false);
    Description::new("spinning")
        .gravity([0.0; 3])
        .body(BodyDescription::beam("beam", beam))
        .joint(
            JointDescription::revolute("hub", ["ground.origin", "beam.origin"], [0.0, 0.0, 1.0])
                .speed(&[speed]),
        )
        .run_for(1.0)
        .build()
        .expect("builds")
}

/// A unit cantilever at 6 rad/s: 3.516 rad/s without and 7.438 rad/s with stiffening (flap, one mode).
#[test]
fn neglected_stiffening_is_found() {
    assert!(neglected_stiffening(&spinning(true, 6.0)).is_empty());
    let found = neglected_stiffening(&spinning(false, 6.0));
    let exact = (7.438_f64 / 3.516).powi(2) - 1.0;
    assert_eq!((found.len(), found[0].body.as_str(), found[0].spin), (1, "beam", 6.0));
    assert!((found[0].ratio / exact - 1.0).abs() < 1e-3, "{found:?} {exact}");
    assert!(neglected_stiffening(&spinning(false, 0.0))[0].ratio == 0.0);
}
