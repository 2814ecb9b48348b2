//! The archive: description, library and resources.

use super::interface::{Interface, choices_text};
use super::terminals::terminals;
use super::{CHOICES_FILE, MODEL_FILE, Version, describe, token};
use flexura::Model;
use flexura::model::description::{Description, MethodDescription};
use std::io::{Seek, Write};
use zip::write::SimpleFileOptions;

/// How a model becomes an FMU.
#[derive(Clone, Debug)]
pub struct FmuOptions {
    /// Version of the standard.
    pub version: Version,
    /// Inputs by name or pattern.
    pub inputs: Vec<String>,
    /// Outputs by name or pattern.
    pub outputs: Vec<String>,
}

/// The files of an FMU, but for the library.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Version of the standard.
    pub version: Version,
    /// Name of the library, without its ending.
    pub identifier: String,
    /// Paths in the archive, and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// What the user should know.
    pub notices: Vec<String>,
    /// The variables.
    pub interface: Interface,
}

/// The folder of libraries for the platform this program runs on, and their ending.
pub fn platform_folder(version: Version) -> (String, &'static str) {
    let ending = std::env::consts::DLL_SUFFIX;
    let folder = match (version, std::env::consts::OS, std::env::consts::ARCH) {
        (Version::Two, "windows", _) => "win64".to_owned(),
        (Version::Two, "macos", _) => "darwin64".to_owned(),
        (Version::Two, ..) => "linux64".to_owned(),
        (Version::Three, "windows", arch) => format!("{arch}-windows"),
        (Version::Three, "macos", arch) => format!("{arch}-darwin"),
        (Version::Three, _, arch) => format!("{arch}-linux"),
    };
    (folder, ending)
}

/// Why a model is not offered for model exchange; `None` where it is.
fn no_exchange(description: &Description) -> Option<&'static str> {
    // An importer would integrate other coordinates than those of the file's run, and by another formulation.
    let global = matches!(description.simulation.method, MethodDescription::Global { .. });
    global.then_some(
        "the global formulation solves its constraints step by step and has no rates of states to give; \
         without `formulation = \"global\"` in `[simulation]` the FMU offers model exchange as well",
    )
}

/// The files of the FMU of a model: `text` is the model file with its parts named as they lie in `parts` (name and bytes).
pub fn contents(
    text: &str,
    description: &Description,
    model: &Model,
    parts: Vec<(String, Vec<u8>)>,
    options: &FmuOptions,
) -> Result<Contents, String> {
    let why_not = no_exchange(description);
    let chosen = (&options.inputs[..], &options.outputs[..]);
    let events = why_not.is_none().then_some(&description.simulation.events[..]);
    let interface = Interface::new(text, model, chosen, events)?;
    let mut notices = Vec::new();
    if let Some(why) = why_not {
        notices.push(format!("for co-simulation only: {why}"));
    }
    if interface.counts_work && model.elements.iter().any(|element| !element.kind.edges().is_empty()) {
        // The energy of a tyre jumps there, which no derivative tells.
        let lacks = "energy.work and energy.balance lack the work of edges of roads in model exchange";
        notices.push(lacks.to_owned());
    }
    let identifier = identifier(&description.name);
    let token = token(text, &interface);
    let xml = describe(
        options.version,
        &description.name,
        &identifier,
        &token,
        &interface,
        &description.simulation,
    );
    let mut files = vec![
        ("modelDescription.xml".to_owned(), xml.into_bytes()),
        (format!("resources/{MODEL_FILE}"), text.as_bytes().to_vec()),
    ];
    if let (Version::Three, Some(terminals)) = (options.version, terminals(&interface)) {
        files.push(("terminalsAndIcons/terminalsAndIcons.xml".to_owned(), terminals.into_bytes()));
    }
    let choices = choices_text(&options.inputs, &options.outputs, why_not.is_none());
    files.push((format!("resources/{CHOICES_FILE}"), choices.into_bytes()));
    files.extend(parts.into_iter().map(|(name, bytes)| (format!("resources/{name}"), bytes)));
    Ok(Contents { version: options.version, identifier, files, notices, interface })
}

/// A name that C and file systems take.
fn identifier(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let word: String = name.chars().map(plain).take(60).collect();
    match word.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => word,
        _ => format!("model_{word}"),
    }
}

/// Writes the archive with the library for this platform.
pub fn pack(contents: &Contents, library: &[u8], out: impl Write + Seek) -> Result<(), std::io::Error> {
    let mut archive = zip::ZipWriter::new(out);
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in &contents.files {
        archive.start_file(name.as_str(), options)?;
        archive.write_all(bytes)?;
    }
    let (folder, ending) = platform_folder(contents.version);
    let name = format!("binaries/{folder}/{}{ending}", contents.identifier);
    archive.start_file(name, options.unix_permissions(0o755))?;
    archive.write_all(library)?;
    archive.finish()?;
    Ok(())
}
