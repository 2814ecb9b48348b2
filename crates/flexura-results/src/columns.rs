//! Translation between a [`Layout`] and the schema and columns of the Arrow format.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, FixedSizeListArray, Float64Array, RecordBatch};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Metadata, Schema};

use crate::error::ResultsError;
use crate::schema::{Channel, FORMAT_KEY, FORMAT_VERSION, Family, Layout, TIME, TIME_UNIT};

const NAMES_KEY: &str = "names";
const UNITS_KEY: &str = "units";
const DESCRIPTION_KEY: &str = "description";

/// The Arrow schema that describes `layout`.
pub(crate) fn to_schema(layout: &Layout) -> Result<Schema, ResultsError> {
    let mut fields = vec![Field::new(TIME, DataType::Float64, false).with_metadata(field_metadata(
        &[TIME],
        &[TIME_UNIT],
        "Simulated time.",
    ))];
    for family in &layout.families {
        fields.push(family_field(family)?);
    }
    let metadata = Metadata::from(layout.metadata.clone()).with(FORMAT_KEY, FORMAT_VERSION);
    Ok(Schema::new(fields).with_metadata(metadata))
}

fn family_field(family: &Family) -> Result<Field, ResultsError> {
    let width = i32::try_from(family.channels.len())
        .map_err(|_| ResultsError::Layout(format!("family `{}` has too many channels", family.name)))?;
    let names: Vec<&str> = family.channels.iter().map(|c| c.name.as_str()).collect();
    let units: Vec<&str> = family.channels.iter().map(|c| c.unit.as_str()).collect();
    let kind = DataType::FixedSizeList(element_field(), width);
    Ok(Field::new(&family.name, kind, false).with_metadata(field_metadata(
        &names,
        &units,
        &family.description,
    )))
}

fn element_field() -> FieldRef {
    Arc::new(Field::new("item", DataType::Float64, false))
}

fn field_metadata(names: &[&str], units: &[&str], description: &str) -> Metadata {
    Metadata::new()
        .with(NAMES_KEY, serde_json::Value::from(names).to_string())
        .with(UNITS_KEY, serde_json::Value::from(units).to_string())
        .with(DESCRIPTION_KEY, description)
}

/// The layout that `schema` describes, or the reason why it describes none.
///
/// The format version is left to the caller, who reports it differently.
pub(crate) fn to_layout(schema: &Schema) -> Result<Layout, String> {
    let (time, rest) = schema.fields().split_first().ok_or("it has no columns")?;
    if time.name() != TIME || time.data_type() != &DataType::Float64 {
        return Err("its first column is not the time".to_owned());
    }
    let mut metadata = schema.metadata().clone();
    metadata.remove(FORMAT_KEY);
    let layout = Layout {
        families: rest.iter().map(|field| to_family(field)).collect::<Result<_, _>>()?,
        metadata: metadata.into(),
    };
    layout.validate().map_err(|error| error.to_string())?;
    Ok(layout)
}

fn to_family(field: &Field) -> Result<Family, String> {
    let name = field.name();
    let width = match field.data_type() {
        DataType::FixedSizeList(element, width) if element.data_type() == &DataType::Float64 => {
            usize::try_from(*width).map_err(|_| format!("column `{name}` has a negative width"))?
        }
        other => return Err(format!("column `{name}` has the unexpected type {other}")),
    };
    let names = text_list(field, NAMES_KEY, width)?;
    let units = text_list(field, UNITS_KEY, width)?;
    let channels = names.into_iter().zip(units);
    Ok(Family {
        name: name.clone(),
        description: field.metadata().get(DESCRIPTION_KEY).cloned().unwrap_or_default(),
        channels: channels.map(|(n, u)| Channel::new(n, u)).collect(),
    })
}

fn text_list(field: &Field, key: &str, width: usize) -> Result<Vec<String>, String> {
    let name = field.name();
    let text =
        field.metadata().get(key).ok_or_else(|| format!("column `{name}` lacks the metadata `{key}`"))?;
    let list: Vec<String> = serde_json::from_str(text)
        .map_err(|error| format!("metadata `{key}` of column `{name}`: {error}"))?;
    if list.len() != width {
        return Err(format!("column `{name}` has {width} elements but {} {key}", list.len()));
    }
    Ok(list)
}

/// Sorts row-major `values` into the columns of `schema`.
pub(crate) fn to_batch(
    schema: &Arc<Schema>,
    row_width: usize,
    values: &[f64],
) -> Result<RecordBatch, ArrowError> {
    let mut start = 0;
    let mut columns: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
    for field in schema.fields() {
        let width = column_width(field.data_type());
        let rows = values.chunks_exact(row_width);
        let mut column = Vec::with_capacity(rows.len() * width);
        for row in rows {
            column.extend_from_slice(&row[start..start + width]);
        }
        columns.push(to_column(field.data_type(), column)?);
        start += width;
    }
    RecordBatch::try_new(Arc::clone(schema), columns)
}

fn to_column(kind: &DataType, values: Vec<f64>) -> Result<ArrayRef, ArrowError> {
    let elements = Arc::new(Float64Array::from(values));
    match kind {
        DataType::FixedSizeList(element, width) => {
            Ok(Arc::new(FixedSizeListArray::try_new(Arc::clone(element), *width, elements, None)?))
        }
        _ => Ok(elements),
    }
}

/// Values per row of a column whose type was accepted by [`to_layout`] or made by [`to_schema`].
pub(crate) fn column_width(kind: &DataType) -> usize {
    match kind {
        DataType::FixedSizeList(_, width) => usize::try_from(*width).unwrap_or(0),
        _ => 1,
    }
}

/// The values of each column of `batch`, row-major within a column and sharing its memory.
pub(crate) fn from_batch(batch: &RecordBatch) -> Result<Vec<ScalarBuffer<f64>>, String> {
    let column_values = |column: &ArrayRef| {
        let width = column_width(column.data_type());
        let elements = match column.as_fixed_size_list_opt() {
            Some(list) => list.values(),
            None => column,
        };
        let values =
            elements.as_primitive_opt::<Float64Type>().ok_or("a column does not hold numbers")?.values();
        if values.len() != batch.num_rows() * width {
            return Err("a column has the wrong length".to_owned());
        }
        Ok(values.clone())
    };
    batch.columns().iter().map(column_values).collect()
}
