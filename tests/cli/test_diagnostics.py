"""What stderr says after a reading."""

from pathlib import Path
from ssl import TLSVersion

import pytest
from tests.builders import Conversation
from tests.madeup import parrot_traffic
from tests.protocols.websocket.traffic import asked, upgraded
from tests.tls import TlsTalk

from streamshark.cli.diagnostics import (
    report_carried,
    report_damage,
    report_evictions,
    report_notes,
    report_unrecognised,
)
from streamshark.errors import StreamsharkError
from streamshark.session import ReadingReport, Session


def read(path: str) -> ReadingReport:
    """The report of a session at its end."""
    session = parrot_traffic.session(path)
    list(session.rows())
    return session.report()


def stranger(port: int, size: int = 10) -> Conversation:
    """Return a connection of an unknown protocol."""
    talk = Conversation(("10.0.0.1", port), ("10.0.0.2", 80)).handshake()
    return talk.send(0, b"?" * size)


def test_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, the file first."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    Path(path).write_bytes(Path(path).read_bytes()[:-5])

    assert report_damage(read(path)) is True
    told = capsys.readouterr().err
    assert told.startswith(f"streamshark: {path}: the file ends inside the record at byte ")
    assert told.count("\n") == 1


def test_no_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is said."""
    assert report_damage(read(parrot_traffic.write(tmp_path, parrot_traffic.talk()))) is False
    assert capsys.readouterr().err == ""


@pytest.mark.process
def test_tls_that_stays_closed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for all of it."""
    talks = [
        TlsTalk(tmp_path, TLSVersion.TLSv1_3, Conversation(("10.0.0.1", port)).handshake())
        for port in (1, 2, 3)
    ]
    for each in talks:
        each.handshake().send(0, b"hello")
    path = parrot_traffic.write(tmp_path, *(each.conversation for each in talks))
    keys = tmp_path / "none"
    keys.touch()
    session = Session([path], keylog=str(keys))
    list(session.rows())
    report_notes(session.report())

    told = "streamshark: cannot decrypt TLS between 10.0.0.1:1 and 10.0.0.2:5552 (and 2 more): "
    assert capsys.readouterr().err == f"{told}no matching secret in the key log\n"

    report_unrecognised(session.report())
    told = capsys.readouterr().err
    assert "bytes of TLS), 10.0.0.1:" in told
    assert told.endswith("; -o tls.keylog_file:FILE decrypts TLS\n")


def test_nothing_at_all_could_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That is an error."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    Path(path).write_bytes(Path(path).read_bytes()[:30])

    with pytest.raises(StreamsharkError, match="no packet could be read"):
        report_damage(read(path))
    assert capsys.readouterr().err.count("\n") == 1


def test_nothing_recognised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The connections with the most bytes, and how many more there are."""
    path = parrot_traffic.write(tmp_path, *(stranger(1000 + each, 10 + each) for each in range(6)))
    report_unrecognised(read(path))

    told = capsys.readouterr().err
    assert told.startswith(
        f"streamshark: {path}: no known protocol (parrot_talk) in 10.0.0.1:1005 "
    )
    assert "10.0.0.1:1005 - 10.0.0.2:80 (flow 5, 15 bytes)" in told
    assert " and 2 more; -d tcp.port==N,PROTOCOL decodes a port as one of them" in told
    assert told.count("\n") == 1


def test_one_connection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a count of more."""
    report_unrecognised(read(parrot_traffic.write(tmp_path, stranger(1000))))

    assert " more" not in capsys.readouterr().err


def test_a_carrier_with_an_unknown_protocol(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Is named; other connections are not."""
    chat = upgraded().send(0, asked(b"hello"))
    for talks in ([stranger(1000), chat], [stranger(1000)]):
        session = Session([parrot_traffic.write(tmp_path, *talks)])
        list(session.rows())
        report_carried(session.report())

    size = sum(len(each.data) - 54 for each in chat.packets)
    assert capsys.readouterr().err == (
        "streamshark: no known protocol in 10.0.0.1:40000 - 10.0.0.2:8080 "
        f"(flow 1, {size} bytes of WebSocket /rsocket)\n"
    )


def test_no_payload(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Packets without any."""
    path = parrot_traffic.write(tmp_path, Conversation().handshake())
    report_unrecognised(read(path))

    assert capsys.readouterr().err == f"streamshark: {path}: no TCP payload in 3 packets\n"


def test_what_was_let_go(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each."""
    report_evictions({})
    assert capsys.readouterr().err == ""
    report_evictions({"open requests": 1_200})
    told = "streamshark: limit of open requests reached: 1,200 dropped; their state is unknown\n"
    assert capsys.readouterr().err == told
