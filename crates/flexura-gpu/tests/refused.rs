//! Everything that devices do not run is refused by the name of the item, with what to do instead.

use flexura::file::build_text;
use flexura::lower::{LARGEST_MODES, Lowered, Refusal, refusals};
use flexura::model::description::{InertiaLevel, MethodDescription};
use flexura::simulate::check_remote;
use flexura::{Model, Simulation};
use flexura_gpu::{BatchRun, Choice, DeviceError, DeviceRun, System};
use flexura_samples::chains;

/// A crank and a bob on two hinges, with further items.
fn scene(bob: &str, extra: &str) -> Model {
    build_text(&scene_text(bob, extra, ""), "scene.toml").expect("sound").built.model
}

const RIGID: &str = "mass = 0.8\ninertia = [0.02, 0.04, 0.05]\n\
    frame = [{ name = \"near\" }, { name = \"middle\", position = [0.3, 0, 0] }, { name = \"tip\", position = [0.6, 0, 0] }]";
const BEAM: &str = "frame = [{ name = \"near\", station = \"root\" }, { name = \"tip\", station = \"tip\" }]\n\
    beam = { length = 0.6, boundary = \"clamped-free\", axial = 1, bending_y = 1, bending_z = 1, torsion = 1, properties = \
    { axial = 400, bending_y = 3, bending_z = 3, torsion = 3, mass = 1.0, rotary = [0.02, 0.01, 0.01] }";

fn scene_text(bob: &str, extra: &str, settings: &str) -> String {
    format!(
        r#"
[[ground.frame]]
name = "base"
position = [0.55, 0, -0.2]
[[ground.frame]]
name = "floor"
position = [0, 0, -9]
[[body]]
name = "link"
mass = 1.0
inertia = [0.01, 0.03, 0.03]
frame = [{{ name = "end", position = [0.5, 0, 0] }}]
[[body]]
name = "bob"
{bob}
[[joint]]
name = "hinge"
type = "revolute"
axis = [0, 1, 0]
between = ["ground.origin", "link.origin"]
[[joint]]
name = "elbow"
type = "revolute"
axis = [0, 1, 0]
between = ["link.end", "bob.near"]
{extra}
[simulation]
end = 0.1
output_interval = 0.01
{settings}
"#
    )
}

/// What is said of `model`: one refusal that names `item` and holds `words`, and the same by every way to a device.
fn says(model: &Model, item: &str, words: &[&str]) {
    let found = refusals(model);
    let of_item: Vec<&Refusal> = found.iter().filter(|refusal| refusal.item == item).collect();
    assert_eq!(of_item.len(), 1, "{item}: {found:?}");
    for word in words {
        assert!(of_item[0].reason.contains(word), "{item}: {}", of_item[0].reason);
    }
    let ways =
        [Lowered::huge(model, 2).err(), Lowered::batch(model, 2).err(), Lowered::repeated(model, 9, 2).err()];
    for way in ways {
        assert_eq!(way.as_ref(), Some(&found), "{item}");
    }
    let method = MethodDescription::Rk4 { step: 1e-3 };
    let text = DeviceRun::new(model, &method, Choice::Emulated).err().expect("refused").to_string();
    assert!(text.starts_with("the model cannot run on a device:\n") && text.contains(item), "{text}");
}

#[test]
fn items_that_act_on_the_processor_only() {
    let element =
        |keys: &str, between: &str| format!("[[element]]\nname = \"it\"\nbetween = [{between}]\n{keys}\n");
    let touching = "\"ground.floor\", \"bob.middle\"";
    let processor = ["contacts, stops and tyres", "processor only"];
    for keys in [
        "type = \"contact\"\nradius = 0.3\nstiffness = 3000\nfriction = 0.4",
        "type = \"bump-stop\"\ngap = 0.5\nstiffness = 400",
        "type = \"tyre\"\nradius = 0.3\nstiffness = 3000\nlow_speed = 2\n\
         brush = { cornering_stiffness = 200, longitudinal_stiffness = 300, friction = 0.8, half_length = 0.05 }",
    ] {
        says(&scene(RIGID, &element(keys, touching)), "element `it`", &processor);
    }
    let coupler = "type = \"coupler\"\nfactors = [0.7, -1.0]\nstiffness = 20";
    let coupled = scene(RIGID, &element(coupler, "\"hinge\", \"elbow.angle\""));
    says(&coupled, "coupler `it`", &["relations between coordinates", "processor only"]);
    let pid = "[[controller]]\nname = \"it\"\ntype = \"pid\"\nsensors = [\"elbow.angle\"]\n\
               actuators = [\"elbow.effort\"]\nproportional = 10\n";
    says(&scene(RIGID, pid), "controller `it`", &["processor only"]);
    let slider =
        "[[joint]]\nname = \"pin\"\ntype = \"spherical\"\nbetween = [\"bob.tip\", \"ground.base\"]\n";
    let looped = scene(RIGID, slider);
    let closing = format!("joint `{}`", looped.loops[0].name);
    says(&looped, &closing, &["closes a loop", "devices run trees", "bushing"]);
}

#[test]
fn bodies_that_devices_do_not_have() {
    for level in ["paper", "consistent", "full"] {
        let bob = format!("level = \"{level}\"\n{BEAM} }}");
        says(
            &scene(&bob, ""),
            "body `bob`",
            &["`paper`, `consistent` and `full`", "use `gram` (the default)"],
        );
    }
    let bob = format!("{BEAM}, curvature = \"third-order\" }}");
    says(&scene(&bob, ""), "body `bob`", &["curvature", "use the default, linear curvature"]);
    let most = |modes: usize| chains::model(chains::clamped_chain(2, modes, InertiaLevel::Ruthless));
    says(&most(LARGEST_MODES + 1), "body `b1`", &["more than 32 modes", "keep fewer"]);
    assert_eq!(refusals(&most(LARGEST_MODES)), []);
    // Several items are named at once, each body and element with its own line.
    let two = element_and_level();
    let items: Vec<String> = refusals(&two).into_iter().map(|refusal| refusal.item).collect();
    assert_eq!(items, ["element `it`", "body `bob`"]);
    // Nothing at all has nothing to run.
    let mut empty = scene(RIGID, "");
    empty.bodies.clear();
    assert!(refusals(&empty).iter().any(|found| found.reason == "has no bodies"));
}

fn element_and_level() -> Model {
    let stop = "[[element]]\nname = \"it\"\ntype = \"bump-stop\"\ngap = 0.5\nstiffness = 400\n\
                between = [\"ground.floor\", \"bob.tip\"]";
    scene(&format!("level = \"full\"\n{BEAM} }}"), stop)
}

#[test]
fn settings_that_need_the_processor() {
    let refused = |settings: &str, extra: &str, words: &[&str]| {
        let text = scene_text(RIGID, extra, settings);
        let built = build_text(&text, "scene.toml").expect("sound").built;
        let found = check_remote(&built.description.simulation).expect_err("refused").to_string();
        let mut prepared = Simulation::of(&built).prepare().expect("channels");
        let mut sink = flexura::Recording::new(prepared.channels());
        let followed = prepared.follow(&mut sink).err().expect("refused").to_string();
        for word in words {
            assert!(found.contains(word) && followed.contains(word), "{word}: {found} {followed}");
        }
    };
    let event = "[[simulation.event]]\nname = \"down\"\nchannel = \"hinge.angle\"\nvalue = 0.5\n";
    refused(event, "", &["event `down`", "leave it out"]);
    refused("algorithm = \"composite-body\"", "", &["`composite-body`", "devices divide and conquer"]);
    refused(
        "algorithm = \"conjugate-gradient\"",
        "",
        &["`conjugate-gradient`", "devices divide and conquer"],
    );
    let refined = "algorithm = \"divide-and-conquer\"\nrefinements = 2";
    refused(refined, "", &["leave `refinements` out"]);
    refused("formulation = \"graph\"", "", &["`graph`", "remove `formulation`"]);
    let text = scene_text(RIGID, "", "").replace("output_interval = 0.01", "output_interval = 0");
    let built = build_text(&text, "scene.toml").expect("sound").built;
    let found = check_remote(&built.description.simulation).expect_err("refused").to_string();
    assert!(found.contains("give `output_interval`"), "{found}");
}

#[test]
fn methods_without_steps_on_devices() {
    let model = scene(RIGID, "");
    for keys in [
        "method = \"radau\"",
        "method = \"auto\"",
        "method = \"trapezoidal\"\nstep = 1e-3",
        "method = \"generalized-alpha\"\nstep = 1e-3\nspectral_radius = 0.8",
        "method = \"hht\"\nstep = 1e-3\nalpha = 0.05",
        "method = \"energy-preserving\"\nstep = 1e-3",
        "method = \"energy-decaying\"\nstep = 1e-3\nspectral_radius = 0.8",
        "formulation = \"global\"\nmethod = \"trapezoidal\"\nstep = 1e-3",
    ] {
        let text = scene_text(RIGID, "", keys);
        let built = build_text(&text, "scene.toml").expect("sound").built;
        let method = &built.description.simulation.method;
        let one = DeviceRun::new(&model, method, Choice::Emulated).err().expect("refused").to_string();
        let many = BatchRun::new(&[&model], method, Choice::Emulated).err().expect("refused").to_string();
        assert!(
            one.contains(&method.to_string()) && one.contains("devices have `rk4` and `dormand-prince`"),
            "{one}"
        );
        assert_eq!(one, many);
    }
}

#[test]
fn systems_that_do_not_go_together_and_chains_that_cannot_be_repeated() {
    let text = |models: &[&Model]| match System::batch_of(models, Choice::Emulated) {
        Err(error) => error.to_string(),
        Ok(_) => String::new(),
    };
    let one = scene(RIGID, "");
    let mut heavy = one.clone();
    heavy.gravity = [0.0, 0.0, -1.62];
    let found = text(&[&one, &heavy]);
    assert!(found.contains("another gravity") && found.contains("run it on the processor"), "{found}");
    let beam = scene(&format!("{BEAM} }}"), "");
    let found = text(&[&one, &beam]);
    assert!(found.contains("other bodies, joints or modes"), "{found}");
    let spring = "[[element]]\nname = \"it\"\ntype = \"rod\"\nlength = 0.5\nstiffness = 400\n\
                  between = [\"ground.base\", \"bob.tip\"]";
    let sprung = scene(RIGID, spring);
    assert!(text(&[&one, &sprung]).contains("has other loads or elements"));
    assert!(text(&[]).contains("at least one model"));
    let repeated = |model: &Model| match System::repeated(model, 10, 2, Choice::Emulated) {
        Err(DeviceError::Refused(list)) => list[0].to_string(),
        _ => String::new(),
    };
    assert!(repeated(&sprung).contains("links that carry them cannot be repeated"));
    let tree = chains::model(chains::rigid_tree(9, 3));
    assert!(repeated(&tree).contains("only the links of a chain"));
    assert!(repeated(&chains::model(chains::rigid_chain(1))).contains("only the links of a chain"));
}

/// Runs side by side start at states: a batch is gone on with by its journal, case by case.
#[test]
fn runs_side_by_side_from_checkpoints() {
    let built = build_text(&scene_text(RIGID, "", ""), "scene.toml").expect("sound").built;
    let mut prepared = Simulation::of(&built).prepare().expect("channels");
    let checkpoint = flexura::checkpoint::Checkpoint::default();
    prepared.begin(flexura::simulate::Start::Checkpoint(&checkpoint));
    let mut sink = flexura::Recording::new(prepared.channels());
    let found = prepared.follow(&mut sink).err().expect("refused").to_string();
    assert!(found.contains("run it alone"), "{found}");
}

/// Runs of a batch have their rows at the same instants.
#[test]
fn rows_at_other_instants_are_another_batch() {
    let built = [0.01, 0.02].map(|interval| {
        let mut description = chains::rigid_chain(2);
        (description.simulation.end, description.simulation.output_interval) = (0.1, interval);
        flexura::build(description).expect("sound")
    });
    let mut prepared: Vec<_> =
        built.iter().map(|built| Simulation::of(built).prepare().expect("channels")).collect();
    let mut sinks: Vec<_> = prepared.iter().map(|run| flexura::Recording::new(run.channels())).collect();
    let runs = prepared.iter_mut().zip(&mut sinks).map(|(run, sink)| run.follow(sink).expect("starts"));
    let models: Vec<&Model> = built.iter().map(|built| &built.model).collect();
    let method = MethodDescription::Rk4 { step: 1e-3 };
    let mut batch = BatchRun::new(&models, &method, Choice::Emulated).expect("lowered");
    let ended = batch.run(runs.collect(), 1, &mut |_| true);
    assert!(matches!(ended, Err(DeviceError::Rows)));
}
