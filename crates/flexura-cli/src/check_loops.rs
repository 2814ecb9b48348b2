//! Closed loops in `flexura check`: what was cut and why, degrees of freedom, what assembly moved.

use flexura::analysis::{Mobility, mobility};
use flexura::build::Built;
use flexura::graph::cut_reason;
use flexura::model::words::{count, number};
use flexura::{Model, State};
use serde_json::{Value, json};

/// Mobility at the initial position; `None` without loops, or where it cannot be evaluated.
fn mobility_of(built: &Built) -> Option<Mobility> {
    let state = State::initial(&built.model, built.description.simulation.start);
    (!built.model.loops.is_empty()).then(|| mobility(&built.model, &state).ok()).flatten()
}

/// Lines of the summary, empty without loops.
pub fn summary_lines(built: &Built) -> Vec<String> {
    let model = &built.model;
    let Some(found) = mobility_of(built) else { return Vec::new() };
    let mut lines = vec![
        format!(
            "  closed loops        {}: {}, {} independent",
            model.loops.len(),
            count(found.constraints, "constraint"),
            found.rank
        ),
        format!("  mobility            {} by rank, {} by counting (Grübler)", found.freedoms, found.counted),
    ];
    let on_speeds: usize = model.loops.iter().map(|joint| joint.speed_row_count()).sum();
    if on_speeds > 0 {
        lines.push(format!(
            "  non-holonomic       {} on speeds alone: fewer speeds are free than positions can be reached",
            count(on_speeds, "constraint")
        ));
    }
    if !found.redundant.is_empty() {
        let name = |l: usize| (&model.loops[l].name, model.loops[l].rows.len());
        let words = found.redundant.iter().map(|&(l, n)| format!("`{}` {n} of {}", name(l).0, name(l).1));
        lines.push(format!("  redundant           {}", words.collect::<Vec<_>>().join(", ")));
    }
    if let Some(rank) = found.regular_rank {
        lines.push(format!(
            "  singular position   {} independent constraints here, {rank} beside it",
            found.rank
        ));
    }
    lines.push(format!("  assembly            {}", assembly_words(built)));
    lines
}

fn assembly_words(built: &Built) -> String {
    let report = &built.assembly;
    if report.steps == 0 {
        return "closed as given".into();
    }
    let moved = match report.moved.len() {
        0 => "no given position moved".to_string(),
        _ => {
            let words = report.moved.iter().map(|(name, by)| format!("`{name}` by {}", number(*by)));
            format!("moved {}", words.collect::<Vec<_>>().join(", "))
        }
    };
    format!("a gap of {:.1e} closed in {}; {moved}", report.gap_before, count(report.steps, "step"))
}

/// One line per loop.
pub fn loop_list(built: &Built) -> String {
    let model = &built.model;
    if model.loops.is_empty() {
        return String::new();
    }
    let mut text = String::from("loops (joint that closes it: joints around):\n");
    for joint in &model.loops {
        let reason = cut_reason(&built.description, &joint.name, &joint.members);
        text += &format!(
            "  {} ({}, {}; {reason}): {}\n",
            joint.name,
            joint.kind.word(),
            count(joint.rows.len(), "constraint"),
            joint.members.join(", ")
        );
    }
    text
}

/// Loops, mobility and assembly as JSON; null without loops.
pub fn loops_json(built: &Built) -> Value {
    let model: &Model = &built.model;
    let Some(found) = mobility_of(built) else { return Value::Null };
    let redundant = |l: usize| found.redundant.iter().find(|(at, _)| *at == l).map_or(0, |(_, rows)| *rows);
    let one = |(l, joint): (usize, &flexura::model::closure::LoopJoint)| {
        json!({
            "joint": joint.name,
            "joint_type": joint.kind.word(),
            "constraints": joint.rows.len(),
            "constraints_on_speeds": joint.speed_row_count(),
            "redundant": redundant(l),
            "members": joint.members,
            "reason": cut_reason(&built.description, &joint.name, &joint.members),
        })
    };
    let moved = built.assembly.moved.iter().map(|(name, by)| json!({ "joint": name, "by": by }));
    json!({
        "list": model.loops.iter().enumerate().map(one).collect::<Vec<_>>(),
        "constraints": found.constraints,
        "independent": found.rank,
        "independent_beside": found.regular_rank,
        "freedoms_by_rank": found.freedoms,
        "freedoms_by_counting": found.counted,
        "assembly": {
            "gap_before": built.assembly.gap_before,
            "gap_after": built.assembly.gap_after,
            "steps": built.assembly.steps,
            "starts": built.assembly.starts,
            "moved": moved.collect::<Vec<_>>(),
        },
    })
}
