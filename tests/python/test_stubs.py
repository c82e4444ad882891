"""The stub of the compiled part is what the module says, and everything public is annotated and explained.

    PYTHONPATH=build/test/python python3 tests/python/test_stubs.py --write    # writes the stub anew
"""

import inspect
import pathlib
import re
import sys

import clothlab as cl
from clothlab import _core

STUB = pathlib.Path(__file__).parents[2] / "python" / "clothlab" / "_core.pyi"
HEAD = '"""The compiled part of clothlab. Its public names are those of the package."""\n\nfrom typing import Any\n\n' \
       "import numpy\nfrom numpy.typing import ArrayLike\n"


def annotation(text, given):
    text = re.sub(r"numpy\.ndarray\[.*?\]", "ArrayLike" if given else "numpy.ndarray", text)
    text = re.sub(r"\bList\b", "list", text).replace("clothlab._core.", "")
    return "Any" if text == "object" else text.replace("list[object]", "list[Any]")


def signature(function):
    """A line of a stub from what pybind11 writes first into a docstring."""
    name, arguments, result = re.fullmatch(r"(\w+)\((.*)\) -> (.*)", function.__doc__.splitlines()[0]).groups()
    words = []
    for argument in filter(None, re.split(r", (?=\w+: )", arguments)):
        key, kind = argument.split(": ", 1)
        words.append(key if key == "self" else f"{key}: {annotation(kind, True)}")
    return f"def {name}({', '.join(words)}) -> {annotation(result, False)}: ..."


def stub():
    text = HEAD
    public = {name: value for name, value in vars(_core).items() if not name.startswith("_")}
    for name, value in public.items():
        if inspect.isclass(value):
            members = [signature(member) for key, member in vars(value).items() if not key.startswith("_")]
            text += f"\n\nclass {name}:\n" + "".join(f"    {line}\n" for line in members)
    text += "\n\n" + "".join(f"{signature(value)}\n" for value in public.values() if not inspect.isclass(value))
    return text


def test_the_stub_is_the_module():
    assert STUB.read_text() == stub(), "python3 tests/python/test_stubs.py --write"


def members():
    for name in cl.__all__:
        value = getattr(cl, name)
        yield name, value
        if inspect.isclass(value):
            for key, member in vars(value).items():
                member = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
                if inspect.isfunction(member) and (not key.startswith("_") or key == "__init__"):
                    yield f"{name}.{key}", member


def test_all_that_is_public_is_annotated():
    for name, value in members():
        if not inspect.isfunction(value):
            continue
        described = inspect.signature(value)
        for parameter in described.parameters.values():
            assert parameter.name == "self" or parameter.annotation is not parameter.empty, f"{name}({parameter.name})"
        assert name.endswith("__init__") or described.return_annotation is not described.empty, name


def test_all_that_is_public_is_explained():
    obvious = {"Simulation.unpin", "Simulation.particles", "System.particles", "Simulation.release"}
    for name, value in members():
        assert value.__doc__ or "__init__" in name or name in obvious, name
    assert (STUB.parent / "py.typed").exists()


if __name__ == "__main__" and "--write" in sys.argv:
    STUB.write_text(stub())
