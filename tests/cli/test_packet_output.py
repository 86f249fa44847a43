"""`read -w`: packets as they were, in a file that is whole or not there."""

import gzip
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from ssl import TLSVersion

import pytest
from tests.builders import (
    ACK,
    PSH,
    Conversation,
    Packet,
    block,
    enhanced,
    ethernet,
    interface,
    ipv4,
    ipv4_fragments,
    option,
    pcap,
    pcapng,
    section,
    tcp,
    udp,
)
from tests.cli.console import PARROT, call, command
from tests.madeup import parrot_traffic
from tests.reading import tshark
from tests.tls import TlsTalk

from streamshark.capture import Capture, open_capture

KEY_LOG = 0x544C534B


def talk(number: int) -> Conversation:
    """A connection that logs in and talks."""
    made = Conversation(("10.0.0.1", 1_000 + number), ("10.0.0.2", 7777)).handshake()
    made.send(0, parrot_traffic.login()).send(0, parrot_traffic.say(number=number))
    made.send(1, parrot_traffic.said(number)).acknowledge(0)
    made.packets.append(made.packets[4])  # and sends one packet again
    return made.finish(0).finish(1)


def contents(path: Path) -> list[Packet]:
    """The packets of a capture, which must be sound."""
    with open_capture(str(path)) as capture:
        found = [
            Packet(
                batch.times[at],
                batch.data[batch.starts[at] :][: batch.captured[at]],
                batch.original[at],
            )
            for batch in capture.batches()
            for at in range(len(batch))
        ]
    assert capture.damage is None
    return found


def opened(path: Path) -> Capture:
    """A capture of which all is read."""
    capture = open_capture(str(path))
    list(capture.batches())
    return capture


@pytest.fixture
def packets() -> list[Packet]:
    """Three connections and other packets, interleaved; some packets in fragments."""
    talks = [talk(number).packets for number in range(3)]
    found = [one for each in zip(*talks, strict=True) for one in each]
    ports, seq = (1_000, 7777), 1_001 + len(parrot_traffic.login() + parrot_traffic.say())
    segment = tcp(ports, seq, 9_001, data=bytes(64))
    parts = [ethernet(each) for each in ipv4_fragments(segment, 24, 48)]
    icmp = ethernet(ipv4(udp(b"x", (1, 2)), protocol=1))
    data = [each.data for each in found]
    data[15:15], data[20:20], data[25:25] = [parts[0], icmp], [parts[2]], [parts[1], parts[0]]
    start = found[0].time_ns
    return [Packet(start + at * 1_000_000, each, len(each)) for at, each in enumerate(data)]


FRAGMENTS = (15, 20, 25)
"""Places of the fragments of one datagram; another one never becomes whole."""


def of_port(packets: list[Packet], port: int) -> list[Packet]:
    """The packets of a connection, with the fragments of a datagram for the first one."""
    wanted = port.to_bytes(2, "big")
    return [
        each
        for at, each in enumerate(packets)
        if (at in FRAGMENTS and port == 1_000)
        or (each.data[23] == 6 and not each.data[21] | each.data[20] & 0x3F
            and wanted in (each.data[34:36], each.data[36:38]))
    ]  # fmt: skip


def test_all_packets_of_a_connection(
    packets: list[Packet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Handshake, ACKs, repeats and fragments, as they were; no others; of any source."""
    out = tmp_path / "out"
    path = tmp_path / "in.pcap"
    path.write_bytes(pcap(packets, magic=0xA1B23C4D))
    packed = tmp_path / "in.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for port, flow in ((1_000, 0), (1_002, 2)):
        wanted = of_port(packets, port)
        assert len(wanted) == (13 if port == 1_000 else 10)
        for source, stdin in ((path, b""), (packed, b""), ("-", path.read_bytes())):
            done = call(monkeypatch, "read", *PARROT, "--flow", str(flow), "-w", str(out),
                        str(source), stdin=stdin)  # fmt: skip
            assert (done.code, done.out) == (0, "")
            assert done.err == f"streamshark: {out} contains secrets: credentials in 1 frame\n"
            assert contents(out) == wanted
            out.unlink()


def test_packets_of_conversations(
    packets: list[Packet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connections that carry them, whole."""
    path, out = tmp_path / "in.pcap", tmp_path / "out"
    path.write_bytes(pcap(packets))
    ids = [
        line.split()[0]
        for line in call(monkeypatch, "conversations", *PARROT, str(path)).out.splitlines()
        if "say" in line
    ]
    assert [each.partition("-")[0] for each in ids] == ["0", "1", "2"]

    call(monkeypatch, "read", *PARROT, "--conversation", ids[1], "-w", str(out), str(path))
    assert contents(out) == of_port(packets, 1_001)
    call(monkeypatch, "read", *PARROT, "--conversation", f"{ids[1]},{ids[2]}", "-w", str(out),
         str(path))  # fmt: skip
    assert contents(out) == [
        each for each in packets if each in of_port(packets, 1_001) + of_port(packets, 1_002)
    ]


def test_several_files_become_one(
    packets: list[Packet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order of time, of all sources, with and without a choice; -c counts packets."""
    paths = [tmp_path / f"{at}" for at in range(3)]
    for at, path in enumerate(paths):
        path.write_bytes((pcap if at else pcapng)(packets[at::3]))
    out, sources = tmp_path / "out", [str(paths[2]), "-", str(paths[1])]
    for arguments, wanted in (
        ((), packets),
        (("-c", "9"), packets[:9]),
        (("--flow", "1"), of_port(packets, 1_001)),
        (("--flow", "1", "-c", "20"), of_port(packets[:20], 1_001)),
    ):
        done = call(monkeypatch, "read", *PARROT, "-w", str(out), *arguments, *sources,
                    stdin=paths[0].read_bytes())  # fmt: skip
        assert done.code == 0
        assert contents(out) == wanted


def test_blocks_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Comments, interfaces, names and statistics; of packets that go, their comments go."""
    one, other = talk(0).packets, talk(1).packets
    name = option(2, b"eth0") + option(9, b"\x09") + option(1, b"of an interface")
    names = block(4, b"\1\0\4\0\x0a\0\0\1" + b"\0\0\0\0")
    head = section(options=option(1, b"of a section")) + interface(101) + interface(options=name)
    own, theirs = (
        b"".join(
            enhanced(each, 1, units=each.time_ns + 7, options=option(1, f"of {at}".encode()))
            for at, each in enumerate(made)
        )
        for made in (one, other)
    )
    statistics = block(5, b"\1\0\0\0" + bytes(8))
    custom = block(0x40000BAD, b"\1\0\0\0 not to be copied")
    path, out = tmp_path / "in", tmp_path / "out"
    path.write_bytes(head + names + theirs + own + custom + statistics)

    call(monkeypatch, "read", *PARROT, "--flow", "1", "-w", str(out), str(path))
    assert out.read_bytes() == head + names + own + statistics
    call(monkeypatch, "read", *PARROT, "-w", str(out), str(path))
    assert out.read_bytes() == path.read_bytes()


@pytest.mark.process
def test_only_the_secrets_that_are_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the chosen connections; stderr says so; without one that needs them, none."""
    talks = []
    for at in range(2):
        made = Conversation(("10.0.0.1", 1_000 + at), ("10.0.0.2", 7777)).handshake()
        hidden = TlsTalk(tmp_path, TLSVersion.TLSv1_3, made, size=40).handshake()
        talks.append(hidden.send(0, parrot_traffic.say(number=at)))
    keys = talks[0].keylog.read_bytes()
    secrets = block(10, KEY_LOG.to_bytes(4, "little") + len(keys).to_bytes(4, "little") + keys)
    plain = talk(2).packets
    every = [one for each in talks for one in each.conversation.packets] + plain
    path, out = tmp_path / "in", tmp_path / "out"
    path.write_bytes(section() + interface() + secrets + b"".join(map(enhanced, every)))

    done = call(monkeypatch, "read", *PARROT, "-w", str(out), "--flow", "1", str(path))
    assert done.err == f"streamshark: {out} contains secrets: TLS keys of 1 connection\n"
    (kept,) = opened(out).secrets
    assert 0 < kept.data.count(b"\n") < keys.count(b"\n")
    assert set(kept.data.splitlines()) < set(keys.splitlines())
    rows = call(monkeypatch, "read", *PARROT, "-T", "fields", "-e", "parrot.command", str(out)).out
    assert "say" in rows
    selected = "parrot.say && tcp.stream == 1"
    for arguments in ((), ("--flows",)):
        out.unlink()
        call(monkeypatch, "read", *PARROT, "-w", str(out), "-Y", selected, *arguments, str(path))
        assert opened(out).secrets == [kept]
    done = call(monkeypatch, "read", *PARROT, "-w", str(out), "--flow", "2", str(path))
    assert done.err == f"streamshark: {out} contains secrets: credentials in 1 frame\n"
    assert opened(out).secrets == []
    done = call(monkeypatch, "read", *PARROT, "-w", str(out), str(path))
    assert "TLS keys of 2 connections, credentials in 1 frame" in done.err


def test_formats(packets: list[Packet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pcap by -F, which leaves out what it cannot hold and says so; its errors leave no file."""
    path, out = tmp_path / "in", tmp_path / "out"
    sources = [packets[:3], packets[3:]]
    path.write_bytes(
        section() + interface(options=option(9, b"\x09"))
        + b"".join(enhanced(each, units=each.time_ns + 7) for each in sources[0])
        + enhanced(sources[1][0], units=sources[1][0].time_ns, options=option(1, b"note"))
    )  # fmt: skip
    for form, rest, name in (("pcap", 0, "pcap"), ("nsecpcap", 7, "pcap (nanosecond)")):
        done = call(monkeypatch, "read", *PARROT, "-F", form, "-w", str(out), str(path))
        assert (done.code, opened(out).format) == (0, name)
        assert [each.time_ns % 1_000 for each in contents(out)] == [rest] * 3 + [0]
        assert "comments, names and keys are left out" in done.err
    out.unlink()
    path.write_bytes(section() + interface() + interface(101)
                     + enhanced(packets[0]) + enhanced(packets[1], 1))  # fmt: skip
    done = call(monkeypatch, "read", *PARROT, "-F", "pcap", "-w", str(out), str(path))
    assert done.code == 2
    assert "packets of one link type" in done.err
    assert not out.exists()


@pytest.mark.process
def test_tshark_reads_it(
    packets: list[Packet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it reads the source with a display filter."""
    path, out = tmp_path / "in", tmp_path / "out"
    path.write_bytes(pcap(packets, magic=0xA1B23C4D))
    call(monkeypatch, "read", *PARROT, "--flow", "1", "-w", str(out), str(path))

    fields = ("frame.time_epoch", "tcp.srcport", "tcp.seq_raw", "tcp.payload")
    every = tshark(path.read_bytes(), tmp_path, "tcp.stream", *fields)
    assert tshark(out.read_bytes(), tmp_path, *fields) == [
        each[1:] for each in every if each[0] == "1"
    ]
    selected = "tcp.srcport == 1001 && tcp.len > 0"
    call(monkeypatch, "read", *PARROT, "--packets", "-Y", selected, "-w", str(out), str(path))
    assert tshark(out.read_bytes(), tmp_path, *fields) == [
        each[1:] for each in every if each[2] == "1001" and each[4]
    ]


def test_rows_only_where_they_are_asked_for(
    packets: list[Packet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in tshark: -P, -V, -x and -T show them."""
    path, out = tmp_path / "in", tmp_path / "out"
    path.write_bytes(pcap(packets))
    for arguments in (("-P",), ("-V",), ("-x",), ("-T", "text"), ("-T", "ndjson")):
        rows = [each for each in arguments if each != "-P"]
        for chosen in ((), ("--flow", "1")):
            wanted = call(monkeypatch, "read", *PARROT, *rows, *chosen, str(path)).out
            done = call(monkeypatch, "read", *PARROT, *arguments, *chosen, "-w", str(out),
                        str(path))  # fmt: skip
            assert (done.code, done.out) == (0, wanted)
            assert wanted
            assert len(contents(out)) == (len(packets) if not chosen else 10)


def test_what_is_refused(
    packets: list[Packet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, exit 2, no file, and the sources as they were."""
    path, link, keys = (tmp_path / each for each in ("in", "link", "keys"))
    path.write_bytes(pcap(packets))
    keys.write_bytes(b"")
    link.symlink_to(path)
    source = str(path)
    for arguments, error in (
        (("-w", source, source), "is one of the files that are read"),
        (("-w", str(link), source), "is one of the files that are read"),
        (("-w", source, "--flow", "0", str(link)), "is one of the files that are read"),
        (("-w", "-", "-V", source), "cannot both go to standard output"),
        (("-P", source), "-P goes with -w"),
        (("-w", str(tmp_path / "none" / "out"), source), "No such file or directory"),
        (("-w", str(tmp_path), source), "Is a directory"),
        (("-w", "/dev/full", source), "/dev/full: cannot be written: No space left"),
        (("-w", "/dev/full", "--flow", "0", source), "No space left"),
        (("-w", str(tmp_path / "out"), "--flow", "9", source), "would have no packets"),
        (("-w", str(tmp_path / "out"), "-F", "erf", source), "-F"),
    ):
        done = call(monkeypatch, "read", *PARROT, *arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert error in done.err
        assert "Traceback" not in done.err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in", "keys", "link"]
    assert contents(path) == packets


def test_a_damaged_source(
    packets: list[Packet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is before the damage is written, and stderr says where it is."""
    path, out = tmp_path / "in", tmp_path / "out"
    path.write_bytes(pcapng(packets)[:-9])
    for arguments, wanted in (((), packets[:-1]), (("--flow", "1"), of_port(packets, 1_001))):
        done = call(monkeypatch, "read", *PARROT, "-w", str(out), *arguments, str(path))
        assert done.code == 0
        assert "the file ends inside the record" in done.err
        assert contents(out) == wanted
    assert call(monkeypatch, "read", *PARROT, "--strict", "-w", str(out), str(path)).code == 3


def wait_for(size: int, path: Path) -> None:
    """Wait until a file has so many bytes."""
    end = time.monotonic() + 20
    while not path.exists() or path.stat().st_size < size:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.process
def test_a_live_capture_can_be_read_while_it_grows(packets: list[Packet], tmp_path: Path) -> None:
    """With -l the file has its name and its packets at once, and keeps them after Ctrl-C."""
    out, data = tmp_path / "out", pcapng(packets)
    half = len(pcapng(packets[:10]))
    arguments = ("read", *PARROT, "-l", "-P", "-w", str(out), "-")
    with subprocess.Popen(
        command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        program.stdin.write(data[: half + 20])
        program.stdin.flush()
        wait_for(half, out)
        assert contents(out) == packets[:10]
        program.stdin.write(data[half + 20 :])
        program.stdin.flush()
        wait_for(len(data), out)
        assert program.stdout is not None
        assert any(b"parrot" in line for line in program.stdout)
        program.send_signal(signal.SIGINT)
        assert program.wait(20) == 130
    assert out.read_bytes() == data
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.process
def test_ctrl_c_a_full_disk_and_a_closed_pipe_leave_no_file(
    packets: list[Packet], tmp_path: Path
) -> None:
    """Without -l there is no half of a file."""
    out, data = tmp_path / "out", pcapng(packets)
    with subprocess.Popen(
        command("read", *PARROT, "-w", str(out), "-"), stdin=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        program.stdin.write(data)
        program.stdin.flush()
        end = time.monotonic() + 20
        while not list(tmp_path.iterdir()):
            assert time.monotonic() < end
            time.sleep(0.01)
        program.send_signal(signal.SIGINT)
        assert program.wait(20) == 130
    assert list(tmp_path.iterdir()) == []

    path = tmp_path / "in"
    path.write_bytes(data)
    limited = ("sh", "-c", 'ulimit -f 1; exec "$@"', "sh")  # a file of 512 bytes
    for arguments in ((), ("--flow", "0")):
        done = subprocess.run(
            [*limited, *command("read", *PARROT, "-w", str(out), *arguments, str(path))],
            capture_output=True, check=False, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (
            2, f"streamshark: {out}: cannot be written: File too large\n"
        )  # fmt: skip
    assert list(tmp_path.iterdir()) == [path]

    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        command("read", *PARROT, "-w", "-", "-"), input=data, stdout=writer, stderr=subprocess.PIPE,
        check=False,
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_packets_of_selected_rows(
    packets: list[Packet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """-Y: what carries the rows; with --flows their connections; with --packets whole packets."""
    path, out = tmp_path / "in.pcap", tmp_path / "out"
    path.write_bytes(pcap(packets))
    rows = call(monkeypatch, "read", *PARROT, "-Y", "parrot.say", "-T", "ndjson",
                str(path)).out.splitlines()  # fmt: skip
    carrying = {number for row in rows for number in json.loads(row)["packets"]}
    syns = [each for each in packets if each.data[23] == 6 and each.data[47:48] == b"\2"]
    assert (len(carrying), len(syns)) == (3, 3)
    middle = of_port(packets, 1_001)
    for arguments, wanted in (
        (("-Y", "parrot.say"), [packets[each - 1] for each in sorted(carrying)]),
        (("-Y", "parrot.say && tcp.stream == 1", "--flows"), middle),
        (("--packets", "-Y", "tcp.flags == 2"), syns),
        (("--packets", "-Y", "tcp.flags == 2 && tcp.srcport == 1001", "--flows"), middle),
        (("-2", "-R", "tcp.stream == 1", "-Y", "tcp.stream in {1, 2}", "--flows"), middle),
        (("-Y", "parrot.say", "--flow", "1", "--flows"), middle),
    ):
        sources = [(str(path), b""), ("-", path.read_bytes())]
        for source, stdin in sources[: 1 if "-2" in arguments else 2]:
            done = call(monkeypatch, "read", *PARROT, "-w", str(out), *arguments, source,
                        stdin=stdin)  # fmt: skip
            assert (done.code, done.out) == (0, ""), arguments
            assert contents(out) == wanted, arguments
            assert ("credentials" in done.err) == ("--flows" in arguments)
            out.unlink()


def test_fragments_of_a_selected_datagram(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, as with tshark -2, wherever they are; those of other datagrams stay away."""
    made = Conversation(("10.0.0.1", 1_000), ("10.0.0.2", 7777)).handshake()
    made.send(0, parrot_traffic.login())
    data = []
    for number in range(2):
        say = parrot_traffic.say(number=number)
        segment = tcp((1_000, 7777), made.next[0], made.next[1], ACK | PSH, say)
        made.next[0] += len(say)
        data += [ethernet(each) for each in ipv4_fragments(segment, 16, ident=number)]
    count = len(data) // 2
    assert count > 1
    found = [
        *made.packets,
        *(Packet(made.time_ns + at * 1_000, each, len(each)) for at, each in enumerate(data)),
    ]
    first, second, out = tmp_path / "1.pcap", tmp_path / "2.pcap", tmp_path / "out"
    first.write_bytes(pcap(found[: 1 - count]))
    second.write_bytes(pcap(found[1 - count :]))
    for number, wanted in ((0, found[-2 * count : -count]), (1, found[-count:])):
        for select in (("-Y", f"parrot.say.correlation_id == {number}"),
                       ("--packets", "-Y", f"parrot.say.correlation_id == {number}")):  # fmt: skip
            done = call(
                monkeypatch, "read", *PARROT, "-w", str(out), *select, str(first), str(second)
            )
            assert (done.code, done.err) == (0, "")
            assert contents(out) == wanted, select
            out.unlink()
