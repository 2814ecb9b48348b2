//! Equations between freedoms: `*EQUATION`, `*TIE`, and `*MPC` that are linear.

use super::super::deck::DeckEquation;
use super::super::error::{ImportError, Place};
use super::super::number::{identity, real};
use super::super::source::Source;
use super::super::tie::Search;
use super::Reader;
use super::block::{Block, Data};
use nalgebra::Vector3;

/// Part of the size of the faces within which nodes are tied where the deck does not say.
const TIE_TOLERANCE: f64 = 0.025;
/// More terms than this in one equation are a slip of the keyboard.
const MOST_TERMS: usize = 100_000;

impl Reader {
    /// `*EQUATION`: a number of terms, then node or set, freedom, factor of each.
    pub(super) fn equation(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&[], source)?;
        let mut lines = block.data.iter();
        while let Some(head) = lines.next() {
            let count = block.identity(head, &head.words[0], "the number of terms", source)? as usize;
            if count > MOST_TERMS {
                let message = format!("an equation of {count} terms");
                return Err(block.error_at(head, source, message, "correct the number of terms"));
            }
            let mut words: Vec<String> = Vec::new();
            while words.len() < 3 * count {
                let Some(data) = lines.next() else {
                    let message = format!("{count} terms are announced, {} given", words.len() / 3);
                    return Err(block.error_at(head, source, message, "give node, freedom, factor of each"));
                };
                words.extend(data.words.iter().filter(|word| !word.is_empty()).cloned());
            }
            self.add_equation(block, head, &words[..3 * count], source)?;
        }
        Ok(())
    }

    fn add_equation(
        &mut self,
        block: &Block,
        head: &Data,
        words: &[String],
        source: &Source,
    ) -> Result<(), ImportError> {
        let mut terms: Vec<(Vec<u64>, usize, f64)> = Vec::new();
        for term in words.chunks_exact(3) {
            let nodes = match identity(&term[0]) {
                Some(node) => vec![node],
                None => self.nodes_of_set(&term[0], block, source)?,
            };
            let freedom = block.identity(head, &term[1], "a freedom", source)? as usize;
            let wrong = || {
                block.error_at(head, source, format!("the factor `{}` is no number", term[2]), "correct it")
            };
            terms.push((nodes, freedom, real(&term[2]).ok_or_else(wrong)?));
        }
        if terms.iter().any(|(_, freedom, _)| *freedom == 11) {
            // A relation of temperatures.
            self.ignored.add("*EQUATION of temperatures", &block.place_of(head), source);
            return Ok(());
        }
        if let Some((_, freedom, _)) = terms.iter().find(|(_, freedom, _)| *freedom > 6) {
            let help = "freedoms are 1 to 6: three translations, then three rotations";
            return Err(block.error_at(head, source, format!("the freedom is `{freedom}`"), help));
        }
        let longest = terms.iter().map(|(nodes, ..)| nodes.len()).max().unwrap_or(0);
        if terms.iter().any(|(nodes, ..)| nodes.len() != longest && nodes.len() != 1) {
            let help = "sets of one equation have the same number of nodes, or one";
            return Err(block.error_at(head, source, "the sets have different numbers of nodes", help));
        }
        for row in 0..longest {
            let pick = |nodes: &Vec<u64>| nodes[row.min(nodes.len() - 1)];
            let own: Vec<_> = terms.iter().map(|(n, f, x)| (pick(n), *f - 1, *x)).collect();
            let terms = own.into_iter().flat_map(|term| self.in_body_axes(term)).collect();
            self.deck.equations.push(DeckEquation { place: block.place_of(head), terms });
        }
        Ok(())
    }

    /// A term in the axes of its node, in body axes.
    fn in_body_axes(&self, (node, freedom, factor): (u64, usize, f64)) -> Vec<(u64, usize, f64)> {
        let place = self.deck.nodes.get(&node).copied().unwrap_or_default();
        let Some(system) = self.transforms.get(&node) else { return vec![(node, freedom, factor)] };
        let axis = system.axes(place.into()).column(freedom % 3).into_owned();
        let first = freedom / 3 * 3;
        let mut terms: Vec<_> =
            (0..3).filter(|i| axis[*i] != 0.0).map(|i| (node, first + i, factor * axis[i])).collect();
        // The largest part goes first: it is the one to be eliminated.
        terms.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
        terms
    }

    /// `*TIE`: nodes of the first surface on faces of the second.
    pub(super) fn tie(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        if ["CYCLIC SYMMETRY", "MULTISTAGE", "FLUID PERIODIC", "FLUID CYCLIC", "FLUIDPERIODIC", "FLUIDCYCLIC"]
            .iter()
            .any(|word| block.has(word))
        {
            self.ignored.add("*TIE of a sector (the sector alone is read)", &block.place, source);
            return Ok(());
        }
        block.only(&["NAME", "POSITION TOLERANCE", "ADJUST", "TYPE", "NO ROTATION"], source)?;
        if block.value("ADJUST").is_some_and(|word| word.eq_ignore_ascii_case("NO")) {
            self.ignored.add(
                "ADJUST=NO of *TIE (nodes are moved onto the faces, so that the body turns freely)",
                &block.place,
                source,
            );
        }
        if block.has("TYPE") {
            self.ignored.add("TYPE of *TIE (nodes are tied to faces)", &block.place, source);
        }
        for data in &block.data {
            let names = [0, 1].map(|i| data.words.get(i).map_or(String::new(), |w| w.to_ascii_uppercase()));
            self.tie_pair(block, data, &names, source)?;
        }
        Ok(())
    }

    fn tie_pair(
        &mut self,
        block: &Block,
        data: &Data,
        [slave, master]: &[String; 2],
        source: &Source,
    ) -> Result<(), ImportError> {
        let unknown = |name: &str| {
            block.error_at(data, source, format!("there is no surface {name}"), "add *SURFACE, NAME=")
        };
        let nodes = match (self.surfaces.get(slave), self.deck.sets.get(slave)) {
            (Some(surface), _) => surface.nodes.clone(),
            (None, Some(set)) => set.clone(),
            (None, None) => return Err(unknown(slave)),
        };
        let faces = self.surfaces.get(master).ok_or_else(|| unknown(master))?.faces.clone();
        if faces.is_empty() {
            let help = "give the second surface of a tie as faces of elements";
            return Err(block.error_at(data, source, format!("surface {master} has no faces"), help));
        }
        let at = |node: &u64| self.deck.nodes.get(node).map(|place| Vector3::from(*place));
        let places: Vec<Option<Vec<Vector3<f64>>>> =
            faces.iter().map(|face| face.iter().map(at).collect()).collect();
        let Some(places) = places.into_iter().collect::<Option<Vec<_>>>() else { return Ok(()) };
        let search = Search::new(places);
        let tolerance = match block.value("POSITION TOLERANCE") {
            None => TIE_TOLERANCE * search.size,
            Some(word) => real(word).filter(|given| *given >= 0.0).ok_or_else(|| {
                let message = format!("POSITION TOLERANCE={word} is no distance");
                block.error(source, message, "give a length, zero or more")
            })?,
        };
        let own: std::collections::BTreeSet<u64> = faces.iter().flatten().copied().collect();
        let (mut far, mut farthest, mut tied) = (0_usize, 0.0_f64, 0_usize);
        for node in nodes.iter().filter(|node| !own.contains(node)) {
            let Some(place) = self.deck.nodes.get(node).copied() else {
                let message = format!("node {node} of {slave} does not exist");
                return Err(block.error_at(data, source, message, "define it, or correct the surface"));
            };
            let Some(foot) = search.foot(place.into(), tolerance) else {
                far += 1;
                continue;
            };
            (tied, farthest) = (tied + 1, farthest.max(foot.distance));
            // A node tied across a gap would resist rigid turns of the body.
            self.deck.nodes.insert(*node, foot.point.into());
            let turns = !block.has("NO ROTATION")
                && self.turning.contains(node)
                && faces[foot.face].iter().all(|n| self.turning.contains(n));
            for freedom in 0..if turns { 6 } else { 3 } {
                let leaders = faces[foot.face].iter().zip(&foot.values).map(|(n, v)| (*n, freedom, -*v));
                let terms =
                    [(*node, freedom, 1.0)].into_iter().chain(leaders.filter(|t| t.2 != 0.0)).collect();
                self.deck.equations.push(DeckEquation { place: block.place_of(data), terms });
            }
        }
        self.tell_tie(&block.place_of(data), [slave, master], [tied, far], farthest, source);
        Ok(())
    }

    fn tell_tie(&mut self, place: &Place, names: [&str; 2], counts: [usize; 2], moved: f64, source: &Source) {
        let file = source.files.get(place.file).map_or("", String::as_str);
        let ([slave, master], [tied, far], line) = (names, counts, place.line);
        let away = if far > 0 {
            format!(", {far} farther away than the tolerance stay free")
        } else {
            String::new()
        };
        let notice = format!(
            "{file}:{line}: *TIE: {tied} nodes of {slave} moved by up to {moved:.3e} onto {master} and tied{away}"
        );
        self.deck.notices.push(notice);
    }
}
