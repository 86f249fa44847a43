"""Numbers are those of the documents."""

from streamshark.protocols.websocket.codes import APPLICATIONS, EVENTS, LIBRARIES, CloseCode, Opcode


def test_opcodes_are_those_of_the_document() -> None:
    """RFC 6455, 11.8."""
    assert {each.name: int(each) for each in Opcode} == {
        "CONTINUATION": 0, "TEXT": 1, "BINARY": 2, "CLOSE": 8, "PING": 9, "PONG": 10,
    }  # fmt: skip


def test_close_codes_that_may_not_be_sent_have_no_name() -> None:
    """RFC 6455, 7.4.1: 1004 is reserved; 1005, 1006 and 1015 stand for something else."""
    assert not {1004, 1005, 1006, 1015} & set(CloseCode)
    assert max(CloseCode) < LIBRARIES.start < APPLICATIONS.start


def test_every_event_has_a_sentence() -> None:
    """Control frames and the handshake."""
    assert set(EVENTS) >= {"ping", "pong", "close", "upgrade", "upgraded", "refused"}
    assert all(sentence.endswith(".") for sentence in EVENTS.values())
