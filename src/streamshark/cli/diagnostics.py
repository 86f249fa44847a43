"""What a command reports on stderr after a reading: damage, notes, unrecognised connections."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from streamshark.cli.output import complain
from streamshark.errors import StreamsharkError
from streamshark.retirement import Unrecognised
from streamshark.session import Session

if TYPE_CHECKING:
    from streamshark.conversations.bodies import Bodies

MOST_FLOWS = 4
"""Most connections named if nothing was recognised."""


def report_damage(session: Session) -> bool:
    """Print a line for each damaged capture; return whether there was one.

    Raises:
        StreamsharkError: A capture is damaged, and no packet could be read from any.
    """
    for name, sentence in session.dissector.damage:
        complain(f"{name}: {sentence}")
    if session.dissector.damage and not any(each.packets for each in session.captures):
        raise StreamsharkError("no packet could be read")
    return bool(session.dissector.damage)


def report_notes(session: Session) -> None:
    """Print a line for each note of the session, such as TLS that was not decrypted."""
    for note in session.dissector.notes:
        complain(note)


def report_unrecognised(session: Session) -> None:
    """Print why no frame was found in the captures of a session."""
    complain(nothing_read(session))


def nothing_read(session: Session) -> str:
    """Return a sentence that explains why no frame was found."""
    names = ", ".join(each.name for each in session.captures)
    known = ", ".join(each.wire.id for each in session.protocols) or "none"
    flows = session.dissector.unrecognised
    if not flows and session.dissector.spoken:
        return f"{names}: no frame of a known protocol ({known}); the events show why"
    if not flows:
        packets = sum(each.packets for each in session.captures)
        return f"{names}: no TCP payload in {packets} packets"
    closed = [each for each in flows if each.is_tls]
    advice = ["-o tls.keylog_file:FILE decrypts TLS"] if closed else []
    if len(closed) < len(flows):
        advice.append("-d tcp.port==N,PROTOCOL decodes a port as one of them")
    return f"{names}: no known protocol ({known}) in {_named(flows)}; {', '.join(advice)}"


def report_carried(session: Session) -> None:
    """Print the connections whose carrier is known, but not the protocol it carries."""
    flows = [each for each in session.dissector.unrecognised if each.carrier]
    if flows:
        complain(f"no known protocol in {_named(flows)}")


def _named(flows: list[Unrecognised]) -> str:
    """Return connections as text, those with most bytes first, at most `MOST_FLOWS`."""
    flows = sorted(flows, key=lambda each: -each.payload)
    shown = ", ".join(
        f"{each.addresses[0]} - {each.addresses[1]} (flow {each.flow}, {each.payload} bytes"
        f"{f' of {each.kind}' if each.kind else ''})"
        for each in flows[:MOST_FLOWS]
    )
    return f"{shown} and {len(flows) - MOST_FLOWS} more" if len(flows) > MOST_FLOWS else shown


def report_evictions(capped: Mapping[str, int]) -> None:
    """Print a line for each kind of object that was evicted because there were too many."""
    for name, count in capped.items():
        complain(f"limit of {name} reached: {count:,} dropped; their state is unknown")


def report_sample(bodies: "Bodies | None") -> None:
    """Print that only some message bodies were judged, if some were left out."""
    if bodies is not None and bodies.left_out:
        complain("only a sample of the message bodies was judged; --all-bodies judges all")
