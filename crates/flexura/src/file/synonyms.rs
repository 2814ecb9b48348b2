//! Words of other programs for joints and elements, answered with ours. They stay errors: what a joint does is read off its name.

/// Joints: words of Adams, Abaqus, Exudyn, MuJoCo, Simscape, URDF and textbooks.
pub(super) const JOINTS: [(&str, &str); 31] = [
    ("hinge", "revolute"),
    ("pin", "revolute"),
    ("pinned", "revolute"),
    ("rotational", "revolute"),
    ("rotary", "revolute"),
    ("continuous", "revolute"),
    ("slider", "prismatic"),
    ("slide", "prismatic"),
    ("sliding", "prismatic"),
    ("translator", "prismatic"),
    ("telescopic", "prismatic"),
    ("ball", "spherical"),
    ("ball-joint", "spherical"),
    ("ball-and-socket", "spherical"),
    ("join", "spherical"),
    ("fixed", "weld"),
    ("fix", "weld"),
    ("rigid", "weld"),
    ("lock", "weld"),
    ("locked", "weld"),
    ("cardan", "universal"),
    ("hooke", "universal"),
    ("u-joint", "universal"),
    ("screw", "helical"),
    ("floating", "free"),
    ("freejoint", "free"),
    ("6dof", "free"),
    ("cartesian", "translational"),
    ("rolling-disc", "rolling"),
    ("knife-edge", "blade"),
    ("skate", "blade"),
];

/// Elements.
pub(super) const ELEMENTS: [(&str, &str); 22] = [
    ("spring", "spring-damper"),
    ("damper", "spring-damper"),
    ("dashpot", "spring-damper"),
    ("strut", "spring-damper"),
    ("shock-absorber", "spring-damper"),
    ("translational-spring-damper", "spring-damper"),
    ("torsion-spring", "torsion-spring-damper"),
    ("rotational-spring-damper", "torsion-spring-damper"),
    ("bush", "bushing"),
    ("gear", "coupler"),
    ("gears", "coupler"),
    ("belt", "coupler"),
    ("rack", "coupler"),
    ("rack-and-pinion", "coupler"),
    ("stop", "bump-stop"),
    ("bumper", "bump-stop"),
    ("bistop", "bump-stop"),
    ("impact", "contact"),
    ("motor", "actuator"),
    ("tire", "tyre"),
    ("wheel", "tyre"),
    ("link", "rod"),
];

/// Our word for another program's, whatever its case, blanks and underscores.
pub(super) fn ours(others: &[(&'static str, &'static str)], word: &str) -> Option<&'static str> {
    let plain = word.trim().to_lowercase().replace([' ', '_'], "-");
    others.iter().find(|(other, _)| *other == plain).map(|(_, ours)| *ours)
}
