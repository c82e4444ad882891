"""Where the files lie that come with the laboratory."""

from __future__ import annotations

import os

from . import _core


def assets() -> str:
    return _core.assets_folder(os.path.dirname(os.path.realpath(_core.__file__)))
