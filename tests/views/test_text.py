"""One line per row, in columns that do not jump."""

from pathlib import Path

import pytest
from tests.builders import Conversation
from tests.madeup import parrot_traffic

from streamshark.dissection.row import FrameRow
from streamshark.schema import Problem, ProblemCode
from streamshark.views.colour import Palette
from streamshark.views.text import TextRows
from streamshark.views.times import Clock

PLAIN = Palette(enabled=False)
HIGH = "volume=high manner=slowly"


def lines(path: str, **options: object) -> list[str]:
    """The lines of a capture."""
    session = parrot_traffic.session(path)
    view = TextRows(Clock("r", lambda: session.started_ns), PLAIN, **options)  # type: ignore[arg-type]
    return [view.row(row) for row in session.rows()]


def line(data: bytes, sender: str = "client", palette: Palette = PLAIN) -> list[str]:
    """The lines of loose bytes."""
    view = TextRows(Clock(), palette, loose=True)
    return [view.row(row) for row in parrot_traffic.rows(data, sender)]


def test_a_connection(tmp_path: Path) -> None:
    """Frame and packet, time, source and destination, protocol, command, arguments."""
    to, back = "10.0.0.1:40000  -> 10.0.0.2:7777  ", "10.0.0.2:7777   -> 10.0.0.1:40000 "

    assert lines(parrot_traffic.write(tmp_path, parrot_traffic.talk())) == [
        f"     p1      0.000000 {to} tcp       open",
        f"   1 p4      0.003000 {to} parrot    login user=ara password=***",
        f"   2 p5      0.004000 {to} parrot    say phrase=hello volume=high manner=slowly tags=2",
        f"   3 p6      0.005000 {back} parrot    say_response code=ok",
        f"   4 p7      0.006000 {back} parrot    feed weight=-5 seed=oil",
        f"   5 p8      0.007000 {to} parrot    squawk pitch=1152921504606846976 noise=6b726161",
        f"     p9      0.008000 {to} tcp       close",
        f"     p10     0.009000 {back} tcp       close",
    ]


def test_events_say_what_they_know(tmp_path: Path) -> None:
    """A gap, what was cut by it, bytes without a frame."""
    talk = parrot_traffic.talk()
    del talk.packets[4]

    (gap,) = [each for each in lines(parrot_traffic.write(tmp_path, talk)) if " gap " in each]

    assert gap.endswith("tcp       gap offset=23 length=18 reason=lost")


def test_an_event_of_a_carrier() -> None:
    """With its protocol, and what is wrong."""
    row = parrot_traffic.event(b"\xff" * 40)
    row.protocol, row.name, row.fields = "websocket", "close", {"code": 1005}
    row.problems = [Problem(ProblemCode.CARRIER, -1, 0, 4, "nobody may send it")]

    assert TextRows(Clock(), PLAIN, loose=True).row(row).split() == [
        "websocket", "close", "code=1005", "[W]", "carrier:", "nobody", "may", "send", "it",
    ]  # fmt: skip


def test_columns_grow_and_never_shrink(tmp_path: Path) -> None:
    """After a wide address, narrow ones stand in a wide column."""
    wide = Conversation(("fd00:1:2:3:4:5:6:7", 50_000), ("fd00::2", 7777), start_ns=aviary_time(1))
    wide.handshake().send(0, parrot_traffic.say())
    narrow = Conversation(server=("10.0.0.2", 7777), start_ns=aviary_time(2)).handshake()
    narrow.send(0, parrot_traffic.say())
    early = Conversation(("10.0.0.3", 1), ("10.0.0.2", 7777), start_ns=aviary_time(0)).handshake()
    early.send(0, parrot_traffic.say())

    shown = lines(parrot_traffic.write(tmp_path, early, wide, narrow))
    places = [each.index(" -> ") for each in shown]

    assert places == sorted(places)
    assert places[0] < places[-1]


def test_columns_of_numbers_grow_with_them(tmp_path: Path) -> None:
    """As soon as a frame or a packet has more digits than its column; what follows stays there."""
    rows = parrot_traffic.session(parrot_traffic.write(tmp_path, parrot_traffic.talk())).rows()
    row = next(each for each in rows if isinstance(each, FrameRow))
    for name, digits in (("number", 4), ("packet", 4)):
        view, most = TextRows(Clock("e"), PLAIN), 1
        kept = getattr(row, name)
        base = view.row(row).index(" -> ")
        for given in (1, 9, 10, 999, 9999, 10_000, 7, 99_999, 100_000, 100_001, 10_000_000, 1):
            setattr(row, name, given)
            most = max(most, given)
            grown = max(len(str(most)) - digits, 0)
            assert view.row(row).index(" -> ") == base + grown, (name, given)
        setattr(row, name, kept)


def aviary_time(second: int) -> int:
    """A time in built traffic."""
    return 1_700_000_000_000_000_000 + second * 1_000_000_000


def test_files_are_named_where_there_are_several(tmp_path: Path) -> None:
    """Before the row, escaped."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())

    assert lines(path, files=["a\x1b.pcap"])[0].startswith("a\\x1b.pcap:      p1 ")


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (parrot_traffic.perch("muchtoolong"),
         "perch branches=1 [W] limit branches.name: 11 exceeds the limit of 8"),
        (parrot_traffic.frame(9, b"abc"), "unknown key=0x9 length=6 [E] unknown_key: key 9"),
        (b"CROW", "unknown length=4 [E] foreign: these bytes are Crow"),
        (parrot_traffic.login()[:-3],
         "login user=ara [E] short password: A field runs past the end of its frame or region."),
        (parrot_traffic.say(b"\xff\x1b[31m\xe2\x80\xae", tags=()),
         f'say phrase="\ufffd\\x1b[31m\\u202e" {HIGH} tags=0 [W] text phrase: not valid utf-8'),
    ],
)  # fmt: skip
def test_problems(data: bytes, shown: str) -> None:
    """A letter for what stops and what does not, the code, the field, the sentence."""
    assert line(data)[0] == f"   1 parrot    {shown}"


def test_many_problems_are_counted() -> None:
    """The first three are written out, long sentences cut."""
    tags = [b"\xff"] * 5
    body = (
        b"\x00\x07"
        + parrot_traffic.short("x")
        + b"\x01\x00\x05"
        + b"".join(map(parrot_traffic.short, tags))
    )

    (shown,) = line(parrot_traffic.frame(1, body))

    assert shown.count("[W] text tags: not valid utf-8") == 3
    assert shown.endswith(" [2 more problems]")


def test_what_is_cut_off_is_told() -> None:
    """Loose bytes have no packets and times."""
    assert line(parrot_traffic.say()[:-3])[1] == (
        "     tcp       partial offset=0 length=15 expected=18 "
        'reason="the connection or capture ended first" '
        "command=say"
    )


def test_colours(tmp_path: Path) -> None:
    """Sides, commands, events, times and problems; the text is the same."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    view = TextRows(Clock("r"), Palette(enabled=True))
    shown = [view.row(row) for row in parrot_traffic.session(path).rows()]

    assert "\x1b[31m10.0.0.1:40000  -> 10.0.0.2:7777  \x1b[0m" in shown[1]
    assert "\x1b[34m10.0.0.2:7777   -> 10.0.0.1:40000 \x1b[0m" in shown[3]
    assert "\x1b[1mlogin\x1b[0m" in shown[1]
    assert "\x1b[36mopen\x1b[0m" in shown[0]
    assert (
        "\x1b[1;31m[E]\x1b[0m short"
        in line(parrot_traffic.say()[:-3], palette=Palette(enabled=True))[0]
    )
