//! Ranks over MPI, for runs of one model and sweeps by several processes (`mpirun -n 4 flexura run model.toml`).
//!
//! Nothing of MPI is linked. A handful of calls in C ([`SOURCE`]) is compiled once by the `mpicc` of the machine into a library of some
//! kilobytes, an *adapter* ([`build`]), which hides what differs between MPI libraries; where a launcher has started the process, it
//! is loaded ([`Mpi::start`]). Without a launcher nothing is looked for.
//!
//! | file | what |
//! |---|---|
//! | `launcher` | who has started this process |
//! | `adapter` | compiling adapters, where they are |
//! | `calls` | the functions of one, loaded |
//! | `library` | ranks by them |

mod adapter;
mod calls;
mod launcher;
mod library;

pub use adapter::{Adapter, MissingAdapter, SOURCE, adapters, build, choose};
pub use launcher::{Family, launched, launched_size, strangers};
pub use library::{Mpi, abort};
