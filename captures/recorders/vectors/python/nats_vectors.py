"""Vectors of the NATS client, route and leaf protocols, from nats-py and nats-server on loopback.

Usage: nats_vectors.py NATS_SERVER. A tap between the two records what each really writes.
"""

import asyncio
import importlib.metadata
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import nats

from vectors import Tap, emit, wait, wait_for_port

CLIENT = f"nats-py {importlib.metadata.version('nats-py')}"
SERVER_PROGRAM = sys.argv[1]
SERVER = "nats-server " + re.search(
    r"v([\d.]+)",
    subprocess.run([SERVER_PROGRAM, "-v"], capture_output=True, text=True, check=True).stdout,
).group(1)
CLUSTER = "name: c, no_advertise: true, pool_size: -1"
HELLO = (
    b'CONNECT {"verbose":true,"pedantic":false,"headers":true,'
    b'"no_responders":true,"name":"raw"}\r\n'
)


class Server:
    """One nats-server with its own configuration, ended on exit."""

    def __init__(self, port: int, config: str = "") -> None:
        folder = Path(tempfile.mkdtemp())
        path = folder / "nats.conf"
        path.write_text(f'listen: "127.0.0.1:{port}"\nserver_name: "vectors-{port}"\n' + config)
        self._process = subprocess.Popen(
            [SERVER_PROGRAM, "-c", str(path)], stderr=subprocess.DEVNULL
        )
        wait_for_port(port)

    def stop(self) -> None:
        """End the process."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait()


def parsed(line: bytes) -> object:
    """The JSON of an INFO or CONNECT line, read by the standard library."""
    return json.loads(line.partition(b" ")[2])


async def client_frames(port: int) -> None:  # noqa: PLR0915 - one conversation, in its order
    """Frames that nats-py and the server write to each other."""
    tap = Tap(port)
    got: list[object] = []

    async def keep(message: object) -> None:
        got.append(message)

    connection = await nats.connect(f"nats://127.0.0.1:{tap.port}", name="vectors")
    await asyncio.sleep(0.2)
    connect, ping = bytes(tap.up).split(b"\r\n")[:2]
    emit(
        "nats/connect",
        "nats_py",
        CLIENT,
        connect + b"\r\n",
        {"json": parsed(connect)},
        command="connect",
    )
    emit("nats/ping", "nats_py", CLIENT, ping + b"\r\n", {}, command="ping")
    infos = [line for line in bytes(tap.down).split(b"\r\n") if line.startswith(b"INFO")]
    for name, line in zip(("first", "after_connect"), infos, strict=False):
        emit("nats/info", name, SERVER, line + b"\r\n", {"json": parsed(line)}, command="info")

    async def step() -> tuple[bytes, bytes]:
        await connection.flush()
        await asyncio.sleep(0.05)
        up, down = bytes(tap.up), bytes(tap.down)
        tap.clear()
        # The flush's own PING goes ahead of what was waiting.
        return up.removeprefix(b"PING\r\n"), down.removeprefix(b"PONG\r\n")

    tap.clear()
    await connection._send_ping()  # noqa: SLF001
    await asyncio.sleep(0.1)
    emit("nats/pong", "server", SERVER, bytes(tap.down), {}, command="pong")
    tap.clear()

    everything = await connection.subscribe("v.>", cb=keep)
    up, _ = await step()
    emit("nats/sub", "wildcard", CLIENT, up, {"subject": "v.>", "sid": "1"}, command="sub")
    grouped = await connection.subscribe("g.*", queue="workers", cb=keep)
    up, _ = await step()
    emit(
        "nats/sub",
        "queue_group",
        CLIENT,
        up,
        {"subject": "g.*", "queue_group": "workers", "sid": "2"},
        command="sub",
    )

    payloads = {
        "empty": b"",
        "hello": b"hello",
        "crlf_inside": b"a\r\nPUB v.x 1\r\nb",
        "binary": bytes(range(256)),
        "nine_bytes": b"123456789",
        "ten_bytes": b"1234567890",
    }
    for name, payload in payloads.items():
        for reply in ("", "inbox.1") if len(payload) < 20 else ("",):
            suffix = "_reply" if reply else ""
            expect = {
                "subject": "v.a",
                **({"reply_to": reply} if reply else {}),
                "payload": payload.hex(),
            }
            await connection.publish("v.a", payload, reply=reply)
            up, down = await step()
            emit("nats/pub", name + suffix, CLIENT, up, expect, command="pub")
            emit(
                "nats/msg",
                name + suffix,
                SERVER,
                down,
                {"subject": "v.a", "sid": "1", **expect},
                command="msg",
            )
    headers = {
        "one": {"Name": "value"},
        "two": {"A": "1", "b-c": "two words"},
        "empty_value": {"A": ""},
    }
    for name, members in headers.items():
        for payload in (b"", b"hi"):
            for reply in ("", "inbox.1"):
                suffix = ("_payload" if payload else "") + ("_reply" if reply else "")
                expect = {
                    "subject": "v.h",
                    **({"reply_to": reply} if reply else {}),
                    "headers": [{"key": key, "value": value} for key, value in members.items()],
                    "payload": payload.hex(),
                }
                await connection.publish("v.h", payload, reply=reply, headers=members)
                up, down = await step()
                emit("nats/hpub", name + suffix, CLIENT, up, expect, command="hpub")
                emit(
                    "nats/hmsg",
                    name + suffix,
                    SERVER,
                    down,
                    {"subject": "v.h", "sid": "1", **expect},
                    command="hmsg",
                )

    await connection.publish("g.1", b"x")
    _, down = await step()
    emit(
        "nats/msg",
        "queue_group",
        SERVER,
        down,
        {"subject": "g.1", "sid": "2", "payload": "78"},
        command="msg",
    )
    await everything.unsubscribe(limit=500)
    up, _ = await step()
    emit("nats/unsub", "max", CLIENT, up, {"sid": "1", "max_msgs": 500}, command="unsub")
    await grouped.unsubscribe()
    up, _ = await step()
    emit("nats/unsub", "now", CLIENT, up, {"sid": "2"}, command="unsub")
    await connection.close()


class Raw:
    """A plain socket that speaks to the server, for what no library writes."""

    def __init__(self, port: int, hello: bytes = HELLO) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.info = self._line()
        self.socket.sendall(hello)
        time.sleep(0.15)
        self.greeting = self.drain()

    def _line(self) -> bytes:
        line = b""
        while not line.endswith(b"\r\n"):
            line += self.socket.recv(1)
        return line

    def drain(self) -> bytes:
        """What has come within a moment."""
        self.socket.settimeout(0.15)
        data = b""
        try:
            while more := self.socket.recv(65536):
                data += more
        except TimeoutError:
            pass
        return data.removeprefix(b"PING\r\n").removesuffix(b"PING\r\n")

    def say(self, data: bytes) -> bytes:
        """Send, and return what comes back."""
        self.socket.sendall(data)
        return self.drain()


def accepted_forms(port: int) -> None:
    """Spellings that no library writes but that the server's parser takes: it answers +OK."""
    long_blank = b" " * 40
    message = {"subject": "r.a", "payload": "6869"}
    replied = {**message, "reply_to": "in.box"}
    block = b"NATS/1.0\r\nA: 1\r\nA: 2\r\na: 3\r\n\r\n"
    many = [{"key": "A", "value": "1"}, {"key": "A", "value": "2"}, {"key": "a", "value": "3"}]
    forms = [
        ("pub", "lower_case", b"pub r.a 2\r\nhi\r\n", message),
        ("pub", "mixed_case", b"pUb r.a 2\r\nhi\r\n", message),
        ("pub", "tabs", b"PUB\tr.a\t2\r\nhi\r\n", message),
        (
            "pub",
            "many_blanks",
            b"PUB" + long_blank + b"r.a" + long_blank + b"in.box" + long_blank + b"2\r\nhi\r\n",
            replied,
        ),
        ("pub", "blanks_and_tabs", b"PUB \t r.a\t \tin.box \t2\r\nhi\r\n", replied),
        ("pub", "trailing_blank", b"PUB r.a 2 \r\nhi\r\n", message),
        ("pub", "line_feed_only", b"PUB r.a 2\nhi\r\n", message),
        ("pub", "size_leading_zeros", b"PUB r.a 000000002\r\nhi\r\n", message),
        ("sub", "lower_case", b"sub r.s 21\r\n", {"subject": "r.s", "sid": "21"}),
        (
            "sub",
            "sid_is_any_token",
            b"SUB r.s my-sid_1.x\r\n",
            {"subject": "r.s", "sid": "my-sid_1.x"},
        ),
        (
            "sub",
            "queue_many_blanks",
            b"SUB  r.s   q    22\r\n",
            {"subject": "r.s", "queue_group": "q", "sid": "22"},
        ),
        ("sub", "line_feed_only", b"SUB r.s 23\n", {"subject": "r.s", "sid": "23"}),
        ("unsub", "tabs", b"UNSUB\t21\r\n", {"sid": "21"}),
        ("unsub", "max_lower_case", b"unsub 22 5\r\n", {"sid": "22", "max_msgs": 5}),
        (
            "hpub",
            "lower_case",
            b"hpub r.h 12 14\r\nNATS/1.0\r\n\r\nhi\r\n",
            {"subject": "r.h", "headers": [], "payload": "6869"},
        ),
        (
            "hpub",
            "duplicate_names",
            b"HPUB r.h 30 32\r\n" + block + b"hi\r\n",
            {"subject": "r.h", "headers": many, "payload": "6869"},
        ),
        (
            "hpub",
            "reply_tabs",
            b"HPUB\tr.h\tin.box\t12\t12\r\nNATS/1.0\r\n\r\n\r\n",
            {"subject": "r.h", "reply_to": "in.box", "headers": [], "payload": ""},
        ),
    ]
    raw = Raw(port)
    emit(
        "nats/ok",
        "verbose",
        SERVER + ", verbose",
        raw.greeting.split(b"\r\n")[0] + b"\r\n",
        {},
        command="ok",
    )
    for command, name, data, expect in forms:
        answer = raw.say(data)
        if answer != b"+OK\r\n":
            sys.exit(f"{command} {name}: answered {answer!r}")
        emit(
            f"nats/{command}",
            "accepted_" + name,
            f"written by hand, {SERVER} answered +OK",
            data,
            expect,
            command=command,
        )
    for name, data in (
        ("lower_case", b"ping\r\n"),
        ("line_feed_only", b"PING\n"),
        ("with_text", b"PING now\r\n"),
    ):
        if (answer := raw.say(data)) != b"PONG\r\n":
            sys.exit(f"ping {name}: answered {answer!r}")
        emit(
            "nats/ping",
            "accepted_" + name,
            f"written by hand, {SERVER} answered PONG",
            data,
            {},
            command="ping",
        )


def server_answers(port: int) -> None:
    """Duplicate header names as delivered, no responders, and refusals."""
    raw = Raw(port, HELLO.replace(b'"verbose":true', b'"verbose":false'))
    raw.say(b"SUB d.> 1\r\n")
    block = b"NATS/1.0\r\nA: 1\r\nA: 2\r\nb:3\r\n\r\n"
    answer = raw.say(b"HPUB d.a %d %d\r\n%shi\r\n" % (len(block), len(block) + 2, block))
    headers = [{"key": "A", "value": "1"}, {"key": "A", "value": "2"}, {"key": "b", "value": "3"}]
    emit(
        "nats/hmsg",
        "duplicate_names",
        SERVER,
        answer,
        {"subject": "d.a", "sid": "1", "headers": headers, "payload": "6869"},
        command="hmsg",
        note="no blank after the colon of b, as it was published",
    )
    for status in (b" 503", b" 100 Idle Heartbeat", b" 408 Request Timeout"):
        block = b"NATS/1.0" + status + b"\r\nA: 1\r\n\r\n"
        answer = raw.say(b"HPUB d.a in.box %d %d\r\n%s\r\n" % (len(block), len(block), block))
        number, _, description = status.decode().strip().partition(" ")
        expect = {
            "subject": "d.a",
            "sid": "1",
            "reply_to": "in.box",
            "status": int(number),
            **({"description": description} if description else {}),
            "headers": [{"key": "A", "value": "1"}],
            "payload": "",
        }
        emit(
            "nats/hmsg",
            f"status_{number}",
            SERVER + ", passed on as published by hand",
            answer,
            expect,
            command="hmsg",
        )
    raw.say(b"SUB inbox.* 2\r\n")
    answer = raw.say(b"PUB nobody inbox.7 2\r\nhi\r\n")
    emit(
        "nats/hmsg",
        "no_responders",
        SERVER,
        answer,
        {
            "subject": "inbox.7",
            "sid": "2",
            "status": 503,
            "headers": [{"key": "Nats-Subject", "value": "nobody"}],
            "payload": "",
        },
        command="hmsg",
    )
    old = Raw(port, b'CONNECT {"verbose":false}\r\n')
    old.say(b"SUB d.> 9\r\n")
    raw.say(b"HPUB d.b 12 14\r\nNATS/1.0\r\n\r\nhi\r\n")
    emit(
        "nats/msg",
        "headers_stripped",
        SERVER,
        old.drain(),
        {"subject": "d.b", "sid": "9", "payload": "6869"},
        command="msg",
        note="published with headers to a client that did not announce them",
    )

    cases = {
        "unknown_protocol_operation": (b"FOO\r\n", "Unknown Protocol Operation"),
        "maximum_payload_violation": (b"PUB d.a 99999999\r\n", "Maximum Payload Violation"),
        "maximum_control_line_exceeded": (b"PUB " + b"x" * 5000, "maximum control line exceeded"),
        "invalid_subject": (b"SUB d..a 3\r\n", "Invalid Subject"),
    }
    for name, (data, text) in cases.items():
        answer = Raw(port, HELLO.replace(b'"verbose":true', b'"verbose":false')).say(data)
        emit("nats/err", name, SERVER, answer, {"message": text}, command="err")
    pedantic = Raw(port, b'CONNECT {"verbose":false,"pedantic":true}\r\n')
    emit(
        "nats/err",
        "invalid_publish_subject",
        SERVER,
        pedantic.say(b"PUB d.* 0\r\n\r\n"),
        {"message": "Invalid Publish Subject"},
        command="err",
    )


def permissions(port: int) -> None:
    """Errors that need an account with permissions."""
    server = Server(
        port,
        "authorization { users = [ {user: u, password: throwaway, "
        'permissions: {publish: {deny: "no.>"}, subscribe: {deny: "no.>"}}} ] }\n',
    )
    hello = b'CONNECT {"verbose":false,"user":"u","pass":"throwaway"}\r\n'
    raw = Raw(port, hello)
    emit(
        "nats/err",
        "permissions_publish",
        SERVER,
        raw.say(b"PUB no.a 0\r\n\r\n"),
        {"message": 'Permissions Violation for Publish to "no.a"'},
        command="err",
    )
    answer = raw.say(b"SUB no.a q 1\r\n")
    emit(
        "nats/err",
        "permissions_subscribe",
        SERVER,
        answer,
        {"message": 'Permissions Violation for Subscription to "no.a" using queue "q"'},
        command="err",
    )
    wrong = Raw(port, b'CONNECT {"verbose":false,"user":"u","pass":"wrong"}\r\n')
    emit(
        "nats/err",
        "authorization_violation",
        SERVER,
        wrong.greeting,
        {"message": "Authorization Violation"},
        command="err",
    )
    emit("nats/info", "auth_required", SERVER, raw.info, {"json": parsed(raw.info)}, command="info")
    server.stop()


def lines_of(data: bytes, verb: bytes) -> list[bytes]:
    """The control lines that begin with a verb, for chunks that hold no payload."""
    return [line + b"\r\n" for line in data.split(b"\r\n") if line.startswith(verb + b" ")]


def without_system_messages(data: bytes) -> bytes:
    """Cut out what the servers' own account says about itself in between."""
    while own := re.search(rb"RMSG \$SYS [^\r]* (\d+)\r\n", data):
        data = data[: own.start()] + data[own.end() + int(own.group(1)) + 2 :]
    return data


class Link(NamedTuple):
    """A connection between two servers, and what all its frames say alike."""

    kind: str
    source: str
    account: dict[str, str]

    def told(self, name: str, command: str, data: bytes, expect: dict) -> None:
        """One vector of this connection."""
        facts = {"command": command, "dialect": self.kind}
        emit(f"nats/{self.kind}", name, self.source, data, {**self.account, **expect}, **facts)


def links(port: int) -> None:
    """What servers say to each other on a route and on a leaf link, recorded between two."""
    for link in ("route", "leaf"):
        middle = port + 2
        if link == "route":
            first = Server(
                port,
                f'cluster {{ {CLUSTER}, listen: "127.0.0.1:{middle}" }}\n',
            )
            tap = Tap(middle)
            second = Server(
                port + 1,
                f'cluster {{ {CLUSTER}, listen: "127.0.0.1:{port + 3}", '
                f'routes: ["nats://127.0.0.1:{tap.port}"] }}\n',
            )
        else:
            first = Server(
                port, f'leafnodes {{ listen: "127.0.0.1:{middle}", compression: off }}\n'
            )
            tap = Tap(middle)
            second = Server(
                port + 1,
                "leafnodes { remotes: [ { compression: off, "
                f'url: "nats://127.0.0.1:{tap.port}" }} ] }}\n',
            )
        wait(lambda tap=tap: b"PONG" in tap.up or b"PONG" in tap.down or b"CONNECT" in tap.up)
        time.sleep(1.5)
        near, far = Raw(port), Raw(port + 1)
        dialect = {"dialect": link}
        source = f"{SERVER}, {link} connection"
        connect = lines_of(bytes(tap.up), b"CONNECT")[0]
        emit(
            f"nats/{link}",
            "connect",
            source,
            connect,
            {"json": parsed(connect)},
            command="connect",
            **dialect,
        )
        info = lines_of(bytes(tap.down), b"INFO")[0]
        emit(
            f"nats/{link}", "info", source, info, {"json": parsed(info)}, command="info", **dialect
        )

        def step(peer: Raw, data: bytes, direction: str, tap: Tap = tap) -> bytes:
            tap.clear()
            peer.say(data)
            time.sleep(0.1)
            return without_system_messages(bytes(getattr(tap, direction)))

        account = {"account": "$G"} if link == "route" else {}
        plus, minus = ("rs_plus", "rs_minus") if link == "route" else ("ls_plus", "ls_minus")
        deliver = "rmsg" if link == "route" else "lmsg"

        told = Link(link, source, account).told

        told("interest", plus, step(far, b"SUB x.a 1\r\n", "up"), {"subject": "x.a"})
        told(
            "message",
            deliver,
            step(near, b"PUB x.a 2\r\nhi\r\n", "down"),
            {"subject": "x.a", "payload": "6869"},
        )
        told(
            "message_reply",
            deliver,
            step(near, b"PUB x.a in.box 0\r\n\r\n", "down"),
            {"subject": "x.a", "reply_to": "in.box", "payload": ""},
        )
        headers = {"headers": [{"key": "A", "value": "1"}]}
        block = b"NATS/1.0\r\nA: 1\r\n\r\n"
        told(
            "message_headers",
            "hmsg",
            step(near, b"HPUB x.a 18 20\r\n" + block + b"hi\r\n", "down"),
            {"subject": "x.a", **headers, "payload": "6869"},
        )
        told(
            "message_headers_reply",
            "hmsg",
            step(near, b"HPUB x.a in.box 18 18\r\n" + block + b"\r\n", "down"),
            {"subject": "x.a", "reply_to": "in.box", **headers, "payload": ""},
        )
        told(
            "interest_queue",
            plus,
            step(far, b"SUB x.q one 2\r\n", "up"),
            {"subject": "x.q", "queue_group": "one", "weight": 1},
        )
        told(
            "interest_queue_weight",
            plus,
            step(far, b"SUB x.q one 3\r\n", "up"),
            {"subject": "x.q", "queue_group": "one", "weight": 2},
        )
        told(
            "interest_second_queue",
            plus,
            step(far, b"SUB x.q two 4\r\n", "up"),
            {"subject": "x.q", "queue_group": "two", "weight": 1},
        )
        for name, data, expect in (
            ("message_queues", b"PUB x.q 2\r\nhi\r\n", {"subject": "x.q", "payload": "6869"}),
            (
                "message_reply_queues",
                b"PUB x.q in.box 2\r\nhi\r\n",
                {"subject": "x.q", "reply_to": "in.box", "payload": "6869"},
            ),
        ):
            sent = step(near, data, "down")
            queues = (
                re.search(rb"x\.q [|+] (?:in\.box )?(.*) \d+\r\n", sent).group(1).decode().split()
            )
            if sorted(queues) != ["one", "two"]:
                sys.exit(f"{name}: {sent!r}")
            told(name, deliver, sent, {**expect, "queue_groups": queues})
        sent = step(near, b"HPUB x.q in.box 18 20\r\n" + block + b"hi\r\n", "down")
        queues = re.search(rb"in\.box (.*) \d+ \d+\r\n", sent).group(1).decode().split()
        told(
            "message_headers_reply_queues",
            "hmsg",
            sent,
            {
                "subject": "x.q",
                "reply_to": "in.box",
                "queue_groups": queues,
                **headers,
                "payload": "6869",
            },
        )
        told("no_interest", minus, step(far, b"UNSUB 1\r\n", "up"), {"subject": "x.a"})
        told(
            "no_interest_queue",
            minus,
            step(far, b"UNSUB 4\r\n", "up"),
            {"subject": "x.q", "queue_group": "two"},
        )
        second.stop()
        first.stop()


def main() -> None:
    """Record everything; the ports are free ones on loopback."""
    server = Server(14222)
    asyncio.run(client_frames(14222))
    accepted_forms(14222)
    server_answers(14222)
    server.stop()
    permissions(14230)
    links(14240)


if __name__ == "__main__":
    main()
