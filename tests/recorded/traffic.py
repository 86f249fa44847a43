"""Claims of what is read of a capture, against what was counted without our code.

`provenance.toml` says, written before we read the capture, whether it is healthy, how many frames
of each key each side sent (an independent reader over tshark's TCP layer), and how many bytes.
"""

import os
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.recorded.reading import PacketSpan, Reading, key_of
from tests.schema.reader_agreement import Layout, accepted, agree, shallow_of
from tests.views.test_tree_items import outside

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import PayloadReaders
from streamshark.fields.access import occurrences
from streamshark.fields.field import Getter
from streamshark.fields.registry import Fields
from streamshark.flows.ip import TcpHeader, find_tcp
from streamshark.framing.carrier import UNUSED
from streamshark.framing.wire_format import FrameTable
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.schema import LineHead
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.tree import FrameTree
from streamshark.views.tree_nodes import Subtrees

FAULTS = {"RMQ-A4": ("consumer_update_response", "trailing")}
"""Known faults of healthy reference clients that the bytes show: rule id to frame and problem."""
FOREIGN = {
    "http_on_stream_port": {"client": "HTTP"},
    "tls_on_plain_port": {"client": "TLS"},
    "amqp_port_by_mistake": {"server": "AMQP 0-9-1"},
    "amqp_port_by_mistake_js": {"server": "AMQP 1.0 (SASL)"},
}
"""Scenarios in which a side speaks another protocol, to its name."""
BEYOND: dict[str, dict[tuple[int | str, str], int]] = {
    "size_zero_4": {(0x8016, "client"): 1},
    "bug_characters_counted": {("pub", "client"): 3, ("ping", "client"): 2},
    "bug_crlf_counted": {("ping", "client"): 2},
    "bug_pub_with_headers": {("ping", "client"): 2},
}
"""Frames after a frame of size 0, or after malformed lines, where the independent reader stops."""
STORED = {
    "bug_envelopes_by_hand": {
        (0, "client"): 4, (0, "server"): 4, (1, "client"): 1, (1, "server"): 1,
    },
    "bug_checksum_of_another_polynomial": {(0, "client"): 25, (0, "server"): 25},
}  # fmt: skip
"""Envelopes that do not decode, and are read as what the server makes of them."""

LARGEST = 4096
"""Bytes of the largest frame that the reference, which is slow, reads."""
MOST_DRAWN = 3
"""Frames of each declaration whose tree is made."""
MOST_PLACED = 200
"""Frames of a capture that are read again from its file."""
MOST_AGREED = 100
"""Different frames of a capture that it reads."""
UNPROVED = {"starts_mid_connection_py", "starts_mid_frame_py"}
"""Scenarios without a SYN or a frame that only one side sends: whose frames they are is open."""


def frames_are_those_counted_independently(reading: Reading) -> None:
    """Count of every key on the wire, of each side."""
    expected = {
        (int(key, 16) if key.lstrip("-").startswith("0x") else key, sender): count
        for key, senders in reading.provenance["expected"].get("frames", {}).items()
        for sender, count in senders.items()
    }
    name = reading.name
    expected |= BEYOND.get(name, {})
    for key, count in STORED.get(name, {}).items():
        expected[key] -= count
    counted = Counter(
        (key_of(row.selector), row.sender)
        for row in reading.own
        if row.selector
        and (isinstance(row.selector.key, int) or isinstance(row.connection.table.head, LineHead))
        and not any(each.code.word == "length" for each in row.problems)
    )
    if name in UNPROVED:
        expected, counted = _by_key(expected), Counter(_by_key(counted))

    assert dict(counted) == expected


def calls_are_those_counted_independently(reading: Reading) -> None:
    """Count of every method, as tshark's HTTP/2 reads the paths."""
    counted = Counter(
        row.values["path"].rpartition("/")[2]
        for row in reading.frames
        if row.connection.wire.id == "grpc" and row.command == "call"
    )

    assert dict(counted) == reading.provenance["expected"].get("calls", {})


def _by_key(counts: Mapping[tuple[int | str, Any], int]) -> dict[Any, int]:
    """The same for both senders together."""
    out: Counter[int] = Counter()
    for (key, _), count in counts.items():
        out[key] += count
    return dict(out)


def every_byte_is_framed_or_skipped(reading: Reading) -> None:
    """Framed, skipped and unrecognised bytes are the payload that tshark counts.

    Where TLS was opened its plaintext is, and the records have the payload's length.
    """
    expected = reading.provenance["expected"]
    payload = sum(
        expected.get(f"{side}_bytes_captured", expected[f"{side}_bytes"])
        for side in ("client", "server")
    )
    totals = reading.session.dissector.totals()
    ours = totals.framed + sum((totals.skipped or {}).values())
    ours += sum(flow.encrypted - flow.decrypted for flow in reading.session.dissector.tracker.flows)

    assert ours + sum(each.payload for each in reading.session.dissector.unrecognised) == payload


def a_healthy_capture_has_no_problem(reading: Reading) -> None:
    """But for the faults that the provenance lists."""
    allowed = {FAULTS[rule] for rule in reading.provenance.get("faults", {}) if rule in FAULTS}
    problems = {(row.name, each.code.word) for row in reading.frames for each in row.problems}

    if reading.provenance["healthy"]:
        assert problems <= allowed
        assert not reading.session.dissector.damage


def shallow_values_are_the_values_with_lists_counted(reading: Reading) -> None:
    """Of every frame that fast reads; of others it is the values themselves."""
    for row in reading.frames:
        if row.decoder is not None:
            fast = accepted(row.decoder.fast, row.data)
            expected = None if fast is None else shallow_of(row.decoder.tree, fast)
            assert accepted(row.decoder.shallow, row.data) == expected
            assert row.values == row.decoder.read(row.data)[0]
            assert row.shallow == (row.values if expected is None else expected)


def the_reference_agrees(reading: Reading) -> None:
    """With fast and careful, on every frame that is not large: values, ranges, problems."""
    seen: set[bytes] = set()
    for row in reading.frames:
        if row.decoder is not None and len(row.data) <= LARGEST and row.data not in seen:
            seen.add(row.data)
            agree(layout_of(row.connection.table, row.decoder), row.data)
            if len(seen) == MOST_AGREED:
                break


@cache
def layout_of(table: FrameTable, decoder: Decoder) -> Layout:
    """What the reference reads a frame with."""
    return Layout.of_frame(decoder.tree.schema, table.head, table.wire.short)


def all_of_it_is_recognised(reading: Reading) -> None:
    """Every connection with bytes, but those of another program, or without a call."""
    others = reading.capture == "rabbitmq_stream/bug_frames_of_no_size"
    unread = reading.session.dissector.unrecognised
    assert any(not (each.kind or "").endswith(UNUSED) for each in unread) is others


def other_protocols_are_named(reading: Reading) -> None:
    """Once for each side that speaks one, over all its bytes, and nowhere else."""
    name = reading.name
    found = {
        str(row.sender): each.message
        for row in reading.frames
        for each in row.problems
        if each.code.word == "foreign"
    }
    expected = FOREIGN.get(name, {})

    assert found == {side: f"these bytes are {told}" for side, told in expected.items()}
    for row in reading.frames:
        if row.sender in expected:
            assert len(row.data) == reading.provenance["expected"][f"{row.sender}_bytes"]


def rows_are_in_order(reading: Reading) -> None:
    """(time, file, packet, flow, offset), and numbered in that order."""
    orders = [row.order for row in reading.rows]

    assert orders == sorted(orders)
    assert [row.number for row in reading.frames] == list(range(1, len(reading.frames) + 1))


def frames_are_at_their_places_in_the_file(reading: Reading) -> None:
    """Their bytes are the payloads of their packets, from the stated byte on."""
    carried = [row for row in reading.frames if row.connection.carrier or row.carrier]
    assert all(row.lead is None for row in carried)
    placed = [row for row in reading.frames if row.lead is not None]
    if reading.provenance.get("healthy") and not any(
        flow.encrypted for flow in reading.session.dissector.tracker.flows
    ):
        assert len(placed) >= 0.95 * (len(reading.frames) - len(carried))
    if not reading.packets:
        assert reading.path.suffix == ".gz"
        return
    with reading.path.open("rb") as file:
        for row in placed[:MOST_PLACED]:
            payloads = (_payload(file.fileno(), reading.packets[each]) for each in row.packets)
            data = b"".join(payloads)[row.lead :]
            assert data[: len(row.data)] == row.data, row.number


def _payload(file: int, span: PacketSpan) -> bytes:
    """Read the TCP payload of a packet from its file."""
    data = os.pread(file, span.captured, span.start)
    found = find_tcp(span.link, data, 0, span.captured, span.original)
    assert isinstance(found, TcpHeader)
    size = (data[found.header + 12] >> 4) * 4
    return data[found.header + size : min(found.end, found.captured_end)]


def items_of_trees_are_inside_their_bytes(reading: Reading) -> None:
    """The first frames of each declaration, with all that is unpacked and reassembled in them."""
    bodies, subtrees, shown = PayloadTree(_payloads(), "decoded"), Subtrees(), Counter[Any]()
    for row in reading.frames:
        if row.decoder is None or shown[row.decoder] == MOST_DRAWN:
            continue
        shown[row.decoder] += 1
        tree = FrameTree(row, subtrees, secrets=False, bodies=bodies)
        assert list(outside(tree.items)) == [], row.number
        printed = [each for item in tree.items for each in item.problems()]
        assert len(printed) >= len(row.problems), row.number


@cache
def _payloads() -> PayloadReaders:
    """Return what reads the slots of all protocols."""
    return layers(catalog(), formats())


def fields_are_those_of_the_values(reading: Reading) -> None:
    """Getters that read less than all of a frame give what its values have."""
    fields, shown = _fields(), Counter[Any]()
    for row in reading.frames:
        if row.decoder is None or shown[row.decoder] == MOST_DRAWN:
            continue
        shown[row.decoder] += 1
        tree, wire = row.decoder.tree, row.connection.wire
        for name, path in {tree.name(each): each.path for each in tree.named()}.items():
            getter = fields.getter(name, row.decoder, wire)
            assert isinstance(getter, Getter)
            given, wanted = list(getter.values(row)), occurrences(row.values, path)
            if not getter.many:
                wanted = [each for each in wanted if each is not None]
            assert given == wanted, (row.number, name)


@cache
def _fields() -> Fields:
    """Return the fields of all protocols."""
    return Fields(catalog(), _payloads())
