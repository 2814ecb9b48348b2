//! Usual sets of modes of a uniform beam, by its boundary conditions.
//!
//! Which boundary suits which body frame: `ClampedFree` when the frame is fixed
//! to the end x = 0 (tree joints at one end); `FreeFree` when the frame floats
//! (mean axes); `PinnedPinned` when the x axis passes through both ends;
//! `InterfaceStatic` when loads or bodies act on the end x = L (Craig-Bampton:
//! static shapes of the interface, then modes with fixed interface).

use super::{BeamMode, ModeKind, Shape};

/// Boundary conditions from which the standard shapes follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Boundary {
    /// Clamped at x = 0, free at x = L.
    ClampedFree,
    /// Free at both ends; rigid motions are left to the body frame.
    FreeFree,
    /// Transversely pinned at both ends; stretch and twist are fixed at both ends,
    /// so that the distance of the ends stays constant.
    PinnedPinned,
    /// Clamped at x = 0; static shapes of the end x = L first, then eigenfunctions fixed at both ends.
    InterfaceStatic,
}

/// How many modes of each kind are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModeCounts {
    /// Number of stretch modes.
    pub axial: usize,
    /// Number of bending modes with displacement along y.
    pub bending_y: usize,
    /// Number of bending modes with displacement along z.
    pub bending_z: usize,
    /// Number of twist modes.
    pub torsion: usize,
}

/// Modes of one segment of a split beam: tip displacement and rotation in both planes, stretch and twist.
#[doc(hidden)]
pub const SEGMENT_MODES: ModeCounts = ModeCounts { axial: 1, bending_y: 2, bending_z: 2, torsion: 1 };

/// Modes in the order axial, bending y, bending z, torsion, each with ascending number.
pub fn standard_modes(boundary: Boundary, counts: ModeCounts) -> Vec<BeamMode> {
    let kinds = [
        (ModeKind::Axial, counts.axial),
        (ModeKind::BendingY, counts.bending_y),
        (ModeKind::BendingZ, counts.bending_z),
        (ModeKind::Torsion, counts.torsion),
    ];
    let mut modes = Vec::new();
    for (kind, count) in kinds {
        for number in 1..=count {
            let shape = match kind {
                ModeKind::BendingY | ModeKind::BendingZ => bending_shape(boundary, number),
                ModeKind::Axial | ModeKind::Torsion => rod_shape(boundary, number),
            };
            modes.push(BeamMode { kind, shape });
        }
    }
    modes
}

fn bending_shape(boundary: Boundary, number: usize) -> Shape {
    match (boundary, number) {
        (Boundary::ClampedFree, n) => Shape::ClampedFreeBending(n),
        (Boundary::FreeFree, n) => Shape::FreeFreeBending(n),
        (Boundary::PinnedPinned, n) => Shape::Sine(n),
        (Boundary::InterfaceStatic, 1) => Shape::TipDisplacement,
        (Boundary::InterfaceStatic, 2) => Shape::TipRotation,
        (Boundary::InterfaceStatic, n) => Shape::ClampedClampedBending(n - 2),
    }
}

/// Stretch and twist obey the same equation and share their shapes.
fn rod_shape(boundary: Boundary, number: usize) -> Shape {
    match (boundary, number) {
        (Boundary::ClampedFree, n) => Shape::QuarterSine(n),
        (Boundary::FreeFree, n) => Shape::Cosine(n),
        (Boundary::PinnedPinned, n) => Shape::Sine(n),
        (Boundary::InterfaceStatic, 1) => Shape::Linear,
        (Boundary::InterfaceStatic, n) => Shape::Sine(n - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_come_kind_by_kind_in_ascending_order() {
        let counts = ModeCounts { axial: 2, bending_y: 3, bending_z: 0, torsion: 1 };
        let modes = standard_modes(Boundary::InterfaceStatic, counts);
        let shapes: Vec<_> = modes.iter().map(|mode| mode.shape.clone()).collect();
        assert_eq!(
            shapes,
            [
                Shape::Linear,
                Shape::Sine(1),
                Shape::TipDisplacement,
                Shape::TipRotation,
                Shape::ClampedClampedBending(1),
                Shape::Linear
            ]
        );
        assert_eq!(modes[5].kind, ModeKind::Torsion);
    }

    #[test]
    fn each_boundary_has_its_family() {
        let counts = ModeCounts { axial: 1, bending_z: 1, ..ModeCounts::default() };
        let shapes = |boundary| {
            standard_modes(boundary, counts).into_iter().map(|mode| mode.shape).collect::<Vec<_>>()
        };
        assert_eq!(shapes(Boundary::ClampedFree), [Shape::QuarterSine(1), Shape::ClampedFreeBending(1)]);
        assert_eq!(shapes(Boundary::FreeFree), [Shape::Cosine(1), Shape::FreeFreeBending(1)]);
        assert_eq!(shapes(Boundary::PinnedPinned), [Shape::Sine(1), Shape::Sine(1)]);
    }
}
