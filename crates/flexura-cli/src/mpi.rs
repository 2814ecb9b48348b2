//! `flexura mpi`: adapters to the MPI libraries of the machine; and the processes that a launcher has started.

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use flexura::ranks::{RankLost, Ranks};
use flexura_mpi::{Adapter, Mpi};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// List or build the adapters by which ranks of MPI run models: some kilobytes of C for each MPI library.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura mpi --build                                      once, with the mpicc on the path
  flexura mpi --build --mpicc /opt/mpich/bin/mpicc
  flexura mpi --build --output ~/bin                       beside the program instead of the cache folder
  flexura mpi                                              which are there
  mpirun -n 4 flexura run models/chain_of_many.toml
Under a launcher the adapter of its MPI library is loaded; FLEXURA_MPI=FILE names another.")]
pub struct Arguments {
    /// Compile the adapter of an MPI library
    #[arg(long)]
    build: bool,
    /// Compiler of the MPI library
    #[arg(long, value_name = "PATH", default_value = "mpicc", requires = "build")]
    mpicc: PathBuf,
    /// Folder for the adapter; default: `mpi` in the cache folder of the user
    #[arg(short, long, value_name = "FOLDER", requires = "build")]
    output: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// The folder of the user for adapters.
fn cache() -> Option<PathBuf> {
    flexura_fem::source::cache_folder().map(|folder| folder.join("mpi"))
}

/// Runs the sub-command.
pub fn run(arguments: &Arguments) -> Outcome {
    match arguments.build {
        true => build(arguments),
        false => list(arguments),
    }
}

fn build(arguments: &Arguments) -> Outcome {
    let folder = arguments.output.clone().or_else(cache);
    let folder = folder.ok_or_else(|| {
        Failure::Usage(
            "there is no cache folder (FLEXURA_CACHE, XDG_CACHE_HOME, HOME): name one with --output".into(),
        )
    })?;
    let (adapter, library) = flexura_mpi::build(&arguments.mpicc, &folder).map_err(Failure::File)?;
    if arguments.json {
        let value =
            json!({ "path": adapter.path.to_string_lossy(), "family": word(&adapter), "library": library });
        return print(&format!("{value}\n"));
    }
    print(&format!("{library}: {}\n", adapter.path.display()))
}

fn list(arguments: &Arguments) -> Outcome {
    let found = flexura_mpi::adapters(cache().as_deref());
    if arguments.json {
        let record =
            |adapter: &Adapter| json!({ "path": adapter.path.to_string_lossy(), "family": word(adapter) });
        let list: Vec<_> = found.iter().map(record).collect();
        return print(&format!("{}\n", json!({ "adapters": list })));
    }
    let line = |adapter: &Adapter| format!("{:8} {}\n", word(adapter), adapter.path.display());
    let text: String = found.iter().map(line).collect();
    match text.is_empty() {
        true => print("no adapters: `flexura mpi --build` compiles one with the mpicc on the path\n"),
        false => print(&text),
    }
}

fn word(adapter: &Adapter) -> &'static str {
    adapter.family.map_or("chosen", flexura_mpi::Family::word)
}

/// All processes of the launcher that has started this one; nothing without a launcher, or where this one is alone.
pub fn joined() -> Result<Option<Arc<Mpi>>, Failure> {
    if let Some(count) = flexura_mpi::strangers() {
        return Err(Failure::Usage(format!(
            "srun has started {count} processes that MPI does not join: each would do the whole work, into the same files. Take \
             `srun --mpi=pmix` (`srun --mpi=list` shows what there is); for single processes `srun -n 1`, or \
             `env -u SLURM_PROCID flexura ...`"
        )));
    }
    if !flexura_mpi::launched() || matches!(flexura_mpi::launched_size(), Some(0 | 1)) {
        return Ok(None);
    }
    let adapter = flexura_mpi::choose(cache().as_deref()).map_err(|missing| {
        let count = flexura_mpi::launched_size().map_or("several".to_owned(), |count| count.to_string());
        Failure::Usage(format!("an MPI launcher has started {count} processes, but {missing}"))
    })?;
    let mpi = Mpi::start(&adapter).map_err(Failure::Usage)?;
    Ok((mpi.size() > 1).then(|| Arc::new(mpi)))
}

/// What this rank has, where all ranks have something; the first that has not says why.
pub fn agree<T>(ranks: &dyn Ranks, own: Result<T, Failure>) -> Result<T, Failure> {
    let failed = flags(ranks, own.is_err()).map_err(|lost| Failure::Echo(lost.to_string()))?;
    match failed.iter().position(|&failed| failed) {
        Some(rank) if rank != ranks.rank() => {
            Err(Failure::Echo(format!("rank {rank} cannot begin: it says why")))
        }
        _ => own,
    }
}

/// A yes or no of every rank.
pub fn flags(ranks: &dyn Ranks, own: bool) -> Result<Vec<bool>, RankLost> {
    let (mut told, ones) = (vec![0.0; ranks.size()], vec![1; ranks.size()]);
    ranks.all_gather(&[f64::from(u8::from(own))], &ones, &mut told)?;
    Ok(told.iter().map(|&flag| flag != 0.0).collect())
}
