//! Meshes that a robot names, as a model file may name them: in its own folder or below, in a format that pictures read.

use std::path::{Path, PathBuf};

/// Endings of geometry files that pictures read.
const READ: [&str; 4] = ["stl", "obj", "gltf", "glb"];

/// Where the robot and its model lie.
pub struct Folders<'a> {
    /// File of the robot.
    pub robot: &'a Path,
    /// Folder of the model file.
    pub model: &'a Path,
}

impl Folders<'_> {
    /// The name of a mesh relative to the model file, or why it is not drawn.
    pub fn name(&self, named: &str) -> Result<String, &'static str> {
        let ending = Path::new(named).extension().map(|ending| ending.to_string_lossy().to_lowercase());
        if !ending.is_some_and(|ending| READ.contains(&ending.as_str())) {
            return Err("is not drawn: pictures read .stl, .obj, .gltf and .glb");
        }
        let found = self.candidates(named).into_iter().find_map(|path| path.canonicalize().ok());
        let found = found.ok_or("is not drawn: there is no such file beside the robot")?;
        let model = if self.model.as_os_str().is_empty() { Path::new(".") } else { self.model };
        let model =
            model.canonicalize().map_err(|_| "is not drawn: the folder of the model does not exist yet")?;
        let inside = found.strip_prefix(model);
        let inside = inside.map_err(
            |_| "is not drawn: it lies outside the folder of the model; write the model above it (-o)",
        )?;
        let names: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
        names.map(|names| names.join("/")).ok_or("is not drawn: its name is no text")
    }

    /// Files that a name may mean: beside the robot, or in a package whose folder is one of those around it.
    fn candidates(&self, named: &str) -> Vec<PathBuf> {
        let folder = self.robot.parent().map(Path::to_path_buf).unwrap_or_default();
        let Some(package) = named.strip_prefix("package://") else {
            return vec![folder.join(named.strip_prefix("file://").unwrap_or(named))];
        };
        let within = package.split_once('/').map_or(package, |(_, within)| within);
        // A relative path has no folders above it: its own whole one has.
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let whole = folder.canonicalize().unwrap_or(folder);
        whole.ancestors().flat_map(|around| [around.join(package), around.join(within)]).collect()
    }
}
