"""What a user has chosen: keys, theme and columns, in files of his configuration.

`config.toml` is his own: `[tui]` with `theme`, `columns`, and `[tui.keys]` with an action's id and
its keys, separated by commas. What is chosen on the screens is kept in a file beside it.
"""

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from platformdirs import user_config_dir

from streamshark.errors import StreamsharkError

CONFIG: Final = "config.toml"
CHOICES: Final = "tui.json"
FOLDER: Final = "STREAMSHARK_CONFIG_DIR"
"""Variable of the environment that names another folder."""
LARGEST: Final = 1 << 20
"""Most bytes of a file that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of the screens."""

    keys: Mapping[str, str] = field(default_factory=dict)
    """Action to keys, separated by commas."""
    theme: str = ""
    """Name of a theme of Textual; empty for the usual one."""
    columns: tuple[str, ...] = ()
    """Fields that are columns."""


def folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return the folder of the settings."""
    chosen = (os.environ if environment is None else environment).get(FOLDER)
    return Path(chosen) if chosen else Path(user_config_dir("streamshark"))


def load(where: Path) -> Settings:
    """Return the settings in a folder; those chosen on the screens replace those of the file.

    Raises:
        StreamsharkError: The file cannot be read, or has something that is no setting.
    """
    found = _table(where / CONFIG)
    for name, value in _choices(where / CHOICES).items():
        if name in ("theme", "columns"):
            found[name] = value
    keys = found.pop("keys", {})
    theme, columns = found.pop("theme", ""), found.pop("columns", [])
    path = where / CONFIG
    if found:
        raise StreamsharkError(f"{path}: [tui] has no setting {next(iter(found))!r}")
    if not isinstance(theme, str):
        raise StreamsharkError(f"{path}: theme must be a name")
    if not (isinstance(columns, list) and all(isinstance(each, str) for each in columns)):
        raise StreamsharkError(f"{path}: columns must be a list of names of fields")
    if not (isinstance(keys, dict) and all(isinstance(each, str) for each in keys.values())):
        raise StreamsharkError(f'{path}: [tui.keys] must have texts, such as quit = "Q, ctrl+q"')
    return Settings(keys=keys, theme=theme, columns=tuple(columns))


def keep(where: Path, settings: Settings) -> None:
    """Write what was chosen on the screens.

    Raises:
        StreamsharkError: It cannot be written.
    """
    text = json.dumps({"theme": settings.theme, "columns": list(settings.columns)})
    try:
        where.mkdir(parents=True, exist_ok=True)
        fresh = where / f"{CHOICES}.new"
        fresh.write_text(f"{text}\n", encoding="utf-8")
        fresh.replace(where / CHOICES)
    except OSError as error:
        raise StreamsharkError(f"{where / CHOICES}: {error.strerror or error}") from None


def _table(path: Path) -> dict[str, Any]:
    """Return the table `tui` of a file of TOML; empty without one."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST).decode()
        found = tomllib.loads(text).get("tui", {})
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StreamsharkError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise StreamsharkError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise StreamsharkError(f"{path}: tui must be a table")
    return found


def _choices(path: Path) -> Mapping[str, Any]:
    """Return what was kept; nothing if it cannot be read."""
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(LARGEST))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
