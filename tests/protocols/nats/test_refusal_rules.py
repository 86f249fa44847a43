"""Rules for answers that refuse: faults are named, near misses are not."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.nats.clients import pulls
from tests.protocols.nats.test_jetstream_behaviour_rules import API, NEXT, NOT_FOUND, asks, begun
from tests.protocols.nats.traffic import SECOND, SERVER, Script

from streamshark.protocols.nats.refusal_rules import REFUSAL_RULES

FULL = (
    '{"error":{"code":503,"err_code":10077,"description":"maximum messages exceeded"},"stream":"S",'
    '"seq":0}'
)
CONFLICT = FULL.replace("10077", "10071").replace("maximum messages exceeded", "wrong last")
INVALID = (
    '{"type":"io.nats.jetstream.api.v1.consumer_create_response","error":{"code":400,'
    '"err_code":10094,"description":"consumer delivery policy is deliver all"}}'
)


def headed(talk: Script, subject: str, head: str, payload: str = "") -> None:
    """Deliver a message with a header block."""
    block = f"NATS/1.0{head}\r\n\r\n"
    sizes = f"{len(block)} {len(block) + len(payload)}"
    talk.line(SERVER, f"HMSG {subject} 1 {sizes}\r\n{block}{payload}\r\n", end="")


def served(*codes: str, differs: bool = False, wait: float = 0.1, text: str = "no") -> Script:
    """Requests to a service, and the codes of its errors."""
    talk = begun()
    for number, code in enumerate(codes):
        talk.now += int(wait * SECOND)
        reply = f"_INBOX.a.{number}"
        talk.pub("tax.rate", f"question {number if differs else ''}", reply)
        if code:
            head = f"\r\nNats-Service-Error: {text}\r\nNats-Service-Error-Code: {code}"
            headed(talk, reply, head)
        else:
            talk.msg(reply, "yes")
    return talk


def direct(status: str, subject: str = f"{API}DIRECT.GET.KV_b.$KV.b.k") -> Script:
    """A direct get, and its status."""
    talk = begun()
    talk.pub(subject, "", "_INBOX.a.1")
    headed(talk, "_INBOX.a.1", f" {status} text")
    return talk


def pinned(status: int) -> Script:
    """A pull request and its status."""
    talk = begun()
    talk.pub(NEXT, '{"batch":1,"group":"g","id":"x","expires":5000000000}', "_INBOX.a.1")
    headed(talk, "_INBOX.a.1", f" {status} text")
    return talk


def failing(*answers: str, subject: str = "orders.{}", wait: int = 1) -> Script:
    """Requests about different things, and what is answered."""
    talk = begun()
    for number, answer in enumerate(answers):
        talk.now += wait * SECOND
        asks(talk, subject.format(number), answer, number, "{}")
    return talk


def unheard(*subjects: str, status: int = 503, answered: int = -1) -> Script:
    """Messages to subjects that nobody has."""
    talk = begun()
    for number, subject in enumerate(subjects):
        reply = f"_INBOX.a.{number}"
        talk.pub(subject, "message", reply)
        if number == answered:
            talk.msg(reply, "yes")
        else:
            headed(talk, reply, f" {status}")
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("N61", lambda: (served("400"), served(""), served("0"), served("none"))),
    ("N61", lambda: (served("503", "400", text=""),)),
    ("B111", lambda: (served(*["400"] * 4),
        served(*["400"] * 3), served(*["400"] * 9, differs=True), served(*["400", ""] * 5),
        served("400", "401", "402", "403"), served(*["503"] * 5, wait=20))),
    ("B111", lambda: (served(*["404"] * 4, wait=5),)),
    ("N24f", lambda: (direct("404"), direct("404", f"{API}STREAM.MSG.GET.S"), direct("408"))),
    ("N24g", lambda: (direct("408"), direct("404"), direct("408", "tax.rate"))),
    ("N24g", lambda: (direct("413", f"{API}DIRECT.GET.S"),)),
    ("N25d", lambda: (pinned(423), pinned(408))),
    ("B1b", lambda: (failing(*[FULL] * 4),
        failing(*[FULL] * 3), failing(*[CONFLICT] * 9),
        failing(*[FULL, '{"stream":"S","seq":1}'] * 4), failing(*[FULL] * 5, wait=90))),
    ("B1b", lambda: (failing(*[INVALID] * 4, subject=f"{API}CONSUMER.CREATE.S.c{{}}", wait=20),
        failing(*[NOT_FOUND] * 9, subject=f"{API}STREAM.INFO.s{{}}"))),
    ("B2b", lambda: (unheard("events.a", "events.b", "events.c"),
        unheard("events.a", "events.b"), unheard("a.events", "b.events", "c.events"),
        unheard("events.a", "events.b", "events.c", status=408), unheard("a", "b", "c", "d"))),
    ("B2b", lambda: (unheard("events.1.new", "events.1.old", "events.1.new"),)),
    ("N25e", lambda: (pulls(1, "409 Exceeded MaxWaiting"), pulls(1, "409 Server Shutdown"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Callable[[], tuple[Script, ...]]) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert fault.found(f"NATS-{rule}"), rule
    for number, each in enumerate(kept):
        named = {e.rule for e in each.findings or ()} if each.rules() else set()
        severe = {e.rule for e in each.findings or () if str(e.severity) in ("warning", "error")}
        assert f"NATS-{rule}" not in (severe if rule[0] == "B" else named), (rule, number)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    assert {each.id for each in REFUSAL_RULES} == {f"NATS-{rule}" for rule, *_ in CASES}
