"""Vectors of JetStream: each request of its API, each kind of ack, and statuses of a server's own.

Usage: jetstream_vectors.py NATS_SERVER. Of a server from 2.15 on, only what is new. nats-py writes
what is asked, nats-server what is answered; `meaning` is what the subject, or the beginning of an
ack, is called.
"""

import asyncio
import contextlib
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

import nats
from nats.js.api import ConsumerConfig
from nats_vectors import CLIENT, SERVER, Server

from vectors import Tap, emit

PORT = 14260
STORE = Path(tempfile.gettempdir()) / "jetstream-vectors"
FILE = "nats/jetstream"
INBOX = "_INBOX.v"
PULL = {"batch": 2, "no_wait": True}
REQUESTS = (
    ("INFO", b""),
    ("STREAM.CREATE.S", {"name": "S", "subjects": ["v.>"], "allow_direct": True}),
    ("STREAM.UPDATE.S", {"name": "S", "subjects": ["v.>"], "allow_direct": True, "max_msgs": 5000}),
    ("STREAM.NAMES", b""),
    ("STREAM.LIST", b""),
    ("STREAM.INFO.S", b""),
    ("STREAM.MSG.GET.S", {"seq": 1}),
    ("STREAM.MSG.DELETE.S", {"seq": 1}),
    ("STREAM.PURGE.S", {"keep": 1}),
    ("STREAM.SNAPSHOT.S", {"deliver_subject": f"{INBOX}.snapshot"}),
    ("STREAM.RESTORE.R", {"config": {"name": "R"}, "state": {}}),
    ("STREAM.PEER.REMOVE.S", {"peer": "other"}),
    ("STREAM.LEADER.STEPDOWN.S", b""),
    ("STREAM.TEMPLATE.CREATE.T",  # without `config` 2.12.2 falls
     {"name": "T", "config": {"subjects": ["t.*"], "storage": "memory"}, "max_streams": 1}),
    ("STREAM.TEMPLATE.NAMES", b""),
    ("STREAM.TEMPLATE.INFO.T", b""),
    ("STREAM.TEMPLATE.DELETE.T", b""),
    ("CONSUMER.CREATE.S", {"stream_name": "S", "config": {"ack_policy": "none"}}),
    ("CONSUMER.DURABLE.CREATE.S.D",
     {"stream_name": "S", "config": {"durable_name": "D", "ack_policy": "explicit"}}),
    ("CONSUMER.NAMES.S", b""),
    ("CONSUMER.LIST.S", b""),
    ("CONSUMER.INFO.S.D", b""),
    ("CONSUMER.MSG.NEXT.S.D", PULL),
    ("CONSUMER.PAUSE.S.D", {"pause_until": "2030-01-01T00:00:00Z"}),
    ("CONSUMER.UNPIN.S.D", {"group": "g"}),
    ("CONSUMER.LEADER.STEPDOWN.S.D", b""),
    ("CONSUMER.DELETE.S.D", b""),
    ("DIRECT.GET.S", {"last_by_subj": "v.a"}),
    ("META.LEADER.STEPDOWN", b""),
    ("SERVER.REMOVE", {"peer": "other"}),
    ("ACCOUNT.PURGE.A", b""),
    ("ACCOUNT.STREAM.MOVE.A.S", {"server": "other"}),
    ("ACCOUNT.STREAM.CANCEL_MOVE.A.S", b""),
    ("STREAM.DELETE.S", b""),
)  # fmt: skip
NEWER = (
    ("STREAM.CREATE.S", {"name": "S", "subjects": ["v.>"]}),
    ("CONSUMER.DURABLE.CREATE.S.D",
     {"stream_name": "S", "config": {"durable_name": "D", "ack_policy": "explicit"}}),
    ("CONSUMER.RESET.S.D", {"seq": 1}),
    ("CONSUMER.PEER.REMOVE.S.D", {"peer": "other"}),
    ("CONSUMER.PEER.EVACUATE.S.D", {"peer": "other"}),
    ("STREAM.PEER.EVACUATE.S", {"peer": "other"}),
    ("STREAM.CANCEL_MOVE.S", b""),
    ("SERVER.EVACUATE", {"peer": "other"}),
    ("META.RESCUE", b""),
)  # fmt: skip
"""Requests of 2.15, and what they are about, which is told already."""
TOLD = ("STREAM.CREATE", "CONSUMER.DURABLE.CREATE")
NAMES = re.compile(r"(?:\.[A-Z]){1,2}$")
"""Tokens that follow a subject above: names of streams and consumers."""


class Talk:
    """One connection through a tap; what is asked is answered on subjects of its own."""

    def __init__(self, tap: Tap, connection: nats.NATS) -> None:
        self.tap = tap
        self.connection = connection
        self.number = 0

    async def ask(self, subject: str, body: object, headers: dict | None = None) -> tuple:
        """What comes back; the reply subject and the payload that were given."""
        self.number += 1
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        reply = f"{INBOX}.{self.number}"
        self.tap.clear()
        await self.connection.publish(subject, data, reply=reply, headers=headers)
        await self.settled()
        return bytes(self.tap.down).replace(b"PONG\r\n", b""), reply, data

    async def settled(self) -> None:
        """All is written and has come through the tap."""
        await self.connection.flush()
        await asyncio.sleep(0.1)

    def written(self, subject: str) -> tuple:
        """The first PUB to a subject since the tap was cleared, and its payload."""
        up = bytes(self.tap.up)
        start = up.index(b"PUB " + subject.encode() + b" ")
        end = up.index(b"\r\n", start)
        last = end + 2 + int(up[start:end].split()[-1])
        return up[start : last + 2], up[end + 2 : last]


async def requests(talk: Talk, asked: tuple = REQUESTS) -> None:
    """Each request of the API, and its answer."""
    for words, body in asked:
        subject = f"$JS.API.{words}"
        down, reply, data = await talk.ask(subject, body)
        fields = {"reply_to": reply, "payload": data.hex()}
        up, _ = talk.written(subject)
        if asked is NEWER and words.startswith(TOLD):
            continue
        meaning = NAMES.sub("", words).lower().replace(".", " ")
        name = meaning.replace(" ", "_")
        emit(FILE, name, CLIENT, up, {"subject": subject, **fields}, command="pub", meaning=meaning)
        head, _, payload = down.partition(b"\r\n")
        if head.startswith(b"MSG ") and b'"type":"io.nats.jetstream' in payload:
            line = head.split()
            payload = payload[: int(line[-1])]
            expect = {"subject": fields["reply_to"], "sid": "1", "payload": payload.hex()}
            emit(FILE, f"{name}_response", SERVER, head + b"\r\n" + payload + b"\r\n", expect,
                 command="msg", note=json.loads(payload)["type"])  # fmt: skip
        if words.startswith("STREAM.CREATE"):
            for number in range(8):
                await talk.connection.publish("v.a", b"%d" % number)
            await talk.settled()


async def acks(talk: Talk) -> None:
    """Each kind of ack, of a message that was delivered."""
    stream = talk.connection.jetstream()
    await stream.add_stream(name="A", subjects=["a.>"])
    for number in range(10):
        await stream.publish("a.x", b"%d" % number)
    reader = await stream.pull_subscribe("a.>", "worker")
    kinds = (
        ("ack", "ack", lambda m: m.ack()),
        ("nak", "nak", lambda m: m.nak()),
        ("nak_later", "nak", lambda m: m.nak(delay=1)),
        ("in_progress", "in progress", lambda m: m.in_progress()),
        ("term", "term", lambda m: m.term()),
    )
    for name, meaning, send in kinds:
        (message,) = await reader.fetch(1, timeout=2)
        talk.tap.clear()
        await send(message)
        await talk.settled()
        up, payload = talk.written(message.reply)
        expect = {"subject": message.reply, "payload": payload.hex()}
        emit(FILE, name, CLIENT, up, expect, command="pub", meaning=meaning)
    for name, meaning, payload in (
        ("ack_word", "ack", b"+ACK"),
        ("ack_and_next", "ack and next", b'+NXT {"batch":1}'),
        ("next", "next", b'{"batch":1}'),
    ):
        (message,) = await reader.fetch(1, timeout=2)
        talk.tap.clear()
        await talk.connection.publish(message.reply, payload)
        await talk.settled()
        up, _ = talk.written(message.reply)
        expect = {"subject": message.reply, "payload": payload.hex()}
        emit(FILE, name, CLIENT, up, expect, command="pub", meaning=meaning)


def status(name: str, down: bytes, meaning: str) -> None:
    """A message of the server's own; `meaning` is the name of its status."""
    for line in re.finditer(rb"HMSG (\S+) (\d+) (?:(\S+) )?(\d+) (\d+)\r\n", down):
        subject, sid, reply, size, total = line.groups()
        block = down[line.end() : line.end() + int(total)]
        first, *rest = block[: int(size)].decode().strip().split("\r\n")
        code, _, description = first.removeprefix("NATS/1.0 ").partition(" ")
        if meaning != code:
            continue
        headers = [{"key": k, "value": v.strip()} for k, v in (each.split(":", 1) for each in rest)]
        expect = {"subject": subject.decode(), "sid": sid.decode(), "status": int(code)}
        expect |= {"reply_to": reply.decode()} if reply else {}
        expect |= {"description": description} if description else {}
        expect |= {"headers": headers, "payload": block[int(size) :].hex()}
        data = line.group() + block + b"\r\n"
        emit(FILE, name, SERVER, data, expect, command="hmsg")
        return
    print(f"no {meaning} for {name}: {down[:200]!r}", file=sys.stderr)


async def statuses(talk: Talk) -> None:
    """Messages that a server writes itself."""
    stream = talk.connection.jetstream()
    await stream.add_stream(name="Z", subjects=["z.>"], allow_direct=True)
    pulled = "$JS.API.CONSUMER.MSG.NEXT.Z.pull"
    explicit = {"durable_name": "pull", "ack_policy": "explicit", "max_waiting": 1}
    await talk.ask(
        "$JS.API.CONSUMER.DURABLE.CREATE.Z.pull", {"stream_name": "Z", "config": explicit}
    )
    status("no_messages", (await talk.ask(pulled, {"batch": 1, "no_wait": True}))[0], "404")
    status("bad_request", (await talk.ask(pulled, b"{what"))[0], "400")
    await talk.ask(pulled, {"batch": 1, "expires": 300_000_000})
    status("conflict", (await talk.ask(pulled, {"batch": 1, "expires": 300_000_000}))[0], "409")
    await asyncio.sleep(0.6)
    status("request_timeout", bytes(talk.tap.down), "408")
    level = {"Nats-Required-Api-Level": "99"}
    status("api_level_required", (await talk.ask(pulled, PULL, level))[0], "412")
    status("no_responders", (await talk.ask("nobody.there", b""))[0], "503")
    for number in range(1100):
        await talk.connection.publish(f"z.{number}", b"")
    await talk.connection.flush()
    await asyncio.sleep(0.5)
    direct = "$JS.API.DIRECT.GET.Z"
    status("end_of_batch", (await talk.ask(direct, {"batch": 2, "seq": 1}))[0], "204")
    status("too_many_results", (await talk.ask(direct, {"multi_last": ["z.>"]}))[0], "413")
    pin = {
        "durable_name": "pin", "ack_policy": "explicit", "priority_groups": ["g"],
        "priority_policy": "pinned_client", "priority_timeout": 60_000_000_000,
    }  # fmt: skip
    await talk.ask("$JS.API.CONSUMER.DURABLE.CREATE.Z.pin", {"stream_name": "Z", "config": pin})
    ask = {"batch": 1, "expires": 1_000_000_000, "group": "g"}
    await talk.ask("$JS.API.CONSUMER.MSG.NEXT.Z.pin", ask)
    wrong = await talk.ask("$JS.API.CONSUMER.MSG.NEXT.Z.pin", ask | {"id": "wrong"})
    status("pin_id_mismatch", wrong[0], "423")
    beats = ConsumerConfig(idle_heartbeat=0.2, flow_control=True, filter_subject="z.none")
    talk.tap.clear()
    await stream.subscribe("z.none", config=beats)
    await asyncio.sleep(0.6)
    status("control", bytes(talk.tap.down), "100")


async def lost_file(talk: Talk) -> None:
    """A snapshot of a stream whose first file of messages (of two: 8 MiB each) is a folder."""
    stream = talk.connection.jetstream()
    await stream.add_stream(name="L", subjects=["l.>"])
    for _ in range(12):
        await stream.publish("l.a", bytes(900_000))
    for path in STORE.glob("**/L/msgs/1.blk"):
        path.unlink()
        path.mkdir()
    await talk.ask("$JS.API.STREAM.SNAPSHOT.L", {"deliver_subject": f"{INBOX}.lost"})
    await asyncio.sleep(4)
    status("server_error", bytes(talk.tap.down), "500")


async def too_many(talk: Talk) -> None:
    """More messages at once than a server is told to let wait."""
    await talk.connection.jetstream().add_stream(name="F", subjects=["f.>"], storage="file")
    talk.tap.clear()
    for number in range(3000):
        await talk.connection.publish("f.a", b"x" * 100, reply=f"{INBOX}.f.{number}")
    await talk.settled()
    status("too_many_requests", bytes(talk.tap.down), "429")


async def record(limits: str, parts: tuple) -> None:
    """Some of them, with a server of their own."""
    server = Server(PORT, f"jetstream {{ store_dir: '{STORE}'{limits} }}\n")
    try:
        tap = Tap(PORT)
        connection = await nats.connect(f"nats://127.0.0.1:{tap.port}", name="vectors")
        await connection.subscribe(f"{INBOX}.>")
        await connection.flush()
        talk = Talk(tap, connection)
        for part in parts:
            await part(talk)
        with contextlib.suppress(Exception):
            await connection.close()
    finally:
        server.stop()


async def newer(talk: Talk) -> None:
    """Requests that came later."""
    await requests(talk, NEWER)


async def main() -> None:
    """All of them."""
    shutil.rmtree(STORE, ignore_errors=True)
    if tuple(map(int, SERVER.split()[1].split("."))) >= (2, 15):
        await record("", (newer,))
        return
    await record("", (requests, acks, statuses, lost_file))
    await record(", max_buffered_msgs: 1", (too_many,))


asyncio.run(main())
