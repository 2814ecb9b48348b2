//! Rows of a run into a result file.

use crate::layout::layout;
use crate::verdicts::verdicts_of;
use flexura::SinkError;
use flexura::file::Loaded;
use flexura::record::{Channel, Sink};
use flexura::simulate::Outcome;
use flexura_results::{ResultsError, Writer, WriterOptions};
use std::path::Path;

/// Where the rows of a run go: a result file that is readable at every moment.
pub struct ResultSink {
    writer: Writer,
}

impl ResultSink {
    /// A new result file at `path` for the channels of a run of `loaded`, with the picture of the model if wanted; an earlier
    /// file is replaced.
    pub fn create(
        path: impl AsRef<Path>,
        loaded: &Loaded,
        channels: &[Channel],
        picture: bool,
    ) -> Result<Self, ResultsError> {
        let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
        Ok(Self { writer: Writer::create(path, &layout(loaded, channels, picture), &options)? })
    }

    /// The same for a run that ended so: the file says how far it can be trusted.
    pub fn finish_with(self, outcome: &Outcome) -> Result<u64, ResultsError> {
        Ok(self.writer.finish_with([verdicts_of(outcome)])?.rows)
    }

    /// Writes what is left and marks the file as complete; returns the number of rows.
    pub fn finish(self) -> Result<u64, ResultsError> {
        Ok(self.writer.finish()?.rows)
    }
}

impl Sink for ResultSink {
    fn row(&mut self) -> &mut [f64] {
        self.writer.row()
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        self.writer.commit().map_err(SinkError::new)
    }

    fn settle(&mut self) -> Result<(), SinkError> {
        self.writer.settle().map_err(SinkError::new)
    }
}
