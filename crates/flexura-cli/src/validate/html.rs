//! The report as one page: summary first, then a section per case. Nothing is loaded from elsewhere.

use super::words::escape;
use super::{figures, tables, words};
use flexura_validate::{CaseOutcome, Group, Measure, PHYSICS, Quantity, Trust, Verdict, find};
use std::fmt::Write;

const STYLE: &str = include_str!("report.css");

/// The page.
pub fn page(outcomes: &[CaseOutcome], quick: bool) -> String {
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><title>Flexura: validation</title>\n<style>{STYLE}</style></head>\n\
         <body><main>\n<h1>Validation of Flexura {}</h1>\n",
        env!("CARGO_PKG_VERSION")
    );
    summary(&mut text, outcomes, quick);
    for outcome in outcomes {
        section(&mut text, outcome);
    }
    text.push_str("</main></body></html>\n");
    text
}

fn badge(verdict: Verdict, words: &str) -> String {
    format!("<span class=\"badge {}\">{}</span>", verdict.word(), escape(words))
}

fn summary(text: &mut String, outcomes: &[CaseOutcome], quick: bool) {
    let total = |verdict: Verdict| outcomes.iter().map(|outcome| outcome.count(verdict)).sum::<usize>();
    let counts: Vec<String> = Verdict::ALL
        .into_iter()
        .filter(|&verdict| total(verdict) > 0)
        .map(|verdict| badge(verdict, &format!("{} {}", total(verdict), verdict.word().replace('_', " "))))
        .collect();
    let _ = writeln!(text, "<p class=\"counts\">{}</p>", counts.join(" "));
    if quick {
        text.push_str("<p>This is the fast part only (<code>--quick</code>).</p>\n");
    }
    text.push_str(
        "<p>Each case computes a published example or benchmark again, by every algorithm and formulation that can \
         take it. A quantity has a source, a trust label, a tolerance with its reason, and a verdict.</p>\n<dl class=\"trust\">\n",
    );
    for trust in Trust::ALL {
        let _ = writeln!(text, "<dt>{}</dt><dd>{}</dd>", trust.label(), trust.meaning());
    }
    text.push_str("</dl>\n<table class=\"summary\"><thead><tr><th>case</th><th></th><th>trust</th><th>verdicts</th><th class=\"number\">computing time</th></tr></thead><tbody>\n");
    let longest = outcomes.iter().map(|outcome| outcome.seconds).fold(1e-9, f64::max);
    for outcome in outcomes {
        let Some(case) = find(outcome.id) else { continue };
        let badges: Vec<String> = Verdict::ALL
            .into_iter()
            .filter(|&verdict| outcome.count(verdict) > 0)
            .map(|verdict| {
                badge(verdict, &format!("{} {}", outcome.count(verdict), verdict.word().replace('_', " ")))
            })
            .collect();
        let _ = writeln!(
            text,
            "<tr><td><a href=\"#{id}\">{id}</a></td><td>{}</td><td>{}</td><td>{}</td><td class=\"number\"><span class=\"bar\" style=\"width:{:.1}px\"></span> \
             <span class=\"seconds\">{:.1} s</span></td></tr>",
            escape(case.title),
            case.trust.label(),
            badges.join(" "),
            (60.0 * outcome.seconds / longest).max(1.0),
            outcome.seconds,
            id = outcome.id,
        );
    }
    text.push_str("</tbody></table>\n");
}

fn section(text: &mut String, outcome: &CaseOutcome) {
    let Some(case) = find(outcome.id) else { return };
    let _ = writeln!(
        text,
        "<section id=\"{}\"><h2>{} <small>{}</small></h2>\n<p class=\"source\">{} · trust {}</p>",
        case.id,
        escape(case.title),
        case.id,
        escape(case.source),
        case.trust.label()
    );
    for paragraph in case.about.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        let _ = writeln!(text, "<p>{}</p>", escape(paragraph));
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "<p class=\"note\">{}</p>", escape(note));
    }
    if !case.models.is_empty() {
        let names: Vec<String> =
            case.models.iter().map(|name| format!("<code>models/{name}</code>")).collect();
        let _ = writeln!(text, "<p class=\"models\">Models: {}</p>", names.join(", "));
    }
    let of = |group: Group| -> Vec<&Quantity> {
        outcome.quantities.iter().filter(|quantity| quantity.group == group).collect()
    };
    quantities(text, case.source, &of(Group::Reference), "");
    for figure in &outcome.figures {
        let _ = writeln!(
            text,
            "<figure>{}<figcaption>{}</figcaption></figure>",
            figures::svg(figure),
            escape(&figure.caption)
        );
    }
    quantities(text, PHYSICS, &of(Group::Property), "Energy, and agreement of algorithms and formulations");
    quantities(text, case.source, &of(Group::Regression), "Regression: against Flexura itself");
    for table in &outcome.tables {
        text.push_str(&tables::html(table));
    }
    timings(text, outcome);
    text.push_str("<p class=\"up\"><a href=\"#\">to the summary</a></p></section>\n");
}

fn quantities(text: &mut String, source: &str, all: &[&Quantity], heading: &str) {
    if all.is_empty() {
        return;
    }
    if !heading.is_empty() {
        let _ = writeln!(text, "<h3>{heading}</h3>");
    }
    text.push_str("<div class=\"wide\"><table><thead><tr><th>quantity</th><th class=\"number\">value</th><th class=\"number\">reference</th><th class=\"number\">error</th><th class=\"number\">tolerance</th><th>verdict</th></tr></thead><tbody>\n");
    for quantity in all {
        let [reference, error, tolerance] = cells(quantity);
        let mut why = quantity.reason.clone();
        if quantity.source != source {
            let trust = quantity.trust.map_or("", Trust::label);
            let _ = write!(why, " · {}, {trust}", quantity.source);
        }
        let _ = writeln!(
            text,
            "<tr><td>{}<div class=\"why\">{}</div></td><td class=\"number\">{}</td><td class=\"number\">{reference}</td>\
             <td class=\"number\">{error}</td><td class=\"number\">{tolerance}</td><td>{}</td></tr>",
            escape(&quantity.name),
            escape(&why),
            words::with_unit(quantity, quantity.value),
            badge(quantity.verdict, &quantity.verdict.word().replace('_', " ")),
        );
    }
    text.push_str("</tbody></table></div>\n");
}

/// Reference, error and tolerance of a quantity.
pub fn cells(quantity: &Quantity) -> [String; 3] {
    let (Some(reference), Some(error), Some(tolerance)) =
        (quantity.reference, quantity.error, quantity.tolerance)
    else {
        return [String::from("none"), String::new(), String::new()];
    };
    match quantity.measure {
        Measure::Limit => [String::new(), String::new(), format!("≤ {}", words::share(quantity, tolerance))],
        Measure::Floor => [String::new(), String::new(), format!("≥ {}", words::number(reference))],
        Measure::Ceiling => [String::new(), String::new(), format!("≤ {}", words::number(reference))],
        _ => [
            words::with_unit(quantity, reference),
            words::share(quantity, error),
            words::share(quantity, tolerance),
        ],
    }
}

fn timings(text: &mut String, outcome: &CaseOutcome) {
    if outcome.timings.is_empty() {
        return;
    }
    let longest = outcome.timings.iter().map(|timing| timing.seconds).fold(1e-9, f64::max);
    text.push_str("<details><summary>Computing times of its runs</summary><table><thead><tr><th>route</th><th class=\"number\">simulated</th><th class=\"number\">steps</th><th class=\"number\">computing time</th></tr></thead><tbody>\n");
    for timing in &outcome.timings {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td class=\"number\">{} s</td><td class=\"number\">{}</td><td class=\"number\">{:.3} s\
             <span class=\"bar\" style=\"width:{:.1}px\"></span></td></tr>",
            escape(&timing.route),
            words::number(timing.simulated),
            timing.steps,
            timing.seconds,
            (60.0 * timing.seconds / longest).max(1.0),
        );
    }
    text.push_str("</tbody></table></details>\n");
}
