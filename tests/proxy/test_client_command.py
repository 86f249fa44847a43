"""The command that runs as the client: what it finds, and what it is sent."""

import asyncio
import signal
import sys

import pytest

from streamshark.errors import StreamsharkError
from streamshark.proxy.client_command import ClientCommand, check_command, filled, variables
from streamshark.proxy.targets import parse_target

ADDRESSES = [
    (parse_target("nats://me:word@demo:4222"), "127.0.0.1", 21_000),
    (parse_target("broker:9292"), "::1", 21_001),
]


def test_variables_and_placeholders() -> None:
    """URLs as the client would write them, with user and password; others have a number."""
    found = variables(ADDRESSES)

    assert found == {
        "STREAMSHARK_PROXY_URL": "nats://me:word@127.0.0.1:21000",
        "STREAMSHARK_PROXY_HOST": "127.0.0.1",
        "STREAMSHARK_PROXY_PORT": "21000",
        "STREAMSHARK_PROXY_URL_2": "[::1]:21001",
        "STREAMSHARK_PROXY_HOST_2": "::1",
        "STREAMSHARK_PROXY_PORT_2": "21001",
    }
    given = ["--url={url}", "{host2}:{port2}", "{url2}{x}", "{}"]
    assert filled(given, found) == [
        "--url=nats://me:word@127.0.0.1:21000",
        "::1:21001",
        "[::1]:21001{x}",
        "{}",
    ]


def test_a_command_that_is_missing() -> None:
    """One sentence."""
    for command, text in (("no-such-command", "command not found"), ("/", "not executable")):
        with pytest.raises(StreamsharkError, match=f"{command}: {text}"):
            check_command([command])


@pytest.mark.process
def test_codes_and_signals() -> None:
    """Its exit code, that of a signal that killed it, and signals that it answers."""
    waits = "import signal, sys, time\nsignal.signal({}, {})\nprint(1, flush=True)\ntime.sleep(20)"
    answers = waits.format("signal.SIGTERM", "lambda *_: sys.exit(7)")
    dies = waits.format("signal.SIGTERM", "signal.SIG_DFL")

    async def run(program: str, number: int | None) -> int:
        client = await ClientCommand.started([sys.executable, "-c", program], {})
        if number is not None:
            await asyncio.sleep(0.3)
            client.signal(number)
        return await client.finished()

    async def all_of_them() -> list[int]:
        return [
            *await asyncio.gather(
                run("raise SystemExit(3)", None),
                run(answers, signal.SIGTERM),
                run(dies, signal.SIGTERM),
            )
        ]

    assert asyncio.run(all_of_them()) == [3, 7, 143]
