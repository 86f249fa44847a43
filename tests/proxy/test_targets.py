"""URLs are read as clients write them, and refused in one sentence that shows no password."""

import pytest
from tests.failures import every

from streamshark.errors import StreamsharkError
from streamshark.proxy.targets import ListenAddress, Target, parse_listen, parse_target

GOOD = {
    "rabbitmq-stream://broker": Target("broker", 5552, "rabbitmq-stream"),
    "rabbitmq-stream+tls://broker": Target("broker", 5551, "rabbitmq-stream+tls"),
    "rabbitmq-stream://guest:gu%40est@broker:5553/%2f": Target(
        "broker", 5553, "rabbitmq-stream", "guest:gu%40est", "/%2f"
    ),
    "NATS://demo.nats.io": Target("demo.nats.io", 4222, "nats"),
    "nats://a@b:c@demo:4223": Target("demo", 4223, "nats", "a@b:c"),
    "tls://[fd00::1]:9090": Target("fd00::1", 9090, "tls"),
    "ws://127.0.0.1:7000/rsocket?x=1": Target("127.0.0.1", 7000, "ws", "", "/rsocket?x=1"),
    "localhost:9292": Target("localhost", 9292),
}
BAD = {
    "": "not a URL|names no host",
    "localhost": "names no port",
    "tcp://localhost": "names no port",
    "nats://": "names no host",
    "nats://host:0": "a port is 1 to 65535",
    "nats://host:99999999999": "a port is 1 to 65535",
    "nats://host:x": "not a URL",
    "kafka://user:word@host:1": r"'kafka://host:1': unknown scheme 'kafka'",
    "nats://user:word@:1": "'nats://:1': names no host",
    "nats://ho st:1": "not a URL",
    "nats://[::1:4222": "not a URL",
}
LISTEN = {
    "6000": ListenAddress(None, 6000),
    ":6000": ListenAddress(None, 6000),
    "0.0.0.0": ListenAddress("0.0.0.0", 0),  # noqa: S104
    "[::]:6000": ListenAddress("::", 6000),
}


@every("text, target", GOOD.items())
def test_urls_of_clients(text: str, target: Target) -> None:
    """Each is read, and clients get it with the address of the proxy in it."""
    assert parse_target(text) == target
    again = parse_target(target.url("::1", 21_000))
    assert (again.host, again.port) == ("::1", 21_000)
    assert (again.user, again.rest) == (target.user, target.rest)


@every("text, sentence", BAD.items())
def test_other_text_is_refused(text: str, sentence: str) -> None:
    """In a sentence that names it, without user and password."""
    with pytest.raises(StreamsharkError, match=sentence) as refused:
        parse_target(text)
    assert "word" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_url_is_shown_without_secrets() -> None:
    """What is printed has neither the password nor the path."""
    target = parse_target("rabbitmq-stream://guest:word@broker/secret")

    assert target.shown("127.0.0.1", 21_000) == "rabbitmq-stream://127.0.0.1:21000"
    assert parse_target("b:1").shown("127.0.0.1", 21_000) == "127.0.0.1:21000"


def test_addresses_to_listen_on() -> None:
    """Host, port or both."""
    assert {text: parse_listen(text) for text in LISTEN} == LISTEN
    for text in ("", "nats://a:1", "a:b", "a@b:1", "a:70000"):
        with pytest.raises(StreamsharkError, match="--listen"):
            parse_listen(text)
