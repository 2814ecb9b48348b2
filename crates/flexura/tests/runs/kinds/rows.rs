//! One row for every kind and variant: the fewest lines that make it act within 40 ms.

use super::scene::*;

/// Natural coordinates have no tangent of these.
const NOT_GLOBAL: &[(&str, &str)] = &[("global", "global formulation")];
/// Laws need a measure, which rotation vectors and crosses of joints that close loops have not.
const NO_MEASURE: &[(&str, &str)] = &[("elbow cut", "elbow"), ("global", "elbow")];

const ELEMENT: Row = Row {
    name: "",
    item: "it",
    elbow: UNIVERSAL,
    law: "",
    extra: "",
    bob: RIGID,
    channels: &["it.*"],
    refused: &[],
};
const LAW: Row = Row { item: "elbow", elbow: REVOLUTE, channels: &[], ..ELEMENT };
const KIND: Row = Row { elbow: "", ..LAW };
const LOAD: Row = Row { bob: BEAM, channels: &["it.load_power"], refused: NOT_GLOBAL, ..ELEMENT };
const CONTROL: Row = Row { elbow: REVOLUTE, channels: &["it.output.1"], refused: NOT_GLOBAL, ..ELEMENT };
const FORCE: Row = Row { channels: &["it.force_power"], ..ELEMENT };

macro_rules! element {
    ($name:literal, $keys:literal) => {
        Row {
            name: $name,
            extra: concat!("[[element]]\nname = \"it\"\nbetween = [\"ground.base\", \"bob.tip\"]\n", $keys),
            ..ELEMENT
        }
    };
}

/// A plane or a road that a ball or wheel at the middle of the bob has just entered.
macro_rules! touching {
    ($name:literal, $keys:literal) => {
        Row {
            name: $name,
            extra: concat!(
                "[[ground.frame]]\nname = \"floor\"\nposition = [0, 0, -0.07]\n",
                "[[element]]\nname = \"it\"\nbetween = [\"ground.floor\", \"bob.middle\"]\n",
                $keys
            ),
            ..ELEMENT
        }
    };
}

pub const ELEMENTS: &[Row] = &[
    element!(
        "spring-damper",
        "type = \"spring-damper\"\nstiffness = 200\nfree_length = 0.1\npreload = 5\ndamping = 8"
    ),
    element!(
        "spring-damper along an axis, two dampings",
        "type = \"spring-damper\"\naxis = [0.6, 0, 0.8]\npolynomial = [3, 100, 900]\ndamping = { compression = 4, extension = 9 }"
    ),
    element!(
        "spring-damper of tables",
        "type = \"spring-damper\"\ntable = { extensions = [0, 0.2, 0.5], forces = [0, 30, 90], interpolation = \"monotone\" }\n\
         damping = { rates = [-3, 0, 3], forces = [-20, 0, 30] }"
    ),
    element!(
        "torsion-spring-damper",
        "type = \"torsion-spring-damper\"\naxis = [0, 1, 0]\nstiffness = 8\npreload = 0.5\ndamping = 0.2"
    ),
    element!(
        "torsion-spring-damper, polynomial",
        "type = \"torsion-spring-damper\"\naxis = [0, 1, 0]\npolynomial = [1, 3, 2]\ndamping = { compression = 0.1, extension = 0.3 }"
    ),
    element!(
        "torsion-spring-damper of a table",
        "type = \"torsion-spring-damper\"\naxis = [0, 1, 0]\ntable = { angles = [-3, 0, 3], torques = [-20, 0, 30] }"
    ),
    element!(
        "bushing",
        "type = \"bushing\"\nstiffness = [3, 4, 5, 100, 120, 140]\ndamping = [0.1, 0.2, 0.3, 4, 5, 6]\n\
         cubic = [1, 1, 1, 200, 200, 200]\npreload = [0.1, 0.2, 0.3, 1, 2, 3]"
    ),
    element!(
        "bump-stop",
        "type = \"bump-stop\"\ngap = 0.5\nstiffness = 400\nexponent = 1.3\ndissipation = 0.2"
    ),
    element!("bump-stop along an axis", "type = \"bump-stop\"\naxis = [0, 0, 1]\ngap = 0.6\nstiffness = 300"),
    element!("rod", "type = \"rod\"\nlength = 0.25\nstiffness = 400\ndamping = 5"),
    element!(
        "drag",
        "type = \"drag\"\ndensity = 20\ncoefficient = [1, 1.2, 0.8]\narea = [0.3, 0.2, 0.4]\nmedium_velocity = [-4, 1, 2]"
    ),
    touching!(
        "contact",
        "type = \"contact\"\nradius = 0.3\nstiffness = 3000\nexponent = 1.4\ndissipation = 0.3\nfriction = 0.4\nfriction_speed = 0.5"
    ),
    touching!(
        "tyre, brush",
        "type = \"tyre\"\nradius = 0.3\nstiffness = 3000\ndamping = 10\nlow_speed = 2\nslip_point = \"contact\"\n\
         brush = { cornering_stiffness = 200, longitudinal_stiffness = 300, friction = 0.8, half_length = 0.05 }"
    ),
    touching!(
        "tyre, linear",
        "type = \"tyre\"\nradius = 0.3\nstiffness = 3000\nlow_speed = 2\ndeflection = \"normal\"\n\
         road = [{ ramp = { start = 0, length = 4, height = 0.1 } }]\n\
         linear = { cornering = 200, camber = 50, aligning = 3, overturning = 4, trail = 0.02 }"
    ),
    touching!(
        "tyre, Calspan",
        "type = \"tyre\"\nradius = 0.3\nstiffness = 3000\nlow_speed = 2\ndeflection = \"vertical\"\nslip_point = \"center\"\n\
         calspan = { cornering = [20, 1, 12930], camber = [0.5, 18175], friction = [-4.64e-5, 1.216, 2.18e-11], \
         skid = 1.0274, aligning = [-1.71e-5, 1.71e-5] }"
    ),
    Row {
        name: "coupler",
        elbow: REVOLUTE,
        extra: "[[element]]\nname = \"it\"\ntype = \"coupler\"\nbetween = [\"hinge\", \"elbow.angle\"]\n\
                factors = [0.7, -1.0]\noffset = -2.2\nstiffness = 20\ndamping = 0.3",
        refused: NOT_GLOBAL,
        ..ELEMENT
    },
    element!(
        "actuator along a line",
        "type = \"actuator\"\neffort = { harmonic = { amplitude = 30, frequency = 10, offset = 10 } }"
    ),
    element!("actuator about an axis", "type = \"actuator\"\naxis = [0, 1, 0]\neffort = 4"),
];

/// Laws of a joint's coordinate.
pub const LAWS: &[Row] = &[
    Row { name: "stiffness", law: "stiffness = 10", ..LAW },
    Row { name: "rest", law: "stiffness = 10\nrest = 1.0", ..LAW },
    Row { name: "damping", law: "damping = 1.0", ..LAW },
    Row { name: "friction", law: "friction = 2.0\nfriction_speed = 0.5", ..LAW },
    Row { name: "effort: constant", law: "effort = { constant = 3.0 }", ..LAW },
    Row { name: "effort: number", law: "effort = 3.0", ..LAW },
    Row { name: "effort: polynomial", law: "effort = { polynomial = [1.0, 100.0] }", ..LAW },
    Row {
        name: "effort: harmonic",
        law: "effort = { harmonic = { amplitude = 4.0, angular_frequency = 60, phase = 0.3, offset = 1.0 } }",
        ..LAW
    },
    Row {
        name: "effort: cycloidal",
        law: "effort = { cycloidal = { from = 1.0, to = 5.0, duration = 0.03, start = 0.005 } }",
        ..LAW
    },
    Row {
        name: "effort: table",
        law: "effort = { table = { times = [0, 0.01, 0.03, 0.05], values = [0, 3, 5, 4], start_rate = 100, end_rate = 0 } }",
        ..LAW
    },
    Row {
        name: "effort: piecewise",
        law: "effort = { piecewise = { breaks = [0.02], pieces = [2.0, { polynomial = [4.0, 20.0] }] } }",
        ..LAW
    },
];

/// Drivers; each function of time starts where the mechanism is.
pub const DRIVERS: &[Row] = &[
    Row { name: "motion: constant", law: "motion = { constant = 1.777106 }", ..LAW },
    Row { name: "motion: number", law: "motion = 1.777106", ..LAW },
    Row { name: "motion: polynomial", law: "motion = { polynomial = [1.777106, 2.0, 60.0] }", ..LAW },
    Row {
        name: "motion: harmonic",
        law: "motion = { harmonic = { amplitude = 0.1, frequency = 8, offset = 1.777106 } }",
        ..LAW
    },
    Row {
        name: "motion: cycloidal",
        law: "motion = { cycloidal = { from = 1.777106, to = 1.9, duration = 0.05 } }",
        ..LAW
    },
    Row {
        name: "motion: table",
        law: "motion = { table = { times = [0, 0.02, 0.05], values = [1.777106, 1.85, 1.9], interpolation = \"monotone\" } }",
        ..LAW
    },
    Row {
        name: "motion: piecewise",
        law: "motion = { piecewise = { breaks = [0.02], pieces = [{ polynomial = [1.777106, 2.0] }, { polynomial = [1.777106, 2.0] }] } }",
        ..LAW
    },
];

/// The pose in which the tip of the bob is on the rail; the bob turns by 2 rad/s about y and 1 rad/s about z, and a disc on its tip rolls. All speeds
/// are given, and all digits: what is left to assembly would depend on the tree.
const LOOSE: &str = "type = \"free\"\norientation = { axis = [0, 1, 0], angle = 1.777106 }\n\
    speed = [-0.7012190932297478, 0.5, 0.7129458487781875, -0.4489168143463863, -0.4277675092669124, 1.326850711122777]";
/// Steps that keep constraints at the level of positions do not know those on speeds alone.
const NOT_ON_SPEEDS: &[(&str, &str)] = &[
    ("trapezoidal", "constraints on speeds"),
    ("generalized-alpha", "constraints on speeds"),
    ("hht", "constraints on speeds"),
    ("energy-", "constraints on speeds"),
    ("composite-body", "closed loops"),
    ("conjugate-gradient", "closed loops"),
];

/// Joints without coordinates, on the tip of the bob.
pub const ON_SPEEDS: &[Row] = &[
    Row {
        name: "rolling",
        item: "it",
        elbow: LOOSE,
        extra: "[[ground.frame]]\nname = \"floor\"\nposition = [0, 0, -0.1999959635339005]\n\
                [[joint]]\nname = \"it\"\ntype = \"rolling\"\nbetween = [\"ground.floor\", \"bob.tip\"]\n\
                radius = 0.2\naxis = [0, 1, 0]\nnormal = [0, 0, 1]\n",
        channels: &["it.force.?"],
        refused: NOT_ON_SPEEDS,
        ..KIND
    },
    Row {
        name: "blade",
        item: "it",
        elbow: LOOSE,
        extra: "[[joint]]\nname = \"it\"\ntype = \"blade\"\nbetween = [\"ground.origin\", \"bob.tip\"]\naxis = [-0.5609752745837983, 0.6, 0.5703566790225499]\n",
        channels: &["it.force.?"],
        refused: NOT_ON_SPEEDS,
        ..KIND
    },
];

/// Every type of joint with all laws of a coordinate at once, and driven. `"free"` leaves a coordinate out.
pub const JOINTS: &[Row] = &[
    Row {
        name: "weld",
        elbow: "type = \"weld\"",
        extra: PULL,
        item: "it",
        channels: &["it.force_power"],
        ..KIND
    },
    Row {
        name: "revolute",
        elbow: "type = \"revolute\"\naxis = [0, 0.6, 0.8]\nposition = 0.4\nspeed = 1.0",
        law: "stiffness = 6\nrest = 1\ndamping = 0.2\nfriction = 0.5\nfriction_speed = 0.4\neffort = -4",
        ..KIND
    },
    Row {
        name: "prismatic",
        elbow: "type = \"prismatic\"\naxis = [0, 0.6, 0.8]\nposition = 0.1\nspeed = 1.0",
        law: "stiffness = 60\nrest = 0.4\ndamping = 2\nfriction = 3\nfriction_speed = 0.4\neffort = -14",
        ..KIND
    },
    Row {
        name: "cylindrical",
        elbow: "type = \"cylindrical\"\naxis = [0, 0.6, 0.8]\nposition = [0.4, 0.1]\nspeed = [1.0, 0.5]",
        law: "stiffness = [6, 60]\nrest = [1, 0.2]\ndamping = [0.2, 2]\nfriction = [0.5, 2]\nfriction_speed = [0.4, 0.5]\neffort = [-4, 12]",
        ..KIND
    },
    Row {
        name: "helical",
        elbow: "type = \"helical\"\naxis = [0, 0.6, 0.8]\npitch = 0.2\nposition = 0.4\nspeed = 1.0",
        law: "stiffness = 6\nrest = 1\ndamping = 0.2\nfriction = 0.5\nfriction_speed = 0.4\neffort = -4",
        refused: &[("global", "helical")],
        ..KIND
    },
    Row {
        name: "universal",
        elbow: "type = \"universal\"\naxis = [0, 1, 0]\naxis2 = [0, 0, 1]\nposition = [1.777106, 0.0]",
        law: "stiffness = [6, 5]\nrest = [1, 0.2]\ndamping = [0.2, 0.3]\nfriction = [0.5, 0.2]\nfriction_speed = [0.4, 0.5]\neffort = [-4, 3]",
        refused: NO_MEASURE,
        ..KIND
    },
    Row {
        name: "spherical",
        elbow: "type = \"spherical\"\norientation = { axis = [0, 0.6, 0.8], angle = 0.5 }\nspeed = [0.5, 1.0, -0.5]",
        law: "stiffness = [6, 5, 4]\nrest = [1, 0.2, 0]\ndamping = [0.2, 0.3, 0.1]\nfriction = [0.5, 0.2, 0.1]\n\
              friction_speed = [0.4, 0.5, 0.6]\neffort = [-4, 3, 2]",
        refused: NO_MEASURE,
        ..KIND
    },
    Row {
        name: "planar",
        elbow: "type = \"planar\"\nposition = [0.1, 0.05, 0.3]\nspeed = [0.5, -0.3, 1.0]",
        law: "stiffness = [60, 50, 4]\nrest = [1, 0.2, 0]\ndamping = [2, 3, 0.1]\nfriction = [2, 1, 0.1]\n\
              friction_speed = [0.4, 0.5, 0.6]\neffort = [-4, 8, \"free\"]",
        ..KIND
    },
    Row {
        name: "translational",
        elbow: "type = \"translational\"\nposition = [0.1, 0.05, 0.3]\nspeed = [0.5, -0.3, 1.0]",
        law: "stiffness = [60, 50, 40]\nrest = [1, 0.2, 0]\ndamping = [2, 3, 1]\nfriction = [2, 1, 3]\n\
              friction_speed = [0.4, 0.5, 0.6]\neffort = [-4, 8, 12]",
        ..KIND
    },
    Row {
        name: "free",
        elbow: "type = \"free\"\nposition = [0.1, 0.05, 0.3]\norientation = { axis = [0, 0.6, 0.8], angle = 0.5 }\n\
                speed = [0.5, 1.0, -0.5, 0.2, 0.4, -0.3]",
        law: "stiffness = [6, 5, 4, 60, 50, 40]\nrest = [0.1, 0, 0, 0.2, 0, 0.1]\ndamping = [0.2, 0.3, 0.1, 2, 1, 3]\n\
              friction = [0.1, 0, 0, 1, 2, 1]\nfriction_speed = [0.4, 0.4, 0.4, 0.5, 0.5, 0.5]\neffort = [-4, 3, 2, 10, 20, 30]",
        refused: NO_MEASURE,
        ..KIND
    },
    Row {
        name: "prismatic, driven",
        elbow: "type = \"prismatic\"\naxis = [0, 0.6, 0.8]\nposition = 0.1",
        law: "motion = { polynomial = [0.1, 0.5, 20] }",
        ..KIND
    },
    Row {
        name: "cylindrical, one coordinate driven",
        elbow: "type = \"cylindrical\"\naxis = [0, 0.6, 0.8]\nposition = [0.4, 0.1]\nspeed = [0.3, 0.5]",
        law: "motion = [\"free\", { polynomial = [0.1, 0.5, 20] }]",
        ..KIND
    },
    Row {
        name: "helical, driven",
        elbow: "type = \"helical\"\naxis = [0, 0.6, 0.8]\npitch = 0.2\nposition = 0.4",
        law: "motion = { polynomial = [0.4, 0.5, 20] }",
        refused: &[("global", "helical")],
        ..KIND
    },
    Row {
        name: "universal, driven",
        elbow: "type = \"universal\"\naxis = [0, 1, 0]\naxis2 = [0, 0, 1]\nposition = [1.777106, 0.0]",
        law: "motion = [{ polynomial = [1.777106, 0.5, 20] }, \"free\"]",
        refused: NO_MEASURE,
        ..KIND
    },
    Row {
        name: "spherical, driven",
        elbow: "type = \"spherical\"",
        law: "motion = [{ polynomial = [0, 0.5, 20] }, { polynomial = [0, 0.2, 10] }, 0]",
        refused: NO_MEASURE,
        ..KIND
    },
    Row {
        name: "planar, one coordinate driven",
        elbow: "type = \"planar\"\nposition = [0.1, 0.05, 0.3]\nspeed = [0.2, 0.3, 0.5]",
        law: "motion = [\"free\", \"free\", { polynomial = [0.3, 0.5, 20] }]",
        ..KIND
    },
    Row {
        name: "translational, driven",
        elbow: "type = \"translational\"\nposition = [0.1, 0.05, 0.3]",
        law: "motion = [{ polynomial = [0.1, 0.5, 20] }, { polynomial = [0.05, 0.5] }, 0.3]",
        ..KIND
    },
    Row {
        name: "free, driven",
        elbow: "type = \"free\"\nposition = [0.1, 0.05, 0.3]",
        law: "motion = [\"free\", \"free\", \"free\", { polynomial = [0.1, 0.5, 20] }, { polynomial = [0.05, 0.5] }, 0.3]",
        refused: NO_MEASURE,
        ..KIND
    },
];

const PULL: &str = "[[force]]\nname = \"it\"\nat = \"bob.tip\"\nforce = [10, 0, 20]";

pub const FORCES: &[Row] = &[
    Row { name: "force, inertial", extra: PULL, ..FORCE },
    Row {
        name: "force and moment of the frame, scaled",
        extra: "[[force]]\nname = \"it\"\nat = \"bob.tip\"\naxes = \"frame\"\nforce = [10, 5, 20]\nmoment = [1, 2, 3]\n\
                scale = { polynomial = [1, 20] }",
        ..FORCE
    },
];

pub const LOADS: &[Row] = &[
    Row {
        name: "line, inertial",
        extra: "[[load]]\nname = \"it\"\nbody = \"bob\"\ntype = \"line\"\nforce = [5, 0, 30]\nend_force = [0, 5, 60]\n\
                from = 0.1\nto = 0.5\nscale = { polynomial = [1, 10] }",
        ..LOAD
    },
    Row {
        name: "line, follower",
        extra: "[[load]]\nname = \"it\"\nbody = \"bob\"\ntype = \"line\"\nforce = [5, 10, 30]\naxes = \"follower\"",
        ..LOAD
    },
    Row {
        name: "line, body",
        extra: "[[load]]\nname = \"it\"\nbody = \"bob\"\ntype = \"line\"\nforce = [5, 10, 30]\naxes = \"body\"",
        ..LOAD
    },
    Row {
        name: "thermal",
        extra: "[[load]]\nname = \"it\"\nbody = \"bob\"\ntype = \"thermal\"\nexpansion = 1e-3\ntemperature = 30\n\
                gradient_y = 500\ngradient_z = 900\nscale = { polynomial = [0.5, 10] }",
        ..LOAD
    },
    Row {
        name: "pressure",
        bob: MODAL,
        extra: "[[load]]\nname = \"it\"\nbody = \"bob\"\ntype = \"pressure\"\npressure = 200\n\
                patches = [{ node = \"end\", area = 0.1, normal = [0, 0.6, 0.8] }]\nscale = 1.2",
        ..LOAD
    },
    Row {
        name: "pressure, body",
        bob: MODAL,
        extra: "[[load]]\nname = \"it\"\nbody = \"bob\"\ntype = \"pressure\"\npressure = 200\naxes = \"body\"\n\
                patches = [{ node = \"end\", area = 0.1, normal = [0, 0.6, 0.8] }]",
        ..LOAD
    },
    Row {
        name: "modal",
        bob: MODAL,
        extra: "[[load]]\nname = \"it\"\nbody = \"bob\"\ntype = \"modal\"\nforces = [10, 6]\nscale = { polynomial = [1, 10] }",
        ..LOAD
    },
];

/// Controllers know coordinates and efforts of the tree only; the last words say which joint they need there.
macro_rules! controller {
    ($name:literal, $keys:literal, $driven:literal, $refused:expr) => {
        Row {
            name: $name,
            extra: concat!("[[controller]]\nname = \"it\"\n", $keys, "\n", $driven),
            refused: $refused,
            ..CONTROL
        }
    };
}

const ON_ELBOW: &[(&str, &str)] = &[("global", "it"), ("elbow cut", "elbow")];
const ON_HINGE: &[(&str, &str)] = &[("global", "it"), ("hinge cut", "hinge")];

pub const CONTROLLERS: &[Row] = &[
    controller!(
        "pid",
        "type = \"pid\"\nsensors = [\"elbow.angle\"]\nactuators = [\"elbow.effort\"]\nreference = { polynomial = [2.2, 1.0] }\n\
         proportional = 10\nintegral = 100\nderivative = 0.1\nfilter = 0.01\nlimit = 8",
        "",
        ON_ELBOW
    ),
    controller!(
        "pid, sampled",
        "type = \"pid\"\nsensors = [\"elbow.angle\"]\nactuators = [\"elbow.effort\"]\nreference = 2.5\n\
         proportional = 10\nintegral = 100\nderivative = 0.05\nsample_time = 0.01",
        "",
        ON_ELBOW
    ),
    controller!(
        "state-space",
        "type = \"state-space\"\nsensors = [\"bob.tip.position.z\", \"hinge.rate\"]\nactuators = [\"hinge.effort\"]\n\
         reference = [0.3, 2.0]\na = [[-20.0]]\nb = [[100.0, 1.0]]\nc = [[3.0]]\nd = [[4.0, 2.0]]\nlimit = 40",
        "",
        ON_HINGE
    ),
    controller!(
        "state-space, sampled",
        "type = \"state-space\"\nsensors = [\"bob.tip.position.z\"]\nactuators = [\"hinge.effort\"]\nreference = 0.5\n\
         a = [[0.5]]\nb = [[10.0]]\nc = [[3.0]]\nd = [[4.0]]\nsample_time = 0.01",
        "",
        ON_HINGE
    ),
    controller!(
        "function, polynomial, on a force",
        "type = \"function\"\nsensors = [\"bob.tip.position.z\"]\nreference = -0.1\nactuators = [\"push\"]\npolynomial = [2, 30, 10]\nlimit = 20",
        "[[force]]\nname = \"push\"\nat = \"bob.tip\"\nforce = [2, 0, 1]\nscale = 0",
        NOT_GLOBAL
    ),
    controller!(
        "function, table, on an actuator",
        "type = \"function\"\nsensors = [\"bob.tip.position.z\"]\nactuators = [\"ram\"]\n\
         table = { inputs = [-1, 0, 1], outputs = [-20, 20, 30] }",
        "[[element]]\nname = \"ram\"\ntype = \"actuator\"\nbetween = [\"ground.base\", \"bob.tip\"]",
        NOT_GLOBAL
    ),
    controller!(
        "function, stiffness, sampled",
        "type = \"function\"\nsensors = [\"hinge.angle\"]\nactuators = [\"hinge.effort\"]\nstiffness = 20\nsample_time = 0.01",
        "",
        ON_HINGE
    ),
    Row {
        name: "pid on a load",
        bob: BEAM,
        extra: "[[controller]]\nname = \"it\"\ntype = \"pid\"\nsensors = [\"bob.tip.position.z\"]\nactuators = [\"wind\"]\n\
                reference = 1.0\nproportional = 5\n\
                [[load]]\nname = \"wind\"\nbody = \"bob\"\ntype = \"line\"\nforce = [0, 0, 10]\nscale = 0",
        ..CONTROL
    },
];

macro_rules! event {
    ($name:literal, $keys:literal, $happens:literal, $stops:literal) => {
        (
            Row {
                name: $name,
                extra: concat!("[[simulation.event]]\nname = \"it\"\n", $keys),
                channels: &[],
                elbow: REVOLUTE,
                ..ELEMENT
            },
            $happens,
            $stops,
        )
    };
}

/// Events with whether they happen and whether they end the run. The link falls, its angle grows.
pub const EVENTS: &[(Row, bool, bool)] = &[
    event!(
        "falling, stop",
        "channel = \"link.end.position.z\"\nvalue = 0.41\ndirection = \"falling\"\naction = \"stop\"",
        true,
        true
    ),
    event!(
        "rising, stop",
        "channel = \"hinge.angle\"\nvalue = -0.96\ndirection = \"rising\"\naction = \"stop\"",
        true,
        true
    ),
    event!(
        "both, record",
        "channel = \"link.end.position.z\"\nvalue = 0.41\ndirection = \"both\"\naction = \"record\"",
        true,
        false
    ),
    event!("by default", "channel = \"hinge.angle\"\nvalue = -0.96", true, false),
    event!(
        "rising where it falls",
        "channel = \"link.end.position.z\"\nvalue = 0.41\ndirection = \"rising\"\naction = \"stop\"",
        false,
        false
    ),
    event!(
        "falling where it rises",
        "channel = \"hinge.angle\"\nvalue = -0.96\ndirection = \"falling\"\naction = \"stop\"",
        false,
        false
    ),
];
