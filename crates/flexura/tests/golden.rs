//! Golden contract: every case in `FLEXURA_GOLDEN_DIR` (default: the copies in
//! the repository, computed by an independent program) is reproduced to 1e-10 by
//! composite-body, articulated-body and divide-and-conquer dynamics, at every level it gives.
//!
//! An unknown level or quantity, an empty folder or an unreadable file fails.

mod common;

use common::golden_case as case;
use common::relative_error;
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::divide_and_conquer::{DivideAndConquer, LEAF_BODIES, Par, divide_and_conquer};
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::algorithm::{FlexibleRoute, energy, momentum};
use flexura::model::body::InertiaModel;
use flexura::model::description::{Carriers, InertiaLevel};
use flexura::motion::observe::inertial_velocity;
use flexura::{Model, State, Workspace, build};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const TOLERANCE: f64 = 1e-10;

struct Tally {
    comparisons: usize,
    worst: f64,
    failures: Vec<String>,
}

impl Tally {
    fn compare(&mut self, label: &str, found: &[f64], expected: &[f64], floor: f64) {
        if found.len() != expected.len() {
            self.failures.push(format!("{label}: {} numbers, expected {}", found.len(), expected.len()));
            return;
        }
        let error = relative_error(found, expected, floor);
        self.comparisons += 1;
        self.worst = self.worst.max(error);
        if error.is_nan() || error >= TOLERANCE {
            self.failures.push(format!("{label}: relative error {error:.3e}"));
        }
    }
}

fn main() -> ExitCode {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden");
    let folder = std::env::var_os("FLEXURA_GOLDEN_DIR").map_or(default, PathBuf::from);
    let mut tally = Tally { comparisons: 0, worst: 0.0, failures: Vec::new() };
    let files = match cases(&folder) {
        Ok(files) => files,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let before = tally.failures.len();
        if let Err(message) = check_file(file, &name, &mut tally) {
            tally.failures.push(format!("{name}: {message}"));
        }
        println!("test golden {name} ... {}", if tally.failures.len() == before { "ok" } else { "FAILED" });
    }
    for failure in &tally.failures {
        println!("  {failure}");
    }
    println!("golden: {} files, {} comparisons, worst {:.2e}", files.len(), tally.comparisons, tally.worst);
    if tally.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn cases(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| format!("cannot list {}: {e}", folder.display()))?.path();
        if path.extension().is_some_and(|x| x == "json") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(format!("no golden cases (*.json) in {}", folder.display()));
    }
    Ok(files)
}

fn check_file(file: &Path, name: &str, tally: &mut Tally) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let value: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let expected = value["expected"].as_object().ok_or("no `expected`")?;
    if expected.is_empty() {
        return Err("`expected` is empty".into());
    }
    for (word, quantities) in expected {
        let level = match word.as_str() {
            "ruthless" => InertiaLevel::Ruthless,
            "paper" => InertiaLevel::Paper,
            "gram" | "gram_modal" => InertiaLevel::Gram,
            "consistent" => InertiaLevel::Consistent,
            "full" => InertiaLevel::Full,
            other => return Err(format!("unknown level `{other}`")),
        };
        let carriers = if word == "gram" { Carriers::Affine } else { Carriers::Modal };
        check_level(&value, &format!("{name} {word}"), level, carriers, quantities, tally)?;
    }
    Ok(())
}

/// Everything computed for one case at one level, in the order of the file.
struct Found {
    model: Model,
    composite: Vec<f64>,
    articulated: Vec<f64>,
    /// With one body per leaf, and with the usual leaves.
    divided: [Vec<f64>; 2],
    mass: Vec<f64>,
    bias: Vec<f64>,
    applied: Vec<f64>,
    kinetic: f64,
    potential: f64,
    linear: Vec<f64>,
    angular: Vec<f64>,
    power: f64,
    state: State,
    work: Workspace,
}

fn compute(value: &Value, level: InertiaLevel, carriers: Carriers) -> Result<Found, String> {
    let mut description = case::description(value, level)?;
    description.bodies.iter_mut().for_each(|body| body.carriers = Some(carriers));
    let model = build(description).map_err(|e| e.to_string())?.model;
    let state = case::state(value, &model)?;
    let mut work = Workspace::with_route(&model, FlexibleRoute::Automatic);
    work.kinematics(&model, &state);
    work.poses(&model, &state);
    work.loads(&model, &state);
    for (slot, effort) in work.load.generalized.iter_mut().zip(case::efforts(value, &model)?) {
        *slot += effort;
    }
    work.accelerations(&model).map_err(|e| e.to_string())?;
    let mut composite = CompositeBody::new(&model).map_err(|e| e.to_string())?;
    composite_body(&model, &work.motion.kinematics, &work.inertias, &work.load, &mut composite)
        .map_err(|e| e.to_string())?;
    let mut divided = [Vec::new(), Vec::new()];
    for (slot, leaf) in divided.iter_mut().zip([1, LEAF_BODIES]) {
        let mut out = DivideAndConquer::with_leaf(&model, leaf);
        divide_and_conquer(
            &model,
            &work.motion.kinematics,
            &work.inertias,
            &work.load,
            &mut out,
            Par::Serial,
        )
        .map_err(|e| e.to_string())?;
        *slot = out.chidot;
    }
    // Bias without loads; the difference to the bias with wrenches is their generalised force.
    let still = vec![0.0; model.speed_count()];
    let none = vec![[0.0; 6]; model.body_count()];
    let mut inverse = InverseDynamics::new(&model);
    let mut bias_with = |wrench: &[[f64; 6]]| {
        inverse_dynamics(
            &model,
            &work.motion.kinematics,
            &work.inertias,
            &still,
            wrench,
            Terms::All,
            &mut inverse,
        );
        inverse.generalized.clone()
    };
    let (bias, loaded) = (bias_with(&none), bias_with(&work.load.wrench));
    let order = case::speed_order(&model);
    let sorted = |values: &[f64]| order.iter().map(|&i| values[i]).collect::<Vec<f64>>();
    let applied: Vec<f64> =
        (0..model.speed_count()).map(|i| work.load.generalized[i] + bias[i] - loaded[i]).collect();
    let size = model.speed_count();
    let mass = order.iter().flat_map(|&i| order.iter().map(move |&j| (i, j)));
    let mass = mass.map(|(i, j)| composite.mass[i * size + j]).collect();
    let energies = energy(&model, &state, &work.motion, &work.inertias);
    let momenta = momentum(&model, &state, &work.motion, &work.inertias, &[0.0; 3]);
    Ok(Found {
        composite: sorted(&composite.chidot),
        articulated: sorted(&work.accelerations.chidot),
        divided: divided.map(|chidot| sorted(&chidot)),
        mass,
        bias: sorted(&bias),
        power: applied.iter().zip(&state.v).map(|(q, v)| q * v).sum(),
        applied: sorted(&applied),
        kinetic: energies.kinetic,
        potential: energies.potential(),
        linear: momenta.linear.to_vec(),
        angular: momenta.angular.to_vec(),
        model,
        state,
        work,
    })
}

fn check_level(
    value: &Value,
    label: &str,
    level: InertiaLevel,
    carriers: Carriers,
    quantities: &Value,
    tally: &mut Tally,
) -> Result<(), String> {
    let table = quantities.as_object().ok_or("level is not a table")?;
    if table.keys().all(|key| key == "variant") {
        return Err(format!("{label}: nothing to compare"));
    }
    let mut found = compute(value, level, carriers)?;
    if level == InertiaLevel::Paper {
        // Under `paper` the cases give the true potential energy and momenta of the state, not those
        // of the paper's own mass matrix (its T): take them from the exact sums.
        let exact = compute(value, InertiaLevel::Full, carriers)?;
        found.potential = exact.potential;
        found.linear = exact.linear;
        found.angular = exact.angular;
    }
    for (key, expected) in table {
        let name = format!("{label} {key}");
        let scalar = || expected.as_f64().ok_or_else(|| format!("{name}: not a number"));
        match key.as_str() {
            "variant" => {}
            "chidot" => {
                let expected = case::numbers(expected)?;
                tally.compare(&format!("{name} (composite)"), &found.composite, &expected, 1e-300);
                tally.compare(&format!("{name} (articulated)"), &found.articulated, &expected, 1e-300);
                for divided in &found.divided {
                    tally.compare(&format!("{name} (divide and conquer)"), divided, &expected, 1e-300);
                }
            }
            "accelerations" => {
                let mut list = Vec::new();
                for body in expected.as_array().ok_or("accelerations")? {
                    list.extend(case::numbers(&body["etadd"])?);
                    list.extend(case::numbers(&body["ud"])?);
                }
                tally.compare(&name, &found.articulated, &list, 1e-300);
            }
            "mass_matrix" => tally.compare(&name, &found.mass, &case::flattened(expected)?, 1e-300),
            "mass_matrix_cond" => {
                let condition = condition_number(&found.mass, found.composite.len());
                tally.compare(&name, &[condition], &[scalar()?], 1e-300);
            }
            "bias_h" => tally.compare(&name, &found.bias, &case::numbers(expected)?, 1e-300),
            "Q" => tally.compare(&name, &found.applied, &case::numbers(expected)?, 1e-12),
            // Energies and power are sums that may cancel; one joule (watt) is the floor of their scale.
            "T" => tally.compare(&name, &[found.kinetic], &[scalar()?], 1e-12),
            "V" => tally.compare(&name, &[found.potential], &[scalar()?], 1.0),
            "power_applied" => tally.compare(&name, &[found.power], &[scalar()?], 1.0),
            "linear_momentum" => tally.compare(&name, &found.linear, &case::numbers(expected)?, 1e-12),
            "angular_momentum_about_origin" => {
                tally.compare(&name, &found.angular, &case::numbers(expected)?, 1e-12);
            }
            "bodies" => check_bodies(&name, &found, expected, tally)?,
            "body_blocks" => check_blocks(&name, &found, expected, tally)?,
            other => return Err(format!("{label}: unknown quantity `{other}`")),
        }
    }
    Ok(())
}

fn check_bodies(name: &str, found: &Found, expected: &Value, tally: &mut Tally) -> Result<(), String> {
    let count = expected.as_array().map_or(0, Vec::len);
    if count != found.model.body_count() {
        return Err(format!("{name}: {count} bodies, the model has {}", found.model.body_count()));
    }
    for k in 0..found.model.body_count() {
        let body = &expected[case::file_index(&found.model, k)];
        let (omega, v) = inertial_velocity(&found.work.motion.poses, k);
        let at = format!("{name}[{}]", found.model.bodies[k].name);
        let keys = body.as_object().ok_or("body is not a table")?;
        for (key, value) in keys {
            match key.as_str() {
                "name" => {}
                "R" => tally.compare(
                    &at,
                    &found.work.motion.poses.rotation[k].concat(),
                    &case::flattened(value)?,
                    1.0,
                ),
                "r" => {
                    tally.compare(&at, &found.work.motion.poses.position[k], &case::numbers(value)?, 1e-12)
                }
                "omega" => tally.compare(&at, &omega, &case::numbers(value)?, 1e-12),
                "v" => tally.compare(&at, &v, &case::numbers(value)?, 1e-12),
                other => return Err(format!("{at}: unknown quantity `{other}`")),
            }
        }
    }
    Ok(())
}

/// Mass block, bias and carriers of every body on its own.
fn check_blocks(name: &str, found: &Found, expected: &Value, tally: &mut Tally) -> Result<(), String> {
    for (k, body) in found.model.bodies.iter().enumerate() {
        let expected = &expected[case::file_index(&found.model, k)];
        let part = &found.model.layout.bodies[k];
        let (eta, rate) = (&found.state.q[part.modal_q()], &found.state.v[part.modal_v()]);
        let (mass, bias) = body.mass_and_bias(eta, rate, &found.work.motion.kinematics.bodies[k].omega);
        let at = format!("{name}[{}]", body.name);
        tally.compare(&at, &mass, &case::flattened(&expected["mass"])?, 1e-300);
        tally.compare(&at, &bias, &case::numbers(&expected["bias"])?, 1e-12);
        if let InertiaModel::Gram(inertia) = &body.inertia
            && expected["carriers"].as_u64() != Some(inertia.carriers() as u64)
        {
            tally.failures.push(format!("{at}: {} carriers", inertia.carriers()));
        }
    }
    Ok(())
}

/// λmax / λmin of a symmetric matrix, by cyclic Jacobi rotations.
fn condition_number(matrix: &[f64], n: usize) -> f64 {
    let mut a = matrix.to_vec();
    for _ in 0..60 {
        let mut off = 0.0;
        for p in 0..n {
            for q in p + 1..n {
                let apq = a[p * n + q];
                off += apq * apq;
                if apq == 0.0 {
                    continue;
                }
                let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    a[k * n + p] = c * x - s * y;
                    a[k * n + q] = s * x + c * y;
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    a[p * n + k] = c * x - s * y;
                    a[q * n + k] = s * x + c * y;
                }
            }
        }
        if off < 1e-300 {
            break;
        }
    }
    let diagonal = (0..n).map(|i| a[i * (n + 1)].abs());
    diagonal.clone().fold(0.0, f64::max) / diagonal.fold(f64::INFINITY, f64::min)
}
