"""Rows as the JSON of the design, member for member."""

import json
from pathlib import Path
from typing import Any

from tests.madeup import parrot_traffic

from streamshark.schema import Problem, ProblemCode
from streamshark.views.display_options import DisplayOptions
from streamshark.views.json import JsonRows, encoded

MEMBERS = [
    "frame", "time", "time_ns", "flow", "src", "dst", "packets", "protocol", "command", "key",
    "version", "kind", "sender", "correlation_id", "length", "carrier", "fields", "problems",
    "conversation", "request_frame", "response_time_ns", "context",
]  # fmt: skip
"""The design's, section 4, in their order; `file` only where there are several."""


def objects(path: str, files: tuple[str, ...] = (), **showing: object) -> list[dict[str, Any]]:
    """The rows of a capture."""
    view = JsonRows(DisplayOptions(**showing), files)
    return [json.loads(view.row(row)) for row in parrot_traffic.session(path).rows()]


def loose(data: bytes, sender: str | None = "client", **showing: object) -> list[dict[str, Any]]:
    """The rows of loose bytes."""
    view = JsonRows(DisplayOptions(**showing), loose=True)
    return [json.loads(view.row(row)) for row in parrot_traffic.rows(data, sender)]


def test_members_in_their_order(tmp_path: Path) -> None:
    """Of frames and events alike."""
    rows = objects(parrot_traffic.write(tmp_path, parrot_traffic.talk()))

    assert {tuple(row) for row in rows} == {tuple(MEMBERS)}


def test_a_frame(tmp_path: Path) -> None:
    """A request."""
    row = objects(parrot_traffic.write(tmp_path, parrot_traffic.talk()))[2]

    assert row == {
        "frame": 2,
        "time": "2023-11-14T22:13:20.004000000Z",
        "time_ns": 1_700_000_000_004_000_000,
        "flow": 0,
        "src": "10.0.0.1:40000",
        "dst": "10.0.0.2:7777",
        "packets": [5],
        "protocol": "parrot_talk",
        "command": "say",
        "key": 1,
        "version": None,
        "kind": "request",
        "sender": "client",
        "correlation_id": 7,
        "length": 18,
        "carrier": None,
        "fields": {
            "correlation_id": 7,
            "phrase": "hello",
            "volume": {"value": 2, "name": "high"},
            "manner": {"slowly": True, "twice": False},
            "tags": ["a", "b"],
        },
        "problems": [],
        "conversation": None,
        "request_frame": None,
        "response_time_ns": None,
        "context": {},
    }


def test_an_event(tmp_path: Path) -> None:
    """Its facts are fields, its protocol is tcp."""
    row = objects(parrot_traffic.write(tmp_path, parrot_traffic.talk()))[0]

    assert row["frame"] is None
    assert (row["protocol"], row["kind"], row["command"]) == ("tcp", "event", "open")
    assert row["fields"] == {"sender": "client"}
    assert (row["length"], row["problems"]) == (0, [])


def test_an_event_of_a_carrier() -> None:
    """Its protocol is the carrier, and it may have problems."""
    event = parrot_traffic.event(b"\xff" * 40)
    event.protocol, event.name = "websocket", "ping"
    event.problems = [Problem(ProblemCode.CARRIER, -1, 0, 4, "a control frame is fragmented")]
    row = json.loads(JsonRows(DisplayOptions(), loose=True).row(event))

    assert (row["protocol"], row["kind"], row["command"]) == ("websocket", "event", "ping")
    assert row["problems"] == [
        {"code": "carrier", "field": None, "offset": 0, "length": 4,
         "message": "a control frame is fragmented"},
    ]  # fmt: skip


def test_frames_over_several_packets(tmp_path: Path) -> None:
    """All packets that carried it."""
    talk = parrot_traffic.Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    talk.send(0, parrot_traffic.say(), size=7)

    assert objects(parrot_traffic.write(tmp_path, talk))[-1]["packets"] == [4, 5, 6]


def test_the_file_is_named_where_there_are_several(tmp_path: Path) -> None:
    """The file follows the number."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    row = objects(path, files=("one.pcap", "two.pcap"))[1]

    assert list(row)[:3] == ["frame", "file", "time"]
    assert row["file"] == "one.pcap"


def test_ipv6_addresses_have_brackets(tmp_path: Path) -> None:
    """So that the port can be told."""
    talk = parrot_traffic.Conversation(("fd00::1", 40_000), ("fd00::2", 7777)).handshake()
    talk.send(0, parrot_traffic.say())

    assert objects(parrot_traffic.write(tmp_path, talk))[1]["src"] == "[fd00::1]:40000"


def test_loose_bytes_have_no_place() -> None:
    """Neither time nor addresses nor packets."""
    (row,) = loose(parrot_traffic.say())

    assert list(row) == MEMBERS
    assert (row["time"], row["time_ns"], row["src"], row["dst"]) == (None, None, None, None)
    assert (row["flow"], row["packets"]) == (0, [])


def test_problems() -> None:
    """Code, field, offset, length, message."""
    (row,) = loose(parrot_traffic.perch("muchtoolong"))

    assert row["problems"] == [
        {
            "code": "limit",
            "field": "parrot.perch.branches.name",
            "offset": 4,
            "length": 12,
            "message": "11 exceeds the limit of 8",
        }
    ]


def test_unknown_frames() -> None:
    """No command and kind, no fields; the key that was read, and the problem."""
    (row,) = loose(parrot_traffic.frame(9, b"abc"))

    assert (row["command"], row["kind"], row["key"]) == (None, None, 9)
    assert (row["fields"], row["length"]) == ({}, 6)
    assert [each["code"] for each in row["problems"]] == ["unknown_key"]
    assert row["problems"][0]["field"] is None


def test_what_is_unprovable_is_null() -> None:
    """A frame that either side may send."""
    assert loose(parrot_traffic.squawk(), None)[0]["sender"] is None


def test_secrets() -> None:
    """Masked unless asked for, in problems too."""
    password = "pieces of eight"  # noqa: S105 - made up
    view = JsonRows(DisplayOptions(), loose=True)

    assert password not in "".join(map(view.row, parrot_traffic.rows(parrot_traffic.login())))
    assert loose(parrot_traffic.login())[0]["fields"]["password"] == "***"  # noqa: S105
    assert loose(parrot_traffic.login(), secrets=True)[0]["fields"]["password"] == password
    assert loose(parrot_traffic.login()[:-3])[0]["fields"] == {"user": "ara"}


def test_wide_numbers_as_text(tmp_path: Path) -> None:
    """All of 64 bits, the time included."""
    row = objects(parrot_traffic.write(tmp_path, parrot_traffic.talk()), int_strings=True)[-3]

    assert row["time_ns"] == "1700000000007000000"
    assert row["fields"]["pitch"] == "1152921504606846976"
    assert row["flow"] == 0


def test_hostile_text() -> None:
    """The JSON has it, a terminal does not."""
    hostile = "\x1b[31m\u202e\x9b"
    view = JsonRows(DisplayOptions(), loose=True)
    shown = view.row(parrot_traffic.row(parrot_traffic.say(hostile)))

    assert shown.isprintable()
    assert json.loads(shown)["fields"]["phrase"] == hostile


def test_times_that_cannot_be_written(tmp_path: Path) -> None:
    """A year beyond 9999 has nanoseconds alone."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    row = next(iter(parrot_traffic.session(path).rows()))
    row.time_ns = 1 << 70
    shown = json.loads(JsonRows(DisplayOptions()).row(row))

    assert (shown["time"], shown["time_ns"]) == (None, 1 << 70)


def test_encoded() -> None:
    """One line, without blanks."""
    assert encoded({"a": [1, None, "ü\n\x7f"]}) == '{"a":[1,null,"ü\\n\\u007f"]}'
