//! Cells of VTK: their kinds, the order of their nodes, and the array that groups them.

use super::CellArray;
use crate::import::deck::Shape;

/// Names of arrays that programs write groups into, the surest first.
const NAMES: [&str; 12] = [
    "group",
    "gmsh:physical",
    "CellEntityIds",
    "medit:ref",
    "cell_tags",
    "PhysicalIds",
    "MaterialIds",
    "MaterialID",
    "Material",
    "material",
    "PartId",
    "ObjectId",
];

/// The group of each cell, as the text of its number.
pub fn groups<'a>(
    arrays: &'a [CellArray],
    cells: usize,
    notices: &mut Vec<String>,
) -> Result<impl Fn(usize) -> String + use<'a>, String> {
    let whole = |array: &&CellArray| array.whole.as_ref().is_some_and(|values| values.len() == cells);
    let fits: Vec<&CellArray> = arrays.iter().filter(whole).collect();
    let known = NAMES.iter().find_map(|name| fits.iter().find(|array| array.name == *name));
    let found = match (known, fits.as_slice()) {
        (Some(known), _) => Some(*known),
        (None, [only]) => Some(*only),
        (None, []) => None,
        (None, several) => {
            let names: Vec<String> = several.iter().map(|array| format!("`{}`", array.name)).collect();
            return Err(format!("several arrays of cells could be groups: {}", names.join(", ")));
        }
    };
    notices.push(match found {
        Some(array) => format!("groups are the numbers of the array `{}` of cells", array.name),
        None => "no array of cells has whole numbers: all cells are the group `all`".into(),
    });
    let values = found.and_then(|array| array.whole.as_ref());
    Ok(move |cell: usize| values.map_or_else(|| "all".into(), |values| values[cell].to_string()))
}

/// Shape and nodes of a cell, in the order of this crate; of points no shape.
pub fn shaped(kind: i64, nodes: &[u64], points: &[[f64; 3]]) -> Result<(Option<Shape>, Vec<u64>), String> {
    let shape = match kind {
        1 | 2 => return Ok((None, nodes.to_vec())),
        3 => Shape::Line2,
        21 => Shape::Line3,
        5 => Shape::Triangle3,
        22 => Shape::Triangle6,
        8 | 9 => Shape::Quadrilateral4,
        23 => Shape::Quadrilateral8,
        10 => Shape::Tetrahedron4,
        24 => Shape::Tetrahedron10,
        11 | 12 => Shape::Hexahedron8,
        25 => Shape::Hexahedron20,
        13 => Shape::Wedge6,
        26 => Shape::Wedge15,
        14 => Shape::Pyramid5,
        _ => return Err(format!("the type {kind} is not read")),
    };
    if nodes.len() != shape.nodes() {
        return Err(format!("{} points instead of {}", nodes.len(), shape.nodes()));
    }
    let order: &[usize] = match kind {
        // Pixels and voxels count row by row.
        8 => &[0, 1, 3, 2],
        11 => &[0, 1, 3, 2, 4, 5, 7, 6],
        // Quadratic edges have their middle last.
        21 => &[0, 2, 1],
        13 if turned(nodes, points) => &[0, 2, 1, 3, 5, 4],
        26 if turned(nodes, points) => &[0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13],
        _ => return Ok((Some(shape), nodes.to_vec())),
    };
    Ok((Some(shape), order.iter().map(|place| nodes[*place]).collect()))
}

/// Whether the first triangle of a wedge looks away from the second, as VTK's own text has it; most programs write the other.
fn turned(nodes: &[u64], points: &[[f64; 3]]) -> bool {
    let at = |corner: usize| points[nodes[corner] as usize];
    let from_first = |corner: usize| {
        let (a, b) = (at(0), at(corner));
        [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
    };
    let (u, v, w) = (from_first(1), from_first(2), from_first(3));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    normal[0] * w[0] + normal[1] * w[1] + normal[2] * w[2] < 0.0
}
