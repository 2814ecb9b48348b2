//! Independent loops and the count of freedoms in words.

use flexura::graph::{KinematicLoop, Mobility};
use flexura::model::description::Description;
use flexura::model::words::{count, list};
use serde_json::{Value, json};

/// Longest list of loops printed in full.
const MOST_LOOPS: usize = 40;

/// One line per loop, and the count by Grübler.
pub fn loops_text(description: &Description, mobility: &Mobility) -> String {
    let name = |&joint: &usize| description.joints[joint].name.as_str();
    let mut text = match mobility.loops.len() {
        0 => "loops: none\n".to_string(),
        number => format!("loops of the joint tree (the joint that closes it: joints around): {number}\n"),
    };
    for KinematicLoop { joints, freedoms } in mobility.loops.iter().take(MOST_LOOPS) {
        let freedoms = count(*freedoms, "freedom");
        text += &format!("  {}: {} ({freedoms})\n", name(&joints[0]), list(joints.iter().map(name)));
    }
    if mobility.loops.len() > MOST_LOOPS {
        text += &format!("  … and {} more\n", mobility.loops.len() - MOST_LOOPS);
    }
    text += &format!(
        "freedoms by Grübler: 6 × {} − {} = {}",
        count(mobility.bodies, "body"),
        count(mobility.constraints, "constraint"),
        mobility.degrees_of_freedom()
    );
    if mobility.prescribed > 0 {
        text += &format!(", {} of them prescribed", mobility.prescribed);
    }
    if mobility.modal > 0 {
        text += &format!(", and {}", count(mobility.modal, "mode"));
    }
    if !mobility.loops.is_empty() {
        text += " (too few where constraints repeat each other, as in a planar loop: 3)";
    }
    text + "\n"
}

/// The same for programs.
pub fn loops_json(description: &Description, mobility: &Mobility) -> Value {
    let name = |&joint: &usize| description.joints[joint].name.as_str();
    let closed = |closed: &KinematicLoop| {
        json!({
            "closed_by": name(&closed.joints[0]),
            "joints": closed.joints.iter().map(name).collect::<Vec<_>>(),
            "freedoms": closed.freedoms,
        })
    };
    json!({
        "bodies": mobility.bodies,
        "constraints": mobility.constraints,
        "gruebler": mobility.degrees_of_freedom(),
        "prescribed": mobility.prescribed,
        "modal": mobility.modal,
        "loops": mobility.loops.iter().map(closed).collect::<Vec<_>>(),
    })
}
