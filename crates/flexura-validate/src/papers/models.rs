//! Small models that the checks run on.

use crate::context::Fault;
use crate::run::model;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, evaluate};

/// Two flexible beams and a rigid body: hinge, ball, hinge.
const ARM: &str = r#"
[model]
name = "arm"
gravity = [0, 0, -9.81]
[[body]]
name = "upper"
frame = [{ name = "tip", station = "tip" }]
beam = { length = 1.0, density = 2700, young = 7e8, poisson = 0.3, section = { tube = [0.02, 0.018] }, boundary = "clamped-free", bending_y = 2, bending_z = 1 }
[[body]]
name = "fore"
frame = [{ name = "tip", station = "tip" }]
beam = { length = 0.7, density = 2700, young = 7e8, poisson = 0.3, section = { tube = [0.015, 0.012] }, boundary = "clamped-free", bending_y = 1, bending_z = 1 }
[[body]]
name = "hand"
mass = 0.4
inertia = [2e-3, 3e-3, 4e-3]
center_of_mass = [0.05, 0, 0]
[[joint]]
name = "shoulder"
type = "revolute"
between = ["ground.origin", "upper.origin"]
axis = [0, 1, 0]
[[joint]]
name = "elbow"
type = "spherical"
between = ["upper.tip", "fore.origin"]
[[joint]]
name = "wrist"
type = "revolute"
between = ["fore.tip", "hand.origin"]
axis = [1, 0, 0]
[simulation]
end = 1.0
"#;

const FOUR_BAR: &str = include_str!("../../../../models/validation/flexnet_four_bar.toml");
const SLIDER: &str = include_str!("../../../../models/validation/slider_crank_3d.toml");

/// The arm with beams of an inertia level, in a general state.
pub fn arm(level: &str) -> Result<(Model, State), Fault> {
    general(ARM, level)
}

fn general(text: &str, level: &str) -> Result<(Model, State), Fault> {
    let text = text.replace("beam = {", &format!("level = \"{level}\"\nbeam = {{"));
    let built = model(&text, "arm.toml")?;
    let model = built.model;
    let mut state = State::initial(&model, 0.0);
    for part in &model.layout.bodies {
        for (i, x) in state.q[part.modal_q()].iter_mut().enumerate() {
            *x = 0.004 * (1.0 + i as f64);
        }
        if part.joint_v == 3 {
            state.q[part.joint_q()].copy_from_slice(&[0.8, 0.36, -0.48, 0.0]);
        } else if part.joint_v == 1 {
            state.q[part.joint_q()][0] = 0.6;
        }
    }
    for (i, x) in state.v.iter_mut().enumerate() {
        *x = 1.3 - 0.37 * i as f64;
    }
    Ok((model, state))
}

/// The arm with its first joint free in six directions.
pub fn floating_arm(level: &str) -> Result<(Model, State), Fault> {
    let hinge = "type = \"revolute\"\nbetween = [\"ground.origin\", \"upper.origin\"]\naxis = [0, 1, 0]";
    general(&ARM.replace(hinge, "type = \"free\"\nbetween = [\"ground.origin\", \"upper.origin\"]"), level)
}

/// The arm with a hinge for an elbow: every speed is the rate of a coordinate.
pub fn hinged_arm() -> Result<(Model, State), Fault> {
    let ball = "type = \"spherical\"\nbetween = [\"upper.tip\", \"fore.origin\"]";
    general(
        &ARM.replace(
            ball,
            "type = \"revolute\"\nbetween = [\"upper.tip\", \"fore.origin\"]\naxis = [0.6, 0, 0.8]",
        ),
        "gram",
    )
}

/// The arm pulled at the tip of its second body, and by what (N).
pub fn pulled_arm() -> Result<(Model, State, [f64; 3]), Fault> {
    let pull = "[[force]]\nname = \"pull\"\nat = \"fore.tip\"\nforce = [3, -7, 5]\n[simulation]";
    let (model, state) = general(&ARM.replace("[simulation]", pull), "gram")?;
    Ok((model, state, [3.0, -7.0, 5.0]))
}

/// The arm in the same state without the pull.
pub fn unpulled_arm() -> Result<(Model, State), Fault> {
    arm("gram")
}

/// Stiffness (N/m) and damping (N s/m) of the spring of [`sprung_arm`].
pub const SPRING: (f64, f64) = (4e5, 700.0);

/// The arm with a spring and damper between the hand and the ground, as long as it is without force.
pub fn sprung_arm() -> Result<(Model, State), Fault> {
    let (model, state) = arm("gram")?;
    let mut work = evaluated(&model, &state)?;
    work.poses(&model, &state);
    let hand = work.motion.poses.position[2];
    let length = hand.iter().zip([0.3, 0.9, 0.2]).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    let (stiffness, damping) = SPRING;
    let spring = format!(
        "[[ground.frame]]\nname = \"wall\"\nposition = [0.3, 0.9, 0.2]\n[[element]]\nname = \"spring\"\ntype = \"spring-damper\"\nbetween = [\"ground.wall\", \"hand.origin\"]\nstiffness = {stiffness}\ndamping = {damping}\nfree_length = {length:?}\n[simulation]"
    );
    general(&ARM.replace("[simulation]", &spring), "gram")
}

/// The spatial slider-crank at its start.
pub fn slider_crank() -> Result<(Model, State), Fault> {
    start(SLIDER, "slider_crank_3d.toml")
}

/// The flexible four-bar of the fourth paper at its start.
pub fn four_bar() -> Result<(Model, State), Fault> {
    start(FOUR_BAR, "flexnet_four_bar.toml")
}

fn start(text: &str, name: &str) -> Result<(Model, State), Fault> {
    let model = model(text, name)?.model;
    let state = State::initial(&model, 0.0);
    Ok((model, state))
}

/// Text of the slider-crank, for runs.
pub fn slider_text() -> (&'static str, &'static str) {
    (SLIDER, "slider_crank_3d.toml")
}

/// An evaluation of the recursions at `state`.
pub fn evaluated(model: &Model, state: &State) -> Result<Workspace, Fault> {
    let (mut work, mut state) = (Workspace::new(model), state.clone());
    apply_prescribed(model, &mut state, Some(&mut work.load));
    evaluate(model, &state, &mut work)?;
    Ok(work)
}

/// Largest difference over the largest entry of what is expected.
pub fn apart(found: &[f64], expected: &[f64]) -> f64 {
    let size = expected.iter().fold(1e-300, |most: f64, x| most.max(x.abs()));
    let worst = found
        .iter()
        .zip(expected)
        .fold(0.0, |most: f64, (a, b)| crate::sampled::keep_worst(most, (a - b).abs()));
    if found.len() == expected.len() { worst / size } else { f64::NAN }
}
