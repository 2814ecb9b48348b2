//! Everything a run needs to go on as if it had never stopped.
//!
//! A checkpoint holds the state, the memory of the integrator and the position
//! of the recorder as plain 64-bit words, so that a continued run has the same
//! bits as an uninterrupted one. The same function writes and reads each part
//! (`Tape`): order and number of words cannot drift apart.

/// Beyond this many steps or rows times are no longer told apart: the sum of two such counts is still a number.
const MOST: u64 = 1 << 53;

/// The memory of a run between two steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// Time reached (s).
    pub time: f64,
    /// Rows recorded so far.
    pub rows: u64,
    /// The memory itself.
    pub words: Vec<u64>,
}

/// A tape that is either written or read, word by word.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    words: Vec<u64>,
    at: usize,
    reading: bool,
    short: bool,
}

impl Tape {
    /// An empty tape to write on, in the place of older words.
    pub fn over(mut words: Vec<u64>) -> Self {
        words.clear();
        Self { words, ..Self::default() }
    }

    /// A tape to read.
    pub fn of(words: &[u64]) -> Self {
        Self { words: words.to_vec(), reading: true, ..Self::default() }
    }

    /// What was written.
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// Whether reading used the tape up, neither more nor less.
    pub fn used_up(&self) -> bool {
        !self.short && self.at == self.words.len()
    }

    /// Whether values are taken from the tape.
    pub fn reading(&self) -> bool {
        self.reading
    }

    /// Writes the word, or replaces it by the one on the tape.
    fn word(&mut self, word: &mut u64) {
        if !self.reading {
            self.words.push(*word);
            return;
        }
        match self.words.get(self.at) {
            Some(found) => *word = *found,
            None => self.short = true,
        }
        self.at += 1;
    }

    /// A number, bit by bit.
    pub fn number(&mut self, number: &mut f64) {
        let mut word = number.to_bits();
        self.word(&mut word);
        *number = f64::from_bits(word);
    }

    /// Numbers of a known count.
    pub fn numbers(&mut self, numbers: &mut [f64]) {
        numbers.iter_mut().for_each(|number| self.number(number));
    }

    /// A number of steps, rows or samples; one that no run can have reached ends the reading.
    pub fn count(&mut self, count: &mut u64) {
        self.word(count);
        if self.reading && *count > MOST {
            self.short = true;
            *count = 0;
        }
    }

    /// An index or length; one that no list of this model can have ends the reading.
    pub fn index(&mut self, index: &mut usize) {
        let mut word = *index as u64;
        self.word(&mut word);
        *index = usize::try_from(word).unwrap_or(usize::MAX);
        if self.reading && word > u64::from(u32::MAX) {
            self.short = true;
            *index = 0;
        }
    }

    /// A yes or no.
    pub fn flag(&mut self, flag: &mut bool) {
        let mut word = u64::from(*flag);
        self.word(&mut word);
        *flag = word != 0;
    }

    /// Appends the words of another tape behind their number.
    pub fn append(&mut self, words: &[u64]) {
        self.words.push(words.len() as u64);
        self.words.extend_from_slice(words);
    }

    /// The tape that was appended here; one that ends too early ends the reading.
    pub fn appended(&mut self) -> Self {
        let mut length = 0;
        self.index(&mut length);
        let end = self.at.saturating_add(length);
        let found = self.words.get(self.at..end);
        self.short |= found.is_none();
        let tape = Self::of(found.unwrap_or_default());
        self.at = end;
        tape
    }

    /// All words of a tape that was appended.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Length of a list that grows during a run; never more than the tape could fill.
    pub fn length(&mut self, length: usize) -> usize {
        let mut length = length;
        self.index(&mut length);
        if self.reading { length.min(self.words.len()) } else { length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_bit_by_bit() {
        let mut tape = Tape::over(Vec::new());
        let (mut a, mut b, mut c, mut d) = (-0.0, f64::NAN, 7usize, true);
        tape.number(&mut a);
        tape.number(&mut b);
        tape.index(&mut c);
        tape.flag(&mut d);
        let words = tape.into_words();
        let mut tape = Tape::of(&words);
        let (mut e, mut f, mut g, mut h) = (1.0, 1.0, 0usize, false);
        tape.number(&mut e);
        tape.number(&mut f);
        assert!(!tape.used_up());
        tape.index(&mut g);
        tape.flag(&mut h);
        assert!(tape.used_up() && e.to_bits() == a.to_bits() && f.is_nan() && g == 7 && h);
        tape.flag(&mut h);
        assert!(!tape.used_up(), "reading past the end is noticed");
        let mut count = 0;
        let mut tape = Tape::of(&[u64::MAX]);
        tape.count(&mut count);
        assert!(!tape.used_up() && count == 0, "no run has taken so many steps");
    }
}
