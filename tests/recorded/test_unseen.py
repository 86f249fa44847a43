"""Every frame of every protocol is in some capture, or on the list of what none shows.

`captures/<protocol>/unseen.toml` has a table `[[unseen]]` with key, sender, reason and, where
frames carry one, version. The list can only shrink: what a capture shows must not stand there.
"""

import tomllib
from functools import cache
from pathlib import Path

import pytest
from tests.recorded.index import FRAME, of

from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.catalog import catalog
from streamshark.schema import Sender

CAPTURES = Path(__file__).parents[2] / "captures"
WIRES = {each.wire.id: each.wire for each in catalog() if (CAPTURES / each.wire.id).is_dir()}
Shape = tuple[int | str, int | None, str]
"""Key on the wire with the response bit (of a text protocol the verb), version, sender."""


@cache
def seen(protocol: str) -> set[Shape]:
    """Return what all captures of a protocol show, frames without a schema left out.

    The captures' lines say it, which the tests of the captures hold.
    """
    found: set[Shape] = set()
    for line in of(protocol):
        for each in line.shows:
            word, *about = each.split(" ")
            if word == FRAME:
                key, version, sender, _ = about
                number = int(key) if key.lstrip("-").isdigit() else key
                found.add((number, None if version == "None" else int(version), sender))
    return found


def declared(wire: WireFormat) -> set[Shape]:
    """Every key, version and sender of the default dialect's frames, in their usual form."""
    out: set[Shape] = set()
    for decoder in wire.table().all:
        schema = decoder.tree.schema
        both = schema.sender is Sender.BOTH
        senders = ("client", "server") if both else (schema.sender.value,)
        key = schema.key
        if isinstance(key, int) and _answers(wire):
            key |= schema.response_bits[0] << 15
        out |= {(key, schema.version, sender) for sender in senders}
    return out


def _answers(wire: WireFormat) -> bool:
    """Whether the head has a response bit."""
    return getattr(wire.heads[""], "response", None) is not None


def listed(protocol: str) -> list[dict[str, object]]:
    """The tables of the list."""
    path = CAPTURES / protocol / "unseen.toml"
    tables: list[dict[str, object]] = tomllib.loads(path.read_text())["unseen"]
    return tables


def is_listed(shape: Shape, tables: list[dict[str, object]]) -> bool:
    """Whether a table is about this frame."""
    key, version, sender = shape
    return any(
        (int(str(each["key"]), 16) if isinstance(key, int) else each["key"]) == key
        and each["sender"] == sender
        and each.get("version", version) == version
        for each in tables
    )


@pytest.mark.parametrize("protocol", WIRES)
def test_every_frame_is_seen_or_listed(protocol: str) -> None:
    """Nothing is claimed to be read that no capture shows without saying so."""
    tables = listed(protocol)
    missing = declared(WIRES[protocol]) - seen(protocol)

    assert sorted((each for each in missing if not is_listed(each, tables)), key=str) == []


@pytest.mark.parametrize("protocol", WIRES)
def test_nothing_listed_has_been_seen(protocol: str) -> None:
    """And every line has its reason."""
    tables = listed(protocol)

    assert [each for each in sorted(seen(protocol), key=str) if is_listed(each, tables)] == []
    assert all(each["reason"] for each in tables)
