"""Which rows create a consumer, and which one."""

from tests.failures import every
from tests.protocols.nats.traffic import CLIENT, Talk


@every(
    ("subject", "stream"),
    [
        (b"$JS.API.CONSUMER.CREATE.S.C.orders", "S"),
        (b"$JS.API.CONSUMER.DURABLE.CREATE.T.C", "T"),
    ],
)
def test_both_forms_of_a_request_name_the_stream(subject: bytes, stream: str) -> None:
    """The older form has one more token before the stream."""
    talk = Talk()
    payload = b'{"config":{"durable_name":"C","filter_subject":"%s"}}'
    for each in (b"a", b"b", b"a"):
        body = payload % each
        talk.say(CLIENT, b"PUB %s r %d\r\n%s" % (subject, len(body), body))
    assert talk.found("NATS-B18")
    assert any(f"of stream {stream} " in each.message for each in talk.findings or ())
