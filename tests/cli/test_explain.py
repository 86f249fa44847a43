"""`streamshark explain`."""

from pathlib import Path

import pytest
from tests.builders import Conversation
from tests.cli.console import PARROT, call
from tests.cli.test_conversations import capture
from tests.madeup import parrot_traffic

ROOT = Path(__file__).parents[2]


def test_a_wrong_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """User, mechanism, code, the broker's delay, the guilty frame, and what to do next."""
    done = call(monkeypatch, "explain", capture("rabbitmq_stream/bug_wrong_password"))

    assert (done.code, done.err) == (0, "")
    for told in (
        'Authentication of user "billing" with PLAIN failed: 8 (authentication_failure)',
        "The broker delayed this answer by 3 s: brokers of 4.x do so before they refuse",
        "RMQ-N6 at frame 5, packet 10: ",
        "\nWhat to do next\n  Check the user name and password",
        "\n  The server closed its side of the TCP connection, ",
    ):
        assert told in done.out


def test_a_fault_of_all_connections_is_named_on_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten refused logins are one finding; the pages of the others say where it is shown."""
    text = call(monkeypatch, "explain", capture("rabbitmq_stream/bug_wrong_password_in_a_loop")).out

    assert text.count("RMQ-N6 (see connection 0), RMQ-P2 (see connection 0).") == 9
    assert text.count("[E] RMQ-N6 at frame 5, packet 10: ") == 1
    assert "No findings" not in text


def test_the_same_text_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the capture decides."""
    path = capture("rabbitmq_stream/credit_starves_java")
    assert call(monkeypatch, "explain", path) == call(monkeypatch, "explain", path)


def test_a_page_for_each_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, after a summary, with an empty line between them; one alone by its number."""
    path = capture("rabbitmq_stream/credit_starves_java")
    pages = call(monkeypatch, "explain", path).out.split("\n\n")
    one = call(monkeypatch, "explain", "--flow", "2", path).out.split("\n\n")

    assert [each.split()[0] for each in pages] == ["Summary", *["Connection"] * 3]
    assert [each.split()[1] for each in pages[1:]] == ["0", "1", "2"]
    assert one[0].startswith("Summary\n  1 connection, ")
    assert [each.split()[1] for each in one[1:]] == ["2"]


def test_connections_that_were_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Are named with the finding and its cause, although no frame was sent."""
    path = str(tmp_path / "refused.pcapng")
    source = capture("nats/cluster_stops_py")
    call(monkeypatch, "read", "-w", path, "--flow", "9,10,11,12", source)
    done = call(monkeypatch, "explain", path)
    refused = "2 connection attempts to 127.0.0.1:4222 refused"

    assert f"Summary\n  No frames of a known protocol.\n  {refused}.\n" in done.out
    assert "\nOver all connections\n  [W] TCP-C1 at packet 2: " in done.out
    for name in ("explain", "conversations", "read", "messages"):
        assert f"{refused}; 2 connection attempts" in call(monkeypatch, name, path).err, name


def test_a_protocol_without_a_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sensible sentences all the same."""
    done = call(
        monkeypatch, "explain", *PARROT, parrot_traffic.write(tmp_path, parrot_traffic.talk())
    )

    assert (done.code, done.err) == (0, "")
    assert "  The client opened the connection; the TCP handshake took " in done.out
    assert "  The client sent 3 frames: 1 login, 1 say, 1 squawk.\n" in done.out
    assert "  Negotiated: user ara.\n" in done.out
    assert "pieces of eight" not in done.out


@pytest.mark.parametrize(
    "scenario",
    ["client_side_only", "server_side_only", "lost_segment", "starts_mid_frame"],
)
def test_what_cannot_be_known(scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is said of damaged captures, and of no whole one."""
    assert (
        "\nWhat cannot be known\n"
        in call(monkeypatch, "explain", capture(f"rabbitmq_stream/{scenario}")).out
    )
    whole = call(monkeypatch, "explain", capture("rabbitmq_stream/publish_confirm")).out
    assert "What cannot be known" not in whole


def test_nothing_is_claimed_of_a_side_that_was_not_captured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither answers nor deliveries nor steps of the handshake."""
    path = ROOT / "captures/rabbitmq_stream/client_side_only/traffic.pcapng"
    told = call(monkeypatch, "explain", str(path)).out

    assert "The server sent no frames that were captured." in told
    assert "how many messages were confirmed is not known" in told
    for claim in ("never answered", "were answered", "unknown ", "nothing was delivered"):
        assert claim not in told, claim


def test_no_such_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Says which there are."""
    done = call(monkeypatch, "explain", "--flow", "9", capture("rsocket/errors_java"))

    assert (done.code, done.out) == (0, "")
    assert done.err == "streamshark: no frames on flow 9; flows with frames: 0\n"


def test_nothing_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Says what is there instead."""
    talk = Conversation(server=("10.0.0.2", 9999)).handshake().send(0, b"nothing of ours" * 9)
    done = call(monkeypatch, "explain", parrot_traffic.write(tmp_path, talk))

    assert (done.code, done.out) == (0, "")
    assert "no known protocol" in done.err


def test_colours_and_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal."""
    monkeypatch.setenv("COLUMNS", "80")
    path = capture("rabbitmq_stream/bug_wrong_password")
    done = call(monkeypatch, "explain", "--no-pager", "--color", "never", path, terminal=True)

    assert max(map(len, done.out.splitlines())) <= 80
    assert "\x1b[1mWhat went wrong" in call(monkeypatch, "explain", "--color", "always", path).out
