"""The columns of the packet list."""

from tests.filters.reading import PUBLISH, read

from streamshark.filters.columns import COLUMNS, INFO, column

FRAMES = {
    '_ws.col.info contains "vhost"': [9],
    '_ws.col.info matches "heartbeat=60 s$"': [7, 8],
    '_ws.col.protocol == "RMQSTREAM" && frame < 3': [1, 2],
    '_ws.col.def_src == "127.0.0.1" && frame == 5': [5],
}
PACKETS = {
    '_ws.col.protocol == "TCP" && frame.number < 5': [1, 2, 3],
    '_ws.col.info contains "ids=13 pub=0 | publish"': [25],
    '_ws.col.def_dst == "127.0.0.1" && frame.number < 3': [1, 2],
    "not _ws.col.info && frame.number < 5": [1, 2, 3],
}


def test_columns_of_rows() -> None:
    """The text of the lines of `read`, without the response time."""
    found = read(PUBLISH)
    assert {text: found.frames(text) for text in FRAMES} == FRAMES


def test_columns_of_packets() -> None:
    """One text for all frames of a packet; packets without a frame have no Info."""
    found = read(PUBLISH)
    assert {text: found.numbers(text) for text in PACKETS} == PACKETS


def test_what_makes_the_text_is_handed_in() -> None:
    """Without it no row has the text."""
    row = read(PUBLISH).rows[0]
    assert column(INFO, None)(row) == ()
    assert column(INFO, lambda _row: "text")(row) == ("text",)
    assert len(COLUMNS) == 4
