"""The window on a simulation: a program of its own, which has a copy and follows."""

from __future__ import annotations

import atexit
import os
import socket
import struct
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import _folders
from .errors import Error

if TYPE_CHECKING:
    from .simulation import Simulation

_HEAD = struct.Struct("<cQQ")  # letter, serial, bytes that follow: core/base/processes/message_socket.hpp
_PATIENCE = 60.0  # s, until a window is open, or accepts data


class View:
    """A window that `show` has opened.

    The window has a copy of the simulation. It shows each state that Python makes, as fast as it can draw; none is waited
    for. What is done in the window (pins, pulls, cuts, settings, steps, another scene) stays there until `update`."""

    def __init__(self, simulation: Simulation, options: Sequence[str] = ()):
        self._simulation = simulation
        self._changed = threading.Condition(threading.RLock())
        self._serial = self._shown = self._question = 0
        self._stale = self._closed = False
        self._answers: dict[int, bytes] = {}
        self._said = tempfile.TemporaryFile()
        self._socket, theirs = socket.socketpair()
        self._socket.settimeout(_PATIENCE)  # in case the window hangs
        words = [_folders.program(), "view", "--link", str(theirs.fileno()), *map(str, options)]
        for plugin in _folders.plugins:
            words += ["--plugin", plugin]
        try:
            self._process = subprocess.Popen(words, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stderr=self._said,
                                             stdout=subprocess.DEVNULL, start_new_session=True)
        except OSError as error:
            self._socket.close()
            raise Error(f"show: {words[0]} cannot be started: {error.strerror}") from None
        finally:
            theirs.close()
        _views.add(self)
        simulation._view = self  # from now on, steps of another thread see the view
        self._thread = threading.Thread(target=self._listen, name="clothlab view", daemon=True)
        self._thread.start()
        self._begin()

    def _begin(self) -> None:
        end = time.monotonic() + _PATIENCE
        while self._serial == 0 and not self._closed and time.monotonic() < end:
            if not self._follow():
                time.sleep(1e-3)  # a step is being taken by another thread
        with self._changed:
            self._changed.wait_for(lambda: self._shown or self._closed, max(0.0, end - time.monotonic()))
        if not self._shown:
            self.close()
            self._process.wait(5)
            self._said.seek(0)
            lines = self._said.read().decode(errors="replace").splitlines()
            said = [line.removeprefix("clothlab: ") for line in lines if line and not line.startswith("Run with --help")]
            raise Error("show: " + ("\n".join(said) or "the window did not come"))

    @property
    def open(self) -> bool:
        """Whether the window is there still."""
        return not self._closed

    def update(self) -> bool:
        """Brings what was done in the window since the last call into the simulation; False: nothing was. Afterwards both are
        the same: positions, pins, settings, what the pointer pulls, another scene that was opened. The simulation keeps
        objects of `use`, unless another method was chosen, and forces from outside. Waits for the window's next frame; after
        the window was closed it takes what was done there last."""
        native = self._simulation._native
        native.steps()  # an Error in the middle of a step
        with self._changed:
            question = 0
            if not self._closed:
                if self._stale:
                    self._send_state()
                question = self._question = self._question + 1
                self._send(b"?", question)
            self._changed.wait_for(lambda: question in self._answers or self._closed)
            answers = [self._answers.pop(each) for each in (question, 0) if each in self._answers]
        took = False
        for answer in answers:
            if answer != _NOTHING:
                native.take(answer)
                took = True
        return took

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until the window is closed, at most so many seconds. True: it is closed."""
        with self._changed:
            return self._changed.wait_for(lambda: self._closed, timeout)

    def close(self) -> None:
        """Closes the window. What was done there and not taken by `update` is lost."""
        with self._changed:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # the window is closed
            self._end()

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<clothlab.View of {self._simulation!r}, {'open' if self.open else 'closed'}>"

    # --- states to the window: one at a time, then the newest

    def _follow(self) -> bool:
        """The simulation has changed. False: a step is being taken, and its end will say so again."""
        with self._changed:
            if self._closed:
                return True
            self._stale = True
            return self._shown < self._serial or self._send_state()

    def _send_state(self) -> bool:
        try:
            state = self._simulation._native.shown_bytes()
        except Error:
            return False
        self._stale = False
        self._serial += 1
        self._send(b"S", self._serial, state)
        return True

    def _send(self, letter: bytes, serial: int, state: bytes = b"") -> None:
        try:
            self._socket.sendall(_HEAD.pack(letter, serial, len(state)) + state)
        except OSError:
            self.close()

    # --- from the window, on a separate thread

    def _listen(self) -> None:
        try:
            while len(head := self._read(_HEAD.size)) == _HEAD.size:
                letter, serial, length = _HEAD.unpack(head)
                self._take(letter, serial, self._read(length))
        except OSError:
            pass  # closed on this side
        with self._changed:
            self._end()
        self._process.wait()

    def _read(self, length: int) -> bytes:
        """Whole, or less at the end. The time limit of the socket is for sending."""
        whole = bytearray()
        while len(whole) < length:
            try:
                part = self._socket.recv(min(length - len(whole), 1 << 20))
            except TimeoutError:
                continue
            if not part:
                break
            whole += part
        return bytes(whole)

    def _take(self, letter: bytes, serial: int, content: bytes) -> None:
        with self._changed:
            if letter == b"F":
                self._shown = serial
                if self._stale:
                    self._send_state()
            elif letter == b"H":
                self._answers[serial] = content
            elif letter == b"C":
                self._end()
            self._changed.notify_all()

    def _end(self) -> None:
        self._closed = True
        self._simulation._view = None
        self._changed.notify_all()

    def _leave(self) -> None:
        """In a forked child: the window is the parent's."""
        self._socket.close()
        self._closed = True


_NOTHING = bytes(9)  # neither a state nor a hold
_views: weakref.WeakSet[View] = weakref.WeakSet()


def _leave_all() -> None:
    for each in list(_views):
        each._leave()


@atexit.register
def _close_all() -> None:
    for each in list(_views):
        each.close()


os.register_at_fork(after_in_child=_leave_all)


def show(simulation: Simulation, options: Sequence[str] = ()) -> View:
    """Opens the window on a simulation and returns when it is there, after about a second. Closing it leaves the simulation
    as it is. A simulation that has a window open gets no second one.

    options: of `clothlab view`, such as ["--size", "1280x720"]. The program is the one that was built or installed with this
    module, or else the first `clothlab` in PATH; CLOTHLAB_PROGRAM names another one. A clothlab.Error says where there is no
    program or no display. The window closes when Python ends."""
    return simulation._view or View(simulation, options)
