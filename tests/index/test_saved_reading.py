"""A saved reading is used only if it is sound."""

from pathlib import Path

from tests.failures import every

from streamshark.index.layout import DETAILS, EVENTS, MARK, ROWS, IndexProgress, write_json
from streamshark.index.saved_reading import SavedReading, _digest


@every(
    "name, data",
    [
        ("", b""),
        ("saved.json", b"{"),
        ("saved.json", b'{"progress": {}}'),
        ("saved.state", b"other"),
        ("saved.mark", b"other"),
        ("rows.time", None),
    ],
)
def test_damage(name: str, data: bytes | None, tmp_path_factory: object) -> None:
    """Whatever is damaged or gone, the index is made again."""
    folder = Path(tmp_path_factory.mktemp("index"))  # type: ignore[attr-defined]
    (folder / "saved.state").write_bytes(b"state")
    (folder / "saved.mark").write_bytes(b"\1\0")
    for each in (*ROWS, EVENTS, DETAILS, MARK):
        (folder / f"rows.{each}").write_bytes(b"")
    about = {"progress": IndexProgress(rows=2)._asdict(), "digest": _digest(b"state", b"\1\0")}
    write_json(folder / "saved.json", about)
    if name and data is None:
        (folder / name).unlink()
    elif name:
        (folder / name).write_bytes(data or b"")

    saved = SavedReading(folder)
    found = saved.progress()
    assert (found is None) == bool(name)
    if found is not None:
        saved.put_marks_back()
        assert (folder / f"rows.{MARK}").read_bytes() == b"\1\0"
