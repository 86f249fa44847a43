"""Sequence diagrams: runs, loops, notes, limits, and text that is hostile."""

import re

from tests.conversations.dialogue import CLIENT, SERVER, Talk
from tests.failures import every
from tests.framing.parcel_protocol import TICKS, send, signed
from tests.views.findings import finding

from streamshark.conversations.tables import Action, Context, Lifecycle, Pair
from streamshark.views.sequence_diagram import (
    LANGUAGES,
    LONGEST,
    MOST_NOTES,
    MOST_PARTICIPANTS,
    Diagram,
)

TABLES = (
    Pair(name="send", request="send", answers="send_response"),
    Action(on="send", do="conn.product = address"),
    Context(name="client_product", value="conn.product"),
    Context(name="server_product", value="conn.product"),
    Context(name="server_version", value="conn.product"),
)
PLAIN = r"(?:[^\W_]|[ .,_\-/=()|*@?!']|#\d+;|<U\+[0-9A-F]{4,6}>)*"
MERMAID = re.compile(
    rf"sequenceDiagram|    participant P\d+ as {PLAIN}|"
    rf" {{4,8}}P\d+(?:->>|-->>|-\)|--\)|-x)P\d+: {PLAIN}|"
    rf" {{4}}Note over P\d+(?:,P\d+)?: {PLAIN}| {{4}}loop {PLAIN}| {{4}}end"
)
PLANTUML = re.compile(
    rf'@startuml|@enduml|participant "{PLAIN}" as P\d+|'
    rf" {{0,2}}P\d+ (?:->|-->|->>|-->>|->x) P\d+ : {PLAIN}|"
    rf"note over P\d+(?:, P\d+)? : {PLAIN}|loop {PLAIN}|end"
)
GRAMMAR = {"mermaid": MERMAID, "plantuml": PLANTUML}
HOSTILE = (
    "end", "#59;", "; drop", "<script>alert(1)</script>", "%%{init: {}}%%", "\n@enduml\n",
    "\\n!include /etc/passwd", "%getenv(HOME)", "$$x$$", "a\u202eb", "\x1b[31m", "[[http://a b]]",
    "-->>", "as P0", '"', "`", "wrap:x", "**b** __u__ //i// --s--", "~~", "<U+0041>", "&amp;",
)  # fmt: skip


def drawn(talk: Talk, most: int = 200) -> Diagram:
    """The diagram of all rows."""
    diagram = Diagram(most)
    for row in talk.rows:
        diagram.row(row)
    return diagram


def lines(diagram: Diagram, language: str = "mermaid", *found: object) -> list[str]:
    """Its lines, each of the grammar."""
    text = diagram.text(LANGUAGES[language], found).splitlines()  # type: ignore[arg-type]
    for each in text:
        assert GRAMMAR[language].fullmatch(each), each
    loops = sum(each.strip().startswith("loop ") for each in text)
    assert loops == sum(each.strip() == "end" for each in text)
    return text


def test_requests_answers_commands() -> None:
    """Each has its arrow, and the frame's number."""
    talk = Talk(TABLES)
    talk.say(CLIENT, send(1, b"home"))
    talk.say(SERVER, signed(1))
    talk.say(SERVER, TICKS)
    talk.close()

    assert lines(drawn(talk)) == [
        "sequenceDiagram",
        "    participant P0 as home 10.0.0.1#58;1000",
        "    participant P1 as home home 10.0.0.2#58;7777",
        "    P0->>P1: TCP connects",
        "    P0->>P1: 1 send address=home goods=0",
        "    P1-->>P0: 2 send_response code=0",
        "    P1-)P0: 3 tick",
        "    P0--)P1: TCP FIN",
        "    P1--)P0: TCP FIN",
    ]
    assert lines(drawn(talk), "plantuml")[3:7] == [
        "P0 -> P1 : TCP connects",
        "P0 -> P1 : 1 send address=home goods=0",
        "P1 --> P0 : 2 send_response code=0",
        "P1 ->> P0 : 3 tick",
    ]


def test_runs_are_one_arrow() -> None:
    """With their count; those of different objects are not one."""
    talk = Talk(
        (Lifecycle(name="box", scope="connection", key={"send": "correlation_id"}, type="box"),)
    )
    talk.say(SERVER, TICKS * 500)
    assert lines(drawn(talk))[-1] == "    P1-)P0: 1 to 500 tick (500 times)"

    talk.say(CLIENT, send(1) * 2 + send(2))
    assert lines(drawn(talk))[-1] == "    P0->>P1: 501 to 503 send address=home goods=0 (3 times)"


def test_what_comes_in_turn_is_a_loop() -> None:
    """Even where one comes twice at the end of a round."""
    talk = Talk(())
    for number in range(100):
        talk.say(CLIENT, send(number))
        talk.say(SERVER, signed(number) * (1 + number % 2))

    assert lines(drawn(talk))[-4:] == [
        "    loop 100 times",
        "        P0->>P1: 1 to 248 send address=home goods=0 (100 times)",
        "        P1-->>P0: 2 to 250 send_response code=0 (150 times)",
        "    end",
    ]


def test_limits() -> None:
    """Arrows over the limit and further connections are counted."""
    talk = Talk(())
    for _ in range(3):
        talk.say(CLIENT, send(1))
        talk.say(SERVER, TICKS)
    assert lines(drawn(talk, 3))[-2:] == [
        "    P1-)P0: 2 tick",
        "    Note over P0,P1: ... 4 more frames and events",
    ]

    crowd = Diagram()
    for row in talk.rows:
        for number in range(MOST_PARTICIPANTS):
            row.connection.flow.addresses = (f"10.0.0.{number}:1", "10.0.1.1:1")  # type: ignore[misc]
            crowd.row(row)
    assert len(crowd.participants) == MOST_PARTICIPANTS
    assert lines(crowd)[-1].endswith(" rows of other peers")


def test_findings_are_notes_at_their_frame() -> None:
    """Each once; what has no frame stands at the end, and there are not too many."""
    talk = Talk(())
    talk.say(CLIENT, send(1))
    talk.say(SERVER, TICKS * 5)
    talk.say(CLIENT, send(2))
    late = finding(frames=(), message="gone", count=2)
    text = lines(drawn(talk), "mermaid", late, finding(frames=(3,), message="early"))

    assert text[5:8] == [
        "    P1-)P0: 2 to 6 tick (5 times)",
        "    Note over P0,P1: #91;W#93; T-1 at frame 3#58; early",
        "    P0->>P1: 7 send address=home goods=0",
    ]
    assert text[8:] == ["    Note over P0,P1: #91;W#93; T-1#58; gone (2 times)"]
    many = lines(drawn(talk), "plantuml", *[finding(frames=(1,))] * (MOST_NOTES + 5))
    assert many[-2].startswith("note over P0, P1 : ... 5 more findings")


def test_holes_and_resets() -> None:
    """Bytes that are missing are a note, a reset an arrow that ends."""
    talk = Talk(())
    talk.say(CLIENT, send(1))
    talk.lose(CLIENT)
    talk.say(CLIENT, send(2))
    talk.event(SERVER, "reset")
    text = lines(drawn(talk))

    assert any(each.startswith("    Note over P0,P1: gap#58;") for each in text)
    assert "    P1-xP0: TCP RST" in text


@every("language", sorted(LANGUAGES))
@every("text", HOSTILE)
def test_text_from_the_wire_means_nothing(language: str, text: str) -> None:
    """In labels, notes and names: every line is of the grammar, each mark on its own."""
    talk = Talk(TABLES)
    talk.say(CLIENT, send(1, text.encode()))
    written = lines(drawn(talk), language, finding(frames=(1,), message=text))
    plain = [re.sub(r"#\d+;|<U\+\w+>", "", each.partition(": ")[2]) for each in written[2:]]

    assert len(written) == 6 + (language == "plantuml")
    assert not any(re.search(r"--|__|//|\*\*|[<>#%;&\"`~\\$\[\]{}]", each) for each in plain)


def test_long_text_is_cut() -> None:
    """Labels are for reading."""
    talk = Talk(())
    talk.say(CLIENT, send(1, b"a" * 5000))
    assert len(lines(drawn(talk))[-1]) < LONGEST + 20
