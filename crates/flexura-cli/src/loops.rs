//! Independent loops and the count of freedoms in words.

use flexura::graph::{GrueblerCount, KinematicLoop};
use flexura::model::description::Description;
use flexura::model::words::{count, list};
use serde_json::{Value, json};

/// Longest list of loops printed in full.
const MOST_LOOPS: usize = 40;

/// One line per loop, and the count by Grübler.
pub fn loops_text(description: &Description, counted: &GrueblerCount) -> String {
    let name = |&joint: &usize| description.joints[joint].name.as_str();
    let mut text = match counted.loops.len() {
        0 => "loops: none\n".to_string(),
        number => format!("loops of the joint tree (the joint that closes it: joints around): {number}\n"),
    };
    for KinematicLoop { joints, freedoms } in counted.loops.iter().take(MOST_LOOPS) {
        let freedoms = count(*freedoms, "freedom");
        text += &format!("  {}: {} ({freedoms})\n", name(&joints[0]), list(joints.iter().map(name)));
    }
    if counted.loops.len() > MOST_LOOPS {
        text += &format!("  … and {} more\n", counted.loops.len() - MOST_LOOPS);
    }
    text += &format!(
        "freedoms by Grübler: 6 × {} − {} = {}",
        count(counted.bodies, "body"),
        count(counted.constraints, "constraint"),
        counted.degrees_of_freedom()
    );
    if counted.prescribed > 0 {
        text += &format!(", {} of them prescribed", counted.prescribed);
    }
    if counted.modal > 0 {
        text += &format!(", and {}", count(counted.modal, "mode"));
    }
    if !counted.loops.is_empty() {
        text += " (too few where constraints repeat each other, as in a planar loop: 3)";
    }
    text + "\n"
}

/// The same for programs.
pub fn loops_json(description: &Description, counted: &GrueblerCount) -> Value {
    let name = |&joint: &usize| description.joints[joint].name.as_str();
    let closed = |closed: &KinematicLoop| {
        json!({
            "closed_by": name(&closed.joints[0]),
            "joints": closed.joints.iter().map(name).collect::<Vec<_>>(),
            "freedoms": closed.freedoms,
        })
    };
    json!({
        "bodies": counted.bodies,
        "constraints": counted.constraints,
        "gruebler": counted.degrees_of_freedom(),
        "prescribed": counted.prescribed,
        "modal": counted.modal,
        "loops": counted.loops.iter().map(closed).collect::<Vec<_>>(),
    })
}
