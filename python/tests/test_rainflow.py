"""Rainflow counts beside two counts by other rules: four points at a time, and each maximum by itself.

The engine looks at the last three turning points and asks whether a range holds the first point (ASTM E1049-85, 5.4.4). The four-point rule
(Amzallag et al., International Journal of Fatigue 16, 1994) takes out what lies within both its neighbours, wherever it stands, and counts the rest in
halves. Rychlik's definition (International Journal of Fatigue 9, 1987) has no order at all: a maximum belongs to the higher of the two lowest points that
are met going left and right from it until the history is higher again.
"""

from __future__ import annotations

from collections import Counter
from typing import Sequence

import numpy as np
import pytest

import flexura

Counts = Counter[tuple[float, float]]
STANDARD = [-2, 1, -3, 5, -1, 3, -4, 4, -2]
"""The history of figure 6 of ASTM E1049-85."""


def turning(series: Sequence[float]) -> list[float]:
    """Both ends and what is above or below both its neighbours, without repetitions."""
    plain = [value for place, value in enumerate(series) if place == 0 or value != series[place - 1]]
    inner = [b for a, b, c in zip(plain, plain[1:], plain[2:]) if (b - a) * (c - b) < 0]
    return [plain[0], *inner, plain[-1]] if len(plain) > 1 else plain


def entry(counts: Counts, first: float, second: float, count: float) -> None:
    counts[abs(second - first), (first + second) / 2] += count  # type: ignore[assignment]


def by_four_points(series: Sequence[float]) -> Counts:
    """Whole cycles that lie within both neighbouring ranges are taken out until there are none; what stays are halves."""
    points, counts, at = turning(series), Counts(), 0
    while at + 3 < len(points):
        a, b, c, d = points[at : at + 4]
        if abs(b - c) <= min(abs(a - b), abs(c - d)):
            entry(counts, b, c, 1.0)
            del points[at + 1 : at + 3]
            at = max(at - 2, 0)
        else:
            at += 1
    for first, second in zip(points, points[1:]):
        entry(counts, first, second, 0.5)
    return counts


def by_maxima(series: Sequence[float]) -> Counts:
    """Of a history that begins and ends at its highest value: every other maximum with its minimum, and the largest range."""
    points, counts = turning(series), Counts()
    assert points[0] == points[-1] > max(points[1:-1])
    for place in range(2, len(points) - 2, 2):
        top, left, right = points[place], place, place
        # Of equal maxima the one before counts as higher: every valley between them has one owner.
        while points[left - 1] < top:
            left -= 1
        while points[right + 1] <= top:
            right += 1
        entry(counts, top, max(min(points[left : place + 1]), min(points[place : right + 1])), 1.0)
    entry(counts, points[0], min(points), 1.0)
    return counts


def by_flexura(series: Sequence[float]) -> Counts:
    counts = Counts()
    for size, mean, count in flexura.rainflow(np.asarray(series, dtype=float)):
        counts[size, mean] += count
    return counts


def test_the_example_of_the_standard() -> None:
    expected = {(3, -0.5): 0.5, (4, -1): 0.5, (4, 1): 1, (8, 1): 0.5, (9, 0.5): 0.5, (8, 0): 0.5, (6, 1): 0.5}
    assert by_four_points(STANDARD) == expected and by_flexura(STANDARD) == expected


@pytest.mark.parametrize("levels", [4, 16, 1000])
def test_random_histories_count_alike(levels: int) -> None:
    """Whole numbers, few levels with many equal ranges: every count exactly."""
    random = np.random.default_rng(levels)
    lengths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] * 30 + [100] * 20 + [3000]
    whole = halves = 0.0
    for length in lengths:
        series = random.integers(0, levels, length).astype(float)
        found, expected = by_flexura(series), by_four_points(series.tolist())
        assert found == expected, series.tolist()
        whole += sum(count for count in found.values() if count >= 1)
        halves += sum(count for count in found.values() if count == 0.5)
    assert whole > 1000 and halves > 100


def test_closed_histories_count_alike_by_their_maxima() -> None:
    """Histories that begin at their highest value have whole cycles alone; the halves of the largest range come in pairs."""
    random = np.random.default_rng(5)
    for levels in [5, 50, 10_000]:
        for length in [3, 10, 60] * 20 + [1000]:
            series = np.concatenate([[levels], random.integers(0, levels, length), [levels]]).astype(float)
            assert by_flexura(series) == by_maxima(series.tolist()) == by_four_points(series.tolist()), series.tolist()


def test_smooth_and_noisy_signals_count_alike() -> None:
    """Broken numbers: pairs are the same, ranges and means to the last bits."""
    random = np.random.default_rng(3)
    time = np.linspace(0.0, 20.0, 4001)
    signals = [
        np.sin(2 * np.pi * time) + 0.3 * np.sin(2 * np.pi * 7.3 * time),
        random.standard_normal(5000),
        np.cumsum(random.standard_normal(5000)),
        1e8 * np.exp(-0.2 * time) * np.sin(9 * time) + 3e7,
    ]
    for signal in signals:
        found, expected = (np.array(sorted((*pair, count) for pair, count in of(signal).items())) for of in (by_flexura, by_four_points))
        assert found.shape == expected.shape
        assert np.allclose(found, expected, rtol=1e-14, atol=1e-14 * np.abs(signal).max())
