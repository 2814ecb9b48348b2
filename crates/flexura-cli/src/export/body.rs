//! `flexura export model.toml --body NAME`: a flexible body for other programs.

use crate::Outcome;
use crate::failure::Failure;
use crate::open;
use crate::print::print;
use crate::whole_file;
use flexura_fem::sid;
use std::path::Path;

/// Writes body `name` of a model as a SID file, and says what that cannot hold.
pub fn export(model: &Path, name: &str, output: Option<&Path>) -> Outcome {
    let loaded = open::open(model, &[])?;
    let built = &loaded.built.model;
    let Some(index) = built.bodies.iter().position(|body| body.name == name) else {
        let names: Vec<&str> =
            built.bodies.iter().filter(|body| body.modes > 0).map(|body| body.name.as_str()).collect();
        return Err(Failure::Usage(format!(
            "--body {name}: no such body; flexible bodies: {}",
            names.join(", ")
        )));
    };
    let Some((file, left_out)) = sid::sid_of_body(built, index) else {
        return Err(Failure::Usage(format!(
            "--body {name}: the body is rigid; SID files hold flexible bodies"
        )));
    };
    let default = format!("{name}.{}", sid::ENDING);
    let output = output.unwrap_or(Path::new(&default));
    let ending = output.extension().unwrap_or_default();
    if !ending.eq_ignore_ascii_case(sid::ENDING) {
        let shown = output.display();
        return Err(Failure::Usage(format!(
            "--output {shown}: bodies are written as SID, ending in .{}",
            sid::ENDING
        )));
    }
    for what in &left_out {
        eprintln!("notice: SID cannot hold: {what}");
    }
    whole_file::write(output, sid::write(&file))?;
    let (modes, nodes) = (file.modes.len(), file.nodes.len());
    print(&format!("wrote {}: {modes} modes, {nodes} nodes\n", output.display()))
}
