"""Messages as text, by a format string, as JSON and as file names."""

import json
from dataclasses import replace

import pytest
from tests.protocols.found_messages import messages_in

from streamshark.errors import StreamsharkError
from streamshark.views.colour import Palette
from streamshark.views.message_output import MessageFormat, MessageJson, MessageText, file_name
from streamshark.views.times import Clock

FOUND = messages_in("nats/interactions_go")
PUBLISHED, DELIVERED = FOUND[0], next(each for each in FOUND if not each.is_published)
HEADED = next(each for each in FOUND if each.headers)
BINARY = replace(
    PUBLISHED, stream="../a/ \x1b[1m", number=5, key="6b31", body="00ff", data=b"\0\xff"
)


def lines(*messages: object, width: int = 0) -> list[str]:
    """What is written as text."""
    text = MessageText(Clock("r", lambda: None), Palette(enabled=False), width=width)
    return [text.message(each) for each in messages]  # type: ignore[arg-type]


def test_lines() -> None:
    """Direction, stream, number, body; a delivered message ends with the one that published it."""
    published, delivered, binary = lines(PUBLISHED, DELIVERED, BINARY)

    assert published.endswith(" nats      -> orders.new order 0\\r\\nPING\\r\\n\n")
    assert delivered.endswith("PING\\r\\n  [published in frame 10, 81 us earlier]\n")
    assert " -> ../a/ \\x1b[1m " in binary
    assert binary.endswith("=5 key=6b31 00ff\n")


def test_lines_fit_a_terminal() -> None:
    """The body is cut, what is said of it stays."""
    long = replace(DELIVERED, body="x" * 500, data=None)
    (line,) = lines(long, width=120)

    assert len(line) == 121
    assert line.endswith("xx…  [published in frame 10, 81 us earlier]\n")


def test_format_strings() -> None:
    """Kcat's letters and escapes."""
    form = MessageFormat(r"%t [%p] %o %k/%K %s %S %T %h%%\n\x41")

    assert form.message(HEADED) == "orders.headed []  /0  0 1795287998886 Trace=1,Trace=2%\nA"
    assert form.message(BINARY).startswith("../a/ \\x1b[1m [] 5 6b31/4 00ff 2 ")
    assert MessageFormat("%S").message(replace(BINARY, body="***", data=None)) == "***"


@pytest.mark.parametrize(("form", "why"), [("%q", "%q is not known: %t stream"), ("%s%", "letter")])
def test_unknown_letters(form: str, why: str) -> None:
    """Are refused, with those that are known."""
    with pytest.raises(StreamsharkError, match=why):
        MessageFormat(form)


def test_json() -> None:
    """The members that the manual lists; unknown ones are null."""
    array = MessageJson(["a.pcap", "b.pcap"], array=True)
    text = array.head() + "".join(map(array.message, (PUBLISHED, DELIVERED))) + array.tail()
    first, second = json.loads(text)

    assert (first["file"], first["way"], first["published_frame"]) == ("a.pcap", "published", None)
    assert (second["published_frame"], second["latency_ns"]) == (10, 81_000)
    assert first["body"] == {"format": "text", "value": "order 0\r\nPING\r\n", "bytes": 15}
    assert (first["length"], first["number"], first["headers"]) == (15, None, [])


def test_file_names() -> None:
    """They stay in their folder, and no two are equal."""
    assert file_name(BINARY) == "000010-0-a_1m-5.bin"
    assert file_name(PUBLISHED) == "000010-0-orders.new.txt"
    assert len({file_name(each) for each in FOUND}) == len(FOUND)
