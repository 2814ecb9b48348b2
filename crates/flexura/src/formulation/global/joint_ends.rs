//! Joints of the tree and joints that close loops, alike: two frames and a kind.
//!
//! Natural coordinates know no tree. The kind always describes the motion of the
//! second frame in the first; where the tree runs the other way, the frames change
//! places.

use crate::model::joint::JointKind;
use crate::model::{Coordinate, Frame, Model, Mount};
use crate::spatial::{Vector3, cross, norm, scale};

/// One end of a joint.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// Body, or `None` for the ground.
    pub body: Option<usize>,
    /// Frame on the body.
    pub mount: Mount,
}

/// A joint with both its frames.
#[derive(Clone, Debug)]
pub(super) struct JointEnds {
    pub name: String,
    pub kind: JointKind,
    /// First and second frame.
    pub ends: [End; 2],
    /// Which of them stands first in `between`: the tree may run the other way.
    pub first: usize,
    pub coordinates: Vec<Coordinate>,
}

fn end_of(frame: &Frame) -> End {
    End { body: frame.body.map(|body| body.0), mount: frame.mount.clone() }
}

/// All joints: those of the tree in its order, then the chords.
pub(super) fn joint_ends(model: &Model) -> Vec<JointEnds> {
    let mut list = Vec::with_capacity(model.joints.len() + model.loops.len());
    for (k, joint) in model.joints.iter().enumerate() {
        let outer = End { body: joint.parent, mount: joint.outer.clone() };
        let inner = End { body: Some(k), mount: joint.inner.clone() };
        let ends = if joint.joint.reversed { [inner, outer] } else { [outer, inner] };
        let first = usize::from(joint.swapped && !joint.joint.reversed);
        let (kind, coordinates) = (joint.joint.kind, joint.coordinates.clone());
        list.push(JointEnds { name: joint.name.clone(), kind, ends, first, coordinates });
    }
    for joint in &model.loops {
        let ends = joint.frames.map(|id| end_of(&model.frames[id.0]));
        let mut coordinates = joint.coordinates.clone();
        coordinates.resize(joint.kind.degrees_of_freedom(), Coordinate::default());
        let (name, kind) = (joint.name.clone(), joint.kind);
        list.push(JointEnds { name, kind, ends, first: 0, coordinates });
    }
    list
}

/// Two unit vectors that complete the unit vector `axis` to a right-handed triad.
pub(super) fn normals(axis: &Vector3) -> [Vector3; 2] {
    let least = (0..3).fold(0, |best, i| if axis[i].abs() < axis[best].abs() { i } else { best });
    let mut helper = [0.0; 3];
    helper[least] = 1.0;
    let first = cross(axis, &helper);
    let first = scale(1.0 / norm(&first), &first);
    [first, cross(axis, &first)]
}

/// What the two bodies of a joint have in common.
pub(super) struct Shared {
    /// Whether the origins of both frames coincide.
    pub point: bool,
    /// Directions, in components of both frames, that coincide.
    pub vectors: Vec<Vector3>,
}

/// Points and directions that a joint of `kind` makes common.
pub(super) fn shared(kind: &JointKind) -> Shared {
    let triad = || vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let (point, vectors) = match kind {
        JointKind::Weld => (true, triad()),
        JointKind::Revolute { axis } => (true, vec![*axis]),
        JointKind::Prismatic { .. } | JointKind::Translational => (false, triad()),
        JointKind::Cylindrical { axis } | JointKind::Helical { axis, .. } => (false, vec![*axis]),
        JointKind::Universal { .. } | JointKind::Spherical => (true, Vec::new()),
        JointKind::Planar => (false, vec![[0.0, 0.0, 1.0]]),
        // The last two are refused (`formulation/global/build.rs`).
        JointKind::Free | JointKind::Rolling { .. } | JointKind::Blade { .. } => (false, Vec::new()),
    };
    Shared { point, vectors }
}
