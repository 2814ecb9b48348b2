//! Damaged files of every format give errors or bodies, never panics, and end soon.

use flexura_fem::import::{abaqus, gmsh, nastran};
use flexura_fem::part::{Part, read};
use flexura_fem::reduced::{from_bytes, to_bytes};
use flexura_fem::{Material, Mesh};
use std::path::Path;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % sides.max(1)
    }
}

/// Words that trouble readers.
const ODD: [&str; 24] = [
    "",
    "0",
    "-1",
    "1e999",
    "nan",
    "1.5+",
    "18446744073709551615",
    "99999999999999999999",
    "*",
    "$",
    ",",
    ",,,,",
    "=",
    "*STEP",
    "*END STEP",
    "$End",
    "THRU",
    "\u{e9}\u{4e2d}",
    "\"",
    "[[",
    "-9223372036854775808",
    "1e-320",
    "YES",
    "\t",
];

/// Changes a text in one to three places.
fn damage(text: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(letters.len() + 1);
        let span = dice.roll(12).min(letters.len() - at.min(letters.len()));
        let at = at.min(letters.len() - span);
        match dice.roll(7) {
            0 => drop(letters.drain(at..at + span)),
            1 => letters.truncate(at),
            2 => letters.splice(at..at + span, ODD[dice.roll(ODD.len())].chars()).for_each(drop),
            3 => {
                let copy: Vec<char> = letters[at..at + span].to_vec();
                let to = dice.roll(letters.len() + 1);
                letters.splice(to..to, copy).for_each(drop);
            }
            4 => {
                if let Some(letter) = letters.get_mut(at) {
                    *letter = char::from(32 + dice.roll(95) as u8);
                }
            }
            5 => swap_lines(&mut letters, dice),
            _ => replace_number(&mut letters, dice),
        }
    }
    letters.into_iter().collect()
}

fn swap_lines(letters: &mut Vec<char>, dice: &mut Dice) {
    let text: String = letters.iter().collect();
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.len() > 1 {
        let (a, b) = (dice.roll(lines.len()), dice.roll(lines.len()));
        lines.swap(a, b);
    }
    *letters = lines.join("\n").chars().collect();
}

fn replace_number(letters: &mut Vec<char>, dice: &mut Dice) {
    let start = dice.roll(letters.len() + 1);
    let Some(first) = (start..letters.len()).find(|at| letters[*at].is_ascii_digit()) else { return };
    let last = (first..letters.len()).find(|at| !letters[*at].is_ascii_digit()).unwrap_or(letters.len());
    letters.splice(first..last, ODD[dice.roll(ODD.len())].chars()).for_each(drop);
}

/// Mangles a file many ways; how many were still read.
fn survive(text: &str, rounds: usize, seed: u64, read: impl Fn(&str) -> Option<Mesh>) -> usize {
    assert!(read(text).is_some(), "the sound file is read");
    let mut dice = Dice(seed);
    let mut sound = 0;
    for _ in 0..rounds {
        if let Some(mesh) = read(&damage(text, &mut dice)) {
            // Geometry may be nonsense now; asking must not panic.
            let _ = mesh.validate();
            sound += 1;
        }
    }
    assert!(
        sound > 0 && sound < rounds,
        "{sound} of {rounds}: the damage must neither always nor never matter"
    );
    sound
}

#[test]
fn damaged_decks() {
    let abaqus_deck = include_str!("../decks/small.inp");
    survive(abaqus_deck, 4000, 11, |text| abaqus::read_text(text, "a.inp").ok().map(|read| read.mesh));
    for (deck, seed) in
        [(include_str!("../decks/small.bdf"), 12), (include_str!("../decks/small_free.bdf"), 13)]
    {
        survive(deck, 3000, seed, |text| nastran::read_text(text, "a.bdf").ok().map(|read| read.mesh));
    }
    let steel = Material::isotropic(2e11, 0.3, 7800.0);
    let groups: Vec<_> = read(include_str!("../decks/groups.toml"), "g.toml").unwrap().0.groups;
    for (deck, seed) in
        [(include_str!("../decks/small_2.msh"), 14), (include_str!("../decks/small_4.msh"), 15)]
    {
        survive(deck, 3000, seed, |text| {
            gmsh::read_text(text, "a.msh", vec![steel], &groups).ok().map(|read| read.mesh)
        });
    }
}

const PART: &str = include_str!("../../../../models/parts/panel.toml");

#[test]
fn damaged_part_files() {
    let read_part = |text: &str| {
        let read = Part::from_text(text, Path::new("nowhere/part.toml"));
        if let Err(fault) = &read {
            assert!(!fault.to_string().is_empty());
        }
        read.ok().map(|part| part.mesh)
    };
    survive(PART, 3000, 16, read_part);
    assert!(read(PART, "part.toml").is_ok());
}

#[test]
fn damaged_reduced_bodies() {
    let part = Part::from_text(PART, Path::new("part.toml")).unwrap();
    let bytes = to_bytes(&part.reduce(&mut |_| {}).unwrap());
    let mut dice = Dice(17);
    for _ in 0..2000 {
        let mut bad = bytes.clone();
        match dice.roll(4) {
            0 => bad.truncate(dice.roll(bytes.len())),
            1 => bad.extend([0, 1, 2].iter().take(1 + dice.roll(3))),
            _ => {
                let within = if dice.roll(2) == 0 { 200 } else { bad.len() };
                let at = dice.roll(within);
                bad[at] ^= 1 << dice.roll(8);
            }
        }
        assert!(from_bytes(&bad).is_err(), "a change of any bit is seen");
    }
    // With a digest that fits, contents are still checked, those of all nodal rows too.
    let boom = include_str!("../../../../models/parts/boom.toml").to_owned() + "nodal = true\n";
    let part = Part::from_text(&boom, Path::new("part.toml")).unwrap();
    let bytes = to_bytes(&part.reduce(&mut |_| {}).unwrap());
    assert!(from_bytes(&bytes).unwrap().nodal.is_some());
    let mut found = 0;
    for _ in 0..2000 {
        let mut bad = bytes[..bytes.len() - 32].to_vec();
        let at = 24 + dice.roll(bad.len() - 24);
        bad[at] = dice.roll(256) as u8;
        let digest = <sha2::Sha256 as sha2::Digest>::digest(&bad);
        bad.extend(&digest[..]);
        found += usize::from(from_bytes(&bad).is_err());
    }
    assert!(found > 0, "sizes are checked");
    println!("{found} of 2000 changes are inconsistent by themselves");
}
