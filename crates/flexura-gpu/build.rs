//! Puts the kernels into one source text: NVRTC compiles it at run time, a C++ compiler here for the emulation.

use std::path::Path;

/// In the order in which they need each other.
const FILES: [&str; 18] = [
    "numbers.h",
    "tables.h",
    "teams.h",
    "joints.h",
    "points.h",
    "functions.h",
    "inertia.h",
    "motion.h",
    "inward.h",
    "team_inertia.h",
    "team_inward.h",
    "outward.h",
    "nodes.h",
    "team_nodes.h",
    "paths.h",
    "loads.h",
    "stepping.h",
    "kernels.cu",
];

fn main() {
    let folder = std::env::var("OUT_DIR").unwrap_or_default();
    let mut text = String::new();
    for name in FILES {
        let path = Path::new("kernels").join(name);
        println!("cargo:rerun-if-changed={}", path.display());
        match std::fs::read_to_string(&path) {
            Ok(part) => text += &part,
            Err(error) => {
                println!("cargo:error=cannot read {}: {error}", path.display());
                return;
            }
        }
    }
    let whole = Path::new(&folder).join("kernels.cpp");
    match std::fs::write(&whole, text) {
        Ok(()) => compile(&whole),
        Err(error) => println!("cargo:error=cannot write {}: {error}", whole.display()),
    }
}

#[cfg(not(feature = "emulation"))]
fn compile(_: &Path) {}

#[cfg(feature = "emulation")]
fn compile(whole: &Path) {
    cc::Build::new()
        .cpp(true)
        .file(whole)
        .opt_level(2)
        .debug(false)
        // The same bits as on a device: no fused operations.
        .flag("-ffp-contract=off")
        .flag_if_supported("-Wno-unused-function")
        .flag_if_supported("-Wno-unused-parameter")
        .flag_if_supported("-Wno-maybe-uninitialized")
        .flag_if_supported("-Wno-unknown-pragmas")
        .compile("flexura_kernels");
}
