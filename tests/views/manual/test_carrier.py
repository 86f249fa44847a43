"""A carrier's page is written from the carrier."""

import dataclasses

from tests.framing.box_carrier import BOXES
from tests.framing.parcel_protocol import WIRE

from streamshark.protocols.protocol import Protocol
from streamshark.views.manual.carrier import carrier_page

PARCELS = Protocol(
    "Parcels", "A card.", dataclasses.replace(WIRE, carried_in=frozenset({"boxes.bytes"}))
)


def test_the_page_says_what_it_carries_and_its_events() -> None:
    """Slots with their protocols, events with their meaning."""
    page = carrier_page(BOXES, [PARCELS])

    assert page.startswith("# Boxes\n")
    assert "Made up." in page
    assert "| `boxes.message` | each message is one frame | none yet |" in page
    assert "| `boxes.bytes` | messages one after the other are a stream of frames " in page
    assert "| [Parcels](parcels.md) |" in page
    assert "| `empty` | A box with nothing in it. |" in page
