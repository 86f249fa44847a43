"""Rules for the state of routes, streams and sessions: faults, and near misses."""

from tests.failures import every
from tests.protocols.rsocket.script import (
    CANCEL,
    CHANNEL,
    CLIENT,
    DONE,
    ERROR,
    FAILED,
    FNF,
    FOLLOWS,
    METADATA,
    MS,
    NEXT,
    PAYLOAD,
    PUSH,
    REJECTED,
    REQUEST_N,
    RESPONSE,
    SECOND,
    SERVER,
    STREAM,
    Script,
    Scripts,
    names_the_fault_alone,
    number,
)
from tests.protocols.rsocket.traffic import entry, framed, payload, resume, resume_ok, setup

from streamshark.protocols.rsocket.findings.object_states import OBJECT_STATES

INVALID = 0x204


def route(name: str) -> bytes:
    """Metadata with a route."""
    return entry(0x7E, bytes([len(name)]) + name.encode())


def begun(token: bytes = b"") -> Script:
    """A connection with its SETUP."""
    talk = Script()
    talk.say(CLIENT, setup(token=token))
    return talk


def ask(talk: Script, stream: int, kind: int, name: str = "orders", data: bytes = b"q") -> None:
    """A request of a route, of 10 payloads if it has a demand."""
    metadata = route(name) if name else b""
    demand = number(10) if kind in (STREAM, CHANNEL) else b""
    flags = METADATA if name else 0
    talk.say(CLIENT, framed(stream, kind, flags, demand + payload(metadata or None, data)))


def refused(
    codes: str, *, wait: int = 5 * SECOND, names: str = "aaaaaaaaa", kind: int = RESPONSE
) -> Script:
    """Requests of routes, each refused as invalid, failed or rejected, or served (`.`)."""
    talk = begun()
    for at, (code, name) in enumerate(zip(codes, names, strict=False)):
        talk.now += wait
        ask(talk, 2 * at + 1, kind, name, b"%d" % at)
        if code == ".":
            talk.say(SERVER, framed(2 * at + 1, PAYLOAD, DONE, b"a"))
        else:
            refusal = {"i": INVALID, "f": FAILED, "r": REJECTED}[code]
            talk.say(SERVER, framed(2 * at + 1, ERROR, 0, number(refusal) + b"no"))
    return talk


def replies(first: str = "orders", second: str = "orders", *, items: int = 1) -> Script:
    """A request that is answered, and REQUEST_FNF."""
    talk = begun()
    ask(talk, 1, RESPONSE, first)
    talk.say(SERVER, framed(1, PAYLOAD, DONE if items else 0x40, b"a" if items else b""))
    ask(talk, 3, FNF, second)
    return talk


def pages(
    count: int, *, items: int = 10, ends: bool = False, wait: int = MS, names: str = "aaaaaaaa"
) -> Script:
    """Streams of ten payloads each."""
    talk = begun()
    for at in range(count):
        stream = 2 * at + 1
        talk.now += wait
        ask(talk, stream, STREAM, names[at], b"%d" % at)
        for each in range(items):
            talk.say(SERVER, framed(stream, PAYLOAD, NEXT, b"%d" % each))
        if ends:
            talk.say(SERVER, framed(stream, PAYLOAD, 0x40))
        else:
            talk.say(CLIENT, framed(stream, CANCEL, 0))
    return talk


def cancels(kind: int, *, whole: bool = True, parts: int = 1, side: int = CLIENT) -> Script:
    """A request, perhaps of several fragments, that is cancelled by either side."""
    talk = begun()
    talk.say(CLIENT, framed(1, kind, 0 if whole and parts == 1 else FOLLOWS, b"a" * 70))
    for rest in range(parts - 2, -1, -1):
        talk.say(CLIENT, framed(1, PAYLOAD, NEXT | (FOLLOWS if rest else 0), b"b" * 70))
    talk.say(side, framed(1, CANCEL, 0))
    return talk


def channel(
    *, side: int = SERVER, wait: int = SECOND, count: int = 1, metadata: bool = False
) -> Script:
    """A channel that one side cancels, and payloads of its requester."""
    talk = begun()
    talk.say(CLIENT, framed(1, CHANNEL, 0, number(9) + b"q"))
    talk.say(SERVER, framed(1, REQUEST_N, 0, number(9)))
    talk.say(CLIENT, framed(1, PAYLOAD, NEXT, b"r"))
    if side >= 0:
        talk.say(side, framed(1, CANCEL, 0))
    for _ in range(count):
        body = payload(route("x") if metadata else None, b"s")
        talk.say(CLIENT, framed(1, PAYLOAD, NEXT | (METADATA if metadata else 0), body), wait)
    return talk


def routed(first: str, second: str, *, items: int = 0, empty: bool = False) -> Script:
    """A channel whose request and later payload have a route, none, or metadata of no byte."""
    talk = begun()
    if empty:
        talk.say(CLIENT, framed(1, CHANNEL, METADATA, number(10) + payload(b"", b"q")))
    else:
        ask(talk, 1, CHANNEL, first)
    talk.say(SERVER, framed(1, REQUEST_N, 0, number(9)))
    for _ in range(items):
        talk.say(CLIENT, framed(1, PAYLOAD, NEXT, b"r"))
    flags = NEXT | (METADATA if second else 0)
    body = payload(route(second) if second else None, b"s")
    talk.say(CLIENT, framed(1, PAYLOAD, flags, body))
    return talk


def pushes(metadata: bytes, side: int = CLIENT, flags: int = METADATA) -> Script:
    """METADATA_PUSH of either side."""
    talk = begun()
    talk.say(side, framed(0, PUSH, flags, metadata))
    return talk


def resumes(
    code: int | None = 0x101, side: int = SERVER, *, again: bool = False, token: bytes = b"token"
) -> Script:
    """A session that ERROR may end, and that the next connection resumes."""
    talk = begun(b"token")
    ask(talk, 1, RESPONSE)
    talk.say(SERVER, framed(1, PAYLOAD, DONE, b"a"))
    if code:
        talk.say(side, framed(0, ERROR, 0, number(code) + b"over"))
    talk.another()
    if again:
        talk.say(CLIENT, setup(token=b"token"))
        talk.another()
    talk.say(CLIENT, resume(token))
    talk.say(SERVER, resume_ok(0))
    return talk


def named(*types: str) -> bytes:
    """MIME types with their lengths."""
    return b"".join(bytes([len(each) - 1]) + each.encode() for each in types)


def accepts(*types: str, given: str = "", kind: int = RESPONSE, data: bytes = b"a") -> Script:
    """A request that accepts some MIME types, and an answer in one; SETUP has text/plain."""
    talk = begun()
    accepted = entry(0x7B, named(*types)) if types else b""
    demand = number(10) if kind == STREAM else b""
    body = demand + payload(route("orders") + accepted, b"q")
    talk.say(CLIENT, framed(1, kind, METADATA, body))
    own = entry(0x7A, named(given)) if given else None
    talk.say(SERVER, framed(1, PAYLOAD, DONE | (METADATA if own else 0), payload(own, data)))
    return talk


CASES: list[tuple[str, Scripts]] = [
    ("B91", lambda: (refused("iiiii"),
        refused("iiii"), refused("ii.iii"), refused("iiiff"), refused("iiiii", wait=70 * SECOND),
        refused("iiiii", names="abcde"))),
    ("B91", lambda: (refused(".ffffff", kind=STREAM),)),
    ("B92", lambda: (replies(),
        replies(second="users"), replies(items=0), replies("", ""))),
    ("B92", lambda: (replies("log", "log"),)),
    ("B93", lambda: (refused("rrrrrr", wait=MS, names="abcdef"),
        refused("rrrrr", wait=MS, names="abcde"), refused("iiiiii", wait=MS, names="abcdef"),
        refused("rrrrrr", wait=2 * SECOND, names="abcdef"),
        refused("rrr.rrr", wait=MS, names="abcdefg"))),
    ("B93", lambda: (refused("rrrrrrrr", wait=100 * MS, kind=STREAM),)),
    ("B94", lambda: (pages(4),
        pages(3), pages(4, items=9), pages(4, ends=True), pages(4, wait=3 * SECOND),
        pages(4, names="abcd"))),
    ("B94", lambda: (pages(6, wait=SECOND),)),
    ("S28", lambda: (cancels(FNF), cancels(FNF, whole=False), cancels(RESPONSE))),
    ("S28", lambda: (cancels(FNF, parts=3),
        cancels(FNF, parts=3, side=SERVER), cancels(RESPONSE, parts=3))),
    ("S22c", lambda: (channel(),
        channel(side=-1), channel(wait=10 * MS), channel(count=0))),
    ("S22c", lambda: (channel(count=3, wait=SECOND),)),
    ("M26", lambda: (routed("", "orders"),
        routed("orders", "orders"), routed("", ""), routed("", "orders", items=1))),
    ("M26", lambda: (routed("", "orders", empty=True), routed("", "", empty=True))),
    ("M27", lambda: (pushes(b""), pushes(route("refresh")))),
    ("M27", lambda: (pushes(b"", SERVER, 0), pushes(route("refresh"), SERVER))),
    ("M28", lambda: (accepts("application/json"),
        accepts("application/json", "text/plain"), accepts(), accepts("text/*"), accepts("*/*"),
        accepts("text/plain;charset=utf-8"), accepts("application/json", data=b""),
        accepts("application/json", given="application/json"))),
    ("M28", lambda: (accepts("text/plain", given="application/cbor", kind=STREAM),
        accepts("text/plain", "application/cbor", given="application/cbor", kind=STREAM))),
    ("R16", lambda: (resumes(),
        resumes(None), resumes(again=True), resumes(token=b"other"))),
    ("R16", lambda: (resumes(0x102, CLIENT),)),
]  # fmt: skip
"""Rule, a fault that it names, and near misses."""


@every(("at", "rule", "talks"), [(at, *each) for at, each in enumerate(CASES)],
       ids=lambda e: e[:2])  # fmt: skip
def test_faults_and_near_misses(at: int, rule: str, talks: Scripts) -> None:
    """A rule names its fault; near misses stay silent."""
    del at
    names_the_fault_alone(rule, talks)


def test_every_rule_has_a_fault() -> None:
    """No rule is untested."""
    assert {f"RSK-{rule}" for rule, *_ in CASES} == {each.id for each in OBJECT_STATES}
