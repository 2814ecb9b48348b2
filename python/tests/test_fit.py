"""Fits from Python: records of several kinds, the fitted model, mistakes."""

import numpy as np
import pytest

import flexura
from places import MODELS

FIT = MODELS / "fit"
TIP = "boom.tip.position.y"


def shipped(**options: object) -> flexura.Fit:
    model = flexura.load(FIT / "ringdown.toml")
    parameters = ["boom.young", "boom.damping.ratios.1"]
    return flexura.fit(model, FIT / "ringdown.csv", parameters, time_offset=0.1, bias=True, **options)


def test_the_shipped_record_gives_the_numbers_it_was_made_with() -> None:
    found = shipped()
    truth = {"boom.young": 70e9, "boom.damping.ratios.1": 0.012, "time offset": 0.0425, f"{TIP} bias": 0.0035}
    assert list(found.estimates) == list(truth)
    for name, value in truth.items():
        assert value in found.estimates[name], found.estimates[name]
    assert list(found.parameters) == ["boom.young", "boom.damping.ratios.1"]
    assert found.converged and not found.unseen and found.derivatives == "central differences of runs"
    assert found.residuals[TIP] < 0.02 * found.residuals_before[TIP]
    assert found.model.parameters["body.boom.beam.young"] == found.parameters["boom.young"]
    # The curves are those of the fitted model, on its clock and with the bias.
    fine = flexura.simulate(found.model, channels=[TIP], output_interval=1e-3)
    shifted = found.time + found.estimates["time offset"].value
    curve = np.interp(shifted, fine.time, fine[TIP]) + found.estimates[f"{TIP} bias"].value
    assert np.abs(curve - found.fitted[TIP]).max() < 2e-5


def test_records_are_mappings_tables_and_files_with_other_names() -> None:
    pandas = pytest.importorskip("pandas")
    text = (MODELS / "pendulum.toml").read_text()
    truth = flexura.simulate(flexura.loads(text, set={"rod.mass": 1.0}, simulation={"end": 1.0}), channels=["hinge.angle"])
    model = flexura.loads(text.replace("9.81", "8.0"), simulation={"end": 1.0})
    record = {"time": truth.time, "encoder": truth["hinge.angle"]}
    by_mapping = flexura.fit(model, record, ["model.gravity.3"], {"encoder": "hinge.angle"})
    assert by_mapping.parameters["model.gravity.3"] == pytest.approx(-9.81, abs=1e-4)
    assert by_mapping.derivatives == "dual numbers"
    by_table = flexura.fit(model, pandas.DataFrame(record), "model.gravity.3", {"encoder": "hinge.angle"})
    assert by_table.parameters == by_mapping.parameters


def test_a_local_minimum_is_warned_of() -> None:
    model = flexura.load(FIT / "ringdown.toml", set={"boom.young": 20e9})
    with pytest.warns(flexura.ModelWarning, match="much of boom.tip.position.y is not explained"):
        found = flexura.fit(model, FIT / "ringdown.csv", ["boom.young"], bounds={"boom.young": (1e10, 3e10)})
    assert found.poor == [TIP]


def test_a_plot_has_points_and_lines() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = shipped().plot()
    assert len(figure.axes) == 1 and len(figure.axes[0].lines) == 2 and TIP in figure.axes[0].get_ylabel()


def test_mistakes_are_named() -> None:
    model = flexura.load(FIT / "ringdown.toml")
    times = np.linspace(0.0, 1.0, 20)
    good = {"time": times, TIP: 0.01 * np.cos(20 * times)}

    def refused(words: str, record: object = good, parameters: object = ("boom.young",), **options: object) -> None:
        with pytest.raises(ValueError, match=words):
            flexura.fit(model, record, parameters, **options)

    refused("no column `time`", {TIP: times})
    refused("no column `laser`; columns are time, boom", channels=["laser"])
    refused("no channel matches", channels={TIP: "boom.nothing"})
    refused("boom.yuong", parameters=["boom.yuong"])
    refused("no influence", parameters=["boom.poisson"])
    refused("row 4: .* is NaN", {**good, TIP: np.where(np.arange(20) == 3, np.nan, good[TIP])})
    refused("the run from 0 s to 3.2 s", {**good, "time": times + 3.0})
    refused("too few", {name: values[:3] for name, values in good.items()})
    refused("has the shape", {**good, TIP: times[:5]})
    refused("does not lie between", bounds={"boom.young": (1.0, 2.0)})
    refused("confidence", confidence=2.0)
    driven = flexura.load(MODELS / "controlled_arm.toml", controllers={"servo": lambda t, e, m: 0.0})
    with pytest.raises(ValueError, match="laws in Python"):
        flexura.fit(driven, {"time": times, "motor.angle": times}, ["arm.young"])
