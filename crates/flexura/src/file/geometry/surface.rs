//! Triangles under construction: equal points become one.

use std::collections::HashMap;

use super::Fault;
use crate::model::description::SurfaceMesh;

/// Most triangles of one file.
const MOST_TRIANGLES: usize = 500_000;

/// Points and triangles read so far.
#[derive(Default)]
pub(super) struct Surface {
    points: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    /// Points by the bits of their coordinates.
    known: HashMap<[u32; 3], u32>,
    /// Triangles looked at, also those without area.
    offered: usize,
}

impl Surface {
    /// Adds a triangle; one without area is not to be seen and is left out.
    pub(super) fn add(&mut self, corners: [[f64; 3]; 3]) -> Result<(), Fault> {
        if corners.as_flattened().iter().any(|x| !(*x as f32).is_finite()) {
            return Err(Fault::broken("a corner of a triangle has a coordinate that is no finite number"));
        }
        if self.offered == MOST_TRIANGLES {
            return Err(Fault::new(
                format!("has more than {MOST_TRIANGLES} triangles"),
                "write a coarser one: pictures need no tolerances",
            ));
        }
        self.offered += 1;
        let triangle = corners.map(|corner| self.point(corner));
        let [a, b, c] = triangle;
        if a != b && b != c && c != a {
            self.triangles.push(triangle);
        }
        Ok(())
    }

    fn point(&mut self, corner: [f64; 3]) -> u32 {
        // Adding zero makes -0 and 0 one number.
        let corner = corner.map(|x| x as f32 + 0.0);
        let next = self.points.len() as u32;
        *self.known.entry(corner.map(f32::to_bits)).or_insert_with(|| {
            self.points.push(corner);
            next
        })
    }

    /// The surface with its coordinates times `scale`; one that a mirror has turned inside out is turned back.
    pub(super) fn scaled(self, scale: &[f64; 3], name: String) -> Result<SurfaceMesh, Fault> {
        if self.triangles.is_empty() {
            return Err(Fault::broken("holds no triangles"));
        }
        let stretch = |point: [f32; 3]| [0, 1, 2].map(|i: usize| (f64::from(point[i]) * scale[i]) as f32);
        let points: Vec<[f32; 3]> = self.points.into_iter().map(stretch).collect();
        if points.as_flattened().iter().any(|x| !x.is_finite()) {
            return Err(Fault::new("is infinitely large with this `scale`", "give a smaller `scale`"));
        }
        let mut triangles = self.triangles;
        if scale.iter().product::<f64>() < 0.0 {
            triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        Ok(SurfaceMesh { name, points, triangles })
    }
}
