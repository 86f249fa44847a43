"""Frames from their JSON: every vector comes back, and bytes are shown where they are needed."""

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache, reduce
from random import Random
from typing import Any

import pytest
from tests.draw import is_drawn
from tests.failures import Failures, every
from tests.protocols.test_vectors import WIRES, cases

from streamshark.cli.raw_bytes import as_message, rows_of
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.views.display_options import DisplayOptions
from streamshark.views.json import JsonRows
from streamshark.views.json_encoder import JsonEncoder, RowsWithBytes

LAYERS = layers(catalog(), formats())
ENCODER = JsonEncoder([each.wire.table() for each in catalog()], LAYERS)
OPTIONS = (
    DisplayOptions(secrets=True),
    DisplayOptions(secrets=True, int_strings=True, bodies="raw"),
    DisplayOptions(secrets=True, bodies="size"),
)


@cache
def view(options: DisplayOptions) -> RowsWithBytes:
    """Return what shows rows."""
    return RowsWithBytes(JsonRows(options, loose=True, layers=LAYERS), [ENCODER])


def frames(protocol: str, data: bytes, dialect: str = "") -> Iterator[FrameRow]:
    """Yield the frames of some bytes, read as `decode` reads them."""
    table = WIRES[protocol].table(dialect)
    route = None if table.cuts else as_message(table)
    found = rows_of(data, route.table, None, route.carrier) if route else rows_of(data, table, None)
    return (row for row in found if isinstance(row, FrameRow))


def shown(protocol: str, data: bytes, options: DisplayOptions = OPTIONS[0]) -> list[Any]:
    """Return the JSON of some frames."""
    return [json.loads(view(options).row(row)) for row in frames(protocol, data)]


@pytest.mark.parametrize("protocol", WIRES)
def test_every_vector_comes_back(protocol: str) -> None:
    """A tenth also from bodies as hex or as a size, with numbers as text; no dialect is named."""
    with Failures() as failures:
        for vector, layout, _ in cases(protocol):
            dialect = layout.tree.schema.dialect
            for options in OPTIONS if is_drawn(vector.name) else OPTIONS[:1]:
                with failures.of(f"{vector.name} {options.bodies}"):
                    found = frames(protocol, vector.data, dialect)
                    texts = [json.loads(view(options).row(row)) for row in found]
                    assert b"".join(map(ENCODER.frame, texts)) == vector.data


@every(
    ("protocol", "data", "has_bytes"),
    [
        ("nats", b"PUB a 2\r\nhi\r\n", False),
        ("nats", b"PUB  a 2\r\nhi\r\n", True),
        ("nats", b"pub a 2\r\n\x00\xff\r\n", True),
        ("nats", b'PUB a 7\r\n{"a":1}\r\n', False),
        ("nats", b'PUB a 8\r\n{"a": 1}\r\n', True),
        ("rabbitmq_stream", bytes.fromhex("0000000400170001"), False),
        ("rabbitmq_stream", bytes.fromhex("0000000e001900010000000b000200000000"), True),
        ("rabbitmq_stream", bytes.fromhex("000000047fff0001"), True),
        ("rabbitmq_stream", bytes.fromhex("000000050017000100"), True),
    ],
)
def test_bytes_are_shown_where_fields_do_not_say_them(
    protocol: str,
    data: bytes,
    has_bytes: bool,  # noqa: FBT001 - a case
) -> None:
    """Else a frame has the members of every frame, and no more."""
    (frame,) = shown(protocol, data)

    assert ("bytes" in frame) == has_bytes
    assert ENCODER.frame(frame) == data


def test_bytes_of_secrets_are_masked() -> None:
    """And what is masked is refused, with the option that shows it."""
    (row,) = frames("nats", b'CONNECT {"pass":"secret"}\r\n')
    masked = DisplayOptions()
    found = RowsWithBytes(JsonRows(masked, loose=True, layers=LAYERS), [ENCODER]).row(
        SecretMask(LAYERS).row(row)
    )
    frame = json.loads(found)

    assert frame["bytes"] == frame["fields"]["pass"] == "***"
    for each in (frame, {**frame, "bytes": None}):
        with pytest.raises(StreamsharkError, match="masked; decode with --show-secrets"):
            ENCODER.frame(each)


def test_fields_change_the_bytes() -> None:
    """Blanks stay, the size follows."""
    (frame,) = shown("nats", b"PUB  a\t2\r\nhi\r\n")
    frame["fields"] |= {"subject": "b.c", "payload": {"format": "text", "value": "hello"}}
    assert ENCODER.frame(frame) == b"PUB  b.c\t5\r\nhello\r\n"

    frame["fields"]["payload"] = "00ff"
    assert ENCODER.frame(frame) == b"PUB  b.c\t2\r\n\x00\xff\r\n"
    del frame["bytes"]
    assert ENCODER.frame(frame) == b"PUB b.c 2\r\n\x00\xff\r\n"


def test_a_frame_needs_little() -> None:
    """Its protocol, its command, its fields; the protocol may be said beside it."""
    assert ENCODER.frame({"protocol": "nats", "command": "ping"}) == b"PING\r\n"
    assert ENCODER.frame({"command": "ping"}, protocol="nats") == b"PING\r\n"
    beat = {"protocol": "rabbitmq_stream", "command": "heartbeat"}
    assert ENCODER.frame(beat, bare=True) == bytes.fromhex("00170001")


@every(
    ("frame", "message"),
    [
        ([], "a frame in JSON is an object"),
        ({}, "protocol: missing"),
        ({"protocol": "x"}, "protocol: unknown protocol 'x' (known: grpc"),
        ({"protocol": 5}, "protocol: unknown protocol 5"),
        ({"protocol": "nats"}, "command: missing"),
        ({"protocol": "nats", "command": 5}, "command: 5 is not text"),
        ({"protocol": "nats", "command": "ping", "key": "x"}, "key: 'x' is not a number"),
        ({"protocol": "nats", "command": "ping", "fields": []}, "fields: not an object"),
        ({"protocol": "nats", "command": "ping", "bytes": "x"}, "bytes: not hex"),
        ({"protocol": "nats", "command": "ping", "bytes": 5}, "bytes: not hex"),
        ({"protocol": "nats", "command": "ping", "fields": {"a": 1}}, "nats.ping.a: there is no"),
        (
            {"protocol": "nats", "bytes": "41", "fields": {"a": 1}},
            "command: missing; fields of an unknown command cannot be changed",
        ),
        (
            {
                "protocol": "nats",
                "command": "ping",
                "bytes": "50494e4720780d0a",
                "fields": {"a": 1},
            },
            "nats.ping.a: there is no such field",
        ),
    ],
)
def test_what_is_no_frame(frame: object, message: str) -> None:
    """One line says what is wrong."""
    with pytest.raises(StreamsharkError) as error:
        ENCODER.frame(frame)
    assert str(error.value).startswith(message)


def test_values_that_are_too_deep() -> None:
    """They are refused, whatever they stand for."""
    deep: list[Any] = reduce(lambda inside, _: [inside], range(5000), [])
    with pytest.raises(StreamsharkError, match="more than 320 values inside each other"):
        ENCODER.frame({"protocol": "nats", "command": "pub", "fields": {"payload": deep}})


JUNK = (
    *(None, True, -1, 256, 1 << 64, 1.5, float("nan"), "", "\r\n", "***", "ff", [{}], "\ud800"),
    *([], {}, {"value": {}, "name": []}, {"format": [], "value": {}}, {"key": "a", "value": 1}),
    *({"format": "json", "value": ["\ud800"]}, "0" * 1000, {"bytes": 3}, {"(spelling)": 5}),
)  # fmt: skip
"""What stands where it should not."""
MUTATIONS = 1500


def test_junk_is_refused_in_one_line() -> None:
    """Or encoded, where it fits: fields of vectors with values replaced, added and left out."""
    random = Random("junk")  # noqa: S311 - not for secrets
    texts = [
        view(OPTIONS[0]).row(row)
        for protocol in WIRES
        for vector, layout, _ in cases(protocol)
        for row in frames(protocol, vector.data, layout.tree.schema.dialect)
    ]
    with Failures() as failures:
        for _ in range(MUTATIONS):
            text = random.choice(texts)
            frame = json.loads(text)
            if random.random() < 0.5:
                frame.pop("bytes", None)
            spoil(frame, random)
            with failures.of(json.dumps(frame)):
                assert "\n" not in outcome(frame)


def outcome(frame: object) -> str:
    """Return the error of a frame, nothing if it is encoded."""
    try:
        ENCODER.frame(frame)
    except StreamsharkError as error:
        return str(error)
    return ""


def spoil(frame: dict[str, Any], random: Random) -> None:
    """Replace, add or leave out one value."""
    places: list[tuple[Any, Any]] = [(frame, name) for name in frame]
    inside = [frame["fields"]]
    while inside:
        one = inside.pop()
        names = list(one) if isinstance(one, dict) else range(len(one))
        places += [(one, name) for name in names]
        inside += [one[name] for name in names if isinstance(one[name], dict | list)]
    within, name = random.choice(places)
    junk = deepcopy(random.choice(JUNK))
    if random.random() < 0.2:
        del within[name]
    elif isinstance(within[name], list):
        within[name].append(junk)
    elif isinstance(within[name], dict) and random.random() < 0.5:
        within[name]["value"] = junk
    else:
        within[name] = junk
