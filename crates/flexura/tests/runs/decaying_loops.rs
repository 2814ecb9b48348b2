//! Energy-decaying steps of flexible loops: speeds stay on the constraints, energy only falls, and the motion converges to that of
//! a method with error control.

use crate::common::mechanisms::{flexible_four_bar, flexible_slider_crank};
use flexura::model::description::{Description, MethodDescription};

/// The last value of `channel`, the largest violation of speeds and the largest energy unaccounted for.
fn run(description: Description, method: MethodDescription, end: f64, channel: &str) -> [f64; 3] {
    let mut description = description.run_for(end).output_interval(end / 50.0);
    description.simulation.method = method;
    let built = description.build().expect("builds");
    let rows = built.simulate().unwrap_or_else(|error| panic!("{error}"));
    let largest =
        |name: &str| rows.channel(name).expect("recorded").iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let last = *rows.channel(channel).expect("recorded").last().expect("rows");
    [last, largest("constraint.velocity"), largest("energy.balance") / largest("energy.kinetic")]
}

fn decaying(step: f64) -> MethodDescription {
    MethodDescription::EnergyMomentum { step, spectral_radius: 0.5 }
}

#[test]
fn speeds_of_flexible_loops_stay_closed() {
    let radau = MethodDescription::Radau {
        relative_tolerance: 1e-8,
        absolute_tolerance: 1e-10,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    };
    let cases = [
        (flexible_slider_crank as fn() -> Description, 0.3, 1e-3, "drive.angle"),
        (flexible_four_bar, 0.02, 5e-5, "follower.middle.position.x"),
    ];
    for (make, end, step, channel) in cases {
        let exact = run(make(), radau.clone(), end, channel);
        let [coarse, fine] = [step, 0.5 * step].map(|step| run(make(), decaying(step), end, channel));
        let errors = [coarse[0] - exact[0], fine[0] - exact[0]].map(f64::abs);
        println!(
            "{channel}: {:.6}, errors {errors:?}, speeds open by {:.1e}, energy {:.1e}",
            exact[0], coarse[1], coarse[2]
        );
        assert!(coarse[1] < 1e-9 && fine[1] < 1e-9, "{channel}: {} {}", coarse[1], fine[1]);
        assert!(coarse[2] < 1e-9, "{channel}: {}", coarse[2]);
        // Vibrations are of first order, the rest of second.
        assert!(errors[1] < 0.7 * errors[0] + 1e-9, "{channel}: {errors:?}");
    }
}
