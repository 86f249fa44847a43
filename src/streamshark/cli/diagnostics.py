"""What is said on stderr after a reading: damage, notes, connections that nothing recognised."""

from collections.abc import Mapping

from streamshark.cli.output import complain
from streamshark.errors import StreamsharkError
from streamshark.session import Session, Unrecognised

MOST_FLOWS = 4
"""Connections named when nothing was recognised."""


def tell_damage(session: Session) -> bool:
    """One line for each capture that is damaged; raises when nothing at all could be read."""
    for name, sentence in session.damage:
        complain(f"{name}: {sentence}")
    if session.damage and not any(each.packets for each in session.captures):
        raise StreamsharkError("nothing could be read")
    return bool(session.damage)


def tell_notes(session: Session) -> None:
    """One line for each thing else that a user must know, such as TLS that stayed closed."""
    for note in session.notes:
        complain(note)


def tell_unrecognised(session: Session) -> None:
    """One line that names the connections of a session in which no frame was found."""
    complain(nothing_read(session))


def nothing_read(session: Session) -> str:
    """Say why no frame was found."""
    names = ", ".join(each.name for each in session.captures)
    known = ", ".join(each.wire.id for each in session.protocols) or "none"
    flows = session.unrecognised
    if not flows and session.spoken:
        return f"{names}: no frame of a known protocol ({known}); the events tell why"
    if not flows:
        packets = sum(each.packets for each in session.captures)
        return f"{names}: no TCP payload in {packets} packets"
    return (
        f"{names}: no known protocol ({known}) in {_named(flows)}; "
        "-d tcp.port==N,PROTOCOL reads a port as one"
    )


def tell_carried(session: Session) -> None:
    """One line that names the connections whose carrier is known, and not what rides on it."""
    flows = [each for each in session.unrecognised if each.carrier]
    if flows:
        complain(f"no known protocol in {_named(flows)}")


def _named(flows: list[Unrecognised]) -> str:
    """Connections, those with most bytes first."""
    flows = sorted(flows, key=lambda each: -each.payload)
    shown = ", ".join(
        f"{each.addresses[0]} - {each.addresses[1]} (flow {each.flow}, {each.payload} bytes"
        f"{f' of {each.carrier}' if each.carrier else ''})"
        for each in flows[:MOST_FLOWS]
    )
    return f"{shown} and {len(flows) - MOST_FLOWS} more" if len(flows) > MOST_FLOWS else shown


def tell_capped(capped: Mapping[str, int]) -> None:
    """One line for each thing of which there was too much to remember all."""
    for name, count in capped.items():
        complain(f"too many {name} to remember all: {count:,} were let go, the oldest first")
