"""Where the files lie that come with the laboratory."""

from __future__ import annotations

import os
import shutil

from . import _core
from .errors import Error


plugins: list[str] = []  # loaded so far


def assets() -> str:
    return _core.assets_folder(os.path.dirname(os.path.realpath(_core.__file__)))


def program() -> str:
    """The program `clothlab`: that of the environment, of the same build, below the same prefix, or in PATH."""
    named = os.environ.get("CLOTHLAB_PROGRAM")
    if named:
        return named
    package = os.path.dirname(os.path.realpath(_core.__file__))
    for path in ("../../clothlab", "../../../../bin/clothlab"):
        near = os.path.normpath(os.path.join(package, path))
        if os.path.isfile(near) and os.access(near, os.X_OK):
            return near
    found = shutil.which("clothlab")
    if found is None:
        raise Error("there is no program clothlab, neither with this module nor in PATH: build the target clothlab, or name it "
                    "in CLOTHLAB_PROGRAM")
    return found
