"""Causes of JetStream's errors: each is shown with the refusal that it explains."""

from tests.failures import every
from tests.protocols.nats.test_jetstream_behaviour_rules import API, asks, begun

from streamshark.protocols.nats.jetstream_errors import PUBLISHES, REQUESTS

OVERLAP = (
    '{"type":"io.nats.jetstream.api.v1.stream_create_response","error":{"code":400,'
    '"err_code":10065,"description":"subjects overlap with an existing stream"}}'
)
NO_FIT = OVERLAP.replace("10065", "10094")
TOO_LARGE = (
    '{"error":{"code":400,"err_code":10054,"description":"message size exceeds maximum allowed"},'
    '"stream":"S","seq":0}'
)

FULL = TOO_LARGE.replace("10054", "10077")


@every(
    ("rule", "subject", "answer", "cause"),
    [
        ("NATS-N24h", f"{API}STREAM.CREATE.S", OVERLAP, REQUESTS["10065"]),
        ("NATS-N24b", f"{API}STREAM.CREATE.S", NO_FIT, REQUESTS["10094"]),
        ("NATS-N24i", "orders", FULL, PUBLISHES["10077"]),
        ("NATS-N24d", "orders", TOO_LARGE, PUBLISHES["10054"]),
        ("NATS-N24d", "orders", TOO_LARGE.replace("10054", "10999"), ""),
    ],
)
def test_a_refusal_says_what_earned_it(rule: str, subject: str, answer: str, cause: str) -> None:
    """The cause is that of the code; a code that is not known has none."""
    talk = begun()
    asks(talk, subject, answer, payload="{}")

    assert talk.found(rule)
    assert [each.cause for each in talk.findings or () if each.rule == rule] == [cause]
