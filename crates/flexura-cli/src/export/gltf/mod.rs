//! A run as a binary glTF file: bodies as meshes, their poses as key frames, deformations as morph targets.
//!
//! Source: glTF 2.0 (ISO/IEC 12113). A point of a body with pose (p, R) is drawn at x = p + R (l0 + Σ ηᵢ sᵢ + Σ ηᵢηⱼ sᵢⱼ): p and R are animated nodes,
//! sᵢ = γᵢ + λᵢ × (0, y, z) are morph targets with the weights ηᵢ, and sᵢⱼ, halves of Γ2, further targets with the weights ηᵢηⱼ, all weights made one at most. So the foreshortening
//! of bent beams is drawn; sections turn to first order. Length in metres, time from zero, y upwards by the root node.

mod buffer;

use super::geometry::Cell;
use super::moving::{Moving, moving_bodies};
use crate::failure::Failure;
use crate::whole_file;
use buffer::{Buffer, Use};
use flexura::spatial::Vector3;
use flexura_results::{MODEL_KEY, ResultFile};
use serde_json::{Value, json};
use std::path::Path;

/// How to export.
pub struct Options {
    /// Rows from one key frame to the next.
    pub every: usize,
    /// Factor of the deformation.
    pub scale: f64,
}

/// Most modes whose products have targets of their own.
const MOST_CURVED: usize = 8;
/// Radius of what has no extent, relative to the model.
const MARKER: f64 = 0.012;
/// Colours of bodies (linear), one after the other.
const COLOURS: [[f64; 3]; 8] = [
    [0.06, 0.22, 0.55],
    [0.76, 0.24, 0.05],
    [0.09, 0.38, 0.15],
    [0.45, 0.08, 0.10],
    [0.30, 0.17, 0.50],
    [0.25, 0.13, 0.08],
    [0.68, 0.20, 0.45],
    [0.30, 0.30, 0.32],
];

/// Writes the file; returns what it holds, in words.
pub fn export(result: &ResultFile, path: &Path, options: &Options) -> Result<String, Failure> {
    let (bodies, up) = moving_bodies(result)?;
    let rows = key_rows(result.time(), options.every);
    if rows.is_empty() {
        return Err(Failure::File(format!("{} has no rows", result.path().display())));
    }
    let mut scene = Scene::new(result, &rows, options.scale, size_of(&bodies, &rows));
    bodies.iter().enumerate().for_each(|(k, body)| scene.add(k, body));
    let (targets, curved) = (scene.targets, scene.left_out);
    let name = result.layout().metadata.get(MODEL_KEY).map_or("model", String::as_str);
    let bytes = scene.finish(&up, name);
    let size = bytes.len() as f64 / 1e3;
    whole_file::write(path, bytes)?;
    let mut told =
        format!("{} bodies, {} key frames, {targets} morph targets, {size:.0} kB", bodies.len(), rows.len());
    if curved > 0 {
        told += &format!(
            "\nnotice: second-order displacements of {curved} bodies with more than {MOST_CURVED} modes are left out"
        );
    }
    Ok(told)
}

/// Rows whose times increase, as single precision has them too.
fn key_rows(times: &[f64], every: usize) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::new();
    for row in (0..times.len()).step_by(every.max(1)) {
        let since = |row: usize| (times[row] - times[0]) as f32;
        if rows.last().is_none_or(|&last| since(row) > since(last)) {
            rows.push(row);
        }
    }
    rows
}

/// The largest extent of all points at the start (m).
fn size_of(bodies: &[Moving], rows: &[usize]) -> f64 {
    let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for body in bodies {
        let row = rows[0];
        let eta: Vec<f64> = body.eta.iter().map(|values| values[row]).collect();
        let position = std::array::from_fn(|i| body.position[i][row]);
        let turn = std::array::from_fn(|i| body.quaternion[i][row]);
        for point in body.mesh.at(position, turn, &eta, 1.0).points {
            for i in 0..3 {
                (least[i], most[i]) = (least[i].min(point[i]), most[i].max(point[i]));
            }
        }
    }
    let size = (0..3).map(|i| most[i] - least[i]).fold(0.0, f64::max);
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

/// The document under way.
struct Scene<'a> {
    rows: &'a [usize],
    scale: f64,
    size: f64,
    buffer: Buffer,
    times: usize,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    targets: usize,
    left_out: usize,
}

impl<'a> Scene<'a> {
    fn new(result: &ResultFile, rows: &'a [usize], scale: f64, size: f64) -> Self {
        let mut buffer = Buffer::default();
        let first = result.time()[rows[0]];
        let times: Vec<f64> = rows.iter().map(|&row| result.time()[row] - first).collect();
        let times = buffer.floats(&times, "SCALAR", Use::Animation);
        Self {
            rows,
            scale,
            size,
            buffer,
            times,
            nodes: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            samplers: Vec::new(),
            channels: Vec::new(),
            targets: 0,
            left_out: 0,
        }
    }

    /// One body: node, mesh, material, key frames.
    fn add(&mut self, index: usize, body: &Moving) {
        let node = self.nodes.len();
        let [x, y, z] = &body.position;
        let positions: Vec<f64> = self.rows.iter().flat_map(|&row| [x[row], y[row], z[row]]).collect();
        let turns = continuous(&body.quaternion, self.rows);
        let mut described =
            json!({ "name": body.mesh.name, "translation": positions[..3], "rotation": turns[..4] });
        if let Some((mesh, weights)) = self.mesh(index, body) {
            described["mesh"] = json!(mesh);
            if !weights.is_empty() {
                self.animate(node, "weights", &weights, "SCALAR");
            }
        }
        self.nodes.push(described);
        self.animate(node, "translation", &positions, "VEC3");
        self.animate(node, "rotation", &turns, "VEC4");
    }

    fn animate(&mut self, node: usize, path: &str, values: &[f64], kind: &'static str) {
        let output = self.buffer.floats(values, kind, Use::Animation);
        let sampler = self.samplers.len();
        self.samplers.push(json!({ "input": self.times, "output": output, "interpolation": "LINEAR" }));
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// The mesh of a body and the weights of its targets over time; `None` where there is nothing to see.
    fn mesh(&mut self, index: usize, body: &Moving) -> Option<(usize, Vec<f64>)> {
        let (mut points, mut triangles, mut lines) = (body.mesh.at_rest(), Vec::new(), Vec::new());
        let drawn = points.len();
        for (kind, cell) in &body.mesh.cells {
            match kind {
                Cell::Triangle => triangles.extend(cell),
                Cell::Quad => triangles.extend([cell[0], cell[1], cell[2], cell[0], cell[2], cell[3]]),
                Cell::Line => lines.extend(cell),
                Cell::Vertex => add_marker(&mut points, &mut triangles, cell[0], MARKER * self.size),
            }
        }
        if points.is_empty() || (triangles.is_empty() && lines.is_empty()) {
            return None;
        }
        let (shapes, weights) = self.targets(body, points.len() - drawn);
        self.targets += shapes.len();
        let position = self.buffer.vectors(&points);
        let targets: Vec<Value> =
            shapes.iter().map(|shape| json!({ "POSITION": self.buffer.vectors(shape) })).collect();
        let mut primitives = Vec::new();
        for (mode, list) in [(4, &triangles), (1, &lines)] {
            if !list.is_empty() {
                let indices = self.buffer.indices(list);
                let mut primitive = json!({
                    "attributes": { "POSITION": position }, "indices": indices, "mode": mode, "material": index,
                });
                if !targets.is_empty() {
                    primitive["targets"] = json!(targets);
                }
                primitives.push(primitive);
            }
        }
        let mut mesh = json!({ "name": body.mesh.name, "primitives": primitives });
        if !shapes.is_empty() {
            mesh["weights"] = json!(weights[..shapes.len()]);
        }
        self.meshes.push(mesh);
        Some((self.meshes.len() - 1, weights))
    }

    /// Displacements of the targets, with `markers` further points that stand still, and their weights, row after row.
    fn targets(&mut self, body: &Moving, markers: usize) -> (Vec<Vec<Vector3>>, Vec<f64>) {
        let modes = body.eta.len();
        let mut shapes: Vec<Vec<Vector3>> = (0..modes).map(|mode| body.mesh.shape(mode)).collect();
        let mut pairs = Vec::new();
        if modes > MOST_CURVED {
            self.left_out += usize::from((0..modes).any(|i| body.mesh.curved_shape(i, i).is_some()));
        } else {
            for (i, j) in (0..modes).flat_map(|i| (i..modes).map(move |j| (i, j))) {
                if let Some(shape) = body.mesh.curved_shape(i, j) {
                    pairs.push((i, j));
                    shapes.push(shape);
                }
            }
        }
        for shape in &mut shapes {
            shape.extend(std::iter::repeat_n([0.0; 3], markers));
        }
        let mut weights: Vec<Vec<f64>> = body.eta.iter().map(|values| self.picked(values)).collect();
        for (i, j) in pairs {
            weights.push(
                self.rows.iter().map(|&row| self.scale * body.eta[i][row] * body.eta[j][row]).collect(),
            );
        }
        normalise(&mut shapes, &mut weights);
        let row_after_row = (0..self.rows.len()).flat_map(|row| weights.iter().map(move |list| list[row]));
        (shapes, row_after_row.collect())
    }

    /// Values of the key frames, times the factor of the deformation.
    fn picked(&self, values: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|&row| self.scale * values[row]).collect()
    }

    /// The whole file.
    fn finish(mut self, up: &Vector3, name: &str) -> Vec<u8> {
        let count = self.nodes.len();
        let materials = (0..count).map(|k| {
            let [r, g, b] = COLOURS[k % COLOURS.len()];
            json!({
                "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6 },
                "doubleSided": true,
            })
        });
        self.materials.extend(materials);
        let children: Vec<usize> = (0..count).collect();
        self.nodes.push(json!({ "name": name, "rotation": upright(up), "children": children }));
        let mut document = json!({
            "asset": { "version": "2.0", "generator": format!("Flexura {}", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "name": name, "nodes": [count] }],
            "nodes": self.nodes,
            "animations": [{ "name": "run", "samplers": self.samplers, "channels": self.channels }],
        });
        // Lists of the format are absent or not empty.
        if !self.meshes.is_empty() {
            (document["meshes"], document["materials"]) = (json!(self.meshes), json!(self.materials));
        }
        self.buffer.container(document)
    }
}

/// Makes one the largest weight of every target: viewers take the size of a mesh from whole targets. Those that never act are left out.
fn normalise(shapes: &mut Vec<Vec<Vector3>>, weights: &mut Vec<Vec<f64>>) {
    let largest: Vec<f64> = weights
        .iter()
        .map(|list| list.iter().fold(0.0, |most: f64, weight| most.max(weight.abs())))
        .collect();
    for ((shape, list), &most) in shapes.iter_mut().zip(weights.iter_mut()).zip(&largest) {
        shape.iter_mut().flatten().for_each(|part| *part *= most);
        list.iter_mut().for_each(|weight| *weight /= most);
    }
    let mut acts = largest.iter().map(|&most| most > 0.0);
    shapes.retain(|_| acts.next().unwrap_or(false));
    let mut acts = largest.iter().map(|&most| most > 0.0);
    weights.retain(|_| acts.next().unwrap_or(false));
}

/// An octahedron around a point that has no extent.
fn add_marker(points: &mut Vec<Vector3>, triangles: &mut Vec<usize>, centre: usize, radius: f64) {
    let (middle, first) = (points[centre], points.len());
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]) {
        let mut corner = middle;
        corner[axis] += sign * radius;
        points.push(corner);
    }
    for [x, y, z] in [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    {
        triangles.extend([first + x, first + y, first + z]);
    }
}

/// Quaternions (x, y, z, w) row after row, of unit length, each on the side of the one before.
fn continuous(quaternion: &[Vec<f64>; 4], rows: &[usize]) -> Vec<f64> {
    let mut out: Vec<f64> = Vec::with_capacity(4 * rows.len());
    for &row in rows {
        let [w, x, y, z] = std::array::from_fn(|i| quaternion[i][row]);
        let norm = (w * w + x * x + y * y + z * z).sqrt();
        let mut now = [x, y, z, w].map(|part| part / norm);
        if let Some(last) = out.len().checked_sub(4) {
            let along: f64 = out[last..].iter().zip(&now).map(|(a, b)| a * b).sum();
            if along < 0.0 {
                now = now.map(|part| -part);
            }
        }
        out.extend(now);
    }
    out
}

/// The turn (x, y, z, w) that brings an axis upwards to y.
fn upright(up: &Vector3) -> [f64; 4] {
    let norm = up.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z] = up.map(|part| part / norm);
    if y < -1.0 + 1e-9 || norm == 0.0 {
        return if norm == 0.0 { [0.0, 0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0, 0.0] };
    }
    // Half way between both: axis up × y, cosine y.
    let (axis, w) = ([-z, 0.0, x], 1.0 + y);
    let length = (axis.iter().map(|part| part * part).sum::<f64>() + w * w).sqrt();
    [axis[0] / length, axis[1] / length, axis[2] / length, w / length]
}
