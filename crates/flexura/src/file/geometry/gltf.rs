//! glTF 2.0 files, as text (`.gltf`) and in one piece (`.glb`).
//!
//! Source: Khronos Group, glTF 2.0 Specification (2021), chapters 3 and 4. A scene has nodes, each with a transformation
//! relative to its parent and perhaps a mesh; a mesh has primitives; a primitive's positions and indices are accessors
//! into views of buffers, which lie in the file itself, in `data:` texts or in files beside it. Points are taken as they
//! stand, y upwards as glTF has it: `rotation` turns them. Materials, skins, morphs and animations make no surface and
//! are passed over; extensions that a file requires, and sparse accessors, are refused. Cost: linear in the file.

use std::cell::Cell;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nalgebra::{Matrix4, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};
use serde_json::Value;

use super::Fault;
use super::surface::Surface;

/// First bytes of a file in one piece.
const MAGIC: &[u8] = b"glTF";
/// Kinds of its pieces.
const JSON_PIECE: u32 = 0x4e4f_534a;
const BINARY_PIECE: u32 = 0x004e_4942;

/// Largest description (bytes), largest buffers together (bytes) and most numbers that are read.
const LARGEST_TEXT: usize = 32 << 20;
const LARGEST_BUFFERS: usize = 128 << 20;
const MOST_NUMBERS: usize = 16 << 20;

/// What reads a file beside the one at hand.
type Beside<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, Fault>;

/// Adds the meshes of a file's scene to a surface.
pub(super) fn read(bytes: &[u8], beside: Beside<'_>, out: &mut Surface) -> Result<(), Fault> {
    let (text, binary) = if bytes.starts_with(MAGIC) { pieces(bytes)? } else { (bytes, None) };
    if text.len() > LARGEST_TEXT {
        return Err(Fault::new("has a description of more than 32 MiB", "write it as .glb"));
    }
    let root: Value =
        serde_json::from_slice(text).map_err(|error| Fault::broken(format!("is no glTF: {error}")))?;
    let version = root["asset"]["version"].as_str().unwrap_or_default();
    if !version.starts_with("2.") {
        return Err(Fault::broken(format!("is glTF of version `{version}`; 2.0 is read")));
    }
    let required = root["extensionsRequired"].as_array().map_or(&[][..], Vec::as_slice);
    if let Some(name) = required.first() {
        return Err(Fault::new(
            format!("requires the extension {name}, which is not read"),
            "write it without compression and extensions",
        ));
    }
    let buffers = buffers(&root, binary, beside)?;
    let file = File { root: &root, buffers, left: Cell::new(MOST_NUMBERS) };
    for (mesh, transformation) in file.placed_meshes()? {
        file.add_mesh(mesh, &transformation, out)?;
    }
    Ok(())
}

/// The text and the binary piece of a file in one piece.
fn pieces(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let word = |at: usize| {
        let word = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    let torn = || Fault::broken("is a damaged .glb file: its pieces do not fit its length");
    let (mut at, mut text, mut binary) = (12, None, None);
    while at < bytes.len() {
        let (length, kind) = word(at).zip(word(at + 4)).ok_or_else(torn)?;
        let end = (at + 8).checked_add(length as usize).ok_or_else(torn)?;
        let piece = bytes.get(at + 8..end).ok_or_else(torn)?;
        match kind {
            JSON_PIECE if text.is_none() => text = Some(piece),
            BINARY_PIECE if binary.is_none() => binary = Some(piece),
            _ => {}
        }
        at = end;
    }
    Ok((text.ok_or_else(torn)?, binary))
}

fn buffers(root: &Value, binary: Option<&[u8]>, beside: Beside<'_>) -> Result<Vec<Vec<u8>>, Fault> {
    let list = root["buffers"].as_array().map_or(&[][..], Vec::as_slice);
    let read = |k: usize, buffer: &Value| {
        let Some(uri) = buffer["uri"].as_str() else {
            let own = binary.filter(|_| k == 0).map(<[u8]>::to_vec);
            return own.ok_or_else(|| Fault::broken(format!("buffer {k} has no data")));
        };
        if let Some(data) = uri.strip_prefix("data:") {
            let text = data.split_once(";base64,").map(|(_, text)| text);
            let bytes = text.and_then(|text| STANDARD.decode(text).ok());
            return bytes.ok_or_else(|| Fault::broken(format!("the data of buffer {k} is no base64")));
        }
        let name = spelt_out(uri);
        beside(&name)
            .map_err(|fault| Fault { message: format!("its buffer `{name}` {}", fault.message), ..fault })
    };
    let (mut found, mut size) = (Vec::new(), 0);
    for (k, buffer) in list.iter().enumerate() {
        let bytes = read(k, buffer)?;
        size += bytes.len();
        if size > LARGEST_BUFFERS {
            return Err(Fault::new("its buffers have more than 128 MiB", "write a coarser one"));
        }
        found.push(bytes);
    }
    Ok(found)
}

/// A relative address with its `%20` spelt out.
fn spelt_out(uri: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), uri.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match code.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A file with its buffers.
struct File<'a> {
    root: &'a Value,
    buffers: Vec<Vec<u8>>,
    /// Numbers that may still be read: primitives may name one accessor again and again.
    left: Cell<usize>,
}

impl File<'_> {
    /// Meshes of the scene with their transformations.
    fn placed_meshes(&self) -> Result<Vec<(usize, Matrix4<f64>)>, Fault> {
        let nodes = self.root["nodes"].as_array().map_or(&[][..], Vec::as_slice);
        let scene = self.root["scene"].as_u64().unwrap_or(0) as usize;
        let roots = match self.root["scenes"].get(scene) {
            Some(scene) => indices(&scene["nodes"]),
            None => {
                let children: Vec<usize> = nodes.iter().flat_map(|node| indices(&node["children"])).collect();
                (0..nodes.len()).filter(|node| !children.contains(node)).collect()
            }
        };
        let mut waiting: Vec<(usize, Matrix4<f64>)> =
            roots.into_iter().map(|node| (node, Matrix4::identity())).collect();
        let (mut seen, mut found) = (vec![false; nodes.len()], Vec::new());
        while let Some((k, around)) = waiting.pop() {
            let node = nodes.get(k).ok_or_else(|| Fault::broken(format!("there is no node {k}")))?;
            if std::mem::replace(&mut seen[k], true) {
                return Err(Fault::broken(format!("node {k} hangs below two nodes, or below itself")));
            }
            let transformation = around * own_transformation(node);
            found.extend(node["mesh"].as_u64().map(|mesh| (mesh as usize, transformation)));
            waiting.extend(indices(&node["children"]).into_iter().map(|child| (child, transformation)));
        }
        Ok(found)
    }

    fn add_mesh(&self, mesh: usize, transformation: &Matrix4<f64>, out: &mut Surface) -> Result<(), Fault> {
        let primitives = self.root["meshes"][mesh]["primitives"].as_array();
        let primitives = primitives.ok_or_else(|| Fault::broken(format!("there is no mesh {mesh}")))?;
        for primitive in primitives {
            let mode = primitive["mode"].as_u64().unwrap_or(4);
            let Some(positions) = primitive["attributes"]["POSITION"].as_u64().filter(|_| mode >= 4) else {
                // Points, lines, and what has no place.
                continue;
            };
            let points = self.numbers(positions as usize, 3)?;
            let count = points.len() / 3;
            let corners: Vec<usize> = match primitive["indices"].as_u64() {
                Some(accessor) => {
                    self.numbers(accessor as usize, 1)?.into_iter().map(|index| index as usize).collect()
                }
                None => (0..count).collect(),
            };
            if let Some(corner) = corners.iter().find(|corner| **corner >= count) {
                return Err(Fault::broken(format!(
                    "mesh {mesh} has a corner {corner}, but only {count} points"
                )));
            }
            let at = |corner: usize| {
                let p = Point3::new(points[3 * corner], points[3 * corner + 1], points[3 * corner + 2]);
                transformation.transform_point(&p).coords.into()
            };
            // A mirror turns a surface inside out; the order of corners turns it back.
            let mirrored = transformation.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
            for [a, b, c] in triangles(mode, &corners) {
                out.add(if mirrored { [a, c, b] } else { [a, b, c] }.map(at))?;
            }
        }
        Ok(())
    }

    /// The numbers of an accessor whose elements have `width` of them.
    fn numbers(&self, accessor: usize, width: usize) -> Result<Vec<f64>, Fault> {
        let broken = |what: &str| Fault::broken(format!("accessor {accessor} {what}"));
        let entry = self.root["accessors"].get(accessor).ok_or_else(|| broken("does not exist"))?;
        if !entry["sparse"].is_null() {
            return Err(broken("is sparse, which is not read"));
        }
        let kind = if width == 3 { "VEC3" } else { "SCALAR" };
        if entry["type"] != kind {
            return Err(broken(&format!("is not of type {kind}")));
        }
        let number = |value: &Value, default: u64| value.as_u64().unwrap_or(default) as usize;
        let component = number(&entry["componentType"], 0);
        let size = match (component, width) {
            (5121, 1) => 1,
            (5123, 1) => 2,
            (5125, 1) | (5126, 3) => 4,
            _ => return Err(broken(&format!("has numbers of type {component}, which is not read here"))),
        };
        let view = &self.root["bufferViews"][number(&entry["bufferView"], u64::MAX)];
        let buffer =
            self.buffers.get(number(&view["buffer"], u64::MAX)).ok_or_else(|| broken("has no data"))?;
        let start = number(&view["byteOffset"], 0).checked_add(number(&entry["byteOffset"], 0));
        let stride = number(&view["byteStride"], (size * width) as u64);
        let count = number(&entry["count"], 0);
        if stride < size * width {
            return Err(broken("has elements that overlap"));
        }
        let left = count.checked_mul(width).and_then(|numbers| self.left.get().checked_sub(numbers));
        self.left.set(left.ok_or_else(|| broken("has too many numbers"))?);
        let mut out = Vec::new();
        for k in 0..count {
            let at = stride.checked_mul(k).and_then(|skip| start?.checked_add(skip));
            let end = at.and_then(|at| at.checked_add(size * width));
            let element = at.zip(end).and_then(|(at, end)| buffer.get(at..end));
            let element = element.ok_or_else(|| broken("reaches beyond its buffer"))?;
            out.extend(element.chunks_exact(size).map(|bytes| match *bytes {
                [a] => f64::from(a),
                [a, b] => f64::from(u16::from_le_bytes([a, b])),
                [a, b, c, d] if width == 1 => f64::from(u32::from_le_bytes([a, b, c, d])),
                [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
                _ => f64::NAN,
            }));
        }
        Ok(out)
    }
}

fn indices(list: &Value) -> Vec<usize> {
    list.as_array().into_iter().flatten().filter_map(Value::as_u64).map(|index| index as usize).collect()
}

/// Triangles of a primitive: apart (4), in a strip (5), in a fan (6).
fn triangles(mode: u64, corners: &[usize]) -> Vec<[usize; 3]> {
    match mode {
        5 => {
            let strip = corners.windows(3).enumerate();
            strip.map(|(k, c)| if k % 2 == 0 { [c[0], c[1], c[2]] } else { [c[1], c[0], c[2]] }).collect()
        }
        6 => corners.get(1..).unwrap_or_default().windows(2).map(|c| [corners[0], c[0], c[1]]).collect(),
        _ => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
    }
}

/// A node relative to its parent: a matrix by columns, or translation, rotation (x, y, z, w) and scale.
fn own_transformation(node: &Value) -> Matrix4<f64> {
    let numbers = |key: &str| -> Vec<f64> {
        node[key].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let matrix = numbers("matrix");
    if matrix.len() == 16 {
        return Matrix4::from_column_slice(&matrix);
    }
    let (shift, turn, scale) = (numbers("translation"), numbers("rotation"), numbers("scale"));
    let shift = if shift.len() == 3 { Vector3::from_column_slice(&shift) } else { Vector3::zeros() };
    let turn = match turn[..] {
        [x, y, z, w] if x != 0.0 || y != 0.0 || z != 0.0 => {
            UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
        }
        _ => UnitQuaternion::identity(),
    };
    let scale = if scale.len() == 3 { Vector3::from_column_slice(&scale) } else { Vector3::repeat(1.0) };
    Translation3::from(shift).to_homogeneous()
        * turn.to_homogeneous()
        * Matrix4::new_nonuniform_scaling(&scale)
}
