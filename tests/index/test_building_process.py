"""The process that builds an index."""

import json

import pytest
from tests.packets import recorded

from streamshark.index import building_process
from streamshark.index.layout import IndexProgress
from streamshark.index.options import IndexOptions

(CAPTURE,) = recorded("rabbitmq_stream/bug_credit_never_renewed")


def test_why_a_building_stopped_is_said_twice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the index, which a full disk may not take, and on standard error."""
    stopped = IndexProgress(state="stopped", reason="/cache: No space left on device")
    monkeypatch.setattr(building_process, "build", lambda *_, **__: stopped)
    monkeypatch.setattr(building_process.gc, "freeze", lambda: None)
    monkeypatch.setattr(building_process.gc, "set_threshold", lambda *_: None)
    monkeypatch.setattr(building_process.signal, "signal", lambda *_: None)
    task = ["/cache", [CAPTURE], IndexOptions().plain(), True, False, 1]
    assert building_process.main([json.dumps(task)]) == 0
    assert capsys.readouterr().err == "streamshark: /cache: No space left on device\n"
