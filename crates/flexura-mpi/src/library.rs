//! Ranks by the functions of an adapter.
#![allow(unsafe_code)] // functions of a C library

use crate::adapter::Adapter;
use crate::calls::Calls;
use crate::launcher::launched_size;
use flexura::ranks::{RankLost, Ranks};
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The functions that were loaded: one MPI library in a process.
static CALLS: OnceLock<Calls> = OnceLock::new();

/// All processes that the launcher has started; one value per process, dropped last.
#[derive(Debug)]
pub struct Mpi {
    calls: &'static Calls,
    rank: usize,
    size: usize,
    /// Whether somebody else in the process has started MPI, and will end it.
    guest: bool,
    /// Counts and first places as the library wants them; also what keeps calls one after the other.
    places: Mutex<[Vec<c_int>; 2]>,
}

impl Mpi {
    /// Joins the others by `adapter`; to be called once in a process.
    pub fn start(adapter: &Adapter) -> Result<Self, String> {
        let loaded = Calls::load(&adapter.path)?;
        let calls = CALLS.get_or_init(|| loaded);
        let (mut rank, mut size) = (0, 0);
        // SAFETY: both numbers are there to be written.
        let failed = unsafe { (calls.start)(&mut rank, &mut size) };
        match (failed, usize::try_from(rank), usize::try_from(size)) {
            (0 | -2, Ok(rank), Ok(size)) => {
                let places = Mutex::new([vec![0; size], vec![0; size]]);
                let mpi = Self { calls, rank, size, guest: failed == -2, places };
                // The library of another launcher finds itself alone: every process would do the whole work, into the same files.
                match launched_size().filter(|&count| count != size) {
                    Some(count) => Err(format!(
                        "the launcher has started {count} processes, but by the adapter {} this one is one of {size}: it belongs to \
                         another MPI than the launcher ({}); build one for it with `flexura mpi --build --mpicc ...`, and unset \
                         FLEXURA_MPI if it names the wrong one",
                        adapter.path.display(),
                        mpi.library().trim()
                    )),
                    None => Ok(mpi),
                }
            }
            (-1, ..) => Err("the MPI library cannot be called from several threads in turn".into()),
            _ => Err(format!("the MPI library does not start (error {failed})")),
        }
    }

    /// What the library calls itself.
    pub fn library(&self) -> String {
        self.calls.library()
    }

    fn places(&self) -> MutexGuard<'_, [Vec<c_int>; 2]> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends bytes to another rank; returns once they may be forgotten.
    pub fn send(&self, bytes: &[u8], to: usize, tag: u16) -> Result<(), RankLost> {
        let (Ok(count), Ok(to)) = (c_int::try_from(bytes.len()), c_int::try_from(to)) else {
            return Err(RankLost("a message of more than 2 GB".into()));
        };
        let _one_call = self.places();
        // SAFETY: the bytes named are there.
        checked(unsafe { (self.calls.send)(bytes.as_ptr().cast(), count, to, tag.into()) })
    }

    /// A message with this tag, if one is there: who sent it, and its bytes.
    pub fn receive(&self, tag: u16) -> Result<Option<(usize, Vec<u8>)>, RankLost> {
        let (mut from, mut count) = (-1, 0);
        let _one_call = self.places();
        // SAFETY: both numbers are there to be written.
        checked(unsafe { (self.calls.look)(tag.into(), &mut from, &mut count) })?;
        let (Ok(sender), Ok(length)) = (usize::try_from(from), usize::try_from(count)) else {
            return Ok(None);
        };
        let mut bytes = vec![0; length];
        // SAFETY: as many bytes as the message has.
        checked(unsafe { (self.calls.receive)(bytes.as_mut_ptr().cast(), count, from, tag.into()) })?;
        Ok(Some((sender, bytes)))
    }
}

/// Ends all processes of the run with this exit code, where MPI was started.
pub fn abort(code: i32) {
    if let Some(calls) = CALLS.get() {
        // SAFETY: a plain call; it does not return where the library works.
        unsafe { (calls.abort)(code) }
    }
}

fn checked(failed: c_int) -> Result<(), RankLost> {
    if failed == 0 { Ok(()) } else { Err(RankLost(format!("the MPI library reports error {failed}"))) }
}

impl Ranks for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_gather(&self, own: &[f64], counts: &[usize], all: &mut [f64]) -> Result<(), RankLost> {
        let whole: usize = counts.iter().sum();
        let fits = counts.len() == self.size && own.len() == counts[self.rank] && all.len() == whole;
        let Some(_) = c_int::try_from(whole).ok().filter(|_| fits) else {
            return Err(RankLost("more numbers than a message can have".into()));
        };
        let mut places = self.places();
        let [sizes, starts] = &mut *places;
        let mut first = 0;
        for ((size, start), &count) in sizes.iter_mut().zip(starts).zip(counts) {
            // Below the sum, which fits.
            (*size, *start) = (count as c_int, first);
            first += *size;
        }
        let [sizes, starts] = &*places;
        let (count, sizes, starts) = (sizes[self.rank], sizes.as_ptr(), starts.as_ptr());
        // SAFETY: lengths were checked above: `own` has the count of this rank, `all` the sum of all counts.
        checked(unsafe { (self.calls.all_gather)(own.as_ptr(), count, all.as_mut_ptr(), sizes, starts) })
    }

    fn barrier(&self) -> Result<(), RankLost> {
        let _one_call = self.places();
        // SAFETY: a plain call.
        checked(unsafe { (self.calls.barrier)() })
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The others wait for this process in a gather; to end MPI it would wait for them.
            abort(101);
        }
        if !self.guest {
            // SAFETY: started in `start`, ended once.
            unsafe { (self.calls.end)() };
        }
    }
}
