//! Fingerprints: what tells one run from another, for checkpoints, sweeps and result files.

use std::fmt::Write;

use super::Loaded;

/// FNV-1a, a stable 64-bit fingerprint.
///
/// ```
/// // The offset basis of the function's authors, which no byte has changed.
/// assert_eq!(flexura::file::fnv1a(b""), 0xcbf2_9ce4_8422_2325);
/// ```
#[doc(hidden)]
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().copied().fold(OFFSET_BASIS, with_byte)
}

/// What makes a run what it is: the program, the model text, the values set from outside, and the description that came of
/// them, in which the parts that were read from other files are numbers.
pub fn content_hash(loaded: &Loaded, settings: &[String]) -> String {
    let (program, text) = (env!("CARGO_PKG_VERSION"), loaded.spans.source());
    let mut hash = Fingerprint(OFFSET_BASIS);
    // Taking bytes cannot fail, and a description of a million bodies need not be written out first.
    let _ = write!(hash, "{program}\n{text}\n{settings:?}\n{:?}", loaded.built.description);
    format!("{:016x}", hash.0)
}

/// Offset basis of FNV-1a.
const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// A fingerprint of what has been written to it.
struct Fingerprint(u64);

impl Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 = text.bytes().fold(self.0, with_byte);
        Ok(())
    }
}

fn with_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}
