"""The text of a plugin, and that Lua and luacheck have nothing against it."""

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.failures import every
from tests.madeup import parrot_traffic

from streamshark.lua.plugin import Plugin
from streamshark.protocols.catalog import catalog, find

DISSECTORS = sorted(Path("dissectors").glob("*.lua"))


@every("version", ["5.2", "5.3", "5.4"])
@every("path", DISSECTORS, ids=lambda path: path.stem)
def test_every_lua_of_wireshark_compiles_it(path: Path, version: str) -> None:
    """Every lua of wireshark compiles it."""
    done = subprocess.run([f"luac{version}", "-p", str(path)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@cache
def known_globals() -> frozenset[str]:
    """Return what Lua has, and what Wireshark adds, as luacheck is told."""
    script = "for name in pairs(_G) do print(name) end"
    done = subprocess.run(["lua5.2", "-e", script], capture_output=True, text=True, check=True)
    added = Path(".luacheckrc").read_text().partition("read_globals")[2]
    return frozenset(done.stdout.split()).union(re.findall(r'"(\w+)"', added))


@every("path", DISSECTORS, ids=lambda path: path.stem)
def test_only_known_globals_are_read_and_none_is_written(path: Path) -> None:
    """A name that is misspelt, or used above its `local`, is a global, and nil when it is read."""
    listed = ["luac5.2", "-l", "-p", str(path)]
    done = subprocess.run(listed, capture_output=True, text=True, check=True)
    found = re.findall(r'([GS])ETTABUP\b.*; _ENV "(\w+)"', done.stdout)
    assert ("G", "ipairs") in found
    assert {name for way, name in found if way == "S" or name not in known_globals()} == set()


@pytest.mark.sweep
def test_luacheck_is_content(tmp_path: Path) -> None:
    """With all plugins, and with one of a protocol that is made up."""
    parrot = tmp_path / "parrot_talk.lua"
    parrot.write_text(Plugin(parrot_traffic.PROTOCOL).text())
    command = ["luacheck", "--no-color", "--config", ".luacheckrc", *map(str, DISSECTORS), parrot]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


STRINGS = re.compile(r"""--[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")
"""Comments and text of Lua."""
FLOATS = ("/ FINE", "ns / unit[1]", "bytes / unit[1]", "mixed", "code / ", "sum / #own",
          "t / 1e9", "ns / 1e9", "/ 60000")  # fmt: skip
"""Divisions whose results may be floats: ids, times and sizes that are written out or compared,
keys of tables of checksums."""


def floored(text: str) -> str:
    """Lua without what makes whole numbers again of divisions."""
    while (start := text.find("floor(")) >= 0:
        depth, end = 1, start + len("floor(")
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[:start] + text[end:]
    return text


def floats(text: str) -> Iterator[str]:
    """Lines of Lua that make a float of whole numbers, which Lua 5.4 keeps one."""
    for line in text.splitlines():
        # Text that has a division in it is a function that the reader writes.
        texts = (found[0] for found in STRINGS.finditer(line))
        written = (each for each in texts if re.match(r'".*\w / ', each))
        for each in (STRINGS.sub("''", line), *written):
            found = re.search(r"\^|\w\)? / ", floored(each))
            if found and not any(known in each for known in FLOATS):
                yield line.strip()


@pytest.mark.parametrize("path", DISSECTORS, ids=lambda path: path.stem)
def test_whole_numbers_stay_whole_in_lua_5_4(path: Path) -> None:
    """There `/` and `^` give floats, with which Wireshark refuses places in bytes."""
    assert list(floats("local a = b / 2\nlocal c = 2 ^ d\nlocal e = math.floor(f / 2 ^ 3)")) == [
        "local a = b / 2",
        "local c = 2 ^ d",
    ]
    assert list(floats(path.read_text())) == []


@pytest.mark.parametrize("path", DISSECTORS, ids=lambda path: path.stem)
def test_functions_of_the_tables_are_those_of_the_reader(path: Path) -> None:
    """A rule that calls another one would fail when it is asked, and say nothing."""
    text = path.read_text()
    called = set(re.findall(r"(?<![\w.])f\.(\w+)\(", text))
    assert called <= set(re.findall(r"^function f\.(\w+)", text, re.MULTILINE))


@pytest.mark.parametrize("path", DISSECTORS, ids=lambda path: path.stem)
def test_tables_of_names_are_there(path: Path) -> None:
    """Without its table a coded field would show numbers alone."""
    text = path.read_text()
    made = re.search(r"^local names = \{(\n.*?^| .*? )\}$", text, re.MULTILINE | re.DOTALL)
    known = set(re.findall(r"(?:^ |,|^) (\w+) = \{", made[1], re.MULTILINE)) if made else set()
    assert set(re.findall(r"\bnames = names\.(\w+)", text)) == known


def test_the_header_names_schema_and_command_and_no_time() -> None:
    """The header names schema and command and no time."""
    text = Plugin(find("rsocket", catalog())).text()
    assert "(digest " in text[:400]
    assert "streamshark lua generate rsocket" in text[:400]
    assert text == Plugin(find("rsocket", catalog())).text()


def test_what_opens_a_connection_is_found_out() -> None:
    """What opens a connection is found out."""
    text = written("rsocket")
    opening = [part for part in text.split("frames[#frames + 1]") if "opens = true" in part]
    assert {part.split('name = "')[1].split('"')[0] for part in opening} == {"setup", "resume"}


def written(name: str) -> str:
    """Return the plugin of a protocol, which is as it would be generated: see `test_generate`."""
    return Path("dissectors", f"{name}.lua").read_text()


def test_parts_of_the_reader_that_are_not_needed_are_left_out() -> None:
    """Parts of the reader that are not needed are left out."""
    assert "Protobuf" not in Plugin(parrot_traffic.PROTOCOL).text()
    assert "Checksums" in written("rabbitmq_stream")
    assert "grpc_message_type" not in written("nats")
    assert "a later message ends" in written("nats")
    assert "a later message ends" not in written("rsocket")


def test_messages_of_calls_keep_their_paths() -> None:
    """As they are written: Wireshark tells apart upper and lower case."""
    plugin = Plugin(find("liftbridge", catalog()), calls=(9292,))
    assert "liftbridge.publish_request" in {each.id for each in plugin.calls}
    assert '["/proto.API/PublishAsync"] = true' in plugin.text()
    assert 'local CALL_PORTS = "9292"' in plugin.text()
