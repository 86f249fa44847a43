"""What captures are."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Conversation, block, enhanced, interface, option, section
from tests.failures import every
from tests.madeup import parrot_traffic
from tests.protocols.websocket.traffic import upgraded

from streamshark.conversations.conversation import Annotation
from streamshark.conversations.statistics import MOST, Statistics
from streamshark.conversations.units import size as size_of
from streamshark.dissection.row import FrameRow
from streamshark.session import Session
from streamshark.views import info
from streamshark.views.colour import Palette
from streamshark.views.info import document, text

PLAIN = Palette(enabled=False)
ROOT = Path(__file__).parents[2]
CAPTURES = sorted(ROOT.glob("captures/*/*/traffic.*"))


def told(session: Session, **context: str) -> dict[str, Any]:
    """The document about a session."""
    statistics = Statistics()
    for row in session.rows():
        row.annotation = Annotation(None, context)
        statistics.take(row)
    found = document(session, statistics)
    json.dumps(found)
    return found


def test_a_file(tmp_path: Path) -> None:
    """Its format, size, packets and times."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    found = told(parrot_traffic.session(path))
    (file,) = found["files"]

    assert (file["name"], file["format"], file["compression"]) == (path, "pcap", None)
    assert file["bytes"] == Path(path).stat().st_size
    assert file["packets"] == found["packets"] == len(parrot_traffic.talk().packets)
    assert file["duration_ns"] == found["last_ns"] - found["first_ns"] > 0
    assert file["first"].endswith("Z")
    assert file["interfaces"][0]["link"] == "1 (ETHERNET)"


def test_what_was_dropped(tmp_path: Path) -> None:
    """As the capturing program says."""
    options = option(4, (9).to_bytes(8, "little")) + option(5, (2).to_bytes(8, "little"))
    data = section() + interface(options=option(2, b"eth0"))
    data += b"".join(map(enhanced, parrot_traffic.talk().packets)) + block(5, bytes(12) + options)
    path = tmp_path / "a.pcapng"
    path.write_bytes(data)

    page = text(told(parrot_traffic.session(str(path))), PLAIN)
    assert "eth0: link type 1 (ETHERNET)" in page
    assert "9 received, 2 dropped" in page


def test_connections(tmp_path: Path) -> None:
    """Who spoke; what is about a row's object is no part of it."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    found = told(parrot_traffic.session(path), user="ara", stream="nest", reference="r")
    (connection,) = found["connections"]
    (protocol,) = found["protocols"]

    assert connection["client"] == "10.0.0.1:40000"
    assert connection["context"] == {"user": "ara"}
    assert (protocol["protocol"], protocol["connections"]) == ("parrot_talk", 1)
    assert protocol["frames"] == connection["frames"] == found["frames"] == 5
    page = text(found, PLAIN)
    assert "  flow 0  10.0.0.1:40000 -> 10.0.0.2:7777  parrot_talk\n" in page
    assert "    user=ara\n" in page


def test_sides_that_are_not_proved(tmp_path: Path) -> None:
    """An arrow both ways."""
    talk = Conversation(server=("10.0.0.2", 7777)).handshake()
    talk.packets.clear()
    talk.send(1, parrot_traffic.squawk()).send(1, parrot_traffic.squawk()).send(
        1, parrot_traffic.squawk()
    )
    found = told(
        parrot_traffic.session(parrot_traffic.write(tmp_path, talk), decode_as={7777: "parrot"})
    )

    (connection,) = found["connections"]
    assert (connection["client"], connection["handshake_ns"]) == (None, None)
    assert "10.0.0.2:7777 <-> 10.0.0.1:40000" in text(found, PLAIN)


@pytest.mark.process
@every("path", CAPTURES[::20], ids=lambda path: "/".join(path.relative_to(ROOT).parts[1:3]))
def test_bytes_add_up(path: Path) -> None:
    """Framed, skipped and lost are what TCP counted."""
    session = Session([str(path)])
    counts = told(session)["bytes"]
    lost, streams = 0, 0
    for number, connection in session.dissector.connections.items():
        if connection is not None:
            flow = session.dissector.tracker.flows[number]
            lost += connection.lost
            streams += flow.payload - flow.repeated - flow.copied - flow.ignored
            streams += flow.decrypted - flow.encrypted

    assert counts["framed"] + sum(counts["skipped"].values()) + counts["lost"] == counts["total"]
    assert counts["total"] == streams + lost


def test_what_was_not_read(tmp_path: Path) -> None:
    """Connections that nothing recognised, with their ends."""
    talk = Conversation(server=("10.0.0.2", 80)).handshake().send(0, b"GET / HTTP/1.0\r\n\r\n")
    page = text(told(parrot_traffic.session(parrot_traffic.write(tmp_path, talk))), PLAIN)

    assert (
        "Not read\n  unrecognised flow 0  10.0.0.1:40000 <-> 10.0.0.2:80, 18 B of payload" in page
    )
    assert "Connections" not in page


def test_a_carrier_with_an_unknown_protocol(tmp_path: Path) -> None:
    """What its handshake says of it."""
    known = told(Session([parrot_traffic.write(tmp_path, upgraded())]))

    assert [each["carrier"] for each in known["unrecognised"]] == ["WebSocket /rsocket"]
    assert "B of payload of WebSocket /rsocket\n" in text(known, PLAIN)


def test_several_files(tmp_path: Path) -> None:
    """Each of them, and all together."""
    one = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    other = parrot_traffic.write(tmp_path, Conversation(("10.0.0.9", 1)).handshake(), name="b.pcap")
    page = text(told(Session([one, other], protocols=(parrot_traffic.PROTOCOL,))), PLAIN)

    assert "\nTogether\n  packets      13\n" in page


def test_pages_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many connections there are."""
    monkeypatch.setattr(info, "MOST_SHOWN", 2)
    talks = [Conversation(("10.0.0.1", port), ("10.0.0.2", 7777)) for port in range(1, 6)]
    for each in talks:
        each.handshake().send(0, parrot_traffic.login())
    found = told(parrot_traffic.session(parrot_traffic.write(tmp_path, *talks)))

    assert "... and 3 more; -T json has them all" in text(found, PLAIN)
    assert len(found["connections"]) == 5 < MOST


def test_narrow_terminals(tmp_path: Path) -> None:
    """Long lines are wrapped."""
    found = told(
        parrot_traffic.session(parrot_traffic.write(tmp_path, parrot_traffic.talk())),
        user="ara " * 30,
    )
    folder = len(str(tmp_path)) + 20
    assert max(map(len, text(found, PLAIN, max(60, folder)).splitlines())) <= max(60, folder)


def test_carriers_are_shown_where_there_are_some(tmp_path: Path) -> None:
    """All other columns always, however narrow the terminal is."""
    found = told(parrot_traffic.session(parrot_traffic.write(tmp_path, parrot_traffic.talk())))
    size = size_of(found["protocols"][0]["bytes"])

    for carrier in (None, "websocket"):
        found["protocols"][0]["carrier"] = carrier
        more = ["carrier"] if carrier else []
        lines = text(found, PLAIN, 200).splitlines()
        at = lines.index("Protocols") + 1
        assert lines[at].split() == ["protocol", *more, "connections", "frames", "bytes"]
        row = ["parrot_talk", *([carrier] if carrier else []), "1", "5", *size.split()]
        assert lines[at + 1].split() == row
        assert "connections  frames" in text(found, PLAIN, 20)


def test_frames_inside_of_frames() -> None:
    """They are a protocol of their own, and their bytes count once for the connection."""
    path = next(ROOT.glob("captures/liftbridge/basics_py/traffic.*"))
    rows = [row for row in Session([str(path)]).rows() if isinstance(row, FrameRow)]
    inner = [row for row in rows if row.connection.outer is not None]
    around = [row for row in rows if row.connection.wire.id == "nats"]
    found = {each["protocol"]: each for each in told(Session([str(path)]))["protocols"]}

    assert found["liftbridge"] == {
        "protocol": "liftbridge",
        "carrier": "nats",
        "connections": len({row.connection.flow.number for row in inner}),
        "frames": len(inner),
        "bytes": sum(len(row.data) for row in inner),
    }
    assert inner
    assert found["nats"]["bytes"] == sum(len(row.data) for row in around)
