//! Deformed meshes with stresses for ParaView: one VTU file per instant and body group, and a PVD file with their times.
//!
//! Format: VTK file formats, XML unstructured grids, inline binary data with a 32-bit length in front of every array.

use super::geometry::{Cell, Instant};
use super::moving::{Moving, moving_bodies};
use crate::Outcome;
use crate::failure::Failure;
use crate::whole_file::{self, unwritten};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flexura_results::ResultFile;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How to export.
pub struct Options {
    /// Rows from one file to the next.
    pub every: usize,
    /// Factor of the deformation.
    pub scale: f64,
}

/// Writes `pvd` and, in a folder of its name beside it, a VTU file for every instant; returns how many. Files of an earlier
/// export are replaced when all new ones are written.
pub fn export(result: &ResultFile, pvd: &Path, options: &Options) -> Result<usize, Failure> {
    let (bodies, _) = moving_bodies(result)?;
    let folder = pvd.with_extension("");
    let fresh = pvd.with_extension("new");
    let rows: Vec<usize> = (0..result.rows()).step_by(options.every.max(1)).collect();
    let written = write_grids(&bodies, &rows, &fresh, options).and_then(|()| take_over(&fresh, &folder));
    let _ = std::fs::remove_dir_all(&fresh);
    written?;
    let name = PathBuf::from(folder.file_name().unwrap_or_default());
    let mut list = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for (number, &row) in rows.iter().enumerate() {
        let shown = name.join(file_name(number)).display().to_string();
        let _ =
            writeln!(list, "<DataSet timestep=\"{:?}\" file=\"{}\"/>", result.time()[row], escaped(&shown));
    }
    list.push_str("</Collection>\n</VTKFile>\n");
    whole_file::write(pvd, list)?;
    remove_later(&folder, rows.len());
    Ok(rows.len())
}

/// Removes meshes that an earlier, longer export left behind: ParaView would take them for a part of this series.
fn remove_later(folder: &Path, first: usize) {
    let mut left = (first..).map(|number| folder.join(file_name(number)));
    while left.next().is_some_and(|path| std::fs::remove_file(path).is_ok()) {}
}

fn file_name(number: usize) -> String {
    format!("{number:05}.vtu")
}

fn write_grids(bodies: &[Moving], rows: &[usize], folder: &Path, options: &Options) -> Outcome {
    std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    for (number, &row) in rows.iter().enumerate() {
        let path = folder.join(file_name(number));
        std::fs::write(&path, grid(bodies, row, options.scale)).map_err(|error| unwritten(&path, &error))?;
    }
    Ok(())
}

/// Moves all files of one folder into another.
fn take_over(from: &Path, to: &Path) -> Outcome {
    let moved = std::fs::create_dir_all(to).and_then(|()| {
        std::fs::read_dir(from)?.try_for_each(|entry| {
            let entry = entry?;
            std::fs::rename(entry.path(), to.join(entry.file_name()))
        })
    });
    moved.map_err(|error| unwritten(to, &error))
}

/// The text of one VTU file.
fn grid(bodies: &[Moving], row: usize, scale: f64) -> String {
    let mut all = Instant::default();
    let (mut connectivity, mut offsets, mut kinds, mut owners) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (k, body) in bodies.iter().enumerate() {
        let eta: Vec<f64> = body.eta.iter().map(|values| values[row]).collect();
        let position = std::array::from_fn(|i| body.position[i][row]);
        let quaternion = std::array::from_fn(|i| body.quaternion[i][row]);
        let mut now = body.mesh.at(position, quaternion, &eta, scale);
        now.stresses.resize(now.points.len(), body.mesh.unrecorded());
        now.strains.resize(now.points.len(), body.mesh.unrecorded());
        let start = all.points.len();
        for (kind, cell) in &body.mesh.cells {
            connectivity.extend(cell.iter().map(|point| (point + start) as i64));
            offsets.push(connectivity.len() as i64);
            kinds.push(*kind);
            owners.push(k as i32);
        }
        all.points.append(&mut now.points);
        all.deflections.append(&mut now.deflections);
        all.stresses.append(&mut now.stresses);
        all.strains.append(&mut now.strains);
    }
    // What no body knows is left out.
    if !bodies.iter().any(|body| body.mesh.has_stress()) {
        all.stresses.clear();
    }
    if !bodies.iter().any(|body| body.mesh.has_strain()) {
        all.strains.clear();
    }
    text(&all, &connectivity, &offsets, &kinds, &owners)
}

fn text(all: &Instant, connectivity: &[i64], offsets: &[i64], kinds: &[Cell], owners: &[i32]) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt32\">\n<UnstructuredGrid>\n",
    );
    let _ =
        writeln!(out, "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", all.points.len(), offsets.len());
    let flat = |vectors: &[[f64; 3]]| bytes(vectors.iter().flatten().map(|value| value.to_le_bytes()));
    out.push_str("<PointData>\n");
    array(&mut out, "Float64", "deflection", 3, &flat(&all.deflections));
    for (name, values) in [("von_mises", &all.stresses), ("principal_strain", &all.strains)] {
        if !values.is_empty() {
            array(&mut out, "Float64", name, 1, &bytes(values.iter().map(|value| value.to_le_bytes())));
        }
    }
    out.push_str("</PointData>\n<CellData>\n");
    array(&mut out, "Int32", "body", 1, &bytes(owners.iter().map(|value| value.to_le_bytes())));
    out.push_str("</CellData>\n<Points>\n");
    array(&mut out, "Float64", "Points", 3, &flat(&all.points));
    out.push_str("</Points>\n<Cells>\n");
    let integers = |values: &[i64]| bytes(values.iter().map(|value| value.to_le_bytes()));
    array(&mut out, "Int64", "connectivity", 1, &integers(connectivity));
    array(&mut out, "Int64", "offsets", 1, &integers(offsets));
    array(&mut out, "UInt8", "types", 1, &bytes(kinds.iter().map(|&kind| [kind as u8])));
    out.push_str("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    out
}

/// Bytes of numbers.
pub fn bytes<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    values.flatten().collect()
}

/// An array of a VTK file, inline and binary.
pub fn array(out: &mut String, kind: &str, name: &str, components: usize, bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes();
    let data = STANDARD.encode([&length[..], bytes].concat());
    let _ = writeln!(
        out,
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">{data}</DataArray>"
    );
}

fn escaped(text: &str) -> String {
    let text = text.replace(char::is_control, "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
