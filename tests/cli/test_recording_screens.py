"""The screens of a recording that is being written, in a real terminal."""

import sys
from pathlib import Path

import pytest
from tests.cli.test_tui import BUG, ROOT, terminal

RECORDER = """
import asyncio, sys
from pathlib import Path
from streamshark.cli.output import complain, held_messages
from streamshark.cli.recording_reader import RecordingReader

async def record(data, file):
    left = asyncio.Event()
    reader = RecordingReader([], left.set, screens=True)
    file.write_bytes(data[:2000])
    reader.follow(file)
    await reader.start()
    complain("a message of the recorder")
    while not file.with_suffix(".go").exists():
        await asyncio.sleep(0.02)
    with file.open("ab") as stream:
        stream.write(data[2000:])
    await left.wait()
    return await reader.finish()

with held_messages():
    code = asyncio.run(record(Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])))
sys.exit(code)
"""


@pytest.mark.process
def test_a_recording_is_shown_while_it_is_written(tmp_path: Path) -> None:
    """Rows come, messages wait until the user leaves, and the recorder learns that he has."""
    script, growing = tmp_path / "recorder.py", tmp_path / "growing.pcapng"
    script.write_text(RECORDER)
    with terminal(tmp_path) as shell:
        shell.run(f"{sys.executable} {script} {ROOT / BUG} {growing}")
        shell.wait(lambda shown: "  live" in shown and "peer_properties" in shown)
        growing.with_suffix(".go").touch()
        shown = shell.wait(lambda shown: "new, G follows" in shown)
        assert "a message" not in shown
        shell.press("Q")
        shown = shell.wait(lambda shown: "code=0" in shown)
        assert "streamshark: a message of the recorder" in shown
