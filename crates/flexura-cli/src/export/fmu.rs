//! `flexura export model.toml -o model.fmu`: a model as an FMU.

use crate::Outcome;
use crate::failure::Failure;
use crate::open;
use crate::print::print;
use crate::whole_file;
use flexura::control::{Callback, ExternalLaw};
use flexura::file::{BodySource, SourceError, SourcedBody, check_with_files};
use flexura::model::description::{BodyKind, ControllerDescription};
use flexura_exchange::fmi::{self, FmuOptions, Version};
use flexura_fem::reduced;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Environment variable that names the library for FMUs.
const LIBRARY_VARIABLE: &str = "FLEXURA_FMU_LIBRARY";

/// Names and contents.
type Files = Vec<(String, Vec<u8>)>;

/// Writes the FMU of a model.
pub fn export(model: &Path, output: &Path, options: &FmuOptions) -> Outcome {
    let library = library()?;
    let loaded = open::open(model, &[])?;
    let text = flexura::file::read_plain_text(model)
        .map_err(|error| Failure::File(format!("cannot read model file {}: {error}", model.display())))?;
    let (text, parts) = with_parts(&text, model)?;
    let shown = model.display().to_string();
    let parsed = check_with_files(&text, &shown, &Parts(&parts), &parts)
        .map_err(|errors| Failure::Model(errors.to_string()))?;
    let contents = fmi::contents(&text, &parsed.description, &loaded.built.model, parts, options)
        .map_err(Failure::Usage)?;
    for notice in &contents.notices {
        eprintln!("notice: {notice}");
    }
    whole_file::replace(output, |file| fmi::pack(&contents, &library, file))
        .map_err(|error: io::Error| whole_file::unwritten(output, &error))?;
    let face = &contents.interface;
    print(&format!(
        "wrote {}: FMI {}, {} inputs, {} outputs, {} parameters, {}\n",
        output.display(),
        if options.version == Version::Two { "2.0" } else { "3.0" },
        face.inputs.len(),
        face.outputs.len(),
        face.parameters.len(),
        if face.states > 0 { "co-simulation and model exchange" } else { "co-simulation" },
    ))
}

/// The text with every part and every used file named as it lies in the FMU, and those files.
fn with_parts(text: &str, model: &Path) -> Result<(String, Files), Failure> {
    let source = open::source();
    let parsed = flexura::file::parse(text, &model.display().to_string());
    let parsed = parsed.map_err(|errors| Failure::Model(errors.to_string()))?;
    let folder = model.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut parts = Files::new();
    // Names of files by the place that has them now; one line may stand for many bodies.
    let mut names = Replacements::new();
    for (index, body) in parsed.description.bodies.iter().enumerate() {
        let BodyKind::FiniteElements { file } = &body.kind else { continue };
        let Some(span) = parsed.spans.locate(&format!("body[{index}].fe")) else {
            return Err(Failure::Model(format!("body `{}`: the place of `fe` is not found", body.name)));
        };
        let name = format!("part_{}.{}", index + 1, reduced::ENDING);
        if replace(&mut names, span, file, name.clone())? {
            let reduced =
                source.reduced(&folder.join(file)).map_err(|fault| Failure::Model(fault.message))?;
            parts.push((name, reduced::to_bytes(&reduced)));
        }
    }
    let used: Vec<&str> = parsed.spans.used_files().map(|(name, _)| name).collect();
    for (span, file) in parsed.spans.uses() {
        let number = used.iter().position(|known| *known == file).map_or(0, |place| place + 1);
        replace(&mut names, span, file, format!("used_{number}.toml"))?;
    }
    let mut texts = parsed.spans.files().map(|(text, base)| replaced(text, base, &names));
    let text = texts.next().unwrap_or_default();
    parts.extend(texts.enumerate().map(|(k, text)| (format!("used_{}.toml", k + 1), text.into_bytes())));
    Ok((text, parts))
}

/// Places, what they named and what they will name.
type Replacements = BTreeMap<(usize, usize), (String, String)>;

/// Notes that the file named at `span` gets another name; whether the place is new.
fn replace(names: &mut Replacements, span: Range<usize>, file: &str, name: String) -> Result<bool, Failure> {
    match names.get(&(span.start, span.end)) {
        Some((known, _)) if known != file => Err(Failure::Model(format!(
            "an FMU cannot hold `{known}` and `{file}`, which one line of the model names: give each a line of its own"
        ))),
        Some(_) => Ok(false),
        None => {
            names.insert((span.start, span.end), (file.to_owned(), name));
            Ok(true)
        }
    }
}

/// A text, whose first byte has the place `base`, with the names put in.
fn replaced(text: &str, base: usize, names: &Replacements) -> String {
    let mut text = text.to_owned();
    let inside = names.iter().filter(|((start, end), _)| *start >= base && *end <= base + text.len());
    let inside: Vec<_> = inside.collect();
    // From the last to the first, so that places before stay where they are.
    for ((start, end), (_, name)) in inside.into_iter().rev() {
        text.replace_range(start - base..end - base, &format!("\"{name}\""));
    }
    text
}

/// Parts that are in memory, by name.
struct Parts<'a>(&'a Files);

impl BodySource for Parts<'_> {
    fn law(
        &self,
        _: &Path,
        _: &ExternalLaw,
        controller: &ControllerDescription,
    ) -> Result<(Callback, usize), SourceError> {
        Err(SourceError {
            message: format!("controller `{}` is an FMU itself, which an FMU cannot hold", controller.name),
            help: "export the model without it, with `--inputs` in place of what it drives, and let the importer couple both".into(),
        })
    }

    fn body(&self, path: &Path) -> Result<SourcedBody, SourceError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let refuse = |message: String| SourceError { message, help: "export the model again".into() };
        let found = self
            .0
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| refuse(format!("no part {name}")))?;
        let body = reduced::from_bytes(&found.1).map_err(|fault| refuse(fault.to_string()))?;
        let mass = body.nodal.as_ref().map(|rows| std::sync::Arc::new(rows.nodal_mass()));
        Ok(SourcedBody { modal: body.modal, notices: body.notices, skin: None, recovery: None, mass })
    }
}

/// The library that goes into FMUs: named by the environment, or beside this program or the extension that holds it.
fn library() -> Result<Vec<u8>, Failure> {
    let name = format!("{}flexura_fmu{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let named = std::env::var_os(LIBRARY_VARIABLE).map(PathBuf::from);
    let beside = std::env::current_exe().ok().map(|program| program.with_file_name(&name));
    // Where Cargo leaves it when only tests were built.
    let built =
        beside.as_ref().map(|path| path.with_file_name("deps").join(&name)).filter(|path| path.exists());
    let held = flexura_fem::source::holder().map(|extension| extension.with_file_name(&name));
    let there = [beside, held].into_iter().flatten().find(|path| path.exists());
    let path = named.or(there).or(built).unwrap_or_else(|| PathBuf::from(&name));
    std::fs::read(&path).map_err(|error| {
        Failure::File(format!(
            "the library for FMUs is not at {}: {error}; releases and wheels have it beside the program, `cargo build -p flexura-fmu` makes it, and {LIBRARY_VARIABLE} names another place",
            path.display()
        ))
    })
}
