"""A controller that is an FMU: here one of ours, a mass on a spring that filters the error of an arm's angle.

    FLEXURA_FMU_LIBRARY=target/debug/libflexura_fmu.so python python/examples/fmu_controller.py

A controller of another program takes its place: ``type = "fmu"`` asks for a co-simulation FMU only.
"""

from __future__ import annotations

import pathlib
import tempfile
from typing import Any

import flexura

# x = F / (m s² + c s + k): a second-order filter of the force, with the gain 1/k = 40 N m/rad and 20 Hz.
FILTER = """
[model]
gravity = [0, 0, 0]
[[body]]
name = "weight"
mass = 1.5831e-6
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground.origin", "weight.origin"]
axis = [1, 0, 0]
stiffness = 0.025
damping = 2.8e-4
[simulation]
end = 1.0
method = "rk4"
step = 0.0005
output_interval = 0.001
"""


def filter_fmu(folder: pathlib.Path, version: int = 3) -> pathlib.Path:
    """Writes the filter as an FMU: force in, displacement out."""
    model, fmu = folder / "filter.toml", folder / "filter.fmu"
    model.write_text(FILTER, encoding="utf-8")
    flexura.export_fmu(model, fmu, version=version, inputs=["rail.effort"], outputs=["rail.displacement"])
    return fmu


def arm(law: dict[str, Any], folder: pathlib.Path) -> flexura.Model:
    """A hub with a flexible arm, whose angle is brought to 0.5 rad by a law on the error."""
    builder = flexura.ModelBuilder("arm", gravity=[0, 0, 0])
    builder.rigid("hub", 1.0, [0.05, 0.05, 0.08])
    builder.beam(
        "arm",
        length=1.0,
        density=2700,
        young=70e9,
        poisson=0.33,
        section={"rectangle": [0.004, 0.03]},
        boundary="clamped-free",
        bending_y=2,
        damping={"ratios": [0.01, 0.01]},
    )
    builder.revolute("motor", "ground.origin", "hub.origin", damping=3.0)
    builder.weld("clamp", "hub.origin", "arm.origin")
    builder.controller(
        "servo", sensors=["motor.angle"], actuators=["motor.effort"], reference=0.5, sample_time=0.001, **law
    )
    builder.simulation(end=0.6, method="rk4", step=0.0005, output_interval=0.01)
    return builder.build(file_name=str(folder / "arm.toml"))


def main() -> None:
    """Runs the arm with the filter as an FMU."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        filter_fmu(folder)
        result = flexura.simulate(arm({"type": "fmu", "file": "filter.fmu"}, folder))
        print(f"angle after {result.time[-1]} s: {result['motor.angle'][-1]:.4f} rad")


if __name__ == "__main__":
    main()
