"""Gains and norms of linear systems by SciPy: sampling, regulator, Kalman filter, H-infinity norm.

A linear system of ``flexura.linearize`` is all they need; ``arm_lqg.py`` uses them for the flexible arm. Sources: Anderson and Moore,
*Optimal Control: Linear Quadratic Methods* (regulator, filter); Bruinsma and Steinbuch, Systems & Control Letters 14 (1990) 287-293 (norm).
Costs: O(n³) for n states, the norm some ten times that of eigenvalues of 2n rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm, solve_discrete_are

Floats = NDArray[np.float64]
System = tuple[Floats, Floats, Floats, Floats]
"""A, B, C, D."""


def sampled(a: Floats, b: Floats, step: float) -> tuple[Floats, Floats]:
    """x(k+1) = Φ x(k) + Γ u(k) of x' = A x + B u with inputs held over a step: exact at the samples."""
    states, inputs = b.shape
    both = expm(step * np.block([[a, b], [np.zeros((inputs, states + inputs))]]))
    return both[:states, :states], both[:states, states:]


def regulator(a: Floats, b: Floats, q: Floats, r: Floats) -> tuple[Floats, Floats]:
    """Gains K of u = −K x with the least Σ xᵀQx + uᵀRu of a sampled system, and X: the least cost is x₀ᵀX x₀."""
    x = solve_discrete_are(a, b, q, r)
    return np.linalg.solve(r + b.T @ x @ b, b.T @ x @ a), x


def kalman(a: Floats, c: Floats, w: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Gains L of the predictor x̂(k+1) = A x̂ + B u + L (y − C x̂), and covariance P of its error.

    ``w`` and ``v`` are the covariances of what moves the states and of the noise of y, from sample to sample.
    """
    p = solve_discrete_are(a.T, c.T, w, v)
    return a @ p @ c.T @ np.linalg.inv(c @ p @ c.T + v), p


def gains(system: System, frequencies: Floats) -> Floats:
    """Largest singular value of C (iω − A)⁻¹ B + D at each ω."""
    a, b, c, d = system
    unit = np.eye(len(a))
    return np.array([np.linalg.norm(c @ np.linalg.solve(1j * w * unit - a, b) + d, 2) for w in frequencies])


def h_infinity_norm(system: System, tolerance: float = 1e-9) -> tuple[float, float]:
    """Largest gain of a stable system over all frequencies, and the ω where it is.

    By the bounded-real lemma γ is passed by no gain where the Hamiltonian matrix of γ has no imaginary eigenvalues; where it has, they are
    the frequencies at which a gain equals γ, and between two of them lies a larger one. A grid of frequencies would miss sharp peaks.
    """
    a, _, _, d = system
    poles = np.linalg.eigvals(a)
    if poles.real.max() >= 0.0:
        raise ValueError(f"the norm is infinite: the system has a pole with real part {poles.real.max():.3g}")
    found, at = float(np.linalg.norm(d, 2)), np.inf
    frequencies: Floats = np.abs(np.append(poles, 0.0))
    while frequencies.size:
        values = gains(system, frequencies)
        if values.max() <= (1.0 + tolerance) * found:
            break
        found, at = float(values.max()), float(frequencies[values.argmax()])
        crossings = _crossings(system, (1.0 + 2.0 * tolerance) * found)
        frequencies = np.concatenate([crossings, (crossings[1:] + crossings[:-1]) / 2.0])
    return found, at


def _crossings(system: System, level: float) -> Floats:
    """Frequencies at which a singular value is ``level``: imaginary eigenvalues of the Hamiltonian matrix."""
    a, b, c, d = system
    r = level**2 * np.eye(d.shape[1]) - d.T @ d
    inner = a + b @ np.linalg.solve(r, d.T @ c)
    upper = b @ np.linalg.solve(r, b.T)
    lower = c.T @ (np.eye(len(d)) + d @ np.linalg.solve(r, d.T)) @ c
    values = np.linalg.eigvals(np.block([[inner, upper], [-lower, -inner.T]]))
    # Rounding gives imaginary ones a real part, the larger the closer two of them are: one too many costs an evaluation, one missed the peak.
    return np.sort(values[(values.imag > 0.0) & (np.abs(values.real) < 0.01 * values.imag)].imag)


def as_continuous(system: System) -> System:
    """The continuous system with the gains of a sampled one, by z = (1 + s) / (1 − s): ω is tan(angle of z / 2)."""
    a, b, c, d = system
    m = np.linalg.inv(np.eye(len(a)) + a)
    return m @ (a - np.eye(len(a))), np.sqrt(2.0) * m @ b, np.sqrt(2.0) * c @ m, d - c @ m @ b
