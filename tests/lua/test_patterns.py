"""Regular expressions as steps, matched in Lua: against Python's own."""

import random
import re

import pytest
from tests.lua.reader.test_parts import said

from streamshark.findings.internals import CREDENTIALS, QUERY, TRACES
from streamshark.lua.patterns import steps_of
from streamshark.lua.text import value
from streamshark.protocols.rsocket.predicates import FOR_PLUGINS

pytestmark = pytest.mark.process
MADE = (
    "a|bc|", "(a|ab)(c|bcd)(d*)", "(?:ab)*c", "(?:a?b?)*c", "(a+)+", r"\bab\b",
    r"\w+://\S+@", "(?i:Ab)c", "(?i)a[b-d]{2}", r"[^\s'\"]{2,3}?x", r"a(?!b)", "(ab|c)+?d",
    r"x\.y\[", r"\d{2}-(\d)",
)  # fmt: skip
ALPHABET = "abcdAB xy.[]:/@'\"\n-12é_"


def test_patterns_match_what_those_of_python_match() -> None:
    """The first match and its parts, and whether all matches, of texts that are drawn."""
    chance = random.Random("patterns")  # noqa: S311
    reasons = (each for each, _ in FOR_PLUGINS["reasons"])  # type: ignore[attr-defined]
    every = [*map(re.compile, MADE), *(each for each, _ in TRACES), CREDENTIALS, QUERY, *reasons]
    script, expected, asked = [], [], []
    for pattern in every:
        script.append(f"steps = {value(steps_of(pattern))}")
        words = re.findall(r"[A-Za-z]{2,}", pattern.pattern)
        for _ in range(60):
            drawn = [chance.choice((*ALPHABET, *words)) for _ in range(chance.randrange(12))]
            text = "".join(drawn)
            found = pattern.search(text)
            parts = [] if found is None else [each or "" for each in found.groups()]
            place = "nil" if found is None else len(text[: found.start()].encode()) + 1
            script.append(f"show({value(text)}, {len(parts)})")
            expected.append("\t".join([str(place), *parts, str(bool(pattern.fullmatch(text)))]))
            asked.append(f"{pattern.pattern} {text!r}")
    head = """
    local steps
    local function show(text, count)
      local place, _, parts = f.patterns.search(steps, text)
      local shown = { tostring(place) }
      for nth = 1, count do shown[nth + 1] = parts[nth] or "" end
      shown[#shown + 1] = f.patterns.is_match(steps, text) and "True" or "False"
      print((table.concat(shown, "\\t"):gsub("\\n", " ")))
    end
    """
    told = said("patterns.lua", "\n".join([head, *script]))
    wanted = [each.replace("\n", " ").encode().decode("latin-1") for each in expected]
    differs = [each for each in zip(asked, wanted, told, strict=True) if each[1] != each[2]]
    assert differs == []
    assert sum(not each.startswith("nil") for each in expected) > len(every)


def test_what_lua_cannot_match_is_refused() -> None:
    """Flags and parts that change what is matched, rather than a wrong answer."""
    for pattern in map(re.compile, ("^a", "(?m)a", r"(a)\1", "(?=a)")):
        with pytest.raises(ValueError, match="cannot match"):
            steps_of(pattern)
