"""`streamshark lua`: plugins for Wireshark, made from the schemas."""

from pathlib import Path

import click

from streamshark.cli import options
from streamshark.cli.output import Output
from streamshark.lua import install as installing
from streamshark.lua.generate import plugins
from streamshark.protocols.catalog import catalog, formats
from streamshark.views.generated_files import GeneratedFiles

_NAMES = click.argument("names", nargs=-1, metavar="[PROTOCOL]...")
_PROGRAM = click.option(
    "--tshark",
    "program",
    default=installing.PROGRAM,
    metavar="PROGRAM",
    help="The tshark of the Wireshark installation to use.",
)


@click.group("lua", context_settings=options.HELP)
def command() -> None:
    """Generate and install Wireshark plugins.

    \b
    streamshark lua install
    streamshark lua generate rsocket -o .
    """  # noqa: D301 - click's mark for lines that stay


@command.command("generate", context_settings=options.HELP)
@_NAMES
@click.option("-o", "folder", default="dissectors", metavar="FOLDER", help="Output folder.")
@options.paths
def generate(names: tuple[str, ...], folder: str, paths: tuple[str, ...]) -> int:
    """Generate the plugins of all or of the named protocols and formats, one Lua file each."""
    texts = plugins(catalog(paths), formats(paths), names)
    GeneratedFiles(texts, ()).write(Path(folder))
    _print_lines(f"{Path(folder) / name}" for name in texts)
    return 0


@command.command("install", context_settings=options.HELP)
@_NAMES
@_PROGRAM
@options.paths
def install(names: tuple[str, ...], program: str, paths: tuple[str, ...]) -> int:
    """Install plugins into Wireshark's personal plugin folder and check that they load."""
    texts = plugins(catalog(paths), formats(paths), names)
    where = installing.folder(program)
    installing.install(texts, where)
    return _checked(texts, where, program)


@command.command("uninstall", context_settings=options.HELP)
@_NAMES
@_PROGRAM
@options.paths
def uninstall(names: tuple[str, ...], program: str, paths: tuple[str, ...]) -> int:
    """Remove plugins from Wireshark's personal plugin folder."""
    texts = plugins(catalog(paths), formats(paths), names)
    _print_lines(
        f"removed {path}" for path in installing.uninstall(texts, installing.folder(program))
    )
    return 0


@command.command("check", context_settings=options.HELP)
@_NAMES
@_PROGRAM
@options.paths
def check(names: tuple[str, ...], program: str, paths: tuple[str, ...]) -> int:
    """Check with tshark that plugins are installed and load; exit with 1 if one does not."""
    texts = plugins(catalog(paths), formats(paths), names)
    return _checked(texts, installing.folder(program), program)


def _checked(texts: dict[str, str], where: Path, program: str) -> int:
    """Print for each plugin whether it has loaded; return the exit code."""
    found = installing.check(texts, where, program)
    _print_lines(
        f"{where / each.name}: {each.problem or f'loaded as {each.protocol}'}" for each in found
    )
    return 1 if any(each.problem for each in found) else 0


def _print_lines(lines: object) -> None:
    output = Output()
    output.write("".join(f"{line}\n" for line in lines))  # type: ignore[attr-defined]
    output.flush()
