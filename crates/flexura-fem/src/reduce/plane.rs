//! Structures that move in a plane of the mesh: the other three freedoms of every node are held.
//!
//! A link with equal stiffness in two planes has its modes in pairs, and half of them cannot move in a plane mechanism. With
//! them held, modes and static shapes counted are those that do.

/// A plane of the mesh's axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Motion along x and y, turning about z.
    Xy,
    /// Motion along y and z, turning about x.
    Yz,
    /// Motion along z and x, turning about y.
    Zx,
}

impl Plane {
    /// Freedoms (ux, uy, uz, rx, ry, rz) that leave the plane.
    pub fn leaving(self) -> [bool; 6] {
        let normal = match self {
            Self::Xy => 2,
            Self::Yz => 0,
            Self::Zx => 1,
        };
        std::array::from_fn(|freedom| if freedom < 3 { freedom == normal } else { freedom - 3 != normal })
    }
}
