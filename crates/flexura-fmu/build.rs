//! The library inside FMUs needs no other library than that of C, because nobody knows where an FMU is opened.
//!
//! Rust's standard library asks for GCC's unwinder as a shared one (`libgcc_s.so.1`), which bare systems lack. A linker script of that
//! name, found first, puts in the static one that comes with the compiler.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| std::env::var(key).is_ok_and(|found| found == value);
    if !(is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu")) {
        return;
    }
    let Some(folder) = std::env::var_os("OUT_DIR") else { return };
    let script = Path::new(&folder).join("libgcc_s.so");
    match std::fs::write(&script, "/* GCC's unwinder, not shared. */\nINPUT(-lgcc_eh)\n") {
        Ok(()) => println!("cargo::rustc-link-search=native={}", Path::new(&folder).display()),
        Err(error) => println!("cargo::warning=the library for FMUs will need libgcc_s.so.1: {error}"),
    }
}
