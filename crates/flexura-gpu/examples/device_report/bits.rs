//! Hashes: committed, of the emulation on this processor, of the device.

use crate::cases::{COMMITTED, cases};
use crate::report::{Report, say};
use flexura_gpu::{Choice, DeviceError};

pub fn section(report: &mut Report, choice: Choice) -> Result<(), DeviceError> {
    report.section("Bits");
    report.head(&["system", "committed", "emulation", "device", "equal"]);
    let (mut count, mut equal) = (0, 0);
    for (case, committed) in cases().iter().zip(COMMITTED.lines()) {
        let (committed, _) = committed.split_once(' ').unwrap_or((committed, ""));
        let [emulated, device] = [Choice::Emulated, choice].map(|choice| match (case.hash)(choice) {
            Ok(hash) => format!("{hash:016x}"),
            Err(error) => error.to_string().replace('\n', " "),
        });
        let same = committed == emulated && committed == device;
        (count, equal) = (count + 1, equal + usize::from(same));
        let word = if same { "yes" } else { "**no**" };
        say!(report, "| {} | {committed} | {emulated} | {device} | {word} |", case.name);
    }
    say!(report, "\n{equal} of {count} hashes are those committed, on this processor and on the device.");
    Ok(())
}
