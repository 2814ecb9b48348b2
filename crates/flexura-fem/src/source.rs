//! Bodies for models that name parts or reduced-body files, with a cache.
//!
//! The cache holds reduced bodies in files named by a SHA-256 digest of everything
//! they depend on: the part file, the mesh file with its includes, and the program
//! itself (version, size and time of the executable). Entries are written to a new file
//! and renamed, so that concurrent writers and interrupted ones never leave half an
//! entry under its name; an entry that does not read back whole is made anew.

use crate::import::{Source, abaqus, nastran};
use crate::part::description::MeshFormat;
use crate::part::{Part, PartError, Stage, format_of, read};
use crate::reduced::{self, ENDING, ReducedBody, VERSION};
use crate::sid;
use flexura::control::{Callback, ExternalLaw};
use flexura::diagnostic::Diagnostic;
use flexura::file::{BodySource, NoSource, SourceError, SourcedBody};
use flexura::model::Compliance;
use flexura::model::description::ControllerDescription;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Environment variable that names the cache folder.
pub const CACHE_VARIABLE: &str = "FLEXURA_CACHE";

/// Hears what is done for which part.
pub type Progress = Box<dyn FnMut(&Path, Stage)>;

/// Opens control laws of other programs.
pub type OpenLaw = fn(&Path, &ExternalLaw, &ControllerDescription) -> Result<(Callback, usize), SourceError>;

/// Makes bodies of part files, reduced-body files and SID files.
#[derive(Default)]
pub struct PartSource {
    cache: Option<PathBuf>,
    progress: RefCell<Option<Progress>>,
    laws: Option<OpenLaw>,
    /// Flexibility of the part that was asked for last.
    last: RefCell<Option<(PathBuf, Compliance)>>,
}

impl PartSource {
    /// A source that keeps what it reduces in the user's cache folder.
    pub fn cached() -> Self {
        Self { cache: cache_folder(), ..Self::default() }
    }

    /// A source that keeps what it reduces in a folder.
    pub fn cached_in(folder: impl Into<PathBuf>) -> Self {
        Self { cache: Some(folder.into()), ..Self::default() }
    }

    /// Calls `progress` while a part is reduced.
    pub fn with_progress(self, progress: impl FnMut(&Path, Stage) + 'static) -> Self {
        Self { progress: RefCell::new(Some(Box::new(progress))), ..self }
    }

    /// Opens control laws that are files of other programs by `open`; without, models with such laws are refused.
    pub fn with_laws(self, open: OpenLaw) -> Self {
        Self { laws: Some(open), ..self }
    }

    /// The reduced body of a part file or of a reduced-body file.
    pub fn reduced(&self, path: &Path) -> Result<ReducedBody, SourceError> {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING)) {
            return reduced::read(path).map_err(|fault| SourceError {
                message: format!("{}: {fault}", path.display()),
                help: "a file ending in .fxb must be one that `flexura reduce` wrote".into(),
            });
        }
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(sid::ENDING)) {
            return self.standard_input(path);
        }
        let entry = self.entry(path);
        if let Some(body) = entry.as_ref().and_then(|entry| reduced::read(entry).ok()) {
            return Ok(body);
        }
        let body = self.reduce(path).map_err(|fault| SourceError {
            message: format!("the part cannot be used:\n{}", without_lines(&fault)),
            help: "correct the part; `flexura reduce` shows it by itself".into(),
        })?;
        if let Some(entry) = entry {
            // A cache that cannot be written is no reason to refuse the model.
            let _ = entry.parent().map(std::fs::create_dir_all);
            let _ = reduced::write(&body, &entry);
        }
        Ok(body)
    }

    /// The body of a SID file.
    fn standard_input(&self, path: &Path) -> Result<ReducedBody, SourceError> {
        let refuse = |message: String| SourceError {
            message,
            help: "a file ending in .SID_FEM must be Standard Input Data (book/src/exchange/sid.md)".into(),
        };
        let file = sid::read(path).map_err(|fault| refuse(fault.to_string()))?;
        let body = sid::SidBody::new(&file).map_err(|why| refuse(format!("{}: {why}", path.display())))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(body.reduced(name))
    }

    fn reduce(&self, path: &Path) -> Result<ReducedBody, PartError> {
        let mut progress = |stage: Stage| {
            if let Some(progress) = self.progress.borrow_mut().as_mut() {
                progress(path, stage);
            }
        };
        Part::load(path)?.reduce(&mut progress)
    }

    /// Where the cache keeps the body of a part; `None` without a cache, or where the part
    /// cannot be read, which the reduction then explains.
    fn entry(&self, path: &Path) -> Option<PathBuf> {
        let folder = self.cache.as_ref()?;
        Some(folder.join(format!("{}.{ENDING}", digest_of(path)?)))
    }
}

/// What is wrong with a part. A file that does not look like one is told without its lines: the model may have named a file
/// whose content is none of its writer's business.
fn without_lines(fault: &PartError) -> String {
    match fault {
        PartError::File(errors)
            if errors.diagnostics.iter().any(|found| matches!(found.code, "syntax" | "unknown-key")) =>
        {
            let (file, spans) = (errors.spans.file_name(), &errors.spans);
            let one = |found: &Diagnostic| {
                let place = spans.locate(&found.path).map(|span| spans.line_column(span.start));
                let place = place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
                format!("{file}{place}: {}: {} (help: {})", found.item, found.message, found.help)
            };
            errors.diagnostics.iter().map(one).collect::<Vec<_>>().join("\n")
        }
        _ => fault.to_string(),
    }
}

impl BodySource for PartSource {
    fn law(
        &self,
        path: &Path,
        law: &ExternalLaw,
        controller: &ControllerDescription,
    ) -> Result<(Callback, usize), SourceError> {
        match self.laws {
            Some(open) => open(path, law, controller),
            None => NoSource.law(path, law, controller),
        }
    }

    fn body(&self, path: &Path) -> Result<SourcedBody, SourceError> {
        let body = self.reduced(path)?;
        let recovery = reduced::recovery(&body).map(Arc::new);
        *self.last.borrow_mut() = body.compliance.map(|compliance| (path.to_path_buf(), compliance));
        Ok(SourcedBody {
            skin: body.picture.skin(&body.stress),
            recovery,
            mass: body.nodal.as_ref().map(|rows| Arc::new(rows.nodal_mass())),
            modal: body.modal,
            notices: body.notices,
        })
    }

    fn compliance(&self, path: &Path) -> Option<Compliance> {
        self.last.borrow().as_ref().filter(|(known, _)| known == path).map(|(_, found)| found.clone())
    }
}

/// The user's cache folder: `FLEXURA_CACHE`, or `flexura` in the system's folder for caches.
pub fn cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable(CACHE_VARIABLE)
        .or_else(|| variable("XDG_CACHE_HOME").map(|folder| folder.join("flexura")))
        .or_else(|| variable("HOME").map(|folder| folder.join(".cache/flexura")))
        .or_else(|| variable("LOCALAPPDATA").map(|folder| folder.join("flexura/cache")))
}

/// Digest of everything the body of a part depends on.
pub fn digest_of(path: &Path) -> Option<String> {
    let text = flexura::file::read_plain_text(path).ok()?;
    let mut hash = Sha256::new();
    let mut add = |piece: &[u8]| {
        hash.update((piece.len() as u64).to_le_bytes());
        hash.update(piece);
    };
    add(format!("flexura-fem {} format {VERSION} {}", env!("CARGO_PKG_VERSION"), program()).as_bytes());
    // The name of the file may become the name of the part.
    add(path.file_name()?.to_string_lossy().as_bytes());
    add(text.as_bytes());
    let (description, _) = read(&text, &path.display().to_string()).ok()?;
    if let Some(mesh) = description.mesh {
        let file = path.parent().unwrap_or(Path::new("")).join(&mesh.file);
        let source = match mesh.format.or_else(|| format_of(&mesh.file))? {
            MeshFormat::Abaqus => Some(Source::read(&file, abaqus::include)),
            MeshFormat::Nastran => Some(Source::read(&file, nastran::include)),
            // Files that include no others; they may be binary.
            MeshFormat::Gmsh | MeshFormat::Universal | MeshFormat::Vtk => None,
        };
        match source {
            Some(source) => source.ok()?.lines.iter().for_each(|line| add(line.text.as_bytes())),
            None => add(&flexura::file::read_plain(&file).ok()?),
        }
    }
    for file in description.matrices.iter().flat_map(|matrices| crate::part::matrices::files(matrices, path))
    {
        add(&flexura::file::read_plain(&file).ok()?);
    }
    Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The file that holds this code, where it is not the running program.
static HOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Says that this code is a library at `path` (a Python extension): its build, not that of the running
/// program, decides whether entries of the cache are still good. Said once, before parts are reduced.
pub fn held_by(path: PathBuf) {
    let _ = HOLDER.set(path);
}

/// The library that holds this code, where that has been said by [`held_by`].
pub fn holder() -> Option<PathBuf> {
    HOLDER.get().cloned()
}

/// What tells one build of the program from another.
fn program() -> String {
    let file = HOLDER.get().cloned().map_or_else(std::env::current_exe, Ok);
    let metadata = file.and_then(std::fs::metadata);
    let time = |metadata: &std::fs::Metadata| {
        metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok().map(|age| age.as_nanos())
    };
    metadata.map_or(String::new(), |metadata| format!("{} {:?}", metadata.len(), time(&metadata)))
}
