"""Runs inside JAX: ``pip install flexura jax``.

>>> import flexura, flexura.jax, jax, jax.numpy as jnp
>>> jax.config.update("jax_enable_x64", True)
>>> model = flexura.load("models/pendulum.toml")
>>> run = flexura.DifferentiableRun(model, ["hinge.angle"], parameters=["rod.mass"], inputs=["hinge.effort"], end=0.5)
>>> rows = flexura.jax.rows(run)
>>> def misses(effort):
...     return (rows(inputs=effort)[-1, 0] - 3.0) ** 2
>>> slope = jax.jit(jax.grad(misses))(jnp.zeros((run.intervals, 1)))
>>> slope.shape, bool((slope < 0).all())
((50, 1), True)

``jit``, ``grad``, ``vjp`` and ``vmap`` work; ``vmap`` runs its cases on all cores. Derivatives go backwards only: ``jvp`` and second
derivatives are refused. JAX computes in single precision unless ``jax_enable_x64`` is set: then numbers come and go as doubles.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

import jax
import jax.numpy as jnp
import numpy as np

from ._gradient import DifferentiableRun

__all__ = ["rows"]

Arguments = Dict[str, jax.Array]
_OWN_AXES = {"parameters": 1, "inputs": 2, "q": 1, "v": 1}
"""Last axes of an argument that are not cases."""


def rows(run: DifferentiableRun) -> Callable[..., jax.Array]:
    """``f(parameters=None, inputs=None, state=None)``: rows (…, row, channel) as JAX differentiates them.

    ``parameters`` are (…, parameter), ``inputs`` (…, interval, input), ``state`` is (q, v) with (…, coordinate) and (…, speed).
    Leading axes are cases; they are broadcast against each other.
    """
    number = jnp.result_type(float)

    def lead_of(given: Arguments) -> tuple[int, ...]:
        return np.broadcast_shapes(*(part.shape[: part.ndim - _OWN_AXES[name]] for name, part in given.items()))

    def forward(given: Arguments) -> jax.Array:
        answer = _shape((*lead_of(given), len(run.time), len(run.channels)), number)
        found: jax.Array = jax.pure_callback(
            lambda parts: run.rows(*_call(parts)).astype(number), answer, given, vmap_method="expand_dims"
        )
        return found

    def backward(given: Arguments, weights: jax.Array) -> tuple[Arguments]:
        lead = lead_of(given)
        shapes = {name: (*lead, *part.shape[part.ndim - _OWN_AXES[name] :]) for name, part in given.items()}
        answer = {name: _shape(shape, number) for name, shape in shapes.items()}

        def host(weights: Any, parts: Any) -> dict[str, Any]:
            found = run.pull_back(weights, *_call(parts))
            return {name: getattr(found, name).astype(number) for name in parts}

        found = jax.pure_callback(host, answer, weights, given, vmap_method="expand_dims")
        # What was spread over cases gathers the derivatives of all of them.
        return ({name: _gathered(found[name], part) for name, part in given.items()},)

    call = jax.custom_vjp(forward)
    call.defvjp(lambda given: (forward(given), given), backward)

    def f(parameters: Any = None, inputs: Any = None, state: Any = None) -> jax.Array:
        q, v = (None, None) if state is None else state
        parts = {"parameters": parameters, "inputs": inputs, "q": q, "v": v}
        given = {name: jnp.asarray(part, number) for name, part in parts.items() if part is not None}
        # `vmap` puts its axis in front of all others: arguments with fewer cases get axes for them first.
        cases = max((part.ndim - _OWN_AXES[name] for name, part in given.items()), default=0)
        return call({name: _padded(part, cases + _OWN_AXES[name]) for name, part in given.items()})

    return f


def _shape(shape: tuple[int, ...], number: Any) -> Any:
    return jax.ShapeDtypeStruct(shape, number)  # type: ignore[no-untyped-call]


def _padded(part: jax.Array, axes: int) -> jax.Array:
    return part.reshape((1,) * (axes - part.ndim) + part.shape)


def _call(parts: Any) -> tuple[Any, Any, Any]:
    """Parameters, inputs and state of what was given."""
    state = (parts["q"], parts["v"]) if "q" in parts else None
    return parts.get("parameters"), parts.get("inputs"), state


def _gathered(found: jax.Array, argument: jax.Array) -> jax.Array:
    """The sum over the axes that `argument` was spread along."""
    extra = found.ndim - argument.ndim
    found = found.sum(axis=tuple(range(extra)))
    along = tuple(axis for axis, length in enumerate(argument.shape) if length == 1 and found.shape[axis] != 1)
    return found.sum(axis=along, keepdims=True) if along else found
