"""Records that `flows` emits: segments in order, gaps and connection events.

A flow is one TCP connection; its two sides are 0 (the endpoint whose packet was seen first) and 1.
Offsets count the bytes of one side's stream from 0: the byte after the SYN, or the first captured
byte if the SYN was not captured. The records of one flow come in the order in which they must be
processed.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from streamshark.flows.trouble import Trouble

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
    """Number of the packet that made them readable: `origin`, or the one that closed a hole."""
    time_ns: int
    """Time of `packet`."""
    file: int
    """File of `packet`."""
    origin_file: int
    window: int
    """The TCP header's window field, unscaled."""
    flags: int
    """The TCP flags: FIN 1, SYN 2, RST 4, PSH 8, ACK 16, URG 32, ECE 64, CWR 128."""
    is_payload: bool
    """True if `data` is all captured payload of packet `origin`, as it is in the file; False for
    part of it (the rest had been seen before), for datagrams reassembled from fragments, and for
    what is decrypted."""


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
    """A change of a connection's state: opened, one side closed, reset, or never opened."""

    flow: int
    side: int
    """The side that sent the packet."""
    name: str
    """`open` (SYN), `close` (FIN, once all bytes before it are passed on), `reset` (RST), `refused`
    (RST in answer to the SYN), `unanswered` (retransmitted SYN without an answer)."""
    packet: int
    time_ns: int
    file: int
    offset: int
    """Position in the side's stream; 0 for `open`."""


@dataclass(slots=True)
class Flow:
    """What is known of one connection; it is updated as packets arrive."""

    number: int
    """0-based, in order of first appearance: Wireshark's tcp.stream."""
    addresses: tuple[str, str]
    """`address:port` of side 0 and side 1, IPv6 in brackets."""
    ports: tuple[int, int]
    client: int | None = None
    """The side that opened the connection; None if no SYN was captured."""
    first_packet: int = 0
    """Number of its first packet, in file `first_file`."""
    first_file: int = 0
    packets: int = 0
    payload: int = 0
    """Captured TCP payload bytes of both sides, repeats counted."""
    repeated: int = 0
    """Payload bytes of both sides that had been seen before (retransmissions, overlaps, keep-alive
    probes) or arrived after they had been given up."""
    copies: int = 0
    """Packets with payload that are proved to be duplicates: captured on `any`, or by two taps."""
    copied: int = 0
    """Their payload bytes, which are not among `repeated`."""
    encrypted: int = 0
    """Bytes of TLS that were replaced by `decrypted` bytes of plaintext, both sides."""
    decrypted: int = 0
    ignored: int = 0
    """Payload bytes out of range of their stream, both sides."""
    trouble: tuple[Trouble, Trouble] = field(default_factory=lambda: (Trouble(), Trouble()))
    """Of side 0 and side 1."""
    handshake_ns: tuple[int, int] | None = None
    """Time in ns from SYN to SYN+ACK (round trip between the capture point and the server), and
    from there to ACK (to the client); their sum is Wireshark's tcp.analysis.initial_rtt. None if
    unknown."""
    attempt_ns: tuple[int, int] | None = None
    """Time of the first and of the last SYN, once they are taken for unanswered."""
    is_holding: bool = False
    """Whether bytes wait for earlier ones, which later packets may bring or prove lost."""

    def count_packet(self) -> None:
        """Count a packet."""
        self.packets += 1

    def learn_client(self, client: int | None) -> None:
        """Set the client's side as the protocol has proved it."""
        self.client = client
