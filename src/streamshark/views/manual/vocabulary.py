"""The page of the vocabulary: every word with decoded examples, every problem code.

The meaning of a word is its own docstring; the examples are decoded when the page is written, so
that the page cannot promise what the code does not do.
"""

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

from streamshark import schema
from streamshark.arrow import schema as tables
from streamshark.arrow.columns import columns
from streamshark.decoding import decoder as record
from streamshark.decoding.decoder import Decoder
from streamshark.errors import SchemaError
from streamshark.framing import wire_format
from streamshark.schema import (
    FrameSchema,
    Head,
    LineHead,
    Numbering,
    ProblemCode,
    Record,
    Slot,
    expressions,
    reference,
)
from streamshark.schema.walk import walk_word
from streamshark.schema.words import DecodingError, FieldFacts
from streamshark.views.frame_drawing import layout
from streamshark.views.manual import protocol
from streamshark.views.manual.examples import (
    MEMBERS,
    VALUES,
    Example,
    ManualSection,
    data_of,
    members_of,
)
from streamshark.views.possible_problems import codes
from streamshark.views.schema_text import table


def vocabulary() -> str:
    """Return the page as Markdown."""
    lines = ["# The vocabulary", ""]
    lines += ["Generated from the code by `python -m streamshark.views.manual.write`.", ""]
    lines += [*_docstring(schema), *_docstring(_module_of(FieldFacts))]
    lines += ["## What reads a schema", "", *_readers()]
    lines += ["## Words that have a value", ""]
    for entry in VALUES:
        lines += _entry(entry)
    lines += ["## Words that make members", ""]
    for entry in MEMBERS:
        lines += _entry(entry)
    lines += ["## Slots", "", *_docstring(Slot)]
    lines += ["## Expressions", "", *_docstring(expressions)]
    lines += ["## Facts of a field", "", *_docstring(FieldFacts), *_attributes(FieldFacts)]
    lines += ["## Frames and heads", ""]
    for kind in (FrameSchema, Numbering, Head, LineHead):
        lines += [f"### {kind.__name__}", "", *_docstring(kind), *_attributes(kind)]
    lines += ["## Problems", "", *_docstring(_module_of(ProblemCode)), *_problems()]
    return "\n".join(lines).rstrip() + "\n"


def _module_of(kind: type) -> ModuleType | None:
    return inspect.getmodule(kind)


def _docstring(given: object) -> list[str]:
    """Return the lines of a docstring, followed by an empty one."""
    return [*(inspect.getdoc(given) or "").splitlines(), ""]


def _readers() -> list[str]:
    """Return a table of the readers, with the first sentence of their modules."""
    readers = {
        "reference": reference,
        "record decoder": record,
        "cutting and detection": wire_format,
        "tables": tables,
        "this manual": protocol,
    }
    rows = []
    for name, module in readers.items():
        first = (inspect.getdoc(module) or "").partition("\n\n")[0]
        rows.append([name, f"`{module.__name__}`", " ".join(first.split())])
    return [*table(["Reader", "Module", "What it does"], rows), ""]


def _entry(entry: ManualSection) -> list[str]:
    """Return the section of one entry: meaning, possible problems, examples."""
    lines = [f"### {entry.title}", "", *_meanings(entry)]
    found = {code for each in entry.examples for code in codes(_tree(each))}
    problems = ", ".join(f"`{code.word}`" for code in ProblemCode if code in found)
    lines += [f"Problems: {problems}.", ""]
    for each in entry.examples:
        lines += _example(each)
    return lines


def _meanings(entry: ManualSection) -> list[str]:
    """Return the docstrings of a section, each after its word if there are several."""
    if len(entry.documented) == 1:
        return _docstring(entry.documented[0])
    lines = []
    for each in entry.documented:
        first, *rest = _docstring(each)
        lines += [f"`{getattr(each, '__name__', '')}`: {first}", *rest]
    return lines


def _tree(example: Example) -> schema.nodes.Tree:
    return walk_word(Record(*members_of(example.code)), "example")


def _example(example: Example) -> list[str]:
    """Return one example: the code, the drawing, the columns, and the decoded bytes."""
    tree = _tree(example)
    lines = [
        "```python",
        *example.code.splitlines(),
        "```",
        "",
        "```text",
        *layout(tree),
        "```",
        "",
    ]
    found = ", ".join(
        f"`{each.name}` {each.type_name}{'' if each.always else ' (may be absent)'}"
        for each in columns([tree])
    )
    rows = [*_good(example), *_bad(example)]
    return [*lines, f"As columns: {found}.", "", *table(["Bytes", "Values", "Problem"], rows), ""]


def _good(example: Example) -> Iterator[list[str]]:
    """Yield rows of well-formed bytes; both decoders must read the same values."""
    members = members_of(example.code)
    decoder = Decoder(_tree(example))
    for text in example.good:
        data = data_of(text)
        values, problems = decoder.read(data)
        if problems or values != reference.parse_members(members, data)[0]:
            raise SchemaError(f"the decoders differ on {text} as {example.code}")
        yield [_bytes(text), f"`{values}`", ""]


def _bad(example: Example) -> Iterator[list[str]]:
    """Yield rows of malformed bytes; the reference must refuse them."""
    members = members_of(example.code)
    decoder = Decoder(_tree(example))
    for text in example.bad:
        data = data_of(text)
        values, problems = decoder.read(data)
        try:
            reference.parse_members(members, data)
        except DecodingError:
            sentences = "; ".join(f"`{each.code.word}`: {each.message}" for each in problems)
        else:
            raise SchemaError(f"the reference reads {text} as {example.code}")
        yield [_bytes(text), f"`{values}`", sentences]


def _bytes(text: str) -> str:
    return f"`{text}`" if text else "none"


def _attributes(kind: type) -> list[str]:
    """Return a table of the attributes of a class, with the strings below them."""
    [found] = ast.parse(inspect.getsource(kind)).body
    rows = []
    body = found.body if isinstance(found, ast.ClassDef) else []
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            meaning = ""
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                meaning = str(after.value.value)
            default = f"`{ast.unparse(node.value)}`" if node.value else "required"
            default = "empty" if "default_factory" in default else default
            rows.append([f"`{node.target.id}`", default, meaning])
    return [*table(["Name", "Default", "Meaning"], rows), ""]


def _problems() -> list[str]:
    """Return a table of all problem codes."""
    rows = [
        [f"`{code.word}`", "yes" if code.stops else "no", code.sentence] for code in ProblemCode
    ]
    return [*table(["Code", "Stops", "Meaning"], rows), ""]
