//! What an importer stores of an instance and takes back, as 64-bit words.

use flexura::checkpoint::Checkpoint;
use flexura::simulate::Pieces;
use std::collections::BTreeMap;

/// First word of stored states: "FLXFMU" and the version of the layout.
const MAGIC: u64 = 0x464c_5846_4d55_0004;

/// Everything of an instance that changes.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Phase of the instance.
    pub running: u64,
    /// Start of the run (s).
    pub start: f64,
    /// Its end (s), where the importer or the file says so.
    pub end: f64,
    /// Numbers of the model that were set.
    pub numbers: BTreeMap<usize, f64>,
    /// Inputs.
    pub inputs: Vec<f64>,
    /// Motions that are inputs, four numbers each: instant (s), position, speed, acceleration.
    pub motions: Vec<f64>,
    /// Whether inputs changed since the last step.
    pub jumped: bool,
    /// The run.
    pub pieces: Pieces,
    /// Memory of model exchange: time, states, values that controllers hold, turns, energy at the start; empty in co-simulation.
    pub exchange: Vec<u64>,
}

fn put(words: &mut Vec<u64>, list: &[f64]) {
    words.push(list.len() as u64);
    words.extend(list.iter().map(|x| x.to_bits()));
}

/// Words that are taken one by one.
struct Words<'a>(&'a [u64]);

impl Words<'_> {
    fn word(&mut self) -> Option<u64> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn words(&mut self) -> Option<Vec<u64>> {
        let count = usize::try_from(self.word()?).ok().filter(|&count| count <= self.0.len())?;
        let (list, rest) = self.0.split_at(count);
        self.0 = rest;
        Some(list.to_vec())
    }

    fn numbers(&mut self) -> Option<Vec<f64>> {
        Some(self.words()?.into_iter().map(f64::from_bits).collect())
    }
}

impl Snapshot {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut words = vec![MAGIC, self.running, u64::from(self.jumped)];
        words.extend([self.start, self.end].map(f64::to_bits));
        put(&mut words, &self.inputs);
        put(&mut words, &self.motions);
        words.push(self.exchange.len() as u64);
        words.extend(&self.exchange);
        put(&mut words, self.pieces.row());
        words.push(2 * self.numbers.len() as u64);
        words.extend(self.numbers.iter().flat_map(|(&place, value)| [place as u64, value.to_bits()]));
        let checkpoint = self.pieces.checkpoint();
        words.extend([checkpoint.time.to_bits(), checkpoint.rows, checkpoint.words.len() as u64]);
        words.extend(&checkpoint.words);
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// From bytes; `None` where they are none of this library.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (chunks, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return None;
        }
        let list: Vec<u64> = chunks.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect();
        let mut words = Words(&list);
        if words.word()? != MAGIC {
            return None;
        }
        let (running, jumped) = (words.word()?, words.word()? != 0);
        let mut number = || words.word().map(f64::from_bits);
        let (start, end) = (number()?, number()?);
        let (inputs, motions) = (words.numbers()?, words.numbers()?);
        let (exchange, row) = (words.words()?, words.numbers()?);
        let pairs = words.words()?;
        let numbers = pairs.chunks_exact(2).map(|pair| (pair[0] as usize, f64::from_bits(pair[1]))).collect();
        let (reached, rows) = (f64::from_bits(words.word()?), words.word()?);
        let checkpoint = Checkpoint { time: reached, rows, words: words.words()? };
        let pieces = Pieces::at(checkpoint, row);
        words.0.is_empty().then_some(Self {
            running,
            start,
            end,
            numbers,
            inputs,
            motions,
            jumped,
            pieces,
            exchange,
        })
    }
}
