"""Writes docs/example-ticket.md: the ticket of a recorded bug, as the command makes it.

    python -m docs.example_ticket_page [--check] [FOLDER]

With `--check` nothing is written: a stale page is named, and the exit code is 1.
"""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from streamshark.cli.main import run
from streamshark.sharing.ticket import TEXT
from streamshark.views.generated_files import GeneratedFiles

NAME = "example-ticket.md"
CAPTURE = "captures/rabbitmq_stream/bug_password_with_line_feed_js/traffic.pcapng"
KEY = bytes(range(32))
"""The key by which names are replaced; a real one is random."""


def page() -> str:
    """Return the page."""
    with TemporaryDirectory() as folder:
        key, out = Path(folder, "key"), Path(folder, "ticket")
        key.touch(0o600)
        key.write_bytes(KEY)
        capture = str(Path(__file__).parent.parent / CAPTURE)
        with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(io.StringIO()):
            code = run(["ticket", capture, "--key", str(key), "-o", str(out)])
        if code:
            raise SystemExit(code)
        return (out / TEXT).read_text("utf-8")


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare it; return the exit code."""
    made = GeneratedFiles({NAME: page()}, (NAME,))
    return made.main(arguments, Path(__file__).parent, "docs.example_ticket_page")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
