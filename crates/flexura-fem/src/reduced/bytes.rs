//! Plain little-endian values in sections: the alphabet of reduced-body files.
//!
//! A list is its length (u64) and its values; text is a list of bytes in UTF-8. A
//! reader never allocates more than the bytes that are there.

/// Appends values to a section.
#[derive(Clone, Debug, Default)]
pub struct Output(pub Vec<u8>);

impl Output {
    /// A whole number.
    pub fn count(&mut self, value: usize) {
        self.0.extend((value as u64).to_le_bytes());
    }

    /// A byte.
    pub fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    /// A number.
    pub fn real(&mut self, value: f64) {
        self.0.extend(value.to_le_bytes());
    }

    /// Numbers without their count.
    pub fn reals<'a>(&mut self, values: impl IntoIterator<Item = &'a f64>) {
        values.into_iter().for_each(|value| self.real(*value));
    }

    /// A list of numbers.
    pub fn list(&mut self, values: &[f64]) {
        self.count(values.len());
        self.reals(values);
    }

    /// A list of vectors.
    pub fn vectors(&mut self, values: &[[f64; 3]]) {
        self.count(values.len());
        self.reals(values.as_flattened());
    }

    /// A list of tuples of node places.
    pub fn places<const N: usize>(&mut self, values: &[[u32; N]]) {
        self.count(values.len());
        values.as_flattened().iter().for_each(|value| self.0.extend(value.to_le_bytes()));
    }

    /// Text.
    pub fn text(&mut self, value: &str) {
        self.count(value.len());
        self.0.extend(value.as_bytes());
    }
}

/// Takes values from a section; `None` where it ends too early or holds nonsense.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn fixed<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// Whether everything was taken.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A whole number.
    pub fn count(&mut self) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(self.fixed()?)).ok()
    }

    /// A byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.fixed::<1>().map(|[byte]| byte)
    }

    /// A number.
    pub fn real(&mut self) -> Option<f64> {
        Some(f64::from_le_bytes(self.fixed()?))
    }

    /// A fixed number of numbers.
    pub fn array<const N: usize>(&mut self) -> Option<[f64; N]> {
        let mut array = [0.0; N];
        for value in &mut array {
            *value = self.real()?;
        }
        Some(array)
    }

    /// So many numbers.
    pub fn reals(&mut self, count: usize) -> Option<Vec<f64>> {
        let bytes = self.take(count.checked_mul(8)?)?;
        let value = |chunk: &[u8]| f64::from_le_bytes(std::array::from_fn(|i| chunk[i]));
        Some(bytes.chunks_exact(8).map(value).collect())
    }

    /// A list of numbers.
    pub fn list(&mut self) -> Option<Vec<f64>> {
        let count = self.count()?;
        self.reals(count)
    }

    /// So many vectors.
    pub fn vectors_of(&mut self, count: usize) -> Option<Vec<[f64; 3]>> {
        let values = self.reals(count.checked_mul(3)?)?;
        Some(values.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect())
    }

    /// A list of vectors.
    pub fn vectors(&mut self) -> Option<Vec<[f64; 3]>> {
        let count = self.count()?;
        self.vectors_of(count)
    }

    /// A list of tuples of node places, all below `limit`.
    pub fn places<const N: usize>(&mut self, limit: usize) -> Option<Vec<[u32; N]>> {
        let count = self.count()?;
        let bytes = self.take(count.checked_mul(4 * N)?)?;
        let values = bytes.chunks_exact(4).map(|chunk| u32::from_le_bytes(std::array::from_fn(|i| chunk[i])));
        let values: Vec<u32> = values.collect();
        if values.iter().any(|value| *value as usize >= limit) {
            return None;
        }
        Some(values.chunks_exact(N).map(|chunk| std::array::from_fn(|i| chunk[i])).collect())
    }

    /// Text.
    pub fn text(&mut self) -> Option<String> {
        let length = self.count()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }
}
