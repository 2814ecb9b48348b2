//! Boxes of solid elements.

use crate::element::solid::{faces, serendipity, tetrahedron, wedge};
use crate::error::{FemError, positive};
use crate::material::Material;
use crate::mesh::{Element, Mesh, SolidElement};
use std::collections::BTreeMap;

/// Kinds of solid elements a box can be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolidKind {
    /// Eight-node hexahedra.
    Hex8,
    /// Eight-node hexahedra of reduced integration.
    Hex8Reduced,
    /// Six four-node tetrahedra per cell.
    Tet4,
    /// Six ten-node tetrahedra per cell.
    Tet10,
    /// Twenty-node hexahedra.
    Hex20,
    /// Twenty-node hexahedra of reduced integration.
    Hex20Reduced,
    /// Two six-node wedges per cell.
    Wedge6,
    /// Two fifteen-node wedges per cell.
    Wedge15,
    /// Six pyramids per cell, around a node in its middle.
    Pyramid5,
}

/// The six tetrahedra of a cell: paths along its axes from the first to the opposite corner
/// (H. Freudenthal, 1942), in the corner numbers x + 2y + 4z.
const PATHS: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// A box from the origin along x, y, z. Faces are the sets `x0`, `x1`, `y0`, `y1`, `z0`, `z1`.
pub fn block(
    sides: [f64; 3],
    cells: [usize; 3],
    kind: SolidKind,
    material: Material,
) -> Result<Mesh, FemError> {
    for axis in 0..3 {
        positive("box side", sides[axis])?;
        positive("number of cells", cells[axis] as f64)?;
    }
    let mut mesh = Mesh { materials: vec![material], ..Mesh::default() };
    for place in grid(cells.map(|count| count + 1)) {
        mesh.node(std::array::from_fn(|i| sides[i] * place[i] as f64 / cells[i] as f64));
    }
    let number = |place: [usize; 3]| place[0] + (cells[0] + 1) * (place[1] + (cells[1] + 1) * place[2]);
    let mut middles = BTreeMap::new();
    for cell in grid(cells) {
        let corners: [usize; 8] = std::array::from_fn(|corner| {
            number(std::array::from_fn(|axis| cell[axis] + (corner >> axis & 1)))
        });
        fill(&mut mesh, &corners, kind, &mut middles);
    }
    name_faces(&mut mesh, sides);
    Ok(mesh)
}

fn grid(counts: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let [nx, ny, nz] = counts;
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

fn fill(
    mesh: &mut Mesh,
    corners: &[usize; 8],
    kind: SolidKind,
    middles: &mut BTreeMap<(usize, usize), usize>,
) {
    let eight = [0, 1, 3, 2, 4, 5, 7, 6].map(|corner: usize| corners[corner]);
    match kind {
        SolidKind::Hex8 | SolidKind::Hex8Reduced => {
            let solid = SolidElement { nodes: eight, material: 0 };
            return mesh.elements.push(match kind {
                SolidKind::Hex8 => Element::Hex8(solid),
                _ => Element::Hex8Reduced(solid),
            });
        }
        SolidKind::Hex20 | SolidKind::Hex20Reduced => {
            let nodes = with_middles(mesh, &eight, &serendipity::EDGES, middles);
            let solid = SolidElement { nodes, material: 0 };
            return mesh.elements.push(match kind {
                SolidKind::Hex20 => Element::Hex20(solid),
                _ => Element::Hex20Reduced(solid),
            });
        }
        SolidKind::Wedge6 | SolidKind::Wedge15 => {
            for six in [[0, 1, 2, 4, 5, 6], [0, 2, 3, 4, 6, 7]].map(|w| w.map(|place: usize| eight[place])) {
                let element = match kind {
                    SolidKind::Wedge6 => Element::Wedge6(SolidElement { nodes: six, material: 0 }),
                    _ => {
                        let nodes = with_middles(mesh, &six, &wedge::EDGES, middles);
                        Element::Wedge15(SolidElement { nodes, material: 0 })
                    }
                };
                mesh.elements.push(element);
            }
            return;
        }
        SolidKind::Pyramid5 => return fill_pyramids(mesh, &eight),
        SolidKind::Tet4 | SolidKind::Tet10 => {}
    }
    for path in PATHS {
        let four = path.map(|corner| corners[corner]);
        let element = match kind {
            SolidKind::Tet4 => Element::Tet4(SolidElement { nodes: four, material: 0 }),
            _ => {
                let nodes = with_middles(mesh, &four, &tetrahedron::EDGES, middles);
                Element::Tet10(SolidElement { nodes, material: 0 })
            }
        };
        mesh.elements.push(element);
    }
}

/// Pyramids on the six faces of a cell, with a node in its middle as apex.
fn fill_pyramids(mesh: &mut Mesh, eight: &[usize; 8]) {
    let sum = |i: usize| eight.iter().map(|node| mesh.nodes[*node][i]).sum::<f64>() / 8.0;
    let apex = mesh.node([sum(0), sum(1), sum(2)]);
    for face in faces::faces(8) {
        // Faces look outwards, the base of a pyramid towards its apex.
        let [a, b, c, d] = std::array::from_fn(|place| eight[face[3 - place]]);
        mesh.elements.push(Element::Pyramid5(SolidElement { nodes: [a, b, c, d, apex], material: 0 }));
    }
}

/// Corners and the middles of edges between them, each made once.
fn with_middles<const N: usize>(
    mesh: &mut Mesh,
    corners: &[usize],
    edges: &[(usize, usize)],
    middles: &mut BTreeMap<(usize, usize), usize>,
) -> [usize; N] {
    std::array::from_fn(|node| {
        if node < corners.len() {
            return corners[node];
        }
        let (a, b) = edges[node - corners.len()];
        let (a, b) = (corners[a].min(corners[b]), corners[a].max(corners[b]));
        *middles.entry((a, b)).or_insert_with(|| {
            let position = std::array::from_fn(|i| 0.5 * (mesh.nodes[a][i] + mesh.nodes[b][i]));
            mesh.node(position)
        })
    })
}

fn name_faces(mesh: &mut Mesh, sides: [f64; 3]) {
    for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
        for (end, value) in [0.0, sides[axis]].into_iter().enumerate() {
            let on_face = |node: &usize| (mesh.nodes[*node][axis] - value).abs() < 1e-9 * sides[axis];
            let nodes = (0..mesh.nodes.len()).filter(on_face).collect();
            mesh.sets.insert(format!("{letter}{end}"), nodes);
        }
    }
}
