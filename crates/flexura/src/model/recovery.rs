//! What stresses, section forces and displacements of a flexible body are recovered from: rows that act on its modal
//! coordinates, and where on the body they belong. Nothing here takes part in the dynamics.

use crate::beam::Fibre;

/// Layer of a place with stress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum StressLayer {
    /// Surface of a solid.
    #[default]
    Solid,
    /// Middle of a shell: membrane stress.
    Middle,
    /// Side of a shell that its normal points to.
    Top,
    /// The other side of a shell.
    Bottom,
}

/// A place with six stress rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecoveryPlace {
    /// Node, counted from zero.
    pub node: u32,
    /// Layer.
    pub layer: StressLayer,
    /// Side of a fold, counted from zero.
    pub side: u8,
}

/// Cross section of a line: what makes stresses of its section forces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineSection {
    /// Beam axis and the section's axes y and z, in body axes.
    pub axes: [[f64; 3]; 3],
    /// Area (m2).
    pub area: f64,
    /// Second moments about y and z (m4).
    pub inertia: [f64; 2],
    /// Torsion constant (m4).
    pub torsion: f64,
    /// Where stresses are looked for; empty where only constants of the section are known.
    pub fibres: Vec<Fibre>,
}

/// Rows of one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recovery {
    /// Number of modes.
    pub modes: usize,
    /// Numbers of the nodes in the file they come from.
    pub numbers: Vec<u64>,
    /// Positions in the body frame (m).
    pub positions: Vec<[f64; 3]>,
    /// Displacements, mode by mode, node by node (m per modal unit).
    pub displacements: Vec<[f64; 3]>,
    /// Named nodes.
    pub names: Vec<(String, u32)>,
    /// Named sets of nodes.
    pub sets: Vec<(String, Vec<u32>)>,
    /// Corners of surface triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Ends of beams.
    pub lines: Vec<[u32; 2]>,
    /// Where stresses are known.
    pub places: Vec<RecoveryPlace>,
    /// Place by place the rows xx, yy, zz, xy, yz, zx in body axes, each with one number per mode (Pa per modal unit).
    pub stress: Vec<f64>,
    /// Line by line, at both ends, the rows N, Qy, Qz (N), T, My, Mz (N m) in the axes of the section, each with one
    /// number per mode.
    pub section_forces: Vec<f64>,
    /// Line by line.
    pub sections: Vec<LineSection>,
    /// What is not in the rows, for people.
    pub notes: Vec<String>,
}

impl Recovery {
    /// Whether the lists fit each other.
    pub fn fits(&self) -> bool {
        let nodes = self.positions.len();
        let inside = |node: &u32| (*node as usize) < nodes;
        self.numbers.len() == nodes
            && Some(self.displacements.len()) == nodes.checked_mul(self.modes)
            && self.stress.len() == 6 * self.modes * self.places.len()
            && self.section_forces.len() == 12 * self.modes * self.lines.len()
            && self.sections.len() == self.lines.len()
            && self.names.iter().all(|(_, node)| inside(node))
            && self.sets.iter().flat_map(|(_, nodes)| nodes).all(inside)
            && self.triangles.as_flattened().iter().all(inside)
            && self.lines.as_flattened().iter().all(inside)
            && self.places.iter().all(|place| inside(&place.node))
    }

    /// Numbers that a result file keeps of it.
    pub fn size(&self) -> usize {
        3 * self.displacements.len() + self.stress.len() + self.section_forces.len()
    }

    /// Stress rows of a fibre of a line at one of its ends: xx, yy, zz, xy, yz, zx in body axes, each with one number per
    /// mode (Pa per modal unit); the stresses of the other directions are zero.
    pub fn fibre_rows(&self, line: usize, end: usize, fibre: &Fibre) -> Vec<f64> {
        let (modes, section) = (self.modes, &self.sections[line]);
        let forces = &self.section_forces[(2 * line + end) * 6 * modes..][..6 * modes];
        let [y, z] = fibre.place;
        let [ey, ez] = fibre.shear_direction();
        let [along, axis_y, axis_z] = section.axes;
        let turning: [f64; 3] = std::array::from_fn(|i| ey * axis_y[i] + ez * axis_z[i]);
        let ratio = |value: f64, by: f64| if by > 0.0 { value / by } else { 0.0 };
        let (bend_y, bend_z) = (ratio(z, section.inertia[0]), ratio(y, section.inertia[1]));
        let (stretch, twist) = (ratio(1.0, section.area), ratio(fibre.torsion_radius, section.torsion));
        let mut rows = vec![0.0; 6 * modes];
        for mode in 0..modes {
            let force = |row: usize| forces[row * modes + mode];
            let normal = force(0) * stretch + force(4) * bend_y - force(5) * bend_z;
            let shear = force(3) * twist;
            for (row, (a, b)) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)].into_iter().enumerate() {
                rows[row * modes + mode] =
                    normal * along[a] * along[b] + shear * (along[a] * turning[b] + along[b] * turning[a]);
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bar along y of the body: its own x, y, z are the body's y, z, x.
    #[test]
    fn fibres_turn_with_the_axes_of_their_line() {
        let section = LineSection {
            axes: [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
            area: 2.0,
            inertia: [0.5, 0.25],
            torsion: 4.0,
            fibres: Vec::new(),
        };
        // N, Qy, Qz, T, My, Mz of one mode, at both ends the same.
        let forces = [10.0, 1.0, 2.0, 8.0, 3.0, 5.0];
        let recovery = Recovery {
            modes: 1,
            section_forces: [forces, forces].concat(),
            sections: vec![section],
            lines: vec![[0, 1]],
            ..Recovery::default()
        };
        let fibre = Fibre { place: [0.0, 0.1], torsion_radius: 0.2 };
        let rows = recovery.fibre_rows(0, 1, &fibre);
        // sigma = 10/2 + 3 0.1/0.5 along the body's y; tau = 8 0.2/4 along -z of the body.
        let expected = [0.0, 5.6, 0.0, 0.0, -0.4, 0.0];
        for (row, expected) in rows.iter().zip(expected) {
            assert!((row - expected).abs() < 1e-12, "{rows:?}");
        }
        let beside = Fibre { place: [0.1, 0.0], torsion_radius: 0.2 };
        let rows = recovery.fibre_rows(0, 0, &beside);
        assert!((rows[1] - (5.0 - 5.0 * 0.1 / 0.25)).abs() < 1e-12);
        assert!((rows[3] - 0.4).abs() < 1e-12, "shear between the body's y and x");
    }
}
