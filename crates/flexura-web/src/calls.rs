//! The calls between module and script, without a tool that writes them: two functions in, two out, one piece of memory for
//! what the script hands over.
//!
//! Pointers are the reason for the unsafe code: WebAssembly passes numbers only, so texts and rows are places in the memory of
//! the module. The script reads what it is handed during the call and keeps no place beyond it.

#![allow(unsafe_code)]

use crate::job::{self, Host};
use serde_json::{Value, json};
use std::cell::RefCell;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// A JSON text for the page.
    fn say(text: *const u8, length: usize);
    /// Progress, and `count` numbers of rows that the page has not taken yet; returns 1 if it takes them now.
    fn watch(time: f64, fraction: f64, steps: f64, rows: *const f64, count: usize) -> u32;
}

thread_local! {
    /// What the page hands over.
    static GIVEN: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

struct Page;

impl Host for Page {
    fn say(&mut self, words: &Value) {
        tell(words);
    }

    fn watch(&mut self, time: f64, fraction: f64, steps: u64, rows: &[f64]) -> bool {
        // SAFETY: pointer and length belong to one slice that lives through the call, and the script only reads it.
        unsafe { watch(time, fraction, steps as f64, rows.as_ptr(), rows.len()) == 1 }
    }
}

fn tell(words: &Value) {
    let text = words.to_string();
    // SAFETY: pointer and length belong to one string that lives through the call, and the script only reads it.
    unsafe { say(text.as_ptr(), text.len()) }
}

/// Room for `length` bytes that the page fills before it calls [`flexura_check`] or [`flexura_run`].
#[unsafe(no_mangle)]
extern "C" fn flexura_room(length: usize) -> *mut u8 {
    GIVEN.with_borrow_mut(|given| {
        given.clear();
        given.resize(length, 0);
        given.as_mut_ptr()
    })
}

/// The text that the page handed over; its place is given back.
fn given() -> String {
    let bytes = GIVEN.with_borrow_mut(std::mem::take);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A fault of the program is a message, not silence: what follows it ends the module.
fn tell_faults() {
    std::panic::set_hook(Box::new(|fault| {
        tell(&json!({ "failed": format!("a fault of the program, please report it: {fault}") }));
    }));
}

/// Says `about`: which engine this is.
#[unsafe(no_mangle)]
extern "C" fn flexura_about() {
    let commit = option_env!("FLEXURA_COMMIT").unwrap_or("unknown");
    tell(&json!({ "about": { "version": env!("CARGO_PKG_VERSION"), "commit": commit } }));
}

/// Reads and builds the model of the given text; says `findings`.
#[unsafe(no_mangle)]
extern "C" fn flexura_check() {
    tell_faults();
    tell(&json!({ "findings": crate::check(&given(), "model.toml") }));
}

/// Runs the model of the given text.
#[unsafe(no_mangle)]
extern "C" fn flexura_run() {
    tell_faults();
    job::run(&given(), "model.toml", &mut Page);
}
