//! Browsers: the user's own to look, a headless Chromium to draw pictures.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Names under which Chromium is installed.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Opens `address` in the user's browser; returns whether a program for that was found.
pub fn open(address: &str) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    // Without a screen, xdg-open may fall back to a text browser in this terminal.
    let screen = cfg!(target_os = "macos")
        || std::env::var_os("DISPLAY").is_some()
        || std::env::var_os("WAYLAND_DISPLAY").is_some();
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    screen && command.spawn().is_ok()
}

/// The Chromium to draw with: `FLEXURA_CHROMIUM`, else the first one on the path.
pub fn chromium() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("FLEXURA_CHROMIUM") {
        return Some(given.into()).filter(|path: &PathBuf| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|p| p.is_file())
}

/// Starts `program` without a screen on `address`; its files go to `profile`.
pub fn start_headless(
    program: &Path,
    address: &str,
    size: (u32, u32),
    profile: &Path,
) -> std::io::Result<Child> {
    let mut command = Command::new(program);
    command.args([
        "--headless",
        "--disable-gpu",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        // Keeps it running after the page is loaded.
        "--remote-debugging-port=0",
    ]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.arg(format!("--window-size={},{}", size.0, size.1));
    // Chromium refuses its sandbox to the superuser, who has no need of it here: only our own page is shown.
    if std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0) {
        command.arg("--no-sandbox");
    }
    command.arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}
