"""Texts for users are in plain English: phrases of the project's old dialect do not come back.

The phrases are checked with the sense in which they were misused; a word with a proper sense of its
own, such as "behind a load balancer" or an echo server, is not banned.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.contracts.repository import texts

from streamshark.cli.main import COMMANDS, program
from streamshark.findings.rule import family
from streamshark.protocols.catalog import catalog

pytestmark = pytest.mark.xdist_group("language")  # one worker parses the modules

BANNED = {
    r"\bthat (?:is|are) none\b": "malformed, invalid or missing",
    r"\bnobody (?:answers|asks|confirms|hears|is|knows|listens|looks|reads|waits)\b": "no answer",
    r"\bleads? nowhere\b": "matches nothing",
    r"\bwithout a word\b": "silently, without an error",
    r"\brules? looked\b": "rules checked",
    r"\b(?:is|are|was|were|be) (?:told|heard)\b": "reported, received",
    r"\btells? (?:a|an|about|all|how|it|of|that|the|what|where|whether|who|why)\b": "shows",
    r"\bhas heard\b": "has received",
    r"\b(?:stand|stands|stood) (?:at|before|behind|beside|for|in|out|under)\b": "is in",
    r"\bstays closed\b": "cannot be decrypted",
    r"\b(?:is|are|was|were) let go\b": "evicted, dropped",
    r"\blet (?:him|her|it|them|the client) in\b": "authenticated, accepted",
    r"\bis no id\b": "is not a conversation id",
    r"\b(?:is|are) (?:not )?sound\b": "well-formed",
    r"\b(?:put|puts|putting) together\b": "reassemble",
    r"\b(?:bytes|frames?|fields?|values?|what|number|line) behind (?:a|it|its|the|this)\b": "after",
    r"\b(?:it|that|them|these) behind (?:it|its|them|this)\b": "after",
    r"\bwhat (?:is|was|are) said\b": "the frames, the message",
    r"\b(?:again and again|time after time|time and again)\b": "repeatedly",
    r"\btaken for (?:dead|a|an|the|its)\b": "considered, read as",
    r"\b(?:have|has|had|having) got\b": "has received",
    r"\bis (?:not )?there (?:already|any more)\b": "already exists, does not exist",
    r"\bwho (?:asks|reads|publishes|comes) (?:for|is|too|has)\b": "a client that",
    r"\brides? on\b": "is carried by",
    r"\bmet (?:again|before|in the middle)\b": "occurs again, was captured",
    r"\bnobody (?:names?|says|wants|was|who)\b": "unknown, not needed",
    r"\b(?:no byte|nothing) says\b": "is not in the bytes, is unknown",
    r"\bwhere (?:it|they|that) stands?\b": "where it is",
    r"\b(?:puts?|putting) (?:it|them) together\b": "reassemble",
}
"""Phrase to what to write in its sense."""
DIALECT = {
    r"\bstands? (?!for\b|alone\b|out\b)": "is",
    r"\bnobody\b": "no client, not needed",
    r"\b(?:is|are|was|were) told\b": "is reported, receives",
    r"\btells\b": "shows",
    r"\bgoes on\b": "continues",
    r"\bput together\b": "reassembled",
    r"\bbehind (?:it|the|its|a)\b(?! leaf)": "after",
    r"\b(?:is|are|was|were) met\b": "occurs",
    r"\bsays so\b": "states it",
}
"""The same, for docstrings of protocols, which the pages of the manual show."""
LAG_OR_PLACE = re.compile(
    r"\b(?:falls?|fell|left|stays|far|is) behind\b(?! (?:a|an|it|its|the|them)\b)"
    r"|\bfar behind the leader\b"
    r"|\bbehind (?:[\w'-]+ ){0,3}(?:proxy|balancer|filter|leaf|link|NAT)\b",
    re.IGNORECASE,
)
"""Right uses of the word: a lag, and a peer that is reached through another one."""
PAGES = sorted(
    path
    for path in texts()
    if path.suffix == ".md" and (path.parts[0] == "docs" or path == Path("README.md"))
)


ANY = re.compile("|".join(BANNED).lower())
"""Any banned phrase, in text in small letters."""


def has_banned(lines: Iterable[str]) -> bool:
    """Whether the lines may have banned phrases, which are then looked for one by one."""
    return ANY.search("\n".join(" ".join(each.split()) for each in lines).lower()) is not None


def banned(where: str, text: str, phrases: Mapping[str, str] = BANNED) -> Iterator[str]:
    """Yield the banned phrases of a text, with what to write instead."""
    for phrase, instead in phrases.items():
        for found in re.finditer(phrase, " ".join(text.split()), re.IGNORECASE):
            yield f"{where}: {found[0]!r}: {instead}"


@cache
def strings(path: Path) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return line and text of the strings of a module, and apart those of its docstrings."""
    others, documents = [], []
    above: list[ast.AST] = [ast.parse(texts()[path])]
    for node in above:  # grows as it is read
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                documents.append((node.lineno, text))
            case ast.Constant(value=str(text)) if " " in text:
                others.append((node.lineno, text))
            case _:
                above += ast.iter_child_nodes(node)
    return others, documents


def docstrings(path: Path) -> list[tuple[int, str]]:
    """Return line and text of the docstrings of a module and all that is in it."""
    return strings(path)[1]


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of the comments of a module."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def variables(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of the variables, arguments and attributes of a module."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield node.lineno, name


def means_after(text: str) -> bool:
    """Whether a text has the word for something that follows."""
    return re.search(r"\bbehind\b", LAG_OR_PLACE.sub("", text), re.IGNORECASE) is not None


def test_pages_are_in_plain_english() -> None:
    """The README and the documents, generated ones included, use no banned phrase."""
    wrong = [
        each
        for path in PAGES
        if has_banned(texts()[path].splitlines())
        for number, line in enumerate(texts()[path].splitlines(), 1)
        for each in banned(f"{path}:{number}", line)
    ]

    assert wrong == []


def test_messages_are_in_plain_english() -> None:
    """Messages, causes, help and descriptions of fields use no banned phrase."""
    wrong = [
        each
        for path in texts()
        if path.parts[0] == "src" and path.suffix == ".py"
        if has_banned(text for _, text in strings(path)[0])
        for number, text in strings(path)[0]
        for each in banned(f"{path}:{number}", text)
    ]

    assert wrong == []


def test_behind_does_not_mean_after() -> None:
    """Docstrings, comments, variables and pages say after for what follows.

    A server is behind a proxy, and a consumer falls behind.
    """
    wrong = []
    for path, source in texts().items():
        if path.suffix != ".py" and (path not in PAGES or path.parts[1:2] == ("findings",)):
            continue
        if "behind" not in source.lower():
            continue
        prose = list(enumerate(source.splitlines(), 1))
        if path.suffix == ".py":
            prose = [*docstrings(path), *comments(source)]
            wrong += [f"{path}:{at}: {name}" for at, name in variables(source) if name == "behind"]
        wrong += [f"{path}:{at}: {text}" for at, text in prose if means_after(text)]

    assert wrong == []
    for text in ("frames behind it", "a byte behind the head", "Behind a loss", "is behind a gap"):
        assert means_after(text), text
    for text in ("behind a load balancer", "behind another proxy", "it falls behind", "far behind"):
        assert not means_after(text), text


def test_docstrings_of_protocols_are_in_plain_english() -> None:
    """Docstrings of modules, classes, functions and attributes use no banned phrase."""
    wrong = [
        each
        for path in texts()
        if path.parts[:3] == ("src", "streamshark", "protocols") and path.suffix == ".py"
        for number, text in docstrings(path)
        for each in banned(f"{path}:{number}", text, DIALECT)
    ]

    assert wrong == []


def test_helps_are_in_plain_english() -> None:
    """The help of each command, and the list of rules, use no banned phrase."""
    runner = CliRunner()
    calls = [["--help"], *([name, "--help"] for name in COMMANDS), ["check", "--list-rules"]]
    outputs = {" ".join(each): runner.invoke(program, each).output for each in calls}

    assert [each for name, text in outputs.items() for each in banned(name, text)] == []
    assert all(outputs.values())


def test_titles_of_rules_are_unique_noun_phrases() -> None:
    """Each id has one title; further rules of an id get letters in order; titles have no article.

    No rule of another protocol has the same title.
    """
    wrong = []
    titles: dict[str, str] = {}
    for protocol in catalog():
        ids: dict[str, list[str]] = {}
        for rule in protocol.rules:
            if titles.setdefault(rule.id, rule.title) != rule.title:
                wrong.append(f"{rule.id} has two titles")
            if rule.id not in ids.setdefault(family(rule.id), []):
                ids[family(rule.id)].append(rule.id)
            if re.match(r"(a|an|the)\b", rule.title) or rule.title.endswith("."):
                wrong.append(f"{rule.id}: {rule.title}")
        for name, found in ids.items():
            expected = [name, *(f"{name}{letter}" for letter in "bcdefghij")][: len(found)]
            wrong += [] if found == expected else [f"{name}: {found}"]
    wrong += [title for title, count in Counter(titles.values()).items() if count > 1]

    assert wrong == []
