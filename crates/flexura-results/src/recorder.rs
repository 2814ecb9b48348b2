//! The writer thread: turns batches of rows into messages and writes them out.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, Schema};

use crate::closing;
use crate::columns;
use crate::exchange::{Batch, Ending, Exchange, Order};

/// A destination of results that can make what was written durable.
pub trait Sink: Write + Send {
    /// Makes everything written so far survive a crash of the machine.
    fn sync(&mut self) -> io::Result<()>;
}

impl Sink for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// What a finished file holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Number of rows.
    pub rows: u64,
    /// Number of batches the rows are stored in.
    pub batches: u64,
    /// Size of the file in bytes, header and end marker included.
    pub bytes: u64,
}

/// The state of the writer thread.
pub(crate) struct Recorder<S> {
    sink: S,
    // Messages are encoded here first, so that each reaches the sink in one piece.
    encoder: StreamWriter<Vec<u8>>,
    schema: Arc<Schema>,
    row_width: usize,
    summary: Summary,
    sync_interval: Duration,
    last_sync: Instant,
    unsynced: bool,
}

impl<S: Sink> Recorder<S> {
    /// Writes the header to `sink`, so that even a file without rows describes itself.
    pub fn start(sink: S, schema: Schema, row_width: usize, sync_interval: Duration) -> io::Result<Self> {
        let encoder = StreamWriter::try_new(Vec::new(), &schema).map_err(to_io)?;
        let mut recorder = Self {
            sink,
            encoder,
            schema: Arc::new(schema),
            row_width,
            summary: Summary::default(),
            sync_interval,
            last_sync: Instant::now(),
            unsynced: false,
        };
        recorder.drain()?;
        recorder.sync()?;
        Ok(recorder)
    }

    /// Carries out orders until the end; a failure ends the work and is left at `exchange`.
    pub fn run(mut self, exchange: &Exchange) -> Summary {
        let _watch = PanicWatch(exchange);
        if let Err(error) = self.work(exchange) {
            exchange.fail(error);
        }
        self.summary
    }

    fn work(&mut self, exchange: &Exchange) -> io::Result<()> {
        loop {
            match exchange.next(self.patience()) {
                Order::Write(batch) => {
                    self.write(&batch)?;
                    exchange.recycle(batch);
                    if self.patience() == Some(Duration::ZERO) {
                        self.sync()?;
                    }
                }
                Order::Sync => {
                    if self.unsynced {
                        self.sync()?;
                    }
                    exchange.synced();
                }
                Order::Idle => self.sync()?,
                Order::End(ending) => return self.end(&ending),
            }
        }
    }

    /// How long written rows may still wait for a sync; endless if there are none.
    fn patience(&self) -> Option<Duration> {
        self.unsynced.then(|| self.sync_interval.saturating_sub(self.last_sync.elapsed()))
    }

    fn write(&mut self, batch: &Batch) -> io::Result<()> {
        if batch.rows == 0 {
            return Ok(());
        }
        let values = &batch.values[..batch.rows * self.row_width];
        let record = columns::to_batch(&self.schema, self.row_width, values).map_err(to_io)?;
        self.encoder.write(&record).map_err(to_io)?;
        self.drain()?;
        self.summary.rows += batch.rows as u64;
        self.summary.batches += 1;
        Ok(())
    }

    fn end(&mut self, ending: &Ending) -> io::Result<()> {
        if let Ending::Whole(texts) = ending {
            if !texts.is_empty() {
                let message = closing::encode(&self.schema, texts);
                self.encoder.get_mut().extend(message);
            }
            self.encoder.finish().map_err(to_io)?;
            self.drain()?;
        }
        self.sync()
    }

    /// Moves encoded messages to the sink and on to the operating system.
    fn drain(&mut self) -> io::Result<()> {
        self.sink.write_all(self.encoder.get_ref())?;
        self.sink.flush()?;
        self.summary.bytes += self.encoder.get_ref().len() as u64;
        self.encoder.get_mut().clear();
        self.unsynced = true;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sink.sync()?;
        self.last_sync = Instant::now();
        self.unsynced = false;
        Ok(())
    }
}

/// Reports a panic of the writer thread, without which the stepping thread could wait for ever.
struct PanicWatch<'a>(&'a Exchange);

impl Drop for PanicWatch<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail(io::Error::other("the writer thread stopped unexpectedly"));
        }
    }
}

fn to_io(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, source) => source,
        other => io::Error::other(other),
    }
}
