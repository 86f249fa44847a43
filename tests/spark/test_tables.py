"""Schemas in types that Spark has."""

import pyarrow as pa
import pytest

from streamshark.session import Session
from streamshark.spark.tables import command_schemas, frames, spark_type


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pa.uint64(), pa.decimal128(20, 0)),
        (pa.uint32(), pa.int64()),
        (pa.binary(16), pa.binary()),
        (pa.timestamp("ns", tz="UTC"), pa.timestamp("us", tz="UTC")),
        (pa.list_(pa.struct([("a", pa.uint8())])), pa.list_(pa.struct([("a", pa.int16())]))),
        (pa.string(), pa.string()),
    ],
)
def test_types(one: pa.DataType, other: pa.DataType) -> None:
    """Every type has one in Spark that holds all its values."""
    assert spark_type(one) == other


def test_frames_have_numbers_on_request() -> None:
    """Else nothing in it needs a reading of everything."""
    told = {"frame", "conversation", "part_of", "request_frame", "response_time_ns", "context"}
    assert set(frames(numbered=True).names) - set(frames().names) == told


def test_every_command_has_a_schema_that_spark_takes() -> None:
    """No unsigned number is left, at any depth."""
    schemas = command_schemas(Session(()).dissector)
    assert {"rmqstream.publish", "rsocket.setup"} <= set(schemas)
    for schema in schemas.values():
        assert not any("uint" in str(each.type) for each in schema)
