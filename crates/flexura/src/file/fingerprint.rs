//! Fingerprints: what tells one run from another, for checkpoints, sweeps and result files.

use super::Loaded;

/// FNV-1a, a stable 64-bit fingerprint.
///
/// ```
/// // The offset basis of the function's authors, which no byte has changed.
/// assert_eq!(flexura::file::fnv1a(b""), 0xcbf2_9ce4_8422_2325);
/// ```
#[doc(hidden)]
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What makes a run what it is: the program, the model text, the values set from outside, and the description that came of
/// them, in which the parts that were read from other files are numbers.
pub fn content_hash(loaded: &Loaded, settings: &[String]) -> String {
    let (program, text) = (env!("CARGO_PKG_VERSION"), loaded.spans.source());
    let all = format!("{program}\n{text}\n{settings:?}\n{:?}", loaded.built.description);
    format!("{:016x}", fnv1a(all.as_bytes()))
}
