"""Traffic that no recording has, made of recorded frames or by hand, as tshark and we read it."""

import struct
import subprocess
from functools import partial
from pathlib import Path

from tests.builders import Conversation, Packet, pcap
from tests.judge import traffic
from tests.judge.judging import compare, own, tshark
from tests.judge.test_captures import PLUGINS, PROTOCOLS, plugin
from tests.judge.test_sentences import BACKSLASHES, theirs, worst_of
from tests.judge.traffic import Piece
from tests.protocols.pravega.traffic import framed as pravega_frame
from tests.protocols.pravega.traffic import hello
from tests.protocols.rabbitmq_stream.talk import Talk
from tests.protocols.rsocket.traffic import entry, framed, payload, setup

from streamshark import check
from streamshark.dissection.row import FrameRow
from streamshark.session import Session

PORTS = 34
"""Where TCP's ports stand in a packet of Ethernet and IPv4."""


def packets_of(capture: Path, folder: Path) -> list[Packet]:
    """The packets of a capture file."""
    plain = folder / "plain.pcap"
    command = ["editcap", "-F", "nsecpcap", str(capture), str(plain)]
    subprocess.run(command, check=True, capture_output=True)
    data, at, found = plain.read_bytes(), 24, []
    while at < len(data):
        seconds, fraction, size, original = struct.unpack_from("<IIII", data, at)
        time_ns = seconds * 1_000_000_000 + fraction
        found.append(Packet(time_ns, data[at + 16 : at + 16 + size], original))
        at += 16 + size
    return found


def forwarded(packet: Packet) -> Packet:
    """A packet as a proxy sends it on: a microsecond later, between other ports."""
    ports = struct.unpack_from(">HH", packet.data, PORTS)
    moved = struct.pack(">HH", *(each + (1 if each < 32768 else -1000) for each in ports))
    data = packet.data[:PORTS] + moved + packet.data[PORTS + 4 :]
    return packet._replace(time_ns=packet.time_ns + 1000, data=data)


def test_a_session_before_and_behind_a_proxy(tmp_path: Path) -> None:
    """A session that is resumed goes on with the streams of its own side of the proxy."""
    (capture,) = (traffic.CAPTURES / "rsocket/resume_js").glob("traffic.*")
    before = packets_of(capture, tmp_path)
    both = tmp_path / "both.pcap"
    both.write_bytes(pcap(each for one in before for each in (one, forwarded(one))))
    count, told = compare(both, PROTOCOLS["rsocket"], plugin("rsocket"), meaning=True)
    assert told == []
    assert count > 50


def test_step_is_found_again_at_the_next_line(tmp_path: Path) -> None:
    """After lines with an unknown verb, also if the next one is cut within its verb."""
    talk = [
        Piece(1, b'INFO {"max_payload": 1024}\r\n'),
        Piece(0, b'CONNECT {"verbose": false}\r\nNOPE\r\nno verb\r\nPU'),
        Piece(0, b"B subject 5\r\nhello\r\nSUB subject 1\r\n\r\nSUB sub"),
        Piece(0, b"ject 1\r\nPING\r\n"),
        Piece(1, b"PONG\r\n"),
    ]
    made = tmp_path / "made.pcap"
    made.write_bytes(
        pcap(
            each._replace(time_ns=traffic.START_NS + at * traffic.STEP_NS)
            for at, each in enumerate(traffic.packets_of(talk, 1, 4222))
        )
    )
    count, told = compare(made, PROTOCOLS["nats"], plugin("nats"), meaning=True)
    assert told == []
    assert count == 7


def test_nothing_is_put_together_over_a_loss(tmp_path: Path) -> None:
    """A fragment that is lost leaves a reason, and no data, also where what follows is shown."""
    setup = bytes.fromhex("000000000400000100000000ea6000015f9000") + b"\x01a\x01b"
    parts = [
        _fragment(4, 0x80, b"one "),
        _fragment(10, 0xA0, b"two "),
        _fragment(10, 0x20, b"three"),
    ]
    talk = [Piece(0, _framed(setup)), *(Piece(0, _framed(each)) for each in parts)]
    for lost, expected in ((None, b"one two three".hex()), (5, "")):
        packets = [each for at, each in enumerate(traffic.packets_of(talk, 1, 7000)) if at != lost]
        made = tmp_path / "made.pcap"
        made.write_bytes(
            pcap(
                each._replace(time_ns=traffic.START_NS + at * traffic.STEP_NS)
                for at, each in enumerate(packets)
            )
        )
        wanted = (
            "-e",
            "rsocket.payload.reassembled.data",
            "-e",
            "rsocket.payload.reassembled.reason",
        )
        told = tshark(
            made,
            plugin("rsocket"),
            "-o",
            "tcp.reassemble_out_of_order:FALSE",
            "-T",
            "fields",
            *wanted,
        )
        data, reason = told.splitlines()[-1].split("\t")
        assert data == expected
        assert bool(reason) == (lost is not None)


def _fragment(kind: int, flags: int, data: bytes) -> bytes:
    """A frame of RSocket on stream 1, without metadata."""
    return struct.pack(">IH", 1, kind << 10 | flags) + data


def _framed(frame: bytes) -> bytes:
    """A frame after its length, as on TCP."""
    return len(frame).to_bytes(3, "big") + frame


def test_metadata_states_the_type_of_data_on_a_stream(tmp_path: Path) -> None:
    """Rules judge data by it from that frame on, and by the only accepted type in answers."""
    cbor, json, named = b"\x81", b"\x85", b"\x0fapplication/cbor"
    request, answer, metadata, stated, accepted = 0x04, 0x0A, 0x100, 0x7A, 0x7B
    own, several = entry(stated, cbor), entry(accepted, cbor + json)
    talk = [
        Piece(0, setup(data="application/json")),
        Piece(0, framed(1, request, metadata, payload(own, b"\xa1\x61\x61\x01"))),
        Piece(1, framed(1, answer, 0x60, b"\xa1\x61\x61\x02")),  # not JSON
        Piece(0, framed(3, request, metadata, payload(entry(stated, named), b'{"a": 3}'))),
        Piece(0, framed(5, request, metadata, payload(own + several, b"\xa1\x61\x61\x04"))),
        Piece(1, framed(5, answer, 0x60, b"\xa1\x61\x61\x05")),
        Piece(0, framed(7, request, metadata, payload(entry(accepted, cbor), b'{"a": 6}'))),
        Piece(1, framed(7, answer, 0x60, b"\xa1\x61\x61\x07")),
        Piece(0, framed(9, request, 0, b"\xa1\x61\x61\x08")),  # not JSON
        Piece(0, framed(5, request, 0, b"\xa1\x61\x61\x09")),  # a new stream: not JSON
    ]
    made = tmp_path / "made.pcap"
    packets = enumerate(traffic.packets_of(talk, 1, 7000))
    timed = (e._replace(time_ns=traffic.START_NS + at * traffic.STEP_NS) for at, e in packets)
    made.write_bytes(pcap(timed))
    _, told = compare(made, PROTOCOLS["rsocket"], plugin("rsocket"), meaning=True)
    assert told == []
    wanted = ("-2", "-Y", 'rsocket.finding matches "M7"', "-T", "fields", "-e", "frame.number")
    assert tshark(made, plugin("rsocket"), *wanted).split() == ["6", "7", "12", "13"]


def test_what_is_answered_in_order_behind_a_loss(tmp_path: Path) -> None:
    """Of lost requests nobody knows how many answers come; lost answers are those of what waits."""
    ok, second = b"+OK\r\n", 1_000_000_000
    talk = [  # seconds before, whether it is lost, side and bytes, what it answers
        (0, False, Piece(1, b"INFO {}\r\n"), None),
        (0, False, Piece(0, b'CONNECT {"verbose": true}\r\n'), None),
        (0, False, Piece(1, ok), 1),
        (0, False, Piece(0, b"SUB a..b 1\r\n"), None),
        (0, False, Piece(0, b"SUB b 2\r\n"), None),
        (0, False, Piece(1, b"-ERR 'Invalid Subject'\r\n"), 3),
        (0, False, Piece(1, ok), 4),
        (1, True, Piece(1, b"MSG b 2 1\r\nx\r\n"), None),
        (1, False, Piece(1, b"MSG b 2 1\r\ny\r\n"), None),
        (0, False, Piece(0, b"PONG\r\n"), None),
        (1, False, Piece(0, b"SUB c 3\r\n"), None),
        (0, False, Piece(1, ok), 10),
        (1, True, Piece(0, b"SUB d 4\r\n"), None),
        (0, False, Piece(0, b"SUB e 5\r\n"), None),
        (1, False, Piece(1, ok), None),  # of the lost one
        (1, False, Piece(0, b"SUB f 6\r\n"), None),
        (1, False, Piece(1, ok), None),
        (0, False, Piece(1, ok), None),
        (11, False, Piece(0, b"SUB g 7\r\n"), None),
        (0, False, Piece(1, ok), 18),
    ]
    time_ns, packets, at_packet = traffic.START_NS, [], {}
    shaken = traffic.packets_of([each for _, _, each, _ in talk], 1, 4222)
    for at, packet in enumerate(shaken, -3):
        seconds, is_lost = talk[at][:2] if at >= 0 else (0, False)
        time_ns += seconds * second + traffic.STEP_NS
        if not is_lost:
            packets.append(packet._replace(time_ns=time_ns))
            at_packet[at] = len(packets)
    made = tmp_path / "made.pcap"
    made.write_bytes(pcap(packets))
    expected = {at_packet[n]: at_packet[each[3]] for n, each in enumerate(talk) if each[3]}

    ours = own(made, PROTOCOLS["nats"]).frames
    assert {each.packet: each.request for each in ours if each.request} == expected
    wanted = ("-e", "frame.number", "-e", "nats.request_frame")
    once = ("-2", "-Y", "nats", "-o", "tcp.reassemble_out_of_order:FALSE")
    told = tshark(made, plugin("nats"), *once, "-T", "fields", *wanted).splitlines()
    links = [line.split() for line in told]
    assert {int(each[0]): int(each[1]) for each in links if each[1:]} == expected


def test_requests_that_wait_are_bounded(tmp_path: Path) -> None:
    """So many with one id: what answers the first of one more has lost it, here and in `read`."""
    packets: list[Packet] = []
    answers = {}
    for index, count in enumerate((1, 1024, 1025, 1026)):
        talk = [
            Piece(0, _stream_frame(0x11, b"\0\0\0\1\0\0\0\0")),
            Piece(1, _stream_frame(0x8011, b"\0\0\0\1\0\1\0\0\0\0")),
            Piece(0, _stream_frame(5, b"\0\0\0\7\0\0\0\0")),
            Piece(0, _stream_frame(5, b"\0\0\0\7\0\0\0\0") * (count - 1)),
            Piece(1, _stream_frame(0x8005, b"\0\0\0\7\0\1" + bytes(8))),
        ]
        talk = [each for each in talk if each.data]
        packets += traffic.packets_of(talk, index, 5552)
        asked = len(packets) - len(talk) + 3
        answers[len(packets)] = asked + (count > 1025)
    made = tmp_path / "made.pcap"
    made.write_bytes(
        pcap(
            each._replace(time_ns=traffic.START_NS + at * traffic.STEP_NS)
            for at, each in enumerate(packets)
        )
    )
    ours = own(made, PROTOCOLS["rabbitmq_stream"]).frames
    assert answers.items() <= {each.packet: each.request for each in ours}.items()
    plugins = plugin("rabbitmq_stream")
    count, told = compare(made, PROTOCOLS["rabbitmq_stream"], plugins, meaning=True)
    assert told == []
    assert count == 4 * 3 + 1 + 1024 + 1025 + 1026


def _stream_frame(key: int, body: bytes) -> bytes:
    """A frame of RabbitMQ streams."""
    return struct.pack(">IHH", len(body) + 4, key, 1) + body


def test_queued_requests_are_not_bounded_like_equal_ones(tmp_path: Path) -> None:
    """More of them may wait before the first is answered, since no two are mistaken."""
    talk = [
        Piece(1, b'INFO {"max_payload": 1024}\r\n'),
        Piece(0, b'CONNECT {"verbose": false}\r\n' + b"PING\r\n"),
        Piece(0, b"PING\r\n" * 1300),
        Piece(1, b"PONG\r\n"),
    ]
    made = tmp_path / "made.pcap"
    made.write_bytes(
        pcap(
            each._replace(time_ns=traffic.START_NS + at * traffic.STEP_NS)
            for at, each in enumerate(traffic.packets_of(talk, 1, 4222))
        )
    )
    count, told = compare(made, PROTOCOLS["nats"], plugin("nats"), meaning=True)
    assert told == []
    assert count == 1304


def test_a_length_below_zero_leaves_places_whole_numbers(tmp_path: Path) -> None:
    """The rest after it says where the next segment goes on: in Lua 5.4 not as a float."""
    alive = pravega_frame(100)
    talk = [
        Piece(0, hello()),
        Piece(1, hello()),
        Piece(0, alive + struct.pack(">ii", 100, -3)),
        Piece(0, alive),
    ]
    made = tmp_path / "made.pcap"
    made.write_bytes(pcap(list(traffic.packets_of(talk, 1, 12345))))
    told = tshark(made, plugin("pravega"), "-V")
    assert "[Command: keep_alive]" in told
    assert "a frame of 5 bytes; 8 to " in told


def test_modified_utf_8_is_shown_as_text(tmp_path: Path) -> None:
    """Pairs of surrogates are characters; halves are no text, here and in `read`."""
    names = (b"\xed\xa0\xbc\xed\xbe\x89", b"a\xed\xa0\xbcb", b"\xffz\xe6\xb5", b"\xf0\x9f\xa6\x88")
    frames = [
        pravega_frame(11, struct.pack(">qH", 7, len(name)) + name + bytes(2)) for name in names
    ]
    talk = [Piece(0, hello()), Piece(1, hello()), *(Piece(0, each) for each in frames)]
    made = tmp_path / "made.pcap"
    made.write_bytes(pcap(list(traffic.packets_of(talk, 1, 12345))))
    rows = [each for each in Session([str(made)]).rows() if isinstance(each, FrameRow)]
    expected = [str(each.values["segment"]) for each in rows if "segment" in each.values]
    assert len(expected) == len(names)
    field = f"pravega.{rows[-1].command}.segment"
    told = tshark(made, plugin("pravega"), "-Y", field, "-T", "fields", "-e", field)
    assert told.splitlines() == expected
    count, differs = compare(made, PROTOCOLS["pravega"], plugin("pravega"))
    assert (count, differs) == (2 + len(names), [])


def test_a_port_of_another_protocol_is_ours_where_the_bytes_are(tmp_path: Path) -> None:
    """Wireshark gives 4223 to Tinkerforge's protocol, which keeps what does not begin as NATS."""
    ours = [
        Piece(1, b'INFO {"max_payload": 1024}\r\n'),
        Piece(0, b'CONNECT {"verbose": false}\r\nSUB subject 1\r\nPING\r\n'),
        Piece(1, b"PONG\r\n"),
    ]
    theirs = [Piece(0, bytes.fromhex("0000000008ff1800"))]
    for talk, names in ((ours, {"nats": 3, "tfp": 0}), (theirs, {"nats": 0, "tfp": 1})):
        made = tmp_path / "made.pcap"
        made.write_bytes(pcap(list(traffic.packets_of(talk, 1, 4223))))
        for name, count in names.items():
            told = tshark(made, plugin("nats"), "-2", "-Y", name).splitlines()
            assert len(told) == count, name


def test_what_is_empty_is_shown(tmp_path: Path) -> None:
    """Maps and lists of messages, metadata, header blocks: there, with nothing inside."""
    bodies = ("005377c10100", "00537745", "005377c00502c1010045", "005374c10100005375a0026869")
    rabbit = Conversation(server=("10.0.0.2", 5552)).handshake()
    for body in map(bytes.fromhex, bodies):
        entry = (7).to_bytes(8) + len(body).to_bytes(4) + body
        frame = bytes.fromhex("00020001 01 00000001") + entry
        rabbit.send(0, len(frame).to_bytes(4) + frame)
    setup = b"\0\0\0\0\4\0\0\1\0\0\0\0\x4e\x20\0\1\x5f\x90\3a/b\3a/b"
    rsocket = Conversation(server=("10.0.0.2", 7000)).handshake()
    for frame in (setup, b"\0\0\0\1\x11\0\0\0\0x", b"\0\0\0\3\x10\0y"):
        rsocket.send(0, len(frame).to_bytes(3) + frame)
    nats = Conversation(server=("10.0.0.2", 4222)).handshake().send(1, b"INFO {}\r\n")
    nats.send(0, b"CONNECT {}\r\nHPUB a 12 14\r\nNATS/1.0\r\n\r\nhi\r\nPUB b 2\r\nhi\r\n")
    told = {}
    for name, made in (("rabbitmq_stream", rabbit), ("rsocket", rsocket), ("nats", nats)):
        capture = tmp_path / f"{name}.pcap"
        capture.write_bytes(pcap(made.packets))
        plugins = [*plugin(name), PLUGINS / "amqp1.lua"]
        lines = tshark(capture, plugins, "-V").splitlines()
        ends = ("{}", "[]", "[empty]", "<MISSING>")
        told[name] = [each.strip() for each in lines if each.endswith(ends)]

    assert told == {
        "rabbitmq_stream": ["Amqp value: {}", "Amqp value: []", "Item: {}", "Item: []",
                            "Application properties: {}"],
        "rsocket": ["Data: [empty]", "Metadata: [empty]"],
        "nats": ["Headers: [empty]"],
    }  # fmt: skip


def test_bytes_outside_any_frame_are_a_finding(tmp_path: Path) -> None:
    """Amid a segment, and as a segment of its own; what follows is judged as after lost bytes."""
    noise = bytes.fromhex("7f7f7f7f") * 8
    wrong = []
    for rule, name, begun, (one, two, three) in (
        ("RMQ-F1b", "rabbitmq_stream", lambda: Talk().made, [_stream_frame(0x17, b"")] * 3),
        ("RSK-D2", "rsocket", _rsocket_begun, [framed(n, 5, 0, b"y") for n in (3, 5, 7)]),
        ("PRV-P3", "pravega", _pravega_begun, [pravega_frame(100)] * 3),
    ):
        for is_found, parts in (
            (True, [one + noise + two + three]),
            (True, [one, noise, two + three]),
            (False, [one + two]),
        ):
            made = begun()
            for part in parts:
                made.send(0, part)
            capture = tmp_path / "made.pcap"
            capture.write_bytes(pcap(made.packets))
            _, told = compare(capture, PROTOCOLS[name], plugin(name), meaning=True)
            ours = own(capture, PROTOCOLS[name]).frames
            if told or any(rule in each.findings for each in ours) != is_found:
                wrong.append((rule, len(parts), told))
    assert wrong == []


def test_bytes_outside_any_frame_are_quoted(tmp_path: Path) -> None:
    """By the head that they would be, else as text without what may be a secret."""
    noise, quoted = bytes.fromhex("7f7f7f7f") * 8, "no frame begins here ("
    alive, frame = pravega_frame(100), partial(framed, kind=5, flags=0, body=b"y")
    lines = [b"hello, world, and more", b"x", b'it\'s "q" \\ \0\xff\x7f\t', b"it's", b""]
    for rule, name, begun, parts in (
        ("NATS-N2b", "nats", _nats_begun, [each + b"\r\nPING\r\n" for each in lines]),
        ("NATS-N2b", "nats", _nats_begun, [b'"pass":"secret123"}\r\nPING\r\n']),
        ("RSK-D2", "rsocket", _rsocket_begun, [noise.join((frame(3), frame(5) + frame(7)))]),
        ("PRV-P3", "pravega", _pravega_begun, [noise.join((alive, alive * 2))]),
    ):
        for part in parts:
            capture = tmp_path / "made.pcap"
            capture.write_bytes(pcap(begun().send(0, part).packets))
            (ours,) = (each for each in check(str(capture)) if each.rule == rule)
            field = f"{PROTOCOLS[name].wire.short}.finding.message"
            told = tshark(capture, plugin(name), "-2", "-Y", field, "-Tfields", f"-e{field}")
            assert quoted in ours.message
            assert "secret" not in ours.message
            assert BACKSLASHES.sub("", f"{rule}: {ours.message}") in BACKSLASHES.sub("", told), name


def _nats_begun() -> Conversation:
    """Both sides have sent their options."""
    made = Conversation(server=("10.0.0.2", 4222)).handshake().send(1, b"INFO {}\r\n")
    return made.send(0, b"CONNECT {}\r\n")


def _rsocket_begun() -> Conversation:
    """A client has set up, and sent something."""
    made = Conversation(server=("10.0.0.2", 7000)).handshake()
    return made.send(0, setup()).send(0, framed(1, 5, 0, b"x"))


def _pravega_begun() -> Conversation:
    """Both sides have said hello."""
    made = Conversation(server=("10.0.0.2", 12345)).handshake()
    return made.send(0, hello()).send(1, hello())


def _refused_creation(number: int) -> list[Piece]:
    """A stream that the broker refuses to create, since it exists with other arguments."""
    identified = struct.pack(">I", number)
    return [
        Piece(0, _stream_frame(0x0D, identified + b"\0\6orders\0\0\0\0")),
        Piece(1, _stream_frame(0x800D, identified + b"\0\x11")),
    ]


def _late_ack(consumer: str, number: int) -> list[Piece]:
    """A message of JetStream that is acknowledged after its second delivery."""
    first, second = (
        f"$JS.ACK.orders.{consumer}.{each}.{number}.{number}.1700000000000000000.0"
        for each in (1, 2)
    )
    return [
        Piece(1, f"MSG inbox 1 {first} 5\r\nhello\r\n".encode()),
        Piece(1, f"MSG inbox 1 {second} 5\r\nhello\r\n".encode()),
        Piece(0, f"PUB {first} 4\r\n+ACK\r\n".encode()),
    ]


def test_what_comes_again_is_worse(tmp_path: Path) -> None:
    """From the decisive match on, here and in `check`, by connection or by value of all of them."""
    rabbit = [
        Piece(0, _stream_frame(0x11, b"\0\0\0\1\0\0\0\0")),
        Piece(1, _stream_frame(0x8011, b"\0\0\0\1\0\1\0\0\0\0")),
    ]
    nats = [
        Piece(1, b'INFO {"max_payload": 1024}\r\n'),
        Piece(0, b'CONNECT {"verbose": false}\r\nSUB inbox 1\r\n'),
    ]
    note, warning, second = 1, 2, 1_000_000_000
    for name, rule, step_ns, talks, expected in (
        ("rabbitmq_stream", "RMQ-M8b", second // 20, (9,), [note] * 9),
        ("rabbitmq_stream", "RMQ-M8b", second // 20, (12,), [note] * 9 + [warning] * 3),
        ("rabbitmq_stream", "RMQ-M8b", second // 20, (9, 9), [note] * 18),
        ("rabbitmq_stream", "RMQ-M8b", second, (12,), [note] * 12),
        ("nats", "NATS-B14", second, ("aabb",), [note] * 4),
        ("nats", "NATS-B14", second, ("aaabba",), [note] * 2 + [warning] + [note] * 2 + [warning]),
        ("nats", "NATS-B14", second, ("aac", "ca"), [note] * 4 + [warning]),
    ):
        packets: list[Packet] = []
        for index, what in enumerate(talks):
            if isinstance(what, int):
                port, talk = 5552, [*rabbit]
                for number in range(2, what + 2):
                    talk += _refused_creation(number)
            else:
                port, talk = 4222, [*nats]
                for number, consumer in enumerate(what, 10 * index + 1):
                    talk += _late_ack(consumer, number)
            packets += traffic.packets_of(talk, index, port)
        made = tmp_path / "made.pcap"
        made.write_bytes(
            pcap(
                each._replace(time_ns=traffic.START_NS + at * step_ns)
                for at, each in enumerate(packets)
            )
        )
        ours = worst_of(own(made, PROTOCOLS[name]))
        *_, worst = theirs(made, name)
        of_rule = [[worst[at] for at in sorted(worst) if at[1] == rule] for worst in (ours, worst)]
        assert of_rule == [expected, expected], (rule, talks, step_ns)
