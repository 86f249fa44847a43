"""The recording: what passed, as packets that other programs accept; whole blocks or none."""

import os
import stat
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.proxy.ends import ask, connected, ends, listening, proxied, received, reset, url
from tests.reading import ALONE, Records, events, follow_file, stream

from streamshark.capture import open_capture
from streamshark.errors import StreamsharkError
from streamshark.proxy import Proxy
from streamshark.proxy.recorder import (
    LARGE,
    LONGEST_WAIT,
    MOST_WAITING,
    RESERVED,
    LegRecord,
    Recorder,
    Ring,
)

if TYPE_CHECKING:
    from collections.abc import Callable

CLIENT, SERVER = ("127.0.0.1", 40_000), ("127.0.0.1", 5552)
BAD = (
    "tcp.analysis.flags || tcp.flags.reset == 1 && tcp.len > 0 || _ws.malformed"
    " || ip.checksum.status == 0"
)


def records(path: Path) -> Records:
    """What a reader finds in a recording."""
    return follow_file(path.read_bytes(), 1 << 16)


def test_a_connection_is_recorded_on_both_legs(tmp_path: Path) -> None:
    """Bytes, FIN of both sides, the interfaces; only the owner may read it; tshark agrees."""
    path, large = tmp_path / "out.pcapng", os.urandom(300_000)
    with ends(path, both=True) as both:
        both.client.sendall(b"hello")
        assert received(both.server, 5) == b"hello"
        both.server.sendall(large)
        assert received(both.client, len(large)) == large
        client, server = both.client.getsockname(), both.server.getsockname()
        both.client.close()
        assert both.server.recv(1) == b""

    found = records(path)
    for flow in (0, 1):
        assert stream(found, 0, flow) == b"hello"
        assert stream(found, 1, flow) == large
    assert Counter(name for name, _, _ in events(found)) == {"open": 2, "close": 4}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    capture = open_capture(path)
    batches = list(capture.batches())
    assert [each.name for each in capture.interfaces] == ["client", "server"]
    packets = b"".join(each.data for each in batches)
    for port in (client[1], server[1]):
        assert port.to_bytes(2) in packets


@pytest.mark.process
def test_tshark_finds_nothing_wrong(tmp_path: Path) -> None:
    """With connections that end, are reset by either side, and use the same ports again."""
    path = tmp_path / "out.pcapng"
    with listening() as server, proxied(server, write=path) as proxy:
        for number in range(60):
            both = connected(proxy, server)
            both.client.sendall(os.urandom(9_000))
            received(both.server, 9_000)
            both.server.sendall(b"x" * 100_000)
            received(both.client, 100_000)
            end = both[number % 2]
            if number % 3:
                reset(end)
            else:
                end.close()
            both[1 - number % 2].close()
    command = ["tshark", "-r", str(path), "-o", "ip.check_checksum:TRUE", "-Y", BAD]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=ALONE)

    assert done.stdout == ""
    names = Counter(name for name, _, _ in events(records(path)))
    assert names["open"] == 60
    assert names["reset"] == 40


def test_a_server_that_refuses(tmp_path: Path) -> None:
    """The record shows the attempt of the client, and that it was refused."""
    path = tmp_path / "out.pcapng"
    with listening() as server:
        address = url(server)
    with Proxy(address, ports=None, write=path) as proxy, pytest.raises(ConnectionResetError):
        ask(proxy)

    assert [name for name, _, _ in events(records(path))] == ["open", "refused"]


def test_a_ring_of_files(tmp_path: Path) -> None:
    """Each file is a capture by itself, with the secrets so far; the oldest are deleted."""
    begun: list[Path] = []
    ring = Ring(bytes=10_000, files=2)
    recorder = Recorder(tmp_path / "out.pcapng", ring=ring, begun=begun.append)
    recorder.secrets(b"CLIENT_RANDOM 00 11\n")
    leg = LegRecord(recorder, 0, CLIENT, SERVER)
    leg.opened()
    for _ in range(5):
        leg.sent(0, bytes(8_000))
    recorder.close()

    kept = sorted(tmp_path.iterdir())
    assert kept == begun[-2:]
    assert len(begun) == 3
    assert begun[0].name.startswith("out_00001_2")
    for each in kept:
        capture = open_capture(each)
        assert sum(map(len, capture.batches())) > 0
        assert capture.damage is None
        assert [one.data for one in capture.secrets] == [b"CLIENT_RANDOM 00 11\n"]


def test_large_packets_wait_and_are_written_in_order(tmp_path: Path) -> None:
    """Until a small one comes, keys come, they are many, their time is over, or the file ends."""
    late: list[tuple[float, Callable[[], object]]] = []
    path, sent = tmp_path / "out.pcapng", bytearray()
    recorder = Recorder(path, later=lambda *call: late.append(call))
    leg = LegRecord(recorder, 0, CLIENT, SERVER)

    def written(size: int) -> bool:
        """Whether bytes of a length, sent now, are in the file at once, and all before them."""
        data = os.urandom(size)
        sent.extend(data)
        leg.sent(0, data)
        return stream(records(path), 0) == sent

    leg.opened()
    assert written(1)
    assert not written(LARGE)
    assert written(1)
    assert not written(LARGE)
    recorder.secrets(b"CLIENT_RANDOM 00 11\n")
    assert stream(records(path), 0) == sent
    assert [written(MOST_WAITING // 4) for _ in range(4)] == [False, False, False, True]
    assert not written(LARGE)
    assert [seconds for seconds, _ in late] == [LONGEST_WAIT], "one call at a time is wanted"
    late.pop()[1]()
    assert stream(records(path), 0) == sent
    assert not written(LARGE)
    assert len(late) == 1
    recorder.close()
    late.pop()[1]()
    assert stream(records(path), 0) == sent
    assert path.stat().st_blocks * 512 < len(sent) + RESERVED // 2, "room that was reserved is kept"

    begun: list[Path] = []
    recorder = Recorder(path, ring=Ring(bytes=LARGE), begun=begun.append, later=lambda *_: None)
    LegRecord(recorder, 0, CLIENT, SERVER).sent(0, bytes(LARGE))
    recorder.close()
    assert len(begun) == 2, "a file that is full is not continued"


def test_a_full_disk_ends_the_recording_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file ends after a whole block, with a comment; there is one line."""
    lines: list[str] = []
    room = 20_000
    real = os.writev

    def full(file: int, blocks: list[bytes]) -> int:
        left = room - os.fstat(file).st_size
        if left < sum(map(len, blocks)):
            os.write(file, b"".join(blocks)[:left])
            raise OSError(28, "No space left on device")
        return real(file, blocks)

    monkeypatch.setattr(os, "writev", full)
    path = tmp_path / "out.pcapng"
    with ends(path, notice=lines.append) as both:
        both.client.sendall(bytes(100_000))
        assert received(both.server, 100_000) == bytes(100_000)
        both.server.sendall(b"still here")
        assert received(both.client, 10) == b"still here"
        assert both.proxy.recorder is not None
        assert both.proxy.recorder.failure == "No space left on device"

    assert len(lines) == 1
    assert lines[0].endswith(
        "recording ended: No space left on device; connections are relayed all the same"
    )
    capture = open_capture(path)
    assert sum(map(len, capture.batches())) == 3
    assert capture.damage is None
    assert [each.text for each in capture.comments] == [
        "the recording ends here: No space left on device"
    ]


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A folder that is missing, a device."""
    for path in (tmp_path / "none" / "out.pcapng", Path("/dev/null")):
        with pytest.raises(StreamsharkError, match=f"{path}: cannot be written"):
            Recorder(path)
