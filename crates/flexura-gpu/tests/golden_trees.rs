//! The golden trees on the emulated device: figures of the independent program where it has the level, articulated bodies at both
//! levels of devices on every tree, and the levels that devices do not have refused by name.

mod common;

use common::{compare, error, evaluated};
use flexura::lower::refusals;
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura::{Model, State};
use flexura_gpu::{Choice, DeviceError, System};
use flexura_samples::golden_case;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// All golden cases with the names of their files.
fn cases() -> Vec<(String, Value)> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../flexura/tests/data/golden");
    let folder = std::env::var_os("FLEXURA_GOLDEN_DIR").map_or(default, PathBuf::from);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("golden cases")
        .map(|entry| entry.expect("listed").path())
        .filter(|path| path.extension().is_some_and(|x| x == "json"))
        .collect();
    files.sort();
    let read = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("read");
        (file.display().to_string(), serde_json::from_str(&text).expect("JSON"))
    };
    files.iter().map(read).collect()
}

/// Efforts of a golden case as loads of its description: constant efforts of joints, forces on modes.
fn with_efforts(case: &Value, description: &mut Description) -> Result<(), String> {
    for (b, body) in description.bodies.iter().enumerate() {
        let tau = &case["state"]["tau_eta"][b];
        if !tau.is_null() && tau.as_array().is_some_and(|list| !list.is_empty()) {
            let kind = LoadKind::Modal { forces: golden_case::numbers(tau)? };
            let name = format!("modal{b}");
            description.loads.push(LoadDescription { name, body: body.name.clone(), kind, scale: None });
        }
    }
    for (b, joint) in description.joints.iter_mut().enumerate() {
        let tau = &case["state"]["tau"][b];
        if !tau.is_null() {
            let constant = |&x: &f64| CoordinateDescription {
                effort: Some(TimeFunction::Constant(x)),
                ..CoordinateDescription::default()
            };
            joint.coordinates = golden_case::numbers(tau)?.iter().map(constant).collect();
        }
    }
    Ok(())
}

fn is_rigid(case: &Value) -> bool {
    let rigid = |body: &Value| body["nodes"][0]["lambda"][0].as_array().is_some_and(Vec::is_empty);
    case["model"]["bodies"].as_array().is_some_and(|list| list.iter().all(rigid))
}

/// The model and the state of a case at a level.
fn prepared(case: &Value, level: InertiaLevel, carriers: Carriers) -> (Model, State) {
    let mut description = golden_case::description(case, level).expect("described");
    description.bodies.iter_mut().for_each(|body| body.carriers = Some(carriers));
    with_efforts(case, &mut description).expect("efforts");
    let model = flexura::build(description).expect("sound").model;
    let state = golden_case::state(case, &model).expect("state");
    (model, state)
}

#[test]
fn golden_trees_give_the_accelerations_of_the_independent_program() {
    let (mut worst, mut compared) = (0.0_f64, 0);
    for (_, case) in cases() {
        for (word, quantities) in case["expected"].as_object().expect("levels") {
            let (level, carriers) = match word.as_str() {
                "ruthless" => (InertiaLevel::Ruthless, Carriers::Modal),
                "gram" => (InertiaLevel::Gram, Carriers::Affine),
                "gram_modal" => (InertiaLevel::Gram, Carriers::Modal),
                // Rigid cases are the same at every level.
                "full" | "paper" if is_rigid(&case) => (InertiaLevel::Gram, Carriers::Modal),
                _ => continue,
            };
            let Some(expected) = quantities.get("chidot") else { continue };
            let (model, state) = prepared(&case, level, carriers);
            let order = golden_case::speed_order(&model);
            let expected = golden_case::numbers(expected).expect("numbers");
            for leaf in [1, 4] {
                let system = System::huge_with_leaf(&model, leaf, Choice::Emulated).expect("lowered");
                let found = evaluated(system, &state, 0);
                let found: Vec<f64> = order.iter().map(|&i| found[i]).collect();
                worst = worst.max(error(&found, &expected));
            }
            compared += 1;
        }
    }
    println!("{compared} golden cases from the figures of the independent program: {worst:.1e}");
    // As many digits as articulated bodies reproduce (`golden` of the engine, same limit).
    assert!(compared >= 22 && worst < 1e-10, "{compared} {worst:.1e}");
}

#[test]
fn every_golden_tree_runs_as_articulated_bodies_at_both_levels() {
    let (mut worst, mut compared) = (0.0_f64, 0);
    for (file, case) in cases() {
        for (level, carriers) in [
            (InertiaLevel::Ruthless, Carriers::Modal),
            (InertiaLevel::Gram, Carriers::Affine),
            (InertiaLevel::Gram, Carriers::Modal),
        ] {
            let (model, state) = prepared(&case, level, carriers);
            for leaf in [1, 3] {
                let found = compare(&model, &state, leaf);
                assert!(found < 1e-11, "{file} at {level:?}: {found:.1e}");
                worst = worst.max(found);
            }
            compared += 1;
        }
    }
    println!("{compared} golden trees and levels from articulated bodies: {worst:.1e}");
    assert!(compared >= 87, "{compared}");
}

#[test]
fn levels_that_devices_do_not_have_are_refused_body_by_body() {
    let mut refused = 0;
    for (file, case) in cases() {
        for level in [InertiaLevel::Paper, InertiaLevel::Consistent, InertiaLevel::Full] {
            let mut description = golden_case::description(&case, level).expect("described");
            with_efforts(&case, &mut description).expect("efforts");
            // Not every level has every case.
            let Ok(built) = flexura::build(description) else { continue };
            let flexible: Vec<String> = (built.model.bodies.iter())
                .filter(|body| body.modes > 0)
                .map(|body| format!("body `{}`", body.name))
                .collect();
            let found = refusals(&built.model);
            let items: Vec<String> = found.iter().map(|refusal| refusal.item.clone()).collect();
            assert_eq!(items, flexible, "{file} at {level:?}");
            assert!(found.iter().all(|refusal| refusal.reason.contains("use `gram` (the default)")));
            let lowered = System::huge_with_leaf(&built.model, 2, Choice::Emulated);
            match lowered {
                Ok(_) => assert!(flexible.is_empty(), "{file} at {level:?}"),
                Err(DeviceError::Refused(list)) => assert_eq!(list, found),
                Err(other) => panic!("{file} at {level:?}: {other}"),
            }
            refused += usize::from(!flexible.is_empty());
        }
    }
    println!("{refused} golden trees refused at levels of the processor");
    assert!(refused >= 60, "{refused}");
}
