"""Settings of all tests: how many examples the property tests try, and one session of Spark."""

import gc
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from tests import draw
from tests.recorded import share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

FIRST = "tests/judge/test_captures.py"
NEW_OBJECTS = 20_000
"""New objects after which garbage is collected."""

pytest.register_assert_rewrite(
    "tests.recorded.traffic", "tests.recorded.findings", "tests.recorded.messages"
)
settings.register_profile("fast", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("deep", max_examples=5000, deadline=None)
settings.load_profile("fast")


def pytest_configure(config: pytest.Config) -> None:
    """Let programs end at Ctrl-C; without the mark `process` let no test start one.

    Captures for the mark `sweep` are collected where its tests are chosen.

    Programs that a shell runs in the background ignore SIGINT, and so would those that tests start.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    share.COLLECTED["sweep"] = "not sweep" not in config.option.markexpr
    if "not process" not in config.option.markexpr:
        return

    def refused(*_given: object, **_named: object) -> None:
        pytest.fail("a test that starts a program is marked `process`")

    subprocess.Popen.__init__ = refused  # type: ignore[method-assign,assignment]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first, so that no worker has one of them left at the end."""
    items.sort(key=lambda each: FIRST not in each.nodeid)


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of later garbage collections.

    They are also rarer: tests make many rows and few cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 20, 20)


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    """Spark on this machine with two cores; its start takes as long as its tests."""
    from streamshark.spark.pipeline import session  # noqa: PLC0415 - only who uses it starts Spark

    given = {
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "1g",
        # Tests are small: code that is compiled once, and at once, is the quickest.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    made = session("local[2]", **given)
    yield made
    made.stop()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the setting with which the same captures are drawn again."""
    terminalreporter.write_line(f"the same captures are drawn again by: {draw.command()}")
