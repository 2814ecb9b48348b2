//! One run by several ranks: threads that share nothing but messages, or the processes of an MPI launcher. Whoever takes part
//! ends with the rows of all.

use crate::result::Finished;
use crate::settings::Settings;
use flexura::build::Built;
use flexura::file::Loaded;
use flexura::model::description::SimulationDescription;
use flexura::picture::Picture;
use flexura::ranks::{InProcess, RankLost, Ranks};
use flexura::record::{Channel, Sink};
use flexura::simulate::{Outcome, Progress, Together};
use flexura::{DynamicsError, SimulationError, SinkError, State};
use flexura_mpi::Mpi;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The processes of the launcher, joined at the first run that asks for them.
static JOINED: Mutex<Option<Arc<Mpi>>> = Mutex::new(None);

/// `ranks = 4` or `ranks = "mpi"`.
#[derive(FromPyObject)]
pub enum Choice {
    /// Threads of this process.
    Count(usize),
    /// The processes of a launcher.
    Word(String),
}

/// Who takes part in a run.
pub enum Group {
    /// Threads of this process.
    Threads(usize),
    /// This process and others.
    Processes(Arc<dyn Ranks>),
}

impl Choice {
    /// The ranks of this choice.
    pub fn group(self) -> PyResult<Group> {
        match self {
            Self::Count(count @ 1..=1024) => Ok(Group::Threads(count)),
            Self::Count(count) => {
                Err(PyValueError::new_err(format!("ranks = {count}: give 1 to 1024, or \"mpi\"")))
            }
            Self::Word(word) if word == "mpi" => joined().map(|mpi| Group::Processes(mpi)),
            Self::Word(word) => {
                Err(PyValueError::new_err(format!("ranks = \"{word}\": give a number of ranks, or \"mpi\"")))
            }
        }
    }
}

/// Joins the other processes, once.
fn joined() -> PyResult<Arc<Mpi>> {
    let mut slot = JOINED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(mpi) = &*slot {
        return Ok(Arc::clone(mpi));
    }
    if !flexura_mpi::launched() {
        let text =
            "ranks = \"mpi\": no MPI launcher has started this process; `mpirun -n 4 python script.py` does";
        return Err(PyValueError::new_err(text));
    }
    let cache = flexura_fem::source::cache_folder().map(|folder| folder.join("mpi"));
    let adapter = flexura_mpi::choose(cache.as_deref())
        .map_err(|missing| PyRuntimeError::new_err(format!("ranks = \"mpi\": {missing}")))?;
    let mpi = Arc::new(Mpi::start(&adapter).map_err(PyRuntimeError::new_err)?);
    *slot = Some(Arc::clone(&mpi));
    Ok(mpi)
}

/// Leaves the other processes; called when the interpreter ends. After an exception (`failed`) they are ended too: they may
/// wait for this one in their next run.
#[pyfunction]
pub fn leave_mpi(failed: bool) {
    let joined = JOINED.lock().unwrap_or_else(PoisonError::into_inner).take();
    if failed && joined.is_some_and(|mpi| mpi.size() > 1) {
        flexura_mpi::abort(1);
    }
}

/// Most numbers in one message: a library takes 2³¹ at most, and each rank has room for one.
const MESSAGE: usize = 1 << 26;

/// Rows of one rank.
struct Part {
    names: Vec<String>,
    row: Vec<f64>,
    data: Vec<f64>,
}

impl Sink for Part {
    fn row(&mut self) -> &mut [f64] {
        &mut self.row
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        self.data.extend_from_slice(&self.row);
        Ok(())
    }
}

/// What one rank came to, with the rows of all.
type Ended = (Result<Outcome, SimulationError>, Vec<f64>);

/// Runs a model on the ranks of `group`; `watch` looks on at one of them, which is enough to stop all.
pub fn run(
    loaded: &Loaded,
    settings: &SimulationDescription,
    wanted: &Settings,
    (state, group): (State, Group),
    watch: &mut (dyn FnMut(&Progress) -> bool + Send),
) -> Result<Finished, SimulationError> {
    let mut built = loaded.built.clone();
    built.description.simulation = settings.clone();
    if let Some(patterns) = &wanted.channels {
        built.description.output.channels.clone_from(patterns);
    }
    let picture = wanted.picture.unwrap_or_else(|| Picture::wanted(&built));
    let whole = Together::whole_channels(&built, picture)?;
    let layout = flexura_output::layout(loaded, &whole, picture);
    let one =
        |ranks, watch: &mut dyn FnMut(&Progress) -> bool| one(&built, &whole, ranks, picture, &state, watch);
    let (outcome, rows) = match group {
        Group::Processes(ranks) => {
            let mut stopped = false;
            let mut looked = |progress: &Progress| {
                stopped = !watch(progress);
                !stopped
            };
            let (outcome, rows) = one(ranks, &mut looked)?;
            // A script goes on to its next run otherwise, and waits there for the one that has stopped.
            let elsewhere = outcome.as_ref().is_ok_and(|outcome| outcome.cancelled && !stopped);
            let told = || Err(SimulationError::Elsewhere("another rank was stopped".into()));
            (if elsewhere { told() } else { outcome }, rows)
        }
        Group::Threads(count) => {
            let mut ranks = InProcess::group(count).into_iter().map(|rank| Arc::new(rank) as Arc<dyn Ranks>);
            let first = ranks.next().ok_or_else(|| SimulationError::Elsewhere("no rank to run on".into()))?;
            let one = &one;
            std::thread::scope(|scope| {
                let others: Vec<_> =
                    ranks.map(|rank| scope.spawn(move || one(rank, &mut |_| true))).collect();
                let own = one(first, watch);
                let lost = || Err(SimulationError::Elsewhere("a rank has panicked".into()));
                let others = others.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost()));
                together(own, others.collect())
            })?
        }
    };
    Ok(Finished { layout, rows, outcome })
}

/// What the first rank came to, with warnings and failures of the others.
fn together(
    own: Result<Ended, SimulationError>,
    others: Vec<Result<Ended, SimulationError>>,
) -> Result<Ended, SimulationError> {
    let (mut outcome, rows) = own?;
    for other in others {
        match (&mut outcome, other?.0) {
            (Ok(first), Ok(other)) => {
                first.deformations.extend(other.deformations);
                first.warnings.extend(other.warnings);
            }
            // Whoever found the trouble names it.
            (Err(first), Err(other)) if is_echo(first) => outcome = Err(other),
            _ => {}
        }
    }
    Ok((outcome, rows))
}

fn is_echo(error: &SimulationError) -> bool {
    let SimulationError::Dynamics { cause, .. } = error else { return false };
    matches!(cause, DynamicsError::Elsewhere { .. } | DynamicsError::RankLost { .. })
}

fn one(
    built: &Built,
    whole: &[Channel],
    ranks: Arc<dyn Ranks>,
    picture: bool,
    state: &State,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Ended, SimulationError> {
    let mut together = Together::new(built, Arc::clone(&ranks), picture)?;
    let names: Vec<String> = together.channels().iter().map(|channel| channel.name.clone()).collect();
    let mut part = Part { row: vec![f64::NAN; names.len() + 1], names, data: Vec::new() };
    together.begin_at(&built.model, state);
    let outcome = together.run(&mut part, &mut |progress| watch(progress));
    let rows =
        gather(ranks.as_ref(), whole, &part).map_err(|lost| SimulationError::Elsewhere(lost.to_string()))?;
    Ok((outcome, rows))
}

/// The rows that all ranks have, with the channels of the whole model in their order; all ranks call it.
fn gather(ranks: &dyn Ranks, whole: &[Channel], part: &Part) -> Result<Vec<f64>, RankLost> {
    let (size, width) = (ranks.size(), part.row.len());
    let mut sizes = vec![0.0; 2 * size];
    let rows = part.data.len() / width;
    ranks.all_gather(&[part.names.len() as f64, rows as f64], &vec![2; size], &mut sizes)?;
    let columns: Vec<usize> = sizes.iter().step_by(2).map(|&count| count as usize).collect();
    let rows = sizes.iter().skip(1).step_by(2).fold(rows, |least, &rows| least.min(rows as usize));
    let places: HashMap<&str, usize> =
        whole.iter().enumerate().map(|(i, channel)| (channel.name.as_str(), i)).collect();
    let place = |name: &String| {
        let place = places.get(name.as_str()).map(|&place| place as f64);
        place.ok_or_else(|| RankLost(format!("channel `{name}` is in no row")))
    };
    let own = part.names.iter().map(place).collect::<Result<Vec<f64>, RankLost>>()?;
    let mut all = vec![0.0; columns.iter().sum()];
    ranks.all_gather(&own, &columns, &mut all)?;
    let mut joined = vec![f64::NAN; rows * (whole.len() + 1)];
    let several = (MESSAGE / all.len().max(1)).max(1);
    let mut numbers = Vec::new();
    let pieces = joined.chunks_mut(several * (whole.len() + 1)).zip(part.data.chunks(several * width));
    for (joined, data) in pieces {
        let rows = joined.len() / (whole.len() + 1);
        let columns_of = |column: usize| data.chunks_exact(width).take(rows).map(move |row| row[column + 1]);
        let own: Vec<f64> = (0..part.names.len()).flat_map(columns_of).collect();
        let counts: Vec<usize> = columns.iter().map(|count| count * rows).collect();
        numbers.resize(counts.iter().sum(), 0.0);
        ranks.all_gather(&own, &counts, &mut numbers)?;
        for (row, out) in joined.chunks_exact_mut(whole.len() + 1).enumerate() {
            out[0] = data[row * width];
            for (column, &place) in all.iter().enumerate() {
                out[place as usize + 1] = numbers[column * rows + row];
            }
        }
    }
    Ok(joined)
}
