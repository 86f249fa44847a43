"""Compares our tables with a checkout of the broker's own: wrong fails, missing is printed.

    STREAMSHARK_RABBITMQ_SERVER=~/rabbitmq-server make drift

The checkout is a work tree or a bare repository of rabbitmq/rabbitmq-server. Compared are command
keys, response codes, offset types (`rabbit_stream.hrl`), the versions that the broker lists for the
commands a client sends (`rabbit_stream_utils.erl`), and that each command has its frames.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from streamshark.protocols.rabbitmq_stream import PROTOCOL
from streamshark.protocols.rabbitmq_stream.codes import Key, OffsetType, ResponseCode

VARIABLE = "STREAMSHARK_RABBITMQ_SERVER"
HEADER = "deps/rabbitmq_stream_common/include/rabbit_stream.hrl"
VERSIONS = "deps/rabbitmq_stream/src/rabbit_stream_utils.erl"

DEFINE = re.compile(r"^-define\((\w+), (\d+)\)\.", re.MULTILINE)
LISTED = re.compile(r"\{(\w+), \?VERSION_(\d), \?VERSION_(\d)\}")
OURS = {
    "create_stream": "create",
    "delete_stream": "delete",
    "vhost_access_failure": "virtual_host_access_failure",
}
"""The broker's word to the document's, which is ours."""

Table = Mapping[int, str]


class Difference(NamedTuple):
    """One thing that is not alike."""

    wrong: bool
    """False when we merely lack it."""
    what: str


def compare(read: Callable[[str], str]) -> list[Difference]:
    """All differences; `read` gives the text of a file of the checkout."""
    defined = {name: int(value) for name, value in DEFINE.findall(read(HEADER))}
    out = compared("command", Key, _table(defined, r"COMMAND_(\w+)"))
    out += compared("response code", ResponseCode, _table(defined, r"RESPONSE_(?:CODE_)?(\w+)"))
    out += compared("offset type", OffsetType, _table(defined, r"OFFSET_TYPE_(\w+)"))
    for name, least, most in LISTED.findall(read(VERSIONS)):
        out += _versions(OURS.get(name, name), set(range(int(least), int(most) + 1)))
    return out


def compared(what: str, ours: type[IntEnum], theirs: Table) -> list[Difference]:
    """Numbers with other names are wrong, numbers we do not have are missing."""
    known = {int(each): each.name.lower() for each in ours}
    out = [
        Difference(number in known, f"{what} {number}: {name} there, {known.get(number)} here")
        for number, name in theirs.items()
        if known.get(number) != name
    ]
    out += [
        Difference(wrong=True, what=f"{what} {number}: {name} here, not there")
        for number, name in known.items()
        if number not in theirs
    ]
    return out


def _table(defined: Mapping[str, int], pattern: str) -> Table:
    found = {}
    for name, value in defined.items():
        match = re.fullmatch(pattern, name)
        if match and name != "RESPONSE":
            word = match[1].lower()
            found[value] = OURS.get(word, word)
    return found


def _versions(command: str, theirs: set[int]) -> list[Difference]:
    """The versions of a command's request or one-way form."""
    ours = {
        frame.version
        for frame in PROTOCOL.wire.frames
        if frame.name == command and not frame.dialect and frame.kind.value != "response"
    }
    if not ours:
        return [Difference(wrong=False, what=f"{command}: no frame here")]
    lacking = sorted(theirs - {each for each in ours if each is not None})
    return [Difference(wrong=False, what=f"{command}: no version {each} here") for each in lacking]


def reader(checkout: Path) -> Callable[[str], str]:
    """How to read a file of a work tree, or of the newest commit of a bare repository."""

    def read(path: str) -> str:
        file = checkout / path
        if file.exists():
            return file.read_text()
        command = ["git", "-C", str(checkout), "show", f"HEAD:{path}"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return read


def main() -> int:
    """Print the differences; 1 when something is wrong, 2 without a checkout."""
    checkout = os.environ.get(VARIABLE)
    if not checkout:
        print(f"{VARIABLE} names no checkout of rabbitmq/rabbitmq-server", file=sys.stderr)  # noqa: T201
        return 2
    differences = compare(reader(Path(checkout).expanduser()))
    for each in differences:
        print("wrong  " if each.wrong else "missing", each.what)  # noqa: T201
    print(f"{len(differences)} differences")  # noqa: T201
    return int(any(each.wrong for each in differences))


if __name__ == "__main__":
    sys.exit(main())
