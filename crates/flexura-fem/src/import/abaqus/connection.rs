//! Point masses, springs, rigid bodies and couplings.

use super::super::deck::{DeckAverage, DeckEquation};
use super::super::error::{ImportError, Place};
use super::super::number::identity;
use super::super::source::Source;
use super::Reader;
use super::block::{Block, Data};
use super::element::Kind;
use crate::mesh::{PointMass, Spring};

/// `*COUPLING` waiting for its kind.
#[derive(Clone, Debug)]
pub(super) struct Coupling {
    place: Place,
    reference: u64,
    nodes: Vec<u64>,
}

const TRANSLATIONS: [bool; 6] = [true, true, true, false, false, false];

impl Reader {
    pub(super) fn mass(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["ELSET"], source)?;
        let data = block.line(0, "the line with the mass", source)?;
        let mass = block.real(data, 0, "the mass", source)?;
        let point = PointMass { node: 0, mass, inertia: [[0.0; 3]; 3], offset: [0.0; 3] };
        self.point(block, source, Kind::Mass, point)
    }

    pub(super) fn rotary_inertia(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["ELSET"], source)?;
        let data = block.line(0, "the line with the moments of inertia", source)?;
        let mut values = [0.0; 6];
        for (index, value) in values.iter_mut().enumerate() {
            *value = block.real_or(data, index, 0.0, "a moment of inertia", source)?;
        }
        // Products are given as they stand in the matrix.
        let [xx, yy, zz, xy, xz, yz] = values;
        let inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        self.point(
            block,
            source,
            Kind::RotaryInertia,
            PointMass { node: 0, mass: 0.0, inertia, offset: [0.0; 3] },
        )
    }

    fn point(
        &mut self,
        block: &Block,
        source: &Source,
        kind: Kind,
        point: PointMass,
    ) -> Result<(), ImportError> {
        for number in self.element_set_of(&block.need("ELSET", source)?, block, source)? {
            let Some(raw) = self.elements.get_mut(&number) else { continue };
            if raw.kind != kind {
                let message = format!("element {number} is of another type");
                return Err(block.error(source, message, "the set must have elements of this type only"));
            }
            raw.used = true;
            self.deck.masses.push((raw.place.clone(), raw.nodes[0], point));
        }
        Ok(())
    }

    pub(super) fn spring(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["ELSET"], source)?;
        let freedoms = block.line(0, "the line with the freedoms", source)?;
        // A spring along the line between its nodes has no freedoms to name.
        let single = block.data.len() == 1 && self.all_along(block, source)?;
        let data = if single { freedoms } else { block.line(1, "the line with the stiffness", source)? };
        let stiffness = block.real(data, 0, "the stiffness", source)?;
        if stiffness.is_nan() || stiffness < 0.0 {
            return Err(block.error_at(
                data,
                source,
                "the stiffness is negative",
                "give zero or a positive number",
            ));
        }
        for number in self.element_set_of(&block.need("ELSET", source)?, block, source)? {
            let Some(raw) = self.elements.get_mut(&number) else { continue };
            raw.used = true;
            let (place, nodes) = (raw.place.clone(), raw.nodes.clone());
            let (other, spring) = match raw.kind {
                Kind::Spring1 => (None, along_freedom(block, freedoms, 1, stiffness, source)?),
                Kind::Spring2 => (Some(nodes[1]), along_freedom(block, freedoms, 2, stiffness, source)?),
                Kind::SpringAlong => (Some(nodes[1]), self.along_line(&nodes, stiffness, &place, source)?),
                _ => {
                    let message = format!("element {number} is no spring");
                    return Err(block.error(source, message, "the set must have springs only"));
                }
            };
            self.deck.springs.push((place, nodes[0], other, spring));
        }
        Ok(())
    }

    /// Whether all springs of a block act along the line between their nodes.
    fn all_along(&self, block: &Block, source: &Source) -> Result<bool, ImportError> {
        let elements = self.element_set_of(&block.need("ELSET", source)?, block, source)?;
        let along = |number: &u64| self.elements.get(number).is_some_and(|raw| raw.kind == Kind::SpringAlong);
        Ok(elements.iter().all(along))
    }

    fn along_line(
        &self,
        nodes: &[u64],
        stiffness: f64,
        place: &Place,
        source: &Source,
    ) -> Result<Spring, ImportError> {
        let help = "define the node, or correct the number";
        let at = |node: u64| {
            let missing = || source.error(place, format!("node {node} does not exist"), help);
            self.deck.nodes.get(&node).map(|p| nalgebra::Vector3::from(*p)).ok_or_else(missing)
        };
        let along = at(nodes[1])? - at(nodes[0])?;
        let Some(x) = along.try_normalize(0.0).filter(|x| x.iter().all(|v| v.is_finite())) else {
            return Err(source.error(place, "the spring has no length", "use SPRING2 with a freedom"));
        };
        let across = if x.x.abs() < 0.9 { nalgebra::Vector3::x() } else { nalgebra::Vector3::y() };
        let z = x.cross(&across).normalize();
        let axes = [x.into(), z.cross(&x).into(), z.into()];
        Ok(Spring { axes, ..Spring::new(0, None, [stiffness, 0.0, 0.0, 0.0, 0.0, 0.0]) })
    }

    pub(super) fn rigid_body(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["NSET", "ELSET", "REF NODE", "ROT NODE"], source)?;
        let reference = self.reference(block, source)?;
        let nodes = match block.has("NSET") {
            true => self.nodes_of_set(&block.need("NSET", source)?, block, source)?,
            false => self.nodes_of_elements(&block.need("ELSET", source)?, block, source)?,
        };
        self.link(block.place.clone(), reference, nodes, [true; 6]);
        Ok(())
    }

    fn reference(&self, block: &Block, source: &Source) -> Result<u64, ImportError> {
        let word = block.need("REF NODE", source)?;
        let single = || self.deck.sets.get(&word).filter(|nodes| nodes.len() == 1).map(|nodes| nodes[0]);
        let wrong =
            || block.error(source, format!("REF NODE={word} is no node"), "give the number of a node");
        identity(&word).or_else(single).ok_or_else(wrong)
    }

    pub(super) fn start_coupling(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["CONSTRAINT NAME", "REF NODE", "SURFACE", "ORIENTATION"], source)?;
        if block.has("ORIENTATION") {
            return Err(block.error(
                source,
                "an orientation is not supported here",
                "give the freedoms in global axes",
            ));
        }
        let reference = self.reference(block, source)?;
        let name = block.need("SURFACE", source)?;
        let surface = self.surfaces.get(&name).map(|surface| &surface.nodes);
        let nodes = surface.or_else(|| self.deck.sets.get(&name)).cloned();
        let nodes = nodes.ok_or_else(|| {
            block.error(source, format!("there is no surface {name}"), "add *SURFACE, NAME= before")
        })?;
        self.coupling = Some(Coupling { place: block.place.clone(), reference, nodes });
        Ok(())
    }

    pub(super) fn kinematic(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let coupling = self.take_coupling(block, source)?;
        let freedoms = freedoms(block, source)?;
        self.link(coupling.place, coupling.reference, coupling.nodes, freedoms);
        Ok(())
    }

    pub(super) fn distributing(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let coupling = self.take_coupling(block, source)?;
        let freedoms = freedoms(block, source)?;
        let sources = coupling.nodes.iter().filter(|node| **node != coupling.reference);
        let sources = sources.map(|node| (*node, 1.0, TRANSLATIONS)).collect();
        self.deck.averages.push(DeckAverage {
            place: coupling.place,
            node: coupling.reference,
            freedoms,
            sources,
        });
        Ok(())
    }

    /// `*DISTRIBUTING COUPLING`: nodes or sets with weights; the element of the set is the reference.
    pub(super) fn distributing_coupling(
        &mut self,
        block: &Block,
        source: &Source,
    ) -> Result<(), ImportError> {
        block.only(&["ELSET"], source)?;
        let set = block.need("ELSET", source)?;
        let elements = self.element_set_of(&set, block, source)?;
        let reference = match elements[..] {
            [single] => self.elements.get_mut(&single).filter(|raw| raw.kind == Kind::Coupling),
            _ => None,
        };
        let Some(raw) = reference else {
            let message = format!("set {set} is not one element of type DCOUP3D");
            return Err(block.error(source, message, "give the set of the reference node's element"));
        };
        raw.used = true;
        let (place, node) = (raw.place.clone(), raw.nodes[0]);
        let mut sources = Vec::new();
        for data in &block.data {
            let weight = block.real_or(data, 1, 1.0, "the weight", source)?;
            let nodes = match identity(&data.words[0]) {
                Some(number) => vec![number],
                None => self.nodes_of_set(&data.words[0], block, source)?,
            };
            sources.extend(nodes.into_iter().filter(|n| *n != node).map(|n| (n, weight, TRANSLATIONS)));
        }
        // CalculiX gives the reference no rotation; here it has that of the fit.
        self.deck.averages.push(DeckAverage { place, node, freedoms: [true; 6], sources });
        Ok(())
    }

    fn take_coupling(&mut self, block: &Block, source: &Source) -> Result<Coupling, ImportError> {
        self.coupling
            .take()
            .ok_or_else(|| block.error(source, "it belongs to no *COUPLING", "put it after *COUPLING"))
    }

    /// `*MPC`: BEAM, TIE: the first node follows the second; PIN: both have the same displacements; PLANE, STRAIGHT: nodes keep to a plane or line.
    pub(super) fn mpc(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        for data in &block.data {
            let word = data.words[0].to_ascii_uppercase();
            let freedoms = match word.as_str() {
                "BEAM" | "TIE" => [true; 6],
                "PIN" => {
                    self.pin(block, data, source)?;
                    continue;
                }
                "PLANE" | "STRAIGHT" => {
                    self.keep_in_line(block, data, source)?;
                    continue;
                }
                // The last node is a measured mean rotation that nothing loads.
                "MEANROT" => {
                    self.ignored.add(
                        "*MPC of type MEANROT (it measures a rotation)",
                        &block.place_of(data),
                        source,
                    );
                    continue;
                }
                _ => {
                    let message = format!("constraints of type {word} are not supported");
                    let help =
                        "supported: BEAM, TIE, PIN, PLANE, STRAIGHT, *EQUATION, *RIGID BODY, *COUPLING";
                    return Err(block.error_at(data, source, message, help));
                }
            };
            let [follower, master] = two_nodes(block, data, source)?;
            self.link(block.place_of(data), master, vec![follower], freedoms);
        }
        Ok(())
    }

    /// The same displacements at two nodes, wherever they are; rotations are their own.
    fn pin(&mut self, block: &Block, data: &Data, source: &Source) -> Result<(), ImportError> {
        let [follower, master] = two_nodes(block, data, source)?;
        for axis in 0..3 {
            let terms = vec![(follower, axis, 1.0), (master, axis, -1.0)];
            self.deck.equations.push(DeckEquation { place: block.place_of(data), terms });
        }
        Ok(())
    }

    /// Nodes that stay in the plane of their first three, or on the line of their first two, to first order.
    fn keep_in_line(&mut self, block: &Block, data: &Data, source: &Source) -> Result<(), ImportError> {
        let mut nodes: Vec<u64> = Vec::new();
        for word in data.words[1..].iter().filter(|word| !word.is_empty()) {
            match identity(word) {
                Some(node) => nodes.push(node),
                None => nodes.extend(self.nodes_of_set(word, block, source)?),
            }
        }
        nodes.dedup();
        let at = |node: &u64| self.deck.nodes.get(node).map(|place| nalgebra::Vector3::from(*place));
        let Some(places) = nodes.iter().map(at).collect::<Option<Vec<_>>>() else {
            return Err(block.error_at(
                data,
                source,
                "a node does not exist",
                "define it, or correct the number",
            ));
        };
        let base = if data.words[0].eq_ignore_ascii_case("PLANE") { 3 } else { 2 };
        let help = "give nodes in a plane, the first three not on a line, or nodes on a line";
        let wrong = || block.error_at(data, source, "these nodes make no plane or line", help);
        if nodes.len() <= base {
            return Err(wrong());
        }
        let (x, y) = (places[1] - places[0], places[base - 1] - places[0]);
        let size = x.norm_squared();
        let mut normals = vec![x.cross(&y)];
        if base == 2 {
            let across = x.cross(&nalgebra::Vector3::ith(x.iamin(), 1.0));
            normals = vec![across, x.cross(&across)];
        }
        if normals.iter().any(|normal| normal.norm() <= 1e-9 * size) {
            return Err(wrong());
        }
        for (node, place) in nodes.iter().zip(&places).skip(base) {
            // The place in the frame of the first nodes: r = s x + t y.
            let arm = place - places[0];
            let (s, t) = match base {
                3 => {
                    let gram = nalgebra::Matrix2::new(x.dot(&x), x.dot(&y), x.dot(&y), y.dot(&y));
                    let solved = gram.try_inverse().ok_or_else(wrong)?;
                    let found = solved * nalgebra::Vector2::new(x.dot(&arm), y.dot(&arm));
                    (found.x, found.y)
                }
                _ => (x.dot(&arm) / size, 0.0),
            };
            // A node beside the line would resist a turn about it.
            if base == 2 && (arm - x * s).norm() > 1e-3 * size.sqrt() {
                return Err(wrong());
            }
            let parts = [(*node, 1.0), (nodes[0], s + t - 1.0), (nodes[1], -s), (nodes[base - 1], -t)];
            for normal in normals.iter().map(|normal| normal.normalize()) {
                let along = |(node, part): (u64, f64)| (0..3).map(move |i| (node, i, part * normal[i]));
                let mut terms: Vec<_> = parts.into_iter().flat_map(along).filter(|t| t.2 != 0.0).collect();
                let own =
                    terms.iter().filter(|t| t.0 == *node).max_by(|a, b| a.2.abs().total_cmp(&b.2.abs()));
                if let Some(place) = own.copied().and_then(|own| terms.iter().position(|t| *t == own)) {
                    terms.swap(0, place);
                }
                self.deck.equations.push(DeckEquation { place: block.place_of(data), terms });
            }
        }
        Ok(())
    }

    fn link(&mut self, place: Place, master: u64, mut followers: Vec<u64>, freedoms: [bool; 6]) {
        followers.sort_unstable();
        followers.dedup();
        followers.retain(|node| *node != master);
        self.deck.links.push((place, master, followers, freedoms));
    }
}

/// The node that follows and the one that leads.
fn two_nodes(block: &Block, data: &Data, source: &Source) -> Result<[u64; 2], ImportError> {
    let [follower, master] = [1, 2].map(|index| data.words.get(index).map_or("", String::as_str));
    let follower = block.identity(data, follower, "the node that follows", source)?;
    Ok([follower, block.identity(data, master, "the node that leads", source)?])
}

/// Freedoms of data lines `first, last`; all where there are none.
fn freedoms(block: &Block, source: &Source) -> Result<[bool; 6], ImportError> {
    if block.data.is_empty() {
        return Ok([true; 6]);
    }
    let mut freedoms = [false; 6];
    for data in &block.data {
        let first = freedom(block, data, 0, source)?;
        let last = if data.words.get(1).is_none_or(String::is_empty) {
            first
        } else {
            freedom(block, data, 1, source)?
        };
        (first..=last).for_each(|place| freedoms[place] = true);
    }
    Ok(freedoms)
}

/// A freedom, counted from zero.
fn freedom(block: &Block, data: &Data, index: usize, source: &Source) -> Result<usize, ImportError> {
    let word = data.words.get(index).map_or("", String::as_str);
    let number = identity(word).filter(|number| *number <= 6).map(|number| number as usize - 1);
    number.ok_or_else(|| {
        let message = format!("the freedom is `{word}`");
        block.error_at(data, source, message, "freedoms are 1 to 6: three translations, then three rotations")
    })
}

fn along_freedom(
    block: &Block,
    data: &Data,
    nodes: usize,
    stiffness: f64,
    source: &Source,
) -> Result<Spring, ImportError> {
    let first = freedom(block, data, 0, source)?;
    if nodes == 2 && freedom(block, data, 1, source)? != first {
        let help = "use the same freedom at both nodes";
        return Err(block.error_at(
            data,
            source,
            "a spring between different freedoms is not supported",
            help,
        ));
    }
    let mut values = [0.0; 6];
    values[first] = stiffness;
    Ok(Spring::new(0, None, values))
}
