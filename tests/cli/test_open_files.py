"""The limit of open files is raised as far as connections need it, and as far as it can be."""

import resource

import pytest
from tests.failures import Failures

from streamshark.cli.open_files import connections_allowed


def test_the_limit_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not above the hard limit, which then allows fewer connections; not if it suffices."""
    with Failures() as failures:
        for soft, hard, expected, limit in (
            (1024, 4096, 500, 1100),
            (1024, resource.RLIM_INFINITY, 500, 1100),
            (256, 300, 100, 300),
            (50, 50, 1, 50),
            (4096, 4096, 500, None),
            (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 500, None),
        ):
            made: list[int] = []
            limits = (soft, hard)
            monkeypatch.setattr(resource, "getrlimit", lambda _, found=limits: found)
            monkeypatch.setattr(resource, "setrlimit", lambda _, new, to=made: to.append(new[0]))
            with failures.of((soft, hard)):
                assert connections_allowed(500) == expected
                assert made == ([] if limit is None else [limit])
