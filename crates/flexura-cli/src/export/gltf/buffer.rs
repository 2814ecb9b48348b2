//! The numbers of a glTF file: one buffer, views and accessors into it, and the container around document and buffer.
//!
//! Source: glTF 2.0, sections 3.6 (buffers, views, accessors) and 4 (GLB container).

use flexura::spatial::Vector3;
use serde_json::{Value, json};

/// Component types of the format.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;

/// What a list of numbers is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Vertices.
    Vertices,
    /// Indices of vertices.
    Indices,
    /// Times and values of key frames.
    Animation,
}

/// Numbers, with what they mean.
#[derive(Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds numbers in single precision; returns their accessor.
    pub fn floats(&mut self, values: &[f64], kind: &'static str, purpose: Use) -> usize {
        let width = match kind {
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 1,
        };
        let values: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..width)
                .map(|i| values.iter().skip(i).step_by(width).copied().reduce(pick).unwrap_or(0.0))
                .collect()
        };
        let mut accessor = json!({ "componentType": FLOAT, "type": kind, "count": values.len() / width });
        (accessor["min"], accessor["max"]) = (json!(bound(f32::min)), json!(bound(f32::max)));
        self.add(values.iter().flat_map(|value| value.to_le_bytes()).collect(), accessor, purpose)
    }

    /// Adds vectors of vertices.
    pub fn vectors(&mut self, list: &[Vector3]) -> usize {
        self.floats(list.as_flattened(), "VEC3", Use::Vertices)
    }

    /// Adds indices of vertices.
    pub fn indices(&mut self, list: &[usize]) -> usize {
        let bytes = list.iter().flat_map(|&index| u32::try_from(index).unwrap_or(u32::MAX).to_le_bytes());
        let accessor = json!({ "componentType": UNSIGNED, "type": "SCALAR", "count": list.len() });
        self.add(bytes.collect(), accessor, Use::Indices)
    }

    fn add(&mut self, bytes: Vec<u8>, mut accessor: Value, purpose: Use) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        match purpose {
            Use::Vertices => view["target"] = json!(34962),
            Use::Indices => view["target"] = json!(34963),
            Use::Animation => {}
        }
        accessor["bufferView"] = json!(self.views.len());
        self.views.push(view);
        self.accessors.push(accessor);
        self.bytes.extend(bytes);
        self.accessors.len() - 1
    }

    /// The container: header, the document as JSON, the buffer.
    pub fn container(mut self, mut document: Value) -> Vec<u8> {
        document["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        (document["bufferViews"], document["accessors"]) = (json!(self.views), json!(self.accessors));
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let word = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes();
        let total = 12 + 8 + text.len() + 8 + self.bytes.len();
        let mut out = Vec::with_capacity(total);
        out.extend(b"glTF");
        out.extend(word(2));
        out.extend(word(total));
        out.extend(word(text.len()));
        out.extend(b"JSON");
        out.extend(text);
        out.extend(word(self.bytes.len()));
        out.extend(b"BIN\0");
        out.extend(self.bytes);
        out
    }
}
