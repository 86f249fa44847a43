"""Pages of protocols: all declarations, for protocols without a page of their own."""

import re

import pytest

from streamshark.fields.rows import HEADERS
from streamshark.framing.wire_format import Evidence, Guess, Level, NegotiatedValue, WireFormat
from streamshark.protocols.catalog import catalog
from streamshark.protocols.protocol import Protocol
from streamshark.schema import (
    U8,
    U16,
    Bits,
    FrameKind,
    FrameSchema,
    Head,
    LineHead,
    Many,
    Sender,
    TextLine,
    field,
    part,
    this,
    token,
)
from streamshark.views.manual.protocol import anchor, page, trees_of

pytestmark = pytest.mark.process  # pages show what a program prints


def unsure(_: Evidence) -> Guess:
    """Return that nothing is known."""
    return Guess(Level.NONE, "made up")


HEAD = Head(
    members=(
        field("size", U16, "Bytes after it."),
        Bits(1, part("response", 1, "Set on responses."), part("key", 7, "Command.")),
        field("version", U8, "Version."),
    ),
    total=this.size + 2,
    key="key",
    version="version",
    response="response",
    least=4,
    most=512,
    hidden=("size", "response", "key", "version"),
    source="made up",
)


def frame(
    name: str, key: int, version: int, kind: FrameKind = FrameKind.REQUEST, dialect: str = ""
) -> FrameSchema:
    """Return a frame of the protocol that is made up."""
    return FrameSchema(
        name=name,
        key=key,
        version=version,
        kind=kind,
        sender=Sender.CLIENT if kind is FrameKind.REQUEST else Sender.SERVER,
        doc=f"Says {name}.",
        spec="Nowhere, section 1",
        dialect=dialect,
        since="1.0",
        negotiates=True,
        body=(
            field("code", U8, "How it went.", names={1: "fine", 2: "not"}),
            field("marks", U8, "Marks.", flags={1: "red"}),
            field("items", Many(U8, claim=U8), "What there is.", unit="things"),
        ),
    )


BINARY = Protocol(
    title="Made Up",
    card="A protocol for tests.\n\nNobody speaks it.",
    wire=WireFormat(
        id="made_up",
        short="mu",
        heads={"": HEAD, "old": HEAD},
        frames=(
            frame("greet", 9, 1),
            frame("greet", 9, 2),
            frame("greet", 9, 1, FrameKind.RESPONSE),
            frame("greet", 9, 1, dialect="old"),
            frame("ask", 3, 1),
        ),
        detect=unsure,
        ports=(7, 8),
        agreements=(NegotiatedValue("mood", "greet", "code", "How both feel."),),
    ),
)
LINES = Protocol(
    title="Lines",
    card="A protocol of lines.",
    wire=WireFormat(
        id="lines",
        short="ln",
        heads={"": LineHead(verbs={"HI": "hi"}, sized=frozenset(), most_line=80)},
        frames=(
            FrameSchema(
                name="hi",
                key="hi",
                kind=FrameKind.COMMAND,
                sender=Sender.BOTH,
                doc="Greets.",
                spec="",
                body=(TextLine("HI", token("name", "Who.")),),
            ),
        ),
        detect=unsure,
    ),
)
ALL = [BINARY, LINES, *catalog()]


@pytest.mark.parametrize("protocol", ALL, ids=lambda protocol: protocol.wire.id)
def test_every_frame_and_name_is_there(protocol: Protocol) -> None:
    """Each frame has its section, each name a row, each sentence its place."""
    text = page(protocol)

    for tree in trees_of(protocol):
        assert tree.schema.doc in text
        for node in tree.named():
            assert f"`{tree.name(node)}`" in text
            assert " ".join(node.doc.split()).replace("|", "\\|") in text
    assert all(f"`{protocol.wire.short}.{name}`" in text for name in HEADERS)


@pytest.mark.parametrize("protocol", ALL, ids=lambda protocol: protocol.wire.id)
def test_links_lead_to_headings(protocol: Protocol) -> None:
    """Every link inside the page finds its heading, and no two headings are the same."""
    text = page(protocol)
    headings = [anchor(each) for each in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]

    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= set(headings)
    assert len(headings) == len(set(headings))


@pytest.mark.parametrize("protocol", ALL, ids=lambda protocol: protocol.wire.id)
def test_a_page_is_the_same_each_time(protocol: Protocol) -> None:
    """Nothing of the moment or the machine."""
    assert page(protocol) == page(protocol)


def test_what_a_newcomer_looks_for() -> None:
    """Card, ports, limits, dialects, commands by key, values, flags, agreements."""
    text = page(BINARY)

    assert text.startswith("# Made Up\n")
    assert "Nobody speaks it." in text
    assert "- ports: 7, 8\n- dialect: `-o made_up.dialect:old`" in text
    assert "- frames of 4 to 512 bytes (made up)" in text
    assert text.index("| [ask]") < text.index("| [greet]") < text.index("| [greet_response]")
    assert "[1 (old)](#greet-0x09-version-1-dialect-old)" in text
    assert "| 1 | `fine` |" in text
    assert "| 0x1 | `red` |" in text
    assert "See [Values of code](#values-of-code)." in text
    assert "| `mood` | `mu.greet.code`, `mu.greet_response.code` | How both feel. |" in text
    assert "2       1     1 bit   response = 0\n              7 bits  key = 0x09" in text
    assert "Problems: `short`, `trailing`, `count`." in text


def test_text_protocols_have_pages_too() -> None:
    """Verbs instead of numbers, lines instead of sizes."""
    text = page(LINES)

    assert "| [hi](#hi-hi) | hi | [all](#hi-hi) | command | client and server |" in text
    assert "- ports: none of its own\n- lines of at most 80 bytes" in text
    assert "0       ...   line  HI name CR LF" in text
    assert "big-endian" not in text
