//! Bodies of level `ruthless` on the way of closed loops: their points follow the deformation there, without a key that says so.
//!
//! Level `ruthless` freezes attachment points for the dynamics (kinematics.md, rules): a tree bears that, a loop through such points would not
//! stay closed. JPL 90-26, section 9, closes loops by the motion of the deformed points, whatever the mass. So a body between a loop
//! and the ground that does not choose `attachments` takes the rule `exact`; in trees nothing changes. Cost O(bodies + joints).

use crate::diagnostic::Diagnostic;
use crate::graph::{Edge, SpanningTree};
use crate::model::description::{AttachmentRule, BodyDescription, Description, InertiaLevel};
use std::borrow::Cow;
use std::collections::HashSet;

/// The description with the rule of such bodies, and which they are.
pub(super) fn follow_loops<'a>(
    description: &'a Description,
    tree: &SpanningTree,
    edges: &[Edge],
    removed: &HashSet<usize>,
) -> (Cow<'a, Description>, Vec<Diagnostic>) {
    let silent =
        |body: &BodyDescription| body.level == Some(InertiaLevel::Ruthless) && body.attachments.is_none();
    if tree.chords.is_empty() || !description.bodies.iter().any(silent) {
        return (Cow::Borrowed(description), Vec::new());
    }
    let on_loops = bodies_on_loops(description.bodies.len(), tree, edges, removed);
    let (mut changed, mut findings) = (Cow::Borrowed(description), Vec::new());
    for (index, body) in description.bodies.iter().enumerate() {
        if !(on_loops[index] && silent(body)) {
            continue;
        }
        changed.to_mut().bodies[index].attachments = Some(AttachmentRule::Exact);
        let message = "level `ruthless` has a constant mass, but a loop hangs on the body or goes through it, and its attachments deform: \
                       energy is not conserved";
        let help = "use level = \"gram\" where that matters; attachments = \"exact\" says the same by a key";
        let (path, item) = (format!("body[{index}].level"), format!("body `{}`", body.name));
        findings.push(Diagnostic::warning("ruthless-in-loop", path, item, message, help));
    }
    (changed, findings)
}

/// Bodies between the ends of chords and the ground.
fn bodies_on_loops(count: usize, tree: &SpanningTree, edges: &[Edge], removed: &HashSet<usize>) -> Vec<bool> {
    let mut found = vec![false; count];
    for &chord in tree.chords.iter().filter(|chord| !removed.contains(chord)) {
        for end in [edges[chord].first, edges[chord].second] {
            let mut at = end.and_then(|body| tree.position[body]);
            while let Some(k) = at {
                // What lies further inwards was found with it.
                if std::mem::replace(&mut found[tree.branches[k].body], true) {
                    break;
                }
                at = tree.branches[k].parent;
            }
        }
    }
    found
}
