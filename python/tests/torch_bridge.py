"""Runs inside PyTorch: a program of its own, for the Python that has PyTorch (test_torch.py starts it).

PyTorch's wheels for Linux on PyPI bring gigabytes for GPUs, so that it is not in the environment of the other tests.
"""

from __future__ import annotations

import doctest
import pathlib

import numpy as np
import torch

import flexura
import flexura.torch

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"


def loss(rows: torch.Tensor) -> torch.Tensor:
    return (torch.sin(rows[..., 0]) * rows[..., 1]).sum() + (rows[..., -1, 1] ** 2).sum()


def doubles(*numbers: object) -> torch.Tensor:
    return torch.tensor(numbers, dtype=torch.float64, requires_grad=True)


def test_chains_are_those_of_torch(run: flexura.DifferentiableRun) -> None:
    rows = flexura.torch.rows(run)

    def total(parameters: torch.Tensor, inputs: torch.Tensor, q: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return loss(rows(parameters**2, torch.tanh(inputs), (q, v)))

    given = (doubles(1.2, -3.1), doubles([0.3], [-0.2], [0.5]), doubles(0.4), doubles(-0.7))
    # Central differences of doubles: good to some 1e-7 of values around ten.
    assert torch.autograd.gradcheck(total, given, eps=1e-5, atol=1e-5, rtol=1e-6)


def test_leading_axes_are_cases(run: flexura.DifferentiableRun) -> None:
    rows = flexura.torch.rows(run)
    parameters, inputs = doubles([1.0, -9.0], [2.0, -9.5], [3.0, -9.8]), doubles([0.3], [-0.2], [0.5])
    together = rows(parameters, inputs)
    loss(together).backward()
    sums = torch.zeros_like(inputs)
    for place in range(3):
        one, shared = parameters.detach()[place].requires_grad_(), inputs.detach().clone().requires_grad_()
        alone = rows(one, shared)
        loss(alone).backward()
        assert torch.equal(alone, together[place]) and torch.equal(one.grad, parameters.grad[place])
        sums += shared.grad
    assert torch.allclose(inputs.grad, sums, rtol=1e-13)


def test_types_come_back(run: flexura.DifferentiableRun) -> None:
    rows = flexura.torch.rows(run)
    inputs = torch.zeros(3, 1, dtype=torch.float32, requires_grad=True)
    assert rows().dtype == torch.float64 and rows([1.0, -9.81]).shape == (3, 2)
    loss(rows(inputs=inputs)).backward()
    assert inputs.grad.dtype == torch.float32
    exact = run.pull_back(np.ones((3, 2)), inputs=np.zeros((3, 1))).inputs
    again = torch.zeros(3, 1, dtype=torch.float32, requires_grad=True)
    rows(inputs=again).sum().backward()
    assert np.allclose(again.grad.tolist(), exact, rtol=1e-6)


def test_an_optimiser_learns(run: flexura.DifferentiableRun) -> None:
    """An effort that swings the pendulum to a wanted angle, by PyTorch's own optimiser."""
    rows = flexura.torch.rows(run)
    inputs = torch.zeros(3, 1, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([inputs], line_search_fn="strong_wolfe", tolerance_change=1e-14, tolerance_grad=1e-12)

    def miss() -> torch.Tensor:
        optimiser.zero_grad()
        found = (rows(inputs=inputs)[-1, 0] - 0.5) ** 2
        found.backward()
        return found

    before = float(miss().detach())
    optimiser.step(miss)
    assert float(miss().detach()) < 1e-12 < 1e-3 < before


def test_what_cannot_be_is_refused(run: flexura.DifferentiableRun) -> None:
    rows = flexura.torch.rows(run)
    try:
        rows(inputs=torch.zeros(4, 1))
    except ValueError as fault:
        assert "its last axes must be" in str(fault)
    else:
        raise AssertionError("inputs of a wrong shape passed")
    inputs = torch.zeros(3, 1, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(loss(rows(inputs=inputs)), inputs, create_graph=True)
    try:
        slope.sum().backward()
    except RuntimeError as fault:
        assert "once_differentiable" in str(fault)
    else:
        raise AssertionError("a second derivative passed")


def main() -> None:
    model = flexura.load(MODELS / "pendulum.toml", simulation={"method": "rk4", "step": 2e-3})
    channels, parameters = ["hinge.angle", "hinge.rate"], ["rod.mass", "model.gravity.3"]
    run = flexura.DifferentiableRun(model, channels, parameters=parameters, inputs=["hinge.effort"], times=[0.1, 0.2, 0.4])
    tests = [test for name, test in globals().items() if name.startswith("test_")]
    for test in tests:
        test(run)
    examples = doctest.testmod(flexura.torch)
    assert examples.attempted > 0 and examples.failed == 0
    print(f"PyTorch {torch.__version__}, NumPy {np.__version__}: {len(tests)} tests and {examples.attempted} lines of examples passed")


if __name__ == "__main__":
    main()
