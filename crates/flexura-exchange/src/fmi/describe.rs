//! `modelDescription.xml` of both versions of the standard.

use super::Version;
use super::interface::{Causality, Interface, Variable};
use super::xml::Xml;
use flexura::model::description::{MethodDescription, SimulationDescription};

/// Units of channels in SI base units: exponents of kg, m, s, rad.
const UNITS: [(&str, [i32; 4]); 22] = [
    ("s", [0, 0, 1, 0]),
    ("m", [0, 1, 0, 0]),
    ("rad", [0, 0, 0, 1]),
    ("m/s", [0, 1, -1, 0]),
    ("rad/s", [0, 0, -1, 1]),
    ("m/s²", [0, 1, -2, 0]),
    ("rad/s²", [0, 0, -2, 1]),
    ("m/s^2", [0, 1, -2, 0]),
    ("rad/s^2", [0, 0, -2, 1]),
    ("1", [0, 0, 0, 0]),
    ("1/s", [0, 0, -1, 0]),
    ("1/s²", [0, 0, -2, 0]),
    ("1/s^2", [0, 0, -2, 0]),
    ("N", [1, 1, -2, 0]),
    ("N m", [1, 2, -2, 0]),
    ("J", [1, 2, -2, 0]),
    ("W", [1, 2, -3, 0]),
    ("kg", [1, 0, 0, 0]),
    ("kg m/s", [1, 1, -1, 0]),
    ("kg m²/s", [1, 2, -1, 0]),
    ("kg m^2/s", [1, 2, -1, 0]),
    ("Pa", [1, -1, -2, 0]),
];

/// The token by which an importer and the library know each other: a digest of the model and its interface.
pub fn token(text: &str, interface: &Interface) -> String {
    let names: String = interface.variables.iter().map(|variable| format!("{}\n", variable.name)).collect();
    let [a, b] = [text, &names].map(|part| flexura::file::fnv1a(part.as_bytes()));
    format!("{{flexura-{}-{a:016x}-{b:016x}}}", env!("CARGO_PKG_VERSION"))
}

/// The description of an FMU.
pub fn describe(
    version: Version,
    name: &str,
    identifier: &str,
    token: &str,
    interface: &Interface,
    settings: &SimulationDescription,
) -> String {
    match version {
        Version::Two => describe_two(name, identifier, token, interface, settings),
        Version::Three => describe_three(name, identifier, token, interface, settings),
    }
}

fn text(words: &str) -> String {
    words.to_owned()
}

fn number(value: f64) -> String {
    format!("{value:?}")
}

/// Start, stop and step of the file's run.
fn experiment(xml: &mut Xml, settings: &SimulationDescription) {
    let step = match settings.method {
        MethodDescription::Rk4 { step }
        | MethodDescription::Implicit { step, .. }
        | MethodDescription::Global { step }
        | MethodDescription::EnergyMomentum { step, .. } => settings.output_interval.max(step),
        _ => settings.output_interval,
    };
    let mut attributes = vec![("startTime", number(settings.start)), ("stopTime", number(settings.end))];
    if step > 0.0 {
        attributes.push(("stepSize", number(step)));
    }
    xml.leaf("DefaultExperiment", &attributes);
}

fn units(xml: &mut Xml, interface: &Interface) {
    let used: Vec<&(&str, [i32; 4])> = UNITS
        .iter()
        .filter(|(unit, _)| interface.variables.iter().any(|variable| variable.unit == *unit))
        .collect();
    if used.is_empty() {
        return;
    }
    xml.open("UnitDefinitions", &[]);
    for (unit, exponents) in used {
        xml.open("Unit", &[("name", text(unit))]);
        let base = ["kg", "m", "s", "rad"].into_iter().zip(exponents);
        let base: Vec<(&str, String)> =
            base.filter(|(_, power)| **power != 0).map(|(name, power)| (name, power.to_string())).collect();
        xml.leaf("BaseUnit", &base);
        xml.close();
    }
    xml.close();
}

/// The unit of a variable, where the description defines it.
fn unit_of(variable: &Variable) -> Option<(&'static str, String)> {
    UNITS.iter().any(|(unit, _)| *unit == variable.unit).then(|| ("unit", variable.unit.clone()))
}

fn describe_two(
    name: &str,
    identifier: &str,
    token: &str,
    interface: &Interface,
    settings: &SimulationDescription,
) -> String {
    let mut xml = Xml::new();
    let head = [
        ("fmiVersion", text("2.0")),
        ("modelName", text(name)),
        ("guid", text(token)),
        ("generationTool", format!("Flexura {}", env!("CARGO_PKG_VERSION"))),
        ("variableNamingConvention", text("flat")),
        ("numberOfEventIndicators", interface.events.len().to_string()),
    ];
    xml.open("fmiModelDescription", &head);
    let state = [("canGetAndSetFMUstate", text("true")), ("canSerializeFMUstate", text("true"))];
    if interface.states > 0 {
        let own = [("modelIdentifier", text(identifier)), ("providesDirectionalDerivative", text("true"))];
        xml.leaf("ModelExchange", &[&own[..], &state[..]].concat());
    }
    let own =
        [("modelIdentifier", text(identifier)), ("canHandleVariableCommunicationStepSize", text("true"))];
    xml.leaf("CoSimulation", &[&own[..], &state[..]].concat());
    units(&mut xml, interface);
    xml.open("LogCategories", &[]);
    xml.leaf("Category", &[("name", text("logStatusError"))]);
    xml.leaf("Category", &[("name", text("logStatusWarning"))]);
    xml.close();
    experiment(&mut xml, settings);
    xml.open("ModelVariables", &[]);
    let first_state = interface.first_state();
    for (reference, variable) in interface.variables.iter().enumerate() {
        let mut attributes = vec![("name", variable.name.clone()), ("valueReference", reference.to_string())];
        let (causality, variability, initial) = match variable.causality {
            Causality::Independent => ("independent", "continuous", ""),
            Causality::Input => ("input", "continuous", ""),
            Causality::Parameter => ("parameter", "fixed", "exact"),
            Causality::Output => ("output", "continuous", "calculated"),
            Causality::State | Causality::Derivative(_) | Causality::Indicator(_) => {
                ("local", "continuous", "calculated")
            }
        };
        attributes.extend([("causality", text(causality)), ("variability", text(variability))]);
        if !initial.is_empty() {
            attributes.push(("initial", text(initial)));
        }
        xml.open("ScalarVariable", &attributes);
        let mut own: Vec<(&str, String)> = unit_of(variable).into_iter().collect();
        own.extend(variable.nominal.map(|nominal| ("nominal", number(nominal))));
        own.extend(variable.start.map(|start| ("start", number(start))));
        if let Causality::Derivative(state) = variable.causality {
            own.push(("derivative", (first_state + state + 1).to_string()));
        }
        xml.leaf("Real", &own);
        xml.close();
    }
    xml.close();
    structure_two(&mut xml, interface);
    xml.finish()
}

/// Outputs, derivatives and what is computed at the start, by place (from one).
fn structure_two(xml: &mut Xml, interface: &Interface) {
    xml.open("ModelStructure", &[]);
    let places = |wanted: &dyn Fn(Causality) -> bool| -> Vec<usize> {
        let all = interface.variables.iter().enumerate();
        all.filter(|(_, variable)| wanted(variable.causality)).map(|(k, _)| k + 1).collect()
    };
    let outputs = places(&|kind| kind == Causality::Output);
    let derivatives = places(&|kind| matches!(kind, Causality::Derivative(_)));
    let states = places(&|kind| kind == Causality::State);
    for (tag, list) in [("Outputs", &outputs), ("Derivatives", &derivatives)] {
        if !list.is_empty() {
            xml.open(tag, &[]);
            list.iter().for_each(|place| xml.leaf("Unknown", &[("index", place.to_string())]));
            xml.close();
        }
    }
    let mut initial: Vec<usize> = [outputs, states, derivatives].concat();
    initial.sort_unstable();
    if !initial.is_empty() {
        xml.open("InitialUnknowns", &[]);
        initial.iter().for_each(|place| xml.leaf("Unknown", &[("index", place.to_string())]));
        xml.close();
    }
    xml.close();
}

fn describe_three(
    name: &str,
    identifier: &str,
    token: &str,
    interface: &Interface,
    settings: &SimulationDescription,
) -> String {
    let mut xml = Xml::new();
    let head = [
        ("fmiVersion", text("3.0")),
        ("modelName", text(name)),
        ("instantiationToken", text(token)),
        ("generationTool", format!("Flexura {}", env!("CARGO_PKG_VERSION"))),
        ("variableNamingConvention", text("flat")),
    ];
    xml.open("fmiModelDescription", &head);
    let state = [("canGetAndSetFMUState", text("true")), ("canSerializeFMUState", text("true"))];
    if interface.states > 0 {
        let own = [
            ("modelIdentifier", text(identifier)),
            ("providesDirectionalDerivatives", text("true")),
            ("providesAdjointDerivatives", text("true")),
        ];
        xml.leaf("ModelExchange", &[&own[..], &state[..]].concat());
    }
    let own =
        [("modelIdentifier", text(identifier)), ("canHandleVariableCommunicationStepSize", text("true"))];
    xml.leaf("CoSimulation", &[&own[..], &state[..]].concat());
    units(&mut xml, interface);
    xml.open("LogCategories", &[]);
    xml.leaf("Category", &[("name", text("logStatusError"))]);
    xml.leaf("Category", &[("name", text("logStatusWarning"))]);
    xml.close();
    experiment(&mut xml, settings);
    xml.open("ModelVariables", &[]);
    let first_state = interface.first_state();
    for (reference, variable) in interface.variables.iter().enumerate() {
        let (causality, variability) = match variable.causality {
            Causality::Independent => ("independent", "continuous"),
            Causality::Input => ("input", "continuous"),
            Causality::Parameter => ("parameter", "fixed"),
            Causality::Output => ("output", "continuous"),
            Causality::State | Causality::Derivative(_) | Causality::Indicator(_) => ("local", "continuous"),
        };
        let mut own = vec![
            ("name", variable.name.clone()),
            ("valueReference", reference.to_string()),
            ("causality", text(causality)),
            ("variability", text(variability)),
        ];
        let computed = Causality::Output == variable.causality || causality == "local";
        if computed {
            own.push(("initial", text("calculated")));
        }
        own.extend(unit_of(variable));
        own.extend(variable.nominal.map(|nominal| ("nominal", number(nominal))));
        own.extend(variable.start.map(|start| ("start", number(start))));
        if let Causality::Derivative(state) = variable.causality {
            own.push(("derivative", (first_state + state).to_string()));
        }
        xml.leaf("Float64", &own);
    }
    xml.close();
    xml.open("ModelStructure", &[]);
    let lists =
        [("Output", 0), ("ContinuousStateDerivative", 1), ("InitialUnknown", 2), ("EventIndicator", 3)];
    for (tag, wanted) in lists {
        for (reference, variable) in interface.variables.iter().enumerate() {
            let fits = match variable.causality {
                Causality::Output => wanted == 0 || wanted == 2,
                Causality::Derivative(_) => wanted == 1 || wanted == 2,
                Causality::State => wanted == 2,
                Causality::Indicator(_) => wanted == 3,
                _ => false,
            };
            if fits {
                xml.leaf(tag, &[("valueReference", reference.to_string())]);
            }
        }
    }
    xml.finish()
}
