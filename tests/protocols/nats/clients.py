"""Clients of NATS that misbehave, and those that only look like it."""

from collections.abc import Callable, Iterable

from tests.protocols.nats.traffic import CLIENT, CLIENT_CONNECT, MS, SECOND, SERVER, Script

JSON, PACKED = b'{"id":1}', b"\x81\xa2id\1"


NEXT = "$JS.API.CONSUMER.MSG.NEXT.S.C"


CREATE = "$JS.API.CONSUMER.DURABLE.CREATE.S."


STORED = '{"stream":"S","seq":1}'


def pulls(count: int, code: str, wait: int = 5 * MS) -> Script:
    """Pull requests that end with a status."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub(NEXT, '{"batch":1,"no_wait":true}', f"_INBOX.a.{each}", wait)
        talk.status(f"_INBOX.a.{each}", code)
    return talk


def redelivered(numbers: Iterable[int], *, ack: bool = False) -> Script:
    """One message delivered again, perhaps acknowledged in the end by its first number."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    replies = [talk.delivery(7, each, consumed=each) for each in numbers]
    if ack:
        talk.pub(replies[0], "+ACK")
    return talk


def created(count: int, *, deleted: bool = False, wait: int = 10 * MS, stream: str = "S") -> Script:
    """Consumers created one after the other."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub(f"$JS.API.CONSUMER.CREATE.{stream}", "{}", f"_INBOX.a.{each}", wait)
        if deleted:
            talk.pub(f"$JS.API.CONSUMER.DELETE.S.c{each}", "", f"_INBOX.a.d{each}")
    return talk


def consumed(*numbers: int) -> Script:
    """Deliveries of a push consumer."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    for each in numbers:
        talk.delivery(each)
    talk.close()
    return talk


def pulled_to(prefix: str) -> Script:
    """Pull requests with replies of a prefix, on a connection with inboxes _INBOX.a."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in (1, 2):
        talk.pub(NEXT, '{"batch":1}', f"{prefix}.{each}")
    talk.close()
    return talk


def steps(count: int, ask: str, payload: str, answer: str, wait: int = MS) -> Script:
    """Questions one by one."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each in range(count):
        talk.pub(ask, payload, f"_INBOX.a.{each}", wait)
        if answer:
            talk.msg(f"_INBOX.a.{each}", answer)
        else:
            talk.delivery(each + 1)
    return talk


def acked(*words: str) -> Script:
    """Deliveries that are acknowledged by words."""
    talk = Script()
    talk.line(CLIENT, "SUB deliver 1")
    for each in range(4):
        reply = talk.delivery(each + 1)
        for word in words:
            talk.pub(reply, word)
    talk.close()
    return talk


def configured_as(policy: str, *, wait: str = "30000000000", most: int = -1, open_: int = 2) -> str:
    """What the server says of a consumer."""
    return (
        '{"type":"io.nats.jetstream.api.v1.consumer_info_response","stream_name":"S","name":"C",'
        f'"config":{{"ack_policy":"{policy}","ack_wait":{wait},"max_deliver":{most},'
        f'"max_ack_pending":{open_},"x":1}}}}'
    )


NAMED = CLIENT_CONNECT.replace(b'"go"', b'"go","name":"reader"')


def away(
    *back: str, side: int = SERVER, error: str = "", wait: int = 8, early: bool = False
) -> Script:
    """A program `app` whose connection ends, and the programs that connect after that."""
    talk = Script(connect=NAMED.replace(b"reader", b"app"))
    talk.line(CLIENT, "PING")
    links = [(talk.connection, talk.offsets, talk.flow)]
    if early:
        talk.connect(connect=NAMED.replace(b"reader", b"app"))
        talk.line(CLIENT, "PING")
        links.append((talk.connection, talk.offsets, talk.flow))
        talk.connection, talk.offsets, talk.flow = links[0]
    if error:
        talk.line(SERVER, f"-ERR '{error}'")
    for each in (side, 1 - side):
        talk.event(each, "close")
    talk._see(talk.connection.finish())
    for each in back:
        talk.now += SECOND
        talk.connect(connect=NAMED.replace(b"reader", each.encode()))
        talk.line(CLIENT, "PING")
    if not back:
        talk.connect(connect=b"")
    talk.line(SERVER, "PONG", wait=wait * SECOND)
    return talk


def absent(
    *back: str, requests: int = 3, pause: int = 3, side: int = SERVER, works: bool = True
) -> Script:
    """A service whose connection ends, and requests to it."""
    talk = Script(connect=NAMED.replace(b"reader", b"store"))
    talk.line(CLIENT, "SUB store.get 1")
    if works:
        talk.msg("store.get", "file", "_INBOX.a.1")
    for each in (side, 1 - side):
        talk.event(each, "close")
    talk._see(talk.connection.finish())
    talk.connect(connect=NAMED)
    for each in ("_INBOX.b.*", *back):
        talk.line(CLIENT, f"SUB {each} 1")
    for number in range(requests):
        talk.pub("store.get", "file", f"_INBOX.b.{number}", pause * SECOND)
        talk.status(f"_INBOX.b.{number}", "503")
    return talk


Talks = Callable[[], tuple[Script, ...]]
"""A fault, and what looks like it."""


def names_the_fault_alone(rule: str, talks: Talks) -> None:
    """The first connection has a finding of the rule, and no other has."""
    fault, *kept = talks()
    assert fault.found(f"NATS-{rule}"), rule
    for number, each in enumerate(kept):
        assert not each.found(f"NATS-{rule}"), (rule, number)
