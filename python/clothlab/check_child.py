"""The process in which handed-in code runs: it answers calls with numbers. What is right is decided in the process that asks.

This file is run by its path: it imports nothing of the package, so that a broken package is no fault of what was handed in."""

from __future__ import annotations

import sys

if __name__ == "__main__":  # the package's folder, where modules of the package would pass for others
    del sys.path[0]

import fcntl
import inspect
import json
import os
import resource
import struct
import traceback

import numpy as np

MOST_BYTES = 1 << 26  # limit for an answer


# --- values on the wire: a line of JSON, then the arrays. Decoding them cannot run code, unlike a pickle.

def encode(value) -> bytes:
    arrays: list[bytes] = []
    head = json.dumps(_plain(value, arrays)).encode()
    return struct.pack("<Q", len(head)) + head + b"".join(arrays)


def decode(data: bytes):
    (length,) = struct.unpack_from("<Q", data)
    return _value(json.loads(data[8:8 + length]), data, [8 + length])


def _plain(value, arrays: list[bytes]):
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return _plain(value.item(), arrays)
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "biuf":
            raise TypeError(f"an array of {value.dtype} is no array of numbers")
        arrays.append(np.ascontiguousarray(value).tobytes())
        return {"array": value.dtype.str, "shape": list(value.shape)}
    if hasattr(value, "tobsr") and hasattr(value, "toarray"):
        value = value if getattr(value, "format", "") == "bsr" else value.tocsr()
        parts = [_plain(each, arrays) for each in (value.data, value.indices, value.indptr)]
        return {"sparse": value.format, "size": list(value.shape), "parts": parts}
    if isinstance(value, (list, tuple)):
        return [_plain(each, arrays) for each in value]
    if isinstance(value, dict):
        return {"keys": [[str(key), _plain(each, arrays)] for key, each in value.items()]}
    raise TypeError(f"{type(value).__name__} is no number or array")


def _value(plain, data: bytes, at: list[int]):
    if isinstance(plain, list):
        return [_value(each, data, at) for each in plain]
    if not isinstance(plain, dict):
        return plain
    if "array" in plain:
        dtype = np.dtype(plain["array"])
        count = int(np.prod(plain["shape"]))
        if dtype.kind not in "biuf":
            raise ValueError("no numbers")
        made = np.frombuffer(data, dtype, count, at[0]).reshape(plain["shape"]).copy()
        at[0] += dtype.itemsize * count
        return made
    if "sparse" in plain:
        from scipy import sparse
        parts = tuple(_value(each, data, at) for each in plain["parts"])
        kind = sparse.bsr_array if plain["sparse"] == "bsr" else sparse.csr_array
        made = kind(parts, shape=plain["size"])
        made.check_format()
        return made
    return {key: _value(each, data, at) for key, each in plain["keys"]}


def send(pipe: int, nonce: bytes, value) -> None:
    data = nonce + encode(value)
    data = struct.pack("<Q", len(data)) + data
    while data:
        data = data[os.write(pipe, data):]


# --- the child

def _read(pipe: int, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = os.read(pipe, count - len(data))
        if not more:
            os._exit(0)
        data += more
    return data


def _members(kind: type) -> dict:
    members = {}
    for name in dir(kind):
        method = inspect.getattr_static(kind, name)
        if not name.startswith("_") and inspect.isfunction(method):
            members[name] = list(inspect.signature(method).parameters)[1:]
    return members


def _load(path: str):
    names = {"__name__": "handed_in", "__file__": path}
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), names)
    classes = {key: value for key, value in names.items() if inspect.isclass(value) and value.__module__ == "handed_in"}
    functions = {key: value for key, value in names.items() if inspect.isfunction(value) and value.__module__ == "handed_in"}
    return classes, functions


class _Server:
    def __init__(self, path: str):
        self.path, self.made = path, []

    def load(self):
        self.classes, self.functions = _load(self.path)
        return {"classes": {key: _members(kind) for key, kind in self.classes.items()},
                "functions": {key: list(inspect.signature(f).parameters) for key, f in self.functions.items()}}

    def make(self, name, *arguments):
        self.made.append(self.classes[name](*arguments))
        plain = {}
        for key in dir(self.made[-1]):
            value = getattr(self.made[-1], key, None)
            if not key.startswith("_") and isinstance(value, (bool, int, float, str, np.ndarray)):
                plain[key] = value
        return {"handle": len(self.made) - 1, "attributes": plain}

    def set(self, handle, name, value):
        setattr(self.made[handle], name, value)

    def call(self, handle, name, *arguments):
        method = self.functions[name] if handle is None else getattr(self.made[handle], name)
        result = method(*arguments)
        return [result, list(arguments)]


def _said(error: BaseException, path: str) -> dict:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = frames[-1].lineno if frames else getattr(error, "lineno", None)
    where = f" (line {line})" if line else ""
    return {"error": type(error).__name__, "words": f"{type(error).__name__}: {str(error)[:500]}{where}"}


def serve(path: str, pipes: tuple[int, int], limits: dict) -> None:
    for name, value in limits.items():  # one second after the first signal of RLIMIT_CPU, the next one cannot be ignored
        resource.setrlimit(getattr(resource, name), (value, value + (name == "RLIMIT_CPU")))
    requests, answers = pipes
    server = _Server(path)
    while True:
        (length,) = struct.unpack("<Q", _read(requests, 8))
        data = _read(requests, length)
        nonce, (name, arguments) = data[:16], decode(data[16:])
        try:
            answer = _checked(getattr(server, name)(*arguments))
        except MemoryError:
            answer = {"error": "MemoryError", "words": "MemoryError"}
        except Exception as error:
            answer = _said(error, path)
        send(answers, nonce, answer)


def _checked(value):
    """What cannot be sent is an error of the call that returned it."""
    if len(encode(value)) > MOST_BYTES:
        raise ValueError(f"what it returns is larger than {MOST_BYTES >> 20} MiB")
    return {"value": value}


if __name__ == "__main__":
    _, _path, _requests, _answers, _limits = sys.argv
    sys.argv = [_path]
    sys.path.insert(0, os.path.dirname(_path))
    # Descriptors that a program does not use by chance, and that its children do not inherit.
    _pipes = tuple(fcntl.fcntl(int(each), fcntl.F_DUPFD_CLOEXEC, 100) for each in (_requests, _answers))
    os.close(int(_requests)), os.close(int(_answers))
    serve(_path, _pipes, json.loads(_limits))
