"""Rules about services, buckets and objects: faults are named, near misses are not."""

from collections.abc import Callable

from tests.failures import every
from tests.protocols.nats.test_jetstream_behaviour_rules import STORED, asks, begun, hpub
from tests.protocols.nats.traffic import CLIENT, MS, SECOND, SERVER, Script

from streamshark.protocols.nats.store_rules import KEYS, OBJECT_CHUNKS, STORES

KEY = "$KV.b.k"
INBOX = "_INBOX.x.1"
PING = '{"name":"%s","id":"A1","version":"%s","type":"io.nats.micro.v1.ping_response"}'
REFUSED = '{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 4"},"seq":0}'
REVISION = "Nats-Expected-Last-Subject-Sequence: 3"
TRACE = f"00-{'a1' * 16}-{'b2' * 7}c%d-01"
META = '{"name":"%s","bucket":"%s","nuid":"n","chunks":1,"size":1,"digest":"SHA-256=%s"}'
DIGEST = "X7IFRHg1P9jVFAVtF0Wzqe7wZt6t2kuQlnr3ymXOZQU="


def subscribed(*lines: str) -> Script:
    """Subscriptions."""
    talk = Script()
    for each in lines:
        talk.line(CLIENT, f"SUB {each}")
    return talk


def served(header: str, to: str = "tax") -> Script:
    """A request that a service answers with headers."""
    talk = begun()
    talk.msg(to, "x", INBOX)
    hpub(talk, INBOX, header, "")
    return talk


def got(header: str) -> Script:
    """A request whose answer has headers."""
    talk = begun()
    talk.pub("tax", "x", "_INBOX.a.1")
    head = f"NATS/1.0\r\n{header}\r\n\r\n"
    talk.line(SERVER, f"HMSG _INBOX.a.1 1 {len(head)} {len(head)}\r\n{head}\r\n", end="")
    return talk


def described(answer: str, to: str = "$SRV.PING") -> Script:
    """The answer of a service to a request for its description."""
    talk = begun()
    talk.msg(to, "", INBOX)
    talk.pub(INBOX, answer)
    return talk


def discovered(subject: str, limit: str = " 1") -> Script:
    """A request for services, and the first answer."""
    talk = Script()
    talk.line(CLIENT, "SUB _INBOX.b 5")
    if limit:
        talk.line(CLIENT, f"UNSUB 5{limit}")
    talk.pub(subject, "", "_INBOX.b")
    talk.msg("_INBOX.b", PING % ("tax", "1.0.0"), sid=5)
    return talk


def wrote(header: str, payload: str = "", subject: str = KEY) -> Script:
    """A message about a key."""
    talk = begun()
    hpub(talk, subject, header, payload, "_INBOX.a.1")
    return talk


def refused(times: int, *, again: str = "", key: str = KEY, answer: str = REFUSED) -> Script:
    """Updates of keys that are refused, each with a write after it."""
    talk = begun()
    for each in range(times):
        reply = f"_INBOX.a.u{each}"
        hpub(talk, f"{KEY}{each}", REVISION, "x", reply)
        talk.msg(reply, answer)
        if again:
            hpub(talk, f"{key}{each}", again, "y", f"_INBOX.a.w{each}")
            talk.msg(f"_INBOX.a.w{each}", STORED % (each + 9))
        else:
            asks(talk, f"{key}{each}", STORED % (each + 9), 99 + each, "y")
    return talk


def rolled_up(*subjects: str, header: str = "Nats-Rollup: all", stream: str = "S") -> Script:
    """Messages that a stream stores; those to subjects with a star replace others."""
    talk = begun()
    for number, each in enumerate(subjects):
        reply = f"_INBOX.a.{number}"
        if each.endswith("*"):
            hpub(talk, each[:-1], header, "x", reply)
        else:
            talk.pub(each, "x", reply)
        talk.msg(reply, f'{{"stream":"{stream if number else "S"}", "seq":{number + 1}}}')
    return talk


def named(
    name: str = "name", bucket: str = "files", digest: str = DIGEST, to: str = "bmFtZQ=="
) -> Script:
    """The metadata of an object."""
    talk = begun()
    hpub(talk, f"$O.files.M.{to}", "Nats-Rollup: sub", META % (name, bucket, digest), "_INBOX.a.1")
    return talk


def looked_up(subject: str, payload: str = "") -> Script:
    """A request about an object."""
    talk = begun()
    asks(talk, f"$JS.API.{subject}", "{}", 1, payload)
    return talk


def named_plainly() -> Script:
    """Metadata without headers."""
    talk = begun()
    talk.pub("$O.files.M.bmFtZQ==", META % ("name", "files", DIGEST), "_INBOX.a.1")
    return talk


def traced(*headers: str, wait: int = 0) -> Script:
    """Messages with headers."""
    talk = begun()
    for each in headers:
        talk.now += wait
        hpub(talk, "orders", each, "x")
    return talk


def removed(*names: str, puts: tuple[str, ...] = (), bucket: str = "files") -> Script:
    """Objects that are deleted, and some that are put again."""
    talk = begun()
    for mark, each in [(',"deleted":true', each) for each in names] + [("", each) for each in puts]:
        talk.pub(f"$O.{bucket}.M.{each}", f'{{"nuid":"a"{mark}}}', "_INBOX.a.1")
    return talk


def twice_removed() -> Script:
    """Twenty objects that are deleted, of which ten are put again between."""
    talk = removed(*"abcdefghij", puts=("a", *"bcdefghij"))
    for each in "klmnopqrst":
        talk.pub(f"$O.files.M.{each}", '{"nuid":"a","deleted":true}', "_INBOX.a.1")
    return talk


SAME = f"traceparent: {TRACE % 7}"


def stored(chunks: int, *, meta: bool = False, purged: bool = False) -> Script:
    """Chunks of an object, and what follows them."""
    talk = Script()
    for _ in range(chunks):
        talk.pub("$O.files.C.a", "x" * 99, "_INBOX.a")
    if meta:
        talk.pub("$O.files.M.bmFtZQ==", "{}", "_INBOX.a")
    if purged:
        talk.pub("$JS.API.STREAM.PURGE.OBJ_files", "{}", "_INBOX.a")
    talk.close()
    return talk


def put(
    *uploads: tuple[str, int, int], size: int = 10, purges: str = "", blank: str = "",
    wait: int = 2 * SECOND, deleted: bool = False, created: bool = False,
) -> Script:  # fmt: skip
    """Objects: nuid, chunks that are published, chunks that the metadata announces.

    With `created` each is in a new bucket of the same name.
    """
    talk = Script()
    for nuid, sent, said in uploads:
        if created:
            talk.pub("$JS.API.STREAM.CREATE.OBJ_files", "{}", "_INBOX.a")
        for _ in range(sent):
            talk.pub(f"$O.files.C.{nuid}", "x" * size, "_INBOX.a")
        counts = f'"size":{blank}{said * size},"chunks":{blank}{said}'
        end = ',"deleted":true' if deleted and not said else ""
        meta = f'{{"name":"a","nuid":{blank}"{nuid}",{counts}{end}}}'
        talk.pub("$O.files.M.YQ==", meta, "_INBOX.a")
    if purges:
        talk.pub(
            "$JS.API.STREAM.PURGE.OBJ_files", f'{{"filter":"$O.files.C.{purges}"}}', "_INBOX.a"
        )
    talk.pub("other", "x", wait=wait)
    talk.close()
    return talk


def put_anew() -> Script:
    """Objects of one name, each put after another client has purged the chunks of the last."""
    talk = Script()
    links = [(talk.connection, talk.offsets, talk.flow)]
    talk.connect()
    links.append((talk.connection, talk.offsets, talk.flow))
    for nuid in "abcde":
        talk.connection, talk.offsets, talk.flow = links[0]
        talk.pub(f"$O.files.C.{nuid}", "x", "_INBOX.a")
        talk.pub("$O.files.M.YQ==", f'{{"nuid":"{nuid}","size":1,"chunks":1}}', "_INBOX.a")
        talk.connection, talk.offsets, talk.flow = links[1]
        talk.pub("$JS.API.STREAM.PURGE.OBJ_files", f'{{"filter":"$O.files.C.{nuid}"}}', "_INBOX.b")
    for talk.connection, talk.offsets, talk.flow in links:
        talk.close()
    return talk


def key_ended(operation: str = "", value: str = "", subject: str = "$KV.b.k") -> Script:
    """A key without a value, perhaps with an operation."""
    talk = Script()
    if not operation:
        talk.pub(subject, value)
        return talk
    block = f"NATS/1.0\r\nKV-Operation: {operation}\r\n\r\n"
    talk.say(CLIENT, f"HPUB {subject} {len(block)} {len(block)}\r\n{block}\r\n".encode())
    return talk


CASES: list[tuple[str, Callable[[], tuple[Script, ...]]]] = [
    ("N49", lambda: (subscribed("$SRV.PING q 1"),
        subscribed("$SRV.PING 1"), subscribed("tax q 1"))),
    ("N49", lambda: (subscribed("$SRV.INFO.tax workers 1"),)),
    ("N50", lambda: (served("Nats-Service-Error: no"),
        served("Nats-Service-Error: no\r\nNats-Service-Error-Code: 400"), served("Trace: 1"))),
    ("N50", lambda: (served("Nats-Service-Error: no\r\nNats-Service-Error-Code: E1"),
        wrote("Nats-Service-Error: no"))),
    ("N50b", lambda: (got("Nats-Service-Error-Code: 500"),
        got("Nats-Service-Error: no\r\nNats-Service-Error-Code: 500"), got("Trace: 1"))),
    ("N50b", lambda: (got("Nats-Service-Error: no\r\nNats-Service-Error-Code: 0"),)),
    ("N51", lambda: (described("pong"),
        described(PING % ("tax", "1.0.0")), described("pong", "tax"),
        described(PING % ("tax", "1.0.0-rc.1")))),
    ("N51", lambda: (described(PING % ("tax service", "1.0.0"), "$SRV.PING.tax"),)),
    ("N52", lambda: (discovered("$SRV.PING"),
        discovered("$SRV.PING", ""), discovered("$SRV.PING.tax.A1"), discovered("tax"),
        discovered("$SRV.PING", " 9"))),
    ("N52", lambda: (discovered("$SRV.STATS"),)),
    ("N53", lambda: (wrote("KV-Operation: PURGE"),
        wrote("KV-Operation: PURGE\r\nNats-Rollup: sub"), wrote("KV-Operation: DEL"))),
    ("N53b", lambda: (wrote("KV-Operation: PURGE\r\nNats-Rollup: all"),
        wrote("KV-Operation: PURGE\r\nNats-Rollup: sub"), wrote("Nats-Rollup: all", "", "orders"))),
    ("N53b", lambda: (wrote("Nats-Rollup: all", "x"),)),
    ("B109", lambda: (rolled_up("d.1", "d.2", "d.1*"),
        rolled_up("d.1", "d.2", "d.1*", header="Nats-Rollup: sub"), rolled_up("d.1", "d.1", "d.1*"),
        rolled_up("d.1", "d.2", "all*", "d.1", "all*"), rolled_up("d.1", "d.2*", stream="T"),
        rolled_up("$KV.b.1", "$KV.b.2", "$KV.b.1*"))),
    ("B109", lambda: (rolled_up("d.1*", "d.2*"), rolled_up("d.1*", "d.1*"))),
    ("N54", lambda: (wrote("KV-Operation: DEL", "x"),
        wrote("KV-Operation: DEL"), wrote("Trace: 1", "x"),
        wrote("KV-Operation: DEL", "x", "orders"))),
    ("N54", lambda: (wrote("KV-Operation: PURGE\r\nNats-Rollup: sub", "x"),)),
    ("B89", lambda: (refused(2),
        refused(1), refused(3, again=REVISION), refused(3, key="$KV.b.other"),
        refused(3, answer=STORED % 4))),
    ("B89", lambda: (refused(2, again="Trace: 1"),)),
    ("B89b", lambda: (refused(1),
        refused(1, again=REVISION), refused(1, again="KV-Operation: DEL"))),
    ("N55", lambda: (named(name="other"), named())),
    ("N55", lambda: (named(digest="a" * 64), named(digest=DIGEST.rstrip("=")))),
    ("N55", lambda: (named(bucket="pictures"),)),
    ("N55", lambda: (named(to="bmFtZQ"),)),
    ("N55b", lambda: (looked_up("STREAM.MSG.GET.OBJ_files", '{"last_by_subj":"$O.files.M.bmFtZQ"}'),
        looked_up("STREAM.MSG.GET.OBJ_files", '{"last_by_subj":"$O.files.M.bmFtZQ=="}'),
        looked_up("STREAM.MSG.GET.OBJ_files", '{"last_by_subj":"$O.files.C.abc"}'),
        looked_up("STREAM.MSG.GET.S", '{"last_by_subj":"$O.files.M.bmFtZQ"}'))),
    ("N55b", lambda: (looked_up("DIRECT.GET.OBJ_files.$O.files.M.bm+tZQ=="),
        looked_up("CONSUMER.CREATE.OBJ_files.c", '{"config":{"filter_subject":"$O.files.M.>"}}'))),
    ("N56", lambda: (named_plainly(), named())),
    ("B133", lambda: (removed(*"abcdefghijklmnop"),
        removed(*"abcdefghijklmno"), removed(*"abcdef" * 9),
        twice_removed(), removed(*"abcdefghijklmnop", bucket="x.y"))),
    ("B133", lambda: (removed(*(f"c2Nhbi0{each}" for each in range(40)), bucket="scans"),)),
    ("N60", lambda: (traced("traceparent: 4bf92f"), traced(SAME), traced("Trace: 1"))),
    ("N60", lambda: (traced(f"traceparent: 00-{'0' * 32}-{'b2' * 8}-01"),)),
    ("B105", lambda: (traced(*[SAME] * 5),
        traced(*[SAME] * 4), traced(*(f"traceparent: {TRACE % each}" for each in range(9))),
        traced(*[SAME] * 9, wait=20 * SECOND))),
    ("B56", lambda: (put(("a", 3, 4)), put(("a", 4, 4)), put(("a", 4, 4), ("a", 0, 4)))),
    ("B56", lambda: (put(("a", 4, 0)), put(("a", 4, 4), ("a", 0, 0), deleted=True))),
    ("B56", lambda: (put(("a", 5, 4), blank=" "), put(("a", 4, 4), blank=" "))),
    ("B57", lambda: (put(("a", 2, 2), ("b", 3, 3)),
        put(("a", 2, 2), ("b", 3, 3), purges="a"), put(("a", 2, 2)),
        put(("a", 2, 2), ("b", 3, 3), wait=MS), put(("a", 2, 2), ("b", 3, 3), created=True))),
    ("B57b", lambda: (put(*((nuid, 2, 2) for nuid in "abcd")),
        put(*((nuid, 2, 2) for nuid in "abcd"), purges="a"), put(("a", 2, 2), ("b", 2, 2)),
        put_anew())),
    ("B45", lambda: (stored(3), stored(3, meta=True), stored(3, purged=True), stored(0))),
    ("N36", lambda: (key_ended("DELETE"), key_ended("DEL"), key_ended("PURGE"), key_ended())),
    ("B68", lambda: (key_ended(),
        key_ended("DEL"), key_ended(value="x"), key_ended(subject="orders"))),
]  # fmt: skip
"""Rule, the fault, and what looks like it."""


@every(("rule", "talks"), CASES)
def test_a_fault_and_its_near_misses(rule: str, talks: Callable[[], tuple[Script, ...]]) -> None:
    """The fault is found, and nothing that looks like it."""
    fault, *kept = talks()
    assert fault.found(f"NATS-{rule}"), rule
    for number, each in enumerate(kept):
        assert f"NATS-{rule}" not in each.rules(), (rule, number)


def test_every_rule_has_a_case() -> None:
    """No rule is left out above."""
    rules = (*STORES, *OBJECT_CHUNKS, *KEYS)
    assert {each.id for each in rules} == {f"NATS-{rule}" for rule, *_ in CASES}
