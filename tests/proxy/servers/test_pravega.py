"""A standalone Pravega, and its Java client, which learns of the segment store by the controller.

The recorders' releases are fetched by Maven once.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW
from tests.failures import Failures
from tests.proxy.servers.running import free_ports, running

import streamshark
from streamshark.proxy import Proxy
from streamshark.proxy.recipes import RECIPES

pytestmark = [pytest.mark.process, pytest.mark.sweep]
CLIENT = """
import io.pravega.client.*;
import io.pravega.client.admin.*;
import io.pravega.client.stream.*;
import io.pravega.client.stream.impl.UTF8StringSerializer;
import java.net.URI;
public class Client {
    public static void main(String[] a) throws Exception {
        int many = Integer.parseInt(a[1]), wrote = 0, read = 0;
        String scope = a[2];
        UTF8StringSerializer text = new UTF8StringSerializer();
        ClientConfig config = ClientConfig.builder().controllerURI(URI.create(a[0])).build();
        StreamConfiguration one =
                StreamConfiguration.builder().scalingPolicy(ScalingPolicy.fixed(1)).build();
        try (StreamManager manager = StreamManager.create(config)) {
            manager.createScope(scope);
            manager.createStream(scope, "s", one);
        }
        EventWriterConfig writes = EventWriterConfig.builder().build();
        ReaderConfig reads = ReaderConfig.builder().build();
        ReaderGroupConfig all = ReaderGroupConfig.builder().stream(Stream.of(scope, "s")).build();
        try (EventStreamClientFactory made = EventStreamClientFactory.withScope(scope, config);
             EventStreamWriter<String> writer = made.createEventWriter("s", text, writes)) {
            while (wrote < many) {
                writer.writeEvent("k", "event " + wrote++);
                if (wrote % 100 == 0) {
                    Thread.sleep(20);
                }
            }
            writer.flush();
            try (ReaderGroupManager groups = ReaderGroupManager.withScope(scope, config)) {
                groups.createReaderGroup("g", all);
            }
            try (EventStreamReader<String> reader = made.createReader("r", "g", text, reads)) {
                EventRead<String> event = reader.readNextEvent(2000);
                while (event.getEvent() != null || event.isCheckpoint()) {
                    read += event.getEvent() == null ? 0 : 1;
                    if (read == many) {
                        break;
                    }
                    event = reader.readNextEvent(2000);
                }
            }
        } finally {
            System.out.println("wrote " + wrote + " read " + read);
        }
        Runtime.getRuntime().halt(0);
    }
}
"""
SERVER = "io.pravega.local.LocalPravegaEmulator"
SETTINGS = """
singlenode.zk.port={}
singlenode.segmentStore.port={}
singlenode.controller.rpc.port={}
singlenode.controller.rest.enable=false
singlenode.security.auth.enable=false
singlenode.security.tls.enable=false
singlenode.metrics.enable=false
"""
HOST = re.compile(r"(?:127\.0\.0\.1|0\.0\.0\.0):\d+")
EVENTS = "300"


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The words that run a class with the client, or the server, on its path."""
    clients.java(NEW)
    folder = tmp_path_factory.mktemp("client")
    (folder / "Client.java").write_text(CLIENT)
    path = f"{folder}:{clients.folder(NEW)}/lib/*"
    words = ["javac", "-proc:none", "-cp", path, str(folder / "Client.java")]
    subprocess.run(words, check=True)
    return ["java", "-Xmx900m", "-XX:TieredStopAtLevel=1", "-cp", path]


@pytest.fixture(scope="module")
def controller(java: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a controller."""
    folder = tmp_path_factory.mktemp("server")
    ports = free_ports(3)
    (folder / "settings").write_text(SETTINGS.format(*ports))
    settings = f"-Dsinglenode.configurationFile={folder / 'settings'}"
    words = [*java[:1], settings, *java[1:], SERVER]
    with running(words, ports[2], folder / "log", cwd=folder):
        yield ports[2]


def ran(java: list[str], host: str, port: int, scope: str) -> tuple[str, set[str]]:
    """The last line of a client, and what it has logged without times, hosts and ids."""
    words = [*java, "Client", f"tcp://{host}:{port}", EVENTS, scope]
    folder = Path(java[-1].partition(":")[0])  # it leaves logs where it runs
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=120, cwd=folder
    )
    lines = done.stdout.replace(scope, "SCOPE").splitlines()
    logged = [re.sub(r"^.*?\] ", "", HOST.sub("HOST", line)) for line in lines]
    plain = [re.sub(r"-?\d{4,}|[0-9a-f]{8}-[0-9a-f-]{27}", "N", line) for line in logged]
    by_time = "_MARK"  # a stream of watermarks, which a timer writes
    return lines[-1], {each for each in plain if "HOST" in each and by_time not in each}


def test_a_client_notices_the_host_alone(java: list[str], controller: int, tmp_path: Path) -> None:
    """It writes and reads all events, and logs what it logs without the proxy."""
    out = tmp_path / "out.pcapng"
    direct, again = (ran(java, "127.0.0.1", controller, each) for each in ("first", "second"))
    always = direct[1] & again[1]  # some lines depend on time
    ports = range(26_500, 26_600)
    url = f"pravega://127.0.0.1:{controller}"
    with Proxy(url, write=out, ports=ports, notice=lambda _: None) as proxy:
        last, logged = ran(java, proxy.host, proxy.port, "proxied")
    assert last == direct[0] == f"wrote {EVENTS} read {EVENTS}"
    assert len(always) > 2
    assert always - logged == set()
    found = streamshark.check(str(out))
    assert [each.rule for each in found if each.severity != "note"] == []


def test_faults_on_calls_and_segments(java: list[str], controller: int, tmp_path: Path) -> None:
    """The client tries again, and all events arrive."""
    call = 'grpc.method == "createStream" && grpc.command == "message" -> error unavailable once'
    with Failures() as failures:
        faults = {call: "GRPC-G1", "pravega-wrong-host": "PRV-P68"}
        for number, (text, rule) in enumerate(faults.items()):
            out = tmp_path / f"{number}.pcapng"
            with (
                failures.of(text),
                Proxy(
                    f"pravega://127.0.0.1:{controller}",
                    faults=[text],
                    write=out,
                    ports=range(26_600, 26_700),
                    notice=lambda _: None,
                ) as proxy,
            ):
                last, _ = ran(java, proxy.host, proxy.port, f"faulty{number}")
                assert last == f"wrote {EVENTS} read {EVENTS}"
                assert proxy.faults[1].used > 0
            with failures.of(text):
                found = list(streamshark.check(str(out)))
                rules = {each.rule for each in found if each.severity != "note"}
                assert rules <= {rule}
                assert rule in {each.rule for each in found}


def test_a_sealed_segment(java: list[str], controller: int, tmp_path: Path) -> None:
    """The client waits for the segments after it, of which the controller knows none."""
    (recipe,) = (each for each in RECIPES if each.name == "pravega-segment-sealed")
    out, url = tmp_path / "out.pcapng", f"pravega://127.0.0.1:{controller}"
    ports = range(26_600, 26_700)
    with Proxy(url, faults=[recipe.name], write=out, ports=ports, notice=lambda _: None) as proxy:
        words = [*java, "Client", f"tcp://{proxy.host}:{proxy.port}", EVENTS, "sealed"]
        with pytest.raises(subprocess.TimeoutExpired) as waits:
            subprocess.run(words, capture_output=True, check=False, timeout=20, cwd=tmp_path)
    assert b"Received SegmentSealed" in (waits.value.stdout or b"")
    assert recipe.finding in {each.rule for each in streamshark.check(str(out))}
