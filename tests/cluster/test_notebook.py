"""docs/spark.ipynb gives the answers and plots that it shows."""

from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "spark.ipynb"
PLOTS = 4

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.spark]


def test_answers_of_the_notebook() -> None:
    """Every cell prints what it has printed, and draws as many plots."""
    import nbformat  # noqa: PLC0415 - of the extra `notebook`
    from nbclient import NotebookClient  # noqa: PLC0415

    shown = nbformat.read(NOTEBOOK, as_version=4)
    again = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(again, timeout=600, resources={"metadata": {"path": NOTEBOOK.parent}}).execute()
    assert [answers(each) for each in again.cells] == [answers(each) for each in shown.cells]
    assert sum(count for _, count in map(answers, shown.cells)) == PLOTS


def answers(cell: Any) -> tuple[str, int]:  # noqa: ANN401 - nbformat has no types
    """What a cell has printed, and its plots."""
    outputs = cell.get("outputs", ())
    text = "".join(each["text"] for each in outputs if each.get("name") == "stdout")
    return text, sum("image/png" in each.get("data", ()) for each in outputs)
