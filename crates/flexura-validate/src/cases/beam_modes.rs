//! Frequencies of beams by analytic shapes and by finite elements.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use flexura::beam::{BeamInput, Boundary, ModeCounts, SectionProperties, assemble as shapes_of, standard_modes};
use flexura::State;
use flexura::analysis::{linearize, modes};
use flexura::model::description::{
    BeamDescription, BodyDescription, DampingDescription, Description, JointDescription,
};
use flexura_fem::{
    EigenOptions, MassModel, Material, Mesh, PointMass, Section, Supports, assemble, generate, lowest_modes,
};

/// The case.
pub const CASE: Case = Case {
    id: "beam-modes",
    title: "Frequencies of beams",
    source: "roots of the frequency equations of Euler-Bernoulli and Timoshenko theory",
    trust: Trust::T1,
    about: "Euler-Bernoulli: roots βL of clamped (C), pinned (P) and free (F) ends, and with a mass of one beam at the tip. \
            The shapes of `[body.beam]` are exact; twenty beam elements of a part must come within 0.1 %. Timoshenko: \
            square sections of L/h = 10 and 5, ν = 0.3, shear factor 5/6, ω √(ρA L⁴/EI). Damping of the material and of Rayleigh: \
            fractions of critical damping ½(a/ω + bω) at the frequencies found.",
    models: &[],
    cost: 5.0,
    run,
};

const ELEMENTS: usize = 20;
const DENSITY: f64 = 7800.0;
const YOUNG: f64 = 2.1e11;

/// Ends, mass at the tip, roots βL.
const ROOTS: [(&str, bool, [f64; 4]); 5] = [
    ("CF", false, [1.8751040687119611, 4.694091132974175, 7.854757438237613, 10.995540734875467]),
    ("CC", false, [4.730040744862704, 7.853204624095837, 10.995607838001671, 14.137165491257464]),
    (
        "PP",
        false,
        [
            std::f64::consts::PI,
            2.0 * std::f64::consts::PI,
            3.0 * std::f64::consts::PI,
            4.0 * std::f64::consts::PI,
        ],
    ),
    ("CP", false, [3.9266023120479185, 7.068582745628732, 10.21017612281303, 13.351768777754094]),
    ("CF", true, [1.2479174096064696, 4.03113943671496, 7.134132240939746, 10.25662107371403]),
];
/// Ends, height, ω √(ρA L⁴/EI).
const TIMOSHENKO: [(&str, f64, [f64; 3]); 4] = [
    ("CF", 0.1, [3.4883549195, 20.9069104663, 54.9883135068]),
    ("PP", 0.1, [9.7074772349, 37.0961588477, 78.1547362898]),
    ("CF", 0.2, [3.4097830679, 18.3636941172, 43.7089957884]),
    ("PP", 0.2, [9.2740397119, 32.1665009539, 61.4580633042]),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    analytic(context)?;
    for (ends, tip_mass, roots) in ROOTS {
        let found = elements(ends, 1e-3, false, tip_mass, ELEMENTS)?;
        let name = if tip_mass { format!("{ends} with tip mass") } else { ends.to_string() };
        for (k, (root, found)) in roots.into_iter().zip(&found).enumerate() {
            let quantity = Quantity::new(format!("βL{} of {name}, {ELEMENTS} elements", k + 1), "1", found.sqrt());
            context.judge(quantity.relative(root, 1e-3, "elements of fourth order: 0.1 % of six modes"));
        }
    }
    for (ends, height, exact) in TIMOSHENKO {
        let found = elements(ends, height, true, false, ELEMENTS)?;
        for (k, (value, found)) in exact.into_iter().zip(&found).enumerate() {
            let name = format!("ω{} of {ends}, L/h = {:.0}, {ELEMENTS} elements", k + 1, 1.0 / height);
            context.judge(Quantity::new(name, "1", *found).relative(value, 1e-3, "0.1 % with twenty elements"));
        }
    }
    damped(context)?;
    convergence(context)
}

/// Damping ratios of a clamped beam as a body: D = a M + b K leaves the modes apart.
fn damped(context: &mut Context) -> Result<(), Fault> {
    for (name, damping, a, b) in [
        ("Kelvin-Voigt", DampingDescription::KelvinVoigt { time: 1e-5 }, 0.0, 1e-5),
        ("Rayleigh", DampingDescription::Rayleigh { mass: 5.0, stiffness: 2e-6 }, 5.0, 2e-6),
    ] {
        let section = flexura::beam::Section::Rectangle { width_y: 0.02, height_z: 0.05 };
        let counts = ModeCounts { bending_y: 3, ..Default::default() };
        let mut beam =
            BeamDescription::new(1.0, DENSITY, YOUNG, 8e10, section).modes(Boundary::ClampedFree, counts);
        beam.damping = damping;
        let model = Description::new("clamped beam")
            .body(BodyDescription::beam("beam", beam))
            .joint(JointDescription::weld("clamp", ["ground.origin", "beam.origin"]))
            .build()?
            .model;
        let system = linearize(&model, &State::initial(&model, 0.0), &[], &[])?;
        for (k, mode) in modes(&system)?.iter().enumerate() {
            let exact = 0.5 * (a / mode.frequency() + b * mode.frequency());
            let quantity = Quantity::new(format!("damping ratio of mode {}, {name}", k + 1), "1", mode.damping_ratio());
            context.judge(quantity.relative(exact, 1e-6, "exact for damping in proportion to mass and stiffness"));
        }
    }
    Ok(())
}

/// The shapes of beams in model files.
fn analytic(context: &mut Context) -> Result<(), Fault> {
    for (boundary, name, roots) in [
        (Boundary::ClampedFree, "CF", ROOTS[0].2),
        (Boundary::FreeFree, "FF", ROOTS[1].2),
        (Boundary::PinnedPinned, "PP", ROOTS[2].2),
    ] {
        let section = flexura::beam::Section::Rectangle { width_y: 0.02, height_z: 0.05 };
        let constants = section.constants().map_err(|error| Fault(format!("{error:?}")))?;
        let counts = ModeCounts { bending_y: 4, ..Default::default() };
        let input = BeamInput {
            length: 1.0,
            properties: SectionProperties {
                rotary: [0.0; 3],
                ..SectionProperties::homogeneous(DENSITY, YOUNG, 8e10, &constants)
            },
            modes: standard_modes(boundary, counts),
            foreshortening: false,
            finite_turns: false,
            mass_stations: None,
        };
        let data = shapes_of(&input).map_err(|error| Fault(format!("{error:?}")))?;
        let scale = (DENSITY * constants.area / (YOUNG * constants.inertia_z)).sqrt();
        for (k, root) in roots.into_iter().enumerate() {
            let omega = (data.stiffness[5 * k] / data.modal_mass[5 * k]).sqrt();
            let quantity = Quantity::new(format!("βL{} of {name}, analytic shapes", k + 1), "1", (omega * scale).sqrt());
            context.judge(quantity.relative(root, 1e-10, "exact shapes: rounding of the integrals"));
        }
    }
    Ok(())
}

/// ω √(ρA L⁴/EI) of the lowest modes of a square beam of unit length in one plane.
fn elements(ends: &str, height: f64, shear: bool, tip_mass: bool, count: usize) -> Result<Vec<f64>, Fault> {
    let steel = Material::isotropic(YOUNG, 0.3, DENSITY);
    let section = Section::rectangle(height, height).constants()?;
    let section = if shear { section } else { section.without_shear() };
    let mut mesh: Mesh = generate::beam(1.0, count, steel, Section::General(section))?;
    if tip_mass {
        let mass = DENSITY * height * height;
        mesh.masses.push(PointMass { node: count, mass, inertia: [[0.0; 3]; 3], offset: [0.0; 3] });
    }
    let all: Vec<usize> = (0..=count).collect();
    let plane = Supports::none().hold(&all, [true, true, false, true, false, true]);
    let pinned = [false, false, true, false, false, false];
    let supports = match ends {
        "CF" => plane.clamp(&[0]),
        "CC" => plane.clamp(&[0, count]),
        "PP" => plane.hold(&[0, count], pinned),
        _ => plane.clamp(&[0]).hold(&[count], pinned),
    };
    let system = assemble(&mesh, &supports, MassModel::Consistent)?;
    let found = lowest_modes(system.pencil(), 4, &EigenOptions::default())?;
    let scale = (DENSITY * 12.0 / (YOUNG * height * height)).sqrt();
    Ok(found.frequencies().iter().map(|f| f * std::f64::consts::TAU * scale).collect())
}

/// Error of the third root over the number of elements.
fn convergence(context: &mut Context) -> Result<(), Fault> {
    let counts = [4, 8, 16, 32];
    let x = counts.map(|count| count as f64);
    let (mut curves, mut last) = (Vec::new(), Vec::new());
    for (ends, tip_mass, roots) in ROOTS.into_iter().filter(|row| !row.1) {
        let mut errors = Vec::new();
        for count in counts {
            let found = elements(ends, 1e-3, false, tip_mass, count)?;
            errors.push((found[2].sqrt() / roots[2] - 1.0).abs());
        }
        curves.push(Curve::line(ends, &x, &errors));
        last.push((errors[1] / errors[2]).log2());
    }
    let order = last.into_iter().fold(f64::INFINITY, f64::min);
    let why = "cubic shapes: fourth order, less what the next term takes";
    context.judge(Quantity::new("observed order of βL3, 8 to 16 elements", "1", order).at_least(3.5, why));
    let panel = Panel::new("elements", "error of βL3", "", curves).logarithmic();
    context.draw(Figure::new("Convergence of beam elements.", vec![panel]));
    Ok(())
}
