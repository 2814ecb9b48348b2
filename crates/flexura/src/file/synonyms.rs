//! Words of other programs for joints and elements, answered with ours. They stay errors: what a joint does is read off its name.

/// Joints: words of Adams, Abaqus, Exudyn, MuJoCo, Simscape, URDF and textbooks.
pub(super) const JOINTS: [(&str, &str); 34] = [
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
    ("ball-and-socket", "spherical"),
    ("join", "spherical"),
    ("fixed", "weld"),
    ("fix", "weld"),
    ("rigid", "weld"),
    ("lock", "weld"),
    ("locked", "weld"),
    ("beam", "weld"),
    ("cardan", "universal"),
    ("hooke", "universal"),
    ("u", "universal"),
    ("ujoint", "universal"),
    ("screw", "helical"),
    ("floating", "free"),
    ("freejoint", "free"),
    ("6-dof", "free"),
    ("6dof", "free"),
    ("cartesian", "translational"),
    ("align", "translational"),
    ("rolling-disc", "rolling"),
    ("knife-edge", "blade"),
    ("skate", "blade"),
];

/// Elements.
pub(super) const ELEMENTS: [(&str, &str); 21] = [
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
];

/// Our word for another program's, whatever its case, blanks and underscores, and with or without "joint" behind it.
pub(super) fn ours(others: &[(&'static str, &'static str)], word: &str) -> Option<&'static str> {
    let plain = word.trim().to_lowercase().replace([' ', '_'], "-");
    let plain = plain.strip_suffix("-joint").unwrap_or(&plain);
    others.iter().find(|(other, _)| *other == plain).map(|(_, ours)| *ours)
}
