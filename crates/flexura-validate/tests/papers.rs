//! Entries of `flexura paper` are those of the headers of the code and of the book's table, and every check holds.

use flexura_validate::papers::{PAPERS, erratum, within};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path, list: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, list);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            list.push(path);
        }
    }
}

/// The comment at the top of a file, in one line.
fn header(text: &str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with("//!"));
    lines.map(|line| line.trim_start_matches("//!").trim()).collect::<Vec<_>>().join(" ")
}

/// A number such as 7.10, B.4 or 36 at the start of `text`.
fn number(text: &str) -> Option<&str> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || ('A'..='C').contains(&c)))
        .unwrap_or(text.len());
    let found = text[..end].trim_end_matches('.');
    found.ends_with(|c: char| c.is_ascii_digit()).then_some(found)
}

/// The list of equations at the start of `text`: `eqs 1-6 (handles), 71-91`.
fn listed(text: &str) -> Vec<String> {
    let mut rest = text.trim_start_matches([' ', ',']);
    let Some(after) = ["eqs. ", "eqs ", "eq. ", "eq "].iter().find_map(|word| rest.strip_prefix(word)) else {
        return Vec::new();
    };
    rest = after;
    let mut list = Vec::new();
    loop {
        rest = rest.trim_start_matches('(');
        let Some(first) = number(rest) else { return list };
        rest = &rest[first.len()..];
        let mut range = first.to_string();
        if let Some(last) = rest.strip_prefix('-').and_then(number) {
            range = format!("{first}-{last}");
            rest = &rest[1 + last.len()..];
        }
        list.push(range);
        rest = rest.trim_start_matches(')');
        if rest.starts_with(" (")
            && let Some(end) = rest.find(')')
        {
            rest = &rest[end + 1..];
        }
        match [", ", " and ", " with "].iter().find_map(|word| rest.strip_prefix(word)) {
            Some(next) => rest = next,
            None => return list,
        }
    }
}

/// Equations in brackets in the tables of a header: `| H, D (35, 36) | joint columns |`.
fn tabled(text: &str) -> Vec<String> {
    let rows =
        text.lines().take_while(|line| line.starts_with("//!")).filter(|line| line.starts_with("//! |"));
    let brackets = rows.flat_map(|row| row.split('(').skip(1)).filter_map(|rest| rest.split_once(')'));
    let whole = |range: &str| ends(range).iter().all(|end| number(end) == Some(*end));
    let lists = brackets.map(|(list, _)| list.split(", ").collect::<Vec<_>>());
    lists.filter(|list| list.iter().all(|range| whole(range))).flatten().map(String::from).collect()
}

/// (paper, equations, file) of every citation in a header; tables belong to the paper that the header names, if it is one.
fn citations_in_tables() -> Vec<(usize, String, String)> {
    let mut files = Vec::new();
    for name in ["flexura", "flexura-fem"] {
        sources(&root().join("crates").join(name).join("src"), &mut files);
    }
    let mut list = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("readable");
        let top = header(&text);
        let named = |k: &usize| PAPERS[*k].called.iter().any(|name| top.contains(name));
        let papers: Vec<usize> = (0..PAPERS.len()).filter(named).collect();
        if let [paper] = papers[..] {
            let file = path.to_string_lossy().into_owned();
            list.extend(tabled(&text).into_iter().map(|range| (paper, range, file.clone())));
        }
    }
    list
}

/// (paper, equations, file) of every citation in a header.
fn citations() -> Vec<(usize, String, String)> {
    let mut files = Vec::new();
    for name in ["flexura", "flexura-fem"] {
        sources(&root().join("crates").join(name).join("src"), &mut files);
    }
    let mut list = Vec::new();
    for path in files {
        let text = header(&std::fs::read_to_string(&path).expect("readable"));
        let file = path.strip_prefix(root()).expect("inside").to_string_lossy().replace('\\', "/");
        for (k, paper) in PAPERS.iter().enumerate() {
            for name in paper.called {
                for (at, _) in text.match_indices(name) {
                    let found = listed(&text[at + name.len()..]);
                    list.extend(found.into_iter().map(|range| (k, range, file.clone())));
                }
            }
        }
    }
    list
}

fn ends(range: &str) -> [&str; 2] {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    [first, last]
}

/// Every number of a range: `7.8-7.10` is 7.8, 7.9, 7.10.
fn numbers(range: &str) -> Vec<String> {
    let [first, last] = ends(range);
    let part = |number: &str| {
        let (chapter, place) =
            number.rsplit_once('.').map_or(("", number), |(chapter, place)| (chapter, place));
        (chapter.to_string(), place.parse::<u32>().unwrap_or_else(|_| panic!("{range}")))
    };
    let ((chapter, begin), (_, end)) = (part(first), part(last));
    let dot = if chapter.is_empty() { "" } else { "." };
    assert!(begin <= end, "{range}");
    (begin..=end).map(|place| format!("{chapter}{dot}{place}")).collect()
}

/// Equations of the rows of the book's table with these verdicts, with the row.
fn rows(paper: &str, verdicts: &[&str]) -> Vec<(String, String)> {
    let path = root().join(format!("book/papers/{paper}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let table: toml::Table = text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut list = Vec::new();
    for row in table["row"].as_array().expect("rows") {
        let word = |key: &str| row.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_string();
        if !verdicts.contains(&word("verdict").as_str()) {
            continue;
        }
        for range in row.get("equations").and_then(toml::Value::as_array).into_iter().flatten() {
            list.extend(numbers(range.as_str().expect("a range")).into_iter().map(|n| (n, word("id"))));
        }
    }
    list
}

/// What the book calls reproduced has an entry that runs, number by number.
#[test]
fn every_reproduced_equation_has_an_entry() {
    let mut count = 0;
    for paper in PAPERS {
        for (number, row) in rows(paper.id, &["reproduced", "reproduced with erratum"]) {
            assert!(!paper.find(&number).is_empty(), "{} ({number}), row {row}, has no entry", paper.id);
            count += 1;
        }
    }
    assert!(count > 330, "{count}");
}

/// An entry is no claim beyond the table: its equations are in some row of it.
#[test]
fn every_entry_is_in_the_table() {
    for paper in PAPERS {
        let known: Vec<String> =
            rows(paper.id, &["reproduced", "reproduced with erratum", "partly", "differs"])
                .into_iter()
                .map(|(number, _)| number)
                .collect();
        for number in paper.entries.iter().flat_map(|entry| entry.equations).flat_map(|range| numbers(range))
        {
            assert!(known.contains(&number), "{} ({number}) is in no row", paper.id);
        }
    }
}

/// What a header says is implemented has an entry.
#[test]
fn every_equation_that_a_header_cites_has_an_entry() {
    let mut citations = citations();
    assert!(citations.len() > 40, "{}", citations.len());
    let in_tables = citations_in_tables();
    assert!(in_tables.len() > 15, "{}", in_tables.len());
    citations.extend(in_tables);
    for (k, range, file) in &citations {
        let paper = PAPERS[*k];
        for number in numbers(range) {
            assert!(
                !paper.find(&number).is_empty(),
                "{} ({number}), cited by {file}, has no entry",
                paper.id
            );
        }
    }
}

/// What an entry says stands in its file: the function, and the equation in the header.
#[test]
fn every_entry_stands_in_its_file() {
    for paper in PAPERS {
        assert!(!paper.entries.is_empty());
        for entry in paper.entries {
            let text = std::fs::read_to_string(root().join(entry.file))
                .unwrap_or_else(|e| panic!("{}: {e}", entry.file));
            let what = format!("{} {:?}", paper.id, entry.equations);
            assert!(text.contains(entry.function), "{what}: no {} in {}", entry.function, entry.file);
            assert!(root().join(entry.page).exists(), "{what}: no {}", entry.page);
            let top = header(&text);
            for number in entry.equations.iter().flat_map(|range| numbers(range)) {
                let cited = top.split(|c: char| !(c.is_alphanumeric() || ".-".contains(c))).any(|word| {
                    let word = word.trim_end_matches('.').trim_end_matches('-');
                    word == number || within(word, &number)
                });
                assert!(cited, "{what}: the header of {} does not cite {number}", entry.file);
            }
            for item in entry.errata {
                assert!(
                    erratum(item).is_some_and(|words| words.starts_with(item)),
                    "{what}: no erratum {item}"
                );
            }
        }
    }
}

/// Every check runs and holds; a check that compares something with itself would show zero everywhere.
#[test]
fn every_check_holds() {
    let (mut differences, mut broken) = (0, Vec::new());
    for paper in PAPERS {
        for entry in paper.entries {
            let found = (entry.check)().unwrap_or_else(|fault| {
                broken.push(format!("{} {:?}: {}", paper.id, entry.equations, fault.0));
                Vec::new()
            });
            if found.is_empty() {
                broken.push(format!("{} {:?} found nothing", paper.id, entry.equations));
            }
            for finding in found {
                println!("{} {:?}: {}: {:.1e}", paper.id, entry.equations, finding.what, finding.value);
                if !finding.holds() {
                    broken.push(format!("{} {:?}: {finding:?}", paper.id, entry.equations));
                }
                differences += usize::from(finding.value > 0.0);
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(differences > 100, "{differences}");
}

#[test]
fn ranges_know_their_equations() {
    assert!(within("7.8-7.12", "7.10") && within("36", "36") && within("B.4", "B.4"));
    assert!(!within("7.8-7.12", "7.13") && !within("7.8-7.12", "8.10") && !within("1-6", "1.3"));
}
