"""Rules about metadata."""

from tests.protocols.rsocket.traffic import Talk, entry, framed, payload, setup

from streamshark.protocols.rsocket.types import COMPOSITE

CLIENT = 0
PUSH, LEASE, METADATA = 0x0C, 0x02, 0x100


def test_a_push_has_no_length() -> None:
    """M5: metadata that repeats its length; M6: without its flag; M1: a length beyond the end."""
    for flags, data, rules in (
        (METADATA, b"news", []),
        (METADATA, b"\0\0\4news", ["RSK-M5"]),
        (0, b"news", ["RSK-M6"]),
    ):
        talk = Talk()
        talk.say(CLIENT, setup())
        talk.say(CLIENT, framed(0, PUSH, flags, data))
        found = {each.rule.id for each in talk.judge.open()}
        assert sorted(found & {"RSK-M5", "RSK-M6"}) == rules


def test_a_length_beyond_the_end() -> None:
    """M1: of the metadata of a request."""
    talk = Talk()
    talk.say(CLIENT, setup())
    talk.say(CLIENT, framed(1, 0x04, METADATA, b"\0\0\x09route"))
    assert talk.found("RSK-M1") == [(2,)]


def requested(metadata: bytes, announced: str = COMPOSITE) -> Talk:
    """A request with metadata."""
    talk = Talk()
    talk.say(CLIENT, setup(metadata=announced))
    talk.say(CLIENT, framed(1, 0x04, METADATA, payload(metadata, b"data")))
    return talk


def test_metadata_is_of_its_type() -> None:
    """M9: of the type that SETUP announces; composite metadata is recognised."""
    composite = entry(0x7E, b"\6orders")
    for announced, metadata, is_wrong in (
        ("application/json", b'{"route": "orders"}', False),
        ("application/json", b"orders", True),
        ("application/json", composite, True),
        ("text/plain", b"orders", False),
        ("text/plain", composite, True),
        ("application/octet-stream", composite, True),
        ("application/octet-stream", b"\xfeorders", False),
        ("message/x.rsocket.routing.v0", composite, True),
        ("message/x.rsocket.routing.v0", b"\6orders", False),
        ("application/x.shop", composite, False),
    ):
        found = requested(metadata, announced).found("RSK-M9")
        assert bool(found) is is_wrong, (announced, metadata)


def test_entries_can_be_used() -> None:
    """M8 and M10: credentials, routes, MIME types, tracing."""
    for rule, mime_id, content, is_wrong in (
        ("M10", 0x7E, b"\6orders", False),
        ("M10", 0x7E, b"\0", True),
        ("M10", 0x7E, b"", True),
        ("M10", 0x7A, b"\x85", False),
        ("M10", 0x7A, b"\x0fapplication", True),
        ("M10", 0x7B, b"\x85\x81", False),
        ("M10", 0x7D, b"\x80" + b"\1" * 16, False),
        ("M10", 0x7D, b"\x80" + b"\1" * 8 + bytes(8), True),
        ("M10", 0x7D, b"\x80" + bytes(8) + b"\1" * 8, True),
        ("M10", 0x7D, b"\x80" + bytes(9), True),
        ("M8", 0x7C, b"\x80\0\4userpass", False),
        ("M8", 0x7C, b"\x80\4userpass", True),
        ("M8", 0x7C, b"\x81eyJhbGciOi", False),
        ("M8", 0x7C, b"\x81Bearer eyJhbGciOi", True),
        ("M8", 0x7C, b"eyJhbGciOi.eyJzdWIi.abc" + bytes(range(97, 123)) * 4, True),
        ("M8", 0x7C, b"Basic dXNlcjpwdw==", True),
        ("M8", 0x7C, b"\4eyJhb.custom", False),
    ):
        found = requested(entry(mime_id, content)).found(f"RSK-{rule}")
        assert bool(found) is is_wrong, (rule, mime_id, content)
    for version, is_wrong in (("v0", False), ("v1", True)):
        name = f"message/x.rsocket.routing.{version}".encode()
        named = bytes([len(name) - 1]) + name + b"\0\0\7\6orders"
        assert bool(requested(named).found("RSK-M10")) is is_wrong, version
