//! Choices of a run: coordinates, methods, algorithms, formulations.

use super::closing::path_between;
use super::dice::Dice;
use super::document::{Document, name};
use super::scene::Scene;
use toml::Value;

/// How one run is computed.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Words for reports.
    pub words: &'static str,
    /// Lines of `[simulation]`.
    pub settings: &'static str,
    /// Step (s) of methods that do not control their error; 0 of those that do.
    pub step: f64,
    /// Threads of divide and conquer.
    pub threads: usize,
    /// What its tolerances are divided by.
    pub tighter: f64,
}

impl Route {
    const fn controlled(words: &'static str, settings: &'static str) -> Self {
        Self { words, settings, step: 0.0, threads: 1, tighter: 1.0 }
    }

    const fn stepped(words: &'static str, settings: &'static str, step: f64) -> Self {
        Self { words, settings, step, threads: 1, tighter: 1.0 }
    }
}

/// Every way to compute a motion. The first is the one that the others are compared with.
pub static ROUTES: [Route; 12] = [
    Route::controlled(
        "dormand-prince, articulated bodies",
        "method = \"dormand-prince\"\nalgorithm = \"articulated-body\"\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12",
    ),
    Route::controlled(
        "dormand-prince, divide and conquer",
        "method = \"dormand-prince\"\nalgorithm = \"divide-and-conquer\"\nleaf_bodies = 1\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12",
    ),
    Route::controlled(
        "radau, articulated bodies",
        "method = \"radau\"\nrelative_tolerance = 1e-9\nabsolute_tolerance = 1e-11",
    ),
    Route::controlled(
        "radau, divide and conquer",
        "method = \"radau\"\nalgorithm = \"divide-and-conquer\"\nleaf_bodies = 2\nrelative_tolerance = 1e-9\nabsolute_tolerance = 1e-11",
    ),
    Route::stepped("rk4", "method = \"rk4\"", 5e-4),
    Route::stepped("trapezoidal", "method = \"trapezoidal\"", 1e-3),
    Route::stepped("generalized-alpha", "method = \"generalized-alpha\"\nspectral_radius = 0.9", 1e-3),
    Route::stepped("hht", "method = \"hht\"", 1e-3),
    Route::stepped("energy-preserving", "method = \"energy-preserving\"", 1e-3),
    Route::stepped("energy-decaying", "method = \"energy-decaying\"\nspectral_radius = 0.9", 1e-3),
    Route::stepped("global", "formulation = \"global\"\nmethod = \"trapezoidal\"", 1e-3),
    Route::controlled(
        "dormand-prince, linear graph",
        "formulation = \"graph\"\nmethod = \"dormand-prince\"\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12",
    ),
];

/// Divide and conquer on two threads: its results must be those of one to the last bit.
pub static TWO_THREADS: Route = Route { threads: 2, ..THREADED };
const THREADED: Route = Route::controlled("dormand-prince, divide and conquer, two threads", ROUTES_DIVIDED);
const ROUTES_DIVIDED: &str = "method = \"dormand-prince\"\nalgorithm = \"divide-and-conquer\"\nleaf_bodies = 1\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12";

/// A choice of coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// Joint coordinates in the tree that the engine chooses.
    Joint,
    /// Six coordinates of every body.
    Absolute,
    /// Joint coordinates of these joints, other bodies being absolute.
    Mixed(Vec<String>),
    /// Joint coordinates of a tree without these joints.
    Cut(Vec<String>),
}

impl Tree {
    /// The joints that it names.
    pub fn joints(&self) -> &[String] {
        match self {
            Self::Mixed(list) | Self::Cut(list) => list,
            _ => &[],
        }
    }

    /// Words for reports.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Joint => "joint tree",
            Self::Absolute => "absolute",
            Self::Mixed(_) => "mixed",
            Self::Cut(_) => "cut elsewhere",
        }
    }

    /// Trees to try on a random model.
    pub fn choices(scene: &Scene, document: &Document, dice: &mut Dice) -> Vec<Self> {
        if depends_on_tree(document) {
            return vec![Self::Joint];
        }
        let mut list = vec![Self::Joint, Self::Absolute];
        let (tree, closing) = scene.joints.split_at(scene.bodies.len());
        let some: Vec<String> =
            tree.iter().filter(|_| dice.chance(0.5)).map(|joint| joint.name.clone()).collect();
        if !some.is_empty() && some.len() < tree.len() {
            list.push(Self::Mixed(some));
        }
        let mut cut: Vec<String> = Vec::new();
        for joint in closing {
            let path = path_between(scene, joint.bodies);
            let moving: Vec<usize> =
                path.into_iter().filter(|&i| scene.joints[i].kind.freedoms() > 0).collect();
            if !moving.is_empty() {
                cut.push(scene.joints[*dice.pick(&moving)].name.clone());
            }
        }
        cut.dedup();
        if !cut.is_empty() {
            list.push(Self::Cut(cut));
        }
        list
    }

    /// Puts the choice into a document; joints that are no longer there are left out.
    fn choose(&self, document: &mut Document) {
        let joints = document.get("joint").and_then(Value::as_array);
        let there: Vec<&str> = joints.into_iter().flatten().map(name).collect();
        let known = |list: &[String]| {
            let names = list.iter().filter(|joint| there.contains(&joint.as_str()));
            Value::Array(names.cloned().map(Value::String).collect())
        };
        let (key, value) = match self {
            Self::Joint => return,
            Self::Absolute => ("tree", Value::String("absolute".into())),
            Self::Mixed(list) => ("tree", known(list)),
            Self::Cut(list) => ("cut", known(list)),
        };
        let graph = [(key.to_string(), value)];
        document.insert("graph".into(), Value::Table(graph.into_iter().collect()));
    }
}

/// `document` with the choices of one run; steps are halved so often.
pub fn chosen(document: &Document, tree: &Tree, route: &Route, halved: i32) -> Document {
    let mut document = document.clone();
    tree.choose(&mut document);
    let simulation = document.entry("simulation").or_insert_with(|| Value::Table(Document::new()));
    if let (Some(table), Ok(settings)) = (simulation.as_table_mut(), route.settings.parse::<Document>()) {
        table.extend(settings);
        if route.step > 0.0 {
            table.insert("step".into(), Value::Float(route.step * 0.5_f64.powi(halved)));
        }
        for key in ["relative_tolerance", "absolute_tolerance"] {
            if let Some(Value::Float(tolerance)) = table.get_mut(key) {
                *tolerance /= route.tighter;
            }
        }
    }
    document
}

/// Whether another tree is another approximation: the constant mass of level `ruthless` is that seen from the joint that
/// carries the body, and points that do not move exactly with the modes have speeds that no tree but their own takes over.
fn depends_on_tree(document: &Document) -> bool {
    let bodies = document.get("body").and_then(Value::as_array);
    let word =
        |body: &Value, key: &str| body.get(key).and_then(Value::as_str).unwrap_or_default().to_string();
    bodies.into_iter().flatten().any(|body| {
        let (level, points) = (word(body, "level"), word(body, "attachments"));
        level == "ruthless" || level == "paper" || (!points.is_empty() && points != "exact")
    })
}

/// Takes the choices of a run out of a document; returns the trees to try, its own among them.
pub fn take_choices(document: &mut Document) -> Vec<Tree> {
    if depends_on_tree(document) {
        document.remove("graph");
        return vec![Tree::Joint];
    }
    let mut trees = vec![Tree::Joint, Tree::Absolute];
    if let Some(Value::Table(graph)) = document.remove("graph") {
        let list = |key: &str| -> Vec<String> {
            let one = |value: &Value| value.as_str().map(String::from);
            match graph.get(key) {
                Some(Value::Array(names)) => names.iter().filter_map(one).collect(),
                Some(Value::String(name)) if key == "cut" => vec![name.clone()],
                _ => Vec::new(),
            }
        };
        let (mixed, cut) = (list("tree"), list("cut"));
        trees.extend((!mixed.is_empty()).then_some(Tree::Mixed(mixed)));
        trees.extend((!cut.is_empty()).then_some(Tree::Cut(cut)));
    }
    if let Some(simulation) = document.get_mut("simulation").and_then(Value::as_table_mut) {
        simulation.retain(|key, _| ["start", "end", "output_interval", "initial", "event"].contains(&key));
    }
    trees
}
