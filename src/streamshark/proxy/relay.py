"""The sockets of the proxy: listeners, connections of clients, connections to servers.

Nothing else of the proxy uses sockets while it runs: a `Link` decides what happens, and here it
happens. Both connections have the same fate: their bytes keep their order, a side that does not
read makes the other one wait, FIN is passed on as FIN and RST as RST.
"""

import asyncio
import fcntl
import os
import select
import socket
import struct
import termios
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, cast

from streamshark.capture.synthetic_tcp import largest_mss
from streamshark.proxy.link import (
    CLIENT,
    SERVER,
    Cause,
    Close,
    Command,
    End,
    Link,
    Notice,
    Pause,
    Remark,
    Reset,
    Resume,
    Send,
    Wake,
)
from streamshark.proxy.listeners import BACKLOG
from streamshark.proxy.recorder import LegRecord, Recorder
from streamshark.proxy.targets import joined

QUEUED: Final = 256 * 1024
"""Bytes that wait for a side before the other side is no longer read."""
LARGEST_READ: Final = 16 * largest_mss("0.0.0.0")  # noqa: S104 - any address of IPv4
"""Bytes that are read at once: they fill the packets of a record."""
WATCH: Final = 0.1
"""Seconds between two looks for resets of connections that are not read."""
DRAIN: Final = 0.005
"""Seconds between two looks whether all bytes have left before a reset."""
LONGEST_DRAIN: Final = 2.0
"""Seconds that a reset waits for bytes to leave."""
_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""SO_LINGER with which a close is a reset."""


@dataclass(slots=True)
class RelayLimits:
    """What a relay may use."""

    connections: int = 500
    """Connections of clients at once; others are accepted and reset."""


class Relay:
    """Listeners and the connections through them.

    Args:
        recorder: Where what passes is recorded; None if it is not.
        records_servers: Whether connections to servers are recorded, too.
        notice: Called with lines for the user.
        limits: What it may use.
        new_keys: Returns lines of a key log since the last call.
    """

    def __init__(
        self,
        recorder: Recorder | None,
        *,
        records_servers: bool = False,
        notice: Callable[[str], object],
        limits: RelayLimits | None = None,
        new_keys: Callable[[], bytes] = bytes,
    ) -> None:
        self.notice = notice
        self._new_keys = new_keys
        self._recorder, self._records_servers = recorder, records_servers
        self._limits = limits or RelayLimits()
        self._servers: list[asyncio.Server] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._pairs: set[_Pair] = set()
        self._unreachable: set[tuple[str, int]] = set()
        """Servers to which the last connection failed."""
        self._watch: asyncio.TimerHandle | None = None
        self._idle = asyncio.Event()
        """Set while no connection is open."""
        self._idle.set()

    async def listen(
        self, listener: socket.socket, dial: tuple[str, int], new_link: Callable[[], Link]
    ) -> None:
        """Accept the connections of a listening socket, and relay them to host and port `dial`."""
        loop = asyncio.get_running_loop()

        def accepted() -> _Leg:
            return _Pair(self, dial, new_link()).legs[CLIENT]

        self._servers.append(await loop.create_server(accepted, sock=listener, backlog=BACKLOG))
        if self._watch is None:
            self._watch = loop.call_later(WATCH, self._look)

    def listen_soon(
        self, listener: socket.socket, dial: tuple[str, int], new_link: Callable[[], Link]
    ) -> None:
        """Accept the connections of another listening socket, from a call of the loop."""
        task = asyncio.get_running_loop().create_task(self.listen(listener, dial, new_link))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def close(self, patience: float = 0) -> None:
        """Stop listening; wait so many seconds for connections to end, and then drop the others."""
        for each in self._servers:
            each.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), patience)
        if self._watch is not None:
            self._watch.cancel()
        for pair in list(self._pairs):
            pair.drop()
        await asyncio.sleep(0)  # the loop closes what was dropped

    def admit(self, pair: "_Pair") -> bool:
        """Count a connection; return False if there are too many."""
        if len(self._pairs) >= self._limits.connections:
            self.notice(
                f"a client was refused: {self._limits.connections} connections are open"
                " (--max-connections)"
            )
            return False
        self._pairs.add(pair)
        self._idle.clear()
        return True

    def connected(self, dial: tuple[str, int], error: OSError | None = None) -> None:
        """Take note of a connection to a server, or of why there is none, which is said once."""
        if error is None:
            self._unreachable.discard(dial)
        elif dial not in self._unreachable:
            self._unreachable.add(dial)
            host, port = dial
            if isinstance(error, socket.gaierror):
                self.notice(f"{host}: unknown server (--resolve {host}=ADDRESS names it)")
                return
            reason = os.strerror(error.errno) if error.errno else str(error)
            self.notice(f"{joined(host, port)}: {reason}; clients are reset until it answers")

    def record_keys(self) -> None:
        """Record new keys of TLS."""
        keys = self._new_keys()
        if keys and self._recorder is not None:
            self._recorder.secrets(keys)

    def forget(self, pair: "_Pair") -> None:
        """Take note that a connection is over."""
        self._pairs.discard(pair)
        if not self._pairs:
            self._idle.set()

    def records(self, side: int, transport: asyncio.Transport) -> LegRecord | None:
        """Return the record of a new connection; None if it is not recorded."""
        if self._recorder is None or (side == SERVER and not self._records_servers):
            return None
        theirs, ours = (transport.get_extra_info(each) for each in ("peername", "sockname"))
        if theirs is None or ours is None:
            return None  # reset before it was accepted
        ends = (theirs[:2], ours[:2]) if side == CLIENT else (ours[:2], theirs[:2])
        return LegRecord(self._recorder, side, *ends)

    def _look(self) -> None:
        """Notice resets of connections that are not read, which the loop does not."""
        self._watch = asyncio.get_running_loop().call_later(WATCH, self._look)
        watched = {leg.number: leg for pair in self._pairs for leg in pair.legs if leg.is_unread}
        if not watched:
            return
        poll = select.poll()
        for number in watched:
            poll.register(number, 0)
        for number, events in poll.poll(0):
            if events & select.POLLERR:
                watched[number].was_reset()


class _Leg(asyncio.Protocol):
    """The connection to one side."""

    def __init__(self, pair: "_Pair", side: int) -> None:
        self._pair, self._side = pair, side
        self._transport: asyncio.Transport | None = None
        self._has_ended = False
        self._is_doomed = False
        """Whether it was reset, which is passed on once what came before is read."""
        self._causes = {Cause.UNCONNECTED}
        """Why it is not read."""

    # Events of the loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection; it is not read yet."""
        self._transport = made = cast("asyncio.Transport", transport)
        made.pause_reading()
        made.__dict__["max_size"] = LARGEST_READ  # as asyncio's own transports name it
        made.set_write_buffer_limits(high=QUEUED)
        connection = made.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._pair.made(self._side, made)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on."""
        self._pair.received(self._side, data)

    def eof_received(self) -> bool:
        """Pass the end on; return True, so that the other direction stays open."""
        self._has_ended = True
        self._pair.ended(self._side)
        return True

    def pause_writing(self) -> None:
        """Take note that too many bytes wait."""
        self._pair.perform(self._pair.link.congested(self._side))

    def resume_writing(self) -> None:
        """Take note that bytes have left."""
        self._pair.perform(self._pair.link.drained(self._side))

    def connection_lost(self, error: Exception | None) -> None:
        """Take note that the connection is over, after an error or as was wanted."""
        self._transport = None
        self._pair.lost(self._side, error)

    # Commands

    @property
    def is_open(self) -> bool:
        """Whether the connection stands."""
        return self._transport is not None

    @property
    def number(self) -> int:
        """The number of the open socket."""
        return self._socket().fileno() if self._transport is not None else -1

    @property
    def is_unread(self) -> bool:
        """Whether the loop would not notice a reset."""
        transport = self._transport
        if transport is None or transport.is_closing() or self._is_doomed:
            return False
        return self._has_ended or not transport.is_reading()

    def was_reset(self) -> None:
        """Read what came before a reset that was noticed, and then pass it on."""
        transport = self._transport
        if transport is None:
            return
        self._is_doomed = True
        if self._has_ended:
            transport.abort()
            self._pair.lost(self._side, ConnectionResetError())
        else:
            transport.resume_reading()

    def send(self, data: bytes) -> None:
        """Send bytes, after those that wait."""
        if self._transport is not None:
            self._transport.write(data)

    def end(self) -> None:
        """Send FIN after all bytes."""
        if self._transport is not None and not self._transport.is_closing():
            with suppress(OSError):
                self._transport.write_eof()

    def pause(self, cause: Cause) -> None:
        """Stop reading."""
        self._causes.add(cause)
        transport = self._transport
        if transport is None or self._has_ended or self._is_doomed:
            return
        if transport.is_reading():
            transport.pause_reading()

    def resume(self, cause: Cause) -> None:
        """Read again, unless there is another cause not to."""
        self._causes.discard(cause)
        transport = self._transport
        if self._causes or transport is None or self._has_ended:
            return
        if not transport.is_reading():
            transport.resume_reading()

    def close(self) -> None:
        """Close the connection once all bytes have left."""
        if self._transport is not None:
            self._transport.close()

    def reset(self, until: float | None = None) -> None:
        """Send RST once all bytes have left, or after `LONGEST_DRAIN`."""
        transport = self._transport
        if transport is None:
            return
        now = time.monotonic()
        until = now + LONGEST_DRAIN if until is None else until
        if self._has_unsent() and now < until:
            asyncio.get_running_loop().call_later(DRAIN, self.reset, until)
            return
        with suppress(OSError):
            self._socket().setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        transport.abort()

    def abort(self) -> None:
        """Drop the connection as it is."""
        if self._transport is not None:
            self._transport.abort()

    def _socket(self) -> socket.socket:
        """Return the socket of the open connection."""
        found = None if self._transport is None else self._transport.get_extra_info("socket")
        return cast("socket.socket", found)

    def _has_unsent(self) -> bool:
        """Return whether bytes wait here or in the system."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return False
        if transport.get_write_buffer_size():
            return True
        try:
            left = fcntl.ioctl(self._socket().fileno(), termios.TIOCOUTQ, bytes(4))
        except OSError:
            return False
        return left != bytes(4)


class _Pair:
    """A client's connection, and the one to the server that belongs to it."""

    def __init__(self, relay: Relay, dial: tuple[str, int], link: Link) -> None:
        self.link = link
        self.legs = (_Leg(self, CLIENT), _Leg(self, SERVER))
        self._relay, self._dial = relay, dial
        self._records: list[LegRecord | None] = [None, None]
        self._dialling: asyncio.Task[None] | None = None

    def made(self, side: int, transport: asyncio.Transport) -> None:
        """Take a connection that stands; connect to the server for a client."""
        if side == CLIENT and not self._relay.admit(self):
            self.legs[CLIENT].reset()
            return
        self._records[side] = self._relay.records(side, transport)
        if side == CLIENT:
            self._dialling = asyncio.get_running_loop().create_task(self._dial_server())
            return
        self._relay.connected(self._dial)
        for record in self._records:
            if record is not None:
                record.opened()
        self.perform(self.link.connected())

    async def _dial_server(self) -> None:
        loop = asyncio.get_running_loop()
        host, port = self._dial
        try:
            await loop.create_connection(lambda: self.legs[SERVER], host, port)
        except OSError as error:
            self._relay.connected(self._dial, error)
            if (record := self._records[CLIENT]) is not None:
                record.refused()
                self._records[CLIENT] = None
            self.perform(self.link.refused())

    def received(self, side: int, data: bytes) -> None:
        """Take bytes of a side; keys of TLS that they bring are recorded before them."""
        commands = self.link.received(side, data)
        record = self._records[side]
        if record is not None:
            self._relay.record_keys()
            record.sent(side, data)
        self.perform(commands)

    def ended(self, side: int) -> None:
        """Take the end of what a side sends."""
        if (record := self._records[side]) is not None:
            record.ended(side)
        self.perform(self.link.ended(side))

    def lost(self, side: int, error: Exception | None) -> None:
        """Take note that a connection is over."""
        if error is not None:
            if (record := self._records[side]) is not None:
                record.reset(side)
                self._records[side] = None
            self.perform(self.link.reset(side))
        if side == CLIENT and self._dialling is not None:
            self._dialling.cancel()
        if not any(each.is_open for each in self.legs):
            self._relay.forget(self)

    def drop(self) -> None:
        """Drop both connections; the record shows nothing of it, as captures that stop before."""
        self._records = [None, None]
        for each in self.legs:
            each.abort()
        if self._dialling is not None:
            self._dialling.cancel()
        self._relay.forget(self)

    def perform(self, commands: Iterable[Command]) -> None:
        """Do what the link wants."""
        for each in commands:
            if isinstance(each, Send):
                self._send(each)
            else:
                self._control(each)

    def _wake(self, token: int) -> None:
        self.perform(self.link.woken(token))

    def _send(self, command: Send) -> None:
        side, data = command
        record = self._records[side]
        if record is not None:
            record.sent(1 - side, data)
        self.legs[side].send(data)

    def _control(self, command: Command) -> None:
        """Do what neither sends bytes nor ends anything."""
        match command:
            case Pause(side, cause):
                self.legs[side].pause(cause)
            case Resume(side, cause):
                self.legs[side].resume(cause)
            case Notice(text):
                self._relay.notice(text)
            case Remark(text):
                for record in filter(None, self._records):
                    record.comment(text)
            case Wake(seconds, token):
                asyncio.get_running_loop().call_later(seconds, self._wake, token)
            case _:
                self._finish(command)

    def _finish(self, command: Command) -> None:
        """End directions and connections."""
        if isinstance(command, Close):
            for each in self.legs:
                each.close()
        elif isinstance(command, End | Reset):
            side = command.side
            record, resets = self._records[side], isinstance(command, Reset)
            if record is not None and resets:
                record.reset(1 - side)
                self._records[side] = None
            elif record is not None:
                record.ended(1 - side)
            if resets:
                self.legs[side].reset()
            else:
                self.legs[side].end()
