"""The process that builds an index: it takes its task from its command line."""

import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from streamshark.errors import StreamsharkError
from streamshark.index import cache
from streamshark.index.layout import IndexProgress
from streamshark.index.options import IndexOptions

NICE: Final = 5
"""By how much it gives way to the screens, which show what it has indexed so far."""


def build(  # noqa: PLR0913 - as `IndexBuilder`
    folder: Path,
    sources: Sequence[str],
    options: IndexOptions,
    *,
    cached: bool,
    follows: bool = False,
    count: int = 1,
    report: Callable[[IndexProgress], object] = lambda _progress: None,
) -> IndexProgress | None:
    """Build the index of captures in a folder, or what is missing of it.

    Returns:
        How far it is; None if another process builds it.

    Raises:
        StreamsharkError: A capture cannot be read at all.
    """
    from streamshark.index.build import IndexBuilder  # noqa: PLC0415 - `main` prepares for it

    with cache.locked(folder) as mine:
        if not mine:
            return None
        builder = IndexBuilder(
            sources, folder, options, cached=cached, follows=follows, count=count
        )
        progress = builder.run(report)
        if cached:
            cache.trim(keep=folder)
        return progress


def main(arguments: Sequence[str]) -> int:
    """Build an index, as `IndexedCaptures` asks for it; return the exit code."""
    where, sources, options, cached, follows, count = json.loads(arguments[0])
    os.nice(NICE)
    gc.disable()  # imports leave no garbage
    import streamshark.index.build  # noqa: F401, PLC0415
    from streamshark import table_cache  # noqa: PLC0415 - as `build`

    table_cache.use()

    gc.freeze()
    gc.set_threshold(50_000, 4, 4)  # as for every reading
    gc.enable()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(1))  # what is committed stays
    parent = os.getppid()

    def look(_progress: IndexProgress) -> None:
        if os.getppid() != parent:
            os._exit(1)  # it is read no more

    try:
        progress = build(
            Path(where),
            sources,
            IndexOptions.of(options),
            cached=cached,
            follows=follows,
            count=count,
            report=look,
        )
        if progress is not None and progress.reason:  # which a full disk may not take
            sys.stderr.write(f"streamshark: {progress.reason}\n")
    except StreamsharkError as error:
        sys.stderr.write(f"streamshark: {error}\n")
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"streamshark: {error.filename or where}: {error.strerror or error}\n")
        return StreamsharkError.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
