"""Rows as columns, and what is kept of bodies and secrets."""

from collections import Counter
from hashlib import sha256

import pytest
from tests.packets import recorded

from streamshark.dissection.row import FrameRow
from streamshark.session import Session
from streamshark.spark.table_fillers import CommandFiller, KeptValues, MessageFiller
from streamshark.spark.tables import SCHEMAS, command_schemas, commands


@pytest.mark.parametrize(
    "name",
    [
        "rabbitmq_stream/publish_confirm",
        "rsocket/cancels_websocket_py",
        "nats/leaf_py",
        "liftbridge/subscribes_go",
        "liftbridge/replicated_go",
        "nats/routes_pinned_py",
    ],
)
def test_every_frame_is_in_the_table_of_its_command(name: str) -> None:
    """In whatever carrier, as a guest of others, and of dialects to which connections turn."""
    session = Session(recorded(name))
    known, schemas = commands(session.dissector), command_schemas(session.dissector)
    fillers: dict[str, CommandFiller] = {}
    counts: Counter[str] = Counter()
    for row in session.rows():
        if isinstance(row, FrameRow) and row.decoder is not None:
            table = row.decoder.tree.prefix
            counts[table] += 1
            if table not in fillers:
                fillers[table] = CommandFiller(
                    schemas[table], session.dissector, known[table], KeptValues()
                )
            fillers[table].add(row)
            columns = schemas[table].names
            assert all(any(f"{table}.{each}" in name for name in columns) for each in row.values)
    assert counts
    assert {table: len(each.batch()) for table, each in fillers.items()} == counts


def test_fields_that_span_commands_are_columns_of_each_table() -> None:
    """Of one type in all tables; lists where a frame may have several."""
    session = Session(recorded("rabbitmq_stream/missing_stream_go"))
    known, schemas = commands(session.dissector), command_schemas(session.dissector)
    names = ("rmqstream.metadata_response", "rmqstream.delete_response", "rmqstream.delete")
    fillers = {
        name: CommandFiller(schemas[name], session.dissector, known[name], KeptValues())
        for name in names
    }
    for row in session.rows():
        for each in fillers.values():
            each.add(row)
    metadata, response, request = (each.batch().to_pylist() for each in fillers.values())

    assert (
        metadata[0]["rmqstream.stream"] == ["missing_stream_go"] == request[0]["rmqstream.stream"]
    )
    assert "rmqstream.stream" not in response[0]  # its connection knows it, not its bytes
    assert {each["rmqstream.failed"] for each in (*metadata, *response)} == {True}
    assert response[0]["rmqstream.response_code"] == [2]
    types = {
        schema.field("rmqstream.stream").type
        for schema in schemas.values()
        if "rmqstream.stream" in schema.names
    }
    assert len(types) == 1


@pytest.mark.parametrize("bodies", ["none", "hash", "full"])
def test_bodies(bodies: str) -> None:
    """Of a message nothing is kept but its length, or its hash, or all of it."""
    session = Session(recorded("rabbitmq_stream/publish_confirm"))
    kept = KeptValues(bodies)
    messages = MessageFiller(SCHEMAS["messages"], session.dissector, kept)
    name = "rmqstream.publish"
    table = CommandFiller(
        command_schemas(session.dissector)[name],
        session.dissector,
        commands(session.dissector)[name],
        kept,
    )
    whole = []
    for row in session.rows():
        messages.add(row)
        table.add(row)
        if getattr(row, "name", "") == "publish":
            whole += [each["message"] for each in row.values["published_messages"]]  # type: ignore[attr-defined]
    wanted = {"none": None, "hash": sha256(whole[0]).digest(), "full": whole[0]}[bodies]
    told = messages.batch().to_pylist()
    assert [each["length"] for each in told if each["command"] == "publish"] == [
        len(each) for each in whole
    ]
    assert told[0]["body"] == wanted
    (first, *_) = table.batch().to_pylist()
    assert first[f"{name}.published_messages"][0]["message"] == wanted
