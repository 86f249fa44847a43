"""Fields that span commands: one name for a value, whichever command carries it.

A protocol declares them as data, in `fields.py` of its folder. `rmqstream.stream` is the stream of
a Subscribe, of a Metadata request, and, by what the connection knows, of a Publish.
"""

from streamshark.light_dataclass import record
from streamshark.schema import nodes


@record(kw_only=True)
class CommonField:
    """A value that many commands carry, with its one name: `<short>.<name>`.

    It has the occurrences of all members of a frame that it names, in wire order; they may be
    in records inside the frame, and in embedded records of the protocol.
    """

    name: str
    doc: str
    members: tuple[str, ...] = ()
    """Names of members, in any command and at any depth; records do not count."""
    paths: tuple[str, ...] = ()
    """Further members, of certain commands: `create_super_stream.partitions`."""
    but: tuple[str, ...] = ()
    """Members named in `members` that mean something else, in the form of `paths`."""
    context: str = ""
    """Member of the context of rows (`conversations.tables.Context`) that has the value for
    commands without any such member; empty if the connection does not know it."""
    by_flag: bool = False
    """Whether each flag of the number is a field of its own: `<short>.<name>.<flag>`."""
    is_stream: bool = False
    """Whether it names the stream, subject or segment of messages, which `--stream` compares."""


@record(kw_only=True)
class CommonFlag:
    """A fact about some frames, `<short>.<name>`: true, and absent from all other frames."""

    name: str
    doc: str
    commands: tuple[str, ...] = ()
    """Commands, by their full names after the short name, all of whose frames have it."""
    members: tuple[str, ...] = ()
    """Members, as of a `CommonField`: frames have it where one has a value not in `unless`."""
    paths: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    unless: tuple[int | str, ...] = ()


CommonTable = CommonField | CommonFlag


def sources(table: CommonTable, tree: nodes.Tree) -> list[nodes.Node]:
    """Return the nodes of a frame, or of an embedded record, that have a common field's value.

    One for each path, in wire order.
    """
    out: dict[tuple[str, ...], nodes.Node] = {}
    for node in tree.named():
        if node.path not in out and not is_record(node):
            place = tree.name(node).partition(".")[2]
            named = node.name in table.members and place not in table.but
            if named or place in table.paths:
                out[node.path] = node
    return list(out.values())


def is_record(node: nodes.Node) -> bool:
    """Return whether a node's values, or the items of its list, are records."""
    if isinstance(node, nodes.ListNode):
        return is_record(node.item)
    return isinstance(node, nodes.RecordNode) or (
        isinstance(node, nodes.ProtoNode) and (node.message is not None or node.kind == "map")
    )
