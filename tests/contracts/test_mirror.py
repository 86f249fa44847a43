"""Tests mirror the source: whoever opens a module knows where its tests are, and back.

`src/streamshark/a/b.py` is tested by `tests/a/test_b.py`. Two kinds of module need no file:
`__init__`, which holds no code of its own, and a protocol's frame, which its vectors test. The
exceptions are in pyproject.toml under `tool.streamshark.mirror`, and one that is no longer needed
fails here, so that the lists only shrink.
"""

from collections.abc import Iterable
from pathlib import Path

from tests.contracts.repository import files, settings

MODULES = Path("src/streamshark")
TESTS = Path("tests")


def modules(paths: Iterable[Path]) -> list[Path]:
    """The modules that hold code of their own."""
    return [
        path
        for path in paths
        if path.is_relative_to(MODULES) and path.suffix == ".py" and path.name != "__init__.py"
    ]


def testing(paths: Iterable[Path]) -> list[Path]:
    """The test files."""
    return [path for path in paths if path.is_relative_to(TESTS) and path.match("test_*.py")]


def file_testing(module: Path) -> Path:
    """Where the tests of a module are."""
    return TESTS / module.relative_to(MODULES).with_name(f"test_{module.name}")


def module_of(test: Path) -> Path:
    """The module that a test file tests."""
    return MODULES / test.relative_to(TESTS).with_name(test.name.removeprefix("test_"))


def has_vectors(module: Path, paths: Iterable[Path]) -> bool:
    """Whether a frame of a protocol has a file of vectors, `<frame>.toml`."""
    return module.match("protocols/*/frames/*.py") and any(
        path.name == f"{module.stem}.toml"
        and path.is_relative_to(TESTS)
        and {"vectors", module.parts[-3]} <= set(path.parts)
        for path in paths
    )


def without_tests(paths: Iterable[Path]) -> set[str]:
    """The modules that neither a test file nor vectors test."""
    paths = set(paths)
    return {
        str(module)
        for module in modules(paths)
        if file_testing(module) not in paths and not has_vectors(module, paths)
    }


def without_module(paths: Iterable[Path]) -> set[Path]:
    """The test files that mirror no module."""
    paths = set(paths)
    return {test for test in testing(paths) if module_of(test) not in paths}


def test_every_module_has_its_tests() -> None:
    """A module without tests is on the list, and what is on the list has none."""
    assert without_tests(files()) == set(settings()["mirror"]["untested"])


def test_every_test_file_has_its_module() -> None:
    """A test file that tests no one module lies in a folder on the list."""
    apart = settings()["mirror"]["apart"]

    astray = [
        str(test)
        for test in without_module(files())
        if not any(test.is_relative_to(folder) for folder in apart)
    ]

    assert astray == []


def test_every_folder_apart_is_needed() -> None:
    """A folder on the list has test files that mirror no module."""
    for folder in settings()["mirror"]["apart"]:
        assert any(test.is_relative_to(folder) for test in without_module(files())), folder


def test_the_rule_itself() -> None:
    """What is missing on either side is seen."""
    module, test = Path("src/streamshark/a/b.py"), Path("tests/a/test_b.py")
    frame = Path("src/streamshark/protocols/p/frames/open.py")

    assert without_tests([module, test]) == set()
    assert without_tests([module]) == {str(module)}
    assert without_tests([frame, Path("tests/vectors/p/open.toml")]) == set()
    assert without_tests([frame, Path("tests/vectors/q/open.toml")]) == {str(frame)}
    assert without_module([module, test]) == set()
    assert without_module([test]) == {test}
