//! Links without an inertia of their own become part of what they are welded to: those without mass as frames (flanges, tool
//! centre points, the root of most URDF files), others with their mass: points, and placeholders whose numbers no matter has, which
//! as part of a larger body do no harm. One that moves on a joint of its own has no equation of motion.

use super::description::{Frame, Robot};
use crate::finding::Findings;
use nalgebra::Isometry3;

/// Merges every such link, or says why it cannot be.
pub fn merge(robot: &mut Robot, findings: &mut Findings) {
    let mut gone = vec![false; robot.links.len()];
    while let Some((link, joint)) = next(robot, &gone) {
        join(robot, link, joint, findings);
        gone[link] = true;
    }
    for (index, link) in robot.links.iter().enumerate().filter(|(index, _)| !gone[*index]) {
        let what = match &link.mass {
            None => "no mass",
            Some(mass) if mass.is_point() => "no rotary inertia",
            Some(_) => continue,
        };
        let mover = robot.joints.iter().find(|joint| joint.ends[1].link == Some(index));
        let mover = mover.map_or("a joint", |joint| &joint.name);
        let message = format!("link `{}` has {what}, and `{mover}` moves it by itself", link.name);
        let help = "give it an inertia, or weld it to a link that has one";
        findings.fault(&link.place, message, help);
    }
    drop_links(robot, &gone);
}

/// A link to merge and the weld to do it over; that to its parent first.
fn next(robot: &Robot, gone: &[bool]) -> Option<(usize, usize)> {
    let light =
        |index: &usize| !gone[*index] && !robot.links[*index].mass.is_some_and(|mass| mass.is_sound());
    let weld = |link: usize, side: usize| {
        robot.joints.iter().position(|joint| {
            joint.kind == super::description::Kind::Weld && joint.ends[side].link == Some(link)
        })
    };
    (0..robot.links.len())
        .filter(light)
        .find_map(|link| Some((link, weld(link, 1).or_else(|| weld(link, 0))?)))
}

/// Puts a link into the other end of a weld.
fn join(robot: &mut Robot, link: usize, joint: usize, findings: &mut Findings) {
    let [parent, child] = robot.joints.remove(joint).ends;
    let (own, other) = if child.link == Some(link) { (child, parent) } else { (parent, child) };
    let pose: Isometry3<f64> = other.pose * own.pose.inverse();
    let merged = std::mem::take(&mut robot.links[link]);
    let mut frames = vec![Frame { name: merged.name.clone(), pose }];
    frames.extend(merged.frames.into_iter().map(|frame| Frame { pose: pose * frame.pose, ..frame }));
    match other.link {
        Some(index) => {
            let carrier = &mut robot.links[index];
            carrier.frames.extend(frames);
            carrier.shapes.extend(merged.shapes.into_iter().map(|mut shape| {
                shape.pose = pose * shape.pose;
                shape
            }));
            if let Some(mass) = merged.mass {
                let moved = mass.moved(&pose);
                carrier.mass = Some(carrier.mass.map_or(moved, |own| own.joined(&moved)));
            }
        }
        None => {
            robot.ground_frames.extend(frames);
            for _ in &merged.shapes {
                findings.passed(&merged.place, "picture", "of what stands still is not drawn");
            }
        }
    }
    for end in robot.joints.iter_mut().flat_map(|joint| &mut joint.ends) {
        if end.link == Some(link) {
            *end = super::description::End { link: other.link, pose: pose * end.pose };
        }
    }
}

/// Takes merged links out of the list.
fn drop_links(robot: &mut Robot, gone: &[bool]) {
    let mut place = vec![0; gone.len()];
    let mut kept = 0;
    for (index, gone) in gone.iter().enumerate() {
        place[index] = kept;
        kept += usize::from(!gone);
    }
    let mut index = 0;
    robot.links.retain(|_| {
        index += 1;
        !gone[index - 1]
    });
    for end in robot.joints.iter_mut().flat_map(|joint| &mut joint.ends) {
        end.link = end.link.map(|link| place[link]);
    }
}
