"""Links: what a connection joins is told by its INFO and CONNECT, else by its verbs."""

import json

from tests.failures import every
from tests.protocols.nats.traffic import SERVER_INFO, rows

from streamshark.protocols.nats.connection_kind import switch_dialect
from streamshark.protocols.nats.types import GATEWAY, LEAF, PINNED, ROUTE, ROUTE_2_9


def info(**members: object) -> bytes:
    """An INFO."""
    return b"INFO " + json.dumps(members).encode() + b" \r\n"


def connect(**members: object) -> bytes:
    """A CONNECT."""
    return b"CONNECT " + json.dumps(members).encode() + b"\r\n"


@every(
    ("before", "line", "after"),
    [
        ("", SERVER_INFO, ""),
        ("", info(server_id="N", client_id=5, client_ip="::1", leafnode_urls=["x"]), ""),
        ("", info(lnoc=True, lnocu=True, route_pool_size=3), ROUTE),
        ("", info(lnoc=True), ROUTE_2_9),
        (ROUTE, info(lnoc=True), ROUTE_2_9),
        (ROUTE_2_9, info(lnoc=True, lnocu=True), ROUTE_2_9),
        (ROUTE, info(lnoc=True, lnocu=True, route_account="$SYS"), PINNED),
        (PINNED, info(lnoc=True, lnocu=True), PINNED),
        (ROUTE, info(gateway="GB", gateway_cmd=1), ROUTE),
        ("", info(gateway="GB", gateway_cmd=1), ROUTE),
        ("", info(gateway="GB", gateway_url="x"), GATEWAY),
        ("", info(gateway="GB", gateway_cmd=2), GATEWAY),
        ("", info(client_id=9, leafnode_urls=["x"]), LEAF),
        ("", connect(lang="go", version="1.47.0"), ""),
        ("", connect(echo=True, name="N", cluster="C", lnoc=True), ROUTE),
        ("", connect(echo=True, name="N", cluster="C"), ROUTE_2_9),
        ("", connect(echo=False, name="N", cluster="", gateway="C"), GATEWAY),
        ("", connect(name="L", cluster="L", server_id="N"), LEAF),
        ("", connect(user="u"), ""),
        ("", b"CONNECT {\r\n", ""),
        ("", b"RS+ $G a\r\n", ROUTE),
        ("", b"rs+ a\r\n", PINNED),
        ("", b"RS- a\r\n", PINNED),
        ("", b"RMSG a 9\r\n1 2 3\r\n45\r\n", PINNED),
        (LEAF, b"RMSG a \t 1\r\n", PINNED),
        (ROUTE, b"RMSG a 1\r\n", PINNED),
        (ROUTE, b"RMSG $G a 1\r\n", ROUTE),
        (GATEWAY, b"RMSG a 1\r\n", GATEWAY),
        (GATEWAY, b"RS+ $G a\r\n", GATEWAY),
        ("", b"RMSG $G a 1\r\n", ROUTE),
        ("", b"LS+ a\r\n", LEAF),
        ("", b"LS- a q\r\n", LEAF),
        ("", b"LS- L $G a\r\n", ROUTE),
        (ROUTE, b"LS+ L $G a\r\n", ROUTE),
        ("", b"A- $G\r\n", GATEWAY),
        ("", b"PING\r\n", ""),
    ],
)
def test_what_a_line_tells(before: str, line: bytes, after: str) -> None:
    """The dialect from a line on."""
    assert switch_dialect(before, line) == after


def test_arguments_are_read_by_the_link() -> None:
    """HMSG of a route has an account where that of a client has a subject; senders are peers."""
    hmsg = b"HMSG $G all 18 21\r\nNATS/1.0\r\nA: b\r\n\r\nall\r\n"

    there = rows((0, connect(name="N", cluster="C", echo=True, lnoc=True)), (1, hmsg))
    client = rows((1, SERVER_INFO), (0, connect(lang="go")), (1, hmsg))

    assert there[-1].values["account"] == "$G"
    assert {each.sender for each in there} == {"peer"}
    assert client[-1].values["sid"] == "all"
    assert [each.sender for each in client] == ["server", "client", "server"]


def test_what_the_user_says_holds() -> None:
    """Where a dialect is named, no frame switches it."""
    found = rows((0, b"LS+ L $G x\r\nLS- A x q\r\n"), dialect=ROUTE_2_9)

    assert found[0].values == {"origin_cluster": "L", "account": "$G", "subject": "x"}
    assert found[1].values == {"account": "A", "subject": "x", "queue_group": "q"}
