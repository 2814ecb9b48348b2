//! Locates where a function of the interpolated state crosses zero.
//!
//! Illinois variant of regula falsi on the dense output: brackets the root,
//! superlinear, no derivative. Stops at rounding of the time.

/// A located crossing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    /// Time just before the crossing (s).
    pub before: f64,
    /// Time just after the crossing (s).
    pub time: f64,
    /// Whether the function rises there.
    pub rising: bool,
}

/// The crossing of `f` in [`start`, `end`], with `f(start)` and `f(end)` given; `None` without a
/// sign change in the wanted `direction` (positive: rising only, negative: falling only).
pub(crate) fn locate_crossing(
    start: (f64, f64),
    end: (f64, f64),
    direction: i8,
    mut f: impl FnMut(f64) -> f64,
) -> Option<Crossing> {
    let ((mut a, mut fa), (mut b, mut fb)) = (start, end);
    let rising = fa < 0.0 && fb >= 0.0;
    let falling = fa > 0.0 && fb <= 0.0;
    let wanted = (rising && direction >= 0) || (falling && direction <= 0);
    if !wanted {
        return None;
    }
    let mut last_side = 0;
    for _ in 0..100 {
        if (b - a).abs() <= 4.0 * f64::EPSILON * (1.0 + b.abs()) || fb == 0.0 {
            break;
        }
        let c = (a * fb - b * fa) / (fb - fa);
        let c = if c > a && c < b { c } else { 0.5 * (a + b) };
        let fc = f(c);
        if (fc >= 0.0) == rising {
            (b, fb) = (c, fc);
            if last_side == 1 {
                fa *= 0.5;
            }
            last_side = 1;
        } else {
            (a, fa) = (c, fc);
            if last_side == -1 {
                fb *= 0.5;
            }
            last_side = -1;
        }
    }
    Some(Crossing { before: a, time: b, rising })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_root_to_rounding() {
        let f = |t: f64| t.cos() - 0.3;
        let crossing = locate_crossing((1.0, f(1.0)), (1.6, f(1.6)), 0, f).unwrap();
        assert!((crossing.time - 0.3_f64.acos()).abs() < 1e-14 && !crossing.rising);
        assert!(crossing.before < crossing.time && crossing.time - crossing.before < 1e-14);
    }

    #[test]
    fn respects_the_direction() {
        let f = |t: f64| t - 0.5;
        assert!(locate_crossing((0.0, -0.5), (1.0, 0.5), -1, f).is_none());
        assert!(locate_crossing((0.0, -0.5), (1.0, 0.5), 1, f).is_some());
        assert!(locate_crossing((0.0, 0.5), (1.0, 0.7), 0, f).is_none());
    }
}
