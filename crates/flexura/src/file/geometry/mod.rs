//! Geometry files of `[[picture]]`: STL, OBJ and glTF become triangles when the model is read.
//!
//! Nothing else of the program opens these files: the triangles go with the description, from there into result files.
//! A model may come from somebody else, and results are handed on; so a file must lie in the folder of the model (or of
//! the used file that names it) or below, links followed, and is looked at before it is read: kind, size, place.

mod gltf;
mod obj;
mod stl;
mod surface;

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::surface::Surface;
use super::span::SpanTable;
use crate::diagnostic::Diagnostic;
use crate::model::description::{Description, GeometryDescription, GeometryFile, SurfaceMesh};
use crate::model::item::Item;

/// Largest file that is read (bytes).
const LARGEST_FILE: u64 = 128 << 20;
/// Most triangles of all geometry files of a model.
const MOST_IN_ALL: usize = 1_000_000;

/// Why a file gives no picture, and what to do about it.
#[derive(Debug, PartialEq)]
struct Fault {
    message: String,
    help: String,
}

impl Fault {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }

    /// A file whose contents are not what its ending says.
    fn broken(message: impl Into<String>) -> Self {
        Self::new(message, "write the file anew, for example as binary STL, with the program it comes from")
    }
}

/// Replaces every geometry file that pictures name by its triangles.
pub(super) fn resolve(description: &mut Description, model_file: &str, spans: &SpanTable) -> Vec<Diagnostic> {
    let folder_of = |file: &str| Path::new(file).parent().map(Path::to_path_buf).unwrap_or_default();
    let folder = folder_of(model_file);
    let allowed: Vec<PathBuf> =
        std::iter::once(folder.clone()).chain(spans.used_files().map(|(name, _)| folder_of(name))).collect();
    let mut known: HashMap<(PathBuf, [u64; 3]), Arc<SurfaceMesh>> = HashMap::new();
    let (mut triangles, mut findings) = (0, Vec::new());
    for (index, picture) in description.pictures.iter_mut().enumerate() {
        let GeometryDescription::File(given) = &picture.geometry else { continue };
        // Validation refuses it by name.
        if given.scale.iter().any(|factor| !factor.is_finite() || *factor == 0.0) {
            continue;
        }
        let key = (folder.join(&given.file), given.scale.map(f64::to_bits));
        let found = match known.get(&key) {
            Some(mesh) => Ok(mesh.clone()),
            None => read(&key.0, &allowed, given).and_then(|mesh| {
                triangles += mesh.triangles.len();
                if triangles > MOST_IN_ALL {
                    return Err(Fault::new(
                        format!("the geometry files of this model have more than {MOST_IN_ALL} triangles"),
                        "write coarser ones: pictures need no tolerances",
                    ));
                }
                Ok(Arc::new(mesh))
            }),
        };
        match found {
            Ok(mesh) => {
                known.insert(key, mesh.clone());
                picture.geometry = GeometryDescription::Mesh(mesh);
            }
            Err(Fault { message, help }) => {
                let item = Item::named("picture", &picture.body, index).to_string();
                let message = format!("geometry file `{}`: {message}", given.file);
                let place = format!("picture[{index}].file");
                findings.push(Diagnostic::error("geometry-file", place, item, message, help));
            }
        }
    }
    findings
}

/// The triangles of a file, in metres.
fn read(path: &Path, allowed: &[PathBuf], given: &GeometryFile) -> Result<SurfaceMesh, Fault> {
    let bytes = contents(path, allowed)?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let mut surface = Surface::default();
    match ending.as_deref() {
        Some("stl") => stl::read(&bytes, &mut surface)?,
        Some("obj") => obj::read(&bytes, &mut surface)?,
        Some("gltf" | "glb") => {
            let beside = |name: &str| contents(&path.with_file_name("").join(name), allowed);
            gltf::read(&bytes, &beside, &mut surface)?;
        }
        _ => {
            return Err(Fault::new(
                "its ending names no format that is read",
                "write it as .stl, .obj, .gltf or .glb",
            ));
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    surface.scaled(&given.scale, name)
}

/// The bytes of a plain file of a bearable size inside one of the allowed folders.
fn contents(path: &Path, allowed: &[PathBuf]) -> Result<Vec<u8>, Fault> {
    let unread = |error: std::io::Error| {
        let help = "check the name; it is relative to the folder of the model file";
        Fault::new(format!("cannot be read: {error}"), help)
    };
    let path = path.canonicalize().map_err(unread)?;
    let inside = |folder: &PathBuf| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder.as_path() };
        folder.canonicalize().is_ok_and(|folder| path.starts_with(folder))
    };
    if !allowed.iter().any(inside) {
        return Err(Fault::new(
            "lies outside the folder of the model",
            "copy it into the folder of the model file or below: a model may come from others, and what it names goes into results",
        ));
    }
    // Looked at before it is opened: opening a pipe waits for a writer, and a large file is not read at all.
    let known = fs::metadata(&path).map_err(unread)?;
    if !known.is_file() {
        return Err(Fault::new("is no plain file", "name a file of triangles"));
    }
    let too_large = |size: u64| {
        let (size, most) = (size >> 20, LARGEST_FILE >> 20);
        Fault::new(
            format!("is too large ({size} MiB; at most {most} MiB are read)"),
            "write a coarser one: pictures need no tolerances",
        )
    };
    if known.len() > LARGEST_FILE {
        return Err(too_large(known.len()));
    }
    let mut bytes = Vec::with_capacity(known.len() as usize);
    fs::File::open(&path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(unread)?;
    if bytes.len() as u64 > LARGEST_FILE { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}
