//! Modes of rotors that turn: multi-blade coordinates and Floquet's method against equations written by hand, against each other,
//! and against coordinates in which the system is constant anyway.

use flexura::analysis::{
    AnalysisError, Mode, RotorMethod, RotorMode, RotorModes, RotorPattern, WhirlDirection, eigenvalues,
    linearize, modes, rotor_modes, suited_rotor_method,
};
use flexura::file::build_text;
use flexura::{Model, State};
use nalgebra::{SMatrix, SVector};

fn model(text: &str) -> Model {
    build_text(text, "rotor.toml").unwrap_or_else(|error| panic!("{error}")).built.model
}

fn found(text: &str, method: RotorMethod) -> RotorModes {
    let model = model(text);
    rotor_modes(&model, &State::initial(&model, 0.0), method, 20).unwrap_or_else(|error| panic!("{error}"))
}

/// Eigenvalues (real, imaginary) with an imaginary part, by their imaginary parts.
fn values(found: &RotorModes) -> Vec<(f64, f64)> {
    let of = |mode: &Mode| (mode.real, mode.imaginary);
    sorted(found.list.iter().map(|rotor| of(&rotor.mode)).filter(|z| z.1 > 1e-6).collect())
}

fn sorted(mut list: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    list.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
    list
}

fn same(found: &[(f64, f64)], exact: &[(f64, f64)], tolerance: f64, what: &str) {
    assert_eq!(found.len(), exact.len(), "{what}: {found:?} against {exact:?}");
    for (a, b) in found.iter().zip(exact) {
        let apart = (a.0 - b.0).hypot(a.1 - b.1) / b.0.hypot(b.1);
        assert!(apart < tolerance, "{what}: {a:?} against {b:?}, {apart:e}");
    }
}

/// The shipped model at another speed.
fn shipped(speed: f64) -> String {
    let path = format!("{}/../../models/rotor_three_blades.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a model");
    assert!(text.contains("polynomial = [0, 20]"));
    text.replace("polynomial = [0, 20]", &format!("polynomial = [0.3, {speed:?}]"))
}

/// Three blades that swing in the plane of the disc on a support that moves there.
struct Disc {
    /// Mass of all that moves along x, and along y, with the blades (kg).
    masses: [f64; 2],
    stiffness: [f64; 2],
    damping: f64,
    /// First moment S, inertia I, stiffness in axes that turn, damping of a blade.
    blade: [f64; 4],
    speed: f64,
}

impl Disc {
    /// Coleman and Feingold's equations (NACA Report 1351, 1958), written for the support at (x, y) and the blades in the fixed
    /// frame ζc, ζs, ζ0: eigenvalues with positive imaginary part. A blade feels I ζ̈ + c ζ̇ + k ζ = S (ẍ sin ψ − ÿ cos ψ).
    fn eigenvalues(&self) -> Vec<(f64, f64)> {
        let ([s, i, spring, damper], omega) = (self.blade, self.speed);
        type Five = SMatrix<f64, 5, 5>;
        let half = 1.5 * s;
        // x, y, ζc, ζs, ζ0.
        let mut m = Five::from_diagonal(&SVector::from([self.masses[0], self.masses[1], i, i, i]));
        (m[(0, 3)], m[(1, 2)], m[(2, 1)], m[(3, 0)]) = (-half, half, s, -s);
        let mut c = Five::from_diagonal(&SVector::from([self.damping, self.damping, damper, damper, damper]));
        (c[(2, 3)], c[(3, 2)]) = (2.0 * omega * i, -2.0 * omega * i);
        let tilted = spring - i * omega * omega;
        let stiffness = [self.stiffness[0], self.stiffness[1], tilted, tilted, spring];
        let mut k = Five::from_diagonal(&SVector::from(stiffness));
        (k[(2, 3)], k[(3, 2)]) = (omega * damper, -omega * damper);
        let inverse = m.try_inverse().expect("a mass matrix");
        let mut a = SMatrix::<f64, 10, 10>::zeros();
        a.fixed_view_mut::<5, 5>(0, 5).copy_from(&Five::identity());
        a.fixed_view_mut::<5, 5>(5, 0).copy_from(&(-inverse * k));
        a.fixed_view_mut::<5, 5>(5, 5).copy_from(&(-inverse * c));
        let all = eigenvalues(a.transpose().as_slice(), 10).expect("eigenvalues");
        sorted(all.into_iter().filter(|z| z.1 > 1e-6).collect())
    }
}

/// The shipped model by hand: rigid blades of 60 kg on lag hinges 0.3 m from the axis.
fn coleman_feingold(speed: f64) -> Vec<(f64, f64)> {
    let (mass, arm, inertia, offset) = (60.0, 2.5, 125.0, 0.3);
    let (s, i) = (mass * arm, inertia + mass * arm * arm);
    let blade = [s, i, 4000.0 + speed * speed * offset * s, 30.0];
    let moving = 1000.0 + 60.0 + 3.0 * mass;
    Disc { masses: [150.0 + moving, moving], stiffness: [1.2e6, 0.9e6], damping: 400.0, blade, speed }
        .eigenvalues()
}

/// The Campbell diagram of the three-bladed rotor, damping included, over speeds below, in and above ground resonance.
#[test]
fn a_three_bladed_rotor_has_the_modes_of_coleman_and_feingold() {
    let mut resonances = 0;
    for speed in [0.0, 5.0, 10.0, 20.0, 26.0, 31.0, 36.0, 45.0, 60.0] {
        let exact = coleman_feingold(speed);
        let coleman = found(&shipped(speed), RotorMethod::MultiBlade);
        assert_eq!(coleman.blades, ["blade_1", "blade_2", "blade_3"]);
        assert!(coleman.change < 1e-9, "{}", coleman.change);
        same(&values(&coleman), &exact, 1e-10, &format!("multi-blade, {speed}"));
        if speed > 0.0 {
            let floquet = found(&shipped(speed), RotorMethod::Floquet);
            assert_eq!(floquet.unresolved, 0);
            same(&values(&floquet), &exact, 1e-8, &format!("Floquet, {speed}"));
        }
        resonances += usize::from(exact.iter().any(|z| z.0 > 0.0));
    }
    assert!(resonances >= 2, "the speeds pass through ground resonance");
}

/// The most of every kind: which patterns the modes have at a speed.
#[test]
fn patterns_say_which_way_a_mode_goes_round() {
    let coleman = found(&shipped(20.0), RotorMethod::MultiBlade);
    let vibrating: Vec<_> = coleman.list.iter().filter(|rotor| rotor.mode.imaginary > 1e-6).collect();
    let lag: Vec<(f64, RotorPattern)> =
        vibrating.iter().take(3).map(|rotor| (rotor.mode.imaginary, rotor.pattern)).collect();
    let round = |direction| RotorPattern::Round(direction, 1);
    // In axes that turn the blades lag slower than they turn: the wave against the turn is carried forward, as is the other.
    assert!(lag.iter().any(|(_, pattern)| *pattern == RotorPattern::Collective), "{lag:?}");
    let with_turn = vibrating.iter().filter(|rotor| rotor.pattern == round(WhirlDirection::Forward)).count();
    assert!(
        with_turn >= 2,
        "{:?}",
        vibrating.iter().map(|r| (r.mode.imaginary, r.pattern)).collect::<Vec<_>>()
    );
    let model = model(&shipped(20.0));
    let method = suited_rotor_method(&model, &State::initial(&model, 0.0));
    assert_eq!(method, Some(RotorMethod::MultiBlade));
}

/// Uniform rods of 4 m without springs, hinged 0.5 m from the axis of a hub that only turns.
fn hinged(axis: &str, speed: f64) -> String {
    let (mut frames, mut blades) = (String::new(), String::new());
    for b in 0..3 {
        let (sin, cos) = (std::f64::consts::TAU / 3.0 * f64::from(b)).sin_cos();
        frames += &format!(
            "[[body.frame]]\nname = \"hinge_{b}\"\nposition = [{:?}, {:?}, 0]\n\
             rotation = {{ axis = [0, 0, 1], angle_deg = {} }}\n",
            0.5 * cos,
            0.5 * sin,
            120 * b
        );
        let inertia = 8.0 * 16.0 / 12.0;
        blades += &format!(
            "[[body]]\nname = \"blade_{b}\"\nmass = 8\ncenter_of_mass = [2, 0, 0]\n\
             inertia = [1e-6, {inertia:?}, {inertia:?}]\n[[joint]]\nname = \"lag_{b}\"\ntype = \"revolute\"\n\
             axis = {axis}\nbetween = [\"hub.hinge_{b}\", \"blade_{b}.origin\"]\n"
        );
    }
    format!(
        "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"hub\"\nmass = 1\ninertia = [1, 1, 1]\n{frames}[[joint]]\n\
         name = \"spin\"\ntype = \"revolute\"\nbetween = [\"ground.origin\", \"hub.origin\"]\naxis = [0, 0, 1]\n\
         motion = {{ polynomial = [0, {speed:?}] }}\n{blades}[simulation]\nend = 1\n"
    )
}

/// Hinged uniform blades stiffen with the spin by the known factors: lag ω² = 3e/(2(L−e)) Ω², flap that and one more; the frequency
/// of a blade falls by no "spin softening" (as openfast 3394 reports of rotating frames that were told wrongly).
#[test]
fn hinged_blades_stiffen_with_the_spin_by_the_known_factors() {
    let factor: f64 = 3.0 * 0.5 / (2.0 * 4.0);
    // The moment of inertia about its length takes a little of the flap stiffness; 8 kg · 16 m² / 3 is that about the hinge.
    let polar = 1e-6 / (8.0 * 16.0 / 3.0);
    for speed in [1.0, 7.0, 40.0] {
        for (axis, square) in [("[0, 0, 1]", factor), ("[0, -1, 0]", 1.0 + factor - polar)] {
            let nu = square.sqrt() * speed;
            for method in [RotorMethod::MultiBlade, RotorMethod::Floquet] {
                let found = found(&hinged(axis, speed), method);
                // Seen from outside: collective, with the turn, against it.
                let exact = sorted(vec![(0.0, nu), (0.0, nu + speed), (0.0, (nu - speed).abs())]);
                same(&values(&found), &exact, 1e-8, &format!("{axis} {speed} {method:?}"));
                let patterns: Vec<RotorPattern> = found.list.iter().map(|rotor| rotor.pattern).collect();
                assert!(patterns.contains(&RotorPattern::Collective), "{patterns:?}");
                let apart =
                    |rotor: &&RotorMode| (rotor.mode.imaginary - (nu - speed).abs()).abs() < 1e-6 * speed;
                let slow = found.list.iter().find(apart).expect("the wave against the turn");
                // The wave against the turn is carried forward where the blades turn faster than it runs.
                let carried = if nu < speed { WhirlDirection::Forward } else { WhirlDirection::Backward };
                assert_eq!(slow.pattern, RotorPattern::Round(carried, 1), "{axis} {speed} {method:?}");
            }
        }
    }
}

const TOWER: [f64; 2] = [2.4e5, 1.1e5];

/// Three beams, clamped on a hub of 400 kg on a tower that bends to both sides; one bending mode in the plane of the disc.
fn bending_blades(young: f64, speed: f64) -> String {
    let mut text = String::from(
        "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"top\"\nmass = 300\ninertia = [1, 1, 1]\n[[body]]\nname = \"nacelle\"\n\
         mass = 1e-6\ninertia = [1, 1, 1]\n[[body]]\nname = \"hub\"\nmass = 100\ninertia = [9, 9, 9]\nframe = [\n\
         { name = \"root_0\", position = [0.5, 0, 0] },\n\
         { name = \"root_1\", position = [-0.25, 0.4330127018922193, 0], rotation = { axis = [0, 0, 1], angle_deg = 120 } },\n\
         { name = \"root_2\", position = [-0.25, -0.4330127018922193, 0], rotation = { axis = [0, 0, 1], angle_deg = 240 } },\n]\n",
    );
    for b in 0..3 {
        text += &format!(
            "[[body]]\nname = \"blade_{b}\"\n[body.beam]\nlength = 6\ndensity = 2000\nyoung = {young:?}\npoisson = 0.3\n\
             section = {{ rectangle = [0.1, 0.02] }}\nboundary = \"clamped-free\"\nbending_y = 1\nrotary_inertia = false\n\
             [[joint]]\nname = \"clamp_{b}\"\ntype = \"weld\"\nbetween = [\"hub.root_{b}\", \"blade_{b}.origin\"]\n"
        );
    }
    for (name, axis, between, stiffness) in [
        ("fore", "[1, 0, 0]", ["ground", "top"], TOWER[0]),
        ("side", "[0, 1, 0]", ["top", "nacelle"], TOWER[1]),
    ] {
        text += &format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"prismatic\"\naxis = {axis}\nstiffness = {stiffness:?}\n\
             between = [\"{}.origin\", \"{}.origin\"]\n",
            between[0], between[1]
        );
    }
    text + &format!(
        "[[joint]]\nname = \"spin\"\ntype = \"revolute\"\nbetween = [\"nacelle.origin\", \"hub.origin\"]\naxis = [0, 0, 1]\n\
         motion = {{ polynomial = [0, {speed:?}] }}\n[simulation]\nend = 1\n"
    )
}

/// S, I, k + Ω²(G − I) of a blade in its first cantilever mode φ, G = ∫μ (e + x) ∫φ'² dξ dx by foreshortening; Simpson's rule.
fn bending_blade(young: f64, speed: f64) -> [f64; 4] {
    let (length, offset, mass) = (6.0, 0.5, 2000.0 * 0.1 * 0.02);
    let (beta, sigma) = (1.875_104_068_711_961 / length, 0.734_095_513_758_613);
    let shape =
        |x: f64| (beta * x).cosh() - (beta * x).cos() - sigma * ((beta * x).sinh() - (beta * x).sin());
    let slope = |x: f64| {
        beta * ((beta * x).sinh() + (beta * x).sin() - sigma * ((beta * x).cosh() - (beta * x).cos()))
    };
    let count = 2000;
    let step = length / f64::from(count);
    let (mut s, mut i, mut g, mut shortening) = (0.0, 0.0, 0.0, 0.0);
    for k in 0..count {
        let x = f64::from(k) * step;
        let simpson = |f: &dyn Fn(f64) -> f64| step / 6.0 * (f(x) + 4.0 * f(x + step / 2.0) + f(x + step));
        s += mass * simpson(&shape);
        i += mass * simpson(&|x| shape(x).powi(2));
        let grown = simpson(&|x| slope(x).powi(2));
        g += mass * step * (offset + x + step / 2.0) * (shortening + grown / 2.0);
        shortening += grown;
    }
    // The long side of the section lies along y.
    let bending = young * 0.1_f64.powi(3) * 0.02 / 12.0;
    [s, i, bending * beta.powi(4) * i / mass + speed * speed * (g - i), 0.0]
}

/// A tower under a rotor whose blades bend: the system of openfast issue 3394, where matrices of a frozen frame taken for turning ones
/// let the side mode of the tower droop as f² = f₀² − αΩ². Here it follows the equations, and does not move under stiff blades.
#[test]
fn blades_that_bend_on_a_tower_do_not_soften_it() {
    for speed in [0.0, 3.0, 8.0, 13.0] {
        let mass = 400.0 + 3.0 * 2000.0 * 0.1 * 0.02 * 6.0;
        let exact = |young: f64| {
            let masses = [mass, mass - 300.0];
            Disc { masses, stiffness: TOWER, damping: 0.0, blade: bending_blade(young, speed), speed }
                .eigenvalues()
        };
        let soft = found(&bending_blades(3e9, speed), RotorMethod::MultiBlade);
        same(&values(&soft), &exact(3e9), 1e-6, &format!("soft blades at {speed}"));
        if speed > 0.0 {
            let floquet = found(&bending_blades(3e9, speed), RotorMethod::Floquet);
            same(&values(&floquet), &values(&soft), 1e-8, &format!("Floquet at {speed}"));
        }
        // Stiff blades: the tower carries a mass, whatever turns.
        let stiff = found(&bending_blades(3e15, speed), RotorMethod::MultiBlade);
        let slowest = &values(&stiff)[..2];
        let alone =
            sorted([mass, mass - 300.0].iter().zip(TOWER).map(|(m, k)| (0.0, (k / m).sqrt())).collect());
        same(slowest, &alone, 1e-5, &format!("stiff blades at {speed}"));
    }
}

/// A rotor that is not round on a support that is: constant in coordinates that turn, periodic in those that stand still.
fn flat(turning: bool, speed: f64) -> String {
    let support = |name: &str, between: [&str; 2], axis: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"prismatic\"\nbetween = [\"{}\", \"{}\"]\naxis = {axis}\n",
            between[0], between[1]
        )
    };
    let body = |name: &str, mass: f64| {
        format!("[[body]]\nname = \"{name}\"\nmass = {mass:?}\ninertia = [0.1, 0.1, 0.1]\n")
    };
    let spin = |between: [&str; 2]| {
        format!(
            "[[joint]]\nname = \"spin\"\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\naxis = [0, 0, 1]\n\
             motion = {{ polynomial = [0, {speed:?}] }}\n",
            between[0], between[1]
        )
    };
    // Two masses that slide along u and v of the rotor, on springs of different stiffness, on a frame that sways.
    let sliders = "[[body]]\nname = \"u\"\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n[[joint]]\nname = \"along_u\"\ntype = \"prismatic\"\n\
                   between = [\"rotor.origin\", \"u.origin\"]\naxis = [1, 0, 0]\nstiffness = 9e4\ndamping = 20\n";
    let head = "[model]\ngravity = [0, 0, 0]\n";
    let end = "[[element]]\nname = \"mount\"\ntype = \"bushing\"\nbetween = [\"ground.origin\", \"rotor.origin\"]\n\
               stiffness = [0, 0, 0, 5e4, 5e4, 0]\ndamping = [0, 0, 0, 30, 30, 0]\n[simulation]\nend = 1\n";
    let (a, b) = (body("a", 1e-9), body("b", 1e-9));
    let rotor = body("rotor", 5.0);
    let joints = match turning {
        // Turn first, then slide along axes that turn.
        true => {
            let shaft = ["ground.origin", "a.origin"];
            spin(shaft)
                + &support("x", ["a.origin", "b.origin"], "[1, 0, 0]")
                + &support("y", ["b.origin", "rotor.origin"], "[0, 1, 0]")
        }
        false => {
            support("x", ["ground.origin", "a.origin"], "[1, 0, 0]")
                + &support("y", ["a.origin", "b.origin"], "[0, 1, 0]")
                + &spin(["b.origin", "rotor.origin"])
        }
    };
    format!("{head}{a}{b}{rotor}{joints}{sliders}{end}")
}

/// Floquet's multipliers in coordinates that stand still are those of the constant system in coordinates that turn.
#[test]
fn floquet_of_a_rotor_that_is_not_round_equals_its_constant_coordinates() {
    for speed in [30.0, 95.0, 160.0] {
        let still = found(&flat(false, speed), RotorMethod::Floquet);
        assert!(still.change > 0.01 && still.unresolved == 0, "{still:?}");
        let text = flat(true, speed);
        let model = model(&text);
        let system = linearize(&model, &State::initial(&model, 0.0), &[], &[]).expect("a system");
        let exact: Vec<(f64, f64)> =
            modes(&system).expect("modes").iter().map(|mode| (mode.real, mode.imaginary)).collect();
        assert_eq!(still.list.len(), exact.len());
        for rotor in &still.list {
            // The same exponents but for whole multiples of the speed, and conjugates.
            let of = |exact: &(f64, f64), sign: f64| {
                let turns = (rotor.mode.imaginary - sign * exact.1) / speed;
                (rotor.mode.real - exact.0).hypot((turns - turns.round()) * speed)
            };
            let apart = exact.iter().flat_map(|z| [of(z, 1.0), of(z, -1.0)]).fold(f64::INFINITY, f64::min);
            assert!(apart < 1e-8 * speed, "{speed}: {:?} is {apart:e} from {exact:?}", rotor.mode);
            let shares: f64 = rotor.harmonics.iter().map(|h| h.1).sum();
            assert!((0.9..1.0 + 1e-9).contains(&shares), "{:?}", rotor.harmonics);
        }
    }
}

/// Unequal blades are no blades of multi-blade coordinates, whatever they differ in, and Floquet's method goes on.
#[test]
fn unequal_blades_are_told_and_left_to_floquet() {
    let text = shipped(20.0).replacen("stiffness = 4000", "stiffness = 8000", 1);
    let floquet = found(&text, RotorMethod::Floquet);
    assert!(floquet.list.iter().any(|rotor| rotor.harmonics.len() > 1), "{floquet:?}");
    assert!(floquet.blades.is_empty() && floquet.missing == 0, "{floquet:?}");
    let uneven = model(&text);
    assert_eq!(suited_rotor_method(&uneven, &State::initial(&uneven, 0.0)), Some(RotorMethod::Floquet));
    // Two blades have no multi-blade coordinates, gravity has no steady motion, a speed that grows no period.
    let refusal = |text: &str, method| {
        let model = model(text);
        match rotor_modes(&model, &State::initial(&model, 0.0), method, 20) {
            Err(AnalysisError::Name(text)) => text,
            other => panic!("{other:?}"),
        }
    };
    let heavy = shipped(20.0).replace("gravity = [0, 0, 0]", "gravity = [0, -9.81, 0]");
    assert!(refusal(&heavy, RotorMethod::Floquet).contains("steady motion"));
    let faster = shipped(20.0).replace("[0.3, 20.0]", "[0.3, 20.0, 1.0]");
    assert!(refusal(&faster, RotorMethod::MultiBlade).contains("repeats after a turn"));
    let spring = "[[element]]\nname = \"brace\"\ntype = \"bushing\"\nbetween = [\"hub.hinge_1\", \"blade_1.origin\"]\n\
                  stiffness = [0, 0, 900, 0, 0, 0]\n";
    let changes: [(&str, &str); 3] = [
        ("stiffness = 4000", "stiffness = 8000"),
        ("damping = 30", "damping = 60"),
        ("inertia = [1, 125, 125]", "inertia = [2, 125, 126.5]"),
    ];
    let mut unequal: Vec<String> = changes
        .iter()
        .map(|(from, to)| {
            assert!(shipped(20.0).contains(from), "{from}");
            shipped(20.0).replacen(from, to, 1)
        })
        .collect();
    unequal.push(shipped(20.0).replace("[simulation]", &format!("{spring}[simulation]")));
    for text in &unequal {
        assert!(refusal(text, RotorMethod::MultiBlade).contains("three or more equal blades"), "{text}");
    }
    // Hung farther out, out of the plane, or on an axis that is tilted.
    let equal = hinged("[0, 0, 1]", 7.0);
    let lag = "name = \"lag_0\"\ntype = \"revolute\"\naxis = [0, 0, 1]";
    for (from, to) in [
        ("position = [0.5, 0.0, 0]", "position = [0.6, 0.0, 0]"),
        ("position = [0.5, 0.0, 0]", "position = [0.5, 0.0, 0.1]"),
        ("center_of_mass = [2, 0, 0]", "center_of_mass = [2.1, 0, 0]"),
        (lag, "name = \"lag_0\"\ntype = \"revolute\"\naxis = [0.01, 0, 1]"),
    ] {
        assert!(equal.contains(from), "{from}: {equal}");
        let told = refusal(&equal.replacen(from, to, 1), RotorMethod::MultiBlade);
        assert!(told.contains("three or more equal blades"), "{to}: {told}");
    }
    assert!(refusal(&flat(false, 30.0), RotorMethod::MultiBlade).contains("three or more equal blades"));
    let still = shipped(20.0).replace("motion = { polynomial = [0.3, 20.0] }", "speed = 20");
    assert!(refusal(&still, RotorMethod::Floquet).contains("a motion that turns it"));
}
