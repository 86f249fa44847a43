"""`--flow`, `--stream`, `--command` and `--failed`: short forms of display filters."""

import json
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from tests.cli.console import PARROT, call
from tests.failures import Failures
from tests.filters.reading import LOGIN, PUBLISH
from tests.madeup import parrot_traffic

from streamshark.cli.main import program
from streamshark.cli.short_filters import filter_text, spelling
from streamshark.fields.registry import Fields
from streamshark.protocols.catalog import catalog

NATS = PUBLISH.parents[2] / "nats/bug_before_connect/traffic.pcapng"


def test_short_forms_select_what_the_filters_select(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same output as with `-Y`; both together must hold."""

    def out(command: str, path: Path, *more: str) -> str:
        done = call(monkeypatch, command, *more, str(path))
        assert done.code == 0, done.err
        return done.out

    publish = 'rmqstream.command == "publish"'
    both = "rmqstream.open || rmqstream.open_response"
    cases: tuple[tuple[str, Path, tuple[str, ...], str, tuple[str, ...]], ...] = (
        ("read", LOGIN, ("--failed",), "rmqstream.failed", ()),
        ("read", NATS, ("--failed",), "nats.failed", ()),
        ("read", PUBLISH, ("--stream", "orders"), 'rmqstream.stream == "orders"', ()),
        ("read", PUBLISH, ("--command", "publish"), publish, ()),
        ("read", PUBLISH, ("--command", "OPEN-response"), "rmqstream.open_response", ()),
        ("read", PUBLISH, ("--command", "open"), both, ()),
        ("read", PUBLISH, ("--command", "open"), both, ("--packets",)),
        ("read", PUBLISH, ("--command", "reset"), 'command == "reset"', ()),
        ("read", PUBLISH, ("--command", "tune", "--command", "open"),
         f'rmqstream.command == "tune" || {both}', ("-T", "ndjson")),
        ("read", PUBLISH, ("--command", "open", "--stream", "orders"),
         f'({both}) && rmqstream.stream == "orders"', ()),
        ("read", PUBLISH, ("-Y", "frame > 12", "--command", "publish"),
         f"frame > 12 && {publish}", ()),
        ("check", LOGIN, ("--failed",), "rmqstream.failed", ()),
        ("check", LOGIN, ("--flow", "0"), "tcp.stream == 0", ()),
        ("conversations", LOGIN, ("--failed",), "rmqstream.failed", ()),
        ("stats", LOGIN, ("--command", "tune"), 'rmqstream.command == "tune"', ("-T", "csv")),
        ("stats", LOGIN, ("--flow", "0,1"), "tcp.stream in {0, 1}", ("-z", "io,stat,0")),
        ("explain", LOGIN, ("--failed",), "rmqstream.failed", ()),
        ("diagram", LOGIN, ("--failed",), "rmqstream.failed", ()),
    )  # fmt: skip
    with Failures() as failures:
        for command, path, short, text, more in cases:
            with failures.of(f"{command} {' '.join(short)}"):
                assert out(command, path, *short, *more) == out(command, path, "-Y", text, *more)
    assert len(out("read", LOGIN, "--failed").splitlines()) == 1
    assert len(out("read", PUBLISH, "--command", "open").splitlines()) == 2  # no SYN among them


def test_streams_are_routes_and_streams_in_calls_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the answers to such requests; a message of a refused call is a refused one."""
    captures = PUBLISH.parents[2]
    routes, calls = "rsocket/composite_metadata_java", "liftbridge/publishes_go"
    cases: tuple[tuple[str, str, tuple[str, ...], list[str]], ...] = (
        ("read", routes, ("--stream", "users.find"), ["2", "3", "4", "5"]),
        ("messages", routes, ("--stream", "users.find"), ["2", "3", "4", "5"]),
        ("read", calls, ("--stream", "nothing"), ["315", "316"]),
        ("read", calls, ("--stream", "nothing", "--failed"), ["316"]),
        ("messages", calls, ("--failed",), ["315"]),
        ("messages", calls, ("--failed", "--stream", "news"), []),
        ("messages", routes, ("--command", "payload", "--stream", "last"), ["11"]),
        ("messages", "rabbitmq_stream/bug_publishes_after_refusal", ("--failed",), ["15", "15"]),
    )
    with Failures() as failures:
        for command, name, short, frames in cases:
            with failures.of(f"{command} {name} {' '.join(short)}"):
                (path,) = (captures / name).glob("traffic.*")
                lines = call(monkeypatch, command, *short, str(path)).out.splitlines()
                assert [line.split()[0] for line in lines] == frames


def test_processes_and_packets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One process reads all the same, and `-w` takes the selected packets."""
    one, two = (
        call(monkeypatch, "read", *more, "--command", "publish", str(PUBLISH)).out
        for more in ((), ("-j", "2"))
    )
    target = tmp_path / "part.pcapng"
    call(monkeypatch, "read", "--command", "publish", "-w", str(target), str(PUBLISH))
    packets = call(monkeypatch, "info", "-T", "json", str(target)).out

    assert one == two
    assert one
    assert json.loads(packets)["files"][0]["packets"] == 4


def test_what_nothing_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is reported with the options as typed; a command that does not exist is an error."""
    for arguments, code, error in (
        (("read", "--stream", "nope", "--failed"), 0, "no row matches --stream nope --failed\n"),
        (("check", "--flow", "0", "-Y", "tcp.port == 1"), 0, "matches --flow 0 and -Y\n"),
        (("check", "--flow", "7"), 0, "--flow 7: the captures have 1 connection\n"),
        (("stats", "--flow", "x"), 2, "--flow 'x': not the number of a connection"),
        (("check", "--command", "open_reply"), 2, "; did you mean open_response?\n"),
        (("explain", "--command", 'q"\\'), 2, "no protocol has this command"),
    ):
        done = call(monkeypatch, *arguments, str(PUBLISH))
        assert (done.code, error in done.err) == (code, True), done.err


def test_findings_of_a_connection_without_frames(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`--flow` alone chooses them; a filter of rows does not."""
    from tests.builders import Conversation  # noqa: PLC0415 - here alone

    talk = Conversation(("10.0.0.1", 1_000), ("10.0.0.2", 7777)).handshake()
    talk.send(0, parrot_traffic.say(number=1)).send(1, parrot_traffic.said(1))
    other = Conversation(("10.0.0.9", 9), ("10.0.0.2", 80)).handshake().send(0, b"?" * 99)
    path = parrot_traffic.write(tmp_path, talk, other)

    def found(*more: str) -> list[int | None]:
        done = call(monkeypatch, "check", *PARROT, "--level", "chat", "-T", "ndjson", *more, path)
        return [json.loads(line).get("flow") for line in done.out.splitlines()]

    assert 1 in found()
    assert set(found("--flow", "1")) == {1}
    assert 1 not in found("--flow", "0")
    assert not found("--flow", "1", "--failed")


def test_the_filter_of_all_protocols() -> None:
    """Text is quoted; every protocol that has streams or failures is asked."""
    fields = Fields(catalog())
    given = {"only_streams": ('a"\\b',), "only_failed": True, "only_flows": (3, 1), "paths": ()}
    text = filter_text(given, fields)

    assert text.startswith("(tcp.stream in {3, 1}) && (")
    assert 'pravega.segment in {"a\\"\\\\b"}' in text
    assert {f"{short}.failed" for short in fields.protocols} <= set(
        text.replace("(", " ").replace(")", " ").split()
    )
    assert spelling(given) == '--flow 3,1 --stream a"\\b --failed'
    assert filter_text({}, fields) == ""


def test_completion() -> None:
    """Commands by the names that rows show; types of conversations."""
    shell = ShellComplete(program, {}, "streamshark", "_STREAMSHARK_COMPLETE")

    def completed(*words: str) -> list[str]:
        return [each.value for each in shell.get_completions(list(words[:-1]), words[-1])]

    assert completed("read", "--command", "open_r") == ["open_response"]
    assert {"publish", "pub"} <= set(completed("check", "--command", "pu"))
    assert completed("conversations", "--type", "subs") == ["subscription"]
