//! What runs and sweeps leave: result files with all that reads them, and the journals of sweeps.

use super::{put, text, told};
use flexura_output::fatigue::{history_damage, read_curve};
use flexura_output::stress::{Gauge, read_gauges};
use flexura_output::{Scene, journal as lines, saved_page};
use flexura_results::{ResultFile, export_csv, export_parquet, repair};
use std::path::Path;

/// Larger results are opened, but not shown.
const LARGEST: usize = 1 << 16;

/// A result file: read, exported, shown as a page, repaired.
pub fn result(bytes: &[u8], folder: &Path) {
    let path = put(folder, "fuzzed.fxr", bytes);
    let file = match ResultFile::open(&path) {
        Ok(file) => file,
        Err(fault) => return told(&fault.to_string()),
    };
    let names: Vec<String> = file.channel_names().map(str::to_owned).collect();
    for name in &names {
        if let Ok(values) = file.channel(name) {
            assert_eq!(values.len(), file.rows(), "channel {name}");
        }
    }
    if file.rows().saturating_mul(names.len()) <= LARGEST {
        exports(&file);
    }
    match Scene::new(file) {
        Err(fault) => told(&fault.to_string()),
        Ok(mut scene) => page(&mut scene),
    }
    match repair(&path) {
        Err(fault) => told(&fault.to_string()),
        Ok(_) => drop(ResultFile::open(&path).expect("a repaired file can be read")),
    }
}

fn exports(file: &ResultFile) {
    let mut table = Vec::new();
    if let Err(fault) = export_csv(file, &["*"], &mut table) {
        told(&fault.to_string());
    }
    if let Err(fault) = export_parquet(file, &["*"], std::io::sink()) {
        told(&fault.to_string());
    }
}

fn page(scene: &mut Scene) {
    for index in 0..scene.channels.len().min(4) {
        drop(scene.channel(index));
    }
    match saved_page(scene, 8_000_000) {
        Err(fault) => told(&fault.to_string()),
        // Names end no script and begin none.
        Ok(page) => assert_eq!(page.matches("</script").count(), page.matches("<script").count(), "script"),
    }
}

/// A journal of a sweep: what is read is written as the same line again.
pub fn journal(bytes: &[u8], _: &Path) {
    let (whole, entries) = lines::read(bytes);
    assert!(whole <= bytes.len());
    for (key, entry) in entries {
        let line = entry.to_line(&key);
        let (again, found) = lines::Entry::from_line(&line).expect("a line that was written");
        assert_eq!((again, found.to_line(&key)), (key.clone(), line));
    }
    drop(text(bytes));
}

/// A fatigue curve: read, and a history of stress judged by it.
pub fn fatigue_curve(bytes: &[u8], folder: &Path) {
    put(folder, "points.csv", b"cycles,amplitude\n1e3,480e6\n1e6,260e6\n");
    match read_curve(&put(folder, "curve.toml", bytes)) {
        Err(fault) => told(&fault.to_string()),
        Ok(case) => {
            let damage = history_damage(&[0.0, 300e6, -200e6, 450e6, 0.0], &case).sum;
            assert!(damage >= 0.0, "a damage of {damage}");
        }
    }
}

/// Strain gauges: read, laid on a surface, and strained.
pub fn gauges(bytes: &[u8], folder: &Path) {
    match read_gauges(&put(folder, "gauges.toml", bytes)) {
        Err(fault) => told(&fault.to_string()),
        Ok(entries) => {
            for entry in entries {
                let normal = entry.normal.unwrap_or([0.0, 0.0, 1.0]);
                let Ok(gauge) = Gauge::new(entry.direction, normal, &entry.angles, entry.material) else {
                    continue;
                };
                for grid in &gauge.grids {
                    let length: f64 = grid.iter().map(|part| part * part).sum();
                    assert!((length - 1.0).abs() < 1e-9, "a grid of the length {length}");
                }
                assert!(
                    gauge
                        .rosette(&[1e6, 2e6, 0.0, 3e5, 0.0, 0.0])
                        .is_none_or(|found| found.angle.abs() < 2.0)
                );
            }
        }
    }
}
