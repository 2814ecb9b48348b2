//! A slice of the random models in every test run, past findings, and the tools themselves.

use super::closer;
use super::compare::Difference;
use super::document::{read, write};
use super::joints::KINDS;
use super::judge::{Check, Fault, Place, Verdict};
use super::routes::{ROUTES, Tree};
use super::{Tally, examine_some, examine_text, model, shrink};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Seeds of the slice; `examples/differential.rs` runs as many as wanted.
const SEEDS: std::ops::Range<u64> = 1..57;
/// One choice of so many is run for each seed.
const EVERY: u64 = 5;

#[test]
fn random_models_agree_in_every_choice_of_a_run() {
    let (next, total, faults) =
        (AtomicU64::new(SEEDS.start), Mutex::new(Tally::default()), Mutex::new(Vec::new()));
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if !SEEDS.contains(&seed) {
            return;
        }
        let (tally, findings) = examine_some(seed, EVERY);
        total.lock().expect("no panic").add(tally);
        faults.lock().expect("no panic").extend(findings.iter().map(|finding| finding.words()));
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (total, faults) = (total.into_inner().expect("no panic"), faults.into_inner().expect("no panic"));
    println!("{total}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    covers(&total);
}

/// Few seeds are left out, every kind of joint and every tree is compared.
fn covers(total: &Tally) {
    let seeds = (SEEDS.end - SEEDS.start) as usize;
    assert!(total.models * 10 > seeds * 8, "{:?}", total.left_out);
    for kind in &KINDS {
        let [made, _] = total.kinds.get(&format!("joint {}", kind.word)).copied().unwrap_or_default();
        assert!(made > 5, "{}: {made}", kind.word);
    }
    for tree in ["joint tree", "absolute", "mixed", "cut elsewhere"] {
        let made: usize =
            total.compared.iter().filter(|(place, _)| place.starts_with(tree)).map(|(_, count)| count).sum();
        assert!(made > 2, "{tree}: {made}");
    }
}

/// Models that disagreed once: they agree now, or are refused by these words.
#[test]
fn past_findings_agree_or_are_refused_by_name() {
    for (text, refusals) in [
        (include_str!("../../data/differential/point_mass_on_a_pendulum.toml"), &[][..]),
        (include_str!("../../data/differential/welded_at_rest.toml"), &[]),
        (include_str!("../../data/differential/slow_body_high_up.toml"), &[]),
        (include_str!("../../data/differential/free_joint_closes_a_loop.toml"), &[]),
        (
            include_str!("../../data/differential/frozen_points.toml"),
            &["methods that conserve energy", "attachment points that do not move exactly"],
        ),
        (include_str!("../../data/differential/ruthless_body.toml"), &["methods that conserve energy"]),
        // Inertias that lose their sign in a direction that a joint holds: divide and conquer left the direction out.
        (include_str!("../../data/differential/beam_beyond_its_range.toml"), &["shows to joint"]),
        (include_str!("../../data/differential/bent_body_at_a_helical_joint.toml"), &[]),
    ] {
        let mut said = Vec::new();
        let tally = examine_text(text, &mut |words| said.push(words)).expect("a model");
        let said = said.join("\n");
        assert_eq!(tally.faults, 0, "{text}{said}");
        assert!(tally.comparisons() > 8, "{text}{said}");
        for words in refusals {
            assert!(said.contains(words), "{words}: {said}");
        }
    }
}

#[test]
fn a_seed_is_a_model() {
    assert!((1..20).all(|seed| model(seed).is_some()));
    for seed in 1..20 {
        assert_eq!(model(seed), model(seed));
        assert_ne!(model(seed), model(seed + 1));
    }
}

/// A fault that needs one spring is shrunk to that spring.
#[test]
fn a_failing_model_is_made_small() {
    let text = (1..200)
        .filter_map(model)
        .find(|text| text.contains("type = \"spring-damper\"") && text.len() > 3000);
    let document = read(&text.expect("a model with a spring")).expect("TOML");
    let mut runs = 0;
    let examine = &mut |smaller: &toml::Table| {
        runs += 1;
        write(smaller).contains("type = \"spring-damper\"").then(|| Fault::Broken("it".into()))
    };
    let (small, _) = shrink::shrink(&document, &Fault::Broken("it".into()), examine);
    let left: usize = small.values().map(|section| section.as_array().map_or(0, |items| items.len())).sum();
    assert_eq!(left, 1, "{small}");
    assert!(write(&small).len() < 200, "{small}");
    assert!(runs < 600, "{runs}");
}

/// What a second look at a disagreement of this run says, if a channel differed there.
fn looked_at(text: &str, tree: Tree, route: &str) -> Verdict {
    let document = read(text).expect("TOML");
    let index = ROUTES.iter().position(|known| known.words == route).expect("a route");
    let difference =
        Difference { channel: String::new(), found: 1.0, allowed: 0.0, size: 1.0, from_start: false };
    closer::look(&document, &Place { tree, check: Check::Route(index) }, Fault::Channel(difference))
}

/// Errors of a step vanish with it; another motion stays another motion, and no panic is explained away.
#[test]
fn a_second_look_tells_steps_from_faults() {
    let pendulum = include_str!("../../data/differential/point_mass_on_a_pendulum.toml");
    assert_eq!(looked_at(pendulum, Tree::Joint, "trapezoidal"), Verdict::AgreesCloser);
    assert_eq!(looked_at(pendulum, Tree::Joint, "radau, articulated bodies"), Verdict::AgreesCloser);
    // A constant mass seen from the origin is another approximation than one seen from the joint.
    let ruthless = include_str!("../../data/differential/ruthless_body.toml");
    for route in ["trapezoidal", "radau, articulated bodies"] {
        let verdict = looked_at(ruthless, Tree::Absolute, route);
        assert!(matches!(verdict, Verdict::Fault(Fault::Channel(_))), "{route}: {verdict:?}");
    }
    let place = Place { tree: Tree::Joint, check: Check::Route(1) };
    let document = read(WOUND_UP).expect("TOML");
    for fault in [Fault::Broken("panic".into()), Fault::Bits("x".into())] {
        assert_eq!(closer::look(&document, &place, fault.clone()), Verdict::Fault(fault));
    }
    let verdict = looked_at(WOUND_UP, Tree::Joint, "rk4");
    assert!(matches!(&verdict, Verdict::Refused(reason) if reason.contains("a law was left")), "{verdict:?}");
}

/// A ball joint whose spring is turned past half a turn, where its law ends.
const WOUND_UP: &str = r#"
[[body]]
name = "top"
mass = 1.0
inertia = [0.01, 0.01, 0.01]

[[joint]]
name = "ball"
type = "spherical"
between = ["ground.origin", "top.origin"]
speed = [90.0, 0.0, 0.0]
stiffness = [0.01, 0.01, 0.01]

[simulation]
end = 0.05
output_interval = 0.01
"#;
