"""Man pages, made from the help of the commands.

    python -m streamshark.cli.manual_pages [--check] [FOLDER]

writes them into docs/man; the wheel installs them where man looks.
"""

import re
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from streamshark import __version__
from streamshark.cli.completion import NAME
from streamshark.cli.main import program
from streamshark.cli.output import EXIT_CODES
from streamshark.views.generated_files import GeneratedFiles

MODULE = "streamshark.cli.manual_pages"
_CODE = re.compile(r"`([^`]+)`")
_VERBATIM = "\b"
"""Line before a paragraph whose lines stay as they are (click's mark)."""


def page(context: click.Context) -> str:
    """Return the man page of a command, in the macros of man(7)."""
    command, path = context.command, context.command_path
    name = path.replace(" ", "-")
    lines = [
        f'.TH "{name.upper()}" "1" "" "{NAME} {__version__}" "User Commands"',
        *(".SH NAME", f"{_escaped(name)} \\- {_escaped(_summary(command))}"),
        *(".SH SYNOPSIS", f".B {_escaped(path)}"),
        _escaped(" ".join(command.collect_usage_pieces(context))),
        *(".SH DESCRIPTION", *_paragraphs(command.help or "")),
    ]
    lines.append(".SH OPTIONS")
    for one in command.get_params(context):
        if isinstance(one, click.Option) and (record := one.get_help_record(context)):
            option, text = record
            lines += [".TP", f".B {_escaped(option)}", _escaped(text)]
    if inner := _commands(context):
        lines.append(".SH COMMANDS")
    for below in inner:
        full = below.command_path.replace(" ", "-")
        lines += [".TP", f".BR {_escaped(full)} (1)", _escaped(_summary(below.command))]
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT_CODES.items():
        lines += [".TP", f".B {code}", _escaped(meaning)]
    if context.parent is not None:
        above = context.parent.command_path.replace(" ", "-")
        lines += [".SH SEE ALSO", f".BR {_escaped(above)} (1)"]
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """Return all man pages, by file name."""
    return {
        f"{each.command_path.replace(' ', '-')}.1": page(each)
        for each in _contexts(click.Context(program, info_name=NAME, **program.context_settings))
    }


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` compare them; return the exit code."""
    return GeneratedFiles(pages(), ("*.1",)).main(arguments, Path("docs/man"), MODULE)


def _contexts(context: click.Context) -> Iterator[click.Context]:
    yield context
    for each in _commands(context):
        yield from _contexts(each)


def _commands(context: click.Context) -> list[click.Context]:
    """Return the contexts of a group's commands; empty for a command."""
    group = context.command
    if not isinstance(group, click.Group):
        return []
    named = ((name, group.get_command(context, name)) for name in group.list_commands(context))
    return [
        click.Context(each, context, name, **each.context_settings)
        for name, each in named
        if each is not None
    ]


def _summary(command: click.Command) -> str:
    """Return the first sentence of a command's help, in one line, without its full stop."""
    first = (command.short_help or cleandoc(command.help or "").split("\n\n")[0]).strip()
    return " ".join(first.split()).removesuffix(".")


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the lines of a help text; paragraphs marked for click keep their line breaks."""
    for number, paragraph in enumerate(cleandoc(text).split("\n\n")):
        if number:
            yield ".PP"
        lines = paragraph.split("\n")
        if lines[0] == _VERBATIM:
            yield from (".nf", ".RS", *map(_escaped, lines[1:]), ".RE", ".fi")
        else:
            yield _escaped(" ".join(lines))


def _escaped(text: str) -> str:
    r"""Return text as roff: `\`, `-`, a leading dot or quote, and code in bold."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = _CODE.sub(r"\\fB\1\\fP", text)
    return f"\\&{text}" if text[:1] in (".", "'") else text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
