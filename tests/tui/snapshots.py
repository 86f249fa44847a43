"""Writes what the screens show, at three widths, into tests/tui/snapshots.

python -m tests.tui.snapshots
"""

from pathlib import Path

from tests.tui.screens import run, text

FOLDER = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (104, 30), (150, 40))
SCREENS = {
    "findings": ("f5",),
    "frames": ("enter", "tab", "down", "down", "down"),
    "ladder": ("F",),
    "conversations": ("escape",),
    "connections": ("f4",),
    "statistics": ("f6",),
}
"""Name of each snapshot, and the keys that lead to it from the one before."""
PATIENCE = 50
"""How often a screen is looked at, until it stays as it is."""


def taken(size: tuple[int, int]) -> dict[str, str]:
    """Return the snapshots of a size, by the names of their files."""
    found: dict[str, str] = {}

    async def script(app, pilot) -> None:  # noqa: ANN001 - as of `run`
        for name, keys in SCREENS.items():
            for key in keys:
                await pilot.press(key)
            before = ""
            for _ in range(PATIENCE):
                await pilot.pause(0.05)
                if before == (shown := text(app)):
                    break
                before = shown
            lines = (each.rstrip() for each in before.splitlines())
            found[f"{name}-{size[0]}.txt"] = "\n".join(lines) + "\n"

    run(script, size=size)
    return found


def main() -> None:
    """Write all snapshots."""
    FOLDER.mkdir(exist_ok=True)
    for size in SIZES:
        for name, shown in taken(size).items():
            (FOLDER / name).write_text(shown, encoding="utf-8")


if __name__ == "__main__":
    main()
