"""Fields that faults set: values keep their types, and lists their first item."""

import pytest
from tests.failures import Failures

from streamshark.api import encode
from streamshark.errors import StreamsharkError
from streamshark.framing.frame_names import FrameName, decoders_of
from streamshark.protocols.catalog import catalog, find
from streamshark.proxy.fault_changes import with_changed_field
from streamshark.proxy.faults import FaultAction

CONFIRM = encode("rabbitmq_stream", "publish_confirm", {"publisher_id": 1, "publishing_ids": [5]})
ERROR = {"stream_id": 1, "flags": 0, "error_code": 0x201, "error_data": "no"}
DATA = {"stream_id": 1, "flags": 0x60, "data": b"ab"}


def test_values() -> None:
    """Numbers, text, and bytes, which are given as text; what does not fit is refused."""
    with Failures() as failures:
        for protocol, command, data, field, value, expected in (
            ("rsocket", "error", ERROR, "error_code", 5, {**ERROR, "error_code": 5}),
            (
                "rsocket",
                "error",
                ERROR,
                "rsocket.error.error_data",
                "x",
                {**ERROR, "error_data": "x"},
            ),
            ("rsocket", "payload", DATA, "data", "longer", {**DATA, "data": b"longer"}),
        ):
            decoder = decoders_of(find(protocol, catalog()).wire, FrameName(command))[0]
            action = FaultAction("set", field=field, value=value)
            with failures.of(field):
                changed = with_changed_field(action, decoder, encode(protocol, command, data))
                assert changed == encode(protocol, command, expected)
    decoder = decoders_of(find("rabbitmq_stream", catalog()).wire, FrameName("publish_confirm"))[0]
    for field, value in (("publisher_id", 256), ("publisher_id", "x"), ("nothing", 1)):
        with pytest.raises(StreamsharkError):
            with_changed_field(FaultAction("set", field=field, value=value), decoder, CONFIRM)
    flipped = with_changed_field(FaultAction("corrupt", field="publishing_ids"), decoder, CONFIRM)
    assert flipped == CONFIRM[:-1] + b"\x04"
