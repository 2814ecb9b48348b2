//! What is known only when a run has ended: texts behind the rows.
//!
//! They are the custom metadata of a last batch without rows, which every Arrow library reads as what it is: no rows. The
//! encoder of batches writes none, so this message is put together here; its fields are those of `Message.fbs` and
//! `Schema.fbs` of the Arrow format.

use std::collections::BTreeMap;

use arrow_ipc::{
    Buffer, FieldNode, KeyValue, KeyValueArgs, Message, MessageArgs, MessageHeader, MetadataVersion,
    RecordBatch, RecordBatchArgs, root_as_message,
};
use arrow_schema::{DataType, Schema};
use flatbuffers::FlatBufferBuilder;

use crate::frames::CONTINUATION;

/// Texts that are written behind the last row.
pub(crate) type Closing = BTreeMap<String, String>;

/// Messages begin at multiples of this many bytes.
const ALIGNMENT: usize = 8;

/// The message that carries `texts` in a stream of `schema`.
pub(crate) fn encode(schema: &Schema, texts: &Closing) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let pairs: Vec<_> = texts
        .iter()
        .map(|(key, value)| {
            let (key, value) = (Some(builder.create_string(key)), Some(builder.create_string(value)));
            KeyValue::create(&mut builder, &KeyValueArgs { key, value })
        })
        .collect();
    let custom_metadata = Some(builder.create_vector(&pairs));
    let lists = schema.fields().iter().map(|field| matches!(field.data_type(), DataType::FixedSizeList(..)));
    // A column has a node and two buffers, validity and values; a list a node and its validity more.
    let (mut nodes, mut buffers) = (Vec::new(), Vec::new());
    for list in lists {
        nodes.resize(nodes.len() + 1 + usize::from(list), FieldNode::new(0, 0));
        buffers.resize(buffers.len() + 2 + usize::from(list), Buffer::new(0, 0));
    }
    let (nodes, buffers) = (Some(builder.create_vector(&nodes)), Some(builder.create_vector(&buffers)));
    let batch =
        RecordBatch::create(&mut builder, &RecordBatchArgs { nodes, buffers, ..RecordBatchArgs::default() });
    let message = MessageArgs {
        version: MetadataVersion::V5,
        header_type: MessageHeader::RecordBatch,
        header: Some(batch.as_union_value()),
        bodyLength: 0,
        custom_metadata,
    };
    let message = Message::create(&mut builder, &message);
    builder.finish(message, None);
    framed(builder.finished_data())
}

/// A message without a body behind its marker and length.
fn framed(metadata: &[u8]) -> Vec<u8> {
    let length = metadata.len().next_multiple_of(ALIGNMENT);
    let mut bytes = CONTINUATION.to_vec();
    // A message of 4 GB could not be read by anybody.
    bytes.extend(u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(metadata);
    bytes.resize(bytes.len() + length - metadata.len(), 0);
    bytes
}

/// The texts that a message carries; most have none.
pub(crate) fn decode(metadata: &[u8]) -> Closing {
    let found = root_as_message(metadata).ok().and_then(|message| message.custom_metadata());
    let pair = |pair: KeyValue<'_>| Some((pair.key()?.to_owned(), pair.value()?.to_owned()));
    found.map_or_else(Closing::new, |pairs| pairs.iter().filter_map(pair).collect())
}
