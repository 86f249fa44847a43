"""`-T fields`: chosen fields, laid out as tshark does."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.fields.known import fields_of
from tests.madeup import parrot_traffic, vault
from tests.protocols.rabbitmq_stream.traffic import WIRE, encoders_vectors

from streamshark.cli.raw_bytes import rows_of
from streamshark.conversations.conversation import Annotation, Name
from streamshark.errors import StreamsharkError
from streamshark.fields.registry import Fields
from streamshark.fields.rows import HEADERS, MEMBERS
from streamshark.views.display_options import DisplayOptions
from streamshark.views.fields_output import FieldRows, Layout
from streamshark.views.json import JsonRows

PARROT = Fields([parrot_traffic.PROTOCOL])
VAULT = fields_of(vault.WIRE, vault.RIDER, layers=vault.LAYERS)


def table(
    path: str,
    *names: str,
    layout: Layout | None = None,
    showing: DisplayOptions | None = None,
    files: Sequence[str] = (),
) -> list[str]:
    """The lines of a capture."""
    session = parrot_traffic.session(path)
    fields = Fields(session.protocols, session.layers, files)
    view = FieldRows(names, fields, layout or Layout(), showing or DisplayOptions())
    return [view.row(row) for row in session.rows()]


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A capture."""
    return parrot_traffic.write(tmp_path, parrot_traffic.talk())


def test_fields_of_the_schema(path: str) -> None:
    """Empty where a row has none; numbers plain, in the base of the field."""
    assert table(path, "parrot.say.phrase", "parrot.say.volume", "parrot.say_response.code") == [
        "\t\t", "\t\t", "hello\t2\t", "\t\t0x0", "\t\t", "\t\t", "\t\t", "\t\t",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("parrot.feed.nut", "00010203-0405-0607-0809-0a0b0c0d0e0f"),
        ("parrot.feed.weight", "-5"),
        ("parrot.feed.shell", "01ff"),
        ("parrot.feed.seeds", '{"key":"oil","value":"much"}'),
        ("parrot.feed.seeds.key", "oil"),
        ("parrot.command", "feed"),
        ("parrot.key", "3"),
        ("parrot.length", "42"),
        ("parrot.sender", "server"),
        ("parrot.correlation_id", ""),
        ("parrot.problem", ""),
        ("frame", "4"),
        ("frame.number", "7"),
        ("frame.time_epoch", "1700000000.006000000"),
        ("time", "2023-11-14T22:13:20.006000000Z"),
        ("time_ns", "1700000000006000000"),
        ("flow", "0"),
        ("tcp.stream", "0"),
        ("src", "10.0.0.2:7777"),
        ("dst", "10.0.0.1:40000"),
        ("packets", "7"),
        ("protocol", "parrot_talk"),
        ("kind", "command"),
        ("version", ""),
        ("carrier", ""),
        ("file", ""),
        ("problems", ""),
    ],
)
def test_values(path: str, name: str, value: str) -> None:
    """Of the frame that gives nuts."""
    assert table(path, name)[4] == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("command", "open"), ("protocol", "tcp"), ("kind", "event"), ("length", "0"),
        ("frame", ""), ("parrot.command", ""), ("key", ""), ("problems", ""), ("packets", "1"),
    ],
)  # fmt: skip
def test_events(path: str, name: str, value: str) -> None:
    """They have the members of every row."""
    assert table(path, name)[0] == value


def test_files_are_named_where_there_are_several(path: str) -> None:
    """As the user gave them."""
    assert table(path, "file", files=("a.pcap",))[0] == "a.pcap"


def test_problems(tmp_path: Path) -> None:
    """Their codes."""
    talk = (
        parrot_traffic.Conversation(server=("10.0.0.2", 7777))
        .handshake()
        .send(0, parrot_traffic.login())
    )
    talk.send(0, parrot_traffic.perch("muchtoolong"))
    lines = table(parrot_traffic.write(tmp_path, talk), "parrot.problem", "problems")

    assert lines[-1] == "limit\tlimit"


def test_secrets(path: str) -> None:
    """Masked unless asked for."""
    name = "parrot.login.password"

    assert table(path, name)[1] == "***"
    assert table(path, name, showing=DisplayOptions(secrets=True))[1] == "pieces of eight"


@pytest.mark.parametrize(
    ("layout", "line"),
    [
        (Layout(), "a,b\thello"),
        (Layout(occurrence="f"), "a\thello"),
        (Layout(occurrence="l"), "b\thello"),
        (Layout(aggregator=" "), "a b\thello"),
        (Layout(separator=";"), "a,b;hello"),
        (Layout(quote='"'), '"a,b"\t"hello"'),
        (Layout(quote="'"), "'a,b'\t'hello'"),
    ],
)
def test_layouts(path: str, layout: Layout, line: str) -> None:
    """Occurrences, and what stands between and around them."""
    assert table(path, "parrot.say.tags", "parrot.say.phrase", layout=layout)[2] == line


def test_quotes_inside_are_doubled() -> None:
    """As RFC 4180 has it."""
    view = FieldRows(["parrot.say.phrase"], PARROT, Layout(quote='"'), DisplayOptions())

    assert view.row(parrot_traffic.row(parrot_traffic.say('a"b'))) == '"a""b"'


def test_the_header() -> None:
    """The names, quoted as the values are."""
    view = FieldRows(["frame", "time"], PARROT, Layout(quote="'"), DisplayOptions())

    assert view.header() == "'frame'\t'time'"


def test_text_from_the_wire_is_escaped() -> None:
    """So that a line stays a line."""
    view = FieldRows(["parrot.say.phrase"], PARROT, Layout(), DisplayOptions())

    assert view.row(parrot_traffic.row(parrot_traffic.say("a\n\x1b[0m\tb"))) == "a\\n\\x1b[0m\\tb"


def test_names_that_are_none() -> None:
    """The error tells near ones."""
    with pytest.raises(
        StreamsharkError, match=r"unknown field 'parrot.say.phras' \(near: parrot.say"
    ):
        FieldRows(["parrot.say.phras"], PARROT, Layout(), DisplayOptions())
    with pytest.raises(StreamsharkError, match="`streamshark fields` lists them"):
        FieldRows(["xyzzy"], PARROT, Layout(), DisplayOptions())


def test_every_member_of_the_json_can_be_named(path: str) -> None:
    """Those that hold other members have their own names."""
    row = next(parrot_traffic.session(path).rows())
    members = JsonRows(DisplayOptions(), ["a"], twice=True).row(row)

    for name in MEMBERS:
        assert "." in name or f'"{name}":' in members
    assert set(HEADERS) - set(MEMBERS) == {"problem", "response_time"}


def test_what_conversations_tell_can_be_named() -> None:
    """Times in seconds where the header field is meant, as tshark shows relative times."""
    row = parrot_traffic.row(parrot_traffic.say())
    names = ["conversation", "request_frame", "response_frame", "response_time"]
    view = FieldRows(
        [f"parrot.{name}" for name in names] + ["response_time_ns", "context"],
        PARROT, Layout(), DisplayOptions(),
    )  # fmt: skip
    assert view.row(row) == "\t" * 5

    row.annotation = Annotation(Name(0, "3", "call"), {"user": "ara"}, 3, 1_000_000_250, 9)
    assert view.row(row) == '0-3-call\t3\t9\t1.000000250\t1000000250\t{"user":"ara"}'


def test_null_is_empty() -> None:
    """As what is absent."""
    row = parrot_traffic.row(parrot_traffic.say())
    row.shallow["phrase"] = None

    assert FieldRows(["parrot.say.phrase"], PARROT, Layout(), DisplayOptions()).row(row) == ""


@pytest.mark.parametrize(("kind", "shown"), [(vault.KEY, "***"), (vault.OPEN, vault.BODY.hex())])
def test_slots_in_which_a_secret_may_stand(kind: str, shown: str) -> None:
    """The whole of them is masked, unless secrets are asked for."""
    rows = list(vault.rows(vault.hello(kind), vault.put()))

    def lines(showing: DisplayOptions) -> list[str]:
        view = FieldRows(["vault.put.body"], VAULT, Layout(), showing)
        return [view.row(row) for row in rows]

    assert lines(DisplayOptions()) == ["", shown]
    assert lines(DisplayOptions(secrets=True)) == ["", vault.BODY.hex()]


def test_slots_that_are_put_together() -> None:
    """Masked as those of one frame are: the whole, unless secrets are asked for."""
    name = "vault.put.reassembled.body"
    for kind, shown in ((vault.KEY, "***"), (vault.OPEN, vault.BODY.hex())):
        rows = list(vault.rows(vault.hello(kind), vault.put(vault.BODY[:3], more=True),
                               vault.put(vault.BODY[3:])))  # fmt: skip
        for showing, wanted in (
            (DisplayOptions(), shown),
            (DisplayOptions(secrets=True), vault.BODY.hex()),
        ):
            view = FieldRows([name], VAULT, Layout(), showing)
            assert [view.row(row) for row in rows] == ["", "", wanted]


def test_numbers_that_no_byte_says() -> None:
    """They are named and shown like fields."""
    table = WIRE.table("")
    view = FieldRows(
        ["rmqstream.deliver.chunk.entries.offset"], fields_of(WIRE), Layout(), DisplayOptions()
    )
    [vector] = [each for each in encoders_vectors(bare=False) if each.name == "deliver/mixed"]
    [row] = rows_of(vector.data, table, "server")
    [close, *_] = [each for each in encoders_vectors(bare=False) if each.file == "close"]

    first = vector.expect["chunk"]["chunk_id"]
    assert view.row(row) == f"{first},{first + 2}"
    assert [view.row(each) for each in rows_of(close.data, table, "client")] == [""]


def test_fields_inside_slots() -> None:
    """The fields of the embedded record are masked if secret, also in reassembled fragments."""
    frames = (vault.hello(vault.KEY), vault.put(), vault.put(vault.BODY[:3], more=True),
              vault.put(vault.BODY[3:]))  # fmt: skip
    names = ["vault.key.name", "vault.key.key"]
    view = FieldRows(names, VAULT, Layout(), DisplayOptions())

    shown = [view.row(row) for row in vault.rows(*frames)]
    assert shown == ["\t", "a\t***", "\t", "a\t***"]
