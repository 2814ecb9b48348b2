//! A finite element part: meshed, reduced to a flexible body, hung into a mechanism and run.
//!
//! One learns the way from elements to modes: a mesh with named nodes, a Craig-Bampton reduction whose interfaces are
//! where joints attach, and the body that the engine takes; then how good the reduction is.
//!
//! `cargo run -p flexura-fem --example reduced_part`

use flexura::model::description::*;
use flexura_fem::{MassModel, Material, Reduction, ReductionKind, Section, Stiffening};
use flexura_fem::{generate, modal_description};
use std::error::Error;
use std::f64::consts::PI;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // A steel strip of one metre; `generate` names its end nodes `root` and `tip`.
    let (young, density, width, height) = (2.1e11, 7800.0, 0.02, 0.01);
    let steel = Material::isotropic(young, 0.3, density);
    let mesh = generate::beam(1.0, 12, steel, Section::rectangle(width, height))?;

    // Clamped at the root, free to be held at the tip: static shapes of the tip and four vibrations between.
    let reduced = Reduction::new("root", ReductionKind::CraigBampton { modes: 4 })
        .interface("tip")
        .mass(MassModel::Consistent)
        .run(&mesh)?;
    println!("{}", reduced.report);
    let body = modal_description(&mesh, &reduced, Stiffening::Beams)?;
    println!("{} modes from {} nodes", body.modes, mesh.nodes.len());

    let system = Description::new("swinging strip")
        .body(BodyDescription::modal("strip", body).node("root", "root").node("tip", "tip"))
        .body(BodyDescription::point_mass("bob", 0.3))
        .joint(JointDescription::revolute("hinge", ["ground.origin", "strip.root"], [0.0, 1.0, 0.0]))
        .joint(JointDescription::weld("clip", ["strip.tip", "bob.origin"]))
        .method(MethodDescription::generalized_alpha(1e-3, 0.9))
        .run_for(0.4)
        .build()?;
    let result = system.simulate()?;
    println!("after 0.4 s the hinge is at {:.5} rad", result.last("hinge.angle")?);
    println!("energy out of balance by {:.1e} J", result.last("energy.balance")?);

    // Falling from the horizontal, the rigid rod with its bob would have begun with 3 g (m/2 + M)/(m + 3 M) L⁻¹.
    let (mass, bob) = (density * width * height, 0.3);
    let begin = 9.81 * (0.5 * mass + bob) / (mass / 3.0 + bob);
    let early = result.channel("hinge.angle")?[10];
    println!("after 0.1 s: {early:.5} rad, of the stiff strip {:.5} rad", 0.5 * begin * 0.01);
    assert!(
        (early / (0.5 * begin * 0.01) - 1.0).abs() < 0.05,
        "a strip bends little and falls as a rod does"
    );
    assert!(result.last("hinge.angle")? < PI, "half a turn takes longer");
    Ok(())
}
