"""Programs that run for long collect their garbage."""

import subprocess
import sys

import pytest
from tests.failures import every

PROGRAM = """
import gc, sys
from streamshark.cli import {module} as module
from streamshark.cli.main import run
def taken(*_arguments, **_options):
    print(gc.isenabled())
    sys.exit()
{patch}
run({arguments})
"""


@pytest.mark.process
@every(
    ("module", "patch", "arguments"),
    [
        (
            "screens",
            (
                "module.require_terminal = lambda *_, **__: None\n"
                "import streamshark.cli.tui as tui\n"
                "tui.require_terminal = module.require_terminal\n"
                "from streamshark.tui.app import StreamsharkApp\n"
                "StreamsharkApp.run = taken"
            ),
            ["tui", "--no-cache", "captures/rabbitmq_stream/login_fails/traffic.pcapng"],
        ),
        (
            "proxy",
            "module.asyncio.run = taken",
            ["proxy", "rabbitmq-stream://127.0.0.1:1", "--listen", "127.0.0.1:0"],
        ),
        (
            "recording_report",
            "module.reported = taken",
            ["capture", "--follow", "captures/rabbitmq_stream/login_fails/traffic.pcapng"],
        ),
    ],
)
def test_screens_and_proxies(module: str, patch: str, arguments: list[str]) -> None:
    """Although nothing is collected while a command is imported."""
    program = PROGRAM.format(module=module, patch=patch, arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout == "True\n", done.stderr
