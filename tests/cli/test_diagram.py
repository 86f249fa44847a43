"""`streamshark diagram`."""

import pytest
from tests.cli.console import call
from tests.cli.test_conversations import PUBLISHES, STREAMS, capture
from tests.views.test_sequence_diagram import GRAMMAR


def test_a_capture(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it, in Mermaid."""
    done = call(monkeypatch, "diagram", STREAMS)

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("sequenceDiagram\n    participant P0 as client 127.0.0.1#58;")
    assert "    P1-)P0: 16 to 19 payload stream=9 next 6 bytes (4 times)\n" in done.out
    assert "#91;N#93; RSK-S20 at frame 4#58;" in done.out


@pytest.mark.parametrize("language", sorted(GRAMMAR))
@pytest.mark.parametrize(
    "scenario",
    [
        "rabbitmq_stream/credit_starves_java",
        "rabbitmq_stream/load_four_streams",
        "rabbitmq_stream/lost_segment",
        "rabbitmq_stream/bug_wrong_password",
        "rabbitmq_stream/client_resets",
        "rsocket/errors_java",
        "rsocket/pings_websocket_js",
        "rsocket/resume_go",
    ],
)
def test_every_line_is_of_the_language(
    scenario: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of recorded captures, whatever they hold."""
    done = call(monkeypatch, "diagram", "-T", language, capture(scenario))

    assert done.code == 0
    assert len(done.out.splitlines()) > 8
    for each in done.out.splitlines():
        assert GRAMMAR[language].fullmatch(each), each


def test_one_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its frames alone."""
    arguments = ("--conversation", "0-18-publisher", "-T", "plantuml", PUBLISHES)
    done = call(monkeypatch, "diagram", *arguments)

    assert done.out.splitlines()[3].startswith("P0 -> P1 : 11 declare_publisher ")
    assert "peer_properties" not in done.out
    assert done.out.endswith(" code=ok\n@enduml\n")


def test_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its number."""
    path = capture("rabbitmq_stream/credit_starves_java")
    done = call(monkeypatch, "diagram", "--flow", "2", path)

    assert done.out.count("participant") == 2
    assert "#91;W#93; RMQ-C2 at frame 91#58;" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--flow", "9"), 0, "no frames on flow 9; flows with frames: 0"),
        (("--conversation", "0-2-call"), 2, "no conversation has the id 0-2-call; similar ids: "),
        (("--conversation", "two"), 2, "'two' is not a conversation id"),
        (("--conversation", "0-1-call", "--flow", "0"), 2, "cannot be combined"),
        (("-T", "text"), 2, "known: mermaid, plantuml"),
    ],
)
def test_mistakes(
    arguments: tuple[str, ...], code: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Are told, and draw nothing."""
    done = call(monkeypatch, "diagram", *arguments, PUBLISHES)

    assert (done.code, done.out) == (code, "")
    assert told in done.err
