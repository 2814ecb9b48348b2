//! Height of a road along its x axis: a sum of features.
//!
//! The road is the same for all y: tyres on the left and on the right may have
//! different roads. Height z, slope s = dz/dx and curvature s′ come together,
//! since the tyre needs the normal and how it turns.

use crate::model::element::fault::Faults;
use crate::scalar::Scalar;
use std::f64::consts::TAU;

/// One feature; heights of several add up.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RoadFeature {
    /// A sharp step, up where `height` is positive.
    Step {
        /// Where (m).
        at: f64,
        /// Change of height (m).
        height: f64,
    },
    /// A straight climb.
    Ramp {
        /// Where it begins (m).
        start: f64,
        /// How long it is (m).
        length: f64,
        /// Change of height (m).
        height: f64,
    },
    /// z = ½ height (1 − cos(2π (x − start)/length)).
    CosineBump {
        /// Where it begins (m).
        start: f64,
        /// How long it is (m).
        length: f64,
        /// Height at its middle (m).
        height: f64,
    },
    /// Straight lines between points, level beyond the ends.
    Profile {
        /// Positions, increasing (m).
        x: Vec<f64>,
        /// Heights (m).
        z: Vec<f64>,
    },
}

/// A road: features on a level ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Road {
    /// Features; none is a flat road.
    pub features: Vec<RoadFeature>,
}

/// The road under one point.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct RoadPoint<S> {
    /// Height (m).
    pub height: S,
    /// Slope.
    pub slope: S,
    /// Curvature (1/m).
    pub curvature: S,
}

impl<S: Scalar> RoadPoint<S> {
    const LEVEL: Self = Self { height: S::ZERO, slope: S::ZERO, curvature: S::ZERO };
}

impl Road {
    /// Height, slope and curvature at `x`.
    pub fn at<S: Scalar>(&self, x: S) -> RoadPoint<S> {
        let mut sum = RoadPoint::LEVEL;
        for feature in &self.features {
            let point = feature.at(x);
            sum.height += point.height;
            sum.slope += point.slope;
            sum.curvature += point.curvature;
        }
        sum
    }

    /// Places where height or slope jump, in order (m).
    pub fn edges(&self) -> Vec<f64> {
        let mut places: Vec<f64> = self.features.iter().flat_map(RoadFeature::edges).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        places
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        for feature in &self.features {
            feature.check(faults);
        }
    }
}

impl RoadFeature {
    fn at<S: Scalar>(&self, x: S) -> RoadPoint<S> {
        let level = |height: f64| RoadPoint { height: S::from_f64(height), ..RoadPoint::LEVEL };
        match self {
            Self::Step { at, height } => level(if x.at_least(*at) { *height } else { 0.0 }),
            Self::Ramp { start, length, height } => {
                // Compared with the very numbers of `edges`: events end there to the last bit.
                match () {
                    () if x.below(*start) => level(0.0),
                    () if x.at_least(start + length) => level(*height),
                    () => straight((x - S::from_f64(*start)) * (height / length), height / length),
                }
            }
            Self::CosineBump { start, length, height } => {
                let turn = (x - S::from_f64(*start)) * (TAU / length);
                if turn.at_most(0.0) || turn.at_least(TAU) {
                    return level(0.0);
                }
                let (sin, cos) = turn.sin_cos();
                let rate = TAU / length;
                RoadPoint {
                    height: (S::ONE - cos) * (0.5 * height),
                    slope: sin * (0.5 * height * rate),
                    curvature: cos * (0.5 * height * rate * rate),
                }
            }
            Self::Profile { x: places, z } => {
                let later = places.partition_point(|&place| x.at_least(place));
                if later == 0 || later == places.len() {
                    return level(z[later.saturating_sub(1)]);
                }
                let slope = (z[later] - z[later - 1]) / (places[later] - places[later - 1]);
                let way = x - S::from_f64(places[later - 1]);
                straight(S::from_f64(z[later - 1]) + way * slope, slope)
            }
        }
    }

    fn edges(&self) -> Vec<f64> {
        match self {
            Self::Step { at, .. } => vec![*at],
            Self::Ramp { start, length, .. } => vec![*start, start + length],
            Self::CosineBump { .. } => Vec::new(),
            Self::Profile { x, .. } => x.clone(),
        }
    }

    fn check(&self, faults: &mut Faults) {
        match self {
            Self::Step { at, height } => faults.finite("road", &[*at, *height]),
            Self::Ramp { start, length, height } | Self::CosineBump { start, length, height } => {
                faults.finite("road", &[*start, *length, *height]);
                if *length <= 0.0 {
                    let message = format!("a feature of the road is {length} m long");
                    faults.error("not-positive", "road", message, "give a positive length (m)");
                }
            }
            Self::Profile { x, z } => {
                faults.finite("road", x);
                faults.finite("road", z);
                if x.is_empty() || x.len() != z.len() || x.windows(2).any(|pair| pair[1] <= pair[0]) {
                    let message = format!("the profile has {} positions and {} heights", x.len(), z.len());
                    let help = "give as many heights as positions, the positions in increasing order";
                    faults.error("road-profile", "road", message, help);
                }
            }
        }
    }
}

fn straight<S: Scalar>(height: S, slope: f64) -> RoadPoint<S> {
    RoadPoint { height, slope: S::from_f64(slope), curvature: S::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;

    #[test]
    fn slope_and_curvature_are_derivatives_of_the_height() {
        let road = Road {
            features: vec![
                RoadFeature::CosineBump { start: 0.97, length: 5.0, height: 0.2 },
                RoadFeature::Ramp { start: 2.0, length: 1.5, height: -0.3 },
                RoadFeature::Step { at: 2.5, height: 0.1 },
                RoadFeature::Profile { x: vec![1.0, 2.0, 4.0], z: vec![0.0, 0.1, -0.1] },
            ],
        };
        for x in [0.5, 1.4, 2.2, 3.0, 3.9, 5.0, 7.0] {
            let point = road.at(Dual::<1>::new(x, [1.0]));
            assert!((point.height.eps[0] - point.slope.re).abs() < 1e-14, "{x}");
            assert!((point.slope.eps[0] - point.curvature.re).abs() < 1e-14, "{x}");
        }
        assert_eq!(road.at(7.0).height, -0.3);
    }

    /// (x − start)/length comes to 1 one rounding after the edge.
    #[test]
    fn a_ramp_ends_at_its_edge_to_the_last_bit() {
        let (start, length) = (5.9, 5.8);
        let ramp = RoadFeature::Ramp { start, length, height: 2.9 };
        let edge = ramp.edges()[1];
        assert!((edge - start) * (1.0 / length) < 1.0);
        assert_eq!((ramp.at(edge).height, ramp.at(edge).slope), (2.9, 0.0));
    }
}
