//! Any format: the environment variable `FLEXURA_FUZZ_TARGET` names it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| flexura_fuzz::chosen(data));
