//! Flexible bodies in files: reduced bodies (`.fxb`) and Standard Input Data, each as the body of a model.

use super::models::exercise;
use super::{put, told};
use flexura_fem::reduced::{from_bytes, to_bytes};
use flexura_fem::sid::{SidBody, read, write};
use std::path::Path;

/// A reduced-body file.
pub fn reduced_body(bytes: &[u8], folder: &Path) {
    match from_bytes(bytes) {
        Err(fault) => told(&fault.to_string()),
        Ok(body) => {
            // What was read is written as what it is.
            let again = to_bytes(&body);
            let twice = from_bytes(&again).map(|body| to_bytes(&body));
            assert_eq!(twice.ok().as_deref(), Some(&again[..]), "a body that does not read back");
            if body.picture.nodes.len() <= 2000 && body.modal.modes <= 60 {
                let _ = flexura_fem::reduced::svg::mode_amplitudes(&body);
                let one = vec![1.0; body.modal.modes];
                drop(flexura_fem::reduced::svg::picture(&body, &one, "<&fuzzed\u{1b}"));
            }
        }
    }
    put(folder, "fuzzed.fxb", bytes);
    in_a_model("fuzzed.fxb", folder);
}

/// A file of Standard Input Data.
pub fn sid(bytes: &[u8], folder: &Path) {
    let path = put(folder, "fuzzed.SID_FEM", bytes);
    match read(&path) {
        Err(fault) => told(&fault.to_string()),
        Ok(file) => {
            drop(write(&file));
            match SidBody::new(&file) {
                Err(fault) => told(&fault),
                Ok(body) => body.notices.iter().for_each(|notice| told(notice)),
            }
        }
    }
    in_a_model("fuzzed.SID_FEM", folder);
}

/// The body floating freely, and hanging.
fn in_a_model(file: &str, folder: &Path) {
    let text = format!(
        "[[body]]\nname = \"b\"\nfe = \"{file}\"\n\n[[joint]]\nname = \"j\"\ntype = \"revolute\"\n\
         between = [\"ground.origin\", \"b.origin\"]\naxis = [0, 1, 0]\n\n[simulation]\nend = 0.1\n"
    );
    let name = folder.join("model.toml").display().to_string();
    match flexura::file::build_text_with(&text, &name, &flexura_fem::PartSource::default()) {
        Ok(loaded) => exercise(&loaded),
        Err(errors) => told(&errors.to_string()),
    }
}
