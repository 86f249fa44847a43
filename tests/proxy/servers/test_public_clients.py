"""Public clients of the recorders through the proxy, with real servers; fetched and built once."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from captures.recorders.liftbridge import clients as liftbridge
from captures.recorders.liftbridge.setup import GO, PYTHON
from captures.recorders.nats import peers as nats
from captures.recorders.rabbitmq_stream import clients as rabbit
from tests.cli.console import command, process
from tests.failures import Failures
from tests.namespace import own_network
from tests.proxy.servers.running import (
    ADVERTISED,
    free_ports,
    liftbridge_server,
    rabbitmq,
    running,
)

import streamshark
from streamshark.proxy import Proxy

pytestmark = [pytest.mark.process, pytest.mark.sweep]
JAVA = """
import com.rabbitmq.stream.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
public class Reconnects {
    public static void main(String[] a) throws Exception {
        BackOffDelayPolicy often = BackOffDelayPolicy.fixed(Duration.ofMillis(300));
        Environment environment = Environment.builder().host(a[0]).port(Integer.parseInt(a[1]))
            .recoveryBackOffDelayPolicy(often).topologyUpdateBackOffDelayPolicy(often).build();
        environment.streamCreator().stream("orders").create();
        Set<String> confirmed = ConcurrentHashMap.newKeySet(), read = ConcurrentHashMap.newKeySet();
        environment.consumerBuilder().stream("orders").offset(OffsetSpecification.first())
            .messageHandler((where, each) -> read.add(new String(each.getBodyAsBinary()))).build();
        Producer producer = environment.producerBuilder().stream("orders")
            .confirmTimeout(Duration.ofSeconds(5)).build();
        AtomicBoolean goesOn = new AtomicBoolean(true);
        Thread asks = new Thread(() -> {
            for (int number = 0; goesOn.get(); number++) {
                String body = "message " + number;
                try {
                    producer.send(producer.messageBuilder().addData(body.getBytes()).build(),
                        status -> { if (status.isConfirmed()) { confirmed.add(body); } });
                    Thread.sleep(20);
                } catch (Exception error) {
                    try { Thread.sleep(100); } catch (InterruptedException end) { return; }
                }
            }
        });
        asks.start();
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine() && !input.nextLine().equals("end")) {
            System.out.println(confirmed.size());
        }
        goesOn.set(false);
        asks.join();
        for (int waits = 0; waits < 300 && !read.containsAll(confirmed); waits++) {
            Thread.sleep(100);
        }
        System.out.println(confirmed.size() + " " + read.containsAll(confirmed));
        Runtime.getRuntime().halt(0);
    }
}
"""
GOES = """
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/logs"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	stream.SetLevelInfo(logs.DEBUG)
	port, _ := strconv.Atoi(os.Args[2])
	name := os.Args[3]
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().
		SetHost(os.Args[1]).SetPort(port).SetUser("guest").SetPassword("guest"))
	check(err)
	check(env.DeclareStream(name, stream.NewStreamOptions()))
	producer, err := env.NewProducer(name, stream.NewProducerOptions())
	check(err)
	confirms := producer.NotifyPublishConfirmation()
	for i := 0; i < 200; i++ {
		check(producer.Send(amqp.NewMessage([]byte(fmt.Sprintf("message %d", i)))))
	}
	confirmed := 0
	for confirmed < 200 {
		confirmed += len(<-confirms)
	}
	got := make(chan string, 200)
	consumer, err := env.NewConsumer(name, func(_ stream.ConsumerContext, each *amqp.Message) {
		got <- string(each.GetData())
	}, stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()))
	check(err)
	for i := 0; i < 200; i++ {
		select {
		case each := <-got:
			if each != fmt.Sprintf("message %d", i) {
				panic(each)
			}
		case <-time.After(20 * time.Second):
			panic("no message")
		}
	}
	check(consumer.Close())
	check(producer.Close())
	check(env.Close())
	fmt.Println("confirmed", confirmed, "read", 200)
}
"""

ENDS = re.compile(r"\bclosed?\b|connection failed")
"""Lines of the Go client that depend on time: it does not wait for the answer to Close."""


def accused(out: Path) -> set[str]:
    """The rules with findings at warning or above."""
    found = streamshark.check(str(out))
    return {each.rule for each in found if each.severity in ("warning", "error")}


@contextmanager
def recorded(url: str, out: Path, **options: object) -> Iterator[Proxy]:
    """A proxy that records."""
    given = {"ports": range(26_700, 26_800), "notice": lambda _: None, **options}
    with Proxy(url, write=out, **given) as proxy:  # type: ignore[arg-type]
        yield proxy


def test_nats(tmp_path: Path) -> None:
    """nats.go and nats-py count what they count without the proxy."""
    nats.prepare({"go", "py"})
    with Failures() as failures:
        for peer in ("go", "py"):
            (port,) = free_ports(1)
            out = tmp_path / f"{peer}.pcapng"
            server = ["nats-server", "-a", "127.0.0.1", "-p", str(port)]
            with (
                failures.of(peer),
                running(server, port, tmp_path / "log"),
                recorded(f"nats://127.0.0.1:{port}", out) as proxy,
            ):
                direct = nats.drive(peer, "interactions", f"nats://127.0.0.1:{port}")
                assert nats.drive(peer, "interactions", proxy.url) == direct
            with failures.of(peer):
                assert accused(out) == set()


def test_liftbridge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """go-liftbridge and python-liftbridge, whose brokers are named by the proxy."""
    liftbridge.prepare({GO, PYTHON})
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out.pcapng"
    with (
        own_network(),
        liftbridge_server(tmp_path, 19_292),
        recorded("liftbridge://127.0.0.1:19292", out, listen=["127.0.0.1:9292"]),
    ):
        for name in ("streams", "publishes", "subscribes", "cursors"):
            assert any(liftbridge.plays(GO, name).values())
        assert any(liftbridge.plays(PYTHON, "basics").values())
    wanted = 'grpc.method == "FetchMetadata" && grpc.command == "reply"'
    rows = process("read", "-T", "ndjson", "-Y", wanted, str(out)).out.splitlines()
    nodes = {json.dumps(json.loads(row)["fields"]["message"]["brokers"]) for row in rows}
    assert len(rows) > 2
    assert all('"port": 9292' in each for each in nodes)


def asked(client: subprocess.Popen[str], text: str = "") -> str:
    """What the Java client says when it is asked."""
    assert client.stdin is not None
    assert client.stdout is not None
    client.stdin.write(f"{text}\n")
    client.stdin.flush()
    return client.stdout.readline().strip()


def goes_on(client: subprocess.Popen[str]) -> None:
    """Wait until more is confirmed."""
    before = int(asked(client))
    until = time.monotonic() + 90
    while int(asked(client)) < before + 20:
        assert time.monotonic() < until
        time.sleep(0.5)


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The words that run the class with the client of RabbitMQ on its path."""
    rabbit.java()
    folder = tmp_path_factory.mktemp("client")
    (folder / "Reconnects.java").write_text(JAVA)
    path = f"{folder}:{rabbit.CLIENTS}/java/lib/*"
    words = ["javac", "-nowarn", "-proc:none", "-cp", path, str(folder / "Reconnects.java")]
    subprocess.run(words, check=True)
    return ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", path, "Reconnects"]


def test_rabbitmq_java_connects_again(java: list[str], tmp_path: Path) -> None:
    """After `kill -9` of the broker and of the proxy; whatever was confirmed is read."""
    ports, (mine, *_) = free_ports(4), free_ports(1)
    url = f"rabbitmq-stream://127.0.0.1:{ports[1]}"
    relays = ["proxy", url, "-q", "--listen", str(mine), "--resolve", f"{ADVERTISED}=127.0.0.1"]
    relays += ["--port-range", "26800-26899"]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}

    @contextmanager
    def proxied(name: str) -> Iterator[subprocess.Popen[bytes]]:
        words = command(*relays, "-w", str(tmp_path / f"{name}.pcapng"))
        with running(words, mine, tmp_path / name, environment) as proxy:
            yield proxy

    client: subprocess.Popen[str] | None = None
    try:
        with proxied("first") as proxy:
            with rabbitmq(tmp_path, ports):
                pipe = subprocess.PIPE
                words = [*java, "127.0.0.1", str(mine)]
                client = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)
                goes_on(client)
                time.sleep(4)  # until the broker has written what it knows of the stream
                os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
            with rabbitmq(tmp_path, ports):
                goes_on(client)
                proxy.kill()
                proxy.wait()
                with proxied("second"):
                    goes_on(client)
                    assert re.fullmatch(r"\d+ true", asked(client, "end"))
    finally:
        if client is not None:
            client.kill()
            client.communicate()
    names = [each.command for each in streamshark.open(str(tmp_path / "second.pcapng"))]
    assert names.count("publish_confirm") > 5


@pytest.fixture(scope="module")
def goes(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program with the Go client of RabbitMQ."""
    rabbit.go()
    folder = rabbit.CLIENTS / "go" / "proxied"
    folder.mkdir(exist_ok=True)
    (folder / "main.go").write_text(GOES)
    program = str(tmp_path_factory.mktemp("goes") / "goes")
    words = ["go", "build", "-p", "1", "-o", program, "./proxied"]
    environment = {**os.environ, "GOFLAGS": "-mod=mod"}
    subprocess.run(words, check=True, cwd=folder.parent, env=environment)
    return program


def went(program: str, host: str, port: int, stream: str) -> list[str]:
    """What the Go client logs at its lowest level; addresses are HOST, and numbers N."""
    done = subprocess.run(
        [program, host, str(port), stream],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stdout.endswith("confirmed 200 read 200\n"), done.stdout + done.stderr
    text = (done.stdout + done.stderr).replace(stream, "STREAM")
    text = re.sub(r"localhost|127\.0\.0\.1|\[?::1\]?", "HOST", text)
    lines = [re.sub(r"\d+", "N", line) for line in text.splitlines()]
    return sorted(line for line in lines if not ENDS.search(line))


def test_rabbitmq_go(goes: str, tmp_path: Path) -> None:
    """It reaches a node that nothing resolves, and reads what it has published, in order."""
    out = tmp_path / "out.pcapng"
    with rabbitmq(tmp_path) as port:
        url, resolve = f"rabbitmq-stream://127.0.0.1:{port}", {ADVERTISED: "127.0.0.1"}
        with recorded(url, out, resolve=resolve) as proxy:
            went(goes, proxy.host, proxy.port, "goes")
    assert accused(out) == set()
    assert json.dumps(ADVERTISED) not in json.dumps([
        each.fields for each in streamshark.open(str(out)) if each.command == "metadata"
    ], default=str)  # fmt: skip


def test_rabbitmq_go_notices_the_host_alone(goes: str, tmp_path: Path) -> None:
    """It logs what it logs without the proxy, but for the address."""
    with rabbitmq(tmp_path, advertised="localhost") as port:
        direct = went(goes, "localhost", port, "direct")
        with recorded(f"rabbitmq-stream://localhost:{port}", tmp_path / "out.pcapng") as proxy:
            through = went(goes, proxy.host, proxy.port, "relayed")
    assert sum("connected to: HOST:N" in line for line in direct) > 2
    assert through == direct
