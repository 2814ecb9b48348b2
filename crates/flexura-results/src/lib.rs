//! Result files of flexible multibody simulations.
//!
//! A result file is an Arrow IPC stream: a header that describes every channel, then batches of
//! rows, then an end marker. Rows are only ever appended, so a file is readable while it grows and
//! after a crash; only an incomplete last batch is lost. The first column is the `time` in s; every
//! further column is a [`Family`] of channels, a fixed-size list of numbers whose names and units
//! stand in the metadata of the column as JSON arrays (`names`, `units`).
//!
//! Mode shapes are stored the same way, marked by the metadata `kind` = `modes`: every mode takes some rows, one
//! period of its vibration about the state of the linearisation, and one second of `time`. The metadata `modes` is
//! a JSON array of objects with `number`, `first_row`, `rows`, the eigenvalue `real` (1/s) and `imaginary` (rad/s),
//! `frequency_hz`, `damping_ratio` and the `amplitude` of the shape that is shown.
//!
//! What is known only at the end of a run, such as verdicts on its modes, is metadata too: of a last batch without rows
//! ([`Writer::finish_with`]). Readers find it among that of the header.
//!
//! A result may stand in several files, one for each rank that ran it: the metadata `parts` of an index, which has no rows of
//! its own, is a JSON array of their names; [`ResultFile::open`] reads them as one.
//!
//! ```
//! use flexura_results::{Channel, Family, Layout, ResultFile, Writer, WriterOptions, export_csv};
//!
//! # let path = std::env::temp_dir().join(format!("flexura-doc-{}.arrows", std::process::id()));
//! let energy = vec![Channel::new("energy.kinetic", "J"), Channel::new("energy.strain", "J")];
//! let layout = Layout::new("pendulum", "5e0f", "flexura 0.1.0")
//!     .with_family(Family::new("energy", "Energies of the whole system.", energy));
//!
//! let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
//! let mut writer = Writer::create(&path, &layout, &options)?;
//! for step in 0..3 {
//!     let row = writer.row();
//!     row[0] = 0.5 * f64::from(step);
//!     row[1] = 2.0;
//!     row[2] = 0.25;
//!     writer.commit()?;
//! }
//! assert_eq!(writer.finish()?.rows, 3);
//!
//! let file = ResultFile::open(&path)?;
//! assert!(file.complete());
//! assert_eq!(file.time(), [0.0, 0.5, 1.0]);
//! assert_eq!(file.channel("energy.strain")?, [0.25, 0.25, 0.25]);
//!
//! let mut text = Vec::new();
//! export_csv(&file, &["*.kinetic"], &mut text)?;
//! assert!(text.starts_with(b"time [s],energy.kinetic [J]\n0,2\n"));
//! # std::fs::remove_file(&path).ok();
//! # Ok::<(), flexura_results::ResultsError>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod closing;
mod columns;
mod csv;
mod error;
#[cfg(all(test, loom))]
mod every_order;
mod exchange;
mod files;
mod frames;
mod index;
mod names;
mod parquet;
mod reader;
mod recorder;
mod repair;
mod schema;
mod writer;

#[doc(hidden)]
pub use csv::cell as csv_cell;
pub use csv::export_csv;
pub use error::ResultsError;
pub use index::write_index;
pub use parquet::export_parquet;
pub use reader::{PARTS_KEY, ResultFile};
pub use recorder::{Sink, Summary};
pub use repair::{Repair, repair};
pub use schema::{
    CREATED_BY_KEY, Channel, FORMAT_KEY, FORMAT_VERSION, Family, Layout, MODEL_HASH_KEY, MODEL_KEY, TIME,
    TIME_UNIT,
};
pub use writer::{Writer, WriterOptions};
