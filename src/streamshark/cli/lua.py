"""`streamshark lua`: plugins for Wireshark, made from the schemas."""

from pathlib import Path

import click

from streamshark.cli import options
from streamshark.cli.output import Output
from streamshark.lua import install as installing
from streamshark.lua import profile as profiles
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
@click.option(
    "--profile",
    "with_profile",
    is_flag=True,
    help=f"Also install the profile {profiles.NAME}: columns, colours, filter buttons, graphs.",
)
@options.paths
def install(
    names: tuple[str, ...], program: str, paths: tuple[str, ...], *, with_profile: bool
) -> int:
    """Install plugins into Wireshark's personal plugin folder and check that they load."""
    texts = plugins(catalog(paths), formats(paths), names)
    where = installing.folder(program)
    installing.install(texts, where)
    found = installing.check(texts, where, program)
    code = _print_state(found, where)
    if with_profile and code == 0:
        own = {each.wire.id for each in catalog(paths)}
        shorts = [each.protocol for each in found if each.name.removesuffix(".lua") in own]
        _print_lines([f"{profiles.install(shorts, program)}: wireshark -C {profiles.NAME}"])
    return code


@command.command("uninstall", context_settings=options.HELP)
@_NAMES
@_PROGRAM
@options.paths
def uninstall(names: tuple[str, ...], program: str, paths: tuple[str, ...]) -> int:
    """Remove plugins from Wireshark's personal plugin folder; without names, the profile too."""
    texts = plugins(catalog(paths), formats(paths), names)
    removed = installing.uninstall(texts, installing.folder(program))
    if not names:
        removed += profiles.uninstall(program)
    _print_lines(f"removed {path}" for path in removed)
    return 0


@command.command("check", context_settings=options.HELP)
@_NAMES
@_PROGRAM
@options.paths
def check(names: tuple[str, ...], program: str, paths: tuple[str, ...]) -> int:
    """Check with tshark that plugins are installed and load; exit with 1 if one does not."""
    texts = plugins(catalog(paths), formats(paths), names)
    where = installing.folder(program)
    return _print_state(installing.check(texts, where, program), where)


def _print_state(found: list[installing.Loaded], where: Path) -> int:
    """Print for each plugin whether it has loaded; return the exit code."""
    _print_lines(
        f"{where / each.name}: {each.problem or f'loaded as {each.protocol}'}" for each in found
    )
    return 1 if any(each.problem for each in found) else 0


def _print_lines(lines: object) -> None:
    output = Output()
    output.write("".join(f"{line}\n" for line in lines))  # type: ignore[attr-defined]
    output.flush()
