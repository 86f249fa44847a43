"""A client cannot tell the proxy from its server: bytes, FIN, RST, back-pressure, refusal."""

import gc
import hashlib
import os
import socket
import threading
import time
from pathlib import Path

import pytest
from tests.proxy.ends import (
    KERNEL,
    TIMEOUT,
    Ends,
    ask,
    connected,
    ends,
    filled,
    listening,
    proxied,
    received,
    reset,
    url,
)

from streamshark.proxy import Proxy
from streamshark.proxy.link import SERVER, Cause
from streamshark.proxy.relay import QUEUED

LARGE = 8 << 20


def digest(data: bytes) -> str:
    """A short name of many bytes."""
    return hashlib.sha256(data).hexdigest()


def descriptors() -> int:
    """The number of open descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


def both_ways(both: Ends) -> list[tuple[socket.socket, socket.socket]]:
    """Sender and receiver, in both directions."""
    return [(both.client, both.server), (both.server, both.client)]


def test_all_bytes_arrive_in_order(tmp_path: Path) -> None:
    """In both directions at once, recorded on both legs."""
    sent = [os.urandom(LARGE), os.urandom(LARGE)]
    with ends(tmp_path / "out.pcapng", both=True) as both:
        threads = []
        for (sender, _), data in zip(both_ways(both), sent, strict=True):
            threads.append(threading.Thread(target=sender.sendall, args=(data,)))
        got: list[bytes] = [b"", b""]

        def read(at: int, end: socket.socket) -> None:
            got[at] = received(end, LARGE)

        threads += [
            threading.Thread(target=read, args=(at, end))
            for at, (_, end) in enumerate(both_ways(both))
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join(TIMEOUT)
        assert [digest(each) for each in got] == [digest(each) for each in sent]


def test_half_close() -> None:
    """The other direction stays open, whichever side ends first."""
    with listening() as server, proxied(server) as proxy:
        for first in (0, 1):
            both = connected(proxy, server)
            with both.client, both.server:
                sender, receiver = both_ways(both)[first]
                sender.sendall(b"last words")
                sender.shutdown(socket.SHUT_WR)
                assert received(receiver, 100) == b"last words"
                receiver.sendall(b"answer" * 100_000)
                receiver.shutdown(socket.SHUT_WR)
                assert received(sender, 1 << 20) == b"answer" * 100_000
                assert sender.recv(1) == b""


def test_a_reset_is_a_reset() -> None:
    """Bytes before it arrive."""
    with listening() as server, proxied(server) as proxy:
        for first in (0, 1):
            both = connected(proxy, server)
            sender, receiver = both_ways(both)[first]
            sender.sendall(b"0123456789")
            assert received(receiver, 10) == b"0123456789"
            sender.sendall(b"more")
            time.sleep(0.05)
            reset(sender)
            assert received(receiver, 4) == b"more"
            with pytest.raises(ConnectionResetError):
                receiver.recv(1)
            receiver.close()


def test_a_reset_is_noticed_while_the_other_side_reads_nothing() -> None:
    """The writer learns of it although nothing of what it sends is taken."""
    with ends() as both:
        filled(both.client)
        reset(both.client)
        time.sleep(0.4)
        with pytest.raises(ConnectionResetError):
            received(both.server, LARGE * 100)


def test_a_slow_reader_holds_the_sender() -> None:
    """The proxy keeps little of what the other side does not read, and loses nothing."""
    with ends() as both:
        sent = filled(both.server)
        assert LARGE // 100 < len(sent) < KERNEL + 2 * QUEUED
        assert digest(received(both.client, len(sent))) == digest(sent)


def test_a_refused_server_refuses_the_client(tmp_path: Path) -> None:
    """The client is reset, and a line says so once; the record shows that its server refused."""
    with listening() as server:
        address = url(server)
    path, lines = tmp_path / "out.pcapng", list[str]()
    with Proxy(address, ports=None, write=path, notice=lines.append) as proxy:
        for _ in range(2):
            with pytest.raises(ConnectionResetError):
                ask(proxy)
    (line,) = lines
    assert line.endswith(": Connection refused; clients are reset until it answers")


def test_connections_are_limited() -> None:
    """One too many is reset, with a line; the others work, and a place that is free is used."""
    lines: list[str] = []
    with listening() as server, proxied(server, connections=2, notice=lines.append) as proxy:
        kept = [connected(proxy, server) for _ in range(2)]
        with pytest.raises(ConnectionResetError):
            ask(proxy)
        assert lines == ["a client was refused: 2 connections are open (--max-connections)"]
        for both in kept:
            both.client.sendall(b"x")
            assert both.server.recv(1) == b"x"
        for end in kept[0][:2]:
            end.close()
        time.sleep(0.1)
        both = connected(proxy, server)
        both.client.sendall(b"y")
        assert both.server.recv(1) == b"y"
        for end in (*kept[1][:2], *both[:2]):
            end.close()


def test_many_connections() -> None:
    """Some hundred at once, and as many again; no descriptor is left."""
    with listening() as server, proxied(server) as proxy:
        before = descriptors()
        for _ in range(3):
            found = [connected(proxy, server) for _ in range(100)]
            for number, both in enumerate(found):
                both.server.sendall(b"%03d" % number)
            assert [received(each.client, 3) for each in found] == [
                b"%03d" % number for number in range(100)
            ]
            for both in found:
                both.client.close()
                both.server.close()
        until = time.monotonic() + TIMEOUT
        while descriptors() > before and time.monotonic() < until:
            gc.collect()
            time.sleep(0.02)
        assert descriptors() <= before


def test_a_side_is_read_when_no_cause_is_left() -> None:
    """Bytes that a fault holds back stay there while a slow reader is served."""
    with ends() as both:
        assert both.proxy._relay is not None
        (pair,) = both.proxy._relay._pairs
        leg = pair.legs[SERVER]
        for cause in (Cause.HELD, Cause.CONGESTED):
            leg.pause(cause)
        leg.resume(Cause.CONGESTED)
        both.server.sendall(b"held")
        both.client.settimeout(0.2)
        with pytest.raises(TimeoutError):
            both.client.recv(1)
        assert both.proxy._loop is not None
        both.proxy._loop.call_soon_threadsafe(leg.resume, Cause.HELD)
        both.client.settimeout(TIMEOUT)
        assert received(both.client, 4) == b"held"
