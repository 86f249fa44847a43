"""Tests of the proxy have a data folder of their own: proxies remember their ports there."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder that no other program uses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield
