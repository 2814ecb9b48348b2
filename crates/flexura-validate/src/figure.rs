//! Figures as data: what is drawn, not how.

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A full line: our result.
    Line,
    /// A broken line: another of our results.
    Broken,
    /// Points: a reference.
    Points,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Abscissae.
    pub x: Vec<f64>,
    /// Ordinates.
    pub y: Vec<f64>,
    /// Look.
    pub look: Look,
}

impl Curve {
    /// A full line.
    pub fn line(name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        Self { name: name.into(), x: x.to_vec(), y: y.to_vec(), look: Look::Line }
    }

    /// A broken line.
    pub fn broken(name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        Self { look: Look::Broken, ..Self::line(name, x, y) }
    }

    /// Points of a reference.
    pub fn points(name: impl Into<String>, x: &[f64], y: &[f64]) -> Self {
        Self { look: Look::Points, ..Self::line(name, x, y) }
    }
}

/// Curves on common axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Label of the abscissa, with its unit in square brackets.
    pub x_label: String,
    /// Label of the ordinate.
    pub y_label: String,
    /// Unit of the ordinate.
    pub unit: String,
    /// Whether the ordinate is logarithmic.
    pub logarithmic: bool,
    /// Whether the abscissa runs in one direction: time or an angle, not a path in a plane.
    pub rising: bool,
    /// The curves.
    pub curves: Vec<Curve>,
}

impl Panel {
    /// Curves over time.
    pub fn over_time(y_label: &str, unit: &str, curves: Vec<Curve>) -> Self {
        Self::new("time [s]", y_label, unit, curves)
    }

    /// Curves over a rising abscissa.
    pub fn new(x_label: &str, y_label: &str, unit: &str, curves: Vec<Curve>) -> Self {
        let [x_label, y_label, unit] = [x_label, y_label, unit].map(String::from);
        Self { x_label, y_label, unit, logarithmic: false, rising: true, curves }
    }

    /// With a logarithmic ordinate.
    pub fn logarithmic(self) -> Self {
        Self { logarithmic: true, ..self }
    }

    /// A path in a plane.
    pub fn path(self) -> Self {
        Self { rising: false, ..self }
    }
}

/// Panels one below the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What is seen, and in which figure of the source to look.
    pub caption: String,
    /// Panels from top to bottom.
    pub panels: Vec<Panel>,
}

impl Figure {
    /// A figure.
    pub fn new(caption: impl Into<String>, panels: Vec<Panel>) -> Self {
        Self { caption: caption.into(), panels }
    }
}
