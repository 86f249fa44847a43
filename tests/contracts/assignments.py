"""A plugin of mypy: no attribute of an object is assigned outside the package of its class.

A package is a folder of `streamshark`, or of `streamshark/protocols`; a module beside them is one
of its own. Who wants an object of another package to change calls a method of it. An object may
assign its own attributes, those that it inherits included.
"""

from collections.abc import Callable
from pathlib import Path

from mypy.nodes import MemberExpr, NameExpr
from mypy.plugin import AttributeContext, Plugin
from mypy.types import Type

ROOT = "streamshark"
DEEPER = "protocols"
"""Folder whose folders are packages."""


class Assignments(Plugin):
    """Reports each assignment to an attribute of a class of another package."""

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Return the check of an access to an attribute of a class of the root package."""
        if not fullname.startswith(f"{ROOT}."):
            return None

        def check(context: AttributeContext) -> Type:
            node = context.context
            if context.is_lvalue and isinstance(node, MemberExpr) and not _is_own(node):
                here = _module(context.api.path)
                if here and _package(here) != _package(fullname.split(".")):
                    context.api.fail(f"{fullname} is assigned outside its package", node)
            return context.default_attr_type

        return check


def _is_own(node: MemberExpr) -> bool:
    return isinstance(node.expr, NameExpr) and node.expr.name == "self"


def _module(path: str) -> list[str]:
    """Return the parts of the name of a module of the root package; none for another one."""
    parts = [*Path(path).with_suffix("").parts]
    return parts[len(parts) - 1 - parts[::-1].index(ROOT) :] if ROOT in parts else []


def _package(parts: list[str]) -> list[str]:
    return parts[: 3 if parts[1:2] == [DEEPER] else 2]


def plugin(_version: str) -> type[Plugin]:
    """Return the plugin, as mypy asks for it."""
    return Assignments
