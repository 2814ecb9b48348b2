//! What a run leaves: the layout of its result file, the picture of its model, and the page that shows both; the bytes of
//! checkpoints and of the journals of sweeps.
//!
//! The engine knows no file format and `flexura-results` no engine type; here they meet. The command line and the Python
//! package both take these from here, so that their files and pages are the same.

#[doc(hidden)]
pub mod checkpoint_file;
mod columns;
mod error;
pub mod fatigue;
#[doc(hidden)]
pub mod journal;
mod layout;
mod page;
mod picture;
mod playground;
mod scene;
mod sink;
pub mod stress;
mod verdicts;

pub use columns::Columns;
pub use error::OutputError;
pub use layout::layout;
pub use page::{SCRIPT, STYLE, saved_page, served_page};
pub use picture::{PICTURE_KEY, picture_text};
pub use playground::playground_page;
pub use scene::{Scene, bytes_f32, bytes_f64};
pub use sink::ResultSink;
pub use verdicts::{VERDICTS_KEY, mode_verdicts, verdicts_of};
