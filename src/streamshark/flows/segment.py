"""What `flows` hands on: bytes of one direction in order, what is missing, and what TCP did.

A flow is one TCP connection; its two sides are 0 (the endpoint whose packet was seen first) and 1.
Offsets count the bytes of one side's stream from 0: the byte after the SYN, or the first byte that
was captured where the SYN was not. The three records of one flow come in the order in which a
reader must see them.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

ATTEMPTS = frozenset({"refused", "unanswered"})
"""Events that end a connection that was never open."""
TORN = ATTEMPTS | {"reset"}
"""Events that end both sides at once."""


class Segment(NamedTuple):
    """Bytes of one side, next in order: `offset` is where the previous segment or gap ended."""

    flow: int
    """Number of the connection, 0-based: Wireshark's tcp.stream."""
    side: int
    offset: int
    """Offset of the first byte in this side's stream."""
    data: bytes
    """The payload, without bytes that an earlier segment has already brought."""
    origin: int
    """Number of the packet that carried these bytes (in file `origin_file`)."""
    packet: int
    """Number of the packet that made them readable: `origin`, or the one that ended a hole."""
    time_ns: int
    """Time of `packet`."""
    file: int
    """File of `packet`."""
    origin_file: int
    window: int
    """The TCP header's window field, unscaled."""
    flags: int
    """The TCP flags: FIN 1, SYN 2, RST 4, PSH 8, ACK 16, URG 32, ECE 64, CWR 128."""
    retransmitted: bool
    """True when part of this packet's bytes had been seen before."""


class Gap(NamedTuple):
    """Bytes of one side that no packet brought; what follows continues at `offset + length`."""

    flow: int
    side: int
    offset: int
    length: int
    packet: int
    """The packet at which the bytes were given up."""
    time_ns: int
    file: int
    reason: str
    """`lost` (never captured), `snapped` (the capture's snap length cut them off), or `encrypted`
    (TLS that could not be decrypted, its length that of the ciphertext)."""


class FlowEvent(NamedTuple):
    """A connection opened, one side closed, it was reset, or the attempt to open it failed."""

    flow: int
    side: int
    """The side that sent the packet."""
    name: str
    """`open` (SYN), `close` (FIN, once all bytes before it are handed on), `reset` (RST), `refused`
    (RST in answer to the SYN), `unanswered` (SYN sent again, and nothing came)."""
    packet: int
    time_ns: int
    file: int
    offset: int
    """Where in the side's stream it stands; 0 for `open`."""


@dataclass(slots=True)
class Trouble:
    """What the packets of one side say of the network, and of the program that sends them."""

    retransmissions: int = 0
    """Packets with payload that had been seen before; keep-alive probes and copies left out."""
    out_of_order: int = 0
    """Packets with payload that later packets had overtaken: disorder, or sent again for ones that
    were lost before the place of the capture."""
    zero_windows: int = 0
    """Packets that say that no more bytes can be taken: the program here reads too slowly. SYN, FIN
    and RST left out, as in Wireshark's tcp.analysis.zero_window."""
    zero_window: tuple[int, int] = field(default=(0, 0), kw_only=True)
    """File and number of the last of them; 0 and 0 without one."""


@dataclass(slots=True)
class Flow:
    """What is known of one connection; grows as packets come."""

    number: int
    """0-based, in order of first appearance: Wireshark's tcp.stream."""
    addresses: tuple[str, str]
    """`address:port` of side 0 and side 1, IPv6 in brackets."""
    ports: tuple[int, int]
    client: int | None = None
    """The side that opened the connection; None when no SYN was seen."""
    first_packet: int = 0
    """In file `first_file`."""
    first_file: int = 0
    packets: int = 0
    payload: int = 0
    """Captured TCP payload bytes, both sides, repeats counted."""
    repeated: int = 0
    """Payload bytes that had been seen before (retransmissions, overlaps, keep-alive probes) or
    came after they had been given up, both sides."""
    copies: int = 0
    """Packets with payload that are proved to be others captured again: on `any`, by two taps."""
    copied: int = 0
    """Their payload bytes, which are not among `repeated`."""
    encrypted: int = 0
    """Bytes of TLS in place of which `decrypted` bytes of plaintext were handed on, both sides."""
    decrypted: int = 0
    ignored: int = 0
    """Payload bytes too far from where their stream stood to belong to it, both sides."""
    trouble: tuple[Trouble, Trouble] = field(default_factory=lambda: (Trouble(), Trouble()))
    """Of side 0 and side 1."""
    handshake_ns: tuple[int, int] | None = None
    """From SYN to SYN+ACK, the way to the server and back as seen from where was captured, and from
    there to ACK, the way to the client; their sum is Wireshark's tcp.analysis.initial_rtt."""
    is_holding: bool = False
    """Whether bytes wait for earlier ones, which later packets may bring or prove lost."""
