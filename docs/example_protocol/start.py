"""Starts a protocol: copies the example under another name, to be changed file by file.

`make protocol NAME=chess` runs it; nothing that exists is overwritten.
"""

import re
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parent
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PLACES = {
    "tally": "src/streamshark/protocols",
    "tests": "tests/protocols",
    "vectors": "tests/vectors",
}
"""Folder of the example to the folder of the repository in which the new protocol gets its own."""


def renamed(text: str, name: str) -> str:
    """Return a file of the example as the protocol of this name has it."""
    text = re.sub(r"(?m)^from tally\b", f"from streamshark.protocols.{name}", text)
    title = name.replace("_", " ").title()
    for ours, theirs in (("tally", name), ("TALLY", name.upper()), ("Tally", title)):
        text = text.replace(ours, theirs)
    return text


def start(root: Path, name: str) -> list[Path]:
    """Write a protocol's folders into a repository; return the new files.

    Raises:
        ValueError: The name is no package name, or a folder of that name exists.
    """
    if not NAME.fullmatch(name):
        raise ValueError(f"NAME={name!r} is not a name in snake_case, such as rabbitmq_stream")
    for place in PLACES.values():
        if (root / place / name).exists():
            raise ValueError(f"{place}/{name} exists already")
    written = []
    for folder, place in PLACES.items():
        for source in sorted((EXAMPLE / folder).rglob("*.*")):
            if source.suffix in (".py", ".toml"):
                path = root / place / name / source.relative_to(EXAMPLE / folder)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(renamed(source.read_text("utf-8"), name), "utf-8")
                written.append(path)
    return written


def main() -> None:
    """Start the protocol that the command line names."""
    if len(sys.argv) != 2:  # noqa: PLR2004 - the program and a name
        sys.exit("usage: make protocol NAME=chess")
    try:
        written = start(Path.cwd(), sys.argv[1])
    except ValueError as error:
        sys.exit(f"make protocol: {error}")
    for path in written:
        print(path.relative_to(Path.cwd()))


if __name__ == "__main__":
    main()
