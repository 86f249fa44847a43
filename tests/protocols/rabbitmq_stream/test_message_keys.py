"""Keys of messages, and which are in several partitions."""

from typing import Any

from streamshark.protocols.rabbitmq_stream.message_keys import (
    has_id_elsewhere,
    has_key_elsewhere,
    values_of,
)


def message(ident: str) -> bytes:
    """A message with an id."""
    text = ident.encode()
    return (
        b"\0\x53\x73\xc0" + bytes((len(text) + 3, 1, 0xA1, len(text))) + text + b"\0\x53\x75\xa0\1m"
    )


def row(earlier: str, now: str, *, shift: int = 1, apart: bool = False) -> dict[str, Any]:
    """Messages of program 0, and of program 1, the last one in this frame.

    With `apart` each program has a connection for each partition.
    """
    sent = []
    for number, keys in enumerate((earlier, now)):
        for at, key in enumerate(keys):
            part = (ord(key) + number * shift) % 3
            flow = number * 10 + part if apart else number
            who = (number * 100 + at, flow, "10.0.0.1", "1.0", f"app{number}", None)
            sent.append((*who, f"p{part}", message(f"k{key}")))
    n, flow, client, version, name, reference, stream, body = sent.pop()
    return {
        "spread.messages": sent, "n": n, "flow": flow, "client": client,
        "conn.client_version": version, "conn.client_name": name, "pub.reference": reference,
        "pub.stream": stream, "published_messages": [{"message": body}],
    }  # fmt: skip


def test_properties_of_a_message() -> None:
    """The id and application properties; nothing of other bytes."""
    tagged = b"\0\x53\x74\xc1\7\2\xa1\1k\xa1\1v"
    assert values_of(message("a")) == (("message-id", b"a"),)
    assert values_of(tagged) == (("k", b"v"),)
    assert values_of(b"text") == ()


def test_a_key_in_two_partitions() -> None:
    """Repeated keys are a fault, a single text may be one; a single hash is not."""
    assert "'kb', which is in p" in has_key_elsewhere(row("abab", "abab"))
    assert has_key_elsewhere(row("abc", "abc")) == ""
    assert "'kc', which is in p" in has_id_elsewhere(row("abc", "abc"))
    assert has_key_elsewhere(row("abab", "abab", shift=0)) == ""
    assert has_id_elsewhere(row("abc", "abc", shift=0)) == ""


def test_a_program_may_have_a_connection_for_each_partition() -> None:
    """It is one publisher then, with the same result."""
    assert "'kb', which is in p" in has_key_elsewhere(row("abab", "abab", apart=True))
    assert "'kc', which is in p" in has_id_elsewhere(row("abc", "abc", apart=True))
    for keys in ("abab", "abc"):
        assert has_key_elsewhere(row(keys, keys, shift=0, apart=True)) == ""
        assert has_id_elsewhere(row(keys, keys, shift=0, apart=True)) == ""
