"""Opens an index of captures, which another process builds meanwhile."""

import multiprocessing
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from streamshark.index.build import IndexBuilder, IndexOptions
from streamshark.index.reader import Index


def _build(sources: Sequence[str], folder: Path, options: IndexOptions) -> None:
    IndexBuilder(sources, folder, options).run()


@contextmanager
def indexed(sources: Sequence[str], given: Mapping[str, Any]) -> Iterator[Index]:
    """Open the index of captures."""
    options = IndexOptions(
        paths=given["paths"], decode_as=given["decode_as"], dialects=given["dialects"],
        limit=given["limit"], keylog=given["keylog"],
    )  # fmt: skip
    known = options.session(()).dissector.known
    with tempfile.TemporaryDirectory() as folder:
        context = multiprocessing.get_context("spawn")
        child = context.Process(target=_build, args=(sources, Path(folder), options), daemon=True)
        child.start()
        try:
            while not (Path(folder) / "progress.json").exists() and child.is_alive():
                time.sleep(0.02)
            with Index(Path(folder), known) as index:
                yield index
        finally:
            child.terminate()
            child.join()
