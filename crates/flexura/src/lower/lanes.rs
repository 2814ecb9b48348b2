//! Lanes, slots and programs: which body stands where.
//!
//! A program is the list of slots of a lane; lanes with equal programs share one, so that a long chain of equal bodies has
//! two or three. Carriers come before what they carry; a child right behind its carrier hands over in registers.

use super::words::{BASE, KEPT, LAYOUT_WORDS, ON_PATH, SHOWN, SLOT_WORDS, TYPE_WORDS, TypeWord};
use super::words::{COMPACT_LINK, LINK};
use std::collections::HashMap;

/// One lane before it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneDraft {
    /// Bodies, carriers first.
    pub bodies: Vec<usize>,
    /// Slot of the carrier of each, if inside the lane.
    pub carrier: Vec<Option<usize>>,
    /// Whether each lies between two open handles.
    pub on_path: Vec<bool>,
    /// Slots on which branches of other lanes hang.
    pub bears: Vec<usize>,
}

impl LaneDraft {
    /// Room for so many bodies and no more: there may be millions of lanes.
    pub fn reserve(&mut self, bodies: usize) {
        self.bodies.reserve_exact(bodies);
        self.carrier.reserve_exact(bodies);
        self.on_path.reserve_exact(bodies);
    }
}

/// Programs written so far.
#[derive(Debug, Default)]
pub(super) struct Programs {
    pub words: Vec<i32>,
    /// Slots of children that do not stand right behind their carrier.
    pub list: Vec<i32>,
    known: HashMap<Vec<i32>, usize>,
}

impl Programs {
    /// Where the program of `lane` begins (in slots).
    pub fn of(&mut self, lane: &LaneDraft, types: &[usize]) -> usize {
        let (entries, kids) = entries(lane, types);
        let mut key = entries.clone();
        key.extend(kids.iter().flatten().map(|&kid| -1 - kid));
        if let Some(&at) = self.known.get(&key) {
            return at;
        }
        let at = self.words.len() / SLOT_WORDS;
        for (entry, kids) in entries.chunks_exact(SLOT_WORDS).zip(&kids) {
            self.words.extend(entry);
            let last = self.words.len() - 1;
            self.words[last] = self.list.len() as i32;
            self.list.extend(kids);
        }
        self.known.insert(key, at);
        at
    }
}

fn entries(lane: &LaneDraft, types: &[usize]) -> (Vec<i32>, Vec<Vec<i32>>) {
    let count = lane.bodies.len();
    let mut kids: Vec<Vec<i32>> = vec![Vec::new(); count];
    for (slot, carrier) in lane.carrier.iter().enumerate() {
        if let Some(carrier) = *carrier
            && carrier + 1 != slot
        {
            kids[carrier].push(slot as i32);
        }
    }
    let mut words = Vec::with_capacity(count * SLOT_WORDS);
    for slot in 0..count {
        let mut flags = 0;
        match lane.carrier[slot] {
            None => flags |= BASE,
            Some(carrier) if carrier + 1 == slot => flags |= KEPT,
            Some(_) => {}
        }
        if lane.on_path[slot] {
            flags |= ON_PATH;
        }
        if !kids[slot].is_empty() || lane.bears.contains(&slot) {
            flags |= SHOWN;
        }
        let carrier = lane.carrier[slot].map_or(-1, |slot| slot as i32);
        words.extend([types[lane.bodies[slot]] as i32, carrier, flags, kids[slot].len() as i32, 0]);
    }
    (words, kids)
}

/// First fields of every slot, the same for all lanes, and how many fields there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    pub layout: Vec<i32>,
    pub q: usize,
    pub v: usize,
    pub link: usize,
    pub out: usize,
}

/// What the largest body at a slot needs.
#[derive(Clone, Copy, Default)]
struct Need {
    modes: usize,
    dof: usize,
    coordinates: usize,
    q: usize,
    v: usize,
    link: usize,
    influence: usize,
}

impl Fields {
    /// Fields for `lanes` whose bodies have the given types; `handle`: with equations of a second handle, `branched`: with
    /// accelerations and what bodies show kept in memory.
    pub fn new(lanes: &[LaneDraft], types: &[usize], words: &[i32], handle: bool, branched: bool) -> Self {
        let slots = lanes.iter().map(|lane| lane.bodies.len()).max().unwrap_or(0);
        let mut needs = vec![Need::default(); slots];
        for lane in lanes {
            for (need, &body) in needs.iter_mut().zip(&lane.bodies) {
                need.widen(&words[types[body] * TYPE_WORDS..][..TYPE_WORDS]);
            }
        }
        let mut fields = Self::default();
        for need in &needs {
            fields.add(need, handle, branched);
        }
        fields
    }

    fn add(&mut self, need: &Need, handle: bool, branched: bool) {
        let (n, d, sides) = (need.modes, need.dof, 1 + usize::from(handle));
        let influence = self.link + need.link;
        let row: [usize; LAYOUT_WORDS] =
            [self.q, self.v, self.link, self.out, n, d, need.coordinates, influence];
        self.layout.extend(row.map(|x| x as i32));
        self.q += need.q;
        self.v += need.v;
        self.link = influence + need.influence;
        let kept = if branched { 33 } else { 0 };
        self.out += 6 * d * sides + d * d + d + 6 * n * sides + n * (n + 1) / 2 + n + kept;
    }
}

impl Need {
    fn widen(&mut self, words: &[i32]) {
        let word = |word: TypeWord| words[word as usize] as usize;
        let (modes, dof, nq) = (word(TypeWord::Modes), word(TypeWord::Dof), word(TypeWord::Nq));
        let link = match word(TypeWord::Fixed) {
            1 => COMPACT_LINK,
            2 => LINK,
            _ => LINK + 6 * dof,
        };
        let moving = word(TypeWord::Influence) == 2;
        self.modes = self.modes.max(modes);
        self.dof = self.dof.max(dof);
        self.coordinates = self.coordinates.max(nq);
        self.q = self.q.max(modes + nq);
        self.v = self.v.max(modes + dof);
        self.link = self.link.max(link);
        self.influence = self.influence.max(if moving { 6 * word(TypeWord::ParentModes) } else { 0 });
    }
}
