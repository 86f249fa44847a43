"""rsocket-java's own log of the frames that it sends and receives, beside our reading of them."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from tests.contracts.repository import ROOT

from streamshark.dissection.row import FrameRow
from streamshark.protocols.rsocket.codes import FrameType
from streamshark.session import Session

FOLDER = ROOT / "captures/rsocket/frame_log_java"
FRAME = re.compile(
    r"Frame => Stream ID: (\d+) Type: (\w+) Flags: 0b(\d+) Length: (\d+)"
    r"(?: InitialRequestN: (\d+))?(?: RequestN: (\d+))?$"
)
UNBOUNDED = 2**63 - 1
"""What the library says of a request for 0x7fffffff payloads."""
PAYLOADS = {"NEXT", "COMPLETE", "NEXT_COMPLETE"}
"""What the library calls PAYLOAD, by its flags."""


class Logged(NamedTuple):
    """What the log says of a frame."""

    stream: int
    type: str
    flags: int
    length: int
    n: int | None
    metadata: bytes | None
    data: bytes


def logged(direction: str) -> Iterator[Logged]:
    """The frames that one side has sent (`sending`) or the other received (`receiving`)."""
    text = (FOLDER / "frames.log").read_text()
    for entry in text.split("DEBUG io.rsocket.FrameLogger - ")[1:]:
        word, *lines = entry.splitlines()
        if not word.startswith(direction) or word.endswith("Disposed"):
            continue
        first, *lines = lines
        found = FRAME.fullmatch(first.strip())
        assert found, first
        stream, kind, flags, length, *numbers = found.groups()
        parts: dict[str, bytes] = {}
        part = ""
        for line in lines:
            if line in ("Metadata:", "Data:"):
                part = line
                parts[part] = b""
            elif row := re.match(r"\|[0-9a-f]{8}\|((?: [0-9a-f]{2})+) ", line):
                parts[part] += bytes.fromhex(row[1])
        n = next((int(each) for each in numbers if each), None)
        kind = "PAYLOAD" if kind in PAYLOADS else kind
        yield Logged(
            int(stream), kind, int(flags, 2), int(length), n, parts.get("Metadata:"), parts["Data:"]
        )


def ours() -> Iterator[Logged]:
    """The same of the frames of the capture."""
    for row in Session([str(FOLDER / "traffic.pcapng")]).rows():
        if isinstance(row, FrameRow):
            values = row.values
            data = values.get("data", b"")
            n = values.get("initial_request_n", values.get("request_n"))
            n = UNBOUNDED if n == 0x7FFFFFFF else n
            yield Logged(
                values["stream_id"], FrameType(row.key).name, values["flags"], len(row.data) - 3,
                n, values.get("metadata"), data,
            )  # fmt: skip


@pytest.mark.parametrize("direction", ["sending", "receiving"])
def test_the_library_logs_the_frames_that_we_read(direction: str) -> None:
    """Each one; of ERROR the log has no text, and that it is sent is logged as an exception."""
    found, log = Counter(ours()), Counter(logged(direction))

    assert log.total() > 40
    if direction == "sending":
        found = Counter({each: count for each, count in found.items() if each.type != "ERROR"})
    assert found == log
