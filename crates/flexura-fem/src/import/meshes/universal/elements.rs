//! Elements of a universal file, dataset 2412: their kinds, and the order in which they name their nodes.

use super::words::integers;
use super::{Dataset, Raw, Reader};
use crate::import::deck::Shape;
use crate::import::error::ImportError;

/// What a kind of element (its *finite element descriptor*) is here.
enum Kind {
    Shape(Shape),
    Refused(&'static str),
}

/// Kinds with a line of their own before their nodes (orientation and sections).
fn is_beam(kind: i64) -> bool {
    matches!(kind, 11 | 21 | 22 | 23 | 24)
}

fn kind_of(kind: i64) -> Kind {
    Kind::Shape(match kind {
        11 | 21 => Shape::Line2,
        24 => Shape::Line3,
        // Plane stress, plane strain, plates, membranes and thin shells: what they are made of says the part file.
        41 | 51 | 61 | 71 | 91 => Shape::Triangle3,
        42 | 52 | 62 | 72 | 92 => Shape::Triangle6,
        44 | 54 | 64 | 74 | 94 => Shape::Quadrilateral4,
        45 | 55 | 65 | 75 | 95 => Shape::Quadrilateral8,
        111 => Shape::Tetrahedron4,
        118 => Shape::Tetrahedron10,
        112 => Shape::Wedge6,
        113 => Shape::Wedge15,
        115 => Shape::Hexahedron8,
        116 => Shape::Hexahedron20,
        22 | 23 => return Kind::Refused("tapered and curved beams"),
        31..=39 => return Kind::Refused("pipes"),
        43 | 46 | 53 | 56 | 63 | 66 | 73 | 76 | 93 | 96 | 114 | 117 => {
            return Kind::Refused("cubic elements");
        }
        81..=86 => return Kind::Refused("axisymmetric elements"),
        121 | 122 => return Kind::Refused("rigid elements"),
        136..=139 => return Kind::Refused("springs"),
        141 | 142 => return Kind::Refused("dampers"),
        151 | 152 => return Kind::Refused("gaps"),
        161 => return Kind::Refused("lumped masses"),
        171..=173 => return Kind::Refused("axisymmetric shells"),
        _ => return Kind::Refused("unknown elements"),
    })
}

/// Nodes in the order of this crate: corners, then middles of edges. Universal files go around edges, corner and middle in turns.
fn ordered(shape: Shape, nodes: &[u64]) -> Vec<u64> {
    let order: &[usize] = match shape {
        Shape::Triangle6 => &[0, 2, 4, 1, 3, 5],
        Shape::Quadrilateral8 => &[0, 2, 4, 6, 1, 3, 5, 7],
        Shape::Tetrahedron10 => &[0, 2, 4, 9, 1, 3, 5, 6, 7, 8],
        Shape::Wedge15 => &[0, 2, 4, 9, 11, 13, 1, 3, 5, 10, 12, 14, 6, 7, 8],
        Shape::Hexahedron20 => &[0, 2, 4, 6, 12, 14, 16, 18, 1, 3, 5, 7, 13, 15, 17, 19, 8, 9, 10, 11],
        _ => return nodes.to_vec(),
    };
    order.iter().map(|place| nodes[*place]).collect()
}

impl Reader<'_> {
    /// Number, kind, tables of properties and materials, colour, number of nodes; then the nodes, eight in a line.
    pub(super) fn elements(&mut self, data: &mut Dataset<'_>) -> Result<(), ImportError> {
        while let Some(line) = data.line() {
            let head = integers(line);
            let Some(&[label, kind, _, material, _, count, ..]) = head.as_deref() else {
                let help = "six whole numbers: number, kind, property, material, colour, nodes";
                return Err(self.error(data, "the head of an element is not complete", help));
            };
            let place = data.place();
            if is_beam(kind) {
                data.line();
            }
            let count = usize::try_from(count).unwrap_or(0);
            let mut nodes: Vec<u64> = Vec::new();
            while nodes.len() < count {
                let numbers = data.line().and_then(integers).filter(|numbers| !numbers.is_empty());
                let numbers: Option<Vec<u64>> =
                    numbers.and_then(|numbers| numbers.into_iter().map(|n| u64::try_from(n).ok()).collect());
                let Some(numbers) = numbers else {
                    let message = format!("element {label} has {} nodes instead of {count}", nodes.len());
                    return Err(self.error(data, message, "write the file again"));
                };
                nodes.extend(numbers);
            }
            if nodes.len() > count {
                let message = format!("element {label} has {} nodes instead of {count}", nodes.len());
                return Err(self.error(data, message, "write the file again"));
            }
            let Ok(number) = u64::try_from(label) else {
                return Err(self.error(
                    data,
                    format!("{label} is no number of an element"),
                    "write the file again",
                ));
            };
            let fault = match kind_of(kind) {
                Kind::Shape(shape) if nodes.len() == shape.nodes() => {
                    let nodes = ordered(shape, &nodes);
                    let implied = Some(format!("material {material}"));
                    self.add(Raw { place, number, shape: Some(shape), nodes, groups: Vec::new(), implied });
                    continue;
                }
                Kind::Shape(shape) => {
                    let message = format!(
                        "element {label} of kind {kind} has {} nodes instead of {}",
                        nodes.len(),
                        shape.nodes()
                    );
                    self.source.error(&place, message, "write the file again")
                }
                Kind::Refused(what) => {
                    let help = "read are lines, triangles, quadrilaterals, tetrahedra, wedges and hexahedra of order 1 and 2; \
                                masses, springs and joints stand in part and model files";
                    self.source.error(&place, format!("elements of kind {kind} ({what}) are not read"), help)
                }
            };
            self.mesh.blockers.catch::<()>(Err(fault));
        }
        Ok(())
    }
}
