//! The messages of an Arrow stream, told apart without trusting their content.
//!
//! The general decoder panics on some damaged messages and does not say whether a stream ended with
//! its end marker, in the middle of a message or between two; this module answers both.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::{Message, MessageHeader, root_as_message};
use arrow_schema::{DataType, Schema};

use crate::columns::column_width;

/// First four bytes of every message.
pub(crate) const CONTINUATION: [u8; 4] = [0xff; 4];
/// Length of the continuation marker and the length that follows it, in bytes.
const PREFIX: usize = 8;
/// The message that ends a stream.
pub(crate) const END_MARKER: [u8; PREFIX] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// What is found at a byte offset of a stream.
pub(crate) enum Frame {
    /// A whole message.
    Message {
        /// Description of the body.
        metadata: Buffer,
        /// The values.
        body: Buffer,
        /// Offset of the next frame in bytes.
        end: usize,
    },
    /// The end marker.
    EndMarker {
        /// Offset behind the marker in bytes.
        end: usize,
    },
    /// The end of the bytes.
    EndOfBytes,
    /// Something that is not a whole message, and why.
    Torn(String),
}

/// The frame that starts at byte `start`.
pub(crate) fn frame_at(bytes: &Buffer, start: usize) -> Frame {
    let rest = &bytes[start..];
    if rest.is_empty() {
        return Frame::EndOfBytes;
    }
    let (Some(marker), Some(length)) = (word(rest, 0), word(rest, 4)) else {
        return Frame::Torn(cut_off(start));
    };
    if marker != CONTINUATION {
        return Frame::Torn(format!("no message begins at byte {start}"));
    }
    let length = u32::from_le_bytes(length) as usize;
    if length == 0 {
        let end = start + PREFIX;
        return Frame::EndMarker { end };
    }
    if rest.len() - PREFIX < length {
        return Frame::Torn(cut_off(start));
    }
    let metadata = bytes.slice_with_length(start + PREFIX, length);
    let body_length = match root_as_message(&metadata) {
        Ok(message) => usize::try_from(message.bodyLength()),
        Err(error) => return Frame::Torn(damaged(start, &error.to_string())),
    };
    let Ok(body_length) = body_length else {
        return Frame::Torn(damaged(start, "its length is negative"));
    };
    if rest.len() - PREFIX - length < body_length {
        return Frame::Torn(cut_off(start));
    }
    let body_start = start + PREFIX + length;
    Frame::Message {
        metadata,
        body: bytes.slice_with_length(body_start, body_length),
        end: body_start + body_length,
    }
}

fn word(bytes: &[u8], at: usize) -> Option<[u8; 4]> {
    bytes.get(at..at + 4)?.try_into().ok()
}

fn cut_off(start: usize) -> String {
    format!("the message at byte {start} is cut off")
}

/// Why reading stops at a message that is whole but cannot be used.
pub(crate) fn damaged(start: usize, reason: &str) -> String {
    format!("the message at byte {start} is damaged: {reason}")
}

/// The schema held by a message with `metadata`.
pub(crate) fn decode_schema(metadata: &[u8]) -> Result<Schema, String> {
    let message = parse(metadata, MessageHeader::Schema)?;
    let schema = message.header_as_schema().ok_or("it has no schema")?;
    try_fb_to_schema(schema).map_err(|error| error.to_string())
}

/// The rows held by a message.
pub(crate) fn decode_batch(
    metadata: &[u8],
    body: &Buffer,
    schema: &Arc<Schema>,
) -> Result<RecordBatch, String> {
    let message = parse(metadata, MessageHeader::RecordBatch)?;
    let batch = message.header_as_record_batch().ok_or("it has no rows")?;
    check_batch(&batch, body.len(), schema)?;
    let version = message.version();
    let schema = Arc::clone(schema);
    arrow_ipc::reader::read_record_batch(body, batch, schema, &HashMap::new(), None, &version)
        .map_err(|error| error.to_string())
}

fn parse(metadata: &[u8], expected: MessageHeader) -> Result<Message<'_>, String> {
    let message = root_as_message(metadata).map_err(|error| error.to_string())?;
    let found = message.header_type();
    if found != expected {
        return Err(format!("expected {expected:?}, found {found:?}"));
    }
    Ok(message)
}

/// Checks what the decoder takes for granted: lengths that agree and buffers inside the body.
fn check_batch(
    batch: &arrow_ipc::RecordBatch<'_>,
    body_length: usize,
    schema: &Schema,
) -> Result<(), String> {
    let rows = usize::try_from(batch.length()).map_err(|_| "it has a negative row count")?;
    let mut expected = Vec::new();
    for field in schema.fields() {
        expected.push(Some(rows));
        if let DataType::FixedSizeList(..) = field.data_type() {
            expected.push(rows.checked_mul(column_width(field.data_type())));
        }
    }
    let nodes = batch.nodes().ok_or("it has no columns")?;
    let lengths = nodes.iter().map(|node| usize::try_from(node.length()).ok());
    if !lengths.eq(expected) || nodes.iter().any(|node| node.null_count() != 0) {
        return Err("its columns do not fit the header of the file".to_owned());
    }
    let inside = |buffer: &arrow_ipc::Buffer| {
        let offset = usize::try_from(buffer.offset()).ok()?;
        let length = usize::try_from(buffer.length()).ok()?;
        Some(offset.checked_add(length)? <= body_length)
    };
    let buffers = batch.buffers().ok_or("it has no values")?;
    if !buffers.iter().all(|buffer| inside(buffer) == Some(true)) {
        return Err("its values lie outside the message".to_owned());
    }
    Ok(())
}
