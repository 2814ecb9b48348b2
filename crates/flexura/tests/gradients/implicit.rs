//! Steps of the generalised-α family gone back over: against dual numbers on the same steps, and against differences of whole runs.

use crate::directions::{self, Number};
use crate::dual_numbers::PAD;
use crate::models::{FLEXIBLE, PENDULUM};
use crate::{numbers, shipped, short};
use flexura::algorithm::inverse_dynamics::{Terms, inverse_dynamics};
use flexura::algorithm::structured_tangent::TangentWeights;
use flexura::analysis::{GradientSetup, KeptRun, Objective, Parameter, Term};
use flexura::build::Built;
use flexura::file::{build_text, set_parameter};
use flexura::integrate::{AlphaCoefficients, ExactTangent};
use flexura::model::description::{DampingChoice, MethodDescription};
use flexura::motion::retract::move_by_twist;
use flexura::scalar::Scalar;
use flexura::state::prescribe::apply_prescribed;
use flexura::time_function::Side;
use flexura::{Model, State, Workspace, evaluate};

/// A step in dual numbers: Newton's iteration with the exact tangent until neither values nor derivatives move.
struct DualSteps<'a> {
    model: &'a Model,
    c: AlphaCoefficients,
    state: State<Number>,
    work: Workspace<Number>,
    tangent: ExactTangent,
    algorithmic: Vec<Number>,
    acceleration: Vec<Number>,
    control_rates: Vec<Number>,
}

impl<'a> DualSteps<'a> {
    fn new(model: &'a Model, c: AlphaCoefficients, mut state: State<Number>) -> Self {
        let mut work = Workspace::<Number>::new(model);
        state.side = Side::After;
        apply_prescribed(model, &mut state, Some(&mut work.load));
        evaluate(model, &state, &mut work).expect("start");
        let acceleration = work.accelerations.chidot.clone();
        let control_rates = work.control.rates.clone();
        let tangent = ExactTangent::new(model).expect("few speeds");
        Self {
            model,
            c,
            state,
            work,
            tangent,
            algorithmic: acceleration.clone(),
            acceleration,
            control_rates,
        }
    }

    /// One step to `end`; the largest correction of the last iteration.
    fn step(&mut self, end: f64) -> f64 {
        let (model, c, n) = (self.model, self.c, self.state.v.len());
        let start = self.state.clone();
        let h = end - start.time;
        let share = (1.0 - c.alpha_f) / (1.0 - c.alpha_m);
        let weights = TangentWeights { stiffness: h * h * c.beta * share, damping: h * c.gamma * share };
        let mut w = self.acceleration.clone();
        let mut mixed = w.clone();
        let mut last = f64::INFINITY;
        for _ in 0..60 {
            let mut twist = vec![Number::ZERO; n];
            for i in 0..n {
                mixed[i] = (w[i] * (1.0 - c.alpha_f) + self.acceleration[i] * c.alpha_f
                    - self.algorithmic[i] * c.alpha_m)
                    * (1.0 / (1.0 - c.alpha_m));
                let (a0, a1) = (self.algorithmic[i], mixed[i]);
                twist[i] = start.v[i] * h + (a0 * (0.5 - c.beta) + a1 * c.beta) * (h * h);
                self.state.v[i] = start.v[i] + (a0 * (1.0 - c.gamma) + a1 * c.gamma) * h;
            }
            (self.state.time, self.state.side) = (end, Side::Before);
            for (k, slot) in self.state.z.iter_mut().enumerate() {
                *slot = start.z[k] + (self.control_rates[k] + self.work.control.rates[k]) * (0.5 * h);
            }
            move_by_twist(model, &start.q, &twist, &mut self.state.q);
            apply_prescribed(model, &mut self.state, Some(&mut self.work.load));
            for i in (0..n).filter(|&i| model.prescribed[i]) {
                w[i] = self.work.load.acceleration[i];
            }
            self.work.kinematics(model, &self.state);
            self.work.loads(model, &self.state);
            let Workspace { motion, inertias, load, inverse, .. } = &mut self.work;
            let (kin, wrench) = (&motion.kinematics, &load.wrench);
            inverse_dynamics(model, kin, inertias, &w, wrench, Terms::All, inverse);
            let residual: Vec<Number> = (0..n)
                .map(|i| {
                    if model.prescribed[i] {
                        Number::ZERO
                    } else {
                        inverse.generalized[i] - load.generalized[i]
                    }
                })
                .collect();
            let plain = State {
                time: end,
                side: Side::Before,
                q: self.state.q.iter().map(|x| x.re).collect(),
                v: self.state.v.iter().map(|x| x.re).collect(),
                z: self.state.z.iter().map(|x| x.re).collect(),
                turns: self.state.turns.clone(),
            };
            let values: Vec<f64> = w.iter().map(|x| x.re).collect();
            let driven: Vec<f64> = load.acceleration.iter().map(|x| x.re).collect();
            self.tangent.copy_prescribed(&driven);
            assert!(self.tangent.factorize(model, &plain, &values, weights));
            let (mut by_value, mut by_slope) = (vec![0.0; n], vec![0.0; n]);
            self.tangent.solve(&residual.iter().map(|r| r.re).collect::<Vec<_>>(), &mut by_value);
            self.tangent.solve(&residual.iter().map(|r| r.eps[0]).collect::<Vec<_>>(), &mut by_slope);
            for i in 0..n {
                w[i] -= Number { re: by_value[i], eps: [by_slope[i]] };
            }
            let largest = |list: &mut dyn Iterator<Item = f64>| list.fold(0.0_f64, |m, x| m.max(x.abs()));
            last = largest(&mut by_slope.iter().copied()) / (1.0 + largest(&mut w.iter().map(|x| x.eps[0])));
            if last < 1e-14 {
                break;
            }
        }
        self.control_rates.clone_from(&self.work.control.rates);
        (self.algorithmic, self.acceleration) = (mixed, w);
        last
    }
}

/// The model of `text` by implicit steps.
pub fn implicit(text: &str, damping: DampingChoice, step: f64, steps: f64) -> Built {
    let mut built = short(text, step * steps, 1.0, None);
    built.description.simulation.method = MethodDescription::Implicit { damping, step, tolerance: 0.0 };
    built
}

pub fn setup(channels: &[&str]) -> GradientSetup {
    GradientSetup { channels: channels.iter().map(|name| (*name).into()).collect(), ..Default::default() }
}

/// Over the initial state, against steps in dual numbers.
fn agree(name: &str, text: &str, (damping, c): (DampingChoice, AlphaCoefficients), step: f64, steps: usize) {
    let built = implicit(text, damping, step, steps as f64);
    // The run ends its iteration at 1e-10 of the motion of a step, dual numbers at rounding; 8e-12 is the most seen.
    directions::agree(name, &built, (&[5, 11, 17], 1e-10), |model, start| {
        let first = start.time;
        let mut steps_of = DualSteps::new(model, c, start);
        for k in 1..=steps {
            let unsettled = steps_of.step(first + step * k as f64);
            assert!(unsettled < 1e-12, "{name}: dual numbers do not settle in step {k}: {unsettled:.1e}");
        }
        steps_of.state
    });
}

pub fn family() -> [(DampingChoice, AlphaCoefficients); 3] {
    [
        (DampingChoice::None, AlphaCoefficients::trapezoidal()),
        (DampingChoice::SpectralRadius(0.8), AlphaCoefficients::generalized(0.8)),
        (DampingChoice::Hht(0.2), AlphaCoefficients::hht(0.2)),
    ]
}

#[test]
fn dual_numbers_on_the_same_steps_over_the_initial_state() {
    for method in family() {
        agree("pendulum with a controller", PENDULUM, method, 0.01, 12);
        agree("satellite", &shipped("satellite"), method, 0.02, 8);
    }
    let damped = family()[1];
    agree("flexible arm", &shipped("flexible_arm"), damped, 2e-3, 10);
    agree("contact", PAD, damped, 1e-3, 10);
    agree("spinning top", &shipped("spinning_top"), damped, 1e-3, 10);
    agree("robot arm", &shipped("robot_arm"), damped, 5e-3, 8);
}

/// Fourth-order difference of whole runs by `simulate`.
pub fn slope(h: f64, value: impl Fn(f64) -> f64) -> f64 {
    (value(-2.0 * h) - 8.0 * value(-h) + 8.0 * value(h) - value(2.0 * h)) / (12.0 * h)
}

/// A sampled controller, quaternions, a prescribed joint, a beam: numbers of the file by implicit steps, against whole runs.
#[test]
fn numbers_of_the_file_follow_whole_runs() {
    let channels = ["arm.tip.position.z", "arm.eta.1", "energy.work"];
    let paths =
        ["arm.young", "arm.length", "load.mass", "wrist.amplitude", "hold.proportional", "model.gravity.3"];
    let method = MethodDescription::Implicit {
        damping: DampingChoice::SpectralRadius(0.7),
        step: 1e-3,
        tolerance: 0.0,
    };
    let text = set_parameter(FLEXIBLE, "simulation.output_interval", "0.005").expect("set");
    let text = set_parameter(&text, "simulation.end", "0.03").expect("set");
    let of = |text: &str| {
        let mut built = build_text(text, "arm.toml").expect("model").built;
        built.description.simulation.method = method.clone();
        built
    };
    let list: Vec<Parameter<'_>> =
        paths.iter().map(|path| Parameter::of_file(&text, "arm.toml", path).expect("path")).collect();
    let objective = Objective::of_channel(channels[0], Term::End)
        .plus(3.0, channels[1], Term::MeanSquare)
        .plus(2.0, channels[2], Term::Integral);
    let mut run = KeptRun::new(&of(&text), &list, &setup(&channels)).expect("run");
    let (value, found) = run.gradient(&objective).expect("gradient");
    println!("{}", run.cost());
    let again = |built: &Built| {
        let result = built.simulate().expect("run");
        let rows = |name: &str| result.channel(name).expect("channel").to_vec();
        let (z, eta, work) = (rows(channels[0]), rows(channels[1]), rows(channels[2]));
        let last = z.len() - 1;
        let inner = |f: &dyn Fn(usize) -> f64| {
            (0..=last).map(|i| f(i) * if i == 0 || i == last { 0.5 } else { 1.0 }).sum::<f64>()
        };
        z[last] + 3.0 * inner(&|i| eta[i] * eta[i]) / last as f64 + 2.0 * 0.005 * inner(&|i| work[i])
    };
    assert!((value - again(&of(&text))).abs() < 1e-9 * value.abs(), "{value} {}", again(&of(&text)));
    for (j, (path, parameter)) in paths.iter().zip(&list).enumerate() {
        let at = |step: f64| {
            let text = set_parameter(&text, path, &format!("{:?}", parameter.value + step)).expect("set");
            again(&of(&text))
        };
        let difference = slope(1e-3 * parameter.value.abs(), at);
        let apart = (found.parameters[j] / difference - 1.0).abs();
        println!("{path}: {:e} {difference:e} {apart:.1e}", found.parameters[j]);
        assert!(apart < 1e-5, "{path}: {} {difference}", found.parameters[j]);
    }
    // Few states: the steps between them are repeated with what each has handed on.
    let few = GradientSetup { checkpoints: 3, ..setup(&channels) };
    let mut run = KeptRun::new(&of(&text), &list, &few).expect("run");
    let (_, repeated) = run.gradient(&objective).expect("gradient");
    assert!(run.cost().repeated_steps > 10 && run.cost().states <= 3);
    for (a, b) in found.parameters.iter().zip(&repeated.parameters) {
        // Lengths of repeated steps are differences of their instants.
        assert!((a - b).abs() < 1e-9 * a.abs(), "{a} {b}");
    }
}

/// Inputs begin the steps anew at every interval.
#[test]
fn inputs_follow_whole_runs() {
    let mut built = implicit(PENDULUM, DampingChoice::SpectralRadius(0.8), 0.01, 20.0);
    built.description.simulation.output_interval = 0.04;
    let channels = ["elbow.angle", "shoulder.rate"];
    let objective = Objective::of_channel(channels[0], Term::MeanSquare).plus(0.3, channels[1], Term::End);
    let held = numbers(5, 9);
    let given = |held: &[f64]| GradientSetup {
        inputs: vec!["elbow.effort".into()],
        held: held.to_vec(),
        ..setup(&channels)
    };
    let mut run = KeptRun::new(&built, &[], &given(&held)).expect("run");
    let (_, found) = run.gradient(&objective).expect("gradient");
    for i in 0..held.len() {
        let difference = slope(1e-2, |h| {
            let mut moved = held.clone();
            moved[i] += h;
            KeptRun::new(&built, &[], &given(&moved)).expect("run").gradient(&objective).expect("value").0
        });
        let size = found.inputs.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!((found.inputs[i] - difference).abs() < 1e-7 * size, "{i}: {} {difference}", found.inputs[i]);
    }
}

/// Accepted steps of a controlled length are held, as those of `dormand-prince`.
#[test]
fn steps_of_a_controlled_length_are_gone_back_over() {
    let mut built = implicit(PENDULUM, DampingChoice::SpectralRadius(0.8), 0.01, 40.0);
    built.description.simulation.method = MethodDescription::Implicit {
        damping: DampingChoice::SpectralRadius(0.8),
        step: 1e-3,
        tolerance: 1e-8,
    };
    let objective = Objective::of_channel("elbow.angle", Term::End);
    let path = "lower.mass";
    let list = [Parameter::of_file(PENDULUM, "model.toml", path).expect("path")];
    let mut run = KeptRun::new(&built, &list, &setup(&["elbow.angle"])).expect("run");
    let (_, found) = run.gradient(&objective).expect("gradient");
    // The exact motion: the gradient by tight explicit steps, from which the method is off by its error.
    let mut exact = built.clone();
    exact.description.simulation.method = MethodDescription::Rk4 { step: 1e-3 };
    let mut run = KeptRun::new(&exact, &list, &setup(&["elbow.angle"])).expect("run");
    let (_, wanted) = run.gradient(&objective).expect("gradient");
    let apart = (found.parameters[0] / wanted.parameters[0] - 1.0).abs();
    println!("{apart:.1e}, {}", run.cost());
    assert!(apart < 1e-4, "{} {}", found.parameters[0], wanted.parameters[0]);
}
