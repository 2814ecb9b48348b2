"""Flexible multibody dynamics: bodies that bend, joined by joints that turn as far as they like.

SI units throughout. Load a model, simulate, look:

>>> import flexura
>>> model = flexura.load("models/pendulum.toml")
>>> result = flexura.simulate(model, end=1.0)
>>> result["hinge.angle"].shape
(101,)

``result.plot("hinge.*")`` draws, ``result.view()`` moves, ``result.to_pandas()`` tabulates;
``model.accelerations(q, v)`` evaluates the equations of motion once.
"""

import sys as _sys

from . import _flexura, tasks
from ._analysis import (
    Equilibrium,
    LinearSystem,
    Modes,
    RotorModes,
    Sensitivity,
    frequency_response,
    linearize,
    modes,
    rotor_modes,
    sensitivity,
    static,
)
from ._ansys import import_ansys
from ._builder import ModelBuilder
from ._checkpoint import Checkpoint
from ._errors import Diagnostic, Interrupted, ModelError, ModelWarning, SimulationError
from ._exchange import ImportedRobot, export_body, export_fmu, export_result, import_robot
from ._exudyn import import_exudyn, read_exudyn
from ._exudyn_out import ExudynFile, export_exudyn
from ._fem import Reached, ReducedBody, reduce, reduce_matrices, reduce_mesh
from ._fit import Estimate, Fit, Unseen, fit
from ._flexura import Model, __version__
from ._gradient import DifferentiableRun, Gradient, Pulled, grad
from ._items import Body, Frame, FrameMotion, Joint
from ._model import PythonLaw, diagnostics, load, loads
from ._model import rebuild as _rebuild
from ._nastran import import_nastran
from ._result import Result, open_result
from ._run import rollout, simulate, stack
from ._simulator import FrameState, Pacing, SavedState, Simulator, step_all
from ._stress import BodyMesh, Fatigue, Stress, rainflow
from ._view import Page

__all__ = [
    "Body",
    "BodyMesh",
    "Checkpoint",
    "Diagnostic",
    "DifferentiableRun",
    "Equilibrium",
    "Estimate",
    "ExudynFile",
    "Fatigue",
    "Fit",
    "Frame",
    "FrameMotion",
    "FrameState",
    "Gradient",
    "ImportedRobot",
    "Interrupted",
    "Joint",
    "LinearSystem",
    "Model",
    "ModelBuilder",
    "ModelError",
    "ModelWarning",
    "Modes",
    "Pacing",
    "Page",
    "Pulled",
    "PythonLaw",
    "Reached",
    "ReducedBody",
    "Result",
    "RotorModes",
    "SavedState",
    "Sensitivity",
    "SimulationError",
    "Simulator",
    "Stress",
    "Unseen",
    "__version__",
    "_rebuild",
    "accelerations",
    "diagnostics",
    "equations",
    "export_body",
    "export_exudyn",
    "export_fmu",
    "export_result",
    "fit",
    "formulas",
    "frame_motion",
    "frequency_response",
    "grad",
    "import_ansys",
    "import_exudyn",
    "import_nastran",
    "import_robot",
    "inverse_dynamics",
    "inverse_mass_matrix",
    "inverse_motion",
    "jacobian",
    "linearize",
    "load",
    "loads",
    "log_determinant",
    "mass_matrix",
    "matrices",
    "modes",
    "open_result",
    "rainflow",
    "read_exudyn",
    "reduce",
    "reduce_matrices",
    "reduce_mesh",
    "retract",
    "rollout",
    "rotor_modes",
    "sensitivity",
    "simulate",
    "stack",
    "static",
    "step_all",
    "tasks",
]

_flexura.lives_in(_sys.executable or "python3", _flexura.__file__)

accelerations = Model.accelerations
equations = Model.equations
formulas = Model.formulas
frame_motion = Model.frame_motion
inverse_dynamics = Model.inverse_dynamics
inverse_mass_matrix = Model.inverse_mass_matrix
inverse_motion = Model.inverse_motion
jacobian = Model.jacobian
log_determinant = Model.log_determinant
mass_matrix = Model.mass_matrix
matrices = Model.matrices
retract = Model.retract
