"""Records that `flows` emits: segments in order, gaps and connection events.

A flow is one TCP connection; its two sides are 0 (the endpoint whose packet was seen first) and 1.
Offsets count the bytes of one side's stream from 0: the byte after the SYN, or the first captured
byte if the SYN was not captured. The records of one flow come in the order in which they must be
processed.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

ATTEMPTS = frozenset({"refused", "unanswered"})
"""Events that end a connection that was never open."""
MOST_SIGNS = 1024
"""Fewest signs of trouble of a side that are remembered by packet: more than a reading is ahead of
the rows that it has made."""
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


class Sign(NamedTuple):
    """A sign of trouble in a packet: a zero window, or else a retransmission."""

    at: tuple[int, int, int]
    """Time in ns, file and number of the packet."""
    is_zero_window: bool


@dataclass(slots=True)
class Trouble:
    """Signs of trouble in the packets of one side, in the network or in the sending program."""

    retransmissions: int = 0
    """Packets with payload that had been seen before; without keep-alive probes and duplicates."""
    out_of_order: int = 0
    """Packets with payload that later packets had overtaken: reordered, or retransmitted after a
    loss upstream of the capture."""
    zero_windows: int = 0
    """Packets with a zero window: the program on this side reads too slowly. Without SYN, FIN and
    RST, as in Wireshark's tcp.analysis.zero_window."""
    zero_window: tuple[int, int] = field(default=(0, 0), kw_only=True)
    """File and number of the last of them; 0 and 0 without one."""
    signs: "list[Sign]" = field(default_factory=list, kw_only=True, repr=False, compare=False)
    """The latest zero windows and retransmissions, by packet."""
    dropped: int = field(default=0, kw_only=True, repr=False, compare=False)
    """Number of earlier signs that are only counted."""

    def add(self, later: "Trouble") -> None:
        """Add the signs of later packets."""
        self.retransmissions += later.retransmissions
        self.out_of_order += later.out_of_order
        self.zero_windows += later.zero_windows
        if later.zero_windows:
            self.zero_window = later.zero_window
        self.signs += later.signs

    def see_zero_window(self, at: tuple[int, int, int]) -> None:
        """Count a zero window in a packet, given by its time in ns, file and number."""
        self.zero_windows += 1
        self.zero_window = at[1:]
        self._sign(Sign(at, is_zero_window=True))

    def see_retransmission(self, at: tuple[int, int, int]) -> None:
        """Count a retransmission in a packet, given by its time in ns, file and number."""
        self.retransmissions += 1
        self._sign(Sign(at, is_zero_window=False))

    @property
    def total(self) -> int:
        """Number of zero windows and retransmissions that were seen by packet."""
        return self.dropped + len(self.signs)

    def _sign(self, sign: "Sign") -> None:
        self.signs.append(sign)
        if len(self.signs) >= 2 * MOST_SIGNS:
            del self.signs[:MOST_SIGNS]
            self.dropped += MOST_SIGNS

    def count(self, sign: "Sign") -> None:
        """Count a sign of another record of the same side."""
        if sign.is_zero_window:
            self.zero_windows += 1
            self.zero_window = sign.at[1:]
        else:
            self.retransmissions += 1


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
    is_holding: bool = False
    """Whether bytes wait for earlier ones, which later packets may bring or prove lost."""

    def count_packet(self) -> None:
        """Count a packet."""
        self.packets += 1

    def add(self, later: "Flow") -> None:
        """Add the counts of later packets of the same connection."""
        self.packets += later.packets
        self.payload += later.payload
        self.repeated += later.repeated
        self.copies += later.copies
        self.copied += later.copied
        self.ignored += later.ignored

    def learn_client(self, client: int | None) -> None:
        """Set the client's side as the protocol has proved it."""
        self.client = client
