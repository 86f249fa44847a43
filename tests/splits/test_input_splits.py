"""Parts of a file have its packets, each once, with their numbers and times."""

from collections import Counter
from pathlib import Path

import pytest
from tests.packets import Packet, packets, recorded, write

from streamshark.capture import open_capture
from streamshark.capture.pcap import PcapCapture
from streamshark.splits.input_splits import Extent, extent, glance, splits
from streamshark.splits.inputs import inputs


def listed(path: str) -> list[tuple[int, int, bytes, int]]:
    """Number, time, bytes and link type of all packets."""
    return [
        (batch.first + at, batch.times[at],
         batch.data[batch.starts[at] : batch.starts[at] + batch.captured[at]], batch.links[at])
        for batch in open_capture(path).batches()
        for at in range(len(batch))
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["pcap", "pcapng"])
def test_large_files(tmp_path: Path, kind: str) -> None:
    """The reader continues inside the file, at the start of a packet."""
    recording = recorded("rabbitmq_stream/publish_confirm")[0]
    if kind == "pcap":
        path = write(tmp_path / "all.pcap", packets(recording) * 600)
    else:
        path = str(tmp_path / "all.pcapng")
        Path(path).write_bytes(Path(recording).read_bytes() * 400)
    (file,) = inputs([path])
    wanted = listed(path)
    parts = list(splits(file, 300_000))
    found = []
    for each in parts:
        assert each is not None
        for batch in each.open(path).batches(limit=each.packets):
            found += [
                (batch.first + at, batch.times[at],
                 batch.data[batch.starts[at] : batch.starts[at] + batch.captured[at]],
                 batch.links[at])
                for at in range(len(batch))
            ]  # fmt: skip
    assert len(parts) > 2
    assert found == wanted


def test_what_is_not_parted(tmp_path: Path) -> None:
    """Small and compressed files are one part, and what is no capture has none."""
    small = recorded("rsocket/cancels_js")[0]
    packed = recorded("rabbitmq_stream/starts_mid_frame")[0]
    assert packed.endswith(".gz")
    foreign = tmp_path / "notes.txt"
    foreign.write_text("words " * 100)
    assert list(splits(inputs([small])[0])) == [None]
    assert list(splits(inputs([packed])[0], 10)) == [None]
    assert list(splits(inputs([str(foreign)])[0], 10)) == []


@pytest.mark.parametrize("kind", ["pcap", "pcapng"])
def test_the_last_packet(tmp_path: Path, kind: str) -> None:
    """It is found from the end of a file that is larger than what is looked at, but for damage."""
    recording = recorded("rabbitmq_stream/publish_confirm")[0]
    path = tmp_path / f"all.{kind}"
    found = packets(recording)
    if kind == "pcap":
        later = [
            each._replace(time_ns=each.time_ns + at * 10**9) for at in range(99) for each in found
        ]
        write(path, later)
    else:
        path.write_bytes(Path(recording).read_bytes() * 99)
    (file,) = inputs([str(path)])
    assert file.size > 300_000
    whole = extent(file, file.size)
    assert whole is not None
    assert whole.last_ns > whole.first_ns
    assert glance(file) == whole
    with path.open("ab") as end:
        end.write(b"\1" * 40)
    (file,) = inputs([str(path)])
    assert glance(file) == Extent(whole.first_ns, whole.first_ns, [(None, file.size)])


def test_no_place_of_the_tail_is_looked_at_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work stays small, however many false records the file has."""
    path, looked_at = tmp_path / "all.pcap", Counter[int]()
    write(path, [Packet(at, b"x", 1, 1) for at in range(20_000)])
    with path.open("ab") as end:
        end.write(b"\1" * 40)
    record_end = PcapCapture.record_end

    def counted(capture: PcapCapture, data: bytes, at: int) -> int | None:
        looked_at[at] += 1
        return record_end(capture, data, at)

    monkeypatch.setattr(PcapCapture, "record_end", counted)
    found = glance(inputs([str(path)])[0])
    assert found is not None
    assert found.last_ns == found.first_ns
    assert len(looked_at) > 100_000
    assert set(looked_at.values()) == {1}


def test_a_glance(tmp_path: Path) -> None:
    """It tells where a file begins and ends, and which files are to be divided."""
    small = recorded("rsocket/cancels_js")[0]
    packed = recorded("rabbitmq_stream/starts_mid_frame")[0]
    foreign, empty = tmp_path / "notes.txt", write(tmp_path / "empty.pcap", [])
    foreign.write_text("words " * 100)
    (file,) = inputs([small])
    whole = extent(file)
    assert whole is not None
    assert glance(file) == whole
    divided = glance(file, file.size // 3)
    assert divided is not None
    assert divided.parts == []
    undivided = glance(inputs([packed])[0], 10)
    assert undivided is not None
    assert len(undivided.parts) == 1
    assert [glance(each) for each in inputs([str(foreign), empty, str(tmp_path / "none")])] == [
        None, None, None,
    ]  # fmt: skip
