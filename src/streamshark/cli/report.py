"""`streamshark report`: captures as one page of HTML."""

from functools import partial
from typing import Any

import click

from streamshark.capture.output_file import OutputFile, is_source
from streamshark.cli import options
from streamshark.cli.run import Ending, concluded, reading
from streamshark.cli.unsupported_options import refuse_unsupported
from streamshark.protocols.catalog import catalog, formats
from streamshark.sharing.report import report_of
from streamshark.sharing.report_page import page


@click.command("report", context_settings=options.HELP)
@refuse_unsupported
@options.sources
@options.protocols_and_output("OUT")
def command(**given: Any) -> int:  # noqa: ANN401 - click's options
    """Write captures as one page of HTML, which anyone can open.

    It says what the captures are, shows the worst findings with the frames that prove them, draws
    their connections, rates and response times, and lists what was not read. It has no script and
    loads nothing; secrets are masked; it has 2 MB at most. Captures are read twice.

    \b
    streamshark report capture.pcapng -o report.html
    streamshark report -o tls.keylog_file:keys.log capture.pcapng -o report.html
    """  # noqa: D301 - click's mark for lines that stay
    sources = [*given["more"], *given["files"], *filter(None, [given["keylog"]])]
    if "-" in sources:
        raise click.UsageError("report reads captures twice; standard input can only be read once")
    if given["out"] != "-" and is_source(given["out"], sources):
        raise click.UsageError(f"-o {given['out']}: is one of the files that are read")
    protocols, kinds = catalog(given["paths"]), formats(given["paths"])
    opened = partial(reading, given, protocols=protocols, formats=kinds, puts_together=True)
    with OutputFile(given["out"]) as file:
        content = report_of(opened)
        file.write(page(content).encode())
        file.commit()
    return concluded(lambda: content.reading, Ending(), strict=False, problems=0)
