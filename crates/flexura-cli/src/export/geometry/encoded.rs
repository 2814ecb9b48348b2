//! Numbers of a picture section: little-endian bytes in base 64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flexura::spatial::Vector3;
use serde_json::Value;

pub(super) fn floats(value: &Value) -> Vec<f64> {
    let bytes = STANDARD.decode(value.as_str().unwrap_or_default()).unwrap_or_default();
    let chunks = bytes.chunks_exact(4);
    chunks.map(|c| f64::from(f32::from_le_bytes([c[0], c[1], c[2], c[3]]))).collect()
}

pub(super) fn vectors(value: &Value) -> Vec<Vector3> {
    floats(value).chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()
}

pub(super) fn indices(value: &Value) -> Vec<usize> {
    let bytes = STANDARD.decode(value.as_str().unwrap_or_default()).unwrap_or_default();
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]) as usize).collect()
}

pub(super) fn three(value: &Value) -> Vector3 {
    std::array::from_fn(|i| value[i].as_f64().unwrap_or(0.0))
}
