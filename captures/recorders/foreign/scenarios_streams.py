"""What carries bytes of others: TLS, SSH, WebSocket, HTTP, SMB, and framing by length."""

import asyncio
import contextlib
import http.server
import os
import random
import socket
import ssl
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Client, Listener
from pathlib import Path

import asyncssh
import httpx
import websockets
import zmq
from captures.recorders import lab
from captures.recorders.foreign.setup import LOOPBACK, OURS, Scenario, add, client, program, wait

CERTIFICATES = 16
KEY = b"throwaway"


def noise(nth: int, size: int) -> bytes:
    """Bytes that are the same in each recording."""
    return random.Random(nth).randbytes(size)  # noqa: S311


def certificate(folder: Path, nth: int) -> Path:
    """A key and a certificate with more names each time."""
    target = folder / f"{nth}.pem"
    names = ",".join(f"DNS:h{at}.{'x' * (at % 30)}.example.org" for at in range(1 + nth * 5))
    kind = ("rsa:2048", "rsa:4096", "ec -pkeyopt ec_paramgen_curve:prime256v1")[nth % 3]
    lab.run(
        f"openssl req -x509 -newkey {kind} -nodes -days 3650 -subj /CN=h{nth}.example.org "
        f"-addext subjectAltName={names} -keyout {target}.key -out {target}.crt && "
        f"cat {target}.key {target}.crt > {target}"
    )
    return target


@contextmanager
def tls(work: Path) -> Iterator[None]:
    """Python's ssl with a certificate for each name that is asked for."""
    contexts = []
    for nth in range(CERTIFICATES):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate(work, nth))
        contexts.append(context)

    def choose(line: ssl.SSLObject, name: str, _context: ssl.SSLContext) -> None:
        line.context = contexts[int(name.split(".", maxsplit=1)[0][1:]) % CERTIFICATES]

    first = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    first.load_cert_chain(work / "0.pem")
    first.sni_callback = choose

    def answer(line: socket.socket) -> None:
        with suppress(OSError), first.wrap_socket(line, server_side=True) as secure:
            while data := secure.recv(65536):
                secure.sendall(data * 2)

    with served(8443, answer):
        yield


@contextmanager
def served(port: int, answer: object) -> Iterator[None]:
    """Gives each connection to a port to a thread."""
    with socket.create_server((LOOPBACK, port)) as listener:

        def run() -> None:
            with suppress(OSError):
                while True:
                    line = listener.accept()[0]
                    threading.Thread(target=answer, args=(line,), daemon=True).start()  # type: ignore[arg-type]

        threading.Thread(target=run, daemon=True).start()
        yield


def plays_tls(port: int, nth: int) -> None:
    """Sends some bytes over TLS 1.2 or 1.3."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2 if nth % 2 else ssl.TLSVersion.TLSv1_3
    with (
        socket.create_connection((LOOPBACK, port)) as line,
        context.wrap_socket(line, server_hostname=f"h{nth % CERTIFICATES}.example.org") as secure,
    ):
        for at in range(nth % 4):
            secure.sendall(noise(at, 40 + at * 200))
            secure.recv(65536)


class Anyone(asyncssh.SSHServer):
    """Lets everybody in."""

    def begin_auth(self, username: str) -> bool:
        """Asks for nothing."""
        del username
        return False


async def shell(process: asyncssh.SSHServerProcess[bytes]) -> None:
    """Prints as many bytes as the command says."""
    process.stdout.write(noise(1, int(process.command or b"9")))
    process.exit(0)


def loop(run: object) -> None:
    """Runs a coroutine in a thread of its own."""
    threading.Thread(target=asyncio.run, args=(run,), daemon=True).start()


async def serve_ssh() -> None:
    """Runs asyncssh's server."""
    keys = [asyncssh.generate_private_key("ssh-rsa"), asyncssh.generate_private_key("ssh-ed25519")]
    options = {"server_host_keys": keys, "encoding": None, "process_factory": shell}
    await asyncssh.create_server(Anyone, LOOPBACK, 22, **options)
    await asyncio.Event().wait()


@contextmanager
def ssh(_work: Path) -> Iterator[None]:
    """Runs asyncssh's server."""
    loop(serve_ssh())
    wait(22)
    yield


def plays_ssh(port: int, nth: int) -> None:
    """Runs a command, by OpenSSH or by asyncssh."""
    if nth % 2:
        options = ("-oStrictHostKeyChecking=no", "-oUserKnownHostsFile=/dev/null", "-F/dev/null")
        client("ssh", *options, "-p", port, f"app@{LOOPBACK}", 500 * nth)
        return

    async def run() -> None:
        async with asyncssh.connect(LOOPBACK, port, known_hosts=None, username="app") as line:
            await line.run(str(200 * nth), encoding=None)

    asyncio.run(run())


async def pumped(
    socket_: object, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Joins a WebSocket and a TCP connection."""

    async def out() -> None:
        while data := await reader.read(4096):
            await socket_.send(data)  # type: ignore[attr-defined]
        await socket_.close()  # type: ignore[attr-defined]

    async def back() -> None:
        async for data in socket_:  # type: ignore[attr-defined]
            writer.write(data)
        writer.close()

    with suppress(websockets.ConnectionClosed, OSError):
        await asyncio.gather(out(), back())


@contextmanager
def tunnel(_work: Path) -> Iterator[None]:
    """A server of WebSocket that goes on to SSH."""

    async def answer(line: websockets.ServerConnection) -> None:
        await pumped(line, *await asyncio.open_connection(LOOPBACK, 22))

    async def run() -> None:
        async with websockets.serve(answer, LOOPBACK, 8080, compression=None):
            await asyncio.Event().wait()

    loop(serve_ssh())
    wait(22)
    loop(run())
    wait(8080)
    yield


def plays_tunnel(port: int, nth: int) -> None:
    """Runs a command over SSH in WebSocket."""

    async def run() -> None:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            address = f"ws://{LOOPBACK}:{port}/tunnel"
            async with websockets.connect(address, compression=None) as line:
                await pumped(line, reader, writer)

        await asyncio.start_server(accept, LOOPBACK, 2200 + nth)
        near = asyncssh.connect(LOOPBACK, 2200 + nth, known_hosts=None, username="app")
        async with near as line:
            await line.run(str(200 * nth), encoding=None)

    asyncio.run(run())


@contextmanager
def chat(_work: Path) -> Iterator[None]:
    """A server of WebSocket that says everything again."""

    async def answer(line: websockets.ServerConnection) -> None:
        async for message in line:
            await line.send(message)

    async def run() -> None:
        async with websockets.serve(answer, LOOPBACK, 8081):
            await asyncio.Event().wait()

    loop(run())
    wait(8081)
    yield


def plays_chat(port: int, nth: int) -> None:
    """Sends text and bytes, compressed or not."""

    async def run() -> None:
        compression = "deflate" if nth % 2 else None
        async with websockets.connect(f"ws://{LOOPBACK}:{port}/", compression=compression) as line:
            for at in range(12):
                await line.send(f'{{"n": {at}}}')
                await line.recv()
                await line.send(bytes(at) + noise(at, at * at) + at.to_bytes(4))
                await line.recv()

    asyncio.run(run())


class Pages(http.server.BaseHTTPRequestHandler):
    """Answers with bytes, whole or in chunks."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Sends as many bytes as the path says."""
        data = noise(3, int(self.path[1:]))
        self.send_response(200)
        if len(data) % 2:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            data = b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data)
        else:
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        """Sends again what came."""
        data = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_given: object) -> None:
        """Keeps silent."""


@contextmanager
def pages(_work: Path) -> Iterator[None]:
    """Python's server of HTTP/1.1."""
    server = http.server.ThreadingHTTPServer((LOOPBACK, 8000), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield
    server.shutdown()
    server.server_close()


def plays_pages(port: int, nth: int) -> None:
    """Gets and posts, on one connection and on some."""
    with httpx.Client(base_url=f"http://{LOOPBACK}:{port}") as peer:
        for at in range(8):
            peer.get(f"/{at * 211 + nth}")
            peer.post("/0", content=bytes(at) + noise(at, at * 100))
    for at in range(3):
        with urllib.request.urlopen(f"http://{LOOPBACK}:{port}/{at * 100}") as answer:
            answer.read()


@contextmanager
def http2(work: Path) -> Iterator[None]:
    """Runs nghttpd without TLS."""
    for size in (0, 9, 900, 3000):
        (work / str(size)).write_bytes(noise(size, size))
    with program("nghttpd", "--no-tls", "-d", work, "-a", LOOPBACK, 8082, port=8082):
        yield


def plays_http2(port: int, nth: int) -> None:
    """Gets files, by nghttp with prior knowledge or an upgrade, or by httpx."""
    addresses = [f"http://{LOOPBACK}:{port}/{size}" for size in (9, 900, 404, 3000)[: 2 + nth % 3]]
    if nth % 3 < 2:
        client("nghttp", "-n", *(["-u"] if nth % 3 else []), *addresses)
        return
    with httpx.Client(http1=False, http2=True) as peer:
        for address in addresses:
            peer.get(address)
            peer.post(address, content=noise(nth, 500))


@contextmanager
def smb(work: Path) -> Iterator[None]:
    """Runs smbd with one share."""
    own = [f"{name} directory = {work}" for name in ("lock", "state", "cache", "pid", "private")]
    own += [f"ncalrpc dir = {work}/rpc", "netbios name = BROKER", "map to guest = Bad User"]
    own += [
        "interfaces = lo",
        "smb ports = 445",
        "server min protocol = NT1",
        f"log file = {work}/log",
    ]
    own += ["disable netbios = yes", "load printers = no", "printcap name = /dev/null"]
    (work / "share").mkdir(mode=0o777)
    (work / "share").chmod(0o777)
    share = ["[share]", f"path = {work}/share", "guest ok = yes", "read only = no"]
    (work / "conf").write_text("\n".join(["[global]", *own, *share]) + "\n")
    (work / "binary").write_bytes(noise(7, 3000))
    (work / "zeros").write_bytes(bytes(9000))
    command = ("smbd", "-F", "--no-process-group", "-s", work / "conf")
    with program(*command, port=445):
        yield


def plays_smb(port: int, nth: int) -> None:
    """Puts, lists, gets and removes files; and asks for shares and users over DCE-RPC."""
    level = ("NT1", "SMB2_02", "SMB2_10", "SMB3_00", "SMB3_11")[nth % 5]
    options = (
        "-N",
        "-s",
        "conf",
        "--option=client min protocol=NT1",
        f"--option=client max protocol={level}",
    )
    does = f"put binary b{nth}; put zeros z{nth}; ls; get b{nth} back; mkdir d{nth}; del z{nth}; ls"
    client("smbclient", *options, "-p", port, f"//{LOOPBACK}/share", "-c", does)
    client("smbclient", *options, "-p", port, "-L", LOOPBACK)
    asks = "srvinfo; lsaquery; enumdomusers; querydominfo; netshareenumall; lookupnames nobody"
    client(
        "bash", "-c", 'rpcclient "$@" || true', "rpc", *options, "-p", port, LOOPBACK, "-c", asks
    )


@contextmanager
def pickles(_work: Path) -> Iterator[None]:
    """Runs multiprocessing's listener: messages after a length of four bytes."""
    listener = Listener((LOOPBACK, 6000), authkey=KEY)

    def run() -> None:
        while True:
            with suppress(EOFError, OSError), listener.accept() as line:
                while True:
                    line.send(line.recv())

    threading.Thread(target=run, daemon=True).start()
    yield
    listener.close()


def plays_pickles(port: int, nth: int) -> None:
    """Sends objects of many sizes and none."""
    with Client((LOOPBACK, port), authkey=KEY) as line:
        for at in range(20 + nth):
            line.send([None, at, "x" * at, noise(at, at * 20), {"a": at}][at % 5])
            line.recv()


@contextmanager
def zeromq(_work: Path) -> Iterator[None]:
    """A socket that answers, of pyzmq."""
    line = zmq.Context.instance().socket(zmq.REP)
    line.bind(f"tcp://{LOOPBACK}:5555")

    def run() -> None:
        with suppress(zmq.ZMQError):
            while True:
                line.send_multipart(line.recv_multipart() * 2)

    threading.Thread(target=run, daemon=True).start()
    yield


def plays_zeromq(port: int, nth: int) -> None:
    """Sends messages of some parts."""
    with zmq.Context.instance().socket(zmq.REQ) as line:
        line.setsockopt(zmq.HEARTBEAT_IVL, 300)
        line.connect(f"tcp://{LOOPBACK}:{port}")
        for at in range(20 + nth):
            line.send_multipart([noise(at, at * 17), b"", bytes(at)])
            line.recv_multipart()


@contextmanager
def rsync(work: Path) -> Iterator[None]:
    """Runs rsync's daemon with one module."""
    (work / "files").mkdir()
    for at in range(12):
        (work / "files" / f"f{at}").write_bytes(noise(at, at * 80) + bytes(at * 100))
    (work / "conf").write_text(
        f"use chroot = no\nuid = root\ngid = root\n[files]\npath = {work}/files\n"
    )
    with program(
        "rsync", "--daemon", "--no-detach", "--config", work / "conf", "--port=873", port=873
    ):
        yield


def plays_rsync(port: int, nth: int) -> None:
    """Fetches all, and once more with nothing new."""
    for _ in range(2):
        client("rsync", "-rt", f"rsync://{LOOPBACK}:{port}/files/", f"copy{nth}")


@contextmanager
def git(work: Path) -> Iterator[None]:
    """Runs git's daemon with one repository."""
    lab.run(
        "git init -q repo && cd repo && git config user.name app"
        " && git config user.email app@example.org"
        " && for n in 1 2; do seq $((n * 60)) > f$n; git add . ; git commit -q -m n$n; done",
        cwd=work,
    )
    options = ("--export-all", f"--base-path={work}", f"--listen={LOOPBACK}", "--reuseaddr")
    with program("git", "daemon", *options, port=9418):
        yield


def plays_git(port: int, nth: int) -> None:
    """Clones."""
    client("git", "clone", "-q", f"git://{LOOPBACK}:{port}/repo", f"copy{port}-{nth}")


@contextmanager
def names(work: Path) -> Iterator[None]:
    """Runs omniORB's naming service."""
    options = ("-start", 2809, "-logdir", work, "-ORBendPoint", f"giop:tcp:{LOOPBACK}:2809")
    with program("omniNames", *options, port=2809):
        yield


def plays_names(port: int, nth: int) -> None:
    """Binds contexts and lists them, over GIOP."""
    service = ("nameclt", "-ORBInitRef", f"NameService=corbaloc::{LOOPBACK}:{port}/NameService")
    for at in range(3):
        client(*service, "bind_new_context", f"n{nth}{'x' * at * 20}{at}")
    client(*service, "list")


@contextmanager
def erlang(work: Path) -> Iterator[None]:
    """Nodes of Erlang that listen on one port each, and tick every second."""
    os.environ |= {"HOME": str(work), "ERL_EPMD_ADDRESS": LOOPBACK}
    with contextlib.ExitStack() as stack:
        for port in (25672, *OURS):
            limits = (
                "-kernel",
                "inet_dist_listen_min",
                port,
                "-kernel",
                "inet_dist_listen_max",
                port,
            )
            options = ("-sname", f"n{port}@{lab.HOST}", "-setcookie", "throwaway")
            command = ("erl", "-noinput", *options, *limits, "-kernel", "net_ticktime", 4)
            stack.enter_context(program(*command, port=port))
        yield


def plays_erlang(_port: int, nth: int) -> None:
    """Joins each node, calls it, and ticks for some seconds."""
    calls = "net_kernel:hidden_connect_node(N), [rpc:call(N, lists, seq, [1, L]) || L <- [2, 99]]"
    nodes = ",".join(f"'n{port}@{lab.HOST}'" for port in (25672, *OURS))
    waits = f"timer:sleep({4000 if nth == 0 else 10})"
    told = f"[begin {calls} end || N <- [{nodes}]], {waits}, halt()."
    options = ("-sname", f"c{nth}@{lab.HOST}", "-setcookie", "throwaway", "-hidden")
    client("erl", "-noinput", *options, "-kernel", "net_ticktime", 4, "-eval", told)


PYTHON = "Python 3.11"
PLAYS = {
    "tls": ("Certificates of many sizes, in TLS 1.2 and 1.3", PYTHON, PYTHON, 8443, tls, plays_tls),
    "ssh": (
        "Commands over SSH",
        "asyncssh 2.24.1 (PyPI)",
        "OpenSSH 9.2 (Debian) and asyncssh",
        22,
        ssh,
        plays_ssh,
    ),
    "ssh_in_websocket": (
        "SSH in WebSocket",
        "websockets 15.0.1 and asyncssh 2.24.1 (PyPI)",
        "the same",
        8080,
        tunnel,
        plays_tunnel,
    ),
    "chat_in_websocket": (
        "JSON and bytes in WebSocket",
        "websockets 15.0.1 (PyPI)",
        "the same",
        8081,
        chat,
        plays_chat,
    ),
    "http": (
        "Gets and posts of HTTP/1.1",
        PYTHON,
        f"httpx 0.28.1 (PyPI), {PYTHON}",
        8000,
        pages,
        plays_pages,
    ),
    "http2": (
        "Files over HTTP/2 without TLS",
        "nghttpd 1.52 (Debian)",
        "nghttp 1.52 (Debian), httpx 0.28.1 (PyPI)",
        8082,
        http2,
        plays_http2,
    ),
    "smb": (
        "Files and DCE-RPC over SMB 1, 2 and 3",
        "Samba 4.17.12 (Debian)",
        "smbclient and rpcclient 4.17.12 (Debian)",
        445,
        smb,
        plays_smb,
    ),
    "multiprocessing": (
        "Pickled objects, each after its length",
        PYTHON,
        PYTHON,
        6000,
        pickles,
        plays_pickles,
    ),
    "zeromq": ("Requests over ZMTP", "pyzmq 27.3.0 (PyPI)", "the same", 5555, zeromq, plays_zeromq),
    "rsync": (
        "Files by rsync's daemon",
        "rsync 3.2.7 (Debian)",
        "the same",
        873,
        rsync,
        plays_rsync,
    ),
    "git": ("Clones by git's daemon", "git 2.39 (Debian)", "the same", 9418, git, plays_git),
    "giop": (
        "Names of CORBA over GIOP",
        "omniORB 4.2 (Debian)",
        "the same",
        2809,
        names,
        plays_names,
    ),
    "erlang": (
        "Erlang's distribution, with ticks",
        "Erlang 25 (Debian)",
        "the same",
        25672,
        erlang,
        plays_erlang,
    ),
}
ROUNDS = {"tls": CERTIFICATES, "ssh": 6, "ssh_in_websocket": 6, "http2": 6, "smb": 5, "erlang": 2}
for name, (title, server, peer, port, serve, plays) in PLAYS.items():
    add(
        Scenario(
            name=name,
            title=title,
            server=server,
            client=peer,
            port=port,
            serve=serve,
            play=plays,
            rounds=ROUNDS.get(name, 3),
            relayed=() if name == "erlang" else OURS,
            others=OURS if name == "erlang" else (),
        )
    )
