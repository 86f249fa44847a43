"""Parts of the reader by themselves, in Lua as Wireshark has it: against Python's own.

A part is run with stubs in the place of what Wireshark and other parts give it.
"""

import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from streamshark.conversations.outstanding import OutstandingIds
from streamshark.lua.conversations import known_predicates, predicates_of
from streamshark.lua.text import value
from streamshark.protocols.catalog import catalog
from streamshark.protocols.rsocket.codes import MIME_TYPES

pytestmark = pytest.mark.process
READER = Path("src/streamshark/lua/reader")
STUBS = """
local stub = setmetatable({}, { __call = function() end })
getmetatable(stub).__index = function() return stub end
setmetatable(_G, { __index = function(_, name) return name:find("^ENC_") and 0 or stub end })
local f, pieces, preferences, unpack = {}, {}, { kept = 1e9 }, table.unpack
"""
"""Whatever is not known is a function that does nothing; encodings are numbers."""


def said(part: str, script: str) -> list[str]:
    """Return the lines that a script prints behind a part of the reader, whose locals it has."""
    text = f"{STUBS}{(READER / part).read_text()}\n{script}"
    done = subprocess.run(["lua5.2", "-"], input=text.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr[:500]) == (0, b"")
    return done.stdout.decode("latin-1").splitlines()


def steps() -> Iterator[tuple[str, list[int], int]]:
    """Give what is done to outstanding ids, which are added and taken, in runs and one by one."""
    chance = random.Random("outstanding")  # noqa: S311
    for _ in range(1500):
        first = chance.randrange(30)
        ids = list(range(first, first + chance.choice((1, 1, 2, 5, 9))))
        if chance.random() < 0.3:
            ids = chance.sample(ids, len(ids))
        yield chance.choice(("add", "add", "take", "take", "take_upto")), ids, chance.randrange(99)


def test_outstanding_ids_are_those_of_python() -> None:
    """Ids that wait, each with the time and the frame that brought it, and what is taken."""
    script = ["local outstanding = { runs = {}, twice = {}, count = 0, whole = true }"]
    expected = []
    outstanding = OutstandingIds(whole=True)
    for n, (verb, ids, t) in enumerate(steps(), 1):
        listed = str(ids[0]) if len(ids) == 1 else f"{{{', '.join(map(str, ids))}}}"
        found = None
        if verb == "add":
            outstanding.add(ids, t, n)
            script.append(f"local found = f.add(outstanding, {listed}, {t}, {n})")
        elif verb == "take":
            found = outstanding.take(ids)
            script.append(f"local found = f.take(outstanding, {listed})")
        else:
            found = outstanding.take_upto(ids[0])
            script.append(f"local found = f.take_upto(outstanding, {ids[0]})")
        script[-1] = f"do {script[-1]}; show(outstanding, found) end"
        waits = [(id_, t_, n_) for a, b, t_, n_ in outstanding.runs for id_ in range(a, b + 1)]
        told = " ".join(f"{id_}:{t_}:{n_}" for id_, t_, n_ in waits)
        expected.append(f"{outstanding.count} {found[0] if found else None} {told}")
    show = """
    local function show(outstanding, found)
      local out = { outstanding.count .. " " .. (found and found[4] or "None") .. " " }
      local ids = {}
      for _, run in ipairs(outstanding.runs) do
        for id = run[1], run[2] do ids[#ids + 1] = id .. ":" .. run[3] .. ":" .. run[4] end
      end
      print(out[1] .. table.concat(ids, " "))
    end
    """
    assert said("outstanding.lua", show + "\n".join(script)) == expected


def test_utf_8_is_that_of_python() -> None:
    """Every two bytes, and every second byte of what begins longer characters."""
    texts = [bytes([a, b]) for a in range(128, 256) for b in range(128, 256)]
    texts += [bytes([a, b, 0x80]) for a in range(0xE0, 0xF0) for b in range(256)]
    texts += [bytes([a, b, 0xBF, 0x80]) for a in range(0xF0, 0x100) for b in range(256)]
    listed = ",".join('"' + "".join(f"\\{each:03}" for each in text) + '"' for text in texts)
    script = f"""
    for _, raw in ipairs({{{listed}}}) do
      print((as_utf8(raw):gsub(".", function(byte) return string.format("%02x", byte:byte()) end)))
    end
    """
    wanted = [text.decode("utf-8", "replace").encode().hex() for text in texts]
    assert said("primitives.lua", script) == wanted


def test_that_a_stream_has_begun_is_remembered() -> None:
    """Behind a loss, however many frames come on another stream."""
    script = """
    local all = {}
    FRAGMENTS = { continued = { more = true }, begun = {}, flags = "flags", by = "id", parts = {} }
    conversation, here, v = {}, { number = 1 }, { flags = 0, id = 7 }
    local last
    function note() last = {}; return last end
    function band(one, other) return one % (2 * other) >= other and other or 0 end
    local first, piece = { command = "first", more = 1 }, { command = "more", more = 1 }
    pieces.begin()
    pieces.lose(1)
    for _, each in ipairs({ 7, 9 }) do
      v.id, v.flags = each, 0
      pieces.see(first, 1)
    end
    v.id = 9
    for _ = 1, 70000 do pieces.see(first, 1) end
    for _, each in ipairs({ 5, 7, 9 }) do
      v.id, v.flags = each, 1
      pieces.see(piece, 1)
      print(each, last.whole.command, last.whole.reason)
    end
    """
    assert said("reassembly.lua", script) == [
        "5\tnil\tits first fragment is not in the capture",
        "7\tmore\tnil",
        "9\tmore\tnil",
    ]


# Predicates of rules

WORDS = (
    "orders", "ordres", "Orders", "orders-1", "orders-2", "order_events", "order-events", "orers",
    "undefined", "null", " orders", "orders\t", "'orders'", "${NAME}", "{{name}}", "{name}",
    "%(a)s", "%s", "%d of", "100%do", "<no value>", "[object Object]", "shop.Order@1b2c3d",
    "shop.order@1b2c3d", "[B@1b2c3d", "[Lshop.Order;@1b2c3d", "<shop.Order object at 0x7f>",
    "b'orders'", "b'it\\'s'", "{'a': 1}", "#<Shop::Order>", "#<Order:0x01 @a=1>", "System.String[]",
    "System.List`1[x]", "%!d(MISSING)", "%!s(int=5)", "consumer-4f2a", "consumer-9b1c",
    "consumer-x", "%2Forders", "/orders", "it's", "", "7D", "7", "7d", "25Y", "1h", "10s", "15",
    "16", "256", "5000", "500000000", "1000000000", "x-max-age", "max-agee", "x-filter-size",
    "version", "vers1on", "api-key", "amqp://a:b@c", "a.b.c", "a.b", "a.*", "a.>", "A.b", "a.b*",
    ">.a", "q1", "q2", "workers", "worker", "localhost", "broker", "application/json",
    "application/jsn", "text", "message/x.rsocket.routing.v0", "x.rsocket/a", "a\0",
)  # fmt: skip
"""What names and values may be."""
KEYS = (
    "max-age", "max-length-bytes", "stream-max-segment-size-bytes", "stream-filter-size-bytes",
    "initial-cluster-size", "filter.1", "filter.2", "match-unfiltered", "name", "password",
    "vers1on", "version", "x-max-age", "x-single-act1ve-consumer", "connection_name", "token",
)  # fmt: skip
RAW = (
    b"", b"\0a\0b", b"\0\0b", b"abc", b"AGEAYg==", b"AGEAYWJj", b"\0a \0b", b"\0a\0'b'",
    b"\0a%20\0b", b"12345678", b"aaaaaaaaa", b"\0\0\3abc", b"\0\0\4abc", b"\0a\0null", b"\0a\0${B}",
    b"short", b"random bytes",
)  # fmt: skip
Draw = Callable[[random.Random], object]


def several(draw: Draw, most: int = 3) -> Draw:
    """Return what draws a list."""
    return lambda chance: [draw(chance) for _ in range(chance.randrange(most + 1))]


def one_of(*values: object) -> Draw:
    """Return what draws one of some values."""
    return lambda chance: chance.choice(values)


def record(**members: Draw) -> Draw:
    """Return what draws a record."""
    return lambda chance: {name: draw(chance) for name, draw in members.items()}


WORD, NUMBER = one_of(*WORDS), one_of(0, 1, 2, 0xFFFF)
MAP, NAMES = several(record(key=one_of(*KEYS), value=WORD)), several(WORD, 9)
BROKER = record(reference=NUMBER, host=one_of("broker"), port=one_of(5552, 5553))
VERSIONS = record(key=one_of(2), min_version=one_of(0, 1, 2), max_version=one_of(0, 1))
COLUMNS: dict[str, Draw] = {
    "arguments": MAP, "properties": MAP, "peer_properties": MAP,
    "there.streams": NAMES, "catalogue.names": NAMES, "network.subjects": NAMES,
    "asking.names": NAMES, "partitions": NAMES, "binding_keys": NAMES,
    "brokers.reference": several(NUMBER), "streams.leader": several(NUMBER),
    "streams.replicas": several(NUMBER), "placed.brokers": several(BROKER),
    "commands": several(VERSIONS),
    "streams": several(record(stream_name=WORD, response_code=one_of(1, 2))),
    "sasl_opaque_data": one_of(*RAW), "req.sasl_opaque_data": one_of(*RAW),
    "metadata": one_of(*RAW), "resume_identification_token": one_of(*RAW),
    "conn.advertised_port": one_of(5552, 5553), "placed.leader": NUMBER,
    "conn.advertised_host": one_of("broker", "localhost", "127.0.0.1", "10.0.0.1", "broker.org"),
    "server": one_of("127.0.0.1:5552", "10.0.0.1:5553", "[::1]:5552"),
}  # fmt: skip
"""What columns may have; others have words."""
FOUND = 3
"""How often the predicates of a protocol find something, at least."""


@pytest.mark.parametrize("name", ["rabbitmq_stream", "nats", "rsocket"])
def test_predicates_find_what_those_of_python_find(name: str) -> None:
    """Of columns that have values like those on the wire, and near them."""
    (protocol,) = (each for each in catalog() if each.wire.id == name)
    text, chance = predicates_of(protocol.rules), random.Random(name)  # noqa: S311
    script = [
        (READER / "names.lua").read_text(),
        f"names = {{ mime_id = {value(MIME_TYPES)} }}",
        "function digits(number) return ('%.0f'):format(number) end",
        f"local P = (function(near)\n{text}\nend)(f.near)",
        "local function show(found) print(found == true and 'True' or found or '') end",
    ]
    expected, shown, known = [], [], known_predicates(protocol.rules)
    for rule in protocol.rules:
        if rule.predicate is None or rule.predicate.__name__ not in known:
            continue
        for _ in range(100):
            row = {each: COLUMNS.get(each, WORD)(chance) for each in rule.reads.split()}
            found = rule.predicate(row)
            given = ", ".join(map(value, (rule.reads, *row.values())))
            script.append(f"show(P.{rule.predicate.__name__}({given}))")
            expected.append(str(found or "").encode().decode("latin-1"))
            shown.append(f"{rule.id} {row}")
    told = said("functions.lua", "\n".join(script))
    differs = [each for each in zip(shown, expected, told, strict=True) if each[1] != each[2]]
    assert differs == []
    assert sum(map(bool, expected)) > FOUND
