"""Subjects of the JetStream API that nearly are others."""

from tests.failures import every

from streamshark.protocols.nats.jetstream_names import is_nearly_a_request, is_nearly_known


@every(
    ("subject", "near"),
    [
        ("$JS.API.STREAM.CREAT.S", "STREAM.CREATE"),
        ("$JS.API.stream.create.S", "STREAM.CREATE"),
        ("$JS.hub.API.CONSUMER.MSG.NXT.S.C", "CONSUMER.MSG.NEXT"),
        ("$JS.API.STREAM.INFO", "STREAM.INFO with another number of tokens"),
        ("$JS.API.SOMETHING.NEW", ""),
        ("", ""),
    ],
)
def test_a_request_that_is_misspelt(subject: str, near: str) -> None:
    """Words with other letters or in another case, and names that are missing."""
    assert is_nearly_a_request({"asked.subject": subject}) == near


@every(
    ("subject", "found"),
    [
        ("$JS.API.STREAM.INFO.orders", "ORDERS"),
        ("$JS.API.CONSUMER.INFO.ORDERS.Worker", "ORDERS.worker"),
        ("$JS.API.CONSUMER.DURABLE.CREATE.ORDERS.worker", ""),
        ("$JS.API.STREAM.INFO.bills", ""),
        (None, ""),
    ],
)
def test_a_name_that_exists_nearly(subject: str | None, found: str) -> None:
    """Streams are compared with streams, consumers with consumers."""
    known = dict.fromkeys(["$JS.API.STREAM.CREATE.ORDERS", "$JS.API.CONSUMER.INFO.ORDERS.worker"])
    assert is_nearly_known({"asked.subject": subject, "names.subjects": known}) == found
