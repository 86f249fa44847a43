"""Raw values from shown ones: numbers by their names, bodies, embedded records, packed slots."""

import json
from typing import Any

import pytest
from tests.failures import every
from tests.protocols.test_vectors import WIRES, cases

from streamshark.cli.raw_bytes import rows_of
from streamshark.dissection.row import FrameRow
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.schema.encoding import amended, changes_between
from streamshark.schema.value_checks import EncodingError
from streamshark.views.display_options import DisplayOptions
from streamshark.views.json import JsonRows
from streamshark.views.json_values import ValueReader

LAYERS = layers(catalog(), formats())


def reader(name: str) -> ValueReader:
    """Return what reads the values of a frame."""
    protocol, _, command = name.partition(".")
    wire = next(each for each in WIRES.values() if each.short == protocol)
    return ValueReader(wire.table().named(command).tree, LAYERS)


def row(protocol: str, vector: str) -> FrameRow:
    """Return the row of a vector."""
    data = next(each.vector.data for each in cases(protocol) if each.vector.name == vector)
    (found,) = rows_of(data, WIRES[protocol].table(), None)
    assert isinstance(found, FrameRow)
    return found


def changed(frame: FrameRow, fields: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Return the values of a frame with these fields."""
    assert frame.decoder is not None
    values = ValueReader(frame.decoder.tree, LAYERS).values(fields, frame.values)
    made = amended(frame.decoder.tree, frame.data, changes_between(frame.values, values))
    read, problems = frame.decoder.read(made)
    assert problems == []
    assert LAYERS.problems(frame.decoder, made, read) == []
    return read


def shown(frame: FrameRow) -> Any:  # noqa: ANN401 - JSON
    """Return the fields of a frame in JSON."""
    view = JsonRows(DisplayOptions(secrets=True), loose=True, layers=LAYERS)
    return json.loads(view.row(frame))["fields"]


@every(
    ("frame", "given", "expected"),
    [
        (
            "rmqstream.create_response",
            {"response_code": {"value": 1, "name": "ok"}},
            {"response_code": 1},
        ),
        ("rmqstream.create_response", {"response_code": "ok"}, {"response_code": 1}),
        ("rmqstream.create_response", {"response_code": "1"}, {"response_code": 1}),
        ("rmqstream.create_response", {"response_code": {"name": "ok"}}, {"response_code": 1}),
        (
            "rmqstream.create_response",
            {"response_code": {"value": 99, "name": None}},
            {"response_code": 99},
        ),
        ("rsocket.cancel", {"flags": {"ignore": True, "bit_6": True}}, {"flags": 0x240}),
        ("rsocket.cancel", {"flags": 64}, {"flags": 64}),
        (
            "pravega.append_block",
            {"writer_id": "00000000-0000-0001-0000-0000000000ff"},
            {"writer_id": bytes(7) + b"\1" + bytes(7) + b"\xff"},
        ),
        (
            "nats.pub",
            {"payload": {"format": "text", "value": "é", "bytes": 9}},
            {"payload": "é".encode()},
        ),
        (
            "nats.pub",
            {"payload": {"format": "json", "value": {"a": [1]}}},
            {"payload": b'{"a":[1]}'},
        ),
        ("nats.connect", {"verbose": True, "protocol": "1"}, {"verbose": True, "protocol": 1}),
    ],
)
def test_values(frame: str, given: Any, expected: Any) -> None:  # noqa: ANN401
    """As they are shown, and as people write them."""
    assert reader(frame).values(given) == expected


@every(
    ("frame", "given", "message"),
    [
        (
            "rmqstream.create_response",
            {"response_code": "okay"},
            "response_code: 'okay' is neither a number nor a known name",
        ),
        (
            "rmqstream.create_response",
            {"response_code": {"value": 2, "name": "ok"}},
            "response_code: 2 is called 'stream_does_not_exist', not 'ok'",
        ),
        (
            "rmqstream.create_response",
            {"response_code": True},
            "response_code: True is not a whole number",
        ),
        ("rmqstream.create_response", {"code": 1}, "code: there is no such field"),
        ("rsocket.cancel", {"flags": {"nothing": True}}, "flags.nothing: there is no such flag"),
        ("rsocket.cancel", {"flags": {"ignore": 1}}, "flags.ignore: 1 is not true or false"),
        ("rsocket.payload", {"data": "xyz"}, "data: 'xyz' is not hex"),
        ("rsocket.payload", {"data": "***"}, "data: masked; decode with --show-secrets to have it"),
        ("nats.pub", {"payload": {"bytes": 5}}, "payload: {'bytes': 5} is not hex"),
        (
            "nats.pub",
            {"payload": {"format": "text", "value": 5}},
            "payload: a body of format 'text' is not encoded; give its bytes as hex",
        ),
        (
            "nats.pub",
            {"payload": {"format": "amqp1", "value": 5}},
            "payload: a body of format 'amqp1' is not encoded; give its bytes as hex",
        ),
        ("nats.connect", {"pass": "***"}, "pass: masked; decode with --show-secrets to have it"),
        ("rmqstream.metadata_response", {"streams": 5}, "streams: 5 is not a list"),
        ("rmqstream.metadata_response", {"streams": [5]}, "streams[0]: 5 is not an object"),
    ],
)
def test_values_that_are_none(frame: str, given: Any, message: str) -> None:  # noqa: ANN401
    """One line names the field."""
    with pytest.raises(EncodingError) as error:
        reader(frame).values(given)
    assert str(error.value) == f"{frame}.{message}"


def test_fields_as_shown_change_nothing() -> None:
    """Numbers of messages that no byte says, decoded bodies, unpacked batches."""
    for vector in ("deliver/sub_batch_gzip", "publish/js_sub_batch_gzip", "deliver/deliver_v2"):
        frame = row("rabbitmq_stream", vector)
        assert frame.decoder is not None
        values = ValueReader(frame.decoder.tree, LAYERS).values(shown(frame), frame.values)
        assert changes_between(frame.values, values) == {}


def test_a_message_in_a_packed_batch() -> None:
    """It is packed again; the sizes and sums around it follow."""
    frame = row("rabbitmq_stream", "deliver/sub_batch_gzip")
    fields = shown(frame)
    batch = fields["chunk"]["entries"][0]
    before = len(batch["records"])
    batch["records"][0]["message"] = "00ff" * 40
    batch["records"].append({"message": "61"})
    del fields["chunk"]["num_records"]
    read = changed(frame, fields)
    (entry, *_) = read["chunk"]["entries"]

    assert entry["record_count"] == before + 1
    assert read["chunk"]["num_records"] == frame.values["chunk"]["num_records"] + 1
    assert entry["uncompressed_size"] != frame.values["chunk"]["entries"][0]["uncompressed_size"]


def test_a_codec_that_cannot_be_written() -> None:
    """The batch is refused with the field; as hex it can be given."""
    frame = row("rabbitmq_stream", "deliver/sub_batch_gzip")
    fields = shown(frame)
    fields["chunk"]["entries"][0] |= {"compression": 7}
    fields["chunk"]["entries"][0]["records"][0]["message"] = "00"
    with pytest.raises(EncodingError, match="it is packed by codec user, which cannot be written"):
        changed(frame, fields)


def test_embedded_records() -> None:
    """Entries of composite metadata, of which the others stay as they were."""
    frame = next(
        row("rsocket", case.vector.name)
        for case in cases("rsocket")
        if case.vector.name.startswith("request_response/")
        and isinstance(shown(row("rsocket", case.vector.name)).get("metadata"), list)
    )
    fields = shown(frame)
    assert changed(frame, fields) == frame.values
