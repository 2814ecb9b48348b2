//! Global formulation in natural coordinates against exact solutions and the recursive engine.

mod common;

use common::loops::{double_four_bar, steel_bar};
use flexura::formulation::global::*;
use flexura::model::Model;

fn model_of(description: flexura::model::description::Description) -> Model {
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Lugrís et al. 2007, Table 1: three amplitudes per bar give the published counts, four those of the text.
#[test]
fn coordinate_counts_of_the_double_four_bar() {
    let table = [6, 13, 20, 27, 34, 41];
    for flexible in 0..=5 {
        for modes in [3, 4] {
            let model = model_of(double_four_bar(flexible, |name| steel_bar(name, modes, 1.0), [0.0; 3]));
            let global = GlobalModel::new(&model, &GlobalOptions::default()).unwrap();
            assert!(global.plane().is_some());
            let expected = table[flexible] + (modes - 3) * flexible;
            assert_eq!(global.coordinate_count(), expected, "{flexible} flexible bars, {modes} modes");
        }
    }
}

struct Run {
    model: Model,
    global: GlobalModel,
    integrator: GlobalIntegrator,
    state: GlobalState,
    worst: [f64; 3],
    iterations: usize,
}

impl Run {
    fn new(model: Model, options: &GlobalOptions) -> Self {
        let global = GlobalModel::new(&model, options).unwrap_or_else(|error| panic!("{error}"));
        let mut integrator = GlobalIntegrator::new(&model, &global);
        let state = integrator.initial(&model, &global).unwrap();
        Self { model, global, integrator, state, worst: [0.0; 3], iterations: 0 }
    }

    fn to(&mut self, end: f64, steps: usize) {
        let h = (end - self.state.time) / steps as f64;
        for _ in 0..steps {
            let report = self.integrator.step(&self.model, &self.global, &mut self.state, h).unwrap();
            self.iterations += report.iterations;
            for level in 0..3 {
                self.worst[level] = self.worst[level].max(report.violation[level]);
            }
        }
    }

    fn energy(&mut self) -> f64 {
        let [kinetic, potential] = self.integrator.energy(&self.model, &self.global, &self.state);
        kinetic + potential
    }
}

#[test]
fn rigid_double_four_bar_first_look() {
    let model = model_of(double_four_bar(0, |name| steel_bar(name, 3, 1.0), [0.0; 3]));
    let mut run = Run::new(model, &GlobalOptions::default());
    let e0 = run.energy();
    for n in [500, 1000, 2000] {
        let mut run = Run::new(run.model.clone(), &GlobalOptions::default());
        run.to(5.0, n);
        let k = run.model.body("coupler0").unwrap().0;
        let e = run.energy() - e0;
        println!(
            "{n} {:?} E {e:e} viol {:?} it {}",
            run.global.body_motion(&run.state, k).position,
            run.worst,
            run.iterations as f64 / n as f64
        );
    }
}

/// Accelerations of the tree at random states, against the recursive engine: bodies' origins and modes.
fn acceleration_error(model: &Model, state: &flexura::State, options: &GlobalOptions) -> Option<f64> {
    use flexura::algorithm::observe::inertial_acceleration;
    let global = GlobalModel::at(model, options, state).ok()?;
    let mut integrator = GlobalIntegrator::new(model, &global);
    let found = integrator.start(model, &global, state).unwrap();
    let mut start = state.clone();
    let work = common::random_model::evaluated(
        model,
        &mut start,
        flexura::algorithm::articulated_body::FlexibleRoute::Direct,
    );
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for k in 0..model.body_count() {
        let expected = inertial_acceleration(
            model,
            &work.kinematics,
            &work.poses,
            &work.articulated.acceleration,
            &work.articulated.chidot,
            k,
        );
        a.extend(global.body_acceleration(&found, k));
        b.extend(&expected[3..]);
    }
    Some(common::relative_error(&a, &b, 1.0))
}

#[test]
fn accelerations_of_random_trees() {
    use common::random_model::{Recipe, random_case};
    use flexura::model::description::InertiaLevel;
    for level in [InertiaLevel::Consistent, InertiaLevel::Full] {
        let mut tested = 0;
        for seed in 1..=200 {
            let mut recipe = Recipe::small(level);
            recipe.loads = seed % 2 == 0;
            recipe.prescribed = if seed % 3 == 0 { 0.3 } else { 0.0 };
            let (model, mut state) = random_case(&recipe, seed);
            flexura::prescribe::apply_prescribed(&model, &mut state, None);
            if let Some(error) = acceleration_error(&model, &state, &GlobalOptions::default()) {
                tested += 1;
                if error > 1e-8 {
                    let kinds: Vec<_> = model
                        .joints
                        .iter()
                        .map(|j| {
                            format!("{}{}", j.joint.kind.word(), if j.joint.reversed { "-" } else { "" })
                        })
                        .collect();
                    println!(
                        "{level:?} seed {seed}: {error:e} {:?} modes {:?} presc {}",
                        kinds,
                        model.bodies.iter().map(|b| b.modes).collect::<Vec<_>>(),
                        model.prescribed.iter().any(|&p| p)
                    );
                }
            }
        }
        println!("{level:?} {tested}");
    }
}
