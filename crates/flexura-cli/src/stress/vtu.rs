//! Undeformed bodies with values at their nodes, for ParaView: one VTU file.

use crate::Outcome;
use crate::export::vtk::{array, bytes};
use crate::whole_file;
use flexura::model::recovery::Recovery;
use std::fmt::Write;
use std::path::Path;

/// A body with named values at its nodes; what is not a number is not known there.
pub struct Field {
    points: Vec<[f64; 3]>,
    lines: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
    values: Vec<(String, Vec<f64>)>,
    numbers: Vec<u64>,
}

impl Field {
    /// Values at the nodes of a body.
    pub fn new(rows: &Recovery, values: Vec<(String, Vec<f64>)>) -> Self {
        Self {
            points: rows.positions.clone(),
            lines: rows.lines.clone(),
            triangles: rows.triangles.clone(),
            values,
            numbers: rows.numbers.clone(),
        }
    }
}

/// Writes the bodies, each in its own frame, into one file; all have the same names of values.
pub fn write(path: &Path, fields: &[Field]) -> Outcome {
    whole_file::write(path, text(fields))
}

fn text(fields: &[Field]) -> String {
    let (mut connectivity, mut offsets, mut kinds, mut owners) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut start = 0;
    for (owner, field) in fields.iter().enumerate() {
        let lines = field.lines.iter().map(|line| (3_u8, line.as_slice()));
        let triangles = field.triangles.iter().map(|triangle| (5_u8, triangle.as_slice()));
        for (kind, nodes) in lines.chain(triangles) {
            connectivity.extend(nodes.iter().map(|node| i64::from(*node) + start));
            offsets.push(connectivity.len() as i64);
            kinds.push(kind);
            owners.push(owner as i32);
        }
        start += field.points.len() as i64;
    }
    let mut out = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt32\">\n<UnstructuredGrid>\n",
    );
    let _ =
        writeln!(out, "<Piece NumberOfPoints=\"{start}\" NumberOfCells=\"{}\">\n<PointData>", offsets.len());
    let reals = |values: &mut dyn Iterator<Item = f64>| bytes(values.map(f64::to_le_bytes));
    for (index, (name, _)) in
        fields.first().map_or(&[][..], |field| field.values.as_slice()).iter().enumerate()
    {
        let mut values = fields.iter().flat_map(|field| field.values[index].1.iter().copied());
        array(&mut out, "Float64", name, 1, &reals(&mut values));
    }
    let numbers = fields.iter().flat_map(|field| field.numbers.iter().map(|number| *number as i64));
    array(&mut out, "Int64", "node", 1, &bytes(numbers.map(i64::to_le_bytes)));
    out.push_str("</PointData>\n<CellData>\n");
    array(&mut out, "Int32", "body", 1, &bytes(owners.into_iter().map(i32::to_le_bytes)));
    out.push_str("</CellData>\n<Points>\n");
    let mut points = fields.iter().flat_map(|field| field.points.as_flattened().iter().copied());
    array(&mut out, "Float64", "Points", 3, &reals(&mut points));
    out.push_str("</Points>\n<Cells>\n");
    array(&mut out, "Int64", "connectivity", 1, &bytes(connectivity.into_iter().map(i64::to_le_bytes)));
    array(&mut out, "Int64", "offsets", 1, &bytes(offsets.into_iter().map(i64::to_le_bytes)));
    array(&mut out, "UInt8", "types", 1, &kinds);
    out.push_str("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    out
}
