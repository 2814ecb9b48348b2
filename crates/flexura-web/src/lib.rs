//! The engine inside a page: a model as text comes in, findings, rows and the picture go out.
//!
//! `findings.rs` and `job.rs` are all of it without a pointer and run on any machine; `calls.rs` holds the few functions that
//! the script around the module calls and is called by, and exists in WebAssembly only. Whatever a run says goes through
//! [`Host`]; the page draws it.

#[cfg(target_family = "wasm")]
mod calls;
mod findings;
mod job;
mod source;

pub use findings::{check, findings};
pub use job::{Host, run};
