//! Beams, shells and solids.

use super::super::deck::{DeckElement, Property, Shape};
use super::super::error::ImportError;
use super::super::source::Source;
use super::Reader;
use super::card::Card;

impl Reader {
    pub(super) fn bar(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let nodes =
            vec![card.identity(2, "the first end", source)?, card.identity(3, "the second end", source)?];
        if card.has(7)
            && !card.text(7).eq_ignore_ascii_case("GGG")
            && !card.text(7).starts_with(['0', '1', '2'])
        {
            return Err(card.error(source, "offsets in other axes (OFFT) are not supported", "use GGG"));
        }
        let pins = [pinned(card, 8, source)?, pinned(card, 9, source)?];
        let orientation = self.direction(card, nodes[0], source)?;
        // Both along the displacement axes of their grid points (OFFT = GGG).
        let arm = |end: usize, field: usize| {
            let offset = card.vector(field, "an offset", source)?;
            self.along_displacement_axes(nodes[end], offset, card, source)
        };
        let offsets = [arm(0, 10)?, arm(1, 13)?];
        let property = self.property(card, (orientation, offsets, pins), source)?;
        self.push(card, Shape::Line2, nodes, property, source)
    }

    /// The orientation of a bar: a vector, or a grid point to look at.
    fn direction(&self, card: &Card, first: u64, source: &Source) -> Result<[f64; 3], ImportError> {
        let by_point = !card.has(5) && !card.has(6) && super::super::number::identity(card.text(4)).is_some();
        let vector = if by_point {
            let point = card.identity(4, "the orientation point", source)?;
            let find = |node: u64| {
                let missing = || {
                    card.error(
                        source,
                        format!("grid point {node} does not exist"),
                        "define it, or correct the number",
                    )
                };
                self.deck.nodes.get(&node).copied().ok_or_else(missing)
            };
            let (from, to) = (find(first)?, find(point)?);
            std::array::from_fn(|i| to[i] - from[i])
        } else {
            let vector = card.vector(4, "a component of the orientation", source)?;
            self.along_displacement_axes(first, vector, card, source)?
        };
        match vector == [0.0; 3] {
            true => Err(card.error(
                source,
                "the orientation (fields 6 to 8) has no direction",
                "give a vector or a grid point",
            )),
            false => Ok(vector),
        }
    }

    pub(super) fn shell(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let (shape, angle, offset) = match card.name.as_str() {
            "CTRIA3" | "CTRIAR" => (Shape::Triangle3, 5, 6),
            "CTRIA6" => (Shape::Triangle6, 8, 9),
            "CQUAD4" | "CQUADR" => (Shape::Quadrilateral4, 6, 7),
            _ => (Shape::Quadrilateral8, 14, 15),
        };
        let nodes = self.grid_points(card, 2, shape.nodes(), source)?;
        let away = card.real_or(offset, 0.0, "the offset of the shell", source)?;
        let mut property = self.property(card, ([0.0; 3], [[0.0; 3]; 2], [[false; 6]; 2]), source)?;
        let directed = self.has_directions(&property);
        if let Property::Shell { offset, material_axis, .. } = &mut property {
            *offset = away;
            if directed {
                *material_axis = self.shell_axis(angle, &nodes, card, source)?;
            }
        }
        let varying = card.fields.len() > 8 && matches!(shape, Shape::Triangle3 | Shape::Quadrilateral4);
        if varying && (9..14).any(|index| card.has(index)) {
            return Err(card.error(source, "thickness at the corners is not supported", "give it in PSHELL"));
        }
        self.push(card, shape, nodes, property, source)
    }

    pub(super) fn rod(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let own = card.name == "CONROD";
        let first = if own { 1 } else { 2 };
        let nodes = self.grid_points(card, first, 2, source)?;
        let property = match own {
            true => self.own_rod(card, source)?,
            false => self.property(card, ([0.0; 3], [[0.0; 3]; 2], [[false; 6]; 2]), source)?,
        };
        self.push(card, Shape::Line2, nodes, property, source)
    }

    pub(super) fn solid(&mut self, card: &Card, source: &Source) -> Result<(), ImportError> {
        let given = (2..card.fields.len()).filter(|index| card.has(*index)).count();
        let shape = match (card.name.as_str(), given) {
            ("CTETRA", 4) => Shape::Tetrahedron4,
            ("CTETRA", 10) => Shape::Tetrahedron10,
            ("CHEXA", 8) => Shape::Hexahedron8,
            ("CHEXA", 20) => Shape::Hexahedron20,
            ("CPENTA", 6) => Shape::Wedge6,
            ("CPENTA", 15) => Shape::Wedge15,
            ("CPYRAM", 5) => Shape::Pyramid5,
            (_, given) => {
                let help = "supported: CTETRA with 4 or 10, CHEXA with 8 or 20, CPENTA with 6 or 15, CPYRAM with 5 grid points";
                return Err(card.error(
                    source,
                    format!("a solid with {given} grid points is not supported"),
                    help,
                ));
            }
        };
        let mut nodes = self.grid_points(card, 2, shape.nodes(), source)?;
        // The middles between the two ends come before those of the upper end.
        match shape {
            Shape::Hexahedron20 => nodes[12..].rotate_left(4),
            Shape::Wedge15 => nodes[9..].rotate_left(3),
            _ => {}
        }
        let property = self.property(card, ([0.0; 3], [[0.0; 3]; 2], [[false; 6]; 2]), source)?;
        self.push(card, shape, nodes, property, source)
    }

    fn grid_points(
        &self,
        card: &Card,
        first: usize,
        count: usize,
        source: &Source,
    ) -> Result<Vec<u64>, ImportError> {
        (first..first + count).map(|index| card.identity(index, "a grid point", source)).collect()
    }

    fn push(
        &mut self,
        card: &Card,
        shape: Shape,
        nodes: Vec<u64>,
        property: Property,
        source: &Source,
    ) -> Result<(), ImportError> {
        let number = card.identity(0, "the number of the element", source)?;
        self.deck.elements.push(DeckElement { place: card.place.clone(), number, shape, nodes, property });
        Ok(())
    }
}

/// Freedoms that a field of pins names by their digits (PA, PB).
fn pinned(card: &Card, field: usize, source: &Source) -> Result<[bool; 6], ImportError> {
    let mut pins = [false; 6];
    for digit in card.text(field).chars() {
        let freedom = digit.to_digit(10).filter(|digit| (1..=6).contains(digit));
        let Some(freedom) = freedom else {
            let message = format!("the pins `{}` are no freedoms", card.text(field));
            return Err(card.error(source, message, "write digits from 1 to 6, such as 456"));
        };
        pins[freedom as usize - 1] = true;
    }
    Ok(pins)
}
