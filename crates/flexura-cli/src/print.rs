//! What is said on the terminal: standard output that a reader may close early, and words of files that steer nothing.

use crate::Outcome;
use crate::failure::Failure;
use std::borrow::Cow;
use std::io::{ErrorKind, Write, stdout};

/// Prints `text`; a closed pipe (`flexura … | head`) is no failure.
pub fn print(text: &str) -> Outcome {
    crate::busy::quiet();
    let mut out = stdout().lock();
    match out.write_all(harmless(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::File(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// The same text without characters that move the cursor, change colours or turn the direction of reading: names in files
/// may hold any, and a terminal obeys them.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.contains(steers) { Cow::Owned(text.replace(steers, "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// Whether a terminal or a reader of mixed scripts obeys a character instead of showing it.
fn steers(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || letter.is_control() && !matches!(letter, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn escapes_are_shown_and_not_obeyed() {
        assert_eq!(harmless("a\u{1b}[31mb\r\u{7}c\u{9b}2J"), "a\u{fffd}[31mb\u{fffd}\u{fffd}c\u{fffd}2J");
        assert_eq!(harmless("m\u{202e}lmt"), "m\u{fffd}lmt");
        assert_eq!(harmless("Größe\t1 µm\n"), "Größe\t1 µm\n");
    }
}
