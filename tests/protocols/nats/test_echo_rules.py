"""Rules for what one side repeats of the other, by made connections."""

import json

from tests.failures import every
from tests.protocols.nats.clients import NEXT, Talks, names_the_fault_alone
from tests.protocols.nats.traffic import (
    CLIENT,
    CLIENT_CONNECT,
    SERVER,
    SERVER_INFO,
    Script,
)

from streamshark.protocols.nats.echo_rules import ECHO_RULES

API = "$JS.API."
STREAM_ANSWER = (
    '{"type":"io.nats.jetstream.api.v1.stream_%s_response","config":{"name":"%s","storage":"%s"}}'
)
CONSUMER_ANSWER = (
    '{"type":"io.nats.jetstream.api.v1.consumer_%s_response","stream_name":"%s","name":"%s",'
    '"config":{"ack_policy":"explicit","filter_subject":"%s"}}'
)


def answered(subject: str, answer: str, request: str = "", *, block: str = "") -> Script:
    """A request, and its answer."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub(subject, request, "_INBOX.a.1")
    if block:
        size = len(block)
        talk.line(SERVER, f"HMSG _INBOX.a.1 1 {size} {size + len(answer)}\r\n{block}{answer}\r\n")
    else:
        talk.msg("_INBOX.a.1", answer)
    return talk


def stream(kind: str, name: str = "S", storage: str = "file") -> str:
    """What the server says of a stream."""
    return STREAM_ANSWER % (kind, name, storage)


def consumer(kind: str, of: str = "S", name: str = "C", filter_: str = "a.*") -> str:
    """What the server says of a consumer."""
    return CONSUMER_ANSWER % (kind, of, name, filter_)


def configured(subject: str, *, blank: bool = False, **config: object) -> Script:
    """A request with a configuration."""
    talk = Script()
    talk.pub(subject, json.dumps(config, separators=None if blank else (",", ":")), "_INBOX.a.1")
    return talk


def stored_by(*streams: str, subjects: str = "aa", more: str = "") -> Script:
    """Messages, and the streams that store them."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    for each, (name, subject) in enumerate(zip(streams, subjects, strict=False)):
        talk.pub(subject, "x", f"_INBOX.a.{each}")
        talk.msg(f"_INBOX.a.{each}", f'{{"stream":"{name}"{more},"seq":{each + 2}}}')
    return talk


def fed(*names: str, pulls: bool = False, creates: bool = False, inbox: str = "_INBOX.a") -> Script:
    """Deliveries of consumers on one subscription."""
    talk = Script()
    talk.line(CLIENT, f"SUB {inbox} 1")
    if pulls:
        talk.pub(NEXT, '{"batch":9}', inbox)
    for each, name in enumerate(names):
        if creates and each:
            talk.pub(f"{API}CONSUMER.CREATE.S", '{"stream_name":"S"}', "_INBOX.b")
        talk.msg("orders", "m", f"$JS.ACK.S.{name}.1.{each + 1}.{each + 1}.17.5")
    return talk


def filtered(filter_: str, *subjects: str, kind: str = "create") -> Script:
    """A consumer with a filter, and its messages."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.> 1")
    talk.pub(f"{API}CONSUMER.{kind.upper()}.S.C", '{"stream_name":"S"}', "_INBOX.a.1")
    talk.msg("_INBOX.a.1", consumer(kind, filter_=filter_))
    for each, subject in enumerate(subjects):
        talk.msg(subject, "m", f"$JS.ACK.S.C.1.{each + 1}.{each + 1}.17.5")
    return talk


def kept(
    content: str, subject: str = "orders", *, sequence: int = 3, counts: bool = False
) -> Script:
    """A message that is stored, and as what it is delivered."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.> 1")
    if counts:
        block = "NATS/1.0\r\nNats-Incr: 1\r\n\r\n"
        sizes = f"{len(block)} {len(block) + 5}"
        talk.line(CLIENT, f"HPUB orders _INBOX.a.1 {sizes}\r\n{block}first")
    else:
        talk.pub("orders", "first", "_INBOX.a.1")
    talk.msg("_INBOX.a.1", '{"stream":"S","seq":3}')
    talk.msg(subject, content, f"$JS.ACK.S.C.1.{sequence}.1.17.5")
    return talk


def informed(*infos: str) -> Script:
    """INFO lines of a server."""
    talk = Script(info=b"INFO " + infos[0].encode() + b" \r\n")
    for each in infos[1:]:
        talk.line(SERVER, f"INFO {each} ")
    return talk


def connected(more: str, *lines: str, info: bytes = SERVER_INFO) -> Script:
    """A client with other members in CONNECT, and what the server sends to its request."""
    talk = Script(info, CLIENT_CONNECT.replace(b'"headers":true', more.encode()))
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.pub("service", "x", "_INBOX.a.1")
    for each in lines:
        talk.status("_INBOX.a.1", each)
    return talk


def versioned(protocol: int) -> Script:
    """A client with a version of the protocol."""
    return Script(connect=CLIENT_CONNECT.replace(b'"protocol":1', b'"protocol":%d' % protocol))


def headed(status: str) -> Script:
    """A status."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.a.* 1")
    talk.status("_INBOX.a.1", status)
    return talk


FROM_S, FROM_M = "NATS/1.0\r\nNats-Stream: S\r\n\r\n", "NATS/1.0\r\nNats-Stream: M\r\n\r\n"
INFO, CREATE = f"{API}STREAM.INFO.S", f"{API}STREAM.CREATE.S"
OF_C, DURABLE = f"{API}CONSUMER.INFO.S.C", f"{API}CONSUMER.DURABLE.CREATE.S.C"
GET = f"{API}DIRECT.GET.S"
FIRST = '{"server_id":"N","client_id":1,"version":"2.12.2","headers":true,"max_payload":1}'

CASES: list[tuple[str, Talks]] = [
    ("B240", lambda: (answered(INFO, stream("create")), answered(INFO, stream("info")),
        answered("other.API.STREAM.INFO.S", stream("create")))),
    ("B240", lambda: (answered(OF_C, stream("info")), answered(OF_C, consumer("info")),
        answered(DURABLE, consumer("create")))),
    ("B240b", lambda: (answered(INFO, "x"), answered(INFO, stream("info")),
        answered("service", "x"))),
    ("B240b", lambda: (answered(CREATE, ""), answered(f"{API}META.LEADER.STEPDOWN", ""))),
    ("B241", lambda: (answered(INFO, stream("info", "T")), answered(INFO, stream("info")))),
    ("B241", lambda: (answered(CREATE, stream("create", "T")), answered(CREATE, stream("create")),
        answered(f"{API}STREAM.NAMES", stream("names", "T")))),
    ("B241b", lambda: (answered(OF_C, consumer("info", "T")), answered(OF_C, consumer("info")))),
    ("B241b", lambda: (answered(DURABLE, consumer("create", name="D")),
        answered(DURABLE, consumer("create")),
        answered(f"{API}CONSUMER.CREATE.S", consumer("create", name="D")))),
    ("B242", lambda: (stored_by("S", "T"), stored_by("S", "S"),
        stored_by("S", "T", subjects="ab"))),
    ("B242", lambda: (stored_by("S", "S", "T", subjects="aba", more=',"domain":"d"'),
        stored_by("S", "T", "S", subjects="aba"))),
    ("B243", lambda: (configured(CREATE, name="T"), configured(CREATE, name="S"),
        configured(INFO, name="T"))),
    ("B243", lambda: (configured(f"{API}STREAM.UPDATE.S", name="T", blank=True),
        configured(f"{API}STREAM.UPDATE.S", name="S", blank=True),
        configured(CREATE, sources=[{"name": "T"}], name="S"))),
    ("B243b", lambda: (configured(DURABLE, stream_name="T"), configured(DURABLE, stream_name="S"),
        configured(DURABLE, config={}))),
    ("B243b", lambda: (configured(f"{API}CONSUMER.CREATE.S.C.a", stream_name="T", blank=True),
        configured(f"{API}CONSUMER.CREATE.S.C.a", stream_name="S", blank=True))),
    ("B244", lambda: (fed("C", "D"), fed("C", "C"), fed("C", "D", creates=True))),
    ("B244", lambda: (fed("C", "C", "D", inbox="deliver"), fed("C", "D", inbox="deliver.*"))),
    ("B244b", lambda: (fed("D", pulls=True), fed("C", pulls=True))),
    ("B244b", lambda: (fed("C", "D", pulls=True), fed("C", "C", pulls=True),
        fed("D", pulls=True, inbox="_INBOX.*"))),
    ("B245", lambda: (answered(GET, "m", block=FROM_M), answered(GET, "m", block=FROM_S))),
    ("B245", lambda: (answered(f"{GET}.orders", "", block=FROM_M),
        answered(f"{GET}.orders", "", block=FROM_S), answered("service", "", block=FROM_M))),
    ("B246", lambda: (informed(FIRST, FIRST.replace('"N"', '"M"')), informed(FIRST, FIRST))),
    ("B246", lambda: (informed(FIRST, FIRST.replace(":1,", ":2,")),
        informed(FIRST, FIRST.replace("2.12.2", "2.12.3")),
        informed(FIRST, FIRST.replace('"client_id":1,', "")))),
    ("B247", lambda: (connected('"headers":true,"tls_required":true'),
        connected('"headers":true,"tls_required":false'), connected('"headers":true'))),
    ("B247", lambda: (connected('"tls_required":true'), connected('"tls_required":false'))),
    ("B248", lambda: (versioned(2), versioned(1), versioned(0))),
    ("B248", lambda: (Script(connect=b'CONNECT {"protocol":7}\r\n'),
        Script(connect=b"CONNECT {}\r\n"))),
    ("B249", lambda: (connected('"headers":false', "100"), connected('"headers":true', "100"))),
    ("B249", lambda: (connected('"echo":true', "503"), connected('"echo":true'))),
    ("B249b", lambda: (connected('"headers":true,"no_responders":false', "503"),
        connected('"headers":true,"no_responders":true', "503"))),
    ("B249b", lambda: (connected('"headers":true', "503"),
        connected('"headers":true', "503 No Leader"), connected('"headers":true', "408"))),
    ("B250", lambda: (headed("504"), headed("503"), headed("100"))),
    ("B250", lambda: (headed("0"), headed("423"), headed("204"))),
    ("B252", lambda: (answered(CREATE, stream("create"), '{"name":"S","storage":"memory"}'),
        answered(CREATE, stream("create"), '{"name":"S","storage":"file"}'),
        answered(CREATE, '{"type":"x","error":{"code":400}}', '{"name":"S"}'))),
    ("B252", lambda: (
        answered(DURABLE, consumer("create"), '{"stream_name":"S","config":{"ack_policy":"all"}}'),
        answered(DURABLE, consumer("create"),
            '{"stream_name":"S","config":{"ack_policy":"explicit"}}'))),
    ("B253", lambda: (filtered("a.*", "a.b", "b.b"), filtered("a.*", "a.b", "a.c"),
        filtered("a.\\u003e", "b.b"))),
    ("B253", lambda: (filtered("a", "a.b"), filtered("a", "a"), filtered("", "b"))),
    ("B254", lambda: (kept("other"), kept("first"), kept("other", sequence=4))),
    ("B254", lambda: (kept("first!"), kept(""), kept('{"val":"1"}', counts=True))),
    ("B254b", lambda: (kept("first", "bills"), kept("first"))),
    ("B254b", lambda: (kept("first", "orders.x"), kept("first", "bills", sequence=4))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_behaviour_and_its_near_misses(rule: str, talks: Talks) -> None:
    """The fault is found, and nothing that looks like it."""
    names_the_fault_alone(rule, talks)


def test_every_rule_has_two_cases() -> None:
    """No rule is left out above."""
    rules = [f"NATS-{rule}" for rule, *_ in CASES]
    assert {each.id for each in ECHO_RULES} == set(rules)
    assert all(rules.count(each) > 1 for each in rules)
