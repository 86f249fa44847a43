"""TLS in sessions: the frames of the clear connection, or a note with the reason why not."""

import ssl
import struct
from pathlib import Path

import pytest
from tests.builders import Conversation, block, enhanced, interface, section
from tests.framing.parcel_protocol import TICKS, send, signed
from tests.test_session import PROTOCOLS, session, talk, told
from tests.tls import TlsTalk

from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.lua import install as installing
from streamshark.lua.generate import plugins
from streamshark.protocols.catalog import catalog, formats
from streamshark.session import Session

GREEDY = """
local greedy = Proto("greedy", "Greedy")
function greedy.dissector(buffer) return buffer:len() end
DissectorTable.get("tls.port"):add(443, greedy)
greedy:register_heuristic("tls", function() return true end)
"""
"""A plugin that claims all payload of TLS."""


def secret_talk(
    folder: Path, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3, port: int = 40_000
) -> tuple[TlsTalk, Conversation]:
    """Return the same requests and answers within TLS and in the clear."""
    clear = talk(port)
    server = ("10.0.0.2", 7778)
    hidden = TlsTalk(folder, version, Conversation(clear.ends[0], server).handshake()).handshake()
    for number in range(5):
        hidden.send(0, send(number, b"street " * number, b"a", b"bb"))
        hidden.send(1, signed(number) + TICKS)
    return hidden, clear


@pytest.mark.process
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_tls_is_read_with_a_key_log(version: ssl.TLSVersion, tmp_path: Path) -> None:
    """The frames are those of the clear connection, with the packets and times of their records."""
    hidden, clear = secret_talk(tmp_path, version)
    packets = hidden.conversation.packets
    reading = session(tmp_path, packets, keylog=str(hidden.keylog))
    rows = list(reading.rows())

    assert told(rows) == told(list(session(tmp_path, clear.packets).rows()))
    assert rows == sorted(rows, key=lambda row: row.order)
    assert {row.time_ns == packets[row.packet - 1].time_ns for row in rows} == {True}
    flow = reading.dissector.tracker.flows[0]
    assert flow.encrypted == flow.payload
    assert flow.decrypted == reading.dissector.totals().framed
    assert reading.dissector.notes == []


@pytest.mark.process
def test_plugins_of_the_user_do_not_disturb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frames are the same if our plugins are in the user's plugin folder of Wireshark."""
    home = tmp_path / "home"
    for name in ("XDG_CONFIG_HOME", "WIRESHARK_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    where = installing.folder()
    assert where.is_relative_to(home)
    installing.install(plugins(catalog(), formats()), where)
    (where / "greedy.lua").write_text(GREEDY)
    hidden, clear = secret_talk(tmp_path)
    rows = list(session(tmp_path, hidden.conversation.packets, keylog=str(hidden.keylog)).rows())

    assert told(rows) == told(list(session(tmp_path, clear.packets).rows()))


@pytest.mark.process
def test_several_tls_connections_over_several_files(tmp_path: Path) -> None:
    """TLS and clear connections are mixed and cut into a ring; each uses its own keys."""
    talks = [secret_talk(tmp_path, port=40_000 + at)[0].conversation for at in range(3)]
    packets = sorted(each for one in [*talks, talk(50_000)] for each in one.packets)
    reading = session(
        tmp_path, packets[30:50], packets[:30], packets[50:], keylog=str(tmp_path / "keys")
    )
    rows = list(reading.rows())

    assert len({row.connection.flow.number for row in rows}) == 4
    assert reading.frames == 60
    assert rows == sorted(rows, key=lambda row: row.order)


@pytest.mark.process
def test_tls_is_read_with_the_secrets_of_the_capture(tmp_path: Path) -> None:
    """The secrets in a block of the capture suffice, without an option."""
    hidden, _ = secret_talk(tmp_path)
    keys = hidden.keylog.read_bytes()
    secrets = block(10, struct.pack("<II", 0x544C534B, len(keys)) + keys)
    path = tmp_path / "secrets.pcapng"
    packets = b"".join(map(enhanced, hidden.conversation.packets))
    path.write_bytes(section() + interface() + secrets + packets)
    reading = Session([str(path)], protocols=PROTOCOLS)

    assert reading.frames == 0
    assert len([row for row in reading.rows() if isinstance(row, FrameRow)]) == 15


@pytest.mark.process
def test_tls_that_stays_closed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key that fits there is one note, and the same rows as without a key log."""
    hidden, _ = secret_talk(tmp_path)
    keys = tmp_path / "none"
    keys.write_text("# nothing\n")
    packets = hidden.conversation.packets
    reading = session(tmp_path, packets, keylog=str(keys))

    assert [row for row in reading.rows() if isinstance(row, FrameRow)] == []
    told = "cannot decrypt TLS between 10.0.0.1:40000 and 10.0.0.2:7778: "
    assert reading.dissector.notes == [told + "no matching secret in the key log"]
    assert reading.dissector.unrecognised[0].payload == reading.dissector.tracker.flows[0].payload

    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StreamsharkError, match="needs tshark, which is not installed"):
        session(tmp_path, packets, keylog=str(keys))
    path = tmp_path / "secrets.pcapng"
    secrets = block(10, struct.pack("<II", 0x544C534B, 4) + b"keys")
    path.write_bytes(section() + interface() + secrets + b"".join(map(enhanced, packets)))
    reading = Session([str(path)], protocols=PROTOCOLS)
    list(reading.rows())
    assert reading.dissector.notes == [told + "decrypting TLS needs tshark, which is not installed"]
