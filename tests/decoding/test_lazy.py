"""Parts of protocols come when they are asked for."""

import subprocess
import sys
from dataclasses import replace

import pytest

from streamshark.decoding.lazy import function, later
from streamshark.framing.wire_format import Evidence, WireFormat
from streamshark.protocols.rabbitmq_stream import PROTOCOL

PACKAGE = "streamshark.protocols.rabbitmq_stream"


def test_parts_may_come_later() -> None:
    """They are fetched when they are asked for, once, and copied as they are."""
    protocol = replace(PROTOCOL, rules=later(PACKAGE, "findings.all_rules.RULES"), sentences=())

    assert callable(vars(protocol)["rules"])
    assert protocol.rules
    assert protocol.rules is vars(protocol)["rules"] is PROTOCOL.rules
    assert protocol.sentences == ()


def test_a_function_is_imported_when_it_is_called() -> None:
    """It says where it is from, as the function itself does."""
    detect = function(PACKAGE, "detect.detect")
    evidence = Evidence(b"GET / ", True, (), False, False, True)  # noqa: FBT003

    assert detect.__module__ == f"{PACKAGE}.detect"
    assert detect(evidence) == PROTOCOL.wire.detect(evidence)


def test_what_must_be_given_has_no_default() -> None:
    """A protocol without heads is refused; other missing parts are empty."""
    with pytest.raises(TypeError):
        WireFormat(id="a", short="b")
    wire = WireFormat(id="a", short="b", heads={})

    assert (wire.frames, wire.bare, wire.marks) == ((), {}, None)


@pytest.mark.process
def test_protocols_that_are_not_met_are_not_imported() -> None:
    """A capture of one protocol loads of others how they are recognised."""
    program = """
import sys
from pathlib import Path
from streamshark.session import Session
capture = next(Path("captures/rabbitmq_stream/publish_confirm").glob("traffic.*"))
assert list(Session([str(capture)]).analysis(annotates=True).rows())
names = (name.split(".")[2:] for name in sys.modules if name.startswith("streamshark.protocols."))
print(*sorted({name[0] for name in names if len(name) > 1 and name[1] != "detect"}))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )

    assert ran.stdout.split() == ["rabbitmq_stream"]
