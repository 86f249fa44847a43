"""Which subjects a filter can meet."""

from tests.failures import every

from streamshark.protocols.nats.consumer_predicates import is_outside, overlap


@every(
    ("one", "other", "meets"),
    [
        ("a", "a", True), ("a", "b", False), ("a.*", "a.b", True), ("a.*", "*.b", True),
        ("a.*", "a", False), ("a.>", "a", False), ("a.>", "a.b.c", True), (">", "a", True),
        ("a.>", "*.b.>", True), ("a.b.>", "a.c.>", False), ("*.*", "a.b.c", False),
    ],
)  # fmt: skip
def test_patterns_overlap(one: str, other: str, meets: bool) -> None:  # noqa: FBT001 - of a table
    """Both ways round."""
    assert overlap(one, other) is meets
    assert overlap(other, one) is meets


@every("payload", [b"", b"{", b"[]", b'{"config":1}', b'{"config":{"filter_subjects":3}}'])
def test_odd_requests_have_no_filter(payload: bytes) -> None:
    """Nothing is said of what cannot be read."""
    assert is_outside({"payload": payload, "catalogue.subjects": '"a"'}) == ""
    assert is_outside({"payload": payload, "catalogue.subjects": '"a'}) == ""
