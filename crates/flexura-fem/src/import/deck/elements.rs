//! Elements of a mesh from one element of a file: parabolic lines, surfaces of several triangles, beams whose section changes.

use super::shells;
use super::{DeckElement, Property, Shape};
use crate::import::error::ImportError;
use crate::import::source::Source;
use crate::mesh::{BeamElement, Element, Mesh, Pins, RodElement, ShellElement, SolidElement};
use crate::section::BeamSection;
use std::collections::BTreeMap;

/// Adds the elements one element of the file stands for.
pub(super) fn add_element(
    mesh: &mut Mesh,
    element: &DeckElement,
    numbers: &BTreeMap<u64, usize>,
    tapers: &[Vec<(usize, BeamSection)>],
    source: &Source,
) -> Result<(), ImportError> {
    let n: Vec<usize> = element.nodes.iter().map(|node| numbers[node]).collect();
    let wrong = || {
        let message = format!("element {} has a property of another kind of element", element.number);
        source.error(
            &element.place,
            message,
            "give lines a beam, surfaces a shell and solids a solid property",
        )
    };
    match element.property {
        Property::Beam { material, section, orientation, offsets, pins } => {
            let pieces: &[[usize; 2]] = match element.shape {
                Shape::Line2 => &[[0, 1]],
                Shape::Line3 => &[[0, 1], [1, 2]],
                _ => return Err(wrong()),
            };
            for (index, piece) in pieces.iter().enumerate() {
                let nodes = piece.map(|place| n[place]);
                let pins = outer(pins, index, pieces.len());
                mesh.elements.push(Element::Beam(BeamElement {
                    nodes,
                    material,
                    section,
                    orientation,
                    offsets,
                    pins,
                }));
            }
        }
        Property::Tapered { taper, orientation, offsets, pins } => {
            if element.shape != Shape::Line2 {
                return Err(wrong());
            }
            taper_pieces(mesh, [n[0], n[1]], &tapers[taper], (orientation, offsets, pins));
        }
        Property::Rod { material, area } => match element.shape {
            Shape::Line2 => {
                mesh.elements.push(Element::Rod(RodElement { nodes: [n[0], n[1]], material, area }))
            }
            _ => return Err(wrong()),
        },
        Property::Shell { material, thickness, material_axis, layup, .. } => {
            // Without an axis the first edge of the file's element, also for the triangles it is split in.
            let edge = || {
                let orthotropic =
                    mesh.materials.get(material).is_some_and(|known| known.orthotropic.is_some());
                let [a, b] = [n[0], n[1]].map(|node| mesh.nodes[node]);
                (orthotropic || layup.is_some()).then(|| std::array::from_fn(|i| b[i] - a[i]))
            };
            let material_axis = material_axis.or_else(edge);
            for piece in shells::triangles(mesh, element, &n).ok_or_else(wrong)? {
                let nodes = piece.map(|place| n[place]);
                mesh.elements.push(Element::Shell(ShellElement {
                    nodes,
                    material,
                    thickness,
                    material_axis,
                    layup,
                }));
            }
        }
        Property::Solid { material } => mesh.elements.push(match element.shape {
            Shape::Tetrahedron4 => Element::Tet4(SolidElement { nodes: fixed(&n), material }),
            Shape::Tetrahedron10 => Element::Tet10(SolidElement { nodes: fixed(&n), material }),
            Shape::Hexahedron8 => Element::Hex8(SolidElement { nodes: fixed(&n), material }),
            Shape::Hexahedron8Reduced => Element::Hex8Reduced(SolidElement { nodes: fixed(&n), material }),
            Shape::Hexahedron20 => Element::Hex20(SolidElement { nodes: fixed(&n), material }),
            Shape::Hexahedron20Reduced => Element::Hex20Reduced(SolidElement { nodes: fixed(&n), material }),
            Shape::Wedge6 => Element::Wedge6(SolidElement { nodes: fixed(&n), material }),
            Shape::Wedge15 => Element::Wedge15(SolidElement { nodes: fixed(&n), material }),
            Shape::Pyramid5 => Element::Pyramid5(SolidElement { nodes: fixed(&n), material }),
            _ => return Err(wrong()),
        }),
    }
    Ok(())
}

/// Pins of a piece of a beam: those of the first and last piece at the ends of the whole.
fn outer(pins: Pins, piece: usize, pieces: usize) -> Pins {
    let none = [false; 6];
    [if piece == 0 { pins[0] } else { none }, if piece + 1 == pieces { pins[1] } else { none }]
}

/// Pieces of a beam whose section changes, between new nodes on the straight line of its nodes.
fn taper_pieces(
    mesh: &mut Mesh,
    ends: [usize; 2],
    pieces: &[(usize, BeamSection)],
    (orientation, offsets, pins): ([f64; 3], [[f64; 3]; 2], Pins),
) {
    let along = |from: [f64; 3], to: [f64; 3], share: f64| {
        std::array::from_fn(|i| from[i] + share * (to[i] - from[i]))
    };
    let (from, to) = (mesh.nodes[ends[0]], mesh.nodes[ends[1]]);
    let mut last = ends[0];
    for (index, (material, section)) in pieces.iter().enumerate() {
        let share = |index: usize| index as f64 / pieces.len() as f64;
        let next = match index + 1 == pieces.len() {
            true => ends[1],
            false => mesh.node(along(from, to, share(index + 1))),
        };
        let offsets = [index, index + 1].map(|end| along(offsets[0], offsets[1], share(end)));
        let (material, section) = (*material, *section);
        let nodes = [last, next];
        let pins = outer(pins, index, pieces.len());
        mesh.elements.push(Element::Beam(BeamElement {
            nodes,
            material,
            section,
            orientation,
            offsets,
            pins,
        }));
        last = next;
    }
}

fn fixed<const N: usize>(nodes: &[usize]) -> [usize; N] {
    std::array::from_fn(|place| nodes[place])
}
