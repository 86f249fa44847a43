"""Answers of a fault, as frames of the server: what they have of the frame that they answer."""

from tests.failures import Failures
from tests.proxy.test_fault_steering import INFO, sent, steering

from streamshark.api import encode
from streamshark.proxy.link import CLIENT, SERVER, Notice, Wake

PUBLISH = encode(
    "rabbitmq_stream",
    "publish",
    {
        "publisher_id": 3,
        "published_messages": [{"publishing_id": each, "message": b"m"} for each in (7, 8)],
    },
)
CREDIT = encode("rabbitmq_stream", "credit", {"subscription_id": 5, "credit": 1}, kind="command")
DECLARE = encode(
    "rabbitmq_stream",
    "declare_publisher",
    {"correlation_id": 1, "publisher_id": 3, "publisher_reference": "", "stream": "orders"},
    kind="request",
)
ERRORS = [{"publishing_id": each, "code": 6} for each in (7, 8)]


def test_errors_answer_frames_of_any_kind() -> None:
    """Publishes, credit, segments, messages of NATS."""
    refused = {"publisher_id": 3, "publishing_errors": ERRORS}
    read = {"segment": "s/a/0", "offset": 9, "suggested_length": 1, "delegation_token": ""}
    with Failures() as failures:
        for protocol, side, frame, text, expected in (
            ("rabbitmq_stream", CLIENT, PUBLISH, "rmqstream.publish -> error 6",
                encode("rabbitmq_stream", "publish_error", refused)),
            ("rabbitmq_stream", CLIENT, CREDIT, "rmqstream.credit -> error 4",
                encode("rabbitmq_stream", "credit",
                    {"response_code": 4, "subscription_id": 5}, kind="response")),
            ("pravega", CLIENT, encode("pravega", "read_segment", {**read, "request_id": 4}),
                "pravega.read_segment -> error wrong_host",
                encode("pravega", "wrong_host", {"request_id": 4, "segment": "s/a/0",
                    "correct_host": "", "server_stack_trace": ""})),
            ("nats", SERVER, INFO + b"MSG _INBOX.a 12 2\r\nno\r\n", "nats.msg -> error 503",
                INFO + b"HMSG _INBOX.a 12 16 16\r\nNATS/1.0 503\r\n\r\n\r\n"),
            ("nats", CLIENT, b"PUB a 1\r\nx\r\n", "nats.pub -> error Slow Consumer",
                b"-ERR 'Slow Consumer'\r\n"),
        ):  # fmt: skip
            made, _ = steering(text, protocol=protocol)
            hello = encode("pravega", "hello", {"high_version": 15, "low_version": 5})
            if protocol == "pravega":
                made.feed(CLIENT, hello)
            with failures.of(text):
                commands = [*made.feed(side, frame)]
                assert sent(commands) == expected
                assert sent(commands, SERVER) == b""
    made, (fault,) = steering('nats.command == "ping" -> set subject = x')
    commands = [*made.feed(CLIENT, b"PING\r\n")]
    assert sent(commands, SERVER) == b"PING\r\n"
    assert "not done: subject: nats.ping has no such field" in repr(commands)
    assert (fault.matched, fault.used) == (1, 0)


def test_frames_are_sent_beside_others() -> None:
    """After a time, between frames of the server, with what the selected frame has."""
    made, _ = steering(
        "rmqstream.declare_publisher -> send metadata_update 6 after 500ms once",
        protocol="rabbitmq_stream",
    )
    commands = [*made.feed(CLIENT, DECLARE)]
    assert sent(commands, SERVER) == DECLARE
    wake = next(each for each in commands if isinstance(each, Wake))
    assert wake.seconds == 0.5
    update = encode("rabbitmq_stream", "metadata_update", {"code": 6, "stream": "orders"})
    assert sent(made.woken(wake.token)) == update
    assert [*made.woken(wake.token)] == []

    made, _ = steering("nats.info -> send info once", "nats.ping -> send info")
    commands = [*made.feed(SERVER, INFO)]
    wake = next(each for each in commands if isinstance(each, Wake))
    lame = INFO.replace(b"}", b',"ldm":true}')
    assert sent([*commands, *made.woken(wake.token)]) == INFO + lame
    commands = [*made.feed(SERVER, b"PING\r\n")]
    assert sent(commands) == b"PING\r\n"
    assert any("not done: of NATS only INFO" in each.text for each in commands
        if isinstance(each, Notice))  # fmt: skip


def test_a_frame_is_not_sent_inside_another() -> None:
    """It waits until the large frame of the server has passed."""
    made, faults = steering("nats.info -> send info once")
    commands = [*made.feed(SERVER, INFO)]
    wake = next(each for each in commands if isinstance(each, Wake))
    faults.clear()
    large = b"MSG a 1 9\r\n123456789\r\n"
    assert sent(made.feed(SERVER, large[:-3])) == large[:-3]
    assert [*made.woken(wake.token)] == [Wake(0.1, wake.token)]
    assert sent(made.feed(SERVER, large[-3:])) == large[-3:]
    assert b'"ldm":true' in sent(made.woken(wake.token))
