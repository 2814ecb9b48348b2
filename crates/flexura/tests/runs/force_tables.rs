//! Force tables with a choice of interpolation: between the points, at their kinks, and in runs whose energy balances.

use flexura::file;
use flexura::model::element::ForceTable;
use flexura::time_function::Interpolation;

const X: [f64; 5] = [-1.0, 0.0, 0.01, 0.5, 1.0];
const F: [f64; 5] = [0.0, 0.0, 100.0, 100.0, 130.0];

fn table(interpolation: Interpolation) -> ForceTable {
    ForceTable::interpolated(&X, &F, interpolation).expect("a good table")
}

/// The spline overshoots by a factor of twenty; the others stay between neighbouring forces, and all meet the points.
#[test]
fn curves_stay_between_their_points() {
    assert!(table(Interpolation::Spline).overshoot().is_some());
    for interpolation in [Interpolation::Monotone, Interpolation::Linear] {
        let curve = table(interpolation);
        assert!(curve.overshoot().is_none(), "{interpolation:?}");
        for (x, f) in X.windows(2).zip(F.windows(2)) {
            for k in 0..=20 {
                let (force, _) = curve.sample(x[0] + (x[1] - x[0]) * f64::from(k) / 20.0);
                assert!((f[0] - 1e-9..=f[1] + 1e-9).contains(&force), "{interpolation:?}: {force}");
            }
        }
    }
    let lines = table(Interpolation::Linear);
    // Half way, and beyond both ends along the outer lines.
    for (x, force) in [(0.005, 50.0), (0.75, 115.0), (-2.0, 0.0), (2.0, 190.0)] {
        assert!((lines.sample(x).0 - force).abs() < 1e-12, "{x}: {}", lines.sample(x).0);
    }
}

/// Energy is the integral of the force: central differences, to their own error away from the kinks.
#[test]
fn energy_is_the_integral_of_the_force() {
    for interpolation in [Interpolation::Spline, Interpolation::Monotone, Interpolation::Linear] {
        let curve = table(interpolation);
        assert!(curve.sample(0.0).1.abs() < 1e-12);
        for x in [-1.5, -0.4, 0.004, 0.3, 0.7, 1.4] {
            let h = 1e-6;
            let slope = (curve.sample(x + h).1 - curve.sample(x - h).1) / (2.0 * h);
            let (force, _) = curve.sample(x);
            assert!((slope - force).abs() < 1e-4, "{interpolation:?} at {x}: {slope}, {force}");
        }
    }
}

/// The key of the file is used, in the spring and in the damper, and words that it does not know are refused.
#[test]
fn files_choose_the_interpolation() {
    let model = |spring: &str, damper: &str| {
        format!(
            r#"
            [model]
            gravity = [0, 0, 0]
            [[body]]
            name = "bob"
            mass = 1.0
            inertia = [0.01, 0.01, 0.01]
            [[joint]]
            name = "rail"
            type = "prismatic"
            axis = [0, 0, 1]
            between = ["ground.origin", "bob.origin"]
            position = 0.3
            speed = 0.5
            [[element]]
            name = "spring"
            type = "spring-damper"
            axis = [0, 0, 1]
            between = ["ground.origin", "bob.origin"]
            table = {{ extensions = [-1, 0, 0.01, 1], forces = [-10, 0, 100, 100]{spring} }}
            damping = {{ rates = [-1, 0, 1], forces = [-3, 0, 1]{damper} }}
            [simulation]
            end = 0.5
            "#
        )
    };
    let linear = ", interpolation = \"linear\"";
    let first = |text: &str| {
        let built = file::build_text(text, "m").unwrap_or_else(|errors| panic!("{errors}")).built;
        let run = built.simulate().unwrap_or_else(|error| panic!("{error}"));
        let balance = run.channel("energy.balance").expect("recorded");
        let worst = balance.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        // 30 J; steps over a kink of the force are of first order.
        assert!(worst < 1e-3, "energy balance {worst} J");
        run.channel("spring.force.z").expect("recorded")[0]
    };
    // 100 N of the spring between points of the same force, 0.5 N of the damper at half its rate.
    assert!((first(&model(linear, linear)) + 100.5).abs() < 1e-9);
    assert!((first(&model("", linear)) + 100.5).abs() > 0.1);
    assert!((first(&model(linear, "")) + 100.5).abs() > 0.01);
    let errors = file::build_text(&model(", interpolation = \"smooth\"", ""), "m").expect_err("no such word");
    assert!(errors.to_string().contains("interpolation"), "{errors}");
}
