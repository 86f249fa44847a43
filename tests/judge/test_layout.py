"""Every byte of a frame has an item below the frame's own, so that a click on it selects one."""

from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.builders import START_NS, STEP_NS, pcap
from tests.failures import Failures
from tests.judge import traffic
from tests.judge.judging import layers_with, printed
from tests.judge.test_captures import PROTOCOLS, plugin

BETWEEN = {"nats": 3}
"""How many bytes of text lines stand between fields: blanks, quotes, braces, commas of lists."""
MASKED = "***"
"""What items of secrets show; their bytes are of no item, since PDML would have them."""


def places(tree: ET.Element) -> set[int]:
    """Return the places of the bytes that the innermost items below a frame have.

    Bytes count by themselves: items below them may have places in what was unpacked.
    """
    found: set[int] = set()
    for each in tree.iter("field"):
        start, size = int(each.get("pos", 0)), int(each.get("size", 0))
        is_bytes = each.get("value", "-") == each.get("show", "").replace(":", "")
        if is_bytes or not any(int(inner.get("size", 0)) for inner in each):
            found |= set(range(start, start + size))
    return found


def lacking(packet: ET.Element, short: str) -> list[str]:
    """Return the frames of a packet that have bytes without an item."""
    found = []
    for frame in packet.iter("proto"):
        if frame.get("name") != short or MASKED in ET.tostring(frame, "unicode"):
            continue
        start, size = int(frame.get("pos", 0)), int(frame.get("size", 0))
        left = set(range(start, start + size)) - places(frame)
        longest = BETWEEN.get(short, 0)
        if any(left.issuperset(range(at, at + longest + 1)) for at in left):
            found.append(f"{frame.get('showname')}: {sorted(at - start for at in left)}")
    return found


def differences_of(file: Path, name: str) -> tuple[int, list[str]]:
    """Return how many packets of a file were compared in one pass and in two, and what differs."""
    count, found = 0, []
    protocol = PROTOCOLS[name]
    shown = ("-T", "pdml", "-J", layers_with(protocol))
    for passes in ((), ("-2",)):
        output = BytesIO(printed(file, plugin(name), *passes, *shown))
        for _, packet in ET.iterparse(output):  # noqa: S314 - tshark's
            if packet.tag == "packet":
                found += lacking(packet, protocol.wire.short)
                count += 1
                packet.clear()
    return count, found


@pytest.mark.parametrize("name", traffic.drawn(PROTOCOLS, "layout"))
def test_every_byte_has_an_item(name: str, tmp_path: Path) -> None:
    """Every byte has an item, but for blanks, quotes and braces of text lines, and secrets."""
    chosen = traffic.captures(name)[:: 1 if traffic.THOROUGH else 5]
    with Failures() as failures:
        for path in traffic.joined(chosen, tmp_path):
            with failures.of(str(path)):
                assert differences_of(path, name)[1] == []


def test_json_values_of_every_kind_have_items(tmp_path: Path) -> None:
    """Also values of a kind that the member does not have, and absent ones, which are null."""
    values = ("null", "true", "12", "-1.5e3", '"text"', "[]", '["a", "b"]', '{"a": null}')
    lines = [f'INFO {{"{n}" : {v}, "x": {v}}}' for v in values for n in ("host", "connect_urls")]
    lines += [f'CONNECT {{"lang": {v},"echo": {v} , "protocol":{v}}}' for v in values]
    talk = [traffic.Piece(line[0] == "I", f"{line}\r\n".encode()) for line in lines]
    made = tmp_path / "made.pcap"
    timed = enumerate(traffic.packets_of(talk, 1, 4222))
    made.write_bytes(pcap(each._replace(time_ns=START_NS + at * STEP_NS) for at, each in timed))
    count, told = differences_of(made, "nats")
    assert told == []
    assert count == 2 * (3 + len(lines))
