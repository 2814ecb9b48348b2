//! Export as a Parquet file: one column of numbers per channel, for pandas, polars, DuckDB and others.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Repetition, Type as Physical};
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::error::ResultsError;
use crate::reader::ResultFile;
use crate::schema::{CREATED_BY_KEY, MODEL_HASH_KEY, MODEL_KEY, TIME};

/// Writes the time and the channels that match `patterns` as columns called like the channels.
///
/// The file metadata hold `units`, a JSON object of names and units, and the name and hash of the model.
pub fn export_parquet(
    file: &ResultFile,
    patterns: &[&str],
    writer: impl Write + Send,
) -> Result<(), ResultsError> {
    let mut names = file.select(patterns)?;
    names.retain(|name| *name != TIME);
    names.insert(0, TIME);
    write(file, &names, writer).map_err(|error| match error {
        WriteError::Results(error) => error,
        WriteError::Parquet(error) => ResultsError::Export(std::io::Error::other(error)),
    })
}

enum WriteError {
    Results(ResultsError),
    Parquet(ParquetError),
}

impl From<ParquetError> for WriteError {
    fn from(error: ParquetError) -> Self {
        Self::Parquet(error)
    }
}

fn write(file: &ResultFile, names: &[&str], writer: impl Write + Send) -> Result<(), WriteError> {
    let properties = WriterProperties::builder().set_key_value_metadata(Some(metadata(file, names))).build();
    let mut out = SerializedFileWriter::new(writer, Arc::new(schema(names)?), Arc::new(properties))?;
    let mut group = out.next_row_group()?;
    for name in names {
        let values = file.channel(name).map_err(WriteError::Results)?;
        let column = group.next_column()?;
        let mut column = column.ok_or_else(|| ParquetError::General("a column is missing".into()))?;
        column.typed::<DoubleType>().write_batch(&values, None, None)?;
        column.close()?;
    }
    group.close()?;
    out.close()?;
    Ok(())
}

fn schema(names: &[&str]) -> Result<Type, ParquetError> {
    let field = |name: &&str| {
        let field = Type::primitive_type_builder(name, Physical::DOUBLE);
        field.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
    };
    let fields = names.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("flexura").with_fields(fields).build()
}

fn metadata(file: &ResultFile, names: &[&str]) -> Vec<KeyValue> {
    let layout = file.layout();
    let known = layout.channel_names().zip(layout.units());
    let units = known.filter(|(name, _)| names.contains(name));
    let units: serde_json::Map<String, serde_json::Value> =
        units.map(|(name, unit)| (name.to_owned(), unit.into())).collect();
    let mut pairs = vec![KeyValue::new("units".to_owned(), serde_json::Value::Object(units).to_string())];
    for key in [MODEL_KEY, MODEL_HASH_KEY, CREATED_BY_KEY] {
        if let Some(value) = layout.metadata.get(key) {
            pairs.push(KeyValue::new(key.to_owned(), value.clone()));
        }
    }
    pairs
}
