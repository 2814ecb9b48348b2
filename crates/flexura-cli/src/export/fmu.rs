//! `flexura export model.toml -o model.fmu`: a model as an FMU.

use crate::Outcome;
use crate::failure::Failure;
use crate::open;
use crate::print::print;
use crate::whole_file;
use flexura::file::{BodySource, SourceError, SourcedBody, check_with};
use flexura::model::description::BodyKind;
use flexura_exchange::fmi::{self, FmuOptions, Version};
use flexura_fem::reduced;
use std::io;
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
    let parsed =
        check_with(&text, &shown, &Parts(&parts)).map_err(|errors| Failure::Model(errors.to_string()))?;
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

/// The text with every part named as it lies in the FMU, and those files.
fn with_parts(text: &str, model: &Path) -> Result<(String, Files), Failure> {
    let source = open::source();
    let parsed = flexura::file::parse(text, &model.display().to_string());
    let parsed = parsed.map_err(|errors| Failure::Model(errors.to_string()))?;
    let folder = model.parent().map(Path::to_path_buf).unwrap_or_default();
    let (mut text, mut parts) = (text.to_owned(), Files::new());
    // From the last to the first, so that places before stay where they are.
    for (index, body) in parsed.description.bodies.iter().enumerate().rev() {
        let BodyKind::FiniteElements { file } = &body.kind else { continue };
        let reduced = source.reduced(&folder.join(file)).map_err(|fault| Failure::Model(fault.message))?;
        let name = format!("part_{}.{}", index + 1, reduced::ENDING);
        let Some(span) = parsed.spans.locate(&format!("body[{index}].fe")) else {
            return Err(Failure::Model(format!("body `{}`: the place of `fe` is not found", body.name)));
        };
        text.replace_range(span, &format!("\"{name}\""));
        parts.push((name, reduced::to_bytes(&reduced)));
    }
    Ok((text, parts))
}

/// Parts that are in memory, by name.
struct Parts<'a>(&'a Files);

impl BodySource for Parts<'_> {
    fn body(&self, path: &Path) -> Result<SourcedBody, SourceError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let refuse = |message: String| SourceError { message, help: "export the model again".into() };
        let found = self
            .0
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| refuse(format!("no part {name}")))?;
        let body = reduced::from_bytes(&found.1).map_err(|fault| refuse(fault.to_string()))?;
        Ok(SourcedBody { modal: body.modal, notices: body.notices, skin: None })
    }
}

/// The library that goes into FMUs: named by the environment, or beside this program.
fn library() -> Result<Vec<u8>, Failure> {
    let name = format!("{}flexura_fmu{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let named = std::env::var_os(LIBRARY_VARIABLE).map(PathBuf::from);
    let beside = std::env::current_exe().ok().map(|program| program.with_file_name(&name));
    // Where Cargo leaves it when only tests were built.
    let built =
        beside.as_ref().map(|path| path.with_file_name("deps").join(&name)).filter(|path| path.exists());
    let path =
        named.or(beside.filter(|path| path.exists())).or(built).unwrap_or_else(|| PathBuf::from(&name));
    std::fs::read(&path).map_err(|error| {
        Failure::File(format!(
            "the library for FMUs is not at {}: {error}; build it with `cargo build -p flexura-fmu`, or name it by {LIBRARY_VARIABLE}",
            path.display()
        ))
    })
}
