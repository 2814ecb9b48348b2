//! Sensitivities: how a channel changes with numbers of the model, and a design found with them.
//!
//! One learns how a parameter of a description is named and set, what derivatives come back, and how they are used: the
//! spring of a rod is tuned by Newton's method until the rod has a wanted angle after one second.
//!
//! `cargo run -p flexura --example gradient`

use flexura::analysis::{Parameter, sensitivity};
use flexura::model::description::*;
use std::error::Error;

/// A rod on a hinge with a spring of this stiffness (N m/rad), let go at 0.5 rad below the horizontal.
fn rod(stiffness: f64) -> Description {
    let spring = CoordinateDescription { stiffness, rest: -1.2, damping: 0.4, ..Default::default() };
    Description::new("sprung rod")
        .body(
            BodyDescription::rigid("rod", 1.0, [1e-4, 1.0 / 12.0, 1.0 / 12.0])
                .frame("pivot", [-0.5, 0.0, 0.0]),
        )
        .joint(
            JointDescription::revolute("hinge", ["ground.origin", "rod.pivot"], [0.0, 1.0, 0.0])
                .position(&[0.5])
                .coordinates(vec![spring]),
        )
        .run_for(1.0)
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (wanted, mut stiffness) = (0.2, 5.0);
    for iteration in 0..8 {
        let description = rod(stiffness);
        let parameter = Parameter::of_description("stiffness", &description, stiffness, |model, value| {
            model.joints[0].coordinates[0].stiffness = value;
        });
        let built = description.clone().build()?;
        let found = sensitivity(&built, &[parameter], &["hinge.angle".into()])?;
        let angle = *found.values.last().ok_or("a run has rows")?;
        let slope = found.over_time("hinge.angle", "stiffness").and_then(|all| all.last().copied());
        let slope = slope.ok_or("a derivative in every row")?;
        println!("{iteration}: k = {stiffness:9.6} N m/rad, angle {angle:9.6} rad, dθ/dk = {slope:.6}");
        if (angle - wanted).abs() < 1e-7 {
            // A difference of two runs says the same, to fewer digits.
            let shift = 1e-3 * stiffness;
            let apart = |k: f64| -> Result<f64, Box<dyn Error>> {
                Ok(rod(k).build()?.simulate()?.last("hinge.angle")?)
            };
            let difference = (apart(stiffness + shift)? - apart(stiffness - shift)?) / (2.0 * shift);
            println!("by differences: {difference:.6}");
            assert!((difference / slope - 1.0).abs() < 1e-4);
            return Ok(());
        }
        stiffness += (wanted - angle) / slope;
    }
    Err("Newton's method did not converge".into())
}
