//! How many threads an evaluation may use.

use crate::model::Model;

/// Bodies, and half of their modes, up to which one thread does everything: waking a second one takes longer.
const SMALLEST: usize = 500;

/// A pool of threads, built once and lent to evaluations; none where there are no threads (WebAssembly).
#[derive(Debug)]
pub struct Threads(Option<rayon::ThreadPool>);

impl Threads {
    /// A pool of `count` threads; fails when the system cannot give them.
    pub fn new(count: usize) -> std::io::Result<Self> {
        if cfg!(target_family = "wasm") {
            return Ok(Self(None));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count.max(1)).build();
        pool.map(|pool| Self(Some(pool))).map_err(std::io::Error::other)
    }

    /// Number of threads.
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }
}

/// One thread or a pool. The results are the same, bit by bit.
#[derive(Clone, Copy, Debug, Default)]
#[doc(hidden)]
pub enum Par<'a> {
    /// The calling thread, without allocation.
    #[default]
    Serial,
    /// All threads of a pool.
    Threads(&'a Threads),
}

impl Par<'_> {
    /// Number of threads.
    pub fn threads(&self) -> usize {
        match self {
            Self::Serial => 1,
            Self::Threads(pool) => pool.count(),
        }
    }

    /// Whether passes over the bodies of `model` are divided among threads.
    pub(crate) fn divides(&self, model: &Model) -> bool {
        self.threads() > 1 && model.body_count() + model.layout.modal / 2 > SMALLEST
    }

    /// Runs `work` on the pool where that is of use.
    pub(crate) fn run<R: Send>(&self, parallel: bool, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Self::Threads(Threads(Some(pool))) if parallel => pool.install(work),
            _ => work(),
        }
    }
}

/// Two pieces of work, at the same time where `parallel`.
pub(super) fn both<A: Send, B: Send>(
    parallel: bool,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if parallel { rayon::join(one, other) } else { (one(), other()) }
}
