"""Rules for the handshake."""

from pathlib import Path

from tests.protocols.rabbitmq_stream.talk import CLIENT, Talk, accused, number, text


def test_a_frame_before_open_is_not_large(tmp_path: Path) -> None:
    """T4: from the first byte that is too many, the length before the frame not counted."""
    around = 4 + 4 + 4 + 2 + len("platform") + 2
    for size, is_wrong in ((8192, False), (8193, True), (8196, True)):
        talk = Talk(said=size - around)
        rules = {each for each, _ in accused(tmp_path, talk.leave())}
        assert ("RMQ-T4" in rules) is is_wrong, size


def test_a_tune_of_another_layout_teaches_nothing(tmp_path: Path) -> None:
    """T7 alone: the code and id in front are no frame size and heartbeat."""
    talk = Talk()
    talk.say(CLIENT, 0x8014, number(4) + number(1, 2) + number(1 << 20) + number(60))
    talk.ask(0x0D, text("s") + number(0))
    talk.leave()

    assert [each for each in accused(tmp_path, talk) if each[0] != "RMQ-T1b"] == [
        ("RMQ-T7", "error")
    ]
