//! Where each body's numbers live in the flat vectors of state and workspace: modes, then hinge, JPL 90-26 eqs 3.5-3.6.

use super::{Body, TreeJoint};

/// Offsets of one body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyLayout {
    /// First coordinate: modal coordinates, then joint coordinates.
    pub q: usize,
    /// First speed: modal speeds, then joint speeds.
    pub v: usize,
    /// Number of modes.
    pub modes: usize,
    /// Number of joint coordinates.
    pub joint_q: usize,
    /// Number of joint speeds.
    pub joint_v: usize,
    /// First entry in vectors over all modes of all bodies.
    pub modal: usize,
    /// First entry in vectors of `modes × modes` blocks.
    pub modal_square: usize,
    /// First entry in vectors over all joint speeds.
    pub joint: usize,
    /// First entry in vectors of `joint_v × joint_v` blocks.
    pub joint_square: usize,
    /// First entry in vectors over all attachments.
    pub attachment: usize,
    /// First entry in vectors over attachments × modes.
    pub influence: usize,
    /// First number of scratch for the mass block.
    pub scratch: usize,
    /// Numbers of scratch for the mass block.
    pub scratch_count: usize,
}

/// Offsets of all bodies and total sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Per body.
    pub bodies: Vec<BodyLayout>,
    /// Number of coordinates.
    pub coordinates: usize,
    /// Number of speeds.
    pub speeds: usize,
    /// Total number of modes.
    pub modal: usize,
    /// Total size of modal square blocks.
    pub modal_square: usize,
    /// Total number of joint speeds.
    pub joint: usize,
    /// Total size of joint square blocks.
    pub joint_square: usize,
    /// Total number of attachments.
    pub attachment: usize,
    /// Total number of attachment Jacobian columns.
    pub influence: usize,
    /// Total scratch for mass blocks.
    pub scratch: usize,
}

impl Layout {
    /// Offsets for bodies and their joints in tree order.
    pub fn new(bodies: &[Body], joints: &[TreeJoint]) -> Self {
        let mut layout = Self { bodies: Vec::with_capacity(bodies.len()), ..Self::default() };
        for (body, joint) in bodies.iter().zip(joints) {
            let kind = &joint.joint.kind;
            let (n, jq, jv) = (body.modes, kind.coordinate_count(), kind.degrees_of_freedom());
            layout.bodies.push(BodyLayout {
                q: layout.coordinates,
                v: layout.speeds,
                modes: n,
                joint_q: jq,
                joint_v: jv,
                modal: layout.modal,
                modal_square: layout.modal_square,
                joint: layout.joint,
                joint_square: layout.joint_square,
                attachment: layout.attachment,
                influence: layout.influence,
                scratch: layout.scratch,
                scratch_count: body.scratch(),
            });
            layout.coordinates += n + jq;
            layout.speeds += n + jv;
            layout.modal += n;
            layout.modal_square += n * n;
            layout.joint += jv;
            layout.joint_square += jv * jv;
            layout.attachment += body.attachments.len();
            layout.influence += body.attachments.len() * n;
            layout.scratch += body.scratch();
        }
        layout
    }
}

impl BodyLayout {
    /// Modal coordinates in the coordinate vector.
    pub fn modal_q(&self) -> std::ops::Range<usize> {
        self.q..self.q + self.modes
    }

    /// Joint coordinates in the coordinate vector.
    pub fn joint_q(&self) -> std::ops::Range<usize> {
        self.q + self.modes..self.q + self.modes + self.joint_q
    }

    /// Modal speeds in the speed vector.
    pub fn modal_v(&self) -> std::ops::Range<usize> {
        self.v..self.v + self.modes
    }

    /// Joint speeds in the speed vector.
    pub fn joint_v(&self) -> std::ops::Range<usize> {
        self.v + self.modes..self.v + self.modes + self.joint_v
    }

    /// Entries in vectors over all modes.
    pub fn modal(&self) -> std::ops::Range<usize> {
        self.modal..self.modal + self.modes
    }

    /// Entries in vectors of modal square blocks.
    pub fn modal_square(&self) -> std::ops::Range<usize> {
        self.modal_square..self.modal_square + self.modes * self.modes
    }

    /// Entries in vectors over all joint speeds.
    pub fn joint(&self) -> std::ops::Range<usize> {
        self.joint..self.joint + self.joint_v
    }

    /// All speeds of this body.
    pub fn speeds(&self) -> std::ops::Range<usize> {
        self.v..self.v + self.modes + self.joint_v
    }

    /// Scratch for the mass block.
    pub fn scratch(&self) -> std::ops::Range<usize> {
        self.scratch..self.scratch + self.scratch_count
    }

    /// Jacobian columns of attachment `index` of this body.
    pub fn influence(&self, index: usize) -> std::ops::Range<usize> {
        let start = self.influence + index * self.modes;
        start..start + self.modes
    }
}
