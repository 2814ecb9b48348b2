//! What an importer needs of `modelDescription.xml`, by FMI 2.0 (section 2.2) and 3.0 (section 2.4).

use super::super::Version;
use roxmltree::{Document, Node};

/// A variable of an FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct FmuVariable {
    /// Name.
    pub name: String,
    /// Reference.
    pub reference: u32,
    /// `input`, `output`, `parameter`, ...
    pub causality: String,
    /// Whether it is one real number.
    pub real: bool,
}

/// A co-simulation FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct FmuDescription {
    /// Version of the standard.
    pub version: Version,
    /// Name of the library, without its ending.
    pub identifier: String,
    /// Token by which the library knows its description.
    pub token: String,
    /// Whether a process may have one instance only.
    pub only_once: bool,
    /// Variables.
    pub variables: Vec<FmuVariable>,
}

impl FmuDescription {
    /// Reads a description; what cannot be run here is refused.
    pub fn read(text: &str) -> Result<Self, String> {
        let document = Document::parse(text).map_err(|fault| format!("modelDescription.xml: {fault}"))?;
        let root = document.root_element();
        if root.tag_name().name() != "fmiModelDescription" {
            return Err("modelDescription.xml is no description of an FMU".into());
        }
        let given = root.attribute("fmiVersion").unwrap_or_default();
        let version = match given.split('.').next() {
            Some("2") => Version::Two,
            Some("3") => Version::Three,
            _ => return Err(format!("FMI {given} is not known here: 2.0 and 3.0 are")),
        };
        let part = root.children().find(|node| node.has_tag_name("CoSimulation"));
        let Some(part) = part else { return Err("the FMU is not for co-simulation".into()) };
        let truth = |name: &str| part.attribute(name) == Some("true") || part.attribute(name) == Some("1");
        if truth("needsExecutionTool") {
            return Err("the FMU needs the program that wrote it (needsExecutionTool)".into());
        }
        let needed = |node: Node<'_, '_>, name: &str| {
            node.attribute(name)
                .map(str::to_owned)
                .ok_or_else(|| format!("modelDescription.xml: `{name}` is missing"))
        };
        let token = if version == Version::Two { "guid" } else { "instantiationToken" };
        let variables = root.children().find(|node| node.has_tag_name("ModelVariables"));
        let variables = variables
            .into_iter()
            .flat_map(|node| node.children().filter(Node::is_element).collect::<Vec<_>>());
        Ok(Self {
            version,
            identifier: needed(part, "modelIdentifier")?,
            token: needed(root, token)?,
            only_once: truth("canBeInstantiatedOnlyOncePerProcess"),
            variables: variables.map(|node| variable(node, version)).collect::<Result<_, _>>()?,
        })
    }

    /// Names of the real variables of a causality, in their order.
    pub fn names(&self, causality: &str) -> Vec<String> {
        let fitting = self.variables.iter().filter(|found| found.causality == causality && found.real);
        fitting.map(|found| found.name.clone()).collect()
    }
}

fn variable(node: Node<'_, '_>, version: Version) -> Result<FmuVariable, String> {
    let name = node.attribute("name").unwrap_or_default().to_owned();
    let reference = node.attribute("valueReference").and_then(|text| text.parse().ok());
    let reference = reference.ok_or_else(|| format!("modelDescription.xml: `{name}` has no reference"))?;
    let has = |tag: &str| node.children().any(|child| child.has_tag_name(tag));
    let real = match version {
        Version::Two => has("Real"),
        Version::Three => node.has_tag_name("Float64") && !has("Dimension"),
    };
    let causality = node.attribute("causality").unwrap_or("local").to_owned();
    Ok(FmuVariable { name, reference, causality, real })
}
