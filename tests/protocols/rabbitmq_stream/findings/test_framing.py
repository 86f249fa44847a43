"""Rules for frames that do not parse."""

from pathlib import Path

from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, accused


def test_foreign_bytes_on_an_open_connection_are_the_only_fault(tmp_path: Path) -> None:
    """F1: bytes of no protocol; P1: those of another one; later ones are not read (no X1)."""
    told = []
    for side, data in ((SERVER, b"\x9c\x4e" * 1500), (CLIENT, b"GET / HTTP/1.1\r\n\r\n")):
        talk = Talk()
        talk.declare("s")
        talk.made.send(side, data)
        talk.publish(1, 10)
        talk.ask(6, b"\1")
        talk.leave()
        told.append([each for each in accused(tmp_path, talk) if each[1] != "note"])

    assert told == [[("RMQ-F1b", "error")], [("RMQ-P1", "error")]]
