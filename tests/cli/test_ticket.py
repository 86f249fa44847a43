"""`ticket`: a folder for someone else, with nothing that it should not have."""

from pathlib import Path

import pytest
from tests import marker
from tests.builders import pcap
from tests.cli.console import call
from tests.failures import every
from tests.recorded.index import lines
from tests.sharing import marked_traffic
from tests.sharing.leaks import contents

LOGIN = str(lines()["rabbitmq_stream/bug_wrong_password"].path)
GAP = str(lines()["rabbitmq_stream/lost_segment"].path)
PRIVATE = {
    "rabbitmq_stream/bug_wrong_password": ("correct-hose", "invoices", "rabbit@broker"),
    "nats/bug_sid_twice": (),
}
"""Names and passwords in captures, which tickets do not have."""
FILES = {"capture.pcapng", "report.html", "ticket.md"}


@every("capture", PRIVATE)
def test_folder(capture: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its capture shows the finding of `check --top`, and no file has a name of the original."""
    path, out = lines()[capture].path, tmp_path / capture.replace("/", "-")
    sentence, command, _ = call(monkeypatch, "check", "--top", str(path)).out.split("\n")
    *_, finding, _, _ = command.split()
    assert command == f"streamshark ticket {path} --finding {finding} -o ticket"
    done = call(monkeypatch, *command.split()[1:-1], str(out))
    assert done.code == 0, done.err
    assert {each.name for each in out.iterdir()} == FILES
    found = call(monkeypatch, "check", "-T", "ndjson", str(out / "capture.pcapng")).out
    rule = finding.partition("@")[0]
    assert f'"rule":"{rule}"' in found
    text = (out / "ticket.md").read_text("utf-8")
    assert rule in text.partition("\n")[0]
    assert sentence.partition(":")[0] in text
    original = path.read_bytes()
    for word in map(str.encode, (*PRIVATE[capture], str(tmp_path))):
        assert word in original or word == str(tmp_path).encode()
        for each in out.iterdir():
            content = each.read_bytes()
            assert word not in content, each.name
            assert word.hex(" ").encode() not in content, each.name
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")]


def no_marker_is_left(data: bytes, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Search a redacted capture, a report of it, and a ticket for markers in the original."""
    source, out = str(folder / "in.pcap"), str(folder / "out.pcapng")
    Path(source).write_bytes(data)
    known = [
        each for port, name in marked_traffic.DECODE_AS.items()
        for each in ("-d", f"tcp.port=={port},{name}")
    ]  # fmt: skip
    for name, arguments in (
        ("redact", (source, "-w", out)),
        ("report", (out, "-o", str(folder / "report.html"))),
        ("ticket", (source, "-o", str(folder / "ticket"))),
    ):
        done = call(monkeypatch, name, *known, *arguments)
        assert done.code == 0, done.err
    texts = [folder / "report.html", *(folder / "ticket").glob("*.[hm]*")]
    assert len(texts) == 3
    found = [each.read_bytes() for each in texts]
    found += [contents(out), contents(folder / "ticket" / "capture.pcapng")]
    assert [marker.found(each.decode("latin-1")) for each in found] == [None] * 5


def test_no_marker_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of a connection of WebSocket."""
    talk = marked_traffic.over_websocket("rsocket")
    no_marker_is_left(pcap(talk.packets), monkeypatch, tmp_path)


@pytest.mark.sweep
def test_no_marker_is_left_of_all_protocols(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And carriers."""
    no_marker_is_left(marked_traffic.capture(), monkeypatch, tmp_path)


def test_damage_needs_force(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A capture of which bytes are missing is refused, and nothing is left."""
    done = call(monkeypatch, "ticket", GAP, "-o", str(tmp_path / "t"))
    assert done.code == 2
    assert "--force" in done.err
    assert not list(tmp_path.iterdir())


REFUSED = {
    ("--finding", "RMQ-Z1", "-o", "OUT/t"): "no finding of RMQ-Z1",
    ("-o", "OUT"): "exists, and is no empty folder",
    ("-o", "OUT/file"): "exists, and is no empty folder",
    ("-o", "OUT/no/t"): "No such file",
    ("--keep", "wings", "-o", "OUT/t"): "cannot keep 'wings'",
    ("--key", "OUT/none", "-o", "OUT/t"): "the key cannot be read",
    (): "Missing option '-o'",
}


@every("given", REFUSED)
def test_refusals(given: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One line says why, and nothing is written."""
    (tmp_path / "file").write_text("x")
    done = call(
        monkeypatch, "ticket", LOGIN, *(each.replace("OUT", str(tmp_path)) for each in given)
    )
    assert done.code == 2
    assert REFUSED[given] in done.err
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_nothing_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A healthy capture gives no ticket."""
    path = str(lines()["rsocket/keepalive_websocket_go"].path)
    done = call(monkeypatch, "ticket", path, "-o", str(tmp_path / "t"))
    assert (done.code, done.err) == (
        2,
        "streamshark: no finding: there is nothing to make a ticket of\n",
    )
