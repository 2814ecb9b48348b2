//! Figures: what is on them and where.

use crate::common::{Folder, block_on_spring, has};

/// A block that swings as 0.1 cos(2 pi t): displacement, rate and energies are known.
fn swing(folder: &Folder) -> &'static str {
    let tail = "[simulation]\nend = 4.0\n";
    folder.write("block.toml", &block_on_spring("39.47841760435743", tail));
    folder.succeed(&["run", "block.toml", "-q"]);
    "block.fxr"
}

fn figure(folder: &Folder, arguments: &[&str]) -> String {
    let all: Vec<&str> = [&["plot"], arguments, &["--output", "figure.svg"]].concat();
    folder.succeed(&all);
    std::fs::read_to_string(folder.file("figure.svg")).expect("a figure")
}

/// Points of every curve, px.
fn curves(svg: &str) -> Vec<Vec<(f64, f64)>> {
    let parts = svg.split("<polyline points=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let point =
        |pair: &str| pair.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap();
    parts.map(|list| list.split(' ').map(point).collect()).collect()
}

/// Places of the horizontal grid lines, and their labels.
fn ticks(svg: &str) -> Vec<(f64, f64)> {
    let lines = svg.lines().filter(|line| line.contains("text-anchor=\"end\""));
    let place = |line: &str| line.split("y=\"").nth(1)?.split('"').next()?.parse::<f64>().ok();
    let label = |line: &str| line.split('>').nth(1)?.split('<').next()?.replace('−', "-").parse::<f64>().ok();
    // Labels stand four px below their line.
    lines.map(|line| (label(line).expect("a number"), place(line).expect("a place") - 4.0)).collect()
}

#[test]
fn a_curve_runs_through_the_values_its_ticks_name() {
    let folder = Folder::new();
    let file = swing(&folder);
    let svg = figure(&folder, &[file, "rail.displacement"]);
    has(&svg, &[">rail.displacement [m]<", ">time [s]<"]);
    let curves = curves(&svg);
    assert_eq!(curves.len(), 1);
    let ticks = ticks(&svg);
    let value = |y: f64| {
        let ((v0, y0), (v1, y1)) = (ticks[0], ticks[ticks.len() - 1]);
        v0 + (y - y0) * (v1 - v0) / (y1 - y0)
    };
    let (first, last) = (curves[0][0], *curves[0].last().expect("points"));
    assert!(curves[0].len() > 100);
    for (x, y) in &curves[0] {
        let time = 4.0 * (x - first.0) / (last.0 - first.0);
        let expected = 0.1 * (2.0 * std::f64::consts::PI * time).cos();
        // A tenth of a px of the axis is 0.0001 m, and a hundredth of time moves the curve by 0.0003 m.
        assert!((value(*y) - expected).abs() < 5e-4, "at {time} s: {} instead of {expected}", value(*y));
    }
}

#[test]
fn channels_of_one_unit_share_a_panel() {
    let folder = Folder::new();
    let file = swing(&folder);
    let svg = figure(&folder, &[file, "energy.kinetic", "energy.springs", "rail.displacement"]);
    has(&svg, &[">energy [J]<", ">energy.kinetic<", ">energy.springs<", ">rail.displacement [m]<"]);
    let frames = |svg: &str| svg.matches("stroke=\"#444\"").count();
    assert_eq!((frames(&svg), curves(&svg).len(), svg.matches(">time [s]<").count()), (2, 3, 1));
    let apart =
        figure(&folder, &[file, "energy.kinetic", "energy.springs", "--separate", "--title", "A & B"]);
    assert_eq!(frames(&apart), 2);
    has(&apart, &["A &amp; B"]);
}

#[test]
fn results_and_reference_data_are_drawn_over_each_other() {
    let folder = Folder::new();
    let file = swing(&folder);
    folder.succeed(&["run", "block.toml", "-q", "--end", "1", "--output", "other.fxr"]);
    folder.write(
        "paper.csv",
        "# measured\ntime [s], rail.displacement [m], unused\n0, 0.1, 1\n0.5, -0.1, 2\n1, 0.1, 3\n",
    );
    let svg = figure(
        &folder,
        &[
            file,
            "rail.displacement",
            "--with",
            "other.fxr",
            "--reference",
            "paper.csv",
            "--from",
            "0",
            "--to",
            "1",
        ],
    );
    has(&svg, &[">block<", ">other<", ">paper<", "stroke-dasharray=\"7 4\""]);
    // Three points and the one in the legend.
    assert_eq!((curves(&svg).len(), svg.matches("<circle").count()), (2, 4));
    let wrong = folder.write("wrong.csv", "1, 2\n3, 4\n");
    let text = folder.fail(5, &["plot", file, "rail.*", "--reference", &wrong.display().to_string()]);
    has(&text, &["the first line must name the columns"]);
    folder.write("letters.csv", "time, rail.displacement\n0, 1\n1, x\n");
    has(
        &folder.fail(5, &["plot", file, "rail.*", "--reference", "letters.csv"]),
        &["line 3: ` x` is no number"],
    );
}

#[test]
fn spectrum_and_phase() {
    let folder = Folder::new();
    let file = swing(&folder);
    let svg = figure(&folder, &[file, "rail.displacement", "--spectrum"]);
    has(&svg, &[">frequency [Hz]<"]);
    let curve = &curves(&svg)[0];
    let top = curve.iter().fold(curve[0], |best, &point| if point.1 < best.1 { point } else { best });
    // Rows every 0.01 s show up to 50 Hz over 550 px; the peak is at 1 Hz.
    assert!((top.0 - 74.0 - 550.0 * (1.0 - 0.25) / (50.0 - 0.25)).abs() < 1.0, "{top:?}");
    let circle = figure(&folder, &[file, "rail.displacement", "rail.speed", "--phase"]);
    has(&circle, &[">rail.displacement [m]<", ">rail.speed [m/s]<"]);
    has(&folder.fail(2, &["plot", file, "rail.displacement", "--phase"]), &["needs two channels, 1"]);
}

#[test]
fn png_has_the_size_asked_for_and_letters() {
    let folder = Folder::new();
    let file = swing(&folder);
    folder
        .succeed(&["plot", file, "energy.*", "-o", "a.png", "-o", "a.svg", "--width", "500", "--scale", "2"]);
    let bytes = std::fs::read(folder.file("a.png")).expect("a picture");
    assert_eq!(&bytes[1..4], b"PNG");
    assert_eq!(u32::from_be_bytes(bytes[16..20].try_into().expect("four bytes")), 1000);
    // Without its font a figure would lose all labels, and most of its bytes.
    assert!(bytes.len() > 20_000, "{} bytes", bytes.len());
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new();
    let file = swing(&folder);
    has(
        &folder.fail(2, &["plot", file, "rail.displacment"]),
        &["did you mean `rail.displacement`", "--list"],
    );
    has(&folder.fail(2, &["plot", file, "rail.*", "-o", "x.pdf"]), &[".svg or .png"]);
    has(&folder.fail(2, &["plot", file, "*", "--separate"]), &["name fewer channels"]);
    has(&folder.fail(2, &["plot", file, "rail.speed", "--from", "9"]), &["no rows between"]);
}
