//! The model language against models written out by hand, Python's arithmetic and files made to grow without end.

mod limits;

use flexura::file::{self, FileErrors};
use flexura::model::description::Description;
use std::fmt::Write;

/// The description of a text, or panics with what is wrong.
fn read(text: &str) -> Description {
    file::parse(text, "model.toml").unwrap_or_else(|errors| panic!("{errors}")).description
}

/// Everything a description holds; equal words are equal bits.
fn words(description: &Description) -> String {
    format!("{description:?}")
}

fn refused(text: &str) -> FileErrors {
    match file::build_text(text, "model.toml") {
        Ok(_) => panic!("the model is built:\n{text}"),
        Err(errors) => errors,
    }
}

/// Files beside each other in a folder of their own, removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("flexura-language-{name}-{}", std::process::id()));
        for (file, text) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("writable");
            std::fs::write(file, text).expect("writable");
        }
        Self(path)
    }

    fn model(&self) -> String {
        self.0.join("model.toml").display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const CHAIN: &str = r#"
[let]
n = 20
l = 0.1
m = "= 2.5*l"
stiff = [3, 2, 1]

[define.link]
mass = "= m"
inertia = ["= m*l^2/1000", "= m*l^2/12", "= m*l^2/12"]
center_of_mass = ["= l/2", 0, 0]
frame = [{ name = "tip", position = ["= l", 0, 0] }]

[[body]]
name = "link{i}"
repeat = "= n"
like = "link"

[[joint]]
name = "hinge{i}"
repeat = "= n"
type = "revolute"
between = ["{if(i == 1, 'ground.origin', 'link' & (i - 1) & '.tip')}", "link{i}.origin"]
axis = [0, "= if(mod(i, 2) == 0, 1, 0)", "= if(mod(i, 2) == 0, 0, 1)"]
stiffness = "= stiff[min(i, len(stiff))]"

[simulation]
end = "= 2*l"
output_interval = 0.1
"#;

/// The same chain as a program of a user would have written it.
fn chain_by_hand() -> String {
    let (n, l) = (20, 0.1);
    let m: f64 = 2.5 * l;
    let mut text = String::new();
    for i in 1..=n {
        let (thin, thick) = (m * f64::powf(l, 2.0) / 1000.0, m * f64::powf(l, 2.0) / 12.0);
        let _ = write!(
            text,
            "[[body]]\nname = \"link{i}\"\nmass = {m:?}\ninertia = [{thin:?}, {thick:?}, {thick:?}]\n\
             center_of_mass = [{:?}, 0, 0]\n[[body.frame]]\nname = \"tip\"\nposition = [{l:?}, 0, 0]\n",
            l / 2.0
        );
    }
    for i in 1..=n {
        let before = if i == 1 { "ground.origin".into() } else { format!("link{}.tip", i - 1) };
        let axis = if i % 2 == 0 { "[0, 1, 0]" } else { "[0, 0, 1]" };
        let stiffness = [3, 2, 1][i.min(3) - 1];
        let _ = write!(
            text,
            "[[joint]]\nname = \"hinge{i}\"\ntype = \"revolute\"\nbetween = [\"{before}\", \"link{i}.origin\"]\n\
             axis = {axis}\nstiffness = {stiffness}\n"
        );
    }
    let _ = write!(text, "[simulation]\nend = {:?}\noutput_interval = 0.1\n", 2.0 * l);
    text
}

#[test]
fn an_array_is_the_model_written_out() {
    assert_eq!(words(&read(CHAIN)), words(&read(&chain_by_hand())));
}

#[test]
fn an_array_runs_to_the_bits_of_the_model_written_out() {
    let run = |text: &str| {
        let loaded = file::build_text(text, "model.toml").unwrap_or_else(|errors| panic!("{errors}"));
        let result = flexura::Simulation::of(&loaded.built).run().expect("a run");
        let columns = result.names().iter().flat_map(|name| result.channel(name).expect("a channel"));
        columns.map(f64::to_bits).collect::<Vec<u64>>()
    };
    let (array, by_hand) = (run(CHAIN), run(&chain_by_hand()));
    assert!(array.len() > 200, "only {} numbers", array.len());
    assert_eq!(array, by_hand);
}

/// One corner with two bodies, its own finite parts and a frame outside.
const CORNER: &str = r#"
[let]
side = 1
radius = 0.3

[[ground.frame]]
name = "post"
position = ["= side*0.7", 0, 0]

[[body]]
name = "arm"
mass = 2
inertia = [0.1, 0.1, 0.1]
frame = [{ name = "tip", position = [0, "= side*0.5", 0] }]

[[body]]
name = "wheel"
mass = "= 10*radius"
inertia = [0.3, 0.5, 0.3]

[[joint]]
name = "swing"
type = "revolute"
between = ["outer.mount", "arm.origin"]
axis = [1, 0, 0]

[[joint]]
name = "spin"
type = "revolute"
between = ["arm.tip", "wheel.origin"]
axis = [0, 1, 0]

[[element]]
name = "strut"
type = "spring-damper"
between = ["ground.post", "arm.tip"]
stiffness = 1000

[[controller]]
name = "servo"
sensors = ["swing.angle", "outer.lean"]
reference = [0, 0]
type = "state-space"
a = []
b = []
c = []
d = [[1, 1]]
actuators = ["swing.effort"]

[[picture]]
body = "wheel"
sphere = "= radius"
"#;

const CAR: &str = r#"
[[body]]
name = "hull"
mass = 100
inertia = [10, 10, 10]
frame = [
  { name = "left", position = [0, 0.5, 0] },
  { name = "right", position = [0, -0.5, 0] },
]

[[joint]]
name = "ride"
type = "prismatic"
between = ["ground.origin", "hull.origin"]
axis = [0, 0, 1]

[[use]]
name = "l"
file = "parts/corner.toml"
outer = { mount = "hull.left", lean = "ride.displacement" }

[[use]]
name = "r"
file = "parts/corner.toml"
let = { side = -1, radius = "= 0.3 + 0.1" }
outer = { mount = "hull.right", lean = "ride.displacement" }
position = [5, 0, 0]
rotation = { axis = [0, 0, 1], angle_deg = 90 }
"#;

#[test]
fn a_used_file_is_the_file_written_out() {
    let folder = Folder::new("car", &[("model.toml", CAR), ("parts/corner.toml", CORNER)]);
    let used = file::load(folder.model()).unwrap_or_else(|errors| panic!("{errors}")).description;
    // By hand: names with a prefix, outer frames put in, the ground of the right corner moved.
    let mut by_hand = CAR.split("[[use]]").next().expect("the hull").to_owned();
    for (name, side, radius, mount, post) in [
        ("l", 1, "0.3", "hull.left", "position = [0.7, 0, 0]"),
        ("r", -1, "0.4", "hull.right", "position = [5, -0.7, 0]"),
    ] {
        let mut text = CORNER.split_once("[[ground.frame]]").expect("frames").1.to_owned();
        text.insert_str(0, "[[ground.frame]]");
        for item in ["arm", "wheel", "swing", "spin", "strut", "servo", "post"] {
            text = text.replace(&format!("\"{item}\""), &format!("\"{name}/{item}\""));
            text = text.replace(&format!("\"{item}."), &format!("\"{name}/{item}."));
        }
        let text = text
            .replace("ground.post", &format!("ground.{name}/post"))
            .replace("position = [\"= side*0.7\", 0, 0]", post)
            .replace("\"= side*0.5\"", &format!("{:?}", f64::from(side) * 0.5))
            .replace("\"= 10*radius\"", if side > 0 { "3" } else { "4" })
            .replace("\"= radius\"", radius)
            .replace("outer.mount", mount)
            .replace("outer.lean", "ride.displacement");
        by_hand.push_str(&text);
    }
    let by_hand = read(&by_hand);
    assert_eq!(format!("{:?}", used.bodies), format!("{:?}", by_hand.bodies));
    assert_eq!(format!("{:?}", used.joints), format!("{:?}", by_hand.joints));
    assert_eq!(format!("{:?}", used.elements), format!("{:?}", by_hand.elements));
    assert_eq!(format!("{:?}", used.controllers), format!("{:?}", by_hand.controllers));
    assert_eq!(format!("{:?}", used.pictures), format!("{:?}", by_hand.pictures));
    // Frames on the ground are turned by a quaternion: equal to rounding.
    for (used, by_hand) in used.ground_frames.iter().zip(&by_hand.ground_frames) {
        assert_eq!(used.name, by_hand.name);
        let far = used.position.iter().zip(by_hand.position).map(|(a, b)| (a - b).abs());
        assert!(far.fold(0.0, f64::max) < 1e-15, "{used:?} {by_hand:?}");
    }
    let origin = used.ground_frames.last().expect("the placed origin");
    assert_eq!((origin.name.as_str(), origin.position), ("r/origin", [5.0, 0.0, 0.0]));
    assert_eq!(used.ground_frames.len(), by_hand.ground_frames.len() + 1);
}

#[test]
fn used_files_nest_and_repeat() {
    let row = "[let]\ny = 0\n[[use]]\nname = \"c{i}\"\nrepeat = 3\nfile = \"cell.toml\"\nlet = { x = \"= i\", y = \"= y\" }\n";
    let cell = "[let]\nx = 0\ny = 0\n[[body]]\nname = \"dot\"\npoint_mass = \"= x + 10*y\"\n[[joint]]\nname = \"at\"\ntype = \"weld\"\nbetween = [\"ground.origin\", \"dot.origin\"]\n";
    let model = "[[use]]\nname = \"row{j}\"\nrepeat = { j = [2, 3] }\nfile = \"parts/row.toml\"\nlet = { y = \"= j\" }\nposition = [0, \"= j\", 0]\n";
    let folder =
        Folder::new("nest", &[("model.toml", model), ("parts/row.toml", row), ("parts/cell.toml", cell)]);
    let description = file::load(folder.model()).unwrap_or_else(|errors| panic!("{errors}")).description;
    let names: Vec<&str> = description.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(
        names,
        ["row2/c1/dot", "row2/c2/dot", "row2/c3/dot", "row3/c1/dot", "row3/c2/dot", "row3/c3/dot"]
    );
    assert!(format!("{:?}", description.bodies[4].kind).contains("32"), "{:?}", description.bodies[4]);
    assert!(format!("{:?}", description.joints[4]).contains("ground.row3/c2/origin"));
}

#[test]
fn definitions_are_joined_key_by_key_and_name_by_name() {
    let text = r#"
[define.base]
let = { r = 0.5 }
mass = "= r"
inertia = [1, 1, 1]
frame = [{ name = "a", position = [1, 0, 0] }, { name = "b", position = [0, "= r", 0] }]
[define.heavy]
like = "base"
let = { r = 7 }
[[body]]
name = "x"
like = "heavy"
frame = [{ name = "b", rotation = { axis = [0, 0, 1], angle = 1 } }, { name = "c" }]
[[body]]
name = "y"
like = "base"
mass = 3
"#;
    let hand = r#"
[[body]]
name = "x"
mass = 7
inertia = [1, 1, 1]
frame = [{ name = "a", position = [1, 0, 0] }, { name = "b", position = [0, 7, 0], rotation = { axis = [0, 0, 1], angle = 1 } }, { name = "c" }]
[[body]]
name = "y"
mass = 3
inertia = [1, 1, 1]
frame = [{ name = "a", position = [1, 0, 0] }, { name = "b", position = [0, 0.5, 0] }]
"#;
    assert_eq!(words(&read(text)), words(&read(hand)));
}

#[test]
fn formulas_have_the_values_of_python() {
    let table = include_str!("../data/formulas.tsv");
    let mut text = String::from("[let]\na = 0.375\nb = -2.5\ncount = 7\nsmall = 1e-3\n");
    let lines: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    for (k, line) in lines.iter().enumerate() {
        let _ = write!(text, "[[ground.frame]]\nname = \"f{k}\"\nposition = [\"= {}\", 0, 0]\n", line[0]);
    }
    let description = read(&text);
    assert_eq!(description.ground_frames.len(), 400);
    for (line, frame) in lines.iter().zip(&description.ground_frames) {
        let (found, expected) = (frame.position[0], hexadecimal(line[1]));
        let allowed = if line[2] == "exact" { 0.0 } else { 4.0 * f64::EPSILON * expected.abs() };
        // Sums of close terms enlarge what functions leave in the last place.
        let allowed = if line[2] == "close" { allowed.max(1e-12) } else { allowed };
        assert!((found - expected).abs() <= allowed, "{}: {found:e}, Python {expected:e}", line[0]);
    }
}

/// A number as Python's `float.hex` writes it.
fn hexadecimal(text: &str) -> f64 {
    let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let (digits, exponent) = rest.strip_prefix("0x").and_then(|rest| rest.split_once('p')).expect("hex");
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u64::from_str_radix(&format!("{whole}{part}"), 16).expect("digits") as f64;
    let power: i32 = exponent.parse().expect("an exponent");
    // Halves, because 2^-1074 and the like cannot be made in one step.
    let shift = power - 4 * part.len() as i32;
    sign * mantissa * 2_f64.powi(shift / 2) * 2_f64.powi(shift - shift / 2)
}

#[test]
fn parameters_are_numbers_of_the_text() {
    let set = file::set_parameter(CHAIN, "l", "0.2").expect("a variable");
    assert_eq!(set, CHAIN.replace("\nl = 0.1", "\nl = 0.2"));
    let shorter = read(&file::set_parameter(CHAIN, "n", "3.0").expect("a count"));
    assert_eq!(shorter.bodies.len(), 3);
    let error = file::find_parameter(CHAIN, "link.mass").expect_err("a formula").to_string();
    assert!(error.contains("= m") && error.contains("formula"), "{error}");
}

#[test]
fn equal_findings_of_many_instances_are_one() {
    let text = "[[body]]\nname = \"b{i}\"\nrepeat = 1000\nmass = \"= 500 - i\"\ninertia = [1, 1, 1]\n";
    let errors = refused(text).to_string();
    assert!(errors.contains("(and 499 more from the same line)"), "{errors}");
    assert!(errors.contains("note: for i = 501") && errors.contains("model.toml:4:8"), "{errors}");
    assert!(errors.len() < 2000, "{errors}");
}

#[test]
fn equal_bodies_share_what_was_computed_of_them() {
    let text = r#"
[let]
young = [7e10, 7e10, 2e11]
[[body]]
name = "beam{i}"
repeat = 3
beam = { length = 1, density = 2700, young = "= young[i]", poisson = 0.3, section = { circle = 0.01 }, boundary = "clamped-free", bending_y = 2 }
[[joint]]
name = "hinge{i}"
repeat = 3
type = "revolute"
between = ["ground.origin", "beam{i}.origin"]
axis = [0, 1, 0]
"#;
    let loaded = file::build_text(text, "model.toml").unwrap_or_else(|errors| panic!("{errors}"));
    let [first, second, third] = &loaded.built.model.bodies[..] else { panic!("three bodies") };
    assert!(std::sync::Arc::ptr_eq(&first.nodes, &second.nodes));
    assert!(!std::sync::Arc::ptr_eq(&first.nodes, &third.nodes));
    assert_eq!((first.name.as_str(), second.name.as_str()), ("beam1", "beam2"));
    assert_ne!(format!("{:?}", first.stiffness), format!("{:?}", third.stiffness));
}

#[test]
fn the_last_index_runs_fastest_and_zero_is_none() {
    let text = "[[body]]\nname = \"b{i}_{j}\"\nrepeat = { i = 2, j = [5, 6] }\npoint_mass = \"= 10*i + j\"\n\
                [[body]]\nname = \"none{i}\"\nrepeat = 0\npoint_mass = 1\n";
    let description = read(text);
    let names: Vec<&str> = description.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["b1_5", "b1_6", "b2_5", "b2_6"]);
    assert!(format!("{:?}", description.bodies[2].kind).contains("25.0"));
}
