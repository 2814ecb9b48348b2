//! Local axes: of materials (`*ORIENTATION`) and of nodes (`*TRANSFORM`).

use super::super::error::ImportError;
use super::super::source::Source;
use super::Reader;
use super::block::{Block, Data};
use crate::element::solid::PAIRS;
use nalgebra::{Matrix3, Matrix6, Rotation3, Unit, Vector3};

/// A local system.
#[derive(Clone, Copy, Debug)]
pub(super) struct System {
    cylindrical: bool,
    /// Rectangular: along x, and in the plane of x and y. Cylindrical: two points of the axis.
    points: [Vector3<f64>; 2],
    /// An additional turn about a local axis (rad).
    turn: Option<(usize, f64)>,
}

impl System {
    fn read(block: &Block, data: &Data, cylindrical: bool, source: &Source) -> Result<Self, ImportError> {
        let mut numbers = [0.0; 6];
        for (place, entry) in numbers.iter_mut().enumerate() {
            *entry = block.real(data, place, "a component of the axes", source)?;
        }
        let [a, b, c, d, e, f] = numbers;
        let mut points = [Vector3::new(a, b, c), Vector3::new(d, e, f)];
        if data.words.get(6).is_some_and(|word| !word.is_empty()) && !cylindrical {
            // A third point is where the axes start.
            let mut origin = Vector3::zeros();
            for (axis, entry) in origin.iter_mut().enumerate() {
                *entry = block.real(data, 6 + axis, "a coordinate of the third point", source)?;
            }
            points = points.map(|point| point - origin);
        }
        let system = Self { cylindrical, points, turn: None };
        let sound = match cylindrical {
            true => (system.points[1] - system.points[0]).norm() > 0.0,
            false => {
                let [x, y] = system.points;
                x.cross(&y).norm() > 1e-12 * x.norm() * y.norm()
            }
        };
        match sound {
            true => Ok(system),
            false => {
                let help = "give two vectors that are not parallel, or two points of the axis";
                Err(block.error_at(data, source, "the axes have no direction", help))
            }
        }
    }

    /// Whether its axes change from place to place.
    pub fn is_cylindrical(&self) -> bool {
        self.cylindrical
    }

    /// The first axis of a shell at a place, before it is projected: the axis after the one nearest the normal, which
    /// the line of the additional rotation names; the first where there is no such line.
    pub fn shell_axis(&self, place: Vector3<f64>) -> Vector3<f64> {
        let axis = self.turn.map_or(0, |(normal, _)| (normal + 1) % 3);
        self.axes(place).column(axis).into_owned()
    }

    /// Columns: the local axes at a place, in body axes.
    pub fn axes(&self, place: Vector3<f64>) -> Matrix3<f64> {
        let [first, second] = self.points;
        let axes = match self.cylindrical {
            false => {
                let (x, z) = (first.normalize(), first.cross(&second).normalize());
                Matrix3::from_columns(&[x, z.cross(&x), z])
            }
            true => {
                let z = (second - first).normalize();
                let out = place - first;
                let radial = out - z * z.dot(&out);
                // On the axis itself any direction is as good.
                let across = z.cross(&Vector3::ith(z.iamin(), 1.0)).normalize();
                let x = radial.try_normalize(1e-12 * out.norm()).unwrap_or(across);
                Matrix3::from_columns(&[x, z.cross(&x), z])
            }
        };
        match self.turn {
            None => axes,
            Some((axis, angle)) => {
                let about = Unit::new_normalize(axes.column(axis).into_owned());
                Rotation3::from_axis_angle(&about, angle).matrix() * axes
            }
        }
    }
}

impl Reader {
    pub(super) fn orientation(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let name = block.need("NAME", source)?;
        let word = block.value("SYSTEM").unwrap_or("RECTANGULAR").to_ascii_uppercase();
        let cylindrical = match word.as_str() {
            "RECTANGULAR" => false,
            "CYLINDRICAL" => true,
            _ => {
                let message = format!("systems of the kind {word} are not supported");
                return Err(block.error(source, message, "use RECTANGULAR or CYLINDRICAL"));
            }
        };
        if block.value("DEFINITION").is_some_and(|word| !word.eq_ignore_ascii_case("COORDINATES")) {
            let help = "give the coordinates of two points";
            return Err(block.error(source, "axes given by nodes are not supported", help));
        }
        let data = block.line(0, "the line with the axes", source)?;
        let mut system = System::read(block, data, cylindrical, source)?;
        if let Some(turn) = block.data.get(1) {
            let axis = block.identity(turn, &turn.words[0], "the axis of the additional rotation", source)?;
            let angle = block.real_or(turn, 1, 0.0, "the additional rotation", source)?;
            if axis > 3 {
                return Err(block.error_at(turn, source, "an axis is 1, 2 or 3", "write axis, angle"));
            }
            system.turn = Some((axis as usize - 1, angle.to_radians()));
        }
        self.orientations.insert(name, system);
        Ok(())
    }

    /// The system that a section names.
    pub(super) fn orientation_of(
        &self,
        block: &Block,
        source: &Source,
    ) -> Result<Option<System>, ImportError> {
        let Some(name) = block.value("ORIENTATION").map(str::to_ascii_uppercase) else { return Ok(None) };
        let unknown =
            || block.error(source, format!("there is no orientation {name}"), "add *ORIENTATION, NAME=");
        self.orientations.get(&name).copied().map(Some).ok_or_else(unknown)
    }

    /// `*TRANSFORM`: axes of nodes, in which equations count their freedoms.
    pub(super) fn transform(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["NSET", "TYPE"], source)?;
        let nodes = self.nodes_of_set(&block.need("NSET", source)?, block, source)?;
        let word = block.value("TYPE").unwrap_or("R").to_ascii_uppercase();
        if !matches!(word.as_str(), "R" | "C") {
            return Err(block.error(source, format!("TYPE={word} is not supported"), "use R or C"));
        }
        let data = block.line(0, "the line with the axes", source)?;
        let system = System::read(block, data, word == "C", source)?;
        self.transforms.extend(nodes.into_iter().map(|node| (node, system)));
        Ok(())
    }
}

/// An elasticity of local axes (columns, in body axes) in body axes: with the strains e_local = M e, M^T C M.
pub(super) fn turned(local: &Matrix6<f64>, axes: &Matrix3<f64>) -> Matrix6<f64> {
    let strain = Matrix6::from_fn(|row, column| {
        let ((a, b), (i, j)) = (PAIRS[row], PAIRS[column]);
        // Shear strains are twice their tensor's component.
        let (double, half) = (if a == b { 1.0 } else { 2.0 }, if i == j { 1.0 } else { 0.5 });
        let both = axes[(i, a)] * axes[(j, b)] + if i == j { 0.0 } else { axes[(j, a)] * axes[(i, b)] };
        double * half * both
    });
    strain.transpose() * local * strain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::solid::stress_tensor;
    use crate::material::hooke;
    use nalgebra::Vector6;

    #[test]
    fn turning_keeps_isotropy_and_follows_the_tensor() {
        let axes = *Rotation3::from_scaled_axis(Vector3::new(0.3, -0.8, 0.5)).matrix();
        let plain = hooke(2.1e11, 0.3);
        // Rounding of some dozens of products.
        assert!((turned(&plain, &axes) - plain).amax() < 1e-14 * plain.amax());
        // The same stress by way of tensors: into local axes, through the law, and back.
        let local =
            Matrix6::from_fn(|i, j| 1.0 + ((i + 1) * (j + 1)) as f64 + if i == j { 50.0 } else { 0.0 });
        let strain = Vector6::new(1.0, -2.0, 0.5, 0.7, -0.3, 1.1);
        let shears = Vector6::new(1.0, 1.0, 1.0, 0.5, 0.5, 0.5);
        let tensor = axes.transpose() * stress_tensor(&strain.component_mul(&shears)) * axes;
        let own = Vector6::from_iterator(
            PAIRS.iter().map(|(a, b)| tensor[(*a, *b)] * if a == b { 1.0 } else { 2.0 }),
        );
        let stress = axes * stress_tensor(&(local * own)) * axes.transpose();
        let direct = stress_tensor(&(turned(&local, &axes) * strain));
        assert!((stress - direct).amax() < 1e-12 * direct.amax());
    }
}
