//! Random numbers by seed: the same model for the same seed on every machine.
//!
//! SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.

use std::fmt::Write;

/// A source of random choices.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The source of one seed.
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds would give shifted copies of one sequence.
        let mut dice = Self(seed.wrapping_mul(0xA24B_AED4_963E_E407) ^ 0x9FB2_1C65_1E98_DF25);
        dice.next();
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// A number between two, short enough to read in a file.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        let number = least + share * (most - least);
        let digits = 10.0_f64.powf(3.0 - number.abs().max(1e-9).log10().ceil());
        (number * digits).round() / digits
    }

    /// Whether something happens that happens with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// `[a, b, ..]` of numbers up to `size` in magnitude.
    pub fn list(&mut self, count: usize, size: f64) -> String {
        self.list_between(count, -size, size)
    }

    /// `[a, b, ..]` of numbers between two.
    pub fn list_between(&mut self, count: usize, least: f64, most: f64) -> String {
        let numbers: Vec<f64> = (0..count).map(|_| self.between(least, most)).collect();
        format!("{numbers:?}")
    }

    /// One number, or a list where there are several coordinates.
    pub fn per_coordinate(&mut self, count: usize, least: f64, most: f64) -> String {
        match count {
            1 => format!("{:?}", self.between(least, most)),
            _ => self.list_between(count, least, most),
        }
    }

    /// A unit vector, often one of the axes.
    pub fn axis(&mut self) -> [f64; 3] {
        if self.chance(0.5) {
            return *self.pick(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.6, 0.0, 0.8]]);
        }
        let vector: [f64; 3] = std::array::from_fn(|_| self.between(-1.0, 1.0));
        let size = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size < 0.1 { [0.0, 0.8, 0.6] } else { vector.map(|x| x / size) }
    }

    /// A rotation as a value of a model file.
    pub fn rotation(&mut self) -> String {
        let axis = self.axis();
        format!("{{ axis = {axis:?}, angle = {:?} }}", self.between(-1.5, 1.5))
    }

    /// A smooth function of time with values of about `size` within a few tenths of a second.
    pub fn function(&mut self, size: f64) -> String {
        let (a, b) = (self.between(-size, size), self.between(-size, size));
        let mut text = String::new();
        let written = match self.below(5) {
            0 => write!(text, "{a:?}"),
            1 => write!(text, "{{ polynomial = [{a:?}, {:?}, {:?}] }}", 5.0 * b, 20.0 * a),
            2 => {
                let (rate, phase) = (self.between(5.0, 40.0), self.between(0.0, 3.0));
                write!(
                    text,
                    "{{ harmonic = {{ amplitude = {a:?}, angular_frequency = {rate:?}, phase = {phase:?}, offset = {b:?} }} }}"
                )
            }
            3 => write!(
                text,
                "{{ cycloidal = {{ from = {a:?}, to = {b:?}, start = -0.01, duration = 0.3 }} }}"
            ),
            _ => {
                let values = self.list(4, size);
                write!(text, "{{ table = {{ times = [-0.1, 0.03, 0.08, 0.3], values = {values} }} }}")
            }
        };
        debug_assert!(written.is_ok());
        text
    }
}
