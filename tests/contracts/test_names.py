"""The tree and its names: nouns of the domain, a fixed top level, packages that only re-export."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest
from tests.contracts.repository import ROOT, files, texts

NOT_A_NOUN = {
    *("base", "common", "core", "handler", "handlers", "helper", "helpers"),
    *("manager", "misc", "tools", "util", "utils"),
}
"""Names that say where code was put, not what it is."""

TOP_LEVEL = {
    *("LICENSE", "Makefile", "README.md", "bench", "captures", "dissectors", "docs"),
    *("pyproject.toml", "src", "tests"),
}


pytestmark = pytest.mark.xdist_group("names")  # one worker parses the modules


@pytest.fixture(scope="module")
def python() -> dict[Path, ast.Module]:
    """The package's modules, parsed."""
    return {
        path: ast.parse(text)
        for path, text in texts().items()
        if path.suffix == ".py" and path.is_relative_to("src")
    }


def test_names_are_nouns_of_the_domain() -> None:
    """No file or folder is named for being a leftover."""
    poor = [
        str(path) for path in files() if NOT_A_NOUN & {part.split(".")[0] for part in path.parts}
    ]

    assert poor == []


def test_no_two_classes_of_the_core_share_a_name(python: dict[Path, ast.Module]) -> None:
    """Protocols may repeat one another's: each has its own `FrameType`."""
    protocols, places = Path("src/streamshark/protocols"), defaultdict(list)
    for path, module in python.items():
        if not path.is_relative_to(protocols) or path.parent == protocols:
            for node in module.body:
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(str(path))

    assert {name: found for name, found in places.items() if len(found) > 1} == {}
    assert len(places) > 300


def test_the_top_level_is_fixed() -> None:
    """What is visible at the top stays what it is; everything else there is a dotfile."""
    visible = {path.parts[0] for path in files() if not path.parts[0].startswith(".")}

    assert visible <= TOP_LEVEL


def test_packages_hold_no_code(python: dict[Path, ast.Module]) -> None:
    """An `__init__` re-exports from its own package, and a protocol's says what it is."""
    astray = []
    for path, module in python.items():
        if path.name != "__init__.py":
            continue
        for node in module.body:
            match node:
                case ast.Expr(value=ast.Constant()):  # the docstring
                    continue
                case ast.ImportFrom(module=str(name)) if name.split(".")[0] == "streamshark":
                    continue
                case ast.Assign(
                    targets=[
                        ast.Name(id="__all__" | "__version__" | "PROTOCOL" | "FORMAT" | "CARRIER")
                    ]
                ):
                    continue
            astray.append(f"{path}:{node.lineno}")

    assert astray == []


def test_every_folder_is_a_package(python: dict[Path, ast.Module]) -> None:
    """A folder without `__init__` would be invisible to the boundaries."""
    folders = {folder for path in python for folder in path.parents[:-2]}

    assert [
        str(folder) for folder in sorted(folders) if not (ROOT / folder / "__init__.py").exists()
    ] == []


def test_imports_are_absolute_and_named(python: dict[Path, ast.Module]) -> None:
    """One way to write an import, so that a search finds it."""
    astray = [
        f"{path}:{node.lineno}"
        for path, module in python.items()
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and (node.level or node.names[0].name == "*")
    ]

    assert astray == []


def test_only_packages_declare_what_they_export(python: dict[Path, ast.Module]) -> None:
    """`__all__` stands in `__init__` and nowhere else."""
    astray = [
        str(path)
        for path, module in python.items()
        if path.name != "__init__.py"
        for node in module.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    ]

    assert astray == []
