//! `flexura fit`: the shipped record, files that are written, mistakes.

use crate::common::{Folder, example, has};
use serde_json::Value;

fn shipped() -> [String; 2] {
    let model = example("fit/ringdown");
    let record = model.replace(".toml", ".csv");
    [model, record]
}

#[test]
fn the_shipped_record_gives_the_numbers_it_was_made_with() {
    let folder = Folder::new();
    let [model, record] = shipped();
    let parameters = "boom.young,boom.damping.ratios.1";
    let common = ["fit", &model, &record, "--parameters", parameters, "--time-offset", "0.1", "--bias", "-q"];
    let told = folder.succeed(&[&common[..], &["--json", "-o", "fitted.toml", "--plot", "fit.png"]].concat());
    let value: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(value["converged"], true);
    for (estimate, truth) in
        value["estimates"].as_array().expect("a list").iter().zip([70e9, 0.012, 0.0425, 0.0035])
    {
        let [low, high] = [0, 1].map(|k| estimate["interval"][k].as_f64().expect("a number"));
        assert!(low < truth && truth < high, "{estimate}");
        assert!((high - low) < 0.03 * truth, "{estimate}");
    }
    // Noise of 0.2 mm and steps of 0.5 mm.
    let left = value["residuals"][0].as_f64().expect("a number");
    assert!((left / (0.2e-3f64.powi(2) + 0.5e-3f64.powi(2) / 12.0).sqrt() - 1.0).abs() < 0.1, "{left}");
    assert!(std::fs::read(folder.file("fit.png")).expect("a figure").starts_with(b"\x89PNG"));
    // The file that is written is the model with these numbers: nothing is left to find.
    let again =
        ["fit", "fitted.toml", &record, "--parameters", "boom.young", "--time-offset", "0.1", "--bias", "-q"];
    let words = folder.succeed(&again);
    has(&words, &["boom.young", "95 % interval", "singular values", "central differences", "fitted_fit.svg"]);
    assert!(folder.file("fitted_fit.svg").exists());
}

#[test]
fn mistakes_of_a_fit_are_named() {
    let folder = Folder::new();
    let [model, record] = shipped();
    let young = ["--parameters", "boom.young"];
    let told = |code: i32, record: &str, more: &[&str]| {
        folder.fail(code, &[&["fit", &model, record, "-q"][..], more].concat())
    };
    let with = |more: &[&'static str]| [&young[..], more].concat();
    has(&told(2, &record, &["--parameters", "boom.yuong"]), &["boom.yuong"]);
    has(&told(2, &record, &["--parameters", "boom.poisson"]), &["`boom.poisson` has no influence"]);
    has(
        &told(2, &record, &with(&["--channels", "tip"])),
        &["no column `tip`; columns are boom.tip.position.y"],
    );
    has(
        &told(2, &record, &with(&["--channels", "boom.tip.position.y=boom.tip.y"])),
        &["no channel matches `boom.tip.y`"],
    );
    has(&told(2, &record, &with(&["--bounds", "boom.young=1:2"])), &["does not lie between"]);
    has(&told(2, &record, &with(&["--bounds", "boom.young"])), &["write PATH=LOW:HIGH"]);
    has(&told(5, &record, &with(&["--end", "1.0"])), &["the run from 0 s to 1 s"]);
    let bad = |name: &str, text: &str| folder.write(name, text).display().to_string();
    let nan = bad("nan.csv", "time [s],boom.tip.position.y [m]\n0.1,0.01\n0.2,NaN\n0.3,0\n0.4,0\n");
    has(&told(5, &nan, &young), &["row 2: `boom.tip.position.y` is NaN"]);
    let few = bad("few.csv", "time [s],boom.tip.position.y [m]\n0.1,0.01\n0.2,0\n");
    has(&told(5, &few, &young), &["too few"]);
    let other = bad("other.csv", "time [s],laser\n0.1,0.01\n0.2,0\n0.3,0\n0.4,0\n");
    has(&told(2, &other, &young), &["column `laser` is no channel", "--channels laser=CHANNEL"]);
    let unit = bad("unit.csv", "time [s],boom.tip.position.y [mm]\n0.1,0.01\n0.2,0\n0.3,0\n0.4,0\n");
    has(&told(2, &unit, &young), &["is in mm, the channel `boom.tip.position.y` in m"]);
}
