"""Runs inside PyTorch: ``pip install flexura torch``.

>>> import flexura, flexura.torch, torch
>>> model = flexura.load("models/pendulum.toml")
>>> run = flexura.DifferentiableRun(model, ["hinge.angle"], parameters=["rod.mass"], inputs=["hinge.effort"], end=0.5)
>>> rows = flexura.torch.rows(run)
>>> effort = torch.zeros(run.intervals, 1, dtype=torch.float64, requires_grad=True)
>>> miss = (rows(inputs=effort)[-1, 0] - 3.0) ** 2
>>> miss.backward()
>>> effort.grad.shape, bool((effort.grad < 0).all())
(torch.Size([50, 1]), True)

Leading axes are cases, on all cores. Derivatives go backwards once: second derivatives are refused. Numbers are doubles whatever the tensors
hold; rows come as doubles, derivatives in the type and on the device of what was given. Tensors are handed over by DLPack.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from ._gradient import DifferentiableRun

__all__ = ["rows"]


def rows(run: DifferentiableRun) -> Callable[..., torch.Tensor]:
    """``f(parameters=None, inputs=None, state=None)``: rows (…, row, channel) as PyTorch differentiates them.

    ``parameters`` are (…, parameter), ``inputs`` (…, interval, input), ``state`` is (q, v) with (…, coordinate) and (…, speed).
    Leading axes are cases; they are broadcast against each other.
    """

    def f(parameters: Any = None, inputs: Any = None, state: Any = None) -> torch.Tensor:
        q, v = (None, None) if state is None else state
        found: torch.Tensor = _Rows.apply(run, *(_tensor(part) for part in (parameters, inputs, q, v)))
        return found

    return f


class _Rows(torch.autograd.Function):
    """Rows of a run; what is None is the model's own."""

    @staticmethod
    def forward(ctx: Any, run: DifferentiableRun, *given: torch.Tensor | None) -> torch.Tensor:
        ctx.run = run
        ctx.save_for_backward(*given)
        parameters, inputs, q, v = (_array(part) for part in given)
        return torch.from_dlpack(run.rows(parameters, inputs, None if q is None else (q, v)))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, weights: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        given = ctx.saved_tensors
        parameters, inputs, q, v = (_array(part) for part in given)
        found = ctx.run.pull_back(_array(weights), parameters, inputs, None if q is None else (q, v))
        pairs = zip(found, given)
        return (None, *(None if part is None else _gathered(slopes, part) for slopes, part in pairs))


def _tensor(given: Any) -> torch.Tensor | None:
    if given is None or isinstance(given, torch.Tensor):
        return given
    return torch.from_dlpack(np.array(given, dtype=np.float64))


def _array(tensor: torch.Tensor | None) -> Any:
    """The numbers as an array, without copying where that can be."""
    return None if tensor is None else np.from_dlpack(tensor.detach().to("cpu", torch.float64).contiguous())


def _gathered(found: Any, given: torch.Tensor) -> torch.Tensor:
    """The sum over the axes that `given` was spread along."""
    extra = found.ndim - given.ndim
    found = found.sum(axis=tuple(range(extra)))
    along = tuple(axis for axis, length in enumerate(given.shape) if length == 1 and found.shape[axis] != 1)
    gathered = found.sum(axis=along, keepdims=True)
    return torch.from_dlpack(np.array(gathered)).to(given.device, given.dtype)
