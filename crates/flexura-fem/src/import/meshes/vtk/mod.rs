//! VTK's legacy files (`.vtk`), text or binary, versions 2.0 to 5.1, unstructured grids (VTK User's Guide, "VTK File
//! Formats"), as ParaView, PyVista, meshio and Gmsh write them. Those of XML (`.vtu`) are read in `xml.rs`.
//!
//! | section | what becomes of it |
//! |---|---|
//! | `POINTS`, `CELLS`, `CELL_TYPES` | nodes and elements, numbered from one |
//! | `CELL_DATA` | the groups: a whole number for each cell (`cells.rs` says which array) |
//! | `POINT_DATA`, other arrays, `METADATA` | read past |
//!
//! Without such an array all cells are one group, `all`.

mod cells;
mod cursor;
mod encoded;
mod xml;

use super::grouped::{Grouped, MeshGroups, Raw};
use crate::import::deck::Imported;
use crate::import::error::{ImportError, Place};
use crate::import::group::Group;
use crate::import::source::Source;
use crate::material::Material;
use cursor::{Cursor, Values};
use std::collections::BTreeSet;
use std::path::Path;

/// Reads a mesh file.
pub fn read_file(path: &Path, materials: Vec<Material>, groups: &[Group]) -> Result<Imported, ImportError> {
    read_bytes(&bytes_of(path)?, &path.display().to_string(), materials, groups)
}

/// The groups of a mesh file.
pub fn groups_of_file(path: &Path) -> Result<MeshGroups, ImportError> {
    let source = Source::from_text("", &path.display().to_string());
    Ok(collect(&bytes_of(path)?, &source, Vec::new())?.overview())
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, ImportError> {
    flexura::file::read_plain(path).map_err(|fault| {
        let help = "check the name of the file and the folder it is relative to";
        ImportError::of_file(&path.display().to_string(), fault.to_string(), help)
    })
}

/// Reads a mesh given as the bytes of a file.
pub fn read_bytes(
    bytes: &[u8],
    file: &str,
    materials: Vec<Material>,
    groups: &[Group],
) -> Result<Imported, ImportError> {
    let source = Source::from_text("", file);
    collect(bytes, &source, materials)?.finish(&source, groups)
}

fn collect(bytes: &[u8], source: &Source, materials: Vec<Material>) -> Result<Grouped, ImportError> {
    if xml::is_xml(bytes) {
        let place = Place { file: 0, line: 0, card: "Cells".into() };
        return mesh_of(xml::read(bytes, source)?, source, &place, materials);
    }
    let mut reader =
        Reader { source, cursor: Cursor::new(bytes), data: Data::default(), seen: BTreeSet::new() };
    reader.header()?;
    while let Some(word) = reader.cursor.word() {
        reader.section(&word)?;
    }
    let place = Place { file: 0, line: reader.cursor.line_number(), card: "CELL_TYPES".into() };
    mesh_of(reader.data, source, &place, materials)
}

/// An array of cells: its name, and a number for each where they are whole and one per cell.
struct CellArray {
    name: String,
    whole: Option<Vec<i64>>,
}

#[derive(Default)]
struct Data {
    points: Vec<[f64; 3]>,
    cells: Vec<Vec<u64>>,
    kinds: Vec<i64>,
    arrays: Vec<CellArray>,
    /// Parts of the grid that follow each other.
    pieces: usize,
    /// Rows of the arrays that are being read, and whether they are of cells.
    rows: usize,
    of_cells: bool,
}

struct Reader<'a> {
    source: &'a Source,
    cursor: Cursor<'a>,
    data: Data,
    /// Sections that may stand there once.
    seen: BTreeSet<String>,
}

impl Reader<'_> {
    fn error(&self, message: impl Into<String>, help: &str) -> ImportError {
        let place = Place { file: 0, line: self.cursor.line_number(), card: self.cursor.section.clone() };
        self.source.error(&place, message, help)
    }

    fn header(&mut self) -> Result<(), ImportError> {
        let first = self.cursor.line().unwrap_or_default();
        if !first.starts_with("# vtk DataFile Version") {
            let help = "a VTK legacy file begins with `# vtk DataFile Version`, one of XML with `<VTKFile`";
            return Err(self.error("this is no VTK legacy file", help));
        }
        self.cursor.line();
        let form = self.cursor.line().unwrap_or_default();
        match form.trim() {
            "ASCII" => Ok(()),
            "BINARY" => {
                self.cursor.binary = true;
                Ok(())
            }
            _ => Err(self.error("the third line is neither ASCII nor BINARY", "save the mesh again")),
        }
    }

    fn section(&mut self, word: &str) -> Result<(), ImportError> {
        word.clone_into(&mut self.cursor.section);
        match word {
            "DATASET" => match self.word()?.as_str() {
                "UNSTRUCTURED_GRID" => Ok(()),
                other => {
                    let message = format!("the data set is a {other}");
                    Err(self.error(message, "save an unstructured grid"))
                }
            },
            "POINTS" | "CELLS" | "CELL_TYPES" if !self.seen.insert(word.to_owned()) => {
                Err(self.error("the section is there twice", "save the mesh again"))
            }
            "POINTS" => self.points(),
            "CELLS" => self.cells(),
            "CELL_TYPES" => {
                let count = self.count()?;
                self.data.kinds = self.whole("int", count)?;
                Ok(())
            }
            "CELL_DATA" | "POINT_DATA" => {
                self.data.rows = self.count()?;
                self.data.of_cells = word == "CELL_DATA";
                Ok(())
            }
            "METADATA" => {
                // Up to the next empty line.
                self.cursor.line();
                while self.cursor.line().is_some_and(|line| !line.trim().is_empty()) {}
                Ok(())
            }
            _ => self.array(word),
        }
    }

    fn word(&mut self) -> Result<String, ImportError> {
        self.cursor.word().ok_or_else(|| self.error("the file ends too early", "save the mesh again"))
    }

    fn count(&mut self) -> Result<usize, ImportError> {
        let word = self.word()?;
        word.parse().map_err(|_| self.error(format!("`{word}` is no count"), "save the mesh again"))
    }

    fn values(&mut self, kind: &str, count: usize) -> Result<Values, ImportError> {
        match self.cursor.values(kind, count) {
            Some(values) => Ok(values),
            None => {
                let message = format!("{count} numbers of type {kind} are announced, and not there");
                Err(self.error(message, "save the mesh again"))
            }
        }
    }

    fn whole(&mut self, kind: &str, count: usize) -> Result<Vec<i64>, ImportError> {
        match self.values(kind, count)?.whole() {
            Some(values) => Ok(values),
            None => Err(self.error("whole numbers are wanted here", "save the mesh again")),
        }
    }

    fn points(&mut self) -> Result<(), ImportError> {
        let (count, kind) = (self.count()?, self.word()?);
        let Some(total) = count.checked_mul(3) else {
            return Err(self.error(format!("{count} points are too many"), "save the mesh again"));
        };
        let values = self.values(&kind, total)?.real();
        if values.iter().any(|value| !value.is_finite()) {
            return Err(self.error("a coordinate is not a finite number", "save the mesh again"));
        }
        self.data.points = values.chunks_exact(3).map(|point| [point[0], point[1], point[2]]).collect();
        Ok(())
    }

    /// Before version 5 each cell tells its number of nodes; since then there are offsets and nodes.
    fn cells(&mut self) -> Result<(), ImportError> {
        let (first, second) = (self.count()?, self.count()?);
        let mut lists = Vec::new();
        if self.cursor.next_is("OFFSETS") {
            self.word()?;
            self.cursor.section.push_str(" OFFSETS");
            let kind = self.word()?;
            let offsets = self.whole(&kind, first)?;
            if self.word()? != "CONNECTIVITY" {
                return Err(self.error("CONNECTIVITY must follow OFFSETS", "save the mesh again"));
            }
            let kind = self.word()?;
            let nodes = self.whole(&kind, second)?;
            for pair in offsets.windows(2) {
                let range = usize::try_from(pair[0]).ok().zip(usize::try_from(pair[1]).ok());
                let list = range.and_then(|(start, end)| nodes.get(start..end)).map(<[i64]>::to_vec);
                let missing = list.is_none();
                lists.push(list);
                // Offsets that go back would name the same nodes again and again.
                if missing {
                    break;
                }
            }
        } else {
            let numbers = self.whole("int", second)?;
            let mut rest = numbers.as_slice();
            while let Some((length, behind)) = rest.split_first() {
                let list = usize::try_from(*length).ok().and_then(|length| behind.get(..length));
                lists.push(list.map(<[i64]>::to_vec));
                rest = list.map_or(&[], |list| &behind[list.len()..]);
            }
        }
        let points = self.data.points.len() as u64;
        for list in lists {
            let nodes: Option<Vec<u64>> = list.and_then(|list| {
                list.iter().map(|node| u64::try_from(*node).ok().filter(|node| *node < points)).collect()
            });
            let Some(nodes) = nodes else {
                let message = format!("cell {} names points that do not exist", self.data.cells.len());
                return Err(self.error(message, "save the mesh again"));
            };
            self.data.cells.push(nodes);
        }
        Ok(())
    }

    /// Arrays of points and cells; of cells the whole ones are kept.
    fn array(&mut self, word: &str) -> Result<(), ImportError> {
        let rows = self.data.rows;
        match word {
            "SCALARS" => {
                let (name, kind) = (self.word()?, self.word()?);
                let components = match self.cursor.next_is("LOOKUP_TABLE") {
                    true => 1,
                    false => self.count()?,
                };
                if self.cursor.next_is("LOOKUP_TABLE") {
                    self.word()?;
                    self.word()?;
                }
                self.keep(name, &kind, components, rows)
            }
            "FIELD" => {
                let (_, count) = (self.word()?, self.count()?);
                for _ in 0..count {
                    let (name, components, tuples) = (self.word()?, self.count()?, self.count()?);
                    let kind = self.word()?;
                    self.keep(name, &kind, components, tuples)?;
                    if self.cursor.next_is("METADATA") {
                        self.word()?;
                        self.section("METADATA")?;
                    }
                }
                Ok(())
            }
            "VECTORS" | "NORMALS" | "TENSORS" => {
                let (name, kind) = (self.word()?, self.word()?);
                self.keep(name, &kind, if word == "TENSORS" { 9 } else { 3 }, rows)
            }
            "LOOKUP_TABLE" => {
                let (_, size) = (self.word()?, self.count()?);
                let kind = if self.cursor.binary { "unsigned_char" } else { "float" };
                self.values(kind, size.saturating_mul(4)).map(|_| ())
            }
            "COLOR_SCALARS" => {
                let (_, components) = (self.word()?, self.count()?);
                let kind = if self.cursor.binary { "unsigned_char" } else { "float" };
                self.values(kind, rows.saturating_mul(components)).map(|_| ())
            }
            "TEXTURE_COORDINATES" => {
                let (name, components, kind) = (self.word()?, self.count()?, self.word()?);
                self.keep(name, &kind, components, rows)
            }
            _ => Err(self.error("this section is not known", "save points, cells and their arrays only")),
        }
    }

    fn keep(&mut self, name: String, kind: &str, components: usize, rows: usize) -> Result<(), ImportError> {
        if kind == "string" {
            return Err(self.error(format!("the array `{name}` has texts"), "save the mesh without it"));
        }
        let values = self.values(kind, components.saturating_mul(rows))?;
        if self.data.of_cells {
            let whole = values.whole().filter(|values| components == 1 && values.len() == rows);
            self.data.arrays.push(CellArray { name, whole });
        }
        Ok(())
    }
}

/// Elements in groups, from points and cells; faults of the whole are told at a place.
fn mesh_of(
    mut data: Data,
    source: &Source,
    place: &Place,
    materials: Vec<Material>,
) -> Result<Grouped, ImportError> {
    if data.kinds.len() != data.cells.len() {
        let message = format!("{} types for {} cells", data.kinds.len(), data.cells.len());
        return Err(source.error(place, message, "save the mesh again"));
    }
    if let Some(ghosts) = data.arrays.iter().position(|array| array.name == "vtkGhostType") {
        let marks = data.arrays.remove(ghosts).whole;
        if marks.is_none_or(|marks| marks.iter().any(|mark| *mark != 0)) {
            let message =
                "cells are marked as ghosts of other pieces (array `vtkGhostType`): they would count twice";
            return Err(source.error(place, message, "save the mesh without ghost cells"));
        }
    }
    let mut mesh = Grouped::new("group", materials);
    if data.pieces > 1 {
        let pieces = data.pieces;
        mesh.deck.notices.push(format!("{pieces} pieces: points that two of them share are there twice, and nothing holds the pieces together"));
    }
    let groups = match cells::groups(&data.arrays, data.cells.len(), &mut mesh.deck.notices) {
        Ok(groups) => groups,
        Err(message) => {
            return Err(source.error(
                place,
                message,
                "name one of them `group`, or save the mesh with one alone",
            ));
        }
    };
    mesh.deck.nodes = (1..).zip(data.points.iter().copied()).collect();
    for (index, (nodes, kind)) in data.cells.iter().zip(&data.kinds).enumerate() {
        let cell = cells::shaped(*kind, nodes, &data.points);
        let place = Place { file: 0, line: 0, card: format!("cell {index}") };
        let cell = cell.map_err(|message| {
            source.error(
                &place,
                message,
                "read are lines, triangles, quadrilaterals, tetrahedra, wedges and hexahedra of order \
                    1 and 2, pyramids of order 1, pixels and voxels",
            )
        });
        let Some((shape, nodes)) = mesh.blockers.catch(cell) else { continue };
        let nodes = nodes.iter().map(|node| node + 1).collect();
        let number = index as u64 + 1;
        let groups = vec![groups(index)];
        mesh.elements.push(Raw { place, number, shape, nodes, groups, implied: None });
    }
    Ok(mesh)
}
