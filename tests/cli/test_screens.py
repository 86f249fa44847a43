"""Screens need a terminal."""

from click.testing import CliRunner
from tests.failures import every

from streamshark.cli.main import program

BUG = "captures/rabbitmq_stream/bug_credit_never_renewed/traffic.pcapng"
REFUSED = (
    ((BUG,), "tui needs a terminal; try: streamshark read FILE"),
    (("-",), "tui needs a terminal; try: streamshark read FILE"),
    ((), "no input: name a capture file, or - for standard input"),
)


@every("arguments, message", REFUSED)
def test_without_a_terminal_it_names_read(arguments: tuple[str, ...], message: str) -> None:
    """Output to a file or pipe is an error, and so is no file at all."""
    done = CliRunner().invoke(program, ["tui", *arguments])
    assert done.exit_code == 2
    assert message in done.output
