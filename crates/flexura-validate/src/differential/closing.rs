//! Loops: joints between frames that coincide where the tree starts, and start values that close them exactly.
//!
//! A loop is closed by a frame anywhere on one body and a second frame, on the ground or a rigid body, that is put
//! where the first one is at the start. Speeds are then projected by the engine and written into the file, so that every
//! choice of the tree starts alike.

use super::bodies::BodyKind;
use super::dice::Dice;
use super::document::{Document, array, extend, read, write};
use super::joints::{self, Joint, KINDS, Kind};
use super::scene::Scene;
use flexura::file::build_text;
use flexura::record::Recording;
use flexura::simulate::Simulation;
use flexura::spatial::{matrix_from_quaternion, quaternion_product, sub, transposed_matrix_vector};
use toml::Value;

/// Closes a loop or two; `None` where the tree itself is refused.
pub fn close_loops(scene: &mut Scene, dice: &mut Dice) -> Option<()> {
    let mut left: usize = scene.joints.iter().map(|joint| joint.free).sum();
    for _ in 0..1 + usize::from(dice.chance(0.25)) {
        if let Some(taken) = close_one(scene, dice, left)? {
            left -= taken;
        }
    }
    Some(())
}

/// Everything that is recorded of the start; `None` where the model is refused.
pub fn at_start(text: &str) -> Option<Recording> {
    let built = build_text(text, "random.toml").ok()?.built;
    let start = built.description.simulation.start;
    Simulation::of(&built).end(start).channels(["*"]).run().ok()
}

/// Bodies from `body` down to the ground.
fn to_ground(scene: &Scene, body: Option<usize>) -> Vec<usize> {
    let mut path = Vec::new();
    let mut at = body;
    while let Some(body) = at {
        path.push(body);
        let [a, b] = scene.joints[body].bodies;
        at = if a == Some(body) { b } else { a };
    }
    path
}

/// Joints of the tree between two bodies: that of body `i` is number `i`.
pub fn path_between(scene: &Scene, ends: [Option<usize>; 2]) -> Vec<usize> {
    let [one, other] = ends.map(|end| to_ground(scene, end));
    let only = |a: &[usize], b: &[usize]| a.iter().filter(|x| !b.contains(x)).copied().collect::<Vec<_>>();
    [only(&one, &other), only(&other, &one)].concat()
}

/// Closes one loop if there is something to close; returns how many freedoms it takes.
fn close_one(scene: &mut Scene, dice: &mut Dice, left: usize) -> Option<Option<usize>> {
    let (Some(body), frame) = scene.frame(dice, 0.0) else { return Some(None) };
    let rigid = (0..scene.bodies.len()).filter(|&i| i != body && scene.bodies[i].kind == BodyKind::Rigid);
    let others: Vec<Option<usize>> = rigid.map(Some).chain([None]).collect();
    let other = *dice.pick(&others);
    let path = path_between(scene, [Some(body), other]);
    let freedoms: usize = path.iter().map(|&joint| scene.joints[joint].free).sum();
    let most = freedoms.min(left).saturating_sub(1);
    // Rotations that joints do not allow would be left to small deformations: singular where there is none.
    let moving = path.iter().filter(|&&joint| !scene.joints[joint].driven.contains(&true));
    let turns: usize = moving.map(|&joint| scene.joints[joint].kind.rotations()).sum();
    let fits =
        |kind: &&Kind| kind.word != "free" && 6 - kind.freedoms() <= most && 3 - kind.rotations() <= turns;
    let fitting: Vec<&'static Kind> = KINDS.iter().filter(fits).collect();
    if fitting.is_empty() || scene.bodies[body].kind == BodyKind::Point {
        return Some(None);
    }
    let kind = *dice.pick(&fitting);
    let name = format!("loop{}", scene.joints.len() + 1);
    let start = at_start(&scene.text)?;
    let mut document = read(&scene.text)?;
    let place = meeting_frame(scene, &start, (body, &frame), other, &name)?;
    let owner = other.map_or("ground".to_string(), |other| scene.bodies[other].name.clone());
    add_frame(&mut document, other.map(|_| owner.as_str()), place)?;
    scene.text.clear();
    let ends = [frame, format!("{owner}.{name}")];
    joints::head(scene, dice, &name, kind, &ends);
    extend(&mut document, &scene.text)?;
    scene.text = write(&document);
    let (bodies, free) = ([Some(body), other], kind.freedoms());
    scene.joints.push(Joint { name, kind, bodies, ends, free, driven: vec![false; free] });
    Some(Some(6 - free))
}

fn numbers<const N: usize>(start: &Recording, item: &str, words: [&str; N]) -> Option<[f64; N]> {
    let mut found = [0.0; N];
    for (slot, word) in found.iter_mut().zip(words) {
        *slot = start.last(&format!("{item}.{word}")).ok()?;
    }
    Some(found)
}

const QUATERNION: [&str; 4] = ["quaternion.w", "quaternion.x", "quaternion.y", "quaternion.z"];
const POSITION: [&str; 3] = ["position.x", "position.y", "position.z"];

/// A frame on `other` that coincides with `frame`.
fn meeting_frame(
    scene: &Scene,
    start: &Recording,
    (body, frame): (usize, &str),
    other: Option<usize>,
    name: &str,
) -> Option<Value> {
    let item = if frame.ends_with(".origin") { &scene.bodies[body].name } else { frame };
    let (point, turn) = (numbers(start, item, POSITION)?, numbers(start, item, QUATERNION)?);
    let (origin, base) = match other {
        Some(other) => {
            let owner = &scene.bodies[other].name;
            (numbers(start, owner, POSITION)?, numbers(start, owner, QUATERNION)?)
        }
        None => ([0.0; 3], [1.0, 0.0, 0.0, 0.0]),
    };
    let position = transposed_matrix_vector(&matrix_from_quaternion(&base), &sub(&point, &origin));
    let [w, x, y, z] = base;
    let quaternion = quaternion_product(&[w, -x, -y, -z], &turn);
    let text =
        format!("name = \"{name}\"\nposition = {position:?}\nrotation = {{ quaternion = {quaternion:?} }}");
    Some(Value::Table(read(&text)?))
}

/// Puts a frame on a body or the ground.
fn add_frame(document: &mut Document, body: Option<&str>, frame: Value) -> Option<()> {
    let owner = match body {
        None => document.get_mut("ground")?.as_table_mut()?,
        Some(name) => array(document, "body")?
            .iter_mut()
            .filter_map(Value::as_table_mut)
            .find(|table| table.get("name").and_then(Value::as_str) == Some(name))?,
    };
    owner.entry("frame").or_insert_with(|| Value::Array(Vec::new())).as_array_mut()?.push(frame);
    Some(())
}

/// The model with the values of its assembled start in every joint and flexible body.
pub fn written_back(scene: &Scene) -> Option<String> {
    let start = at_start(&scene.text)?;
    let mut document = read(&scene.text)?;
    for (joint, table) in scene.joints.iter().zip(array(&mut document, "joint")?) {
        let table = table.as_table_mut()?;
        let list = |words: &[&str]| -> Option<Vec<f64>> {
            words.iter().map(|word| start.last(&format!("{}.{word}", joint.name)).ok()).collect()
        };
        if joint.driven.contains(&true) {
            continue;
        }
        let value = |numbers: Vec<f64>| match numbers[..] {
            [one] => Value::Float(one),
            _ => Value::Array(numbers.into_iter().map(Value::Float).collect()),
        };
        if joint.kind.orientation {
            let quaternion = value(list(&["qw", "qx", "qy", "qz"])?);
            let rotation = [("quaternion".to_string(), quaternion)];
            table.insert("orientation".into(), Value::Table(rotation.into_iter().collect()));
        }
        if !joint.kind.coordinates.is_empty() {
            table.insert("position".into(), value(list(joint.kind.coordinates)?));
        }
        if joint.kind.freedoms() > 0 {
            table.insert("speed".into(), value(list(joint.kind.speeds)?));
        }
    }
    let simulation = document.get_mut("simulation")?.as_table_mut()?;
    let initial = initial_modes(scene, &start);
    simulation.insert("initial".into(), Value::Array(initial));
    Some(write(&document))
}

/// Entries of `[[simulation.initial]]` of all flexible bodies, those of segments one after the other.
fn initial_modes(scene: &Scene, start: &Recording) -> Vec<Value> {
    let mut list = Vec::new();
    for body in &scene.bodies {
        let values = |word: &str| -> Vec<Value> {
            let of = |name: &&String| {
                name.strip_prefix(&format!("{}.", body.name)).is_some_and(|rest| rest.contains(word))
            };
            let names = start.names().iter().filter(of);
            names.filter_map(|name| start.last(name).ok().map(Value::Float)).collect()
        };
        let (eta, rate) = (values("eta."), values("eta_rate."));
        if !eta.is_empty() {
            let entries = [
                ("body", Value::String(body.name.clone())),
                ("modal_position", Value::Array(eta)),
                ("modal_speed", Value::Array(rate)),
            ];
            list.push(Value::Table(
                entries.into_iter().map(|(key, value)| (key.to_string(), value)).collect(),
            ));
        }
    }
    list
}
