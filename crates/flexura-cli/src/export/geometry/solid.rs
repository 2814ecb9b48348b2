//! Surfaces of solids and of swept sections, at rest.

use super::Cell;
use super::encoded::{indices, three, vectors};
use flexura::spatial::Vector3;
use serde_json::Value;
use std::f64::consts::TAU;

/// Corners around a round section.
const SIDES: usize = 12;

/// Corners of the swept section, if the body has one.
pub(super) fn ring(body: &Value) -> Option<Vec<[f64; 2]>> {
    if let Some(radius) = body["circle"].as_f64() {
        let corner = |k: usize| {
            let angle = TAU * k as f64 / SIDES as f64;
            [radius * angle.cos(), radius * angle.sin()]
        };
        return Some((0..SIDES).map(corner).collect());
    }
    let (y, z) = (body["rectangle"][0].as_f64()? / 2.0, body["rectangle"][1].as_f64()? / 2.0);
    Some(vec![[-y, -z], [y, -z], [y, z], [-y, z]])
}

/// Quads between the rings of two nodes.
pub(super) fn tube(a: usize, b: usize, sides: usize) -> impl Iterator<Item = (Cell, Vec<usize>)> {
    (0..sides).map(move |k| {
        let next = (k + 1) % sides;
        (Cell::Quad, vec![a * sides + k, a * sides + next, b * sides + next, b * sides + k])
    })
}

type Mesh = (Vec<Vector3>, Vec<(Cell, Vec<usize>)>);

/// Points and cells of a solid around its centre.
pub(super) fn solid_mesh(solid: &Value, meshes: &Value) -> Mesh {
    if let Some(mesh) = solid["mesh"].as_u64().and_then(|k| meshes.get(k as usize)) {
        let points = vectors(&mesh["positions"]);
        let triangles = indices(&mesh["triangles"]);
        let inside = |cell: &&[usize]| cell.iter().all(|&corner| corner < points.len());
        let cells = triangles.chunks_exact(3).filter(inside);
        let cells = cells.map(|cell| (Cell::Triangle, cell.to_vec())).collect();
        return (points, cells);
    }
    if solid["box"].is_array() {
        let [x, y, z] = three(&solid["box"]).map(|edge| edge / 2.0);
        let points = (0..8).map(|k| {
            let sign = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
            [sign(1) * x, sign(2) * y, sign(4) * z]
        });
        let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
        return (points.collect(), faces.iter().map(|face| (Cell::Quad, face.to_vec())).collect());
    }
    if let Some(radius) = solid["sphere"].as_f64() {
        let profile = (0..=6).map(|k| {
            let angle = TAU / 2.0 * f64::from(k) / 6.0;
            [radius * angle.sin(), -radius * angle.cos()]
        });
        return revolved(&profile.collect::<Vec<_>>());
    }
    if solid["cylinder"].is_array() {
        let (r, l) =
            (solid["cylinder"][0].as_f64().unwrap_or(0.0), solid["cylinder"][1].as_f64().unwrap_or(0.0));
        return revolved(&[[0.0, -l / 2.0], [r, -l / 2.0], [r, l / 2.0], [0.0, l / 2.0]]);
    }
    (vec![[0.0; 3]], vec![(Cell::Vertex, vec![0])])
}

/// A profile of (radius, z) turned about z.
fn revolved(profile: &[[f64; 2]]) -> Mesh {
    let ring = |[radius, z]: [f64; 2]| {
        (0..SIDES).map(move |k| {
            let angle = TAU * k as f64 / SIDES as f64;
            [radius * angle.cos(), radius * angle.sin(), z]
        })
    };
    let points = profile.iter().copied().flat_map(ring).collect();
    let cells = (1..profile.len()).flat_map(|k| tube(k - 1, k, SIDES)).collect();
    (points, cells)
}
