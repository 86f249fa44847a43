"""The text of a ticket."""

from tests.views.findings import FINDING

from streamshark.sharing.ticket import TicketContent, escaped, markdown

EXPLANATION = "Summary\n  1 connection.\n    [E] `it` failed\n\nConnection 0  a -> b\n"
CONTENT = TicketContent(
    finding=FINDING,
    protocol="Parrot Talk",
    title="a <title>",
    context={"client_product": "Pa|rot", "client_version": 3, "broker_version": "4.3"},
    explanation=EXPLANATION,
    diagram="sequenceDiagram\n    P0->>P1: x\n",
    frames=3,
    all_frames=1200,
)


def test_parts() -> None:
    """Finding, versions, commands, diagram and pages; with nothing that Markdown would read."""
    text = markdown(CONTENT)
    assert text.startswith("# Parrot Talk: said \\\\x1b\\[31mhello \\<&\\>")
    for part in (
        "| rule | PARROT-1 (error): a \\<title\\> |\n",
        "- client: Pa\\|rot 3\n- server: 4.3\n",
        "3 of 1,200 frames",
        "```mermaid\nsequenceDiagram\n    P0->>P1: x\n```\n",
        "streamshark read -V -x --frame 12 capture.pcapng\nwireshark -g 40 capture.pcapng\n",
        "### Summary\n\n- 1 connection.\n  - \\[E\\] \\`it\\` failed\n\n",
        "### Connection 0  a -\\> b\n",
    ):
        assert part in text, part


def test_escaping() -> None:
    """Marks, ends of lines and mentions are plain text."""
    assert escaped("a*b_c\n#@you") == "a\\*b\\_c\\\\n\\#@<!-- -->you"
    assert escaped("<img src=x>") == "\\<img src=x\\>"
