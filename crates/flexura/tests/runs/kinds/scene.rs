//! The small mechanism that every kind acts on: crank and bob, once as an open chain and once with the bob's tip on a
//! slider, in every choice of coordinates.

/// What a kind is made of: lines of the elbow, further items, and the bob it acts on.
#[derive(Clone, Copy)]
pub struct Row {
    /// Kind and variant, for messages.
    pub name: &'static str,
    /// Item that a refusal must name.
    pub item: &'static str,
    /// Type, axes and initial values of the elbow.
    pub elbow: &'static str,
    /// Laws in the elbow's table.
    pub law: &'static str,
    /// Further items.
    pub extra: &'static str,
    /// The bob.
    pub bob: &'static str,
    /// Channels of the kind itself.
    pub channels: &'static [&'static str],
    /// Where it is refused: a word of the route or the tree, and a word of the message.
    pub refused: &'static [(&'static str, &'static str)],
}

/// The elbow turns about y; the start meets the slider.
pub const REVOLUTE: &str = "type = \"revolute\"\naxis = [0, 1, 0]\nposition = 1.777106";
/// A cross: the chain leaves its plane.
pub const UNIVERSAL: &str =
    "type = \"universal\"\naxis = [0, 1, 0]\naxis2 = [0, 0, 1]\nposition = [1.777106, 0.0]";

pub const RIGID: &str = "mass = 0.8\ninertia = [0.02, 0.04, 0.05]\ncenter_of_mass = [0.25, 0.0, 0.0]\n\
    frame = [{ name = \"near\" }, { name = \"middle\", position = [0.3, 0, 0] }, { name = \"tip\", position = [0.6, 0, 0] }]";
/// Soft, so that its vibrations are as slow as the motion.
pub const BEAM: &str = "frame = [{ name = \"near\", station = \"root\" }, { name = \"tip\", station = \"tip\" }]\n\
    beam = { length = 0.6, boundary = \"clamped-free\", axial = 1, bending_y = 1, bending_z = 1, torsion = 1, properties = \
    { axial = 400, bending_y = 3, bending_z = 3, torsion = 3, mass = 1.0, rotary = [0.02, 0.01, 0.01] } }";
pub const MODAL: &str = "frame = [{ name = \"near\", node = \"root\" }, { name = \"tip\", node = \"end\" }]\n\
    modal = { stiffness = [30.0, 50.0], node = [\n\
    { name = \"root\", mass = 0.3, inertia = [0.01, 0.01, 0.01] },\n\
    { name = \"end\", mass = 0.5, inertia = [0.01, 0.01, 0.01], position = [0.6, 0, 0], \
    slopes = [[0, -1, 0], [0, 0, 1]], translations = [[0, 0, 0.5], [0, 0.5, 0]] }] }";

/// Open chain or closed loop, and the choice of coordinates.
#[derive(Clone, Copy)]
pub struct Tree {
    /// Words for messages and for refusals.
    pub words: &'static str,
    /// Whether the tip is on a slider.
    pub closed: bool,
    /// The section `[graph]`.
    pub graph: &'static str,
}

/// Every choice of coordinates; the first of its kind is the reference. `elbow cut` marks where the elbow
/// closes a loop.
pub const TREES: [Tree; 8] = [
    Tree { words: "chain, joint tree", closed: false, graph: "" },
    Tree {
        words: "chain, absolute, elbow cut, hinge cut",
        closed: false,
        graph: "[graph]\ntree = \"absolute\"",
    },
    Tree { words: "chain, mixed, elbow cut", closed: false, graph: "[graph]\ntree = [\"hinge\"]" },
    Tree { words: "chain, mixed, hinge cut", closed: false, graph: "[graph]\ntree = [\"elbow\"]" },
    Tree { words: "loop, joint tree", closed: true, graph: "[graph]\ncut = \"pin\"" },
    Tree { words: "loop, elbow cut", closed: true, graph: "[graph]\ncut = \"elbow\"" },
    Tree {
        words: "loop, absolute, elbow cut, hinge cut",
        closed: true,
        graph: "[graph]\ntree = \"absolute\"",
    },
    Tree { words: "loop, mixed, elbow cut", closed: true, graph: "[graph]\ntree = [\"hinge\", \"pin\"]" },
];

/// A slider on a rail where the elbow leaves it a motion; else one that only carries its mass along.
fn rail(elbow: &str, law: &str) -> &'static str {
    if (elbow == REVOLUTE || elbow == UNIVERSAL) && !law.contains("motion") {
        "type = \"prismatic\"\naxis = [1, 0, 0]\nposition = 0.697910"
    } else {
        "type = \"translational\""
    }
}

impl Row {
    /// The model of this row; `acts` is whether the kind is in it.
    pub fn text(&self, tree: &Tree, method: &str, acts: bool) -> String {
        let (law, extra) = if acts { (self.law, self.extra) } else { ("", "") };
        let (elbow, bob, graph) = (self.elbow, self.bob, tree.graph);
        // The loop has one speed to give; the others follow.
        let speed = match tree.closed {
            true => "",
            false if elbow == UNIVERSAL => "speed = [2.0, 1.0]",
            false if elbow == REVOLUTE && !law.contains("motion") => "speed = 2.0",
            false => "",
        };
        let slider = format!(
            "[[body]]\nname = \"slider\"\nmass = 0.5\ninertia = [0.01, 0.01, 0.01]\n\
             [[joint]]\nname = \"rail\"\nbetween = [\"ground.origin\", \"slider.origin\"]\n{}\n\
             [[joint]]\nname = \"pin\"\ntype = \"spherical\"\nbetween = [\"bob.tip\", \"slider.origin\"]\n",
            rail(elbow, self.law)
        );
        let slider = if tree.closed { slider } else { String::new() };
        format!(
            r#"
{graph}
[[ground.frame]]
name = "base"
position = [0.55, 0.1, -0.2]
rotation = {{ axis = [0.6, 0.8, 0], angle = 0.2 }}
[[body]]
name = "link"
mass = 1.0
inertia = [0.01, 0.03, 0.03]
center_of_mass = [0.25, 0, 0]
frame = [{{ name = "end", position = [0.5, 0, 0] }}]
[[body]]
name = "bob"
{bob}
[[joint]]
name = "hinge"
type = "revolute"
axis = [0, 1, 0]
between = ["ground.origin", "link.origin"]
position = -1.0
speed = 1.5
[[joint]]
name = "elbow"
between = ["link.end", "bob.near"]
{elbow}
{speed}
{law}
{slider}
[simulation]
end = 0.04
output_interval = 0.01
{method}
{extra}
"#
        )
    }
}
