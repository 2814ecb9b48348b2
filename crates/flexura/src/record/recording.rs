//! Where rows go, and results kept in memory.

use crate::error::SinkError;
use crate::model::channel::Channel;
use crate::model::words::nearest;

/// Receives rows of numbers: time first, then the selected channels in order.
pub trait Sink {
    /// Space for the next row.
    fn row(&mut self) -> &mut [f64];
    /// Keeps the row just filled.
    fn commit(&mut self) -> Result<(), SinkError>;
    /// Waits until all kept rows have reached their destination.
    fn settle(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// A result in memory.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    names: Vec<String>,
    units: Vec<&'static str>,
    data: Vec<f64>,
    row: Vec<f64>,
}

impl Recording {
    /// An empty recording of `channels`.
    pub fn new(channels: &[Channel]) -> Self {
        let names: Vec<String> =
            std::iter::once("time".to_string()).chain(channels.iter().map(|c| c.name.clone())).collect();
        let units = std::iter::once("s").chain(channels.iter().map(|c| c.unit)).collect();
        let row = vec![f64::NAN; names.len()];
        Self { names, units, data: Vec::new(), row }
    }

    /// Number of recorded instants.
    pub fn rows(&self) -> usize {
        self.data.len() / self.names.len().max(1)
    }

    /// Names of all channels; the first is `time`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Unit of a channel.
    pub fn unit(&self, name: &str) -> Option<&'static str> {
        self.names.iter().position(|n| n == name).map(|i| self.units[i])
    }

    /// Times (s).
    pub fn time(&self) -> Vec<f64> {
        self.column(0)
    }

    /// Values of the channel called `name` over time.
    pub fn channel(&self, name: &str) -> Result<Vec<f64>, UnknownChannel> {
        match self.names.iter().position(|n| n == name) {
            Some(index) => Ok(self.column(index)),
            None => {
                let near = nearest(name, self.names.iter().map(String::as_str)).map(str::to_string);
                Err(UnknownChannel { name: name.to_string(), near })
            }
        }
    }

    /// The last value of a channel.
    pub fn last(&self, name: &str) -> Result<f64, UnknownChannel> {
        let values = self.channel(name)?;
        values.last().copied().ok_or_else(|| UnknownChannel { name: name.to_string(), near: None })
    }

    fn column(&self, index: usize) -> Vec<f64> {
        self.data.chunks_exact(self.names.len()).map(|row| row[index]).collect()
    }
}

impl Sink for Recording {
    fn row(&mut self) -> &mut [f64] {
        &mut self.row
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        self.data.extend_from_slice(&self.row);
        Ok(())
    }
}

/// No channel has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownChannel {
    /// The name asked for.
    pub name: String,
    /// A name that is close to it.
    pub near: Option<String>,
}

impl std::fmt::Display for UnknownChannel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no channel `{}`", self.name)?;
        match &self.near {
            Some(near) => write!(f, "; did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownChannel {}
