//! Initial positions and speeds given for joints are kept whichever of them closes the loop, or named where they cannot be.

use flexura::build::Built;
use flexura::{State, file};

fn build(text: &str) -> Built {
    match file::build_text(text, "model.toml") {
        Ok(loaded) => loaded.built,
        Err(errors) => panic!("{}", file::render_all(&errors.diagnostics, &errors.spans)),
    }
}

/// A bar between two ball joints that may spin about its line; `given` stands at one of them.
fn spit(cut: &str, given: [&str; 2]) -> Built {
    let [first, second] = given;
    build(&format!(
        r#"
        [model]
        gravity = [0, 0, 0]
        [graph]
        {cut}
        [[ground.frame]]
        name = "far"
        position = [1, 0, 0]
        [[body]]
        name = "bar"
        mass = 1.0
        inertia = [0.01, 0.1, 0.1]
        center_of_mass = [0.5, 0, 0]
        [[body.frame]]
        name = "end"
        position = [1, 0, 0]
        [[joint]]
        name = "s1"
        type = "spherical"
        between = ["ground.origin", "bar.origin"]
        {first}
        [[joint]]
        name = "s2"
        type = "spherical"
        between = ["ground.far", "bar.end"]
        {second}
        [simulation]
        end = 1.0
        "#
    ))
}

/// Orientation and speed of a ball joint that closes the loop were ignored.
#[test]
fn orientations_and_spins_of_closing_ball_joints_are_kept() {
    let given = "orientation = { axis = [1, 0, 0], angle = 1.0 }\nspeed = [10, 0, 0]";
    for cut in ["", "cut = \"s1\"", "cut = \"s2\"", "tree = \"absolute\""] {
        for places in [[given, ""], ["", given]] {
            let built = spit(cut, places);
            assert!(built.assembly.moved.is_empty(), "{cut} {places:?}: {:?}", built.assembly.moved);
            let recording = built.simulate().expect("runs");
            let first = |name: &str| recording.channel(name).expect("recorded")[0];
            assert!((first("bar.quaternion.x") - 0.5_f64.sin()).abs() < 1e-9, "{cut} {places:?}");
            assert!((first("bar.omega.x") - 10.0).abs() < 1e-9, "{cut} {places:?}");
            let last = recording.last("bar.omega.x").expect("recorded");
            assert!((last - 10.0).abs() < 1e-6, "{cut} {places:?}: {last}");
        }
    }
}

/// A four-bar linkage; `speeds` of the joints `ja`, `jc`, `jb`, `jl` in order.
fn four_bar(cut: &str, speeds: [&str; 4]) -> Built {
    let body = |name: &str, length: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\ncenter_of_mass = [{}, 0, 0]\n\
             [[body.frame]]\nname = \"e\"\nposition = [{length}, 0, 0]\n",
            0.5 * length
        )
    };
    let joint = |name: &str, ends: &str, words: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbetween = [{ends}]\naxis = [0, 1, 0]\n{words}\n"
        )
    };
    build(
        &[
            "[model]\ngravity = [0, 0, 0]\n[[ground.frame]]\nname = \"g\"\nposition = [2.0, 0, 0]\n"
                .to_string(),
            format!("[graph]\n{cut}\n"),
            body("a", 1.0),
            body("c", 2.0),
            body("b", 1.5),
            joint("ja", "\"ground.origin\", \"a.origin\"", &format!("position = -1.3\n{}", speeds[0])),
            joint("jc", "\"a.e\", \"c.origin\"", &format!("position = 1.5\n{}", speeds[1])),
            joint("jb", "\"ground.g\", \"b.origin\"", &format!("position = -1.3\n{}", speeds[2])),
            joint("jl", "\"c.e\", \"b.e\"", speeds[3]),
            "[simulation]\nend = 0.1\n".to_string(),
        ]
        .concat(),
    )
}

/// A given speed is kept wherever the loop is cut; of two that contradict each other the changed one is named.
#[test]
fn given_speeds_do_not_depend_on_the_cut() {
    let cuts = ["", "cut = \"ja\"", "cut = \"jc\"", "cut = \"jb\"", "cut = \"jl\"", "tree = \"absolute\""];
    for (index, name) in ["ja", "jc", "jb", "jl"].into_iter().enumerate() {
        for cut in cuts {
            let mut speeds = [""; 4];
            speeds[index] = "speed = 3";
            let built = four_bar(cut, speeds);
            assert!(built.warnings.iter().all(|found| found.code != "speed-changed"), "{cut} {name}");
            let recording = built.simulate().expect("runs");
            let rate = recording.channel(&format!("{name}.rate")).expect("recorded")[0];
            assert!((rate - 3.0).abs() < 1e-9, "{cut}: {name} starts with {rate}");
        }
    }
    for cut in cuts {
        let built = four_bar(cut, ["speed = 3", "", "speed = 3", ""]);
        let named: Vec<_> = built.warnings.iter().filter(|found| found.code == "speed-changed").collect();
        assert!(!named.is_empty(), "{cut}: two speeds cannot both be kept");
        let state = State::initial(&built.model, 0.0);
        assert!(state.v.iter().all(|x| x.is_finite()));
    }
}
