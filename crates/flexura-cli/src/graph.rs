//! `flexura graph`: the linear graph of a model, its tree, loops and matrices.

mod columns;
mod dot;
mod layout;
mod matrices;
mod names;
mod picture;
mod svg;

use crate::Outcome;
use crate::failure::Failure;
use crate::loops::{loops_json, loops_text};
use crate::open::{open_description, refuse_same_file};
use crate::print::print;
use flexura::build::split_segments;
use flexura::graph::{Component, GraphError, GraphTree, LinearGraph, SystemGraph, gruebler};
use flexura::model::description::{Description, TreeChoice};
use flexura::model::words::{count, list, nearest};
use matrices::Matrices;
use picture::Picture;
use serde_json::json;
use std::path::{Path, PathBuf};

/// With more vertices than this no picture of our own is made.
const LARGEST_PICTURE: usize = 200;
/// With more vertices than this matrices are not printed: their size may grow with the square.
const LARGEST_MATRICES: usize = 2_000;

/// Draw the linear graph of a model: frames, components, tree and loops.
#[derive(clap::Args)]
#[command(
    after_help = "Edges: arm:BODY.FRAME, at:ground.FRAME, joints and elements by their names, body:BODY, force:NAME,
JOINT:spring, JOINT:effort, and dependent virtual work NAME:work1, NAME:work2.

Examples:
  flexura graph models/satellite.toml
  flexura graph models/satellite.toml --output pictures/satellite --hide-work
  flexura graph models/satellite.toml --matrices --tree absolute
  flexura graph models/satellite.toml --tree hinge_left,panel_right"
)]
pub struct Arguments {
    /// Model file (TOML); loops and bodies without joints are allowed here
    model: PathBuf,
    /// Files STEM.svg and STEM.dot; default: the model's name in the current folder
    #[arg(short, long, value_name = "STEM")]
    output: Option<PathBuf>,
    /// Tree instead of the file's: `joint` (joints before bodies), `absolute` (bodies before joints), or
    /// names of joints, bodies or other edges, with commas, that must be branches; bodies do the rest
    #[arg(long, value_name = "CHOICE")]
    tree: Option<String>,
    /// Leave dependent virtual work out of the pictures
    #[arg(long)]
    hide_work: bool,
    /// Print incidence, cutset and circuit matrices
    #[arg(long)]
    matrices: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn graph(arguments: &Arguments) -> Outcome {
    let description = split_segments(&open_description(&arguments.model)?);
    let system = SystemGraph::new(&description);
    let tree = choose_tree(&system, arguments.tree.as_deref(), &description.graph.tree)?;
    if arguments.matrices && system.graph.vertices().len() > LARGEST_MATRICES {
        let text = format!("--matrices: the graph has more than {LARGEST_MATRICES} vertices");
        return Err(Failure::Usage(text));
    }
    let files = write_pictures(
        arguments,
        &Picture::new(&description.name, &system.graph, &tree, !arguments.hide_work),
    )?;
    let matrices = arguments.matrices.then(|| Matrices::new(&system.graph, &tree));
    if arguments.json {
        return print(&format!("{}\n", as_json(&description, &system, &tree, matrices, &files)?));
    }
    let mut text = summary(&description, &system.graph, &tree);
    text += &loops_text(&description, &gruebler(&description).map_err(usage)?);
    text += &matrices.map_or(String::new(), |matrices| matrices.text());
    text += &format!("written: {}\n", files.join(", "));
    print(&text)
}

fn usage(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}

/// The tree that was asked for: on the command line, else in the file.
fn choose_tree(system: &SystemGraph, option: Option<&str>, file: &TreeChoice) -> Result<GraphTree, Failure> {
    let choice = match option {
        None => file.clone(),
        Some("joint") => TreeChoice::Joint,
        Some("absolute") => TreeChoice::Absolute,
        Some(names) => TreeChoice::Listed(names.split(',').map(|name| name.trim().to_string()).collect()),
    };
    system.tree(&choice).map_err(|error| {
        let names = || system.graph.edges().iter().map(|edge| edge.name.as_str());
        let hint = match &error {
            GraphError::UnknownEdge(name) => nearest(name, names()).map_or_else(
                || format!("; edges: {}", list(names())),
                |near| format!("; did you mean `{near}`?"),
            ),
            _ => String::new(),
        };
        Failure::Usage(format!("the tree cannot be chosen so: {error}{hint}"))
    })
}

/// Writes the files and returns their names.
fn write_pictures(arguments: &Arguments, picture: &Picture<'_>) -> Result<Vec<String>, Failure> {
    let stem = arguments
        .output
        .clone()
        .unwrap_or_else(|| PathBuf::from(arguments.model.file_stem().unwrap_or_default()));
    let mut files = vec![("dot", dot::dot(picture))];
    if picture.graph.vertices().len() <= LARGEST_PICTURE {
        files.insert(0, ("svg", svg::svg(picture)));
    } else {
        eprintln!("note: more than {LARGEST_PICTURE} vertices; only the DOT file is written");
    }
    files.into_iter().map(|(extension, text)| write(&arguments.model, &stem, extension, &text)).collect()
}

fn write(model: &Path, stem: &Path, extension: &str, text: &str) -> Result<String, Failure> {
    // Appended, not replaced: a stem such as `arm.v2` keeps its dot.
    let mut path = stem.as_os_str().to_os_string();
    path.push(format!(".{extension}"));
    let path = PathBuf::from(path);
    refuse_same_file(model, &path)?;
    crate::whole_file::write(&path, text)?;
    Ok(path.display().to_string())
}

/// How many of what, and which edges are the tree.
fn summary(description: &Description, graph: &LinearGraph, tree: &GraphTree) -> String {
    let of = |component: fn(&Component) -> bool| {
        graph.edges().iter().filter(|edge| component(&edge.component)).count()
    };
    let name = |&edge: &usize| graph.edges()[edge].name.as_str();
    let coordinates = tree.branches.iter().filter(|&&edge| {
        matches!(
            graph.edges()[edge].component,
            Component::Joint(_) | Component::MotionDriver | Component::Body
        )
    });
    let cut = tree.chords.iter().filter(|&&edge| graph.edges()[edge].component.is_kinematic());
    let cut: Vec<&str> = cut.map(name).collect();
    let lines = [
        format!("graph of `{}`", description.name),
        format!("  vertices            {}", graph.vertices().len()),
        format!(
            "  edges               {}: {} branches, {} chords",
            graph.edges().len(),
            tree.branches.len(),
            tree.chords.len()
        ),
        format!(
            "  arms                {}: {} flexible",
            of(|c| matches!(c, Component::RigidArm | Component::FlexibleArm)),
            of(|c| *c == Component::FlexibleArm)
        ),
        format!(
            "  drivers             {}: {}, {}",
            of(|c| matches!(c, Component::PositionDriver | Component::MotionDriver)),
            count(of(|c| *c == Component::PositionDriver), "ground frame"),
            count(of(|c| *c == Component::MotionDriver), "prescribed joint")
        ),
        format!("  joints              {}", of(|c| matches!(c, Component::Joint(_)))),
        format!("  bodies              {}", of(|c| *c == Component::Body)),
        format!("  forces              {}", of(|c| matches!(c, Component::Force(_)))),
        format!("  virtual work        {}", of(|c| *c == Component::VirtualWork)),
        format!("  in the tree         {}", list(coordinates.map(name))),
        format!("  joints as chords    {}", if cut.is_empty() { "none".into() } else { list(cut) }),
    ];
    lines.join("\n") + "\n"
}

fn as_json(
    description: &Description,
    system: &SystemGraph,
    tree: &GraphTree,
    matrices: Option<Matrices>,
    files: &[String],
) -> Result<serde_json::Value, Failure> {
    let graph = &system.graph;
    let vertex = |index: usize| &graph.vertices()[index];
    let edges: Vec<serde_json::Value> = graph
        .edges()
        .iter()
        .enumerate()
        .map(|(index, edge)| {
            json!({
                "name": edge.name,
                "tail": vertex(edge.tail),
                "head": vertex(edge.head),
                "component": edge.component.word(),
                "branch": tree.is_branch(index),
            })
        })
        .collect();
    let mut object = json!({
        "name": description.name,
        "datum": vertex(graph.datum()),
        "vertices": graph.vertices(),
        "edges": edges,
        "freedoms": loops_json(description, &gruebler(description).map_err(usage)?),
        "files": files,
    });
    if let Some(matrices) = matrices {
        object["matrices"] = matrices.json();
    }
    Ok(object)
}
