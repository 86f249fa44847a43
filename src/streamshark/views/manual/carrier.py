"""A carrier's page of the manual: what it is, the protocols that it carries, its events."""

from collections.abc import Iterable

from streamshark.framing.carrier import Carriage, Carrier
from streamshark.protocols.protocol import Protocol
from streamshark.views.schema_text import table

TAKEN = {
    Carriage.MESSAGES: "each message is one frame",
    Carriage.BYTES: "messages one after the other are a stream of frames",
}


def carrier_page(carrier: Carrier, protocols: Iterable[Protocol]) -> str:
    """Return the page as Markdown."""
    protocols = tuple(protocols)
    lines = [f"# {carrier.title}", ""]
    lines += ["Generated from the code by `python -m streamshark.views.manual.write`.", ""]
    lines += [*carrier.card.strip().splitlines(), "", f"- id: `{carrier.id}`", ""]
    lines += ["## Protocols that it carries", ""]
    lines += table(
        ["Slot", "Taken as", "Protocols"],
        [
            [f"`{slot}`", TAKEN[takes], _links(slot, protocols)]
            for slot, takes in carrier.slots.items()
        ],
    )
    lines += ["", "## Events", ""]
    lines += [f'Rows with `protocol: "{carrier.id}"` and `kind: "event"`:', ""]
    lines += table(
        ["Event", "Meaning"], [[f"`{name}`", meaning] for name, meaning in carrier.events.items()]
    )
    return "\n".join(lines).rstrip() + "\n"


def _links(slot: str, protocols: Iterable[Protocol]) -> str:
    """Return links to the protocols that a slot may carry."""
    found = [each for each in protocols if slot in each.wire.carried_in]
    return ", ".join(f"[{each.title}]({each.wire.id}.md)" for each in found) or "none yet"
