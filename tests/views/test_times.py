"""Times as RFC 3339 and in tshark's formats."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import START_NS, Conversation, pcap
from tests.reading import ALONE

from streamshark.views.times import NS, STYLES, Clock, Rfc3339


@pytest.fixture
def _elsewhere() -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = "XYZ-5:30"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.parametrize(
    ("time_ns", "text"),
    [
        (0, "1970-01-01T00:00:00.000000000Z"),
        (START_NS + 1, "2023-11-14T22:13:20.000000001Z"),
        (-1, "1969-12-31T23:59:59.999999999Z"),
        (253_402_300_799 * NS, "9999-12-31T23:59:59.000000000Z"),
        (253_402_300_800 * NS, None),
        (-62_135_596_800 * NS, "0001-01-01T00:00:00.000000000Z"),
        (-62_135_596_801 * NS, None),
        (1 << 80, None),
    ],
)
def test_rfc_3339(time_ns: int, text: str | None) -> None:
    """Nanoseconds in UTC; None for years that it cannot write."""
    assert Rfc3339()(time_ns) == text


def test_rfc_3339_of_rows_in_one_second() -> None:
    """What is kept of the second before is right for the next."""
    show = Rfc3339()

    assert [show(START_NS + each)[-13:] for each in (0, 5, NS, 0)] == [
        "20.000000000Z", "20.000000005Z", "21.000000000Z", "20.000000000Z",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("style", "texts"),
    [
        ("r", ["  1.000000", "  1.000500", "  0.500000"]),
        ("d", ["  0.000000", "  0.000500", " -0.500500"]),
        ("dd", ["  0.000000", "  0.000500", " -0.500500"]),
        ("e", ["1700000001.000000", "1700000001.000500", "1700000000.500000"]),
        ("u", ["22:13:21.000000", "22:13:21.000500", "22:13:20.500000"]),
        ("ud", ["2023-11-14 22:13:21.000000", "2023-11-14 22:13:21.000500",
                "2023-11-14 22:13:20.500000"]),
        ("udoy", ["2023/318 22:13:21.000000", "2023/318 22:13:21.000500",
                  "2023/318 22:13:20.500000"]),
    ],
)  # fmt: skip
def test_styles(style: str, texts: list[str]) -> None:
    """Each style, over rows whose times go up and down."""
    clock = Clock(style, lambda: START_NS)
    times = [START_NS + NS, START_NS + NS + 500_000, START_NS + NS // 2]

    assert [clock(each) for each in times] == texts


@pytest.mark.usefixtures("_elsewhere")
def test_local_times() -> None:
    """Without u, times are those of the place."""
    assert Clock("a")(START_NS) == "03:43:20.000000"
    assert Clock("ad")(START_NS) == "2023-11-15 03:43:20.000000"
    assert Clock("adoy")(START_NS) == "2023/319 03:43:20.000000"


def test_relative_times_begin_with_the_first_row_where_nothing_else_is_known() -> None:
    """The first row is 0 then."""
    clock = Clock("r")

    assert [clock(START_NS), clock(START_NS + 1000)] == ["  0.000000", "  0.000001"]


def test_digits() -> None:
    """`-t r.3` shows milliseconds, `-t r.0` seconds, `-t r.9` nanoseconds."""
    assert Clock("r", lambda: 0, 3)(1_234_567_890) == "     1.234"
    assert Clock("r", lambda: 0, 0)(1_234_567_890) == "         1"
    assert Clock("r", lambda: 0, 9)(1_234_567_890) == "1.234567890"
    assert Clock("u", digits=0)(START_NS) == "22:13:20"


def test_times_beyond_all_years() -> None:
    """No time makes a row fail."""
    assert Clock("ud")(1 << 80) == f"{(1 << 80) // NS}.{(1 << 80) % NS // 1000:06}"


@pytest.mark.process
@pytest.mark.parametrize("style", sorted(STYLES))
def test_styles_are_those_of_tshark(style: str, tmp_path: Path) -> None:
    """Each style shows what tshark shows for the same packets."""
    talk = Conversation().handshake()
    path = tmp_path / "talk.pcap"
    path.write_bytes(pcap(talk.packets))
    lines = subprocess.run(
        ["tshark", "-n", "-r", str(path), "-t", style],
        capture_output=True,
        check=True,
        text=True,
        env=ALONE,
    ).stdout.splitlines()
    clock = Clock(style, lambda: START_NS)

    for line, packet in zip(lines, talk.packets, strict=True):
        assert clock(packet.time_ns).strip() in line
