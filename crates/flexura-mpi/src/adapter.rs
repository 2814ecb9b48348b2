//! Adapters: libraries of some kilobytes between this program and the MPI of the machine. How they are compiled, where they
//! are, and which of them belongs to the launcher at work.

use crate::calls::{Calls, INTERFACE};
use crate::launcher::{Family, families, is_set};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The C side, as compiled by `mpicc`.
pub const SOURCE: &str = include_str!("calls.c");

/// Variable that names the adapter to take, whatever the launcher.
const CHOSEN: &str = "FLEXURA_MPI";

/// A compiled adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// Where it is.
    pub path: PathBuf,
    /// Whose launchers it belongs to; nothing where the user has named the file.
    pub family: Option<Family>,
}

/// No adapter for the launcher at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingAdapter {
    /// Families that would do.
    pub families: Vec<Family>,
    /// Where it was looked for.
    pub folders: Vec<PathBuf>,
}

impl fmt::Display for MissingAdapter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.families[..] {
            [Family::OpenMpi, Family::Other] => "Open MPI",
            [Family::Mpich, Family::Other] => "MPICH",
            _ => "the MPI of the launcher",
        };
        let folders: Vec<String> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        write!(
            out,
            "there is no adapter for {name}: build it once with `flexura mpi --build` (`--mpicc PATH` for a compiler that is \
             not on the path), or name one with {CHOSEN}; looked in {}",
            folders.join(" and ")
        )
    }
}

/// Name of the file of an adapter.
fn name_of(family: Family) -> String {
    format!("flexura-mpi{INTERFACE}-{}{}", family.word(), std::env::consts::DLL_SUFFIX)
}

/// Folders in which adapters are looked for: that of the program, then `cache`.
fn folders(cache: Option<&Path>) -> Vec<PathBuf> {
    let own = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.to_path_buf()));
    own.into_iter().chain(cache.map(Path::to_path_buf)).collect()
}

/// All adapters that are there.
pub fn adapters(cache: Option<&Path>) -> Vec<Adapter> {
    let named = std::env::var_os(CHOSEN).filter(|path| !path.is_empty()).map(PathBuf::from);
    let named = named.map(|path| Adapter { path, family: None });
    let places = folders(cache);
    let in_folder = |folder: &PathBuf| Family::ALL.map(|family| (folder.join(name_of(family)), family));
    let found = places.iter().flat_map(in_folder).filter(|(path, _)| path.is_file());
    named.into_iter().chain(found.map(|(path, family)| Adapter { path, family: Some(family) })).collect()
}

/// The adapter for the launcher that has started this process; `cache` is the folder of the user.
pub fn choose(cache: Option<&Path>) -> Result<Adapter, MissingAdapter> {
    let list = adapters(cache);
    if let Some(named) = list.iter().find(|adapter| adapter.family.is_none()) {
        return Ok(named.clone());
    }
    let families = families(is_set);
    let found =
        families.iter().find_map(|&family| list.iter().find(|adapter| adapter.family == Some(family)));
    found.cloned().ok_or_else(|| MissingAdapter { families, folders: folders(cache) })
}

/// Compiles an adapter with `compiler`, an `mpicc`, into `folder`; returns it and what its library calls itself.
pub fn build(compiler: &Path, folder: &Path) -> Result<(Adapter, String), String> {
    let fault = |what: &Path, error: std::io::Error| format!("cannot write {}: {error}", what.display());
    std::fs::create_dir_all(folder).map_err(|error| fault(folder, error))?;
    let process = std::process::id();
    let source = folder.join(format!("flexura-mpi-{process}.c"));
    let raw = folder.join(format!("flexura-mpi-{process}{}", std::env::consts::DLL_SUFFIX));
    std::fs::write(&source, SOURCE).map_err(|error| fault(&source, error))?;
    let compiled = compile(compiler, &source, &raw);
    let _ = std::fs::remove_file(&source);
    compiled?;
    let named = name_it(&raw, folder);
    if named.is_err() {
        let _ = std::fs::remove_file(&raw);
    }
    named
}

fn compile(compiler: &Path, source: &Path, out: &Path) -> Result<(), String> {
    let shown = compiler.display();
    let arguments = [&["-shared", "-fPIC", "-O2", "-o"].map(Path::new)[..], &[out, source]].concat();
    let output = Command::new(compiler).args(arguments).output().map_err(|error| {
        format!(
            "cannot start {shown}: {error}\n  = help: install MPICH or Open MPI with its compiler (Debian packages: libmpich-dev or \
             libopenmpi-dev; Python packages: mpich or openmpi), load its module, or name it with --mpicc PATH"
        )
    })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{shown} does not compile the adapter: is it an mpicc?\n{}",
            String::from_utf8_lossy(&output.stderr).trim_end()
        )),
    }
}

/// Loads a new adapter, which says what it is, and gives it its name.
fn name_it(raw: &Path, folder: &Path) -> Result<(Adapter, String), String> {
    let calls = Calls::load(raw)?;
    let family = Family::of(&calls.family()).unwrap_or(Family::Other);
    let path = folder.join(name_of(family));
    std::fs::rename(raw, &path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok((Adapter { path, family: Some(family) }, calls.library()))
}
