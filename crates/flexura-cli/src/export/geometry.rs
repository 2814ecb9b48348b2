//! Points, cells and stresses of a result at one instant, from its picture section (book/src/result_file.md).
//!
//! A point of a body with pose (p, R) is at x = p + R (l0 + γη + ½ η*Γ2η), its section turned by R exp(λη). Beams are
//! swept: a ring of corners around every node, so that stresses differ over the section.

mod encoded;
mod solid;
mod stress;

use encoded::{floats, indices, three, vectors};
use flexura::spatial::{Matrix3, Vector3, matrix_from_quaternion, quaternion_exp};
use serde_json::Value;
use solid::{ring, solid_mesh, tube};

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

impl BodyMesh {
    /// The mesh of one entry of `bodies` in a picture, with the surfaces of geometry files in its `meshes`.
    pub fn new(body: &Value, meshes: &Value) -> Self {
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
            mesh.add_solid(solid, meshes);
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

    /// Points at rest, in the body's axes (m).
    pub fn at_rest(&self) -> Vec<Vector3> {
        let place = |&(n, [y, z]): &(usize, [f64; 2])| add(&self.nodes[n].position, &[0.0, y, z]);
        self.points.iter().map(place).collect()
    }

    /// Displacement of every point per unit of a mode, to first order: γ + λ × (0, y, z), in the body's axes.
    pub fn shape(&self, mode: usize) -> Vec<Vector3> {
        let displacement = |&(n, [y, z]): &(usize, [f64; 2])| {
            let of_node = |list: &[Vector3]| list.get(mode).copied().unwrap_or_default();
            let [a, b, c] = of_node(&self.nodes[n].slopes);
            add(&of_node(&self.nodes[n].translations), &[b * z - c * y, -a * z, a * y])
        };
        self.points.iter().map(displacement).collect()
    }

    /// Displacement of every point per unit of the product of two modes: ½ Γ2 of both orders; `None` where there is none.
    pub fn curved_shape(&self, first: usize, second: usize) -> Option<Vec<Vector3>> {
        let displacement = |&(n, _): &(usize, [f64; 2])| {
            let entry = |i: usize, j: usize| {
                let found = self.nodes[n].quadratic.get(i * self.modes + j).copied().unwrap_or_default();
                found.map(|x| 0.5 * x)
            };
            if first == second {
                entry(first, first)
            } else {
                add(&entry(first, second), &entry(second, first))
            }
        };
        let list: Vec<Vector3> = self.points.iter().map(displacement).collect();
        list.iter().flatten().any(|x| *x != 0.0).then_some(list)
    }

    /// Adds a solid fixed to the body as points without modes.
    fn add_solid(&mut self, solid: &Value, meshes: &Value) {
        let centre = three(&solid["position"]);
        let quaternion = std::array::from_fn(|i| solid["quaternion"][i].as_f64().unwrap_or(0.0));
        let turn = matrix_from_quaternion(&quaternion);
        let (points, cells) = solid_mesh(solid, meshes);
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

fn add(a: &Vector3, b: &Vector3) -> Vector3 {
    std::array::from_fn(|i| a[i] + b[i])
}

fn turned(turn: &Matrix3, v: &Vector3) -> Vector3 {
    std::array::from_fn(|i| (0..3).map(|j| turn[i][j] * v[j]).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::json;

    fn floats_of(values: &[f32]) -> String {
        STANDARD.encode(values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
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
        let mesh = BodyMesh::new(&body, &Value::Null);
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
