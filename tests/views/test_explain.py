"""Pages of plain sentences: what holds for every protocol, and what stories add."""

import re
from typing import Any

import pytest
from tests.conversations.dialogue import CLIENT, SERVER, Talk
from tests.framing.parcel_protocol import TICKS, send, signed
from tests.views.findings import finding

from streamshark.conversations.explain import ExplainedLine, Explanation
from streamshark.conversations.tables import Lifecycle, Pair
from streamshark.findings.finding import Finding
from streamshark.views.colour import Palette
from streamshark.views.explain import MOST_FINDINGS, MOST_HOLES, ConnectionFacts, Explainer

PAIR = Pair(name="send", request="send", answers="send_response", failed="code > 0")
BOX = Lifecycle(name="box", scope="connection", key={"send": "correlation_id"}, type="box")
LONGEST_WAIT = "1 with an error code; the slowest was send, after 3 s (frame 3)."
FOLLOW = "Show all frames: streamshark conversations --follow 0-1-connection FILE"
PLAIN = Palette(enabled=False)


def sentences(**changes: Any) -> Explanation:  # noqa: ANN401 - members
    """A connection of which all is known, and nothing told."""
    given: dict[str, Any] = {
        "flow": 0, "file": 0, "protocols": ("parcels",), "conversation": "0-1-connection",
        "start": True, "whole": True, "both": True,
    }  # fmt: skip
    return Explanation(**(given | changes))


def facts(talk: Talk) -> ConnectionFacts:
    """What is gathered of a talk."""
    found = ConnectionFacts(0, ("a:1", "b:2"))
    for row in talk.rows:
        found.row(row)
    for each in talk.end():
        found.conversation(each)
    return found


def page(
    talk: Talk,
    *found: Finding,
    width: int = 0,
    agreed: dict[str, Any] | None = None,
    elsewhere: dict[str, str] | None = None,
    **told: Any,  # noqa: ANN401 - members
) -> str:
    """The page of a talk."""
    explainer = Explainer(PLAIN, width=width, judged=["parcels"])
    return explainer.page(
        sentences(**told), facts(talk), found, agreed=agreed or {}, handshake_ns=20_000,
        elsewhere=elsewhere or {},
    )  # fmt: skip


def spoken() -> Talk:
    """Two requests, one of them refused, one without an answer; the server closes."""
    talk = Talk((PAIR, BOX))
    talk.say(CLIENT, send(1))
    talk.say(SERVER, signed(1))
    talk.say(CLIENT, send(2))
    talk.say(SERVER, signed(2, 9), wait=3)
    talk.say(CLIENT, send(3))
    talk.event(SERVER, "close")
    talk.now += 500
    talk.event(CLIENT, "close")
    return talk


def test_a_protocol_without_a_story() -> None:
    """Who, how, what, how long, who ended it: as far as TCP and the tables tell."""
    assert page(spoken(), agreed={"limit": 5, "sure": True, "deep": {}}).splitlines() == [
        "Connection 0  a:1 -> b:2  parcels",
        "  1970-01-01T00:00:00.000000000Z, 7 s, 5 frames (client 60 B, server 26 B)",
        "Who",
        "  Neither peer identifies itself in the captured frames.",
        "How it began",
        "  The client opened the connection; the TCP handshake took 20 us.",
        "  The first frame was send from the client, 1 s later (frame 1).",
        "What was negotiated",
        "  Negotiated: limit 5, sure true.",
        "What they did",
        "  The client sent 3 frames: 3 send.",
        "  The server sent 2 frames: 2 responses.",
        f"  2 requests answered, {LONGEST_WAIT}",
        "  1 box: done.",
        "What went wrong",
        "  No findings.",
        "How it ended",
        "  1 request was never answered.",
        "  The server closed its side of the TCP connection, 0 s after the last frame.",
        "  The client closed its side 500 ns later.",
    ]


def test_stories_take_the_place_of_guesses() -> None:
    """With the frames that say so, and what to do next."""
    parts = {
        "who": (ExplainedLine("A parrot\x1b.", 1, ""),),
        "began": (
            ExplainedLine("It began.", None, "Feed it."),
            ExplainedLine("Well.", None, "Feed it."),
        ),
        "agreed": (ExplainedLine("Peace.", 2, ""),),
        "did": (ExplainedLine("It said much.", 2, "", 3),),
        "ended": (ExplainedLine("It flew.", 5, ""),),
    }
    text = page(spoken(), parts=parts, more={"did": 7}, agreed={"limit": 5})

    for each in (
        "Who\n  A parrot\\x1b (frame 1).\nHow",
        "20 us.\n  It began.\n  Well.\nWhat was negotiated\n  Peace (frame 2).\nWhat they did\n",
        "\n  It said much (first in frame 2).\n  ... and 7 more like this.\nWhat went wrong",
        f"\nWhat to do next\n  Feed it.\n  {FOLLOW}\nHow it ended\n  It flew (frame 5).\n  1",
    ):
        assert each in text


def test_what_went_wrong() -> None:
    """Findings have cause and consequences; usual events are left out; many are counted."""
    echo = finding(rule="T-2", message="echoed")
    found = (
        finding(frames=(3, 1), count=2, message="bad\x1b", cause="Haste.", echoes=(echo,)),
        finding(rule="T-9", severity="chat", message="hello"),
    )
    text = page(spoken(), *found)

    assert (
        "What went wrong\n"
        "  [W] T-1 at frame 3, packet 1: bad\\x1b. This happened 2 times. See also frame 1.\n"
        "    Consequence T-2: echoed.\n"
        "    Usual cause: Haste.\n"
        "What to do next\n"
        "  Describe the rule: streamshark check --explain-rule T-1\n"
    ) in text
    assert "hello" not in text
    shared = page(spoken(), elsewhere={"T-7": "see connection 3"})
    assert "belongs to findings over several connections: T-7 (see connection 3).\n" in shared
    assert "No findings" not in shared
    many = page(spoken(), *[finding(rule=f"T-{n}") for n in range(MOST_FINDINGS + 3)])
    assert "  ... and 3 more; `streamshark check` lists all.\n" in many
    assert "There are no rules for this protocol." in page(spoken(), protocols=("nobody",))


def test_what_cannot_be_known() -> None:
    """The beginning, the other side, lost bytes, frames that cannot be read."""
    talk = Talk((), start=False)
    talk.say(CLIENT, TICKS * 3)
    for _ in range(MOST_HOLES + 2):
        talk.lose(CLIENT)
        talk.say(CLIENT, TICKS * 3 + send(1)[:-1] + b"\1" + TICKS * 3)
    text = page(talk, start=False, whole=False, both=False)

    assert "How it began\n  The connection was already open when the capture began.\n" in text
    assert "  The capture begins in the middle of the connection: " in text
    assert "  100 bytes from the client are missing (lost).\n" in text
    assert "  ... and 2 gaps more.\n" in text
    assert "had problems when decoded, the first is frame 7." in text
    assert "  The connection was still open when the capture ended.\n" in text


@pytest.mark.parametrize("name", ["reset", "close"])
def test_who_ended_it(name: str) -> None:
    """By FIN or RST, the other one only once."""
    talk = Talk(())
    talk.say(CLIENT, TICKS)
    talk.event(CLIENT, name)
    text = page(talk)
    verb = "reset" if name == "reset" else "closed its side of"

    assert f"  The client {verb} the TCP connection, 0 s after the last frame.\n" in text
    assert "later" not in text.partition("How it ended")[2]


def test_one_side() -> None:
    """Of the other nothing is known."""
    talk = Talk(())
    talk.say(CLIENT, TICKS)
    text = page(talk, both=False)

    assert "  Only the client was captured: the frames of the server are missing.\n" in text
    assert "  The server sent no frames that were captured.\n" in text


def test_nothing_but_tcp() -> None:
    """No frame, no guess."""
    talk = Talk(())
    talk._connection(0)
    assert "  No frames were sent.\n" in page(talk)


def test_lines_end_at_the_width() -> None:
    """Of a terminal; their rest is indented."""
    text = page(spoken(), width=60)

    assert max(map(len, text.splitlines())) <= 60
    assert not re.search(r"\d$|frame\n", text.partition("What they did")[2], re.MULTILINE)
    assert "\n  2 requests answered, 1 with an error code; the slowest was\n    " in text


def test_commands_are_counted_without_the_handshake() -> None:
    """All others are named, however many; a side that did nothing else is said to."""
    talk = Talk((PAIR, BOX))
    talk.say(CLIENT, send(1))
    talk.say(SERVER, signed(1))
    talk.say(CLIENT, TICKS)
    found = ConnectionFacts(0, ("a:1", "b:2"), frozenset({("parcels", "tick"), ("parcels", "x")}))
    for row in talk.rows:
        found.row(row)
    explainer = Explainer(PLAIN)
    text = explainer.page(sentences(), found, (), agreed={}, handshake_ns=None)

    assert "The client sent 2 frames: 1 send, 1 to set up, keep alive or close the conn" in text
    found.housekeeping |= {("parcels", "send")}
    found.sides.clear()
    for row in talk.rows:
        found.row(row)
    text = explainer.page(sentences(), found, (), agreed={}, handshake_ns=None)
    assert "The client sent 2 frames to set up, keep alive or close the connection.\n" in text


def test_over_all_connections() -> None:
    """What is known at the end alone; several files are named."""
    explainer = Explainer(PLAIN, files=["a.pcap", "b\x1b.pcap"])
    text = explainer.overall([finding()])
    head = explainer.page(sentences(file=1), facts(spoken()), (), agreed={}, handshake_ns=None)

    assert text == "Over all connections\n  [W] T-1 at frame 1, packet 1: odd.\n"
    assert head.startswith("b\\x1b.pcap: Connection 0  a:1 -> b:2")
