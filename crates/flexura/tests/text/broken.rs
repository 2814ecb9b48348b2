//! Every broken model file against the whole text of its diagnostics.
//!
//! Set `FLEXURA_UPDATE=1` to write the expected texts anew; read the difference
//! before committing it.

use std::fs;
use std::path::{Path, PathBuf};

use flexura::file;

fn broken_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let entries = fs::read_dir(folder).expect("tests/broken exists");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files
}

/// All findings of reading, validating and building, as a user sees them.
fn diagnosis(path: &Path) -> String {
    let name = path.file_name().expect("a file").to_string_lossy();
    let text = fs::read_to_string(path).expect("readable file");
    let (diagnostics, spans) = match file::build_text(&text, &name) {
        Ok(loaded) => (loaded.warnings, loaded.spans),
        Err(errors) => (errors.diagnostics, *errors.spans),
    };
    file::render_all(&diagnostics, &spans)
}

#[test]
fn broken_models_are_explained() {
    let update = std::env::var_os("FLEXURA_UPDATE").is_some();
    let mut differing = Vec::new();
    let files = broken_files();
    for path in &files {
        let found = diagnosis(path);
        assert!(!found.is_empty(), "{} is not broken", path.display());
        let expected_path = path.with_extension("expected");
        if update {
            fs::write(&expected_path, &found).expect("writable folder");
        }
        let expected = fs::read_to_string(&expected_path).unwrap_or_default();
        if found != expected {
            differing.push(format!("{}\n{found}--- expected\n{expected}", path.display()));
        }
    }
    assert!(files.len() >= 45);
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn every_message_has_a_cause_and_a_fix() {
    for path in broken_files() {
        let text = diagnosis(&path);
        let findings = text.matches("error[").count() + text.matches("warning[").count();
        assert_eq!(text.matches("= help: ").count(), findings, "{text}");
        assert_eq!(text.matches("--> ").count(), findings, "{text}");
    }
}
