"""Files that a generator keeps in the repository: written, or compared with what is there."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path


class GeneratedFiles:
    """The files of one generator.

    `texts` are their contents by path in the folder; `patterns` match every file of the generator,
    so that those no longer made are found.
    """

    def __init__(self, texts: Mapping[str, str], patterns: Iterable[str]) -> None:
        self.texts = texts
        self.patterns = tuple(patterns)

    def write(self, folder: Path) -> None:
        """Write all files; remove those that are no longer made."""
        for name in self.left_over(folder):
            (folder / name).unlink()
        for name, text in self.texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")

    def stale(self, folder: Path) -> list[str]:
        """Return the names of files that differ from what would be written, or are left over."""
        differ = [name for name, text in self.texts.items() if _content(folder / name) != text]
        return [*differ, *self.left_over(folder)]

    def left_over(self, folder: Path) -> list[str]:
        """Return the names of files that are no longer made."""
        there = {path for pattern in self.patterns for path in folder.glob(pattern)}
        names = sorted(path.relative_to(folder).as_posix() for path in there)
        return [name for name in names if name not in self.texts]

    def main(self, arguments: list[str], folder: Path, module: str) -> int:
        """Write the files, or with `--check` compare them; return the exit code.

        The arguments may name another folder. `module` is what to run if a file is stale.
        """
        folder = next((Path(each) for each in arguments if each != "--check"), folder)
        if "--check" not in arguments:
            self.write(folder)
            return 0
        found = self.stale(folder)
        for name in found:
            print(f"{folder / name} is stale; run: python -m {module}", file=sys.stderr)  # noqa: T201
        return 1 if found else 0


def _content(path: Path) -> str | None:
    """Return the text of a file; None if there is none."""
    return path.read_text(encoding="utf-8") if path.is_file() else None
