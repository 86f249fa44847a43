"""Rows as blocks: a head, where they stand, their members, what they agree."""

from pathlib import Path

from tests.madeup import parrot_traffic

from streamshark.dissection.masking import SecretMask
from streamshark.schema import Problem, ProblemCode
from streamshark.views.colour import Palette
from streamshark.views.packet_details import DetailRows, WithHexDump
from streamshark.views.text import TextRows
from streamshark.views.times import Clock

PLAIN = Palette(enabled=False)


def blocks(path: str, **options: object) -> list[str]:
    """The blocks of a capture."""
    view = DetailRows(PLAIN, **{"secrets": False, **options})  # type: ignore[arg-type]
    return [view.row(row) for row in parrot_traffic.session(path).rows()]


def test_a_frame(tmp_path: Path) -> None:
    """What no byte says stands in brackets, what it agrees too."""
    assert blocks(parrot_traffic.write(tmp_path, parrot_traffic.talk()))[1] == (
        "Frame 1: parrot login (command), 23 bytes\n"
        "    [packet 4]\n"
        "    [2023-11-14T22:13:20.003000000Z]\n"
        "    [flow 0: 10.0.0.1:40000 -> 10.0.0.2:7777, sent by the client]\n"
        "    length: 21 bytes\n"
        "    0... .... = response: 0\n"
        "    .000 0010 = key: 0x2\n"
        "    user: ara\n"
        "    password: ***\n"
        "    [negotiated: user = ara]\n"
    )


def test_an_event(tmp_path: Path) -> None:
    """Its facts by name."""
    talk = parrot_traffic.talk()
    del talk.packets[4]
    path = parrot_traffic.write(tmp_path, talk)

    (gap,) = [each for each in blocks(path, files=["talk.pcap"]) if "tcp gap" in each]

    assert gap == (
        "Event: tcp gap\n"
        "    [packet 9 of talk.pcap]\n"
        "    [2023-11-14T22:13:20.009000000Z]\n"
        "    [flow 0: 10.0.0.1:40000 -> 10.0.0.2:7777, sent by the client]\n"
        "    offset: 23\n"
        "    length: 18\n"
        "    reason: lost\n"
    )


def test_an_event_of_a_carrier() -> None:
    """Its problems follow its facts."""
    row = parrot_traffic.event(b"\xff" * 40)
    row.protocol, row.name, row.fields = "websocket", "close", {"code": 1005}
    row.problems = [Problem(ProblemCode.CARRIER, -1, 0, 4, "nobody may send it")]

    assert DetailRows(PLAIN, loose=True, secrets=False).row(row) == (
        "Event: websocket close\n    [sent by the client]\n    code: 1005\n"
        "    carrier: nobody may send it\n"
    )


def test_several_packets(tmp_path: Path) -> None:
    """Each is named."""
    talk = parrot_traffic.Conversation(server=("10.0.0.2", 7777)).handshake()
    talk.send(0, parrot_traffic.say(), size=7)

    assert "    [packets 4, 5, 6]\n" in blocks(parrot_traffic.write(tmp_path, talk))[1]


def test_loose_bytes() -> None:
    """Nothing is known of where they stood."""
    view = DetailRows(PLAIN, secrets=False, loose=True)

    assert view.row(parrot_traffic.row(parrot_traffic.squawk(), None)) == (
        "Frame 1: parrot squawk (command), 15 bytes\n"
        "    [unknown sender]\n"
        "    length: 13 bytes\n"
        "    0... .... = response: 0\n"
        "    .000 0100 = key: 0x4\n"
        "    pitch: 1152921504606846976 Hz\n"
        "    noise: 6b726161 [4 bytes]\n"
    )


def test_unknown_frames() -> None:
    """What the head says, and the bytes."""
    view = DetailRows(PLAIN, secrets=False, loose=True)

    assert view.row(parrot_traffic.row(parrot_traffic.frame(9, b"abc"))) == (
        "Frame 1: parrot unknown, 6 bytes\n"
        "    [sent by the client]\n"
        "    key: 0x9\n"
        "    response: 0\n"
        "    [6 bytes not decoded: 000409616263]\n"
        "    [E] unknown_key: key 9\n"
    )
    assert view.row(parrot_traffic.row(b"CROW")) == (
        "Frame 1: parrot unknown, 4 bytes\n"
        "    [sent by the client]\n"
        "    [4 bytes not decoded: 43524f57]\n"
        "    [E] foreign: these bytes are Crow\n"
    )


def test_versions_of_unknown_frames() -> None:
    """Where the head has one."""
    row = parrot_traffic.row(parrot_traffic.frame(9, b"abc"))
    assert row.selector is not None
    row.selector = row.selector._replace(version=3)

    assert "    version: 3\n" in DetailRows(PLAIN, secrets=False, loose=True).row(row)


def test_bytes_follow_the_row() -> None:
    """Bytes follow a line or a tree; events have none; secrets are left out."""
    view = WithHexDump(TextRows(Clock(), PLAIN, loose=True))

    assert view.row(SecretMask(None).row(parrot_traffic.row(parrot_traffic.login("a", "bcd")))) == (
        "   1 parrot    login user=a password=***\n"
        "0000  00 07 02 01 61 03 ** ** **                        ....a.***\n"
    )
    assert "bcd" in view.row(parrot_traffic.row(parrot_traffic.login("a", "bcd"))).splitlines()[1]
    assert "\n" not in view.row(parrot_traffic.event(parrot_traffic.say()[:-1]))
