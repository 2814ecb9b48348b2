//! Nodes of one surface tied to the faces of another.
//!
//! A tied node s moves with the point of the master face nearest to it: u_s = sum N_i(xi) u_i with the face's own
//! shapes N. The point follows by Gauss-Newton from the nearest of the triangles the face is split in. The node is
//! moved to that point, so that rigid motions of the pair cost nothing. Nodes farther away than the tolerance stay free.
//! Cost: boxes of all faces for each node, then a few steps for those that are near.

use crate::element::solid::faces;
use nalgebra::{Matrix2, Vector2, Vector3};

/// A face by its nodes: corners, then middles of its edges.
pub(crate) type Face = Vec<u64>;

/// Where a node is tied.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foot {
    /// Master face, by its place in the list.
    pub face: usize,
    /// Shape value of each of its nodes.
    pub values: Vec<f64>,
    /// The point of the face.
    pub point: Vector3<f64>,
    /// Distance of the node from it.
    pub distance: f64,
}

/// Nearest points of faces for nodes.
pub(crate) struct Search {
    faces: Vec<Vec<Vector3<f64>>>,
    boxes: Vec<[Vector3<f64>; 2]>,
    /// Mean length of the faces' edges.
    pub size: f64,
}

impl Search {
    /// Faces by the places of their nodes.
    pub fn new(faces: Vec<Vec<Vector3<f64>>>) -> Self {
        let bounds = |face: &Vec<Vector3<f64>>| {
            let first = [face[0]; 2];
            face.iter().fold(first, |[low, high], place| [low.inf(place), high.sup(place)])
        };
        let boxes = faces.iter().map(bounds).collect();
        let edge = |face: &Vec<Vector3<f64>>| {
            let count = faces::corners(face.len());
            (0..count).map(|i| (face[(i + 1) % count] - face[i]).norm()).sum::<f64>() / count as f64
        };
        let size = faces.iter().map(edge).sum::<f64>() / faces.len().max(1) as f64;
        Self { faces, boxes, size }
    }

    /// The nearest point of all faces, not farther away than a distance.
    pub fn foot(&self, place: Vector3<f64>, tolerance: f64) -> Option<Foot> {
        let mut best: Option<Foot> = None;
        for (face, [low, high]) in self.boxes.iter().enumerate() {
            let limit = best.as_ref().map_or(tolerance, |foot| foot.distance);
            // Curved faces leave the box of their nodes a little.
            let slack = 0.25 * (high - low).norm();
            let outside = (low - place).sup(&(place - high)).sup(&Vector3::zeros()).norm();
            if outside > limit + slack {
                continue;
            }
            let foot = nearest(&self.faces[face], place, face);
            if foot.distance <= limit && best.as_ref().is_none_or(|best| foot.distance < best.distance) {
                best = Some(foot);
            }
        }
        best
    }
}

/// The nearest point of one face.
fn nearest(nodes: &[Vector3<f64>], place: Vector3<f64>, face: usize) -> Foot {
    let natural = natural_places(nodes.len());
    let numbers: Vec<usize> = (0..nodes.len()).collect();
    let mut start = (f64::INFINITY, Vector2::zeros());
    for [a, b, c] in faces::triangles(&numbers) {
        let [s, t] = on_triangle([nodes[a], nodes[b], nodes[c]], place);
        let point = nodes[a] + (nodes[b] - nodes[a]) * s + (nodes[c] - nodes[a]) * t;
        let distance = (point - place).norm();
        if distance < start.0 {
            let at = natural[a] + (natural[b] - natural[a]) * s + (natural[c] - natural[a]) * t;
            start = (distance, at);
        }
    }
    let mut at = start.1;
    let point_at = |at: Vector2<f64>| -> Vector3<f64> {
        values(nodes.len(), at).iter().zip(nodes).map(|(value, node)| node * *value).sum()
    };
    for _ in 0..20 {
        let step = 1e-6;
        let along =
            |axis: Vector2<f64>| (point_at(at + axis * step) - point_at(at - axis * step)) / (2.0 * step);
        let (x, y) = (along(Vector2::x()), along(Vector2::y()));
        let miss = place - point_at(at);
        let gram = Matrix2::new(x.dot(&x), x.dot(&y), x.dot(&y), y.dot(&y));
        let Some(inverse) = gram.try_inverse() else { break };
        let next = inside(nodes.len(), at + inverse * Vector2::new(x.dot(&miss), y.dot(&miss)));
        let moved = (next - at).norm();
        at = next;
        if moved < 1e-12 {
            break;
        }
    }
    // The start is kept where the steps did not come nearer.
    if (point_at(at) - place).norm() > (point_at(start.1) - place).norm() {
        at = start.1;
    }
    let point = point_at(at);
    Foot { face, values: values(nodes.len(), at), point, distance: (point - place).norm() }
}

/// Natural coordinates brought back into a face.
fn inside(nodes: usize, at: Vector2<f64>) -> Vector2<f64> {
    match faces::corners(nodes) {
        3 => {
            let (s, t) = (at.x.clamp(0.0, 1.0), at.y.clamp(0.0, 1.0));
            let over = (s + t - 1.0).max(0.0) / 2.0;
            Vector2::new((s - over).clamp(0.0, 1.0), (t - over).clamp(0.0, 1.0))
        }
        _ => Vector2::new(at.x.clamp(-1.0, 1.0), at.y.clamp(-1.0, 1.0)),
    }
}

/// Coordinates s, t of the point a + s (b - a) + t (c - a) of a triangle nearest to a place
/// (C. Ericson, "Real-time collision detection", 2005, section 5.1.5, by regions).
fn on_triangle([a, b, c]: [Vector3<f64>; 3], place: Vector3<f64>) -> [f64; 2] {
    let (ab, ac, ap) = (b - a, c - a, place - a);
    let gram = Matrix2::new(ab.dot(&ab), ab.dot(&ac), ab.dot(&ac), ac.dot(&ac));
    let right = Vector2::new(ab.dot(&ap), ac.dot(&ap));
    let inner = gram.try_inverse().map(|inverse| inverse * right);
    if let Some(st) = inner.filter(|st| st.x >= 0.0 && st.y >= 0.0 && st.x + st.y <= 1.0) {
        return [st.x, st.y];
    }
    let on_edge = |from: Vector3<f64>, along: Vector3<f64>| {
        (along.dot(&(place - from)) / along.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    };
    let (x, y, z) = (on_edge(a, ab), on_edge(a, ac), on_edge(b, c - b));
    let candidates = [[x, 0.0], [0.0, y], [1.0 - z, z]];
    let distance = |[s, t]: [f64; 2]| (a + ab * s + ac * t - place).norm();
    candidates.into_iter().min_by(|p, q| distance(*p).total_cmp(&distance(*q))).unwrap_or([0.0, 0.0])
}

/// Natural coordinates of the nodes of a face: a triangle from 0 to 1, a quadrilateral from -1 to 1.
fn natural_places(nodes: usize) -> Vec<Vector2<f64>> {
    let corners: Vec<Vector2<f64>> = match faces::corners(nodes) {
        3 => vec![Vector2::zeros(), Vector2::x(), Vector2::y()],
        _ => [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(Vector2::from).to_vec(),
    };
    let count = corners.len();
    let middles = (0..nodes - count).map(|i| (corners[i] + corners[(i + 1) % count]) / 2.0);
    corners.iter().copied().chain(middles).collect()
}

/// Shape values of a face of 3, 4, 6 or 8 nodes.
fn values(nodes: usize, at: Vector2<f64>) -> Vec<f64> {
    let area = [1.0 - at.x - at.y, at.x, at.y];
    let own = natural_places(nodes);
    match nodes {
        3 => area.to_vec(),
        6 => {
            let middle = |i: usize| 4.0 * area[i] * area[(i + 1) % 3];
            area.iter().map(|l| l * (2.0 * l - 1.0)).chain((0..3).map(middle)).collect()
        }
        4 => own.iter().map(|p| 0.25 * (1.0 + p.x * at.x) * (1.0 + p.y * at.y)).collect(),
        _ => own
            .iter()
            .map(|p| {
                let factor = |own: f64, x: f64| if own == 0.0 { 1.0 - x * x } else { 1.0 + own * x };
                let product = factor(p.x, at.x) * factor(p.y, at.y);
                match p.x == 0.0 || p.y == 0.0 {
                    true => 0.5 * product,
                    false => 0.25 * product * (p.x * at.x + p.y * at.y - 1.0),
                }
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_on_curved_faces_are_perpendicular() {
        // Faces of 3, 4, 6 and 8 nodes on the bowl z = (x^2 + y^2) / 5, which quadratic shapes hold to their degree.
        for count in [3, 4, 6, 8] {
            let lift = |p: Vector2<f64>| Vector3::new(p.x, p.y, p.norm_squared() / 5.0);
            let nodes: Vec<Vector3<f64>> = natural_places(count).into_iter().map(lift).collect();
            for (own, place) in natural_places(count).into_iter().zip(&nodes) {
                let foot = nearest(&nodes, *place, 0);
                assert!(foot.distance < 1e-9, "{count} nodes: {own} {}", foot.distance);
                assert!((foot.values.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
            let above = Vector3::new(0.2, 0.3, 0.4);
            let foot = nearest(&nodes, above, 0);
            // The way to the foot is at right angles to the face there: every other point is farther away.
            for step in [[1e-4, 0.0], [-1e-4, 0.0], [0.0, 1e-4], [0.0, -1e-4]] {
                let at: Vector2<f64> =
                    natural_places(count).iter().zip(&foot.values).map(|(p, value)| p * *value).sum();
                let near = values(count, at + Vector2::from(step));
                let point: Vector3<f64> = near.iter().zip(&nodes).map(|(value, node)| node * *value).sum();
                assert!((point - above).norm() >= foot.distance, "{count} nodes");
            }
        }
    }
}
