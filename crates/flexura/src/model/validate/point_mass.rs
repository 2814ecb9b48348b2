//! Point masses: something must hold their rotation.
//!
//! A point mass has no rotary inertia. Its rotation is determined only if it is
//! locked, through joints without free rotation, to the ground or to a body that
//! has rotary inertia. Otherwise each joint that lets it turn is refused.

use super::Report;
use super::names::Carrier;
use crate::model::description::{BodyKind, Description, JointDescription, JointKindDescription as Kind};
use crate::model::item::{Item, ROOT};

/// Refuses joints that leave the rotation of a point mass free; `ends` is what
/// each joint connects, where that is known.
pub(super) fn check(description: &Description, ends: &[Option<[Carrier; 2]>], report: &mut Report) {
    let ground = description.bodies.len();
    let is_point = |body: usize| {
        description.bodies.get(body).is_some_and(|body| matches!(body.kind, BodyKind::PointMass { .. }))
    };
    if !(0..ground).any(is_point) {
        return;
    }
    let index = |carrier: Carrier| match carrier {
        Carrier::Ground => ground,
        Carrier::Body(body) => body,
    };
    let mut groups = Groups::new(ground + 1);
    for (joint, ends) in description.joints.iter().zip(ends) {
        if let Some([a, b]) = ends.filter(|_| locks_rotation(joint)) {
            groups.join(index(a), index(b));
        }
    }
    let mut held = vec![false; ground + 1];
    for body in (0..=ground).filter(|&body| !is_point(body)) {
        held[groups.root(body)] = true;
    }
    for (i, (joint, ends)) in description.joints.iter().zip(ends).enumerate() {
        let Some([a, b]) = ends.filter(|_| !locks_rotation(joint)) else { continue };
        let spinning = [index(a), index(b)].into_iter().find(|&body| !held[groups.root(body)]);
        if let Some(body) = spinning {
            refuse(joint, i, &description.bodies[body].name, report);
        }
    }
}

fn refuse(joint: &JointDescription, index: usize, name: &str, report: &mut Report) {
    let list = ROOT.key("joint");
    let (path, item) = (list.index(index), Item::named("joint", &joint.name, index));
    let message = format!(
        "a {} joint leaves the rotation of point mass `{name}` free, which has no rotary inertia",
        joint.kind.word(),
    );
    let help = format!(
        "use translational, prismatic or weld, weld `{name}` to a body with inertia, or replace \
         `point_mass` by `mass` and `inertia`"
    );
    report.error("point-mass-rotation", &path.key("type"), &item, message, help);
}

/// Whether every rotation of the joint is absent or prescribed.
fn locks_rotation(joint: &JointDescription) -> bool {
    let turning = match joint.kind {
        // These hold no rotation, but lead nowhere either: what carries the mass must.
        Kind::Rolling { .. } | Kind::Blade { .. } => return false,
        Kind::Weld | Kind::Prismatic { .. } | Kind::Translational => 0..0,
        Kind::Revolute { .. } | Kind::Cylindrical { .. } | Kind::Helical { .. } => 0..1,
        Kind::Universal { .. } => 0..2,
        Kind::Spherical | Kind::Free => 0..3,
        Kind::Planar => 2..3,
    };
    turning.into_iter().all(|k| joint.coordinates.get(k).is_some_and(|one| one.motion.is_some()))
}

/// Bodies that turn together (union-find with path halving).
struct Groups(Vec<usize>);

impl Groups {
    fn new(size: usize) -> Self {
        Self((0..size).collect())
    }

    fn root(&mut self, mut member: usize) -> usize {
        while self.0[member] != member {
            self.0[member] = self.0[self.0[member]];
            member = self.0[member];
        }
        member
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a] = b;
    }
}
