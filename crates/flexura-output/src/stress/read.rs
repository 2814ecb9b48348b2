//! Rows of stresses read from a result file; nothing is believed before the lists fit each other.

use super::error::StressError;
use super::field::Instants;
use super::text::{STRESS_KEY, STRESS_VERSION};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flexura::beam::Fibre;
use flexura::model::recovery::{LineSection, Recovery, RecoveryPlace, StressLayer};
use flexura_results::ResultFile;
use serde_json::Value;

/// A body with its rows and what the modes did.
pub struct BodyRows {
    /// Name.
    pub name: String,
    /// Rows.
    pub rows: Recovery,
    /// Times and modal coordinates.
    pub instants: Instants,
}

/// Names of the bodies of a result whose stresses can be had.
pub fn bodies_with_rows(result: &ResultFile) -> Result<Vec<String>, StressError> {
    let (bodies, _) = bodies(result)?;
    Ok(bodies.iter().filter_map(|body| body["name"].as_str().map(str::to_owned)).collect())
}

/// The rows of the bodies called `names`, or of all where there are none.
pub fn body_rows(result: &ResultFile, names: &[String]) -> Result<Vec<BodyRows>, StressError> {
    let (bodies, shown) = bodies(result)?;
    let name_of = |body: &Value| body["name"].as_str().unwrap_or_default().to_owned();
    for name in names {
        if !bodies.iter().any(|body| name_of(body) == *name) {
            let known = bodies.iter().map(name_of).collect::<Vec<_>>().join(", ");
            return Err(StressError::UnknownBody { name: name.clone(), known });
        }
    }
    let wanted = bodies.iter().filter(|body| names.is_empty() || names.contains(&name_of(body)));
    wanted
        .map(|body| {
            let (name, damaged) = (name_of(body), |reason: &str| StressError::Damaged {
                path: shown.clone(),
                reason: reason.into(),
            });
            let rows = recovery(body).ok_or_else(|| damaged("a list is missing or too short"))?;
            let instants = coordinates(result, &name, rows.modes, &shown)?;
            Ok(BodyRows { name, rows, instants })
        })
        .collect()
}

fn bodies(result: &ResultFile) -> Result<(Vec<Value>, String), StressError> {
    let shown = result.path().display().to_string();
    let text = result.layout().metadata.get(STRESS_KEY);
    let text = text.ok_or_else(|| StressError::NoStress { path: shown.clone() })?;
    let damaged = |reason: String| StressError::Damaged { path: shown.clone(), reason };
    let mut value: Value = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    if value["version"] != STRESS_VERSION {
        return Err(damaged(format!("version {} is not known", value["version"])));
    }
    match value["bodies"].take() {
        Value::Array(bodies) if !bodies.is_empty() => Ok((bodies, shown)),
        Value::Array(_) => Err(StressError::NoStress { path: shown }),
        _ => Err(damaged("no list of bodies".into())),
    }
}

/// Modal coordinates of a body, row by row.
fn coordinates(result: &ResultFile, body: &str, modes: usize, shown: &str) -> Result<Instants, StressError> {
    let (times, mut eta) = (result.time().to_vec(), vec![0.0; result.rows() * modes]);
    for mode in 0..modes {
        let values = result
            .channel(&format!("{body}.eta.{}", mode + 1))
            .map_err(|cause| StressError::NoCoordinates { path: shown.into(), body: body.into(), cause })?;
        for (row, value) in values.into_iter().enumerate() {
            eta[row * modes + mode] = value;
        }
    }
    Ok(Instants { times, modes, eta })
}

fn decoded<const N: usize, T>(value: &Value, read: fn([u8; N]) -> T) -> Option<Vec<T>> {
    let bytes = STANDARD.decode(value.as_str()?).ok()?;
    let whole = bytes.len().is_multiple_of(N);
    let list = bytes.chunks_exact(N).map(|chunk| read(std::array::from_fn(|i| chunk[i]))).collect();
    whole.then_some(list)
}

fn tuples<const N: usize, T: Copy>(list: Vec<T>) -> Option<Vec<[T; N]>> {
    let whole = list.len().is_multiple_of(N);
    whole.then(|| list.chunks_exact(N).map(|chunk| std::array::from_fn(|i| chunk[i])).collect())
}

/// The rows of one entry; `None` where something is missing or does not fit.
fn recovery(body: &Value) -> Option<Recovery> {
    let reals = |key: &str| decoded::<8, f64>(&body[key], f64::from_le_bytes);
    let indices = |value: &Value| decoded::<4, u32>(value, u32::from_le_bytes);
    let bytes = |key: &str| decoded::<1, u8>(&body[key], |[byte]| byte);
    let layers = [StressLayer::Solid, StressLayer::Middle, StressLayer::Top, StressLayer::Bottom];
    let (nodes, sides) = (indices(&body["place_nodes"])?, bytes("place_sides")?);
    let codes = bytes("place_layers")?;
    if nodes.len() != sides.len() || nodes.len() != codes.len() {
        return None;
    }
    let mut places = Vec::new();
    for ((node, side), code) in nodes.into_iter().zip(sides).zip(codes) {
        places.push(RecoveryPlace { node, side, layer: *layers.get(usize::from(code))? });
    }
    let sections: Vec<LineSection> =
        body["sections"].as_array()?.iter().map(section).collect::<Option<_>>()?;
    let of_lines = indices(&body["section_of"])?;
    let named =
        |entry: &Value| Some((entry[0].as_str()?.to_owned(), u32::try_from(entry[1].as_u64()?).ok()?));
    let set = |entry: &Value| Some((entry[0].as_str()?.to_owned(), indices(&entry[1])?));
    let rows = Recovery {
        modes: usize::try_from(body["modes"].as_u64()?).ok()?,
        numbers: decoded::<8, u64>(&body["numbers"], u64::from_le_bytes)?,
        positions: tuples(reals("positions")?)?,
        displacements: tuples(reals("displacements")?)?,
        names: body["names"].as_array()?.iter().map(named).collect::<Option<_>>()?,
        sets: body["sets"].as_array()?.iter().map(set).collect::<Option<_>>()?,
        triangles: tuples(indices(&body["triangles"])?)?,
        lines: tuples(indices(&body["lines"])?)?,
        places,
        stress: reals("stress")?,
        section_forces: reals("section_forces")?,
        sections: of_lines.iter().map(|at| sections.get(*at as usize).cloned()).collect::<Option<_>>()?,
        notes: body["notes"].as_array()?.iter().filter_map(|note| Some(note.as_str()?.to_owned())).collect(),
    };
    rows.fits().then_some(rows)
}

fn section(value: &Value) -> Option<LineSection> {
    let three = |value: &Value| Some([value[0].as_f64()?, value[1].as_f64()?, value[2].as_f64()?]);
    let fibre = |value: &Value| {
        let [y, z, torsion_radius] = three(value)?;
        Some(Fibre { place: [y, z], torsion_radius })
    };
    Some(LineSection {
        axes: [three(&value["axes"][0])?, three(&value["axes"][1])?, three(&value["axes"][2])?],
        area: value["area"].as_f64()?,
        inertia: [value["inertia"][0].as_f64()?, value["inertia"][1].as_f64()?],
        torsion: value["torsion"].as_f64()?,
        fibres: value["fibres"].as_array()?.iter().map(fibre).collect::<Option<_>>()?,
    })
}
