"""JetStream by name: what subjects and acks mean."""

import pytest

from streamshark.conversations.functions import f_begins, f_called
from streamshark.protocols.nats.jetstream import ACKS, SUBJECTS


@pytest.mark.parametrize(
    ("subject", "name"),
    [
        ("$JS.API.INFO", "info"),
        ("$JS.API.STREAM.CREATE.ORDERS", "stream create"),
        ("$JS.API.STREAM.MSG.GET.ORDERS", "stream msg get"),
        ("$JS.API.CONSUMER.MSG.NEXT.ORDERS.worker", "consumer msg next"),
        ("$JS.API.CONSUMER.CREATE.ORDERS", "consumer create"),
        ("$JS.API.CONSUMER.CREATE.ORDERS.worker.orders.*", "consumer create"),
        ("$JS.API.CONSUMER.DURABLE.CREATE.ORDERS.worker", "consumer durable create"),
        ("$JS.API.DIRECT.GET.KV_settings.$KV.settings.colour", "direct get"),
        ("$JS.hub.API.STREAM.INFO.ORDERS", "stream info"),
        ("$JS.API.SOMETHING.NEW", "api request"),
        ("$JS.ACK.ORDERS.worker.1.1.1.1.0", "ack"),
        ("$JS.EVENT.ADVISORY.API", "advisory"),
        ("$JS.FC.ORDERS.worker.x", "flow control answer"),
        ("$KV.settings.colour", "key value"),
        ("orders.new", None),
    ],
)
def test_subjects(subject: str, name: str | None) -> None:
    """As `server/jetstream_api.go` has them."""
    assert f_called(subject, SUBJECTS) == name


@pytest.mark.parametrize(
    ("payload", "name"),
    [
        (b"", "ack"), (b"+ACK", "ack"), (b"-NAK", "nak"), (b'-NAK {"delay":1}', "nak"),
        (b"+WPI", "in progress"), (b'+NXT {"batch":1}', "ack and next"), (b"+TERM", "term"),
    ],
)  # fmt: skip
def test_acks(payload: bytes, name: str) -> None:
    """As `server/consumer.go` has them."""
    assert f_begins(payload, ACKS) == name
