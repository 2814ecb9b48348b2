//! Points, cells and stresses of a result at one instant, from its picture section (book/src/result_file.md).
//!
//! A point of a body with pose (p, R) is at x = p + R (l0 + γη + ½ η*Γ2η), its section turned by R exp(λη). Beams are
//! swept: a ring of corners around every node, so that stresses differ over the section.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flexura::spatial::{Matrix3, Vector3, matrix_from_quaternion, quaternion_exp};
use serde_json::Value;
use std::f64::consts::TAU;

/// Corners around a round section.
const SIDES: usize = 12;
/// Numbers of a stress row of beams and of surfaces (book/src/result_file.md).
const BEAM_ROWS: usize = 4;
const SURFACE_ROWS: usize = 6;

/// Kinds of cells, by their numbers in VTK files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Vertex = 1,
    Line = 3,
    Triangle = 5,
    Quad = 9,
}

/// One body: its points at rest, and how the modes move them.
pub struct BodyMesh {
    /// Name of the body.
    pub name: String,
    modes: usize,
    nodes: Vec<Node>,
    /// Drawn points: their node and their place in its section, y and z (m).
    points: Vec<(usize, [f64; 2])>,
    /// Points of every cell.
    pub cells: Vec<(Cell, Vec<usize>)>,
    stress: Vec<f64>,
    strain: Vec<f64>,
    /// Young's and the shear modulus of a beam (Pa).
    moduli: Option<[f64; 2]>,
    /// Nodes with stress rows; points of solids come after them.
    stressed: usize,
}

#[derive(Default)]
struct Node {
    position: Vector3,
    translations: Vec<Vector3>,
    slopes: Vec<Vector3>,
    quadratic: Vec<Vector3>,
}

/// Points of a body at an instant.
#[derive(Default)]
pub struct Instant {
    /// Positions in space (m).
    pub points: Vec<Vector3>,
    /// Displacement by deformation, in space (m).
    pub deflections: Vec<Vector3>,
    /// Von Mises' stress (Pa); empty where the body has none, not a number where a point has none.
    pub stresses: Vec<f64>,
    /// Largest principal strain, by magnitude; empty or not a number likewise.
    pub strains: Vec<f64>,
}

fn floats(value: &Value) -> Vec<f64> {
    let bytes = STANDARD.decode(value.as_str().unwrap_or_default()).unwrap_or_default();
    let chunks = bytes.chunks_exact(4);
    chunks.map(|c| f64::from(f32::from_le_bytes([c[0], c[1], c[2], c[3]]))).collect()
}

fn vectors(value: &Value) -> Vec<Vector3> {
    floats(value).chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()
}

fn indices(value: &Value) -> Vec<usize> {
    let bytes = STANDARD.decode(value.as_str().unwrap_or_default()).unwrap_or_default();
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]) as usize).collect()
}

fn three(value: &Value) -> Vector3 {
    std::array::from_fn(|i| value[i].as_f64().unwrap_or(0.0))
}

impl BodyMesh {
    /// The mesh of one entry of `bodies` in a picture.
    pub fn new(body: &Value) -> Self {
        let modes = body["modes"].as_u64().unwrap_or(0) as usize;
        let nodes = nodes(&body["nodes"], modes);
        let mut mesh = Self {
            name: body["name"].as_str().unwrap_or_default().to_owned(),
            modes,
            stressed: nodes.len(),
            nodes,
            points: Vec::new(),
            cells: Vec::new(),
            stress: floats(&body["stress"]),
            strain: floats(&body["strain"]),
            moduli: body["moduli"][0].as_f64().zip(body["moduli"][1].as_f64()).map(|(e, g)| [e, g]),
        };
        let (triangles, lines) = (indices(&body["triangles"]), indices(&body["lines"]));
        let ring = if triangles.is_empty() { ring(body) } else { None };
        let corners = ring.as_deref().unwrap_or(&[[0.0; 2]]);
        let count = mesh.nodes.len();
        mesh.points = (0..count).flat_map(|n| corners.iter().map(move |&corner| (n, corner))).collect();
        let inside = |cell: &&[usize]| cell.iter().all(|&node| node < count);
        mesh.cells = match (&ring, triangles.is_empty()) {
            (_, false) => {
                let cells = triangles.chunks_exact(3).filter(inside);
                cells.map(|cell| (Cell::Triangle, cell.to_vec())).collect()
            }
            (Some(ring), true) => {
                let lines = lines.chunks_exact(2).filter(inside);
                lines.flat_map(|line| tube(line[0], line[1], ring.len())).collect()
            }
            (None, true) => {
                let cells = lines.chunks_exact(2).filter(inside);
                cells.map(|cell| (Cell::Line, cell.to_vec())).collect()
            }
        };
        for solid in body["solids"].as_array().into_iter().flatten() {
            mesh.add_solid(solid);
        }
        mesh
    }

    /// Whether stresses are known.
    pub fn has_stress(&self) -> bool {
        !self.stress.is_empty()
    }

    /// Whether strains are known.
    pub fn has_strain(&self) -> bool {
        !self.strain.is_empty() || (self.has_stress() && self.moduli.is_some())
    }

    /// What stands for stresses and strains of a body that has none: zero if it is rigid, else not a number.
    pub fn unrecorded(&self) -> f64 {
        if self.modes == 0 { 0.0 } else { f64::NAN }
    }

    /// Points at the pose (`position`, `quaternion`) with modal coordinates `eta`; deflections times `scale`.
    pub fn at(&self, position: Vector3, quaternion: [f64; 4], eta: &[f64], scale: f64) -> Instant {
        let turn = matrix_from_quaternion(&quaternion);
        let mut out = Instant::default();
        let moved: Vec<(Vector3, Matrix3)> = self.nodes.iter().map(|node| node.moved(eta, scale)).collect();
        for &(n, [y, z]) in &self.points {
            let (shift, section) = &moved[n];
            let local: Vector3 = std::array::from_fn(|i| {
                self.nodes[n].position[i] + scale * shift[i] + section[i][1] * y + section[i][2] * z
            });
            out.points.push(add(&position, &turned(&turn, &local)));
            out.deflections.push(turned(&turn, shift));
            if self.has_stress() {
                out.stresses.push(self.stress_at(n, eta, y, z));
            }
            if self.has_strain() {
                out.strains.push(self.strain_at(n, eta, y, z));
            }
        }
        out
    }

    /// Von Mises' stress of node `n`, at (y, z) of its section if it is a beam (Pa).
    fn stress_at(&self, n: usize, eta: &[f64], y: f64, z: f64) -> f64 {
        let (sums, per_mode) = self.rows_at(&self.stress, n, eta);
        if per_mode == BEAM_ROWS {
            let (sigma, tau) = fibre(&sums, y, z);
            return (sigma * sigma + 3.0 * tau * tau).sqrt();
        }
        let [x, y, z, xy, yz, zx] = sums;
        let normal = (x - y).powi(2) + (y - z).powi(2) + (z - x).powi(2);
        (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
    }

    /// Principal strain of largest magnitude of node `n`, at (y, z) of its section if it is a beam.
    fn strain_at(&self, n: usize, eta: &[f64], y: f64, z: f64) -> f64 {
        if let (Some(moduli), true) = (self.moduli, self.strain.is_empty()) {
            let (sums, _) = self.rows_at(&self.stress, n, eta);
            let (sigma, tau) = fibre(&sums, y, z);
            return fibre_strain(sigma, tau, moduli);
        }
        let ([x, y, z, xy, yz, zx], _) = self.rows_at(&self.strain, n, eta);
        largest_principal([x, y, z, 0.5 * xy, 0.5 * yz, 0.5 * zx])
    }

    /// Sums of the rows of node `n` over the modes, and numbers per row; zero for points of solids, not a number where
    /// a surface has none: beams beside the plates of a part, whose stresses are not in the file.
    fn rows_at(&self, rows: &[f64], n: usize, eta: &[f64]) -> ([f64; 6], usize) {
        let mut sums = [0.0; 6];
        let per_mode = rows.len() / (self.modes * self.stressed).max(1);
        if n >= self.stressed {
            return (sums, per_mode);
        }
        let mut of_node = rows.iter().skip(n * self.modes * per_mode).take(self.modes * per_mode);
        if per_mode == SURFACE_ROWS && of_node.all(|row| *row == 0.0) {
            return ([f64::NAN; 6], per_mode);
        }
        for (r, q) in eta.iter().enumerate() {
            let at = (n * self.modes + r) * per_mode;
            for (sum, row) in sums.iter_mut().zip(rows.iter().skip(at).take(per_mode)) {
                *sum += q * row;
            }
        }
        (sums, per_mode)
    }

    /// Adds a solid fixed to the body as points without modes.
    fn add_solid(&mut self, solid: &Value) {
        let centre = three(&solid["position"]);
        let quaternion = std::array::from_fn(|i| solid["quaternion"][i].as_f64().unwrap_or(0.0));
        let turn = matrix_from_quaternion(&quaternion);
        let (points, cells) = solid_mesh(solid);
        let (node, start) = (self.nodes.len(), self.points.len());
        self.points.extend((0..points.len()).map(|k| (node + k, [0.0; 2])));
        let rigid =
            |point: &Vector3| Node { position: add(&centre, &turned(&turn, point)), ..Node::default() };
        self.nodes.extend(points.iter().map(rigid));
        let shifted = |cell: Vec<usize>| cell.into_iter().map(|point| point + start).collect();
        self.cells.extend(cells.into_iter().map(|(kind, cell)| (kind, shifted(cell))));
    }
}

impl Node {
    /// Displacement for modal coordinates, and orientation with its slope times `scale`.
    fn moved(&self, eta: &[f64], scale: f64) -> (Vector3, Matrix3) {
        let mut shift = [0.0; 3];
        let mut slope = [0.0; 3];
        let modes = self.translations.len().min(eta.len());
        for r in 0..modes {
            for i in 0..3 {
                shift[i] += eta[r] * self.translations[r][i];
                slope[i] += eta[r] * self.slopes.get(r).map_or(0.0, |slope| slope[i]);
            }
        }
        if modes > 0 && self.quadratic.len() == modes * modes {
            for (k, term) in self.quadratic.iter().enumerate() {
                let factor = 0.5 * eta[k / modes] * eta[k % modes];
                (0..3).for_each(|i| shift[i] += factor * term[i]);
            }
        }
        (shift, matrix_from_quaternion(&quaternion_exp(&slope.map(|angle| scale * angle))))
    }
}

fn nodes(shapes: &Value, modes: usize) -> Vec<Node> {
    let [positions, translations, slopes, quadratic] =
        ["positions", "translations", "slopes", "quadratic"].map(|key| vectors(&shapes[key]));
    let part = |all: &[Vector3], size: usize, n: usize| {
        all.get(n * size..(n + 1) * size).map(<[Vector3]>::to_vec).unwrap_or_default()
    };
    let list = positions.iter().enumerate().map(|(n, &position)| Node {
        position,
        translations: part(&translations, modes, n),
        slopes: part(&slopes, modes, n),
        quadratic: part(&quadratic, modes * modes, n),
    });
    list.collect()
}

/// Normal and shear stress of a beam's fibre at (y, z) (Pa).
fn fibre(sums: &[f64; 6], y: f64, z: f64) -> (f64, f64) {
    (sums[0] - y * sums[1] - z * sums[2], sums[3] * y.hypot(z))
}

/// Principal strain of largest magnitude of a fibre: ε = σ/E along it, −νε across it, γ = τ/G.
fn fibre_strain(sigma: f64, tau: f64, [young, shear]: [f64; 2]) -> f64 {
    let (strain, poisson, half) = (sigma / young, young / (2.0 * shear) - 1.0, 0.5 * tau / shear);
    let (mean, radius) = (0.5 * (1.0 - poisson) * strain, (0.5 * (1.0 + poisson) * strain).hypot(half));
    (mean + radius).abs().max((mean - radius).abs())
}

/// Eigenvalue of largest magnitude of the symmetric tensor xx, yy, zz, xy, yz, zx.
///
/// Cardano's formula in its trigonometric form: with the mean m and deviator D, λ = m + 2p cos(φ + 2πk/3), p² = D:D/6,
/// cos 3φ = det D / (2p³).
fn largest_principal([xx, yy, zz, xy, yz, zx]: [f64; 6]) -> f64 {
    let mean = (xx + yy + zz) / 3.0;
    let (a, b, c) = (xx - mean, yy - mean, zz - mean);
    let p = ((a * a + b * b + c * c + 2.0 * (xy * xy + yz * yz + zx * zx)) / 6.0).sqrt();
    if p == 0.0 {
        return mean.abs();
    }
    let determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx);
    let angle = (determinant / (2.0 * p * p * p)).clamp(-1.0, 1.0).acos() / 3.0;
    let most = mean + 2.0 * p * angle.cos();
    let least = mean + 2.0 * p * (angle + TAU / 3.0).cos();
    most.abs().max(least.abs())
}

/// Corners of the swept section, if the body has one.
fn ring(body: &Value) -> Option<Vec<[f64; 2]>> {
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
fn tube(a: usize, b: usize, sides: usize) -> impl Iterator<Item = (Cell, Vec<usize>)> {
    (0..sides).map(move |k| {
        let next = (k + 1) % sides;
        (Cell::Quad, vec![a * sides + k, a * sides + next, b * sides + next, b * sides + k])
    })
}

type Mesh = (Vec<Vector3>, Vec<(Cell, Vec<usize>)>);

/// Points and cells of a solid around its centre.
fn solid_mesh(solid: &Value) -> Mesh {
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

fn add(a: &Vector3, b: &Vector3) -> Vector3 {
    std::array::from_fn(|i| a[i] + b[i])
}

fn turned(turn: &Matrix3, v: &Vector3) -> Vector3 {
    std::array::from_fn(|i| (0..3).map(|j| turn[i][j] * v[j]).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn floats_of(values: &[f32]) -> String {
        STANDARD.encode(values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
    }

    #[test]
    fn principal_strains_are_eigenvalues() {
        assert_eq!(largest_principal([0.0; 6]), 0.0);
        assert_eq!(largest_principal([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]), 2.0);
        for (tensor, expected) in [
            // Along an axis, pure shear, and a plane state: (a+b)/2 ± √(((a−b)/2)² + s²) and the third axis.
            ([3.0, -1.0, -1.0, 0.0, 0.0, 0.0], 3.0),
            ([0.0, 0.0, 0.0, 0.0, 4.0, 0.0], 4.0),
            ([1.0, -3.0, 0.5, 2.0, 0.0, 0.0], 1.0 + 8.0f64.sqrt()),
            ([-7.0, 0.5, 1.0, 0.0, 0.0, 0.0], 7.0),
        ] {
            let found = largest_principal(tensor);
            assert!((found - expected).abs() < 1e-12 * expected, "{tensor:?}: {found} against {expected}");
        }
        // A fibre pulled, and one twisted: ε = σ/E, γ/2.
        assert!((fibre_strain(70e6, 0.0, [70e9, 26e9]) - 1e-3).abs() < 1e-15);
        assert!((fibre_strain(0.0, 26e6, [70e9, 26e9]) - 0.5e-3).abs() < 1e-15);
    }

    /// A triangle in one mode; its first node is in pure shear, its second under σx and σy, and nothing is
    /// known of the third.
    #[test]
    fn stresses_of_surfaces_are_von_mises() {
        let triangle = [0u32, 1, 2].iter().flat_map(|node| node.to_le_bytes()).collect::<Vec<u8>>();
        let body = json!({
            "name": "plate",
            "modes": 1,
            "nodes": {
                "count": 3,
                "positions": floats_of(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
                "translations": floats_of(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
            },
            "triangles": STANDARD.encode(triangle),
            "stress": floats_of(&[
                0.0, 0.0, 0.0, 2.0, 0.0, 0.0, //
                3.0, -1.0, 0.0, 0.0, 0.0, 0.0, //
                0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
            ]),
            "strain": floats_of(&[
                0.0, 0.0, 0.0, 4.0, 0.0, 0.0, //
                -3.0, 1.0, 0.0, 0.0, 0.0, 0.0, //
                0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
            ]),
            "solids": [],
        });
        let mesh = BodyMesh::new(&body);
        assert_eq!(mesh.cells, [(Cell::Triangle, vec![0, 1, 2])]);
        let now = mesh.at([0.0, 0.0, 5.0], [1.0, 0.0, 0.0, 0.0], &[0.5], 2.0);
        assert_eq!(now.points[1], [1.0, 0.0, 6.0], "twice half a unit of the mode");
        assert_eq!(now.deflections[1], [0.0, 0.0, 0.5]);
        // √3 τ, and √(σx² − σx σy + σy²), for half a unit of the mode.
        let expected = [3.0f64.sqrt() * 1.0, 0.5 * 13.0f64.sqrt()];
        for (found, expected) in now.stresses.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} against {expected}");
        }
        // Half of γ, and the larger of two principal strains, for half a unit of the mode.
        for (found, expected) in now.strains.iter().zip([1.0, 1.5]) {
            assert!((found - expected).abs() < 1e-12, "{found} against {expected}");
        }
        // The third node has no rows: it must not look relaxed.
        assert_eq!((now.stresses.len(), now.strains.len()), (3, 3));
        assert!(now.stresses[2].is_nan() && now.strains[2].is_nan());
    }
}
