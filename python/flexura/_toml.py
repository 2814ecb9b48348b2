"""Values as TOML writes them, for the texts of models and parts."""

from __future__ import annotations

import json
import math
from typing import Any, Mapping

import numpy as np


def toml_value(value: Any) -> str:
    """A value as TOML writes it in one line.

    >>> toml_value({"tube": [0.025, 0.022], "name": "arm", "on": True})
    '{ tube = [0.025, 0.022], name = "arm", on = true }'
    """
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return repr(number) if math.isfinite(number) else {"inf": "inf", "-inf": "-inf"}.get(repr(number), "nan")
    if isinstance(value, Mapping):
        entries = ", ".join(f"{toml_key(key)} = {toml_value(entry)}" for key, entry in value.items() if entry is not None)
        return f"{{ {entries} }}" if entries else "{}"
    if isinstance(value, np.ndarray):
        return toml_value(value.tolist())
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    raise TypeError(f"{type(value).__name__} has no place in a model: {value!r}")


def toml_key(key: object) -> str:
    """A key, in quotes where it needs them."""
    text = str(key)
    return text if text and all(c.isascii() and (c.isalnum() or c in "_-") for c in text) else json.dumps(text)


def toml_table(header: str, entry: Mapping[str, Any]) -> str:
    """A header and its keys, one a line; nothing where there are no keys."""
    lines = [f"{toml_key(key)} = {toml_value(value)}" for key, value in entry.items() if value is not None]
    return "\n".join([header, *lines, ""]) if lines else ""
