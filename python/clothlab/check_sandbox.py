"""Handed-in code in a process of its own, with limits on time and memory."""

from __future__ import annotations

import inspect
import json
import os
import secrets
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import check_child
from .check_verdict import Failure, Finding


@dataclass(frozen=True)
class Limits:
    """Of one check: seconds of processor and of wall time, bytes of address space and of a file."""

    cpu: int = 20
    wall: float = 30.0
    memory: int = 2 << 30
    file: int = 16 << 20


class Sandbox:
    """A child that has loaded the file. It only answers calls: the verdict is made on this side, from its numbers. Each request
    carries a fresh nonce, and an answer without it is a finding. What it prints is kept in `output`, as what was printed."""

    def __init__(self, path: str, limits: Limits = Limits()):
        self.path, self.limits = os.path.abspath(path), limits
        self.deadline = time.monotonic() + limits.wall
        self._printed = tempfile.TemporaryFile()
        there, self._requests = os.pipe()
        self._answers, back = os.pipe()
        bounds = {"RLIMIT_CPU": limits.cpu, "RLIMIT_AS": limits.memory, "RLIMIT_FSIZE": limits.file, "RLIMIT_CORE": 0}
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        paths = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, os.path.realpath(check_child.__file__), self.path, str(there), str(back), json.dumps(bounds)],
            stdin=subprocess.DEVNULL, stdout=self._printed, stderr=self._printed, pass_fds=(there, back), start_new_session=True,
            env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"})
        os.close(there)
        os.close(back)

    def load(self) -> Sandbox:
        """Runs the file. `names` has its classes and functions afterwards."""
        self.names = self.ask("load")
        return self

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Ends the child and what it has started in its process group."""
        if self._process is None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        self._process = None
        for pipe in (self._requests, self._answers):
            os.close(pipe)

    @property
    def output(self) -> str:
        """What the code has printed, the first 4,096 bytes."""
        self._printed.seek(0)
        return self._printed.read(4096).decode("utf-8", "replace")

    def ask(self, name: str, *arguments) -> Any:
        """The child's answer; a Failure where there is none."""
        what = "import" if name == "load" else str(arguments[1] if name in ("call", "set") else arguments[0])
        nonce = secrets.token_bytes(16)
        try:
            self._write(nonce + check_child.encode([name, list(arguments)]), what)
            (length,) = struct.unpack("<Q", self._read(8, what))
            if length > check_child.MOST_BYTES + 4096 or length < 24:
                self._broken(what)
            data = self._read(length, what)
        except BrokenPipeError:
            self._ended(what)
        if data[:16] != nonce:
            self._broken(what)
        try:
            answer = check_child.decode(data[16:])
            error = answer.get("error")
        except Exception:
            self._broken(what)
        if error == "MemoryError":
            self._fail(what, "memory", f"it asks for more than {self.limits.memory >> 20} MiB of address space")
        if error is not None:
            self._fail(what, "cannot be imported" if name == "load" else "raises", answer["words"])
        return answer["value"]

    def _write(self, data: bytes, what: str) -> None:
        data = struct.pack("<Q", len(data)) + data
        os.set_blocking(self._requests, False)
        while data:
            _, ready, _ = select.select([], [self._requests], [], max(0.0, self.deadline - time.monotonic()))
            if not ready:
                self._late(what)
            data = data[os.write(self._requests, data):]

    def _read(self, count: int, what: str) -> bytes:
        data = bytearray()
        while len(data) < count:
            ready, _, _ = select.select([self._answers], [], [], max(0.0, self.deadline - time.monotonic()))
            if not ready:
                self._late(what)
            more = os.read(self._answers, min(count - len(data), 1 << 20))
            if not more:
                self._ended(what)
            data += more
        return bytes(data)

    def _late(self, what: str) -> None:
        self._fail(what, "time", f"no answer within {self.limits.wall:g} s: a loop that does not end?")

    def _broken(self, what: str) -> None:
        self._fail(what, "forged answer", "something else than the answer was written into the pipe of the check")

    def _ended(self, what: str) -> None:
        try:
            code = self._process.wait(timeout=max(0.1, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._late(what)
        if code == -signal.SIGXCPU:
            self._fail(what, "time", f"ended after {self.limits.cpu} s of processor time: a loop that does not end?")
        if code < 0:
            self._fail(what, "crash", f"the process ended with {signal.Signals(-code).name}")
        self._fail(what, "exit", f"the process ended with exit code {code} before it answered")

    def _fail(self, what: str, cause: str, words: str) -> None:
        raise Failure(Finding(what, os.path.basename(self.path), None, None, cause, words))


class Remote:
    """An object in the sandbox: methods and plain attributes of the one that the file defines."""

    def __init__(self, sandbox: Sandbox, kind: str, *arguments):
        made = sandbox.ask("make", kind, *arguments)
        self.__dict__.update(made["attributes"])
        self.__dict__.update(name=kind, _sandbox=sandbox, _handle=made["handle"], _plain=set(made["attributes"]))
        for name, parameters in sandbox.names["classes"][kind].items():
            self.__dict__[name] = _method(sandbox, made["handle"], name, parameters)

    def __setattr__(self, name: str, value: Any) -> None:
        self._sandbox.ask("set", self._handle, name, value)
        self.__dict__[name] = value


def remote_object(sandbox: Sandbox, kind: str, *arguments) -> Remote:
    """An object of the class `kind` of the file; a race shows the name of that class."""
    return type(kind, (Remote,), {})(sandbox, kind, *arguments)


def remote_function(sandbox: Sandbox, name: str) -> Any:
    return _method(sandbox, None, name, sandbox.names["functions"][name])


def _method(sandbox: Sandbox, handle: int | None, name: str, parameters: list[str]) -> Any:
    def method(*arguments):
        result, after = sandbox.ask("call", handle, name, *arguments)
        for given, changed in zip(arguments, after):
            if isinstance(given, np.ndarray) and given.flags.writeable and given.shape == np.shape(changed):
                given[...] = changed
            elif hasattr(given, "tobsr") and given.data.shape == changed.data.shape and given.data.flags.writeable:
                given.data[...] = changed.data
        return result

    method.__signature__ = inspect.Signature([inspect.Parameter(each, inspect.Parameter.POSITIONAL_OR_KEYWORD)
                                              for each in parameters])
    return method
