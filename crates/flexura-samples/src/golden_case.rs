//! Reads golden cases (format: book/src/theory/golden.md) into descriptions and states.

use flexura::model::description::*;
use flexura::{Model, State};
use serde_json::Value;

/// A vector of numbers.
pub fn numbers(value: &Value) -> Result<Vec<f64>, String> {
    let list = value.as_array().ok_or_else(|| format!("expected a list, found {value}"))?;
    list.iter().map(|x| x.as_f64().ok_or_else(|| format!("expected a number, found {x}"))).collect()
}

fn vector3(value: &Value) -> Result<[f64; 3], String> {
    numbers(value)?.try_into().map_err(|_| format!("expected three numbers, found {value}"))
}

fn matrix3(value: &Value) -> Result<[[f64; 3]; 3], String> {
    let rows = value.as_array().ok_or("expected a matrix")?;
    let rows: Vec<[f64; 3]> = rows.iter().map(vector3).collect::<Result<_, _>>()?;
    rows.try_into().map_err(|_| "expected three rows".to_string())
}

/// Rows of a matrix, flattened.
pub fn flattened(value: &Value) -> Result<Vec<f64>, String> {
    let rows = value.as_array().ok_or("expected a matrix")?;
    Ok(rows.iter().map(numbers).collect::<Result<Vec<_>, _>>()?.concat())
}

fn quaternion(value: &Value) -> Result<RotationDescription, String> {
    let q: [f64; 4] = numbers(value)?.try_into().map_err(|_| "expected a quaternion")?;
    Ok(RotationDescription::Quaternion(q))
}

/// Columns of a 3 × n matrix as 3-vectors.
fn columns(value: &Value) -> Result<Vec<[f64; 3]>, String> {
    let rows: Vec<Vec<f64>> =
        value.as_array().ok_or("expected rows")?.iter().map(numbers).collect::<Result<_, _>>()?;
    let width = rows.first().map_or(0, Vec::len);
    Ok((0..width).map(|r| [rows[0][r], rows[1][r], rows[2][r]]).collect())
}

fn quadratic(value: &Value, n: usize) -> Result<Vec<[f64; 3]>, String> {
    if value.is_null() {
        return Ok(Vec::new());
    }
    let planes: Vec<Vec<f64>> =
        value.as_array().ok_or("expected Gamma2")?.iter().map(flattened).collect::<Result<_, _>>()?;
    Ok((0..n * n).map(|k| [planes[0][k], planes[1][k], planes[2][k]]).collect())
}

fn node(value: &Value, index: usize) -> Result<NodeDescription, String> {
    let slopes = columns(&value["lambda"])?;
    Ok(NodeDescription {
        name: format!("n{index}"),
        mass: value["m"].as_f64().ok_or("m")?,
        inertia: matrix3(&value["J"])?,
        offset: vector3(&value["p"])?,
        position: vector3(&value["l0"])?,
        translations: columns(&value["gamma"])?,
        quadratic: quadratic(&value["Gamma2"], slopes.len())?,
        slopes,
    })
}

fn joint_kind(value: &Value) -> Result<JointKindDescription, String> {
    let axis = || vector3(&value["axis"]);
    Ok(match value["type"].as_str().ok_or("joint type")? {
        "weld" => JointKindDescription::Weld,
        "revolute" => JointKindDescription::Revolute { axis: axis()? },
        "prismatic" => JointKindDescription::Prismatic { axis: axis()? },
        "cylindrical" => JointKindDescription::Cylindrical { axis: axis()? },
        "universal" => JointKindDescription::Universal { axis: axis()?, axis2: vector3(&value["axis2"])? },
        "spherical" => JointKindDescription::Spherical,
        "free" => JointKindDescription::Free,
        other => return Err(format!("unknown joint type {other}")),
    })
}

/// The description of a golden case at one inertia level.
pub fn description(case: &Value, level: InertiaLevel) -> Result<Description, String> {
    let model = &case["model"];
    let bodies = model["bodies"].as_array().ok_or("bodies")?;
    let mut out =
        Description { name: "golden".into(), gravity: vector3(&model["gravity"])?, ..Default::default() };
    for (b, body) in bodies.iter().enumerate() {
        let nodes: Vec<NodeDescription> = body["nodes"]
            .as_array()
            .ok_or("nodes")?
            .iter()
            .enumerate()
            .map(|(i, value)| node(value, i))
            .collect::<Result<_, _>>()?;
        let modes = nodes.first().map_or(0, |n| n.slopes.len());
        let frame = FrameDescription {
            name: "in".into(),
            place: Place::Node(format!("n{}", body["node"])),
            position: vector3(&body["offset"])?,
            rotation: quaternion(&body["rot"])?,
        };
        let modal = ModalDescription {
            modes,
            nodes,
            stiffness: flattened(&body["K"])?,
            damping: DampingDescription::Matrix(flattened(&body["D"])?),
            invariants: None,
        };
        out.bodies.push(BodyDescription {
            name: format!("b{b}"),
            kind: BodyKind::Modal(modal),
            frames: vec![frame],
            level: Some(level),
            attachments: None,
            carriers: None,
        });
        let parent = body["parent"].as_i64().ok_or("parent")?;
        let outer = FrameDescription {
            name: format!("out{b}"),
            place: if parent < 0 { Place::Origin } else { Place::Node(format!("n{}", body["parent_node"])) },
            position: vector3(&body["parent_offset"])?,
            rotation: quaternion(&body["parent_rot"])?,
        };
        let carrier = usize::try_from(parent).map_or("ground".to_string(), |p| format!("b{p}"));
        match usize::try_from(parent) {
            Ok(p) => out.bodies[p].frames.push(outer),
            Err(_) => out.ground_frames.push(outer),
        }
        out.joints.push(JointDescription {
            name: format!("j{b}"),
            kind: joint_kind(&body["joint"])?,
            between: [format!("{carrier}.out{b}"), format!("b{b}.in")],
            position: Vec::new(),
            speed: Vec::new(),
            coordinates: Vec::new(),
        });
    }
    add_forces(case, &mut out)?;
    Ok(out)
}

fn add_forces(case: &Value, out: &mut Description) -> Result<(), String> {
    let Some(forces) = case["state"]["node_forces"].as_array() else { return Ok(()) };
    for (i, force) in forces.iter().enumerate() {
        let body = force["body"].as_u64().ok_or("force body")? as usize;
        let place = Place::Node(format!("n{}", force["node"]));
        out.bodies[body].frames.push(FrameDescription { name: format!("f{i}"), place, ..Default::default() });
        out.forces.push(ForceDescription {
            name: format!("f{i}"),
            at: format!("b{body}.f{i}"),
            inertial: true,
            force: vector3(&force["force"])?,
            moment: vector3(&force["moment"])?,
            scale: None,
        });
    }
    Ok(())
}

/// The state of the case, in the model's order.
pub fn state(case: &Value, model: &Model) -> Result<State, String> {
    let mut state = State::initial(model, 0.0);
    let source = &case["state"];
    for k in 0..model.body_count() {
        let b = file_index(model, k);
        let part = &model.layout.bodies[k];
        state.q[part.modal_q()].copy_from_slice(&numbers(&source["eta"][b])?);
        state.v[part.modal_v()].copy_from_slice(&numbers(&source["etad"][b])?);
        state.q[part.joint_q()].copy_from_slice(&numbers(&source["q"][b])?);
        state.v[part.joint_v()].copy_from_slice(&numbers(&source["u"][b])?);
    }
    Ok(state)
}

/// Applied generalised forces tau and tau_eta, in the model's order.
pub fn efforts(case: &Value, model: &Model) -> Result<Vec<f64>, String> {
    let mut efforts = vec![0.0; model.speed_count()];
    for k in 0..model.body_count() {
        let b = file_index(model, k);
        let part = &model.layout.bodies[k];
        for (key, range) in [("tau_eta", part.modal_v()), ("tau", part.joint_v())] {
            let value = &case["state"][key][b];
            if !value.is_null() {
                efforts[range].copy_from_slice(&numbers(value)?);
            }
        }
    }
    Ok(efforts)
}

/// Index in the file of body `k` of the model.
pub fn file_index(model: &Model, k: usize) -> usize {
    model.bodies[k].name[1..].parse().expect("golden bodies are named b0, b1, …")
}

/// For every speed in file order, its index in the model.
pub fn speed_order(model: &Model) -> Vec<usize> {
    let mut by_file: Vec<usize> = (0..model.body_count()).collect();
    by_file.sort_by_key(|&k| file_index(model, k));
    by_file
        .iter()
        .flat_map(|&k| {
            let part = &model.layout.bodies[k];
            part.v..part.v + part.modes + part.joint_v
        })
        .collect()
}
