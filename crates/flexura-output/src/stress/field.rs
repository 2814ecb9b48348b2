//! Places with stress on one body, all alike: solids, layers of shells, fibres of beams.
//!
//! Six rows per place act on the modal coordinates: a tensor at an instant costs 6 n products for n modes.

use flexura::model::recovery::{Recovery, StressLayer};

/// Times and modal coordinates of a body.
#[derive(Clone, Debug, Default)]
pub struct Instants {
    /// Times (s).
    pub times: Vec<f64>,
    /// Number of modes.
    pub modes: usize,
    /// Modal coordinates, instant by instant.
    pub eta: Vec<f64>,
}

impl Instants {
    /// Number of instants.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Modal coordinates of an instant.
    pub fn at(&self, row: usize) -> &[f64] {
        &self.eta[row * self.modes..(row + 1) * self.modes]
    }

    /// The instants from `from` to `to` (s).
    pub fn between(&self, from: f64, to: f64) -> Self {
        let rows = (0..self.len()).filter(|row| (from..=to).contains(&self.times[*row]));
        let (times, eta) = rows.fold((Vec::new(), Vec::new()), |(mut times, mut eta), row| {
            times.push(self.times[row]);
            eta.extend_from_slice(self.at(row));
            (times, eta)
        });
        Self { times, modes: self.modes, eta }
    }

    /// The one instant nearest to `time` (s).
    pub fn nearest(&self, time: f64) -> Self {
        let distance = |row: &usize| (self.times[*row] - time).abs();
        let nearest = (0..self.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        match nearest {
            Some(row) => Self { times: vec![self.times[row]], modes: self.modes, eta: self.at(row).to_vec() },
            None => self.clone(),
        }
    }
}

/// What a place is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointKind {
    /// Surface of a solid or layer of a shell, and the side of a fold.
    Surface(StressLayer, u8),
    /// Fibre of a beam.
    Fibre {
        /// Line, counted from zero.
        line: usize,
        /// End of the line: 0 or 1.
        end: usize,
        /// Fibre, counted from zero.
        fibre: usize,
        /// Place in the section, y and z (m).
        place: [f64; 2],
    },
}

/// A place with stress.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Node, counted from zero.
    pub node: usize,
    /// What it is.
    pub kind: PointKind,
}

impl Point {
    /// Its layer as one word for names of columns: `solid`, `top`, `line3.fibre2`.
    pub fn word(&self) -> String {
        match self.kind {
            PointKind::Surface(..) => self.words().replace(" of side ", "."),
            PointKind::Fibre { line, fibre, .. } => format!("line{}.fibre{}", line + 1, fibre + 1),
        }
    }

    /// Whether it is a fibre of a beam.
    pub fn is_fibre(&self) -> bool {
        matches!(self.kind, PointKind::Fibre { .. })
    }

    /// Its layer in words: `solid`, `top`, `fibre +1.5 -2 mm of line 3`.
    pub fn words(&self) -> String {
        match self.kind {
            PointKind::Surface(layer, side) => {
                let layer = match layer {
                    StressLayer::Solid => "solid",
                    StressLayer::Middle => "middle",
                    StressLayer::Top => "top",
                    StressLayer::Bottom => "bottom",
                };
                if side == 0 { layer.into() } else { format!("{layer} of side {}", side + 1) }
            }
            PointKind::Fibre { line, place: [y, z], .. } => {
                let millimetres = |value: f64| {
                    format!("{:+.4}", 1e3 * value).trim_end_matches('0').trim_end_matches('.').to_owned()
                };
                format!("fibre {} {} mm of line {}", millimetres(y), millimetres(z), line + 1)
            }
        }
    }
}

/// Places and rows of one body.
pub struct StressField {
    /// Places.
    pub points: Vec<Point>,
    modes: usize,
    /// Place by place six rows of one number per mode (Pa).
    rows: Vec<f64>,
}

impl StressField {
    /// All places of a body, those of `nodes` only where some are given.
    pub fn new(recovery: &Recovery, nodes: Option<&[usize]>) -> Self {
        let wanted = |node: u32| nodes.is_none_or(|nodes| nodes.contains(&(node as usize)));
        let (modes, width) = (recovery.modes, 6 * recovery.modes);
        let mut field = Self { points: Vec::new(), modes, rows: Vec::new() };
        for (index, place) in recovery.places.iter().enumerate().filter(|(_, place)| wanted(place.node)) {
            let kind = PointKind::Surface(place.layer, place.side);
            field.points.push(Point { node: place.node as usize, kind });
            field.rows.extend_from_slice(&recovery.stress[index * width..(index + 1) * width]);
        }
        for (line, ends) in recovery.lines.iter().enumerate() {
            for (end, node) in ends.iter().enumerate().filter(|(_, node)| wanted(**node)) {
                for (number, fibre) in recovery.sections[line].fibres.iter().enumerate() {
                    let kind = PointKind::Fibre { line, end, fibre: number, place: fibre.place };
                    field.points.push(Point { node: *node as usize, kind });
                    field.rows.extend(recovery.fibre_rows(line, end, fibre));
                }
            }
        }
        field
    }

    /// The places that `keep` chooses.
    pub fn retain(&mut self, keep: impl Fn(&Point) -> bool) {
        let width = 6 * self.modes;
        let kept: Vec<usize> = (0..self.points.len()).filter(|point| keep(&self.points[*point])).collect();
        self.rows =
            kept.iter().flat_map(|point| &self.rows[point * width..(point + 1) * width]).copied().collect();
        self.points = kept.into_iter().map(|point| self.points[point]).collect();
    }

    /// Stress of a place for modal coordinates: xx, yy, zz, xy, yz, zx in body axes (Pa).
    pub fn stress(&self, point: usize, eta: &[f64]) -> [f64; 6] {
        let rows = &self.rows[point * 6 * self.modes..(point + 1) * 6 * self.modes];
        std::array::from_fn(|row| {
            let row = &rows[row * self.modes..(row + 1) * self.modes];
            row.iter().zip(eta).map(|(row, eta)| row * eta).sum()
        })
    }

    /// Stresses of a place at all instants.
    pub fn history(&self, point: usize, instants: &Instants) -> Vec<[f64; 6]> {
        (0..instants.len()).map(|row| self.stress(point, instants.at(row))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexura::model::recovery::RecoveryPlace;

    #[test]
    fn places_are_found_and_their_rows_stay_with_them() {
        let place = |node, layer| RecoveryPlace { node, layer, side: 0 };
        let recovery = Recovery {
            modes: 2,
            places: vec![
                place(0, StressLayer::Solid),
                place(1, StressLayer::Top),
                place(1, StressLayer::Bottom),
            ],
            stress: (0..36).map(f64::from).collect(),
            ..Recovery::default()
        };
        let mut field = StressField::new(&recovery, Some(&[1]));
        assert_eq!(field.points.len(), 2);
        // Place 1 begins at 12: its component c has rows 12 + 2 c, 13 + 2 c.
        let expected: [f64; 6] = std::array::from_fn(|c| 2.0 * (12 + 2 * c) as f64 - (13 + 2 * c) as f64);
        assert_eq!(field.stress(0, &[2.0, -1.0]), expected);
        field.retain(|point| point.kind == PointKind::Surface(StressLayer::Bottom, 0));
        assert_eq!(field.points.len(), 1);
        assert_eq!(field.stress(0, &[1.0, 0.0])[0], 24.0);
        let instants = Instants { times: vec![0.0, 1.0, 2.0], modes: 1, eta: vec![5.0, 6.0, 7.0] };
        assert_eq!(instants.between(0.5, 1.5).eta, [6.0]);
        assert_eq!(instants.nearest(1.6).eta, [7.0]);
    }
}
