//! Every kind of force element with random parameters, and random frames to act on.

use super::random_model::Random;
use flexura::model::element::*;
use flexura::scalar::Scalar;
use flexura::spatial::{
    add, angular, cross, join, lift3, linear, matrix_from_quaternion, matrix_product, matrix_vector,
    rotation_exp,
};
use flexura::time_function::TimeFunction;

/// One element of every kind and force law, acting over most of [`random_frame_state`]s.
pub fn random_elements(random: &mut Random) -> Vec<ElementKind> {
    let mut damping =
        || Damping::Linear { compression: random.between(0.0, 4.0), extension: random.between(0.0, 4.0) };
    let (slide, turn) = (damping(), damping());
    let axis = random.axis();
    let laws = [
        ForceLaw::Linear { stiffness: random.between(1.0, 30.0) },
        ForceLaw::Polynomial { coefficients: random.numbers(5, 6.0) },
        random_table(random),
    ];
    let mut list = Vec::new();
    for law in laws {
        let preload = random.between(-5.0, 5.0);
        let free_length = random.between(0.0, 1.5);
        for axis in [None, Some(axis)] {
            let (law, damping) = (law.clone(), slide.clone());
            list.push(SpringDamper { axis, free_length, law, preload, damping }.into());
        }
        list.push(TorsionSpringDamper { axis, law, preload, damping: turn.clone() }.into());
    }
    let mut shock = SpringDamper::linear(0.4, 10.0, 0.0);
    let forces = [-5.0, -2.0, 0.0, random.between(0.5, 4.0), 6.0];
    shock.damping =
        Damping::Curve(ForceTable::new(&[-1.5, -0.4, 0.0, 0.3, 1.4], &forces).expect("increasing"));
    list.push(shock.into());
    list.push(random_bushing(random).into());
    let (gap, stiffness, exponent) = (1.9, random.between(1.0, 20.0), random.between(1.0, 2.5));
    let dissipation = random.between(0.0, 0.8);
    for axis in [None, Some(axis)] {
        list.push(BumpStop { axis, gap, stiffness, exponent, dissipation }.into());
    }
    list.push(Rod { length: 1.0, stiffness: random.between(5.0, 50.0), damping: 1.5 }.into());
    list.push(random_drag(random).into());
    let (radius, friction, friction_speed) = (1.2, random.between(0.0, 1.0), 0.4);
    list.push(Contact { radius, stiffness, exponent, dissipation, friction, friction_speed }.into());
    for axis in [None, Some(axis)] {
        list.push(Actuator { axis, effort: TimeFunction::Constant(random.between(-5.0, 5.0)) }.into());
    }
    list.extend(random_tyres(random));
    list
}

/// Tyres of every law on a road with every feature.
fn random_tyres(random: &mut Random) -> Vec<ElementKind> {
    let road = Road {
        features: vec![
            RoadFeature::CosineBump { start: -0.7, length: 2.5, height: random.between(-0.2, 0.2) },
            RoadFeature::Ramp { start: -0.2, length: 0.9, height: random.between(-0.1, 0.1) },
            RoadFeature::Step { at: 0.1, height: 0.05 },
            RoadFeature::Profile { x: vec![-0.5, 0.0, 0.6], z: vec![0.0, 0.1, random.between(-0.1, 0.1)] },
        ],
    };
    let calspan = Calspan {
        cornering: [26.0, 14.47, 129.0],
        camber: [2.29, 181.0],
        friction: [-0.464e-2, 1.216, 2.18e-7],
        skid: 1.0274,
        aligning: [-1.71e-3, 1.71e-3],
        overload: 1.0,
    };
    let brush = Brush {
        cornering_stiffness: random.between(5.0, 40.0),
        longitudinal_stiffness: random.between(5.0, 40.0),
        friction: random.between(0.3, 1.0),
        half_length: 0.1,
    };
    let linear = Linear { cornering: 20.0, camber: 8.0, aligning: 3.0, overturning: 2.0, trail: 0.1 };
    let mut laws = vec![
        SideForce::None,
        SideForce::Calspan(calspan),
        SideForce::Brush(brush),
        SideForce::Linear(linear),
    ];
    let both = [(Deflection::Normal, SlipPoint::Contact), (Deflection::Vertical, SlipPoint::Center)];
    let tyre = |side_force: SideForce, (deflection, slip_point)| Tyre {
        radius: 1.2,
        stiffness: 20.0,
        damping: 1.0,
        deflection,
        side_force,
        slip_point,
        low_speed: 0.3,
        road: road.clone(),
    };
    laws.drain(..).flat_map(|law| both.map(|way| tyre(law.clone(), way).into())).collect()
}

fn random_table(random: &mut Random) -> ForceLaw {
    let mut x = -1.0;
    let points: Vec<f64> = (0..6)
        .map(|_| {
            x += random.between(0.2, 0.6);
            x
        })
        .collect();
    let table = ForceTable::new(&points, &random.numbers(6, 10.0));
    ForceLaw::Table(table.expect("increasing points"))
}

fn random_drag(random: &mut Random) -> Drag {
    let coefficient = std::array::from_fn(|_| random.between(0.1, 1.2));
    let area = std::array::from_fn(|_| random.between(0.1, 2.0));
    Drag { density: random.between(0.5, 3.0), coefficient, area, medium_velocity: random.vector(1.0) }
}

/// Symmetric positive matrices A*A.
fn random_bushing(random: &mut Random) -> Bushing {
    let mut square = |size: f64| {
        let a = random.numbers(36, size);
        let entry = |i: usize, j: usize| (0..6).map(|k| a[k * 6 + i] * a[k * 6 + j]).sum::<f64>();
        std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
    };
    let (stiffness, damping) = (square(3.0), square(0.8));
    let cubic = std::array::from_fn(|_| random.between(0.0, 5.0));
    Bushing { stiffness, damping, cubic, preload: std::array::from_fn(|_| random.between(-2.0, 2.0)) }
}

/// A frame within a metre of the origin, moving at about a metre and a radian per second.
pub fn random_frame_state(random: &mut Random) -> FrameState {
    FrameState {
        rotation: matrix_from_quaternion(&random.quaternion()),
        position: random.vector(1.0),
        velocity: std::array::from_fn(|_| random.between(-1.5, 1.5)),
    }
}

/// `frame` turned by the rotation vector `turn` (R ← exp(turn~) R) and shifted; velocity as it is.
pub fn displaced<S: Scalar>(frame: &FrameState, turn: &[S; 3], shift: &[S; 3]) -> FrameState<S> {
    FrameState {
        rotation: matrix_product(&rotation_exp(turn), &flexura::spatial::lift_matrix(&frame.rotation)),
        position: add(&lift3(&frame.position), shift),
        velocity: frame.velocity.map(S::from_f64),
    }
}

/// The same motion seen by an observer who is turned, shifted and moves himself: everything is
/// turned by R, moved by p, and carried along with velocity [Ω; V].
pub fn carried(frame: &FrameState, observer: &FrameState) -> FrameState {
    let position = add(&observer.position, &matrix_vector(&observer.rotation, &frame.position));
    let (spin, drift) = (angular(&observer.velocity), linear(&observer.velocity));
    let turned = |v| matrix_vector(&observer.rotation, v);
    FrameState {
        rotation: matrix_product(&observer.rotation, &frame.rotation),
        position,
        velocity: join(
            &add(&turned(&angular(&frame.velocity)), &spin),
            &add(&turned(&linear(&frame.velocity)), &add(&drift, &cross(&spin, &position))),
        ),
    }
}
