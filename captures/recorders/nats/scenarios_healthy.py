"""Healthy programs that a rule had accused: see docs/checking.md, "Healthy programs"."""

from captures.recorders.nats.setup import Play, Scenario, add
from captures.recorders.nats.threads import library, restarting, written_by_caller

DRIVER = "healthy"


def healthy(name: str, play: Play, peer: str, title: str, shows: str) -> None:
    """A healthy program."""
    made = written_by_caller(play)
    add(Scenario(name=name, play=made, title=title, peer=peer, healthy=True, shows=shows))


healthy(
    "benchmarks_cli",
    library("cli", "benchmarks", DRIVER),
    "cli",
    "The benchmarks of the command line",
    "Core publishers and subscribers, a service, JetStream by every way to read, a bucket; all "
    "messages are equal, and a benchmark that has to wait is ended after some seconds.",
)
healthy(
    "discovery_py",
    library("py", "discovery", DRIVER),
    "py",
    "Three nodes get each question, and the one that has the file replies, by nats-py",
    "24 questions; the first node has the first six files, and replies no more then.",
)
healthy(
    "projection_py",
    library("py", "projection", DRIVER),
    "py",
    "A view in memory that is built from all events at each start, by nats-py",
    "Four starts of the program, each with a consumer of its own, which is acknowledged.",
)
healthy(
    "letters_py",
    library("py", "letters", DRIVER),
    "py",
    "Dead letters by the advisory of the server, by nats-py",
    "50 letters, of which six have no address: after two deliveries the advisory has them copied "
    "to another stream, and removed.",
)
healthy(
    "loans_over_restart_java",
    restarting("java", "", DRIVER, after=5, down=1.5),
    "java",
    "Loans over a restart of the server, by nats.java",
    "A stream with two consumers, a bucket with a watch, a service; the library has a pull request "
    "of half a minute open, and waits for its heartbeats when the capture ends.",
)
