//! `flexura paper`: the source papers, equation by equation, with a check that runs.

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use flexura::model::words::{list, nearest};
use flexura_validate::papers::{Entry, Finding, PAPERS, Paper, erratum, paper};
use serde_json::{Value, json};
use std::fmt::Write;

/// Lists the source papers, their implemented equations, or one equation with its errata, code and a live check.
#[derive(clap::Args)]
#[command(
    after_help = "Every equation that the header of a file of the engine cites has an entry; the check runs on a small model and compares with another
route. Exit code 1 where a check does not hold.

Examples:
  flexura paper                               the papers
  flexura paper jpl-90-26                     its implemented equations
  flexura paper jpl-90-26 7.10                the equation, its errata, file and function, and a check
  flexura paper richard-2012 42 --json
  flexura paper lugris-2007 --all             every check of a paper"
)]
pub struct Arguments {
    /// Paper; without it all are listed
    paper: Option<String>,
    /// Equation by its number
    #[arg(requires = "paper", conflicts_with = "all")]
    equation: Option<String>,
    /// Run the checks of all equations of the paper
    #[arg(long, requires = "paper")]
    all: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub fn run(arguments: &Arguments) -> Outcome {
    let Some(id) = &arguments.paper else { return papers(arguments.json) };
    let ids = || PAPERS.iter().map(|paper| paper.id);
    let found = paper(id).ok_or_else(|| {
        let near = nearest(id, ids()).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Failure::Usage(format!("no paper `{id}`: {}{near}", list(ids())))
    })?;
    let entries: Vec<&Entry> = match &arguments.equation {
        None if !arguments.all => return contents(found, arguments.json),
        None => found.entries.iter().collect(),
        Some(number) => found.find(number),
    };
    if entries.is_empty() {
        let number = arguments.equation.as_deref().unwrap_or_default();
        let ranges = found.entries.iter().flat_map(|entry| entry.equations.iter().copied());
        return Err(Failure::Usage(format!("no entry for ({number}) of {id}; there are {}", list(ranges))));
    }
    show(found, &entries, arguments.json)
}

fn papers(json: bool) -> Outcome {
    if json {
        let rows: Vec<Value> = PAPERS
            .iter()
            .map(|paper| json!({ "id": paper.id, "title": paper.title, "entries": paper.entries.len() }))
            .collect();
        return print(&format!("{}\n", json!(rows)));
    }
    let mut text = String::new();
    for paper in PAPERS {
        let _ = writeln!(text, "{:14} {} ({} entries)", paper.id, paper.title, paper.entries.len());
    }
    print(&text)
}

fn contents(paper: &Paper, json: bool) -> Outcome {
    if json {
        let rows: Vec<Value> = paper.entries.iter().map(as_json).collect();
        return print(&format!("{}\n", json!(rows)));
    }
    let mut text = format!("{}\n", paper.title);
    for entry in paper.entries {
        let _ = writeln!(text, "  {:28} {}", format!("({})", entry.equations.join(", ")), entry.what);
    }
    print(&text)
}

fn as_json(entry: &Entry) -> Value {
    json!({
        "equations": entry.equations,
        "what": entry.what,
        "formula": entry.formula,
        "errata": entry.errata,
        "file": entry.file,
        "function": entry.function,
        "page": entry.page,
    })
}

fn show(paper: &Paper, entries: &[&Entry], json: bool) -> Outcome {
    let (mut text, mut rows, mut holds) = (String::new(), Vec::new(), true);
    for entry in entries {
        let findings = (entry.check)().map_err(|fault| Failure::Simulation(fault.0))?;
        holds &= findings.iter().all(Finding::holds);
        if json {
            let mut row = as_json(entry);
            row["check"] = findings
                .iter()
                .map(|found| json!({ "what": found.what, "value": found.value, "limit": found.limit, "holds": found.holds() }))
                .collect();
            rows.push(row);
        } else {
            describe(paper, entry, &findings, &mut text);
        }
    }
    print(&if json { format!("{}\n", json!(rows)) } else { text })?;
    if holds { Ok(()) } else { Err(Failure::Verdict("a check does not hold".into())) }
}

fn describe(paper: &Paper, entry: &Entry, findings: &[Finding], text: &mut String) {
    let _ = writeln!(text, "{} ({}): {}", paper.id, entry.equations.join(", "), entry.what);
    let _ = writeln!(text, "  {}", entry.formula);
    for item in entry.errata {
        let words = erratum(item).unwrap_or_default();
        let _ = writeln!(text, "  erratum {}", words.replace('\n', "\n    "));
    }
    let _ = writeln!(text, "  code   {}: {}", entry.file, entry.function);
    let _ = writeln!(text, "  theory {}", entry.page);
    for found in findings {
        let verdict = if found.holds() { "holds" } else { "DOES NOT HOLD" };
        let _ = writeln!(
            text,
            "  check  {}: {:.1e}, at most {:.1e}: {verdict}",
            found.what, found.value, found.limit
        );
    }
}
