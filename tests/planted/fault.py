"""A fault that is planted in the source: a patch, applied by its lines instead of their numbers."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent


class PatchError(Exception):
    """A patch that does not say where in its file it is applied."""


@dataclass(frozen=True)
class Fault:
    """A fault: a patch of one file, `<kind>/<name>.patch`."""

    patch: Path

    @property
    def kind(self) -> str:
        """The folder of the patch."""
        return self.patch.parent.name

    @property
    def name(self) -> str:
        """The kind and what the fault does."""
        return f"{self.kind}/{self.patch.stem}"

    @property
    def source(self) -> Path:
        """The file that is changed, below the repository's root."""
        (found,) = re.findall(r"^\+\+\+ b/(.*)$", self.patch.read_text(), re.MULTILINE)
        return Path(found)

    def planted(self, text: str) -> str:
        """Return a source with the fault.

        The patch's lines are looked for in the whole source. Where they are not found, a line of
        context less is looked for at both ends, so that a patch still fits when the lines around
        it have changed.

        Raises:
            PatchError: the lines are not in the source, or in several places.
        """
        for hunk in re.split(r"^@@.*\n", self.patch.read_text(), flags=re.MULTILINE)[1:]:
            text = _replaced(text, hunk.splitlines(keepends=True))
        return text


def faults(chosen: list[str]) -> list[Fault]:
    """Return the faults whose names begin as one of those that are chosen, or all."""
    every = [Fault(each) for each in sorted(FOLDER.glob("*/*.patch"))]
    return [each for each in every if not chosen or each.name.startswith(tuple(chosen))]


def _replaced(text: str, hunk: list[str]) -> str:
    """Return a text in which the old lines of a hunk are replaced by the new ones."""
    while True:
        old = "".join(each[1:] for each in hunk if each[0] != "+")
        new = "".join(each[1:] for each in hunk if each[0] != "-")
        places = f"\n{text}".count(f"\n{old}") if old else 0
        if places == 1:
            return f"\n{text}".replace(f"\n{old}", f"\n{new}")[1:]
        if places or not {" "} & {hunk[0][0], hunk[-1][0]}:
            raise PatchError(f"these lines are in {places} places of the source:\n{old}")
        hunk = hunk[hunk[0][0] == " " : len(hunk) - (hunk[-1][0] == " ")]
