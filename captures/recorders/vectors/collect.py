"""Turns the JSON lines that the recorders print into `tests/vectors/<protocol>/<shape>.toml`.

A line is one vector: `file` says where it goes, everything else is a member of its `[[vector]]`
table. Several recorders may write to one file; vectors keep the order of the inputs. Every file
that is named by an input is written anew, so all the recorders of a file must run together.

Usage: collect.py OUT_DIR LINES...
"""

import json
import sys
from pathlib import Path

HEAD = "# Written by captures/recorders/vectors; see tests/vectors/README.md.\n"
BLANK = ("note", "content")
"""Members that a recorder may give empty, and that then are left out."""

TWIN = ("name", "command", "hex", "expect", "content")
ORDER = ("name", "command", "release", "version", "dialect", "bare", "sequence", "part")


def text(value: str) -> str:
    """A TOML basic string; everything outside printable ASCII is escaped."""
    out = []
    for char in value:
        if char in '"\\':
            out.append("\\" + char)
        elif " " <= char <= "~":
            out.append(char)
        else:
            out.append(f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\U{ord(char):08X}")
    return '"' + "".join(out) + '"'


def key(name: str) -> str:
    """A bare key where TOML allows one."""
    bare = all(char.isascii() and (char.isalnum() or char in "_-") for char in name)
    return name if name and bare else text(name)


def toml(value: object) -> str:
    """One TOML value, on one line."""
    if value is None:
        return '"<null>"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        members = ", ".join(f"{key(name)} = {toml(item)}" for name, item in value.items())
        return "{ " + members + " }" if members else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return repr(value)


def table(vector: dict) -> str:
    """One `[[vector]]` table, short members first and the expected values last."""
    last = ("hex", "source", "note", "expect", "content", "reassembled")
    names = [name for name in ORDER if name in vector]
    names += [name for name in vector if name not in ORDER and name not in last]
    names += [name for name in last if name in vector]
    lines = [
        f"{key(name)} = {toml(vector[name])}\n"
        for name in names
        if vector[name] != "" or name not in BLANK
    ]
    return "\n[[vector]]\n" + "".join(lines)


def same_over_releases(vectors: list[dict]) -> list[dict]:
    """Join what several releases wrote alike; name the others by their first release."""
    joined: list[dict] = []
    for vector in vectors:
        twin = next(
            (each for each in joined if all(each.get(name) == vector.get(name) for name in TWIN)),
            None,
        )
        if twin is None or "release" not in vector:
            joined.append(vector)
            continue
        twin["release"] += vector["release"]
        twin["version"] += [each for each in vector["version"] if each not in twin["version"]]
    names = [vector["name"] for vector in joined]
    for vector in joined:
        if "release" in vector and names.count(vector["name"]) > 1:
            vector["name"] += "_since_" + vector["release"][0].replace(".", "_")
    return sorted(joined, key=lambda vector: names.index(vector["name"].partition("_since_")[0]))


def main() -> None:
    """Read all inputs, then write all files."""
    out, *inputs = map(Path, sys.argv[1:])
    files: dict[str, list[dict]] = {}
    for source in inputs:
        for line in source.read_text(encoding="utf-8").splitlines():
            vector = json.loads(line)
            files.setdefault(vector.pop("file"), []).append(vector)
    for name, all_vectors in sorted(files.items()):
        vectors = same_over_releases(all_vectors)
        names = [vector["name"] for vector in vectors]
        twice = sorted({each for each in names if names.count(each) > 1})
        if twice:
            sys.exit(f"{name}: names used twice: {', '.join(twice)}")
        path = out / f"{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + "".join(map(table, vectors)), encoding="ascii")
        print(f"{len(vectors):4} {path}")


if __name__ == "__main__":
    main()
