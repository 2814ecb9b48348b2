"""Runs inside JAX: derivatives, batches, single precision, mistakes."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

import flexura
import flexura.jax
from places import MODELS


@pytest.fixture(autouse=True)
def _doubles() -> object:
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


@pytest.fixture(scope="module")
def run() -> flexura.DifferentiableRun:
    model = flexura.load(MODELS / "pendulum.toml", simulation={"method": "rk4", "step": 2e-3})
    return flexura.DifferentiableRun(
        model, ["hinge.angle", "hinge.rate"], parameters=["rod.mass", "model.gravity.3"], inputs=["hinge.effort"], times=[0.1, 0.2, 0.4]
    )


def loss(rows: jax.Array) -> jax.Array:
    return (jnp.sin(rows[..., 0]) * rows[..., 1]).sum() + (rows[..., -1, 1] ** 2).sum()


def test_chains_are_those_of_jax(run: flexura.DifferentiableRun) -> None:
    rows = flexura.jax.rows(run)
    parameters, inputs = jnp.array([1.2, -9.0]), jnp.array([[0.3], [-0.2], [0.5]])
    state = (jnp.array([0.4]), jnp.array([-0.7]))

    # Whatever stands before and behind the run is JAX's own.
    def total(parameters: jax.Array, inputs: jax.Array, state: tuple[jax.Array, jax.Array]) -> jax.Array:
        return loss(rows(parameters**2, jnp.tanh(inputs), state))

    check_grads(total, (parameters, inputs, state), order=1, modes=["rev"], eps=1e-5, rtol=1e-6)
    value, slopes = jax.jit(jax.value_and_grad(total, argnums=(0, 1, 2)))(parameters, inputs, state)
    plain, same = jax.value_and_grad(total, argnums=(0, 1, 2))(parameters, inputs, state)
    assert abs(value - plain) < 1e-14 * abs(plain)
    assert jax.tree.all(jax.tree.map(lambda a, b: bool((jnp.abs(a - b) < 1e-13 * jnp.abs(b)).all()), slopes, same))


def test_vmap_has_the_bits_of_single_runs(run: flexura.DifferentiableRun) -> None:
    rows = flexura.jax.rows(run)
    parameters, inputs = jnp.array([[1.0, -9.0], [2.0, -9.5], [3.0, -9.8]]), jnp.array([[0.3], [-0.2], [0.5]])
    one = jax.value_and_grad(lambda parameters, inputs: loss(rows(parameters, inputs)), argnums=(0, 1))
    values, (slopes, over_inputs) = jax.vmap(one, in_axes=(0, None))(parameters, inputs)
    for place in range(3):
        value, (slope, over_input) = one(parameters[place], inputs)
        assert value == values[place] and np.array_equal(slope, slopes[place]) and np.array_equal(over_input, over_inputs[place])
    # Cases of one argument beside a vmap over another.
    several = jnp.stack([inputs, 2.0 * inputs])
    table = jax.vmap(lambda parameters: rows(parameters, several))(parameters)
    assert table.shape[:2] == (3, 2) and np.array_equal(table[1, 0], rows(parameters[1], inputs))
    # Leading axes are cases too, and what they share gathers what all of them say.
    whole = jax.grad(lambda inputs: loss(rows(parameters, inputs)))(inputs)
    assert np.allclose(whole, over_inputs.sum(axis=0), rtol=1e-13)


def test_single_precision_comes_and_goes(run: flexura.DifferentiableRun) -> None:
    jax.config.update("jax_enable_x64", False)
    rows = flexura.jax.rows(run)
    found = jax.grad(lambda inputs: loss(rows(inputs=inputs)))(jnp.zeros((3, 1)))
    assert found.dtype == np.float32 and rows().dtype == np.float32
    jax.config.update("jax_enable_x64", True)
    exact = jax.grad(lambda inputs: loss(rows(inputs=inputs)))(jnp.zeros((3, 1)))
    assert np.allclose(found, exact, rtol=1e-5)


def test_what_cannot_be_is_refused(run: flexura.DifferentiableRun) -> None:
    rows = flexura.jax.rows(run)
    with pytest.raises(Exception, match="its last axes must be"):
        rows(inputs=jnp.zeros((4, 1)))
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jvp(lambda inputs: rows(inputs=inputs), (jnp.zeros((3, 1)),), (jnp.ones((3, 1)),))
    with pytest.raises(Exception, match="Pure callbacks do not support"):
        jax.hessian(lambda inputs: loss(rows(inputs=inputs)))(jnp.zeros((3, 1)))
