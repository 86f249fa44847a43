"""Captures are facts: where each came from is known, none names a machine, none changes."""

import gzip
import hashlib
import ipaddress
import platform
import re
import tomllib
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from captures.recorders.provenance import add
from tests.builders import Conversation, pcap
from tests.contracts.repository import ROOT, files
from tests.failures import Failures, every

from streamshark.capture import open_capture
from streamshark.flows.link_layer import IPV4, IPV6, LINKS

pytestmark = pytest.mark.xdist_group("provenance")  # one worker reads it

HOST = "broker"
"""Host name that every recorder uses."""

LARGEST = 256 * 1024

KEYS = {
    "title": str,
    "protocol": str,
    "date": str,
    "server": str,
    "client": str,
    "healthy": bool,
    "shows": str,
    "how": str,
    "script": str,
    "capture": str,
    "edits": str,
    "secrets": str,
    "licence": str,
    "file": str,
    "sha256": str,
    "expected": dict,
}
"""Keys that every provenance has, with their types in TOML."""

FOREIGN = Path("tests/foreign/traffic")
"""Where the captures of other protocols are: each folder has the name of one."""
FOLDERS = sorted(
    path.parent
    for path in files()
    if path.match("captures/*/*/provenance.toml") or path.match(f"{FOREIGN}/*/provenance.toml")
)

SECTION, INTERFACE, NAMES, SECRETS = 0x0A0D0D0A, 1, 4, 0xA
TELLING = {SECTION: {2: "hardware", 3: "system"}, INTERFACE: {3: "description", 12: "system"}}
"""Options of pcapng blocks that describe the recording machine, by block type."""


@cache
def provenance(folder: Path) -> dict[str, Any]:
    """What is written about a capture."""
    return tomllib.loads((ROOT / folder / "provenance.toml").read_text())


def lacking(told: dict[str, Any]) -> list[str]:
    """Return the keys that provenance lacks, each with its type."""
    wanted = {bool: "true or false", dict: "a table with values"}
    return [
        f"{key}: {wanted.get(kind, 'text')}"
        for key, kind in KEYS.items()
        if type(told.get(key)) is not kind or told[key] in ("", {})
    ]


def file_of(folder: Path) -> Path:
    """Return the capture file of a folder."""
    [found] = (ROOT / folder).glob("traffic.*")
    return found


def traffic(folder: Path) -> bytes:
    """The capture file's bytes, unpacked."""
    data = file_of(folder).read_bytes()
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


def blocks(data: bytes) -> list[tuple[int, bytes]]:
    """Type and body of every block of a pcapng file; nothing for another format."""
    found: list[tuple[int, bytes]] = []
    if not data.startswith(b"\x0a\x0d\x0d\x0a"):
        return found
    order, at = "little", 0
    while at + 12 <= len(data):
        if data[at : at + 4] == b"\x0a\x0d\x0d\x0a":
            order = "little" if data[at + 8] == 0x4D else "big"
        kind, length = (int.from_bytes(data[at + n : at + n + 4], order) for n in (0, 4))  # type: ignore[arg-type]
        assert length >= 12
        found.append((kind, data[at + 8 : at + length - 4]))
        at += length
    return found


def options(kind: int, body: bytes) -> set[int]:
    """Codes of the options of a section or interface block."""
    at, found = {SECTION: 16, INTERFACE: 8}[kind], set()
    order: Any = "big" if kind == SECTION and body[0] == 0x1A else "little"
    while at + 4 <= len(body) and (code := int.from_bytes(body[at : at + 2], order)):
        found.add(code)
        at += 4 + (int.from_bytes(body[at + 2 : at + 4], order) + 3) // 4 * 4
    return found


def is_a_word(name: str) -> bool:
    """Whether a host's name is one that anything else may have, like `localhost`."""
    return re.fullmatch("[a-z]*", name) is not None


def test_every_folder_says_where_it_came_from() -> None:
    """Traffic lies beside its provenance, nowhere else, and with nothing else."""
    holding = {
        path.parent
        for path in files()
        if path.is_relative_to("captures") or path.is_relative_to(FOREIGN)
        if path.name.startswith("traffic.")
    }

    assert holding == set(FOLDERS)


@every("folder", FOLDERS, ids=str)
def test_provenance_is_complete(folder: Path) -> None:
    """Every key is there and says something; the file named is the file described."""
    told = provenance(folder)

    assert lacking(told) == []
    assert told["file"] == file_of(folder).name
    assert told["protocol"] == (folder.name if folder.is_relative_to(FOREIGN) else folder.parts[1])
    assert date.fromisoformat(told["date"])
    assert told["secrets"].startswith(("throwaway", "none"))
    assert hashlib.sha256(file_of(folder).read_bytes()).hexdigest() == told["sha256"]
    assert {str(fault) for fault in told.get("faults", {})} == {
        fault for fault in told.get("faults", {}) if re.fullmatch(r"[A-Z]+-[A-Z]*\d+", fault)
    }


def test_all_that_provenance_lacks_is_named() -> None:
    """Keys that are missing, empty or of another type, in one list."""
    full: dict[str, Any] = {key: kind() for key, kind in KEYS.items()}
    full |= {key: "x" for key, kind in KEYS.items() if kind is str} | {"expected": {"packets": 1}}

    assert lacking(full) == []
    assert lacking(full | {"healthy": "", "title": ""}) == [
        "title: text",
        "healthy: true or false",
    ]
    assert len(lacking({})) == len(KEYS)


@pytest.mark.process
def test_a_new_capture_lacks_what_only_people_know(tmp_path: Path) -> None:
    """Its file, digest, date and counts are written; a capture that is there stays as it is."""
    recording = tmp_path / "recording.pcap"
    recording.write_bytes(pcap(Conversation().handshake().send(0, b"hello").packets))
    told = tomllib.loads(add(recording, tmp_path / "chess" / "first", [5552]).read_text())

    assert [each.partition(":")[0] for each in lacking(told)] == [
        *("title", "server", "client", "healthy", "shows", "how", "script", "capture", "edits"),
        *("secrets", "licence"),
    ]
    assert list(told["expected"].values()) == [4, 1, 5, 0]
    with pytest.raises(SystemExit, match="exists already"):
        add(recording, tmp_path / "chess" / "first", [5552])


@every("folder", FOLDERS, ids=str)
def test_captures_are_small(folder: Path) -> None:
    """A capture is 256 KiB at most, or its provenance says why it has to be larger."""
    told = provenance(folder)
    large = file_of(folder).stat().st_size > LARGEST

    assert large is bool(told.get("larger_because"))


@every("folder", FOLDERS, ids=str)
def test_no_capture_names_a_machine(folder: Path) -> None:
    """Neither this machine nor the one it was recorded on: only the host that recorders make up."""
    data = traffic(folder)
    written = (ROOT / folder / "provenance.toml").read_bytes()

    for kind, body in blocks(data):
        assert kind != NAMES, "a block of names"
        assert kind != SECRETS or b"--inject-secrets" in written, "keys that nobody told of"
        if kind in TELLING:
            assert not options(kind, body) & set(TELLING[kind]), "an option describes the machine"
    for text in (data, written):
        for program in (b"rabbit@", b"nats@", b"bookie@"):
            for node in (
                re.findall(rb"\b%s([A-Za-z][\w.-]*)" % program, text) if program in text else ()
            ):
                assert node.decode() in {HOST, "localhost"}
        assert not re.findall(rb"/(?:home|Users|root)/\w+", text)
        assert b"ip-" not in text or not re.findall(rb"\bip-\d+-\d+-\d+-\d+\b", text)
        assert not re.findall(rb"\.(?:internal|localdomain|lan)\b(?!\.[A-Z])", text), (
            "the name of a class of Java has a capital after its package"
        )
        for name in (platform.node().encode(), f"{ROOT}/".encode()):
            assert (
                name not in text
                or not re.search(rb"(?<!\w)" + re.escape(name), text)
                or (is_a_word(name.decode()))
            )


ARP = 0x0806


def addresses(path: Path) -> Iterator[bytes]:
    """Yield the addresses of the packets of a capture, each as its bytes: 4, 6 or 16."""
    with open_capture(path) as capture:
        for batch in capture.batches():
            for link, start, size in zip(batch.links, batch.starts, batch.captured, strict=True):
                data = batch.data[start : start + size]
                if link < 0:
                    continue
                kind, at = LINKS[link](data, 0, size)
                if link == 1:
                    yield data[:6]
                    yield data[6:12]
                if kind == ARP:
                    yield from (data[at + 8 : at + 14], data[at + 14 : at + 18])
                    yield from (data[at + 18 : at + 24], data[at + 24 : at + 28])
                elif kind == IPV4:
                    yield from (data[at + 12 : at + 16], data[at + 16 : at + 20])
                else:
                    assert kind == IPV6, (path, link, kind)
                    yield from (data[at + 8 : at + 24], data[at + 24 : at + 40])


def test_addresses_are_made_up() -> None:
    """Addresses are loopback or documentation addresses, and no hardware address has a vendor."""
    with Failures() as failures:
        for folder in FOLDERS:
            with failures.of(str(folder)):
                found = set(addresses(file_of(folder)))
                hardware = {each for each in found if len(each) == 6}
                internet = set(map(ipaddress.ip_address, found - hardware))

                assert internet
                assert [str(address) for address in internet if address.is_global] == []
                assert [each for each in hardware if each[0] & 3 == 0 and any(each)] == []
