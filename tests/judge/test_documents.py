"""What the documents show of tshark is what it prints."""

import re
from pathlib import Path

import pytest
from tests.judge.judging import tshark
from tests.judge.traffic import PLUGINS

SHOWN = re.compile(
    r"`tshark (?P<options>[^`]*)-r (?P<capture>[^` ]+)(?P<more>[^`]*)`:\n\n"
    r"```text\n(?P<text>.*?)```",
    re.DOTALL,
)
TIMES = re.compile(r"(?<=\[Response time: )[^]]*")
"""Wireshark 4.6 writes them with other units."""


@pytest.mark.parametrize("document", ["dissectors/README.md", "docs/wireshark.md"])
def test_what_is_shown_is_printed(document: str) -> None:
    """With all plugins, on the capture that is named."""
    found = list(SHOWN.finditer(Path(document).read_text()))
    assert found
    for each in found:
        options = (*each["options"].split(), *each["more"].split())
        told = tshark(Path(each["capture"]), sorted(PLUGINS.glob("*.lua")), *options)
        assert TIMES.sub("", each["text"]) in TIMES.sub("", told)
