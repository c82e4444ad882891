"""Python values as the core's files and `--set` write them."""

from __future__ import annotations

import json
import numbers
from collections.abc import Mapping

import numpy as np


def value_text(value) -> str:
    """"0.01", "true", "mpcg", "0,-9.81,0"."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return ",".join(value_text(each) for each in value)


def assignments(settings: Mapping | None) -> list[str]:
    """{"integrator.dt": 0.005} as ["integrator.dt=0.005"]."""
    return [f"{key}={value_text(value)}" for key, value in (settings or {}).items()]


def toml(scene: Mapping) -> str:
    """A dict of tables as TOML: its keys, arrays and tables are those of a scene file."""
    return "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in scene.items())


def _key(key) -> str:
    key = str(key)
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key)


def _toml(value) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (numbers.Number, np.bool_)):
        return value_text(value)
    return "[" + ", ".join(_toml(each) for each in value) + "]"
