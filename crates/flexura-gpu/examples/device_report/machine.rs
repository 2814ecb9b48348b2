//! The machine that a report is of: device, driver, clocks, processor.

use crate::kinds::cores;
use crate::report::{Report, say};
use flexura_gpu::{Choice, cuda_devices};
use std::process::Command;

/// What a program says on its standard output.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// The value of the first line of a file that begins with `key`.
pub fn line_of(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

/// Names the machine; which device the report is of.
pub fn name(report: &mut Report) -> Choice {
    say!(report, "# Devices: report of flexura {}\n", env!("CARGO_PKG_VERSION"));
    let processor = line_of("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".into());
    say!(report, "- processor: {processor}, {} cores", cores());
    if let Some(memory) = line_of("/proc/meminfo", "MemTotal") {
        say!(report, "- memory: {memory}");
    }
    let list = match cuda_devices() {
        Ok(list) => list,
        Err(error) => {
            say!(report, "- {error}; emulated on the processor instead, with small sizes");
            return Choice::Emulated;
        }
    };
    for device in &list {
        let ((all, free), (major, minor, processors)) = (device.memory, device.capability);
        let (free, all) = (free as f64 / 1e9, all as f64 / 1e9);
        say!(
            report,
            "- {}: {}, {free:.1} of {all:.1} GB free, capability {major}.{minor}, {processors} multiprocessors",
            device.word,
            device.name
        );
    }
    let asked =
        "--query-gpu=name,driver_version,clocks.sm,clocks.max.sm,clocks.max.mem,power.limit,ecc.mode.current";
    match said("nvidia-smi", &[asked, "--format=csv"]) {
        Some(text) => text.lines().for_each(|line| say!(report, "- nvidia-smi: {line}")),
        None => match std::fs::read_to_string("/proc/driver/nvidia/version") {
            Ok(text) => say!(report, "- driver: {}", text.lines().next().unwrap_or_default()),
            Err(_) => say!(report, "- driver: unknown (neither nvidia-smi nor /proc/driver/nvidia)"),
        },
    }
    Choice::Cuda(0)
}
