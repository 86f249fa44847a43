"""The configuration profile, and the statistics of the menu Tools as tshark prints them."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from streamshark.errors import StreamsharkError
from streamshark.lua import install as installing
from streamshark.lua import profile

PROGRAM = os.environ.get("STREAMSHARK_TSHARK", "tshark")
SHORTS = ("rmqstream", "rsocket")
CAPTURE = Path("captures/rabbitmq_stream/bug_deliver_twice/traffic.pcapng").absolute()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for tshark, with two plugins; its folder of plugins."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    where = installing.folder(PROGRAM)
    paths = map(Path, ("dissectors/rabbitmq_stream.lua", "dissectors/rsocket.lua"))
    installing.install({path.name: path.read_text() for path in paths}, where)
    return where


def test_wireshark_takes_the_profile(home: Path) -> None:
    """Its columns show what plugins find, and all its filters are valid and select something."""
    where = profile.install(SHORTS, PROGRAM)
    assert where.is_relative_to(home.parents[3])
    filters = [
        line.split("@")[2]
        for line in (where / "colorfilters").read_text().splitlines()
        if "@Streamshark" in line
    ]
    tables = (where / "dfilter_buttons").read_text(), (where / "io_graphs").read_text()
    filters += [
        each.replace(r"\x22", '"')
        for text in tables
        for each in re.findall(r'^"[^"]*","[^"]*","([^"]*)"', text, re.MULTILINE)
    ]
    assert len(filters) > 14
    counts = [item for each in filters for item in ("-z", f"io,stat,0,{each}")]
    out, complaints = installing.run(
        "-C", profile.NAME, "-n", "-r", str(CAPTURE), *counts, program=PROGRAM
    )
    assert "Error" not in complaints, complaints
    assert "invalid" not in complaints, complaints
    (row,) = (line for line in out.splitlines() if line.split()[:1] == ["22"])
    assert row.split()[6:9] == [
        "deliver,deliver",
        "0-18-subscription,0-18-subscription",
        "RMQ-D6:",
    ]
    assert "chunk 5 was delivered after chunk 5 deliver" in row
    counted = re.findall(r"^\| 0\.000 <> .*?\| *(\d+) \|", out, re.MULTILINE)
    selected = [int(each) for each in reversed(counted)]
    assert len(selected) == len(filters)
    assert selected[0] == 0, "errors"
    assert selected[1:3] == [1, 2], "warnings; all findings"


@pytest.mark.usefixtures("home")
def test_what_a_user_changed_is_kept() -> None:
    """Wireshark writes a file of the profile anew; it is neither overwritten nor removed."""
    where = profile.install(SHORTS, PROGRAM)
    (where / profile.WIDTHS).write_text("# by Wireshark\n")
    assert profile.install(SHORTS, PROGRAM) == where
    assert (where / profile.WIDTHS).read_text() == "# by Wireshark\n"
    (where / "preferences").write_text("# by Wireshark\n")
    with pytest.raises(StreamsharkError, match="preferences was changed"):
        profile.install(SHORTS, PROGRAM)
    profile.uninstall(PROGRAM)
    assert [path.name for path in where.iterdir()] == ["preferences"]


def test_statistics_count_what_fields_show(home: Path) -> None:
    """Response times, findings and conversations are those of the packet list's fields."""
    names = ("command", "response_time", "finding", "conversation")
    fields = [item for name in names for item in ("-e", f"rmqstream.{name}")]
    rows = [
        line.split("\t")
        for line in tshark(
            "-T", "fields", *fields, "-Y", "rmqstream", "-E", "occurrence=f"
        ).splitlines()
    ]
    times = Counter(command for command, time, _, _ in rows if time)
    found = Counter(each[2] for each in rows if each[2])
    talks = {each[3] for each in rows}
    for path in home.iterdir():
        path.unlink()  # else the protocol would be there twice
    told = {
        kind: [line.split() for line in tshark("-q", *script(kind)).splitlines()[1:]]
        for kind in ("response-times", "findings", "conversations")
    }
    assert {row[0]: int(row[1]) for row in told["response-times"]} == times
    assert {row[0]: int(row[2]) for row in told["findings"]} == found
    assert {row[0] for row in told["conversations"]} == talks
    (own,) = (row for row in told["conversations"] if row[0] == "0-18-subscription")
    assert own[5:7] == ["subscribe", "bug-again"]


def test_statistics_name_the_lowest_severity_too() -> None:
    """A finding that is a chat has its severity and its sentence."""
    (capture,) = Path("captures/pravega/bug_appends").glob("traffic.*")
    out, _ = installing.run(
        "-n", "-r", str(capture), "-q", *script("findings", "pravega"), program=PROGRAM
    )
    rows = [line.split(maxsplit=5) for line in out.splitlines() if line.startswith("PRV-P38")]
    assert rows
    assert [each[1] for each in rows] == ["chat"] * len(rows)
    assert all("the previous bytes end at" in each[5] for each in rows)


@pytest.mark.parametrize(
    ("protocol", "name"),
    [("liftbridge", "bug_paused_while_read"), ("pravega", "bug_scaled_to_and_fro_java")],
)
def test_statistics_count_calls(protocol: str, name: str) -> None:
    """Findings of messages, and response times of gRPC calls, are those that fields show."""
    (capture,) = Path(f"captures/{protocol}/{name}").glob("traffic.*")
    plugin = ("-X", f"lua_script:{Path(f'dissectors/{protocol}.lua').absolute()}")

    def lines(*arguments: str) -> list[list[str]]:
        out, _ = installing.run("-n", "-r", str(capture), *arguments, program=PROGRAM)
        return [line.split() for line in out.splitlines()]

    shown = {
        field: Counter(
            value
            for row in lines(*plugin, "-T", "fields", "-e", f"{protocol}.{field}")
            for cell in row
            for value in cell.split(",")
        )
        for field in ("finding", "response_time")
    }
    counted: Counter[str] = Counter()
    for row in lines("-q", *script("findings", protocol))[1:]:
        counted[row[0]] += int(row[2])
    times = lines("-q", *script("response-times", protocol))[1:]

    assert counted == shown["finding"]
    assert sum(int(row[1]) for row in times) == shown["response_time"].total()
    assert any(row[0] != row[0].lower() for row in times), "methods"


def script(kind: str, protocol: str = "rabbitmq_stream") -> tuple[str, ...]:
    """Options by which tshark prints statistics."""
    plugin = Path(f"dissectors/{protocol}.lua").absolute()
    return ("-X", f"lua_script:{plugin}", "-X", f"lua_script1:{kind}")


def tshark(*arguments: str) -> str:
    """What tshark prints of the capture."""
    return installing.run("-n", "-r", str(CAPTURE), *arguments, program=PROGRAM)[0]
