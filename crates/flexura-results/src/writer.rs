//! The writing side as seen by the stepping thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::closing::Closing;
use crate::columns;
use crate::error::ResultsError;
use crate::exchange::{Batch, Ending, Exchange};
use crate::files;
use crate::recorder::{Recorder, Sink, Summary};
use crate::schema::Layout;

/// How a result file is created and how soon rows reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterOptions {
    /// Whether an existing file is replaced.
    pub overwrite: bool,
    /// Rows per batch; a batch is the unit that survives a crash.
    pub batch_rows: usize,
    /// Time after which a commit hands over a batch that is not full yet.
    pub hand_over_interval: Duration,
    /// Shortest time between two syncs to the storage device.
    pub sync_interval: Duration,
    /// Batches that may wait for the writer thread before a commit has to wait.
    pub spare_batches: usize,
}

impl Default for WriterOptions {
    /// Refuses to overwrite; batches of 256 rows, handed over and synced every second.
    fn default() -> Self {
        Self {
            overwrite: false,
            batch_rows: 256,
            hand_over_interval: Duration::from_secs(1),
            sync_interval: Duration::from_secs(1),
            spare_batches: 3,
        }
    }
}

/// Appends rows to a result file through a thread of its own.
///
/// After creation no call allocates on the calling thread unless it reports an error. Dropping the
/// writer without [`Writer::finish`] still writes all committed rows, but no end marker, so that
/// the file tells an aborted simulation from a finished one.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    row_width: usize,
    batch_rows: usize,
    hand_over_interval: Duration,
    last_hand_over: Instant,
    batch: Batch,
    rows: u64,
    exchange: Arc<Exchange>,
    thread: Option<JoinHandle<Summary>>,
}

impl Writer {
    /// Creates the file at `path`, writes its header and starts the writer thread.
    pub fn create(
        path: impl AsRef<Path>,
        layout: &Layout,
        options: &WriterOptions,
    ) -> Result<Self, ResultsError> {
        let path = path.as_ref();
        // Before the file is touched: a bad layout must not cost the results of an earlier run.
        layout.validate()?;
        let (file, arrival) = files::create(path, options.overwrite)?;
        match Self::to_sink(file, path, layout, options) {
            Ok(writer) => arrival.settle().map(|()| writer),
            Err(error) => {
                arrival.give_up();
                Err(error)
            }
        }
    }

    /// Writes to any destination, for example a connection to a viewer; `name` is for messages.
    pub fn to_sink<S: Sink + 'static>(
        sink: S,
        name: impl AsRef<Path>,
        layout: &Layout,
        options: &WriterOptions,
    ) -> Result<Self, ResultsError> {
        layout.validate()?;
        let path = name.as_ref();
        let row_width = layout.row_width();
        let batch_rows = options.batch_rows.max(1);
        let values = batch_rows
            .checked_mul(row_width)
            .ok_or_else(|| ResultsError::Layout("a batch has too many values".to_owned()))?;
        let schema = columns::to_schema(layout)?;
        let recorder = Recorder::start(sink, schema, row_width, options.sync_interval)
            .map_err(files::io_error("write the header of", path))?;
        let exchange = Arc::new(Exchange::new(options.spare_batches.max(1), values));
        let thread_exchange = Arc::clone(&exchange);
        let thread = thread::Builder::new()
            .name("flexura-results".to_owned())
            .spawn(move || recorder.run(&thread_exchange))
            .map_err(files::io_error("start the writer thread of", path))?;
        Ok(Self {
            path: path.to_owned(),
            row_width,
            batch_rows,
            hand_over_interval: options.hand_over_interval,
            last_hand_over: Instant::now(),
            batch: Batch::new(values),
            rows: 0,
            exchange,
            thread: Some(thread),
        })
    }

    /// The next row: the time in s, then every channel in layout order; unset values are NaN.
    pub fn row(&mut self) -> &mut [f64] {
        let start = self.batch.rows * self.row_width;
        &mut self.batch.values[start..start + self.row_width]
    }

    /// Number of values in a row.
    pub fn row_width(&self) -> usize {
        self.row_width
    }

    /// Number of rows committed so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes the values set through [`Writer::row`] as the next row of the results.
    ///
    /// A failure of the writer thread is reported by the first commit after it and by all later
    /// ones. The time must be a finite number.
    pub fn commit(&mut self) -> Result<(), ResultsError> {
        self.check()?;
        let time = self.row()[0];
        if !time.is_finite() {
            let row = self.rows;
            return Err(ResultsError::Time { row, time });
        }
        self.batch.rows += 1;
        self.rows += 1;
        if self.batch.rows == self.batch_rows || self.last_hand_over.elapsed() >= self.hand_over_interval {
            return self.flush();
        }
        Ok(())
    }

    /// Appends a copy of `values` as the next row: the time in s, then every channel.
    pub fn push(&mut self, values: &[f64]) -> Result<(), ResultsError> {
        if values.len() != self.row_width {
            return Err(ResultsError::RowWidth { expected: self.row_width, found: values.len() });
        }
        self.row().copy_from_slice(values);
        self.commit()
    }

    /// Hands all committed rows to the writer thread now, for example before a long pause.
    pub fn flush(&mut self) -> Result<(), ResultsError> {
        self.last_hand_over = Instant::now();
        if self.batch.rows == 0 {
            return self.check();
        }
        let outcome = self.exchange.hand_over(&mut self.batch);
        outcome.map_err(|source| self.write_error(source))
    }

    /// Hands all committed rows over and waits until they are on the disk, so that neither the end
    /// of this process, however sudden, nor a loss of power takes them.
    pub fn settle(&mut self) -> Result<(), ResultsError> {
        self.flush()?;
        self.exchange.settle().map_err(|source| self.write_error(source))
    }

    /// Writes the remaining rows and the end marker, syncs, and reports what was written.
    pub fn finish(self) -> Result<Summary, ResultsError> {
        self.finish_with(Closing::new())
    }

    /// The same with `texts` behind the rows, metadata that is known only now.
    pub fn finish_with(
        mut self,
        texts: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Summary, ResultsError> {
        let summary = self.close(Ending::Whole(texts.into_iter().collect()));
        self.check()?;
        Ok(summary)
    }

    /// Ends the writer thread; a second call does nothing.
    fn close(&mut self, ending: Ending) -> Summary {
        let Some(thread) = self.thread.take() else {
            return Summary::default();
        };
        let last = std::mem::take(&mut self.batch);
        self.exchange.close(last, ending);
        // A panic of the thread is on record at the exchange.
        thread.join().unwrap_or_default()
    }

    fn check(&self) -> Result<(), ResultsError> {
        match self.exchange.failure() {
            Some(source) => Err(self.write_error(source)),
            None => Ok(()),
        }
    }

    fn write_error(&self, source: Arc<std::io::Error>) -> ResultsError {
        ResultsError::Write { path: self.path.clone(), source }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close(Ending::Aborted);
    }
}
