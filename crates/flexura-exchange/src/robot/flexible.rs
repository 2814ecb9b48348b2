//! Chosen links made flexible: from a beam that runs from the link's origin to one of its frames, or from a finite element
//! part. The rigid mass of the file gives way to that of the beam or part, and both are said.
//!
//! A beam leaves its body's origin along x, so the body's axes become those of the beam: every frame of the link is expressed
//! in them, and carried by the station nearest to it. A part has the axes of the link, its reference at the link's
//! origin, and carries a frame by its nearest interface.

use super::Options;
use super::description::{Link, Robot, Softness};
use crate::finding::{Findings, Place};
use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, Unit, UnitQuaternion, Vector3};
use std::path::Path;

/// Shorter than this (m), a link is no beam.
const SHORTEST: f64 = 1e-9;

/// A link to be made flexible.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleLink {
    /// Name of the link in the robot's file.
    pub link: String,
    /// What it is made of.
    pub kind: FlexibleKind,
}

/// What a flexible link is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum FlexibleKind {
    /// A part file or reduced-body file, as the model names it.
    Part(String),
    /// A uniform beam.
    Beam {
        /// Joint or frame at its tip; the only joint that leaves the link where it is not given.
        to: Option<String>,
        /// Direction in axes of the link to which the beam's z axis is as near as can be.
        up: Option<[f64; 3]>,
        /// Keys of `[body.beam]` but `length`.
        keys: toml::Table,
    },
}

/// Flexible links of a table: `[[link]]` with `name` and `fe`, or `[link.beam]` with `to` and `up`.
pub fn read_table(path: &Path) -> Result<Vec<FlexibleLink>, String> {
    let shown = path.display();
    let text =
        flexura::file::read_plain_text(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let mut table: toml::Table = text.parse().map_err(|error| format!("{shown}: {error}"))?;
    let links = match table.remove("link") {
        Some(toml::Value::Array(links)) => links,
        _ => {
            return Err(format!(
                "{shown}: no [[link]] in it; write [[link]] with name and fe or [link.beam]"
            ));
        }
    };
    if let Some(key) = table.keys().next() {
        return Err(format!("{shown}: unknown key `{key}`; the table holds [[link]] only"));
    }
    links
        .into_iter()
        .enumerate()
        .map(|(k, link)| read_link(link).map_err(|why| format!("{shown}: link {}: {why}", k + 1)))
        .collect()
}

fn read_link(value: toml::Value) -> Result<FlexibleLink, String> {
    let toml::Value::Table(mut table) = value else { return Err("is no table".into()) };
    let text = |table: &mut toml::Table, key: &str| match table.remove(key) {
        Some(toml::Value::String(text)) if !text.is_empty() => Ok(Some(text)),
        Some(_) => Err(format!("`{key}` is no text")),
        None => Ok(None),
    };
    let link = text(&mut table, "name")?.ok_or("has no `name`")?;
    let kind = match (text(&mut table, "fe")?, table.remove("beam")) {
        (Some(file), None) => FlexibleKind::Part(file),
        (None, Some(toml::Value::Table(mut keys))) => {
            let to = text(&mut keys, "to")?;
            let up = keys.remove("up").map(|up| vector(&up).ok_or("`up` is no list of three numbers"));
            if keys.contains_key("length") {
                return Err("`length` follows from the link: leave it out".into());
            }
            FlexibleKind::Beam { to, up: up.transpose()?, keys }
        }
        _ => return Err(format!("`{link}` needs one of fe = \"part.toml\" and [link.beam]")),
    };
    match table.keys().next() {
        Some(key) => Err(format!("unknown key `{key}`; a link has name, and fe or beam")),
        None => Ok(FlexibleLink { link, kind }),
    }
}

fn vector(value: &toml::Value) -> Option<[f64; 3]> {
    let number =
        |value: &toml::Value| value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    let list: Option<Vec<f64>> = value.as_array()?.iter().map(number).collect();
    list?.try_into().ok()
}

/// Makes the chosen links of a robot flexible.
pub fn soften(robot: &mut Robot, options: &Options<'_>, findings: &mut Findings) {
    for chosen in &options.flexible {
        let Some(index) = robot.links.iter().position(|link| link.name == chosen.link) else {
            let names: Vec<&str> = robot.links.iter().map(|link| link.name.as_str()).collect();
            let message = format!("no link with mass is called `{}`, which is to be flexible", chosen.link);
            let help = format!("links with mass: {}", names.join(", "));
            findings.fault(&Place::default(), message, help);
            continue;
        };
        let place = robot.links[index].place.clone();
        let softened = match &chosen.kind {
            FlexibleKind::Part(file) => part(&mut robot.links[index], file, options),
            FlexibleKind::Beam { to, up, keys } => beam(robot, index, to.as_deref(), *up, keys),
        };
        match softened {
            Ok(made) => {
                let link = &mut robot.links[index];
                let rigid = link.mass.map_or(0.0, |mass| mass.mass);
                findings.notice(format!("link `{}`: {rigid} kg of the file give way to {made}", link.name));
                if !link.shapes.is_empty() {
                    link.shapes.clear();
                    findings.passed(
                        &place,
                        "picture of a flexible link",
                        "gives way to that of the beam or part",
                    );
                }
            }
            Err(message) => {
                let message = format!("link `{}` cannot be made flexible: {message}", chosen.link);
                findings.fault(&place, message, "correct the table of flexible links");
            }
        }
    }
}

fn part(link: &mut Link, file: &str, options: &Options<'_>) -> Result<String, String> {
    let body = options.source.body(&options.folder.join(file)).map_err(|fault| fault.message)?;
    let named = body.modal.nodes.iter().filter(|node| !node.name.is_empty());
    let interfaces: Vec<(String, Vector3<f64>)> =
        named.map(|node| (node.name.clone(), Vector3::from(node.position))).collect();
    if interfaces.is_empty() {
        return Err(format!("`{file}` has no interface to carry joints"));
    }
    link.softness = Softness::Part { file: file.to_owned(), interfaces };
    Ok(format!("the part `{file}`"))
}

fn beam(
    robot: &mut Robot,
    index: usize,
    to: Option<&str>,
    up: Option<[f64; 3]>,
    keys: &toml::Table,
) -> Result<String, String> {
    let tip = tip(robot, index, to)?;
    let length = tip.norm();
    let x = Unit::try_new(tip, SHORTEST).ok_or("its tip is at its origin")?.into_inner();
    let wanted = up.map_or(Vector3::z(), Vector3::from);
    let across =
        |wanted: Vector3<f64>| Unit::try_new(wanted - x * x.dot(&wanted), 1e-6 * wanted.norm().max(1e-300));
    let z = match across(wanted) {
        Some(z) => z,
        None if up.is_some() => return Err("`up` lies along the beam".into()),
        None => across(Vector3::x()).ok_or("no direction is across the beam")?,
    };
    let matrix = Matrix3::from_columns(&[x, z.cross(&x), z.into_inner()]);
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix));
    let seen = Isometry3::from_parts(Translation3::identity(), turn.inverse());
    let ends = robot.joints.iter_mut().flat_map(|joint| &mut joint.ends);
    ends.filter(|end| end.link == Some(index)).for_each(|end| end.pose = seen * end.pose);
    let link = &mut robot.links[index];
    link.frames.iter_mut().for_each(|frame| frame.pose = seen * frame.pose);
    let lines = keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    link.softness = Softness::Beam { length, lines };
    Ok(format!("a beam of {length:.6} m"))
}

/// Where a beam ends, in axes of the link.
fn tip(robot: &Robot, index: usize, to: Option<&str>) -> Result<Vector3<f64>, String> {
    let leaving = robot.joints.iter().filter(|joint| joint.ends[0].link == Some(index));
    let leaving = leaving.map(|joint| (joint.name.as_str(), joint.ends[0].pose));
    let frames = robot.links[index].frames.iter().map(|frame| (frame.name.as_str(), frame.pose));
    let joints: Vec<_> = leaving.collect();
    let chosen = match to {
        Some(name) => joints.iter().copied().chain(frames).find(|(known, _)| *known == name),
        None if joints.len() == 1 => joints.first().copied(),
        None => None,
    };
    let names: Vec<&str> = joints.iter().map(|(name, _)| *name).collect();
    let (_, pose) = chosen.ok_or_else(|| match to {
        Some(name) => format!("no joint or frame `{name}` on it; joints that leave it: {}", names.join(", ")),
        None => format!("say where the beam ends by `to`; joints that leave it: {}", names.join(", ")),
    })?;
    Ok((pose * Point3::origin()).coords)
}
