//! Tells the program the commit it was built from.
//!
//! Only optimised builds ask: in the others every commit would build the command line again.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=FLEXURA_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rustc-env=FLEXURA_BUILT_FROM={}", commit().unwrap_or_default());
    }
}

/// The commit as the builder names it, as the package was made from, or of the clone around it.
fn commit() -> Option<String> {
    if let Ok(given) = std::env::var("FLEXURA_COMMIT") {
        return Some(given.trim().to_owned());
    }
    if let Ok(packaged) = std::fs::read_to_string(".cargo_vcs_info.json") {
        let sha = packaged.split("\"sha1\": \"").nth(1)?.split('"').next()?;
        return Some(sha.chars().take(12).collect());
    }
    // The clone's own, not that of a folder around an unpacked archive.
    let root = Path::new("../..");
    if !root.join(".git").exists() {
        return None;
    }
    println!("cargo::rerun-if-changed=../../.git/HEAD");
    println!("cargo::rerun-if-changed=../../.git/logs/HEAD");
    let found =
        Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).current_dir(root).output().ok()?;
    let name = String::from_utf8(found.stdout).ok()?.trim().to_owned();
    (found.status.success() && !name.is_empty()).then_some(name)
}
