//! Tyres and roads.

use super::fields::Fields;
use super::value::Value;
use crate::model::element::{
    Brush, Calspan, DEFAULT_LOW_SPEED, Deflection, Linear, Road, RoadFeature, SideForce, SlipPoint, Tyre,
};

const DEFLECTIONS: [(&str, Deflection); 2] =
    [("normal", Deflection::Normal), ("vertical", Deflection::Vertical)];

const SLIP_POINTS: [(&str, SlipPoint); 2] = [("contact", SlipPoint::Contact), ("center", SlipPoint::Center)];

/// The keys of an element of type `tyre`.
pub(super) fn read_tyre(fields: &mut Fields<'_>) -> Tyre {
    Tyre {
        radius: fields.need_f64("radius", "radius = 0.36 (metres)"),
        stiffness: fields.need_f64("stiffness", "stiffness = 2e5 (N/m)"),
        damping: fields.f64("damping", 0.0),
        deflection: fields.choice("deflection", &DEFLECTIONS).unwrap_or_default(),
        side_force: read_side_force(fields),
        slip_point: fields.choice("slip_point", &SLIP_POINTS).unwrap_or_default(),
        low_speed: fields.f64("low_speed", DEFAULT_LOW_SPEED),
        road: read_road(fields),
    }
}

fn read_side_force(fields: &mut Fields<'_>) -> SideForce {
    let Some(form) = fields.one_of(&["calspan", "brush", "linear"]) else { return SideForce::None };
    let Some(value) = fields.get(form) else { return SideForce::None };
    let law = match form {
        "calspan" => value.table(read_calspan).map(SideForce::Calspan),
        "brush" => value.table(read_brush).map(SideForce::Brush),
        _ => value.table(read_linear).map(SideForce::Linear),
    };
    law.unwrap_or(SideForce::None)
}

fn read_calspan(fields: &mut Fields<'_>) -> Calspan {
    fn numbers<const N: usize>(fields: &mut Fields<'_>, key: &'static str, help: &str) -> [f64; N] {
        fields.need(key, help).and_then(|value| value.array()).unwrap_or([0.0; N])
    }
    Calspan {
        cornering: numbers(fields, "cornering", "cornering = [A0, A1, A2], N/rad, 1/rad and N"),
        camber: numbers(fields, "camber", "camber = [A3, A4], 1/rad and N"),
        friction: numbers(fields, "friction", "friction = [B1, B3, B4], 1/N, 1 and 1/N²"),
        skid: fields.f64("skid", 1.0),
        aligning: fields.get("aligning").and_then(|value| value.array()).unwrap_or_default(),
        overload: fields.f64("overload", 1.0),
    }
}

fn read_brush(fields: &mut Fields<'_>) -> Brush {
    let cornering_stiffness = fields.need_f64("cornering_stiffness", "cornering_stiffness = 4e4 (N/rad)");
    Brush {
        cornering_stiffness,
        longitudinal_stiffness: fields.f64("longitudinal_stiffness", cornering_stiffness),
        friction: fields.need_f64("friction", "friction = 0.9"),
        half_length: fields.f64("half_length", 0.0),
    }
}

fn read_linear(fields: &mut Fields<'_>) -> Linear {
    Linear {
        cornering: fields.need_f64("cornering", "cornering = 4e4 (N/rad)"),
        camber: fields.f64("camber", 0.0),
        aligning: fields.f64("aligning", 0.0),
        overturning: fields.f64("overturning", 0.0),
        trail: fields.f64("trail", 0.0),
    }
}

/// `road = [{ step = { at = 10, height = -0.2 } }, …]`.
fn read_road(fields: &mut Fields<'_>) -> Road {
    let Some(value) = fields.get("road") else { return Road::default() };
    let features = value.each(|feature| feature.table(read_feature).flatten());
    Road { features: features.unwrap_or_default() }
}

fn read_feature(fields: &mut Fields<'_>) -> Option<RoadFeature> {
    let forms = ["step", "ramp", "cosine_bump", "profile"];
    let Some(form) = fields.one_of(&forms) else {
        let help = "write one of { step = { at, height } }, { ramp = { start, length, height } }, \
                    { cosine_bump = { start, length, height } }, { profile = { x, z } }";
        fields.error("road-feature", "road", "an entry of the road has no feature", help);
        return None;
    };
    fields.get(form)?.table(|feature| match form {
        "step" => RoadFeature::Step {
            at: feature.need_f64("at", "at = 10 (metres)"),
            height: feature.need_f64("height", "height = -0.2 (metres)"),
        },
        "ramp" => {
            let [start, length, height] = stretch(feature);
            RoadFeature::Ramp { start, length, height }
        }
        "cosine_bump" => {
            let [start, length, height] = stretch(feature);
            RoadFeature::CosineBump { start, length, height }
        }
        _ => {
            let x = feature.need("x", "x = [0, 5, 6]");
            let z = feature.need("z", "z = [0, 0, 0.1]");
            let numbers = |value: Option<Value<'_>>| value.and_then(|value| value.numbers());
            RoadFeature::Profile { x: numbers(x).unwrap_or_default(), z: numbers(z).unwrap_or_default() }
        }
    })
}

fn stretch(fields: &mut Fields<'_>) -> [f64; 3] {
    [
        fields.need_f64("start", "start = 10 (metres)"),
        fields.need_f64("length", "length = 5 (metres)"),
        fields.need_f64("height", "height = 0.1 (metres)"),
    ]
}
