"""Copies of captures with comments added to packets."""

import io
from pathlib import Path

import pytest
from tests.failures import every

from streamshark.capture import Capture, CaptureError, open_capture
from streamshark.capture.commenting import commented
from streamshark.capture.pcapng import SIMPLE_PACKET
from streamshark.capture.pcapng_writer import PcapngWriter, block

CAPTURES = Path("captures")
COPIED = ("rabbitmq_stream/bug_credit_never_renewed", "pravega/long_run_java", "nats/tls_py")


def traffic(scenario: str) -> str:
    """Return the file of a recorded capture."""
    return str(next((CAPTURES / scenario).glob("traffic.*")))


def packets(capture: Capture) -> list[tuple[object, ...]]:
    """Return time, bytes and length of the packets of a capture."""
    return [
        (each.times[at], each.data[start : start + each.captured[at]], each.original[at])
        for each in capture.batches()
        for at, start in enumerate(each.starts)
    ]


@every("scenario", COPIED)
def test_a_copy_has_all_packets_and_the_comments(scenario: str) -> None:
    """Packets, interfaces and secrets are as they were; a second copy keeps earlier comments."""
    source = traffic(scenario)
    first = b"".join(commented([source], {(0, 3): ["one", "zw\u00f6lf"]}))
    copy, original = open_capture(io.BytesIO(first)), open_capture(source)
    assert packets(copy) == packets(original)
    assert copy.secrets == original.secrets or len(copy.secrets) == len(original.secrets)
    kept = [each[1:3] for each in original.comments if each.kind == "packet"]
    found = [each[1:3] for each in copy.comments if each.kind == "packet"]
    assert found == sorted([*kept, (3, "one"), (3, "zw\u00f6lf")], key=lambda each: each[0])


def test_comments_follow_those_that_are_there(tmp_path: Path) -> None:
    """Another comment on a packet comes after its earlier ones, also in several captures."""
    once, source = tmp_path / "once.pcapng", traffic(COPIED[0])
    once.write_bytes(b"".join(commented([source], {(0, 3): ["one"]})))
    names = [str(once), str(once)]
    twice = b"".join(commented(names, {(0, 3): ["two"], (1, 4): ["other"]}))
    copy = open_capture(io.BytesIO(twice))
    count = len(packets(copy))
    found = [each.text for each in copy.comments if each.kind == "packet"]
    assert sorted(found) == ["one", "one", "other", "two"]
    assert found.index("two") == found.index("one") + 1 or found[-1] == "two"
    assert count == 2 * len(packets(open_capture(str(once))))


def test_blocks_without_options_have_no_comments(tmp_path: Path) -> None:
    """A Simple Packet Block cannot have a comment, and is copied without one."""
    writer = PcapngWriter()
    simple = block(SIMPLE_PACKET, (4).to_bytes(4, "little") + b"abcd")
    file = tmp_path / "simple.pcapng"
    file.write_bytes(writer.section() + writer.interface(1) + simple)
    assert simple in b"".join(commented([str(file)], {}))
    with pytest.raises(CaptureError, match="packet 1 cannot have comments"):
        b"".join(commented([str(file)], {(0, 1): ["why"]}))
