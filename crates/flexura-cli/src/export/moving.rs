//! Bodies of a result file with the channels that move them, for those who write pictures.

use super::geometry::BodyMesh;
use crate::failure::Failure;
use flexura_output::PICTURE_KEY;
use flexura_results::ResultFile;
use serde_json::Value;

/// A body with the channels that move it.
pub struct Moving {
    /// How it looks.
    pub mesh: BodyMesh,
    /// Position over time (m).
    pub position: [Vec<f64>; 3],
    /// Orientation over time, scalar first.
    pub quaternion: [Vec<f64>; 4],
    /// Modal coordinates over time, mode after mode.
    pub eta: Vec<Vec<f64>>,
}

/// All bodies of the picture, and the direction that is upwards.
pub fn moving_bodies(result: &ResultFile) -> Result<(Vec<Moving>, [f64; 3]), Failure> {
    let shown = result.path().display();
    let text = result.layout().metadata.get(PICTURE_KEY).ok_or_else(|| {
        let text = "put `picture = true` under [output] of the model and run it again";
        Failure::File(format!("{shown} holds no picture: {text}"))
    })?;
    let picture: Value = serde_json::from_str(text)
        .map_err(|error| Failure::File(format!("the picture in {shown} is damaged: {error}")))?;
    let moving = |body: &Value| {
        let mesh = BodyMesh::new(body, &picture["meshes"]);
        let read = |tail: String| {
            let values = result.channel(&format!("{}.{tail}", mesh.name));
            values.map_err(|error| Failure::File(format!("the picture in {shown} is incomplete: {error}")))
        };
        let [x, y, z] = ["x", "y", "z"].map(|axis| read(format!("position.{axis}")));
        let [w, qx, qy, qz] = ["w", "x", "y", "z"].map(|axis| read(format!("quaternion.{axis}")));
        let eta = (1..=body["modes"].as_u64().unwrap_or(0)).map(|mode| read(format!("eta.{mode}")));
        let eta = eta.collect::<Result<_, _>>()?;
        Ok(Moving { position: [x?, y?, z?], quaternion: [w?, qx?, qy?, qz?], eta, mesh })
    };
    let bodies = picture["bodies"].as_array().map_or(&[][..], Vec::as_slice).iter().map(moving);
    let up = std::array::from_fn(|i| picture["up"][i].as_f64().unwrap_or(if i == 2 { 1.0 } else { 0.0 }));
    Ok((bodies.collect::<Result<_, Failure>>()?, up))
}
