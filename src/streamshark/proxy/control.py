"""The control socket of a running proxy: other programs add, list, await and remove faults.

It is a Unix socket that only its owner may use. Requests and answers are JSON objects, one a line:

| request | answer |
|---|---|
| `{"do": "add", "fault": TEXT}` | the fault |
| `{"do": "list"}` | `{"faults": [...]}` |
| `{"do": "wait", "id": N, "times": N, "timeout": SECONDS}` | the fault, once it was used so often |
| `{"do": "remove", "id": N}` | the fault |

A fault is `{"id", "fault", "matched", "used"}`. A request that fails is answered by `{"error"}`.
"""

import asyncio
import errno
import json
import os
import socket
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

from streamshark.errors import StreamsharkError
from streamshark.proxy.faults import Fault

LONGEST: Final = 1 << 16
"""Most bytes of a request."""
LOOK: Final = 0.02
"""Seconds between two looks whether a fault was used."""
MOST_WAITED: Final = 3600.0
"""Most seconds of a `wait`."""
MODE: Final = 0o600
CLOSED: Final = "the proxy has ended"


class FaultList(Protocol):
    """Has faults: a `Proxy`."""

    @property
    def faults(self) -> Mapping[int, Fault]:
        """The faults by their ids."""

    def fault(self, text: str) -> Fault:
        """Add a fault."""

    def remove(self, fault: Fault) -> None:
        """Remove a fault."""


class ControlSocket:
    """A control socket; it listens from the beginning, and answers from `start` on.

    Args:
        path: Where it is.
        owner: Whose faults it controls.

    Raises:
        StreamsharkError: It cannot listen there.
    """

    def __init__(self, path: Path, owner: FaultList) -> None:
        self._path, self._owner = path, owner
        self._server: asyncio.Server | None = None
        self._listener = _listening(path)
        self._clients: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        """Answer requests, in the running loop."""
        self._server = await asyncio.start_unix_server(
            self._serve, sock=self._listener, limit=LONGEST
        )

    def close(self) -> None:
        """Stop, and delete the socket."""
        if self._server is not None:
            self._server.close()
        for each in self._clients:
            each.close()
        self._listener.close()
        with suppress(OSError):
            self._path.unlink()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of a client, one after the other."""
        self._clients.add(writer)
        try:
            while line := await reader.readline():
                answer = await self._answered(line)
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (OSError, ValueError):  # it is gone, or its request is too long
            pass
        finally:
            self._clients.discard(writer)
            writer.close()

    async def _answered(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            return await self._done(request)
        except StreamsharkError as error:
            return {"error": str(error)}
        except (ValueError, RecursionError):
            return {"error": "malformed JSON"}

    async def _done(self, request: object) -> dict[str, Any]:
        match request:
            case {"do": "add", "fault": str(text)}:
                return described(self._owner.fault(text))
            case {"do": "list"}:
                return {"faults": [described(each) for each in self._owner.faults.values()]}
            case {"do": "wait", "id": int(number), **given}:
                return described(await self._used(self._fault(number), given))
            case {"do": "remove", "id": int(number)}:
                fault = self._fault(number)
                self._owner.remove(fault)
                return described(fault)
        raise StreamsharkError("expected add (fault), list, wait (id) or remove (id)")

    def _fault(self, number: int) -> Fault:
        found = self._owner.faults.get(number)
        if found is None:
            raise StreamsharkError(f"there is no fault {number}")
        return found

    async def _used(self, fault: Fault, request: Mapping[Any, Any]) -> Fault:
        """Return a fault when it was used so often."""
        times, timeout = request.get("times", 1), request.get("timeout", 10)
        if not isinstance(times, int) or not isinstance(timeout, int | float):
            raise StreamsharkError("times and timeout are numbers")
        loop = asyncio.get_running_loop()
        until = loop.time() + min(timeout, MOST_WAITED)
        while fault.used < times:
            if loop.time() >= until:
                raise StreamsharkError(fault.unused(timeout))
            if fault.is_cleared:
                raise StreamsharkError(f"fault {fault.number} was removed")
            await asyncio.sleep(LOOK)
        return fault


def described(fault: Fault) -> dict[str, Any]:
    """Return a fault as JSON members."""
    return {
        "id": fault.number,
        "fault": fault.text,
        "matched": fault.matched,
        "used": fault.used,
    }


def asked(path: Path, request: Mapping[str, Any]) -> dict[str, Any]:
    """Send a request to the proxy with a control socket; return its answer.

    Raises:
        StreamsharkError: Nothing answers there, or the answer is an error.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(os.fspath(path))
            connection.sendall(json.dumps(request).encode() + b"\n")
            line = connection.makefile("rb").readline()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StreamsharkError(f"{path}: no proxy answers: {reason}") from None
    try:
        answer = json.loads(line)
    except ValueError:
        raise StreamsharkError(f"{path}: {CLOSED}") from None
    if not isinstance(answer, dict) or "error" in answer:
        raise StreamsharkError(str(answer["error"]) if isinstance(answer, dict) else f"{path}: ?")
    return answer


def _listening(path: Path) -> socket.socket:
    """Return a listening socket; the socket of a proxy that was killed is replaced."""
    made = socket.socket(socket.AF_UNIX)
    try:
        if _is_left(path):
            path.unlink()
        mask = os.umask(0o777 & ~MODE)
        try:
            made.bind(os.fspath(path))
        finally:
            os.umask(mask)
        made.listen()
        made.settimeout(0)
    except (OSError, ValueError) as error:
        made.close()
        is_used = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = "in use" if is_used else getattr(error, "strerror", None) or str(error)
        raise StreamsharkError(f"--control {path}: {reason}") from None
    return made


def _is_left(path: Path) -> bool:
    """Return whether there is a socket on which no program listens."""
    try:
        if not stat.S_ISSOCK(path.stat().st_mode):
            return False
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(os.fspath(path))
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False
