"""Parts of protocols come when they are asked for."""

import subprocess
import sys
from dataclasses import replace

from streamshark.frames.later import later
from streamshark.protocols.rabbitmq_stream import PROTOCOL

PACKAGE = "streamshark.protocols.rabbitmq_stream"


def test_parts_may_come_later() -> None:
    """They are fetched when they are asked for, once, and copied as they are."""
    protocol = replace(PROTOCOL, rules=later(PACKAGE, "findings.RULES"), story=())

    assert callable(vars(protocol)["rules"])
    assert protocol.rules
    assert protocol.rules is vars(protocol)["rules"] is PROTOCOL.rules
    assert protocol.story == ()


def test_frames_of_protocols_that_are_not_met_are_not_imported() -> None:
    """A capture of one protocol loads its frames alone."""
    program = """
import sys
from pathlib import Path
from streamshark.session import Session
capture = next(Path("captures/rabbitmq_stream/publish_confirm").glob("traffic.*"))
assert list(Session([str(capture)]).rows())
found = {name.split(".")[2] for name in sys.modules if ".frames." in name.partition("protocols")[2]}
print(*sorted(found))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )

    assert ran.stdout.split() == ["rabbitmq_stream"]
