"""Counts the steps of rules on the frames that healthy programs send most.

Each frame pays for the rules of its kind, so each kind has a limit. A rule that needs more raises
the limit in the same change, with the reason.
"""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from tests.failures import every

from streamshark.dissection.row import FrameRow
from streamshark.session import Session

LIMITS = {
    ("rabbitmq_stream/long_run_rust", 500): {
        "publish client": 292,  # one rule asks for the first message of a publisher
        "publish_confirm server": 70,
        "deliver server": 225,
        "credit client": 105,
        "store_offset client": 215,  # two rules ask for all connections
    },
    ("rsocket/long_run_py", 500): {
        "payload server": 205,
        "request_response client": 265,
        "request_fnf client": 270,
        "request_stream client": 275,
        "request_n client": 105,
    },
    ("nats/long_run_py", 500): {
        "pub client": 490,
        "msg server": 404,
        "hpub client": 465,
        "hmsg server": 363,
    },
    ("pravega/long_run_py", 1500): {
        "append_block_end client": 218,
        "conditional_append client": 163,
        "data_appended server": 65,
        "read_segment client": 186,
        "segment_read server": 105,
        "update_table_entries client": 165,
    },
    ("liftbridge/long_run_py", 500): {
        "pub client": 265,
        "msg server": 226,
        "publish client": 95,
        "message server": 106,
    },
}
"""Recording of a healthy program, and how many of its frames are counted, to kinds of frames, each
with the most steps of a frame."""
HANDLER = "<handler of "


class Steps:
    """Counts what the generated code does: its lines, and the functions that these call."""

    def __init__(self) -> None:
        self.frames: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()
        self._kind = ""
        self._handler: FrameType | None = None

    def trace(self, frame: FrameType, event: str, _given: object) -> Any:  # noqa: ANN401 - as of `settrace`
        """Count a call, or begin with the lines of a handler; see `sys.settrace`."""
        if self._handler is not None:
            self.steps[self._kind] += 1
            return None
        if event != "call" or not frame.f_code.co_filename.startswith(HANDLER):
            return None
        row = frame.f_locals.get("row")
        if not isinstance(row, FrameRow):
            return None
        self._kind, self._handler = f"{row.name} {row.sender}", frame
        self.frames[self._kind] += 1
        return self._lines

    def _lines(self, frame: FrameType, event: str, _given: object) -> Any:  # noqa: ANN401 - as above
        if event == "line":
            self.steps[self._kind] += 1
        elif event == "return" and frame is self._handler:
            self._handler = None
        return self._lines


def counted(path: str, count: int) -> dict[str, float]:
    """Return the steps of a frame by its kind and sender, once all handlers are compiled."""
    found = Steps()
    for steps in (None, found):
        with Session([path]) as session:
            analysis = session.analysis(rules=True, annotates=False)
            before = sys.gettrace()
            sys.settrace(steps and steps.trace)
            try:
                for _ in analysis.batches(lambda _row: None):
                    if session.frames > count:
                        break
            finally:
                sys.settrace(before)
    return {kind: found.steps[kind] / frames for kind, frames in found.frames.items()}


@every("recording", LIMITS)
def test_frames_of_healthy_programs_cost_no_more_than_their_limit(
    recording: tuple[str, int],
) -> None:
    """A limit that is much too high fails too, since it would check nothing."""
    (path,) = Path("captures", recording[0]).glob("traffic.*")
    steps = counted(str(path), recording[1])
    limits = LIMITS[recording]

    above = {kind: steps[kind] for kind, limit in limits.items() if steps[kind] > limit}
    assert not above
    assert not {kind: steps[kind] for kind, limit in limits.items() if steps[kind] < 0.65 * limit}
