//! Points and vectors of the global formulation chosen by the model: counts, motions and refusals (`[graph.natural]`).

use crate::common::random_model::{EXACT_LEVELS, Random, Recipe, random_state};
use crate::global_formulation::acceleration_error;
use flexura::formulation::global::*;
use flexura::model::Model;
use flexura::model::description::*;
use flexura::{State, build};

const SUSPENSION: &str = include_str!("../../../../models/vehicle/suspension.toml");

/// A place for all that is chosen of the suspension: 25 coordinates and the given one of the carriage.
const CHOICE: &str = r#"
[graph.natural]
sliding = ["carriage", "chassis"]
carried_points = ["swing_*", "bar_root_fl", "rod_root_fl"]
joint_vectors = "rod_root_*"
"#;

fn suspension(choice: &str) -> Model {
    let text = SUSPENSION.replace(
        "[[ground.frame]]\nname = \"road\"",
        &format!("{choice}\n[[ground.frame]]\nname = \"road\""),
    );
    model(&text)
}

fn model(text: &str) -> Model {
    flexura::file::build_text(text, "model.toml").unwrap_or_else(|errors| panic!("{errors}")).built.model
}

/// The state after `steps` steps of 2 ms, in coordinates of the tree, and the model in natural coordinates.
fn run(model: &Model, steps: usize) -> (State, GlobalModel) {
    let global = GlobalModel::new(model, &GlobalOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut integrator = GlobalIntegrator::new(model, &global);
    let mut state = integrator.initial(model, &global).unwrap();
    for _ in 0..steps {
        integrator.step(model, &global, &mut state, 0.002).unwrap();
    }
    let tree = global.tree_state(model, &state, &State::initial(model, 0.0));
    (tree, global)
}

/// Lugrís et al. 2007, Table 3: 25 coordinates of the rigid suspension, where the rules take 36. It settles alike.
#[test]
fn chosen_coordinates_of_the_suspension_are_those_of_the_paper_and_move_alike() {
    let (ours, rules) = run(&suspension(""), 150);
    let (chosen, few) = run(&suspension(CHOICE), 150);
    assert_eq!((rules.coordinate_count(), rules.free_coordinate_count()), (36, 36));
    assert_eq!((few.coordinate_count(), few.free_coordinate_count()), (26, 25));
    // Two freedoms, and no equation says nothing.
    assert_eq!(few.coordinate_count() - few.constraint_count(), 2);
    assert!(few.constraint_count() < rules.constraint_count());
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
    let (q, v) = (apart(&ours.q, &chosen.q), apart(&ours.v, &chosen.v));
    println!("{q:.1e} {v:.1e}");
    assert!(q < 1e-10 && v < 1e-8, "{q:e} {v:e}");
    // It does settle: the test would be empty otherwise.
    assert!(apart(&ours.q, &State::initial(&suspension(""), 0.0).q) > 0.01);
}

/// A block on a carriage, along an axis that is not across that of the carriage.
const SLIDERS: &str = r#"
[[body]]
name = "carriage"
mass = 2
inertia = [0.1, 0.1, 0.1]

[[body]]
name = "block"
mass = 1
inertia = [0.1, 0.1, 0.1]

[[joint]]
name = "rail"
type = "prismatic"
axis = [1, 0, 0]
between = ["ground.origin", "carriage.origin"]
position = 0.3
speed = 0.4
stiffness = 20

[[joint]]
name = "ramp"
type = "prismatic"
axis = [0.6, 0, 0.8]
between = ["carriage.origin", "block.origin"]
position = 0.5
speed = -0.2
stiffness = 30
"#;

/// Two coordinates, no equations: the block rides on the carriage.
#[test]
fn sliders_have_one_coordinate_each() {
    let (rules, many) = run(&model(SLIDERS), 200);
    let sliding = format!("[graph.natural]\nsliding = [\"carriage\", \"block\"]\n{SLIDERS}");
    let (chosen, few) = run(&model(&sliding), 200);
    assert_eq!((many.coordinate_count(), few.coordinate_count(), few.constraint_count()), (6, 2, 0));
    for (a, b) in rules.q.iter().chain(&rules.v).zip(chosen.q.iter().chain(&chosen.v)) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
    assert!((chosen.q[0] - 0.3).abs() > 0.01);
}

/// Some names of a list.
fn some(random: &mut Random, names: &[String], share: f64) -> Vec<String> {
    names.iter().filter(|_| random.chance(share)).cloned().collect()
}

/// Whatever is chosen of random trees, accelerations are those of the recursions.
#[test]
fn random_choices_of_random_trees_agree_with_the_recursions() {
    for level in EXACT_LEVELS {
        let (mut tested, mut carried, mut more) = (0, 0, 0);
        for seed in 1..=200 {
            let mut recipe = Recipe::small(level);
            recipe.loads = seed % 2 == 0;
            let mut random = Random::new(seed);
            let mut description = recipe.describe(&mut random);
            let rules = build(description.clone()).unwrap().model;
            let state = random_state(&rules, &mut random);
            let bodies: Vec<String> = description.bodies.iter().map(|body| body.name.clone()).collect();
            let joints: Vec<String> = description.joints.iter().map(|joint| joint.name.clone()).collect();
            let universal = |name: &&String| {
                let joint = description.joints.iter().find(|joint| joint.name == **name);
                joint.is_some_and(|joint| matches!(joint.kind, JointKindDescription::Universal { .. }))
            };
            // Places that modes move carry nothing.
            let on_rigid = |name: &&String| {
                let joint = description.joints.iter().find(|joint| joint.name == **name);
                let first = joint.and_then(|joint| joint.between[0].split('.').next());
                let body = description.bodies.iter().find(|body| Some(body.name.as_str()) == first);
                body.is_some_and(|body| matches!(body.kind, BodyKind::Rigid(_)))
            };
            let with_point = |name: &&String| {
                let joint = description.joints.iter().find(|joint| joint.name == **name);
                joint.is_some_and(|joint| {
                    use JointKindDescription::*;
                    matches!(joint.kind, Weld | Revolute { .. } | Universal { .. } | Spherical)
                })
            };
            let carriers: Vec<String> = joints.iter().filter(on_rigid).filter(with_point).cloned().collect();
            let share = if seed % 3 == 0 { 0.5 } else { 0.1 };
            let natural = NaturalChoice {
                own_point: some(&mut random, &bodies, share),
                own_vectors: some(&mut random, &bodies, share),
                unit_vectors: some(&mut random, &bodies, share),
                sliding: Vec::new(),
                joint_vectors: joints.iter().filter(universal).cloned().collect(),
                carried_points: some(&mut random, &carriers, 0.8),
            };
            description.graph.natural = natural;
            let model = build(description).unwrap().model;
            let Some(error) = acceleration_error(&model, &state, &GlobalOptions::default()) else { continue };
            assert!(error < 1e-10, "{level:?}, seed {seed}: {error:e}");
            let of = |model: &Model| GlobalModel::at(model, &GlobalOptions::default(), &state).unwrap();
            let (chosen, rules) = (of(&model), of(&rules));
            let carries = chosen.naturals().iter().any(|natural| !natural.carried.is_empty());
            carried += usize::from(carries);
            more += usize::from(chosen.coordinate_count() > rules.coordinate_count());
            tested += 1;
        }
        println!("{level:?}: {tested} systems, {carried} with carried points, {more} with more coordinates");
        assert!(tested > 40 && carried > 10 && more > 20, "{tested} {carried} {more}");
    }
}

/// Two rods that carry each other's end; a beam that shall carry a point at its tip.
const CARRIERS: &str = r#"
[[body]]
name = "rod"
mass = 1
inertia = [0.1, 0.1, 0.1]
frame = [{ name = "tip", position = [1, 0, 0] }, { name = "foot", position = [0, 0, -1] }]

[[body]]
name = "other"
mass = 1
inertia = [0.1, 0.1, 0.1]
frame = [{ name = "top", position = [-1, 0, 0] }]

[[body]]
name = "beam"
beam = { length = 1, density = 7850, young = 2e11, poisson = 0.3, section = { circle = 0.01 }, boundary = "clamped-free", bending_y = 1, bending_z = 1 }
frame = [{ name = "tip", station = "tip" }]

[[body]]
name = "weight"
mass = 1
inertia = [0.1, 0.1, 0.1]

[[joint]]
name = "hinge"
type = "revolute"
axis = [0, 0, 1]
between = ["ground.origin", "rod.foot"]

[[joint]]
name = "one"
type = "spherical"
between = ["rod.tip", "other.origin"]

[[joint]]
name = "two"
type = "spherical"
between = ["other.top", "rod.origin"]

[[joint]]
name = "root"
type = "revolute"
axis = [0, 0, 1]
between = ["ground.origin", "beam.origin"]

[[joint]]
name = "hung"
type = "spherical"
between = ["beam.tip", "weight.origin"]
"#;

/// What cannot be chosen is refused with item and cause.
#[test]
fn impossible_choices_are_refused_by_name() {
    let natural = |choice: &str| format!("[graph.natural]\n{choice}\n");
    for (model, words) in [
        (suspension(&natural("sliding = \"hub_fl\"")), ["without a prismatic joint", "hub_fl"]),
        (
            suspension(&natural("sliding = \"chassis\"\nown_vectors = \"chassis\"")),
            ["slide and turn", "chassis"],
        ),
        (suspension(&natural("joint_vectors = \"swing_fl\"")), ["not universal", "swing_fl"]),
        (model(&(natural("carried_points = \"hung\"") + CARRIERS)), ["a place that deforms", "hung"]),
    ] {
        let error = GlobalModel::new(&model, &GlobalOptions::default()).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    // Two bodies that carry each other have no order.
    let model = model(&(natural("carried_points = [\"one\", \"two\"]") + CARRIERS));
    let error = GlobalModel::new(&model, &GlobalOptions::default()).unwrap_err().to_string();
    assert!(error.contains("carry each other") && error.contains("rod"), "{error}");
}
