//! Models of the tests of derivatives.

/// A double pendulum with a PID controller.
pub(crate) const PENDULUM: &str = r#"
[model]
gravity = [0, 0, -9.81]

[[body]]
name = "upper"
mass = 1.3
inertia = [0.01, 0.02, 0.03]
center_of_mass = [0, 0, -0.3]
[[body.frame]]
name = "elbow"
position = [0, 0, -0.6]

[[body]]
name = "lower"
mass = 0.7
inertia = [0.005, 0.015, 0.01]
center_of_mass = [0, 0, -0.25]

[[joint]]
name = "shoulder"
type = "revolute"
axis = [0, 1, 0]
between = ["ground.origin", "upper.origin"]
position = 0.8
[[joint]]
name = "elbow"
type = "revolute"
axis = [0, 1, 0]
between = ["upper.elbow", "lower.origin"]
position = 0.4
speed = -1.5
stiffness = 4.0
damping = 0.05

[[controller]]
name = "pid"
sensors = ["shoulder.angle"]
actuators = ["shoulder.effort"]
reference = 0.2
proportional = 3.0
integral = 1.5
derivative = 0.4
filter = 0.05

[simulation]
method = "rk4"
step = 0.001
end = 1.0
output_interval = 0.25
"#;

/// A flexible arm with quaternions, a prescribed joint and a sampled controller.
pub(crate) const FLEXIBLE: &str = r#"
[model]
gravity = [0, 0, -9.81]

[[body]]
name = "arm"
[body.beam]
length = 1.2
density = 2700
young = 7e10
poisson = 0.33
section = { rectangle = [0.02, 0.012] }
boundary = "clamped-free"
bending_z = 2
axial = 1
damping = { ratios = [0.02, 0.02, 0.02] }
[[body.frame]]
name = "root"
station = "root"
[[body.frame]]
name = "tip"
station = "tip"

[[body]]
name = "load"
mass = 0.3
center_of_mass = [0.1, 0, 0.05]
inertia = [1e-4, 1e-4, 1e-4]

[[joint]]
name = "base"
type = "spherical"
between = ["ground.origin", "arm.root"]
orientation = { axis = [0, 1, 0], angle = 0.3 }
speed = [0.2, 0, 1.0]
stiffness = [50, 50, 50]
[[joint]]
name = "wrist"
type = "revolute"
axis = [0, 1, 0]
between = ["arm.tip", "load.origin"]
motion = { harmonic = { amplitude = 0.4, angular_frequency = 3.0 } }

[[controller]]
name = "hold"
sensors = ["arm.tip.position.z"]
actuators = ["base.effort.2"]
proportional = 5.0
derivative = 0.3
sample_time = 0.02

[simulation]
method = "rk4"
step = 5e-5
end = 0.1
output_interval = 0.05
"#;
