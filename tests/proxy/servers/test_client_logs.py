"""What public clients log at their most detailed level: the proxy changes hosts and ports alone.

rsocket-java and the Java client of RabbitMQ are fetched by Maven once, rsocket-js by npm, and
go-liftbridge by Go. Those of NATS and Pravega are in `test_nats.py` and `test_pravega.py`.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from captures.recorders.liftbridge import clients as liftbridge
from captures.recorders.liftbridge.setup import GO
from captures.recorders.rabbitmq_stream import clients as rabbit
from captures.recorders.rsocket import clients as rsocket
from tests.failures import every
from tests.namespace import own_network
from tests.proxy.servers.running import free_ports, liftbridge_server, rabbitmq, running

from streamshark.proxy import Proxy

pytestmark = [pytest.mark.process, pytest.mark.sweep]
MASKED = {
    r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(\.\d+Z?)?|PT[\d.]+S|\b\d+ ms": "TIME",
    r"(localhost|127\.0\.0\.1)(/127\.0\.0\.1)?": "HOST",
    r"\[(main|[\w-]*[lL]oop[\w-]*)\]": "THREAD",
    r"(@|0x)[0-9a-f]{4,}": "ID",
    r"\d{4,}": "N",
}
"""What differs between two runs: hosts, ports, times, threads and numbers of processes."""
CHANCE = re.compile(r"No shutdown reason|Closing Netty channel|No Netty channel to close")
"""What the Java client of RabbitMQ says or not, depending on which of its threads comes first."""
BAD = re.compile(r"\b(WARN|WARNING|ERROR)\b")
JAVA_LOGS = (
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=debug",
    "-Dorg.slf4j.simpleLogger.log.io.netty=info",
    "-Dorg.slf4j.simpleLogger.log.reactor.netty=info",
)
SHOP = """
import com.rabbitmq.stream.*;
import java.util.concurrent.*;
public class Shop {
    public static void main(String[] a) throws Exception {
        Environment shop = Environment.builder().host(a[0]).port(Integer.parseInt(a[1])).build();
        shop.streamCreator().stream("orders").create();
        CountDownLatch confirmed = new CountDownLatch(50), read = new CountDownLatch(50);
        Consumer consumer = shop.consumerBuilder().stream("orders").name("billing")
            .offset(OffsetSpecification.first()).autoTrackingStrategy().builder()
            .messageHandler((where, message) -> read.countDown()).build();
        Producer producer = shop.producerBuilder().stream("orders").name("web").build();
        for (int i = 0; i < 50; i++) {
            producer.send(producer.messageBuilder().addData(("order " + i).getBytes()).build(),
                status -> confirmed.countDown());
        }
        System.err.println(confirmed.await(20, TimeUnit.SECONDS));
        System.err.println(read.await(20, TimeUnit.SECONDS));
        try {
            shop.producerBuilder().stream("missing").build();
        } catch (Exception error) {
            System.err.println(error);
        }
        consumer.close();
        producer.close();
        shop.deleteStream("orders");
        shop.close();
    }
}
"""
ASKS = """
import io.rsocket.*;
import io.rsocket.core.*;
import io.rsocket.transport.netty.client.*;
import io.rsocket.util.DefaultPayload;
public class Asks {
    public static void main(String[] a) throws Exception {
        RSocket asks = RSocketConnector.create()
            .connect(TcpClientTransport.create(a[0], Integer.parseInt(a[1]))).block();
        for (int i = 0; i < 5; i++) {
            asks.requestResponse(DefaultPayload.create("question " + i)).block();
        }
        asks.requestStream(DefaultPayload.create("items")).limitRate(5).blockLast();
        try {
            asks.requestResponse(DefaultPayload.create("bad")).block();
        } catch (Exception error) {
            System.err.println(error.getMessage());
        }
        asks.dispose();
        asks.onClose().block();
        Thread.sleep(300);
        System.exit(0);
    }
}
"""
SERVES_JS = """
import core from "rsocket-core";
import tcp from "rsocket-tcp-server";
const listenOptions = { host: "127.0.0.1", port: +process.argv[2] };
const empty = { cancel() {}, onExtension() {}, request() {} };
const reply = (text) => ({ data: Buffer.from(text) });
await new core.RSocketServer({
  transport: new tcp.TcpServerTransport({ listenOptions }),
  acceptor: { accept: async () => ({
    requestResponse({ data }, to) {
      setImmediate(() => String(data) === "bad"
        ? to.onError(new Error("refused")) : to.onNext(reply(`re ${data}`), true));
      return empty;
    },
    requestStream(_, count, to) {
      let sent = 0;
      const more = (n) => { while (n-- > 0 && sent < 20) to.onNext(reply("item"), ++sent === 20); };
      setImmediate(() => more(count));
      return { ...empty, request: more };
    },
  }) },
}).bind();
"""
ASKS_JS = """
import core from "rsocket-core";
import tcp from "rsocket-tcp-client";
const connectionOptions = { host: process.argv[2], port: +process.argv[3] };
const asks = await new core.RSocketConnector({
  setup: { keepAlive: 5000, lifetime: 20000 },
  transport: new tcp.TcpClientTransport({ connectionOptions }),
}).connect();
asks.onClose((error) => console.error("closed", error));
const ask = (data) => new Promise((done) => asks.requestResponse({ data: Buffer.from(data) }, {
  onNext({ data }) { console.error("next", String(data)); done(); },
  onError(error) { console.error("refused", error.message); done(); },
  onComplete: done, onExtension() {},
}));
for (let i = 0; i < 5; i++) await ask(`question ${i}`);
await ask("bad");
asks.close();
setTimeout(() => process.exit(0), 200);
"""
Logs = Callable[[str, int], str]
"""Runs a client against an address; what it logs."""


def logged(words: list[str], cwd: Path, environment: Mapping[str, str] | None = None) -> str:
    """What a client says."""
    done = subprocess.run(
        words, cwd=cwd, env={**os.environ, **(environment or {})}, capture_output=True, text=True,
        check=True, timeout=120,
    )  # fmt: skip
    return done.stdout + done.stderr


def java(folder: Path, name: str, source: str, libraries: Path) -> list[str]:
    """Compile a program that logs everything; the words that run it."""
    jars = [str(each) for each in libraries.glob("*.jar") if "slf4j-nop" not in each.name]
    (simple,) = (rsocket.CLIENTS / "rsocket_java").glob("log/slf4j-simple-*.jar")
    path = ":".join([*jars, str(simple), str(folder)])
    (folder / f"{name}.java").write_text(source)
    words = ["javac", "-nowarn", "-proc:none", "-cp", path, f"{name}.java"]
    subprocess.run(words, cwd=folder, check=True)
    return ["java", *JAVA_LOGS, "-cp", path, name]


@contextmanager
def rabbitmq_java(folder: Path) -> Iterator[tuple[str, Logs]]:
    """The Java client of RabbitMQ Streams publishes, consumes and is refused."""
    rsocket.prepare({"java"})
    rabbit.prepare({"java"})
    words = java(folder, "Shop", SHOP, rabbit.CLIENTS / "java" / "lib")
    with rabbitmq(folder, advertised="127.0.0.1") as port:
        url = f"rabbitmq-stream://127.0.0.1:{port}"
        yield url, lambda host, port: logged([*words, host, str(port)], folder)


@contextmanager
def rsocket_js(folder: Path, client: list[str] | None = None) -> Iterator[tuple[str, Logs]]:
    """rsocket-js asks a server of its own, or another client does."""
    rsocket.prepare({"js"})
    modules = rsocket.CLIENTS / "rsocket_js" / "node_modules"
    (folder / "node_modules").symlink_to(modules)
    for name, text in (("serves.mjs", SERVES_JS), ("asks.mjs", ASKS_JS)):
        (folder / name).write_text(text)
    (port,) = free_ports(1)
    words = client or ["node", "asks.mjs"]
    debug = {"NODE_DEBUG": "net"}
    with running(["node", "serves.mjs", str(port)], port, folder / "log", cwd=folder):
        url = f"tcp://127.0.0.1:{port}"
        yield url, lambda host, port: logged([*words, host, str(port)], folder, debug)


@contextmanager
def rsocket_java(folder: Path) -> Iterator[tuple[str, Logs]]:
    """rsocket-java asks a server of rsocket-js."""
    rsocket.prepare({"java"})
    words = java(folder, "Asks", ASKS, rsocket.CLIENTS / "rsocket_java" / "lib")
    with rsocket_js(folder, words) as (url, logs):
        yield url, logs


@every("client", [rabbitmq_java, rsocket_java, rsocket_js], ids=lambda each: each.__name__)
def test_a_client_notices_the_host_alone(
    client: Callable[[Path], AbstractContextManager[tuple[str, Logs]]], tmp_path: Path
) -> None:
    """What it logs in two direct runs it logs through the proxy, and no warning or error more."""
    folder = tmp_path / client.__name__
    folder.mkdir()
    with client(folder) as (url, logs):
        host, port = url.rpartition("/")[2].split(":")
        direct = [logs(host, int(port)) for _ in range(2)]
        with Proxy(url, ports=None, notice=lambda _: None) as proxy:
            proxied = logs(proxy.host, proxy.port)
    assert_alike(direct, proxied)


def test_go_liftbridge_notices_nothing(tmp_path: Path) -> None:
    """It always asks the same port, which is the server's and then the proxy's."""
    liftbridge.prepare({GO})
    words = [str(liftbridge.folder_of(GO) / "program"), "publishes"]
    talks = {"GRPC_GO_LOG_SEVERITY_LEVEL": "info", "GRPC_GO_LOG_VERBOSITY_LEVEL": "99"}
    direct = []
    with own_network():
        for run in range(2):
            with liftbridge_server(tmp_path / str(run), 9292):
                direct.append(logged(words, tmp_path, talks))
        with (
            liftbridge_server(tmp_path / "proxied", 19_292),
            Proxy("liftbridge://127.0.0.1:19292", listen=["127.0.0.1:9292"],
                  ports=range(26_700, 26_800), notice=lambda _: None),
        ):  # fmt: skip
            proxied = logged(words, tmp_path, talks)
    assert_alike(direct, proxied)


def assert_alike(direct: list[str], proxied: str) -> None:
    """Fail if the proxy takes or adds something."""
    first, second, through = (
        {masked(line) for line in log.splitlines() if not CHANCE.search(line)}
        for log in (*direct, proxied)
    )
    assert len(first & second) > 10
    assert first & second - through == set()
    assert {each for each in through - first - second if BAD.search(each)} == set()


def masked(line: str) -> str:
    """A line without what differs between two runs."""
    for pattern, name in MASKED.items():
        line = re.sub(pattern, name, line)
    return line
