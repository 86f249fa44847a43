"""Rules for the end of a connection."""

from pathlib import Path

from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, findings, number, text

from streamshark.findings.rule import family


def test_a_challenge_is_no_refusal(tmp_path: Path) -> None:
    """K2: of a renewed login; a broker that ends the connection later has other reasons."""
    causes = {}
    for code in (1, 10, 13):
        talk = Talk()
        for each in dict.fromkeys((code, 1)):
            challenge = number(4) + b"more" if each == 10 else b""
            talk.ask(0x13, text("PLAIN") + number(4) + b"\0a\0b", number(each, 2) + challenge)
        talk.wait(5).made.finish(SERVER).finish(CLIENT)
        found = [each for one in findings(tmp_path, talk) for each in (one, *one.echoes)]
        causes[code] = [each.cause for each in found if family(each.rule) == "RMQ-K2"]

    assert causes[1] == causes[10] != causes[13]
    assert causes[13] == ["The broker had refused the authentication."]
