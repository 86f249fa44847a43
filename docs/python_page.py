"""Writes docs/python.md, the page of the Python API, from the docstrings of its names.

    python -m docs.python_page [--check] [FOLDER]

With `--check` nothing is written: a stale page is named, and the exit code is 1.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import streamshark
from streamshark.conversations.conversation import Conversation, ConversationTurn
from streamshark.decoding.named_values import FlagSet, NamedNumber, UuidBytes
from streamshark.dissection.row import Frame
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Finding
from streamshark.schema.problems import Problem
from streamshark.session import Session
from streamshark.views.generated_files import GeneratedFiles

NAME = "python.md"
FUNCTIONS = ("open", "check", "read_conversations", "encode", "amend")
"""The names of the package, those first that are needed first."""
RECORDS = (Frame, NamedNumber, FlagSet, UuidBytes, Problem, Finding, Conversation, ConversationTurn)
"""Records that the functions return, and what is in them."""
SESSION = ("rows", "analysis", "flow", "client", "report", "close")
"""Methods of a session for those who need more than records."""

INTRODUCTION = """\
# Python

Frames, findings and conversations as records, and frames written from values.
Modules that take long to import are loaded when they are first used.

```python
import streamshark

for frame in streamshark.open("capture.pcapng"):
    print(frame)
```

prints what `streamshark read` prints.
Passwords and tokens are hidden unless you say `show_secrets=True` ([secrets](secrets.md)).
Malformed frames are frames too: `frame.problems` says what is wrong, and nothing is raised.
[Display filters](filters.md#checking-a-filter) are functions of the rows of a session.
"""


def page() -> str:
    """Return the page."""
    functions = [getattr(streamshark, name) for name in FUNCTIONS]
    parts = [INTRODUCTION, "## Functions\n", *map(_function, functions), "## Records\n"]
    parts += [_record(each) for each in RECORDS]
    parts += ["## Sessions\n", _sentences(inspect.getdoc(Session) or "") + "\n"]
    parts += [_function(getattr(Session, name), "session.") for name in SESSION]
    parts += ["## Errors\n", f"`StreamsharkError`: {_sentences(_doc(StreamsharkError))}\n"]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))


def _function(function: Any, of: str = "streamshark.") -> str:  # noqa: ANN401 - a function
    """Return the section of a function: signature, description, examples."""
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.name != "self"]
    shown = str(signature.replace(parameters=own))
    shown = re.sub(r"(: |-> )'([^']*)'", r"\1\2", shown)
    shown = re.sub(r"\b(?:[a-z_]\w*\.)+(?=\w)", "", shown)
    head = f"### `{of}{function.__name__}`\n\n```text\n{function.__name__}{shown}\n```\n"
    return f"{head}\n{_text(_doc(function))}\n"


def _record(cls: type) -> str:
    """Return the section of a record: what it is, and a table of its members."""
    lines = [f"### `{cls.__name__}`\n", _sentences(_doc(cls)) + "\n"]
    members = list(_members(cls))
    if members:
        lines += ["| member | type | meaning |", "|---|---|---|"]
        lines += [f"| `{name}` | {kind} | {doc} |" for name, kind, doc in members]
        lines.append("")
    return "\n".join(lines)


def _members(cls: type) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and description of the public members of a class, in their order."""
    body = ast.parse(inspect.getsource(cls)).body[0]
    statements = body.body if isinstance(body, ast.ClassDef) else []
    for number, statement in enumerate(statements):
        following = statements[number + 1] if number + 1 < len(statements) else None
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if name[0] != "_":
                yield name, _kind(ast.unparse(kind)), _sentences(_string(following))
            case ast.FunctionDef(name=name, returns=kind) if name[0] != "_":
                doc = ast.get_docstring(statement) or ""
                yield name, _kind(ast.unparse(kind) if kind else ""), _sentences(doc)


def _kind(text: str) -> str:
    plain = text.replace("'", "").replace("|", "\\|")
    return f"`{plain}`" if "\\|" not in plain else plain.replace(" \\| ", " or ")


def _string(statement: ast.stmt | None) -> str:
    """Return the text of a statement that is a string; empty for any other."""
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return inspect.cleandoc(text)
    return ""


def _doc(thing: Any) -> str:  # noqa: ANN401 - a class or function
    return inspect.getdoc(thing) or ""


def _sentences(text: str) -> str:
    """Return a docstring as one paragraph."""
    return " ".join(text.split()).replace("|", "\\|")


def _text(doc: str) -> str:
    """Return a docstring as Markdown: paragraphs, examples in fences, what is raised as a list."""
    out: list[str] = []
    for paragraph in re.split(r"\n\s*\n", doc):
        if paragraph.lstrip().startswith(">>>"):
            out.append(f"```pycon\n{paragraph}\n```")
        elif paragraph.startswith("Raises:"):
            name, _, why = " ".join(paragraph.split()[1:]).partition(": ")
            out.append(f"Raises `{name}`: {why}")
        else:
            out.append(" ".join(paragraph.split()))
    return "\n\n".join(out) + "\n"


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare it; return the exit code."""
    made = GeneratedFiles({NAME: page()}, (NAME,))
    return made.main(arguments, Path(__file__).parent, "docs.python_page")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
