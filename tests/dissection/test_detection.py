"""A connection is recognised by its content, and left alone when it is not ours."""

import dataclasses
import re

from tests.framing.parcel_protocol import (
    SPOKEN,
    TICKS,
    WIRE,
    detect,
    flow,
    parcel,
    segment,
    segments,
    send,
    signed,
)

from streamshark.dissection.connection import Connection
from streamshark.dissection.detection import (
    FIRST_BYTES,
    MOST_BYTES,
    MOST_STRAY,
    Undecided,
    accepting,
)
from streamshark.dissection.known_servers import KnownServers
from streamshark.flows.segment import FlowEvent, Gap
from streamshark.framing.carried import Route
from streamshark.framing.wire_format import Evidence, Guess, Level

ROUTES = (Route(WIRE.table()), Route(SPOKEN.table()))


def undecided(client: int | None = 0) -> Undecided:
    """A connection nothing is known of."""
    return Undecided(flow(client), ROUTES)


def test_whole_frames_decide() -> None:
    """The first frame that ends the bytes is enough from the start of a connection."""
    verdict = undecided().feed(segment(send()))

    assert verdict is not None
    assert verdict.connection is not None
    assert verdict.connection.wire is WIRE
    assert verdict.connection.reason == "parcels line up"


def test_the_surest_wire_is_taken() -> None:
    """Text lines are not parcels."""
    verdict = undecided().feed(segment(b"SAY 2\r\nhi\r\n"))

    assert verdict is not None
    assert verdict.connection is not None
    assert verdict.connection.wire is SPOKEN


def test_byte_by_byte_is_decided_as_in_one_piece() -> None:
    """What was held is handed on whole."""
    made = undecided()
    for each in segments(send() + TICKS, 1):
        verdict = made.feed(each)
        if verdict:
            break

    assert verdict is not None
    assert verdict.connection is not None
    assert len(verdict.held) == len(send())


def test_a_foreign_start_is_left_alone_once_both_sides_have_spoken() -> None:
    """One odd side may still be answered in our protocol."""
    made = undecided()

    assert made.feed(segment(b"\xff" * 100)) is None
    verdict = made.feed(segment(b"\xff" * 100, side=1))
    assert verdict is not None
    assert verdict.connection is None


def test_the_other_side_may_tell() -> None:
    """A client of another protocol on our server's port."""
    made = undecided()
    made.feed(segment(b"\xff" * 100))
    verdict = made.feed(segment(signed() * 2, side=1))

    assert verdict is not None
    assert verdict.connection is not None


def mistaken(answer: bytes, handshake: tuple[int, int] | None = (1, 1)) -> Connection | None:
    """Another protocol on the wire's own port, and what the server says to that."""
    wire = dataclasses.replace(
        WIRE, foreign={b"GET ": "HTTP"}, detect=lambda _: Guess(Level.NONE, "")
    )
    own = dataclasses.replace(flow(), handshake_ns=handshake)
    made = Undecided(own, (Route(wire.table()),))
    made.feed(segment(b"GET / HTTP/1.1\r\n"))
    if answer:
        made.feed(segment(answer, side=1))
    return made.finish().connection


def test_who_is_answered_in_another_protocol_is_not_mistaken() -> None:
    """Both sides speak it; one alone came to the wrong port, if the other one was captured."""
    assert mistaken(b"HTTP/1.1 200 OK\r\n") is None
    assert mistaken(b"") is not None
    assert mistaken(TICKS) is not None
    assert mistaken(b"", None) is None


def test_a_capture_that_begins_inside_a_frame_is_searched() -> None:
    """The frames after the rest of another one decide."""
    made = undecided(None)

    assert made.feed(segment(send()[7:])) is None
    verdict = made.feed(segment(TICKS * 3, 13, 2))
    assert verdict is not None
    assert verdict.connection is not None


def test_the_search_has_an_end() -> None:
    """So many bytes without a frame are not ours."""
    verdict = undecided(None).feed(segment(b"\x55" * MOST_BYTES))

    assert verdict is not None
    assert verdict.connection is None


def test_frames_after_a_gap_count() -> None:
    """A short snap length cuts the first frame, not the second."""
    made = undecided()
    made.feed(segment(send(1, b"x" * 90)[:40]))
    made.feed(Gap(0, 0, 40, 66, 1, 1, 0, "snapped"))
    verdict = made.feed(segment(TICKS, 106, 2)) or made.finish()

    assert verdict.connection is not None


def test_a_reset_decides() -> None:
    """Nothing more will come."""
    made = undecided()
    made.feed(segment(b"\0\0"))
    verdict = made.feed(FlowEvent(0, 1, "reset", 2, 2, 0, 0))

    assert verdict is not None
    assert verdict.connection is None
    assert len(verdict.held) == 2


def test_two_closes_decide() -> None:
    """Nothing more will come, so that what is only likely waits no longer."""
    made = undecided()
    made.feed(segment(b"\0\0"))

    assert made.feed(FlowEvent(0, 0, "close", 2, 2, 0, 0)) is None
    assert made.feed(FlowEvent(0, 1, "close", 3, 3, 0, 0)) is not None


def test_a_silent_side_that_closes_has_no_more_to_tell() -> None:
    """Nothing waits for it."""
    made = undecided()
    made.feed(segment(b"\xff" * 100))
    verdict = made.feed(FlowEvent(0, 1, "close", 2, 2, 0, 0))

    assert verdict is not None
    assert verdict.connection is None


def spoken_to(data: bytes, port: int, client: int | None = 0) -> Connection | None:
    """What becomes of a connection to a port whose client sends this and nothing else."""
    own = dataclasses.replace(flow(client), ports=(1000, port), handshake_ns=(1, 1))
    made = Undecided(own, ROUTES)
    made.feed(segment(data))
    return made.finish().connection


def test_another_protocol_on_our_port_is_a_connection() -> None:
    """So that it can be told once what is wrong; on other ports it is left alone."""
    for data, port, reason in (
        (b"LETTERS!", 7777, "the letters protocol on a port of parcels"),
        (b"\x16\3\1\0\x90\1\0\0", 7777, "TLS on a port of parcels"),
        (b"\x16\3\1\0\x90\1\0\0", 7778, None),
        (b"LETTERS!", 9999, None),
        (b"ANYTHING", 7777, None),
    ):
        found = spoken_to(data, port)
        assert (found.reason if found else None) == reason
    assert spoken_to(b"LETTERS!", 7777, None) is None


def test_a_proxy_preamble_is_no_evidence() -> None:
    """The frames after it decide, as if they were the first bytes of the side."""
    line = b"PROXY TCP4 192.0.2.7 192.0.2.1 40000 7777\r\n"
    for size in (1, 20, 100):
        seen: list[Evidence] = []

        def noted(evidence: Evidence, seen: list[Evidence] = seen) -> Guess:
            seen.append(evidence)
            return detect(evidence)

        wire = dataclasses.replace(WIRE, detect=noted)
        made = Undecided(flow(0), (Route(wire.table()),))
        verdict = None
        for each in segments(line + send(1, b"x" * 90), size):
            verdict = verdict or made.feed(each)

        assert verdict is not None
        assert verdict.connection is not None
        assert seen[-1].start
        assert seen[-1].data == send(1, b"x" * 90)[:FIRST_BYTES]


def test_a_lost_first_packet_hides_no_connection() -> None:
    """Its start was seen, its first bytes were lost: it counts as one that is joined later."""
    made = undecided()
    made.feed(Gap(0, 0, 0, 20, 1, 1, 0, "lost"))
    verdict = made.feed(segment(TICKS * 2, 20, 2))

    assert verdict is not None
    assert verdict.connection is not None


def test_what_the_sides_show_adds_up() -> None:
    """One frame of each is little alone and enough together; a side of another protocol adds 0."""
    wire = dataclasses.replace(
        WIRE,
        detect=lambda evidence: Guess(Level.WEAK if evidence.commands else Level.NONE, "one frame"),
    )
    made = Undecided(flow(), (Route(wire.table()),))

    assert made.feed(segment(send())) is None
    verdict = made.feed(segment(signed(), side=1)) or made.finish()
    assert verdict.connection is not None
    assert verdict.connection.reason == "one frame on either side"

    other = Undecided(flow(), (Route(wire.table()),))
    other.feed(segment(send()))
    assert other.feed(segment(b"HTTP/1.1 200", side=1)) is None
    assert other.finish().connection is None


def joined(data: bytes, answer: bytes = b"", *, most: Level = Level.LIKELY) -> Connection | None:
    """What becomes of a connection that is joined later, whose frames are never enough at once."""

    def detect_in_a_row(evidence: Evidence) -> Guess:
        guess = evidence.in_a_row(len(evidence.commands), 3)
        return guess._replace(level=min(guess.level, most))

    wire = dataclasses.replace(WIRE, detect=detect_in_a_row)
    made = Undecided(dataclasses.replace(flow(None), ports=(1000, 2000)), (Route(wire.table()),))
    for side, said in enumerate((data, answer)):
        if said and (verdict := made.feed(segment(said, 7, side=side))):
            return verdict.connection
    return made.finish().connection


def test_what_follows_contradicts() -> None:
    """Frames in a row are not taken where bytes or another side outweigh them; else they are."""
    noise = b"\xff\xfe" * 40
    for data, answer, is_taken in (
        (TICKS * 4, b"", True),
        (TICKS * 4, TICKS * 3, True),
        (TICKS * 4 + noise, b"", False),
        (TICKS * 4, noise, False),
        (noise[:30] + TICKS * 4, b"", True),  # the rest of a frame
        (noise * 9 + TICKS * 4, b"", False),
        (TICKS * 2, b"", False),
    ):
        assert (joined(data, answer) is not None) == is_taken, (data, answer)


def test_a_client_s_own_port_means_nothing() -> None:
    """The port counts that was connected to; without a SYN a system port is the server's."""
    for client, ports, sides in (
        (0, (7777, 80), (1,)),
        (1, (7777, 80), (0,)),
        (None, (7777, 80), (1,)),
        (None, (80, 7777), (0,)),
        (None, (7777, 40_000), (0, 1)),
    ):
        assert accepting(dataclasses.replace(flow(client), ports=ports)) == sides


def test_frames_of_the_other_side_are_no_evidence() -> None:
    """A server does not send what clients send, nor one side what both do."""
    sends, offers = send() * 3, parcel(4, b"\0\1") * 3
    assert joined(sends) is not None
    assert joined(offers) is not None
    assert joined(send() + parcel(4, b"\0\1") * 2) is None


def test_an_endpoint_lends_its_protocol() -> None:
    """What others speak to the same server counts like a port; not for bytes of no frames."""
    wire = dataclasses.replace(
        WIRE, ports=(), detect=lambda evidence: evidence.in_a_row(len(evidence.commands), 3)
    )
    route = Route(wire.table())
    for endpoint, certain, data, is_taken in (
        ("", True, send(), False),
        ("10.0.0.2:7777", True, send(), True),
        ("10.0.0.2:7777", False, send(), False),
        ("10.0.0.3:7777", True, send(), False),
        ("10.0.0.1:1000", True, send(), False),
        ("10.0.0.2:7777", True, b"\xff" * 40, False),
    ):
        servers = KnownServers()
        servers.learn(endpoint, route, certain=certain)
        made = Undecided(flow(), (route,), servers=servers)
        verdict = made.feed(segment(data)) or made.finish()
        assert (verdict.connection is not None) == is_taken, (endpoint, data)


def test_a_known_start_is_asked_for_by_the_head_alone() -> None:
    """First bytes that no head has begin no trial, but on its port, or where they are too few."""
    wire = dataclasses.replace(WIRE, marks=re.compile(rb"\0\0\0"))
    route = Route(wire.table())
    for data, port, tried in (
        (b"\xff" * 16, 80, 0),
        (b"\xff" * 16, 7777, 2),
        (b"\xff" * 8, 80, 2),
        (b"\0\0\0\x04" + b"\xff" * 16, 80, 2),
        (b"PROXY TCP4 192.0.2.7 192.0.2.1 40000 80\r\n", 80, 2),
    ):
        made = Undecided(dataclasses.replace(flow(), ports=(1000, port)), (route,))
        assert made.feed(segment(data)) is None
        verdict = made.feed(segment(data, side=1)) or made.finish()
        assert (len(made.trials), verdict.connection) == (tried, None), (data, port)


def test_a_side_without_a_frame_is_given_up() -> None:
    """Joined later, so many bytes bring no hope but on the protocol's port."""
    noise = b"\xff" * 1024
    for port, hope in ((2000, False), (7777, True)):
        made = Undecided(dataclasses.replace(flow(None), ports=(40_000, port)), ROUTES[:1])
        for number in range(MOST_STRAY // len(noise) + 2):
            assert made.feed(segment(noise, number * len(noise), number)) is None
        assert [each.hope for each in made.trials] == [hope]
