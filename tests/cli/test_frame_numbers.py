"""Numbers of frames as users type them."""

from pathlib import Path

import pytest
from tests.cli.console import PARROT, call
from tests.failures import every
from tests.packets import packets, recorded

from streamshark.cli.frame_numbers import FrameNumbers

CAPTURE, *_ = recorded("rabbitmq_stream/login_fails")


def test_ranges() -> None:
    """They are in order, and none of them twice."""
    numbers = FrameNumbers([(7, 9), (3, 3), (1, 2), (8, 20), (30, 30)])

    assert numbers.ranges == [(1, 3), (7, 20), (30, 30)]
    assert [at for at in range(40) if at in numbers] == [1, 2, 3, *range(7, 21), 30]
    assert list(numbers.among(8)) == [1, 2, 3, 7, 8]
    assert numbers.last == 30
    assert not FrameNumbers()


@every("text", ["0", "x", "3-2", "-1", "1,,2", "1-2-3", "9" * 20])
def test_wrong(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is no number is a usage error."""
    done = call(monkeypatch, "read", "--frame", text, CAPTURE)

    assert done.code == 2
    assert "not the number of a frame" in done.err


def test_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames are shown as without the option; events have no number."""
    everything = call(monkeypatch, "read", "-T", "ndjson", CAPTURE).out.splitlines()
    frames = [each for each in everything if '"frame":null' not in each]
    for given, wanted in (
        (("--frame", "2-4,6"), [1, 2, 3, 5]),
        (("--frame", "6", "--frame", "1"), [0, 5]),
    ):
        done = call(monkeypatch, "read", "-T", "ndjson", *given, CAPTURE)
        assert done == (0, "".join(f"{frames[at]}\n" for at in wanted), "")
    one = call(monkeypatch, "read", "-T", "ndjson", "--frame", "2-6", "--command", "open", CAPTURE)
    both = [each for each in frames[1:] if '"command":"open"' in each]
    assert one.out.splitlines() == both


def test_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers without a frame are named; nothing at all is an error."""
    some = call(monkeypatch, "read", "--frame", "6,9-11", CAPTURE)
    assert (some.code, some.err) == (
        0, "streamshark: --frame 9-11: the captures have 6 frames\n",
    )  # fmt: skip
    assert len(some.out.splitlines()) == 1
    none = call(monkeypatch, "read", "--frame", "7", *PARROT, CAPTURE)
    assert (none.code, none.out) == (2, "")


def test_packets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With -w, the packets of the frames are written, or their whole connections."""
    for given, count in (((), 2), (("--flows",), len(packets(CAPTURE)))):
        out = str(tmp_path / f"{count}.pcapng")
        done = call(monkeypatch, "read", "--frame", "3-4", "-w", out, *given, CAPTURE)
        assert done.code == 0
        assert len(packets(out)) == count
    assert call(monkeypatch, "read", "--frame", "3", "--packets", CAPTURE).code == 2
