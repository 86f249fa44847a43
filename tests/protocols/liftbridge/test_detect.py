"""An envelope is known by its magic number."""

from tests.protocols.liftbridge.traffic import publish

from streamshark.cli.raw_bytes import inside, surest
from streamshark.framing.wire_format import Evidence, Level
from streamshark.protocols.liftbridge import PROTOCOL
from streamshark.protocols.liftbridge.detect import detect


def test_the_magic_number() -> None:
    """Surer where a whole message follows; not for other bytes."""

    def sure(data: bytes, *commands: str) -> int:
        evidence = Evidence(data, True, commands, True, False, False, bare=True)  # noqa: FBT003
        return detect(evidence).level

    assert sure(publish(), "publish") > sure(publish()[:6]) == Level.SURE
    assert sure(b"PUB foo 1\r\n") == Level.NONE


def test_loose_bytes_are_taken_for_one() -> None:
    """As `decode` does."""
    (route,) = inside(PROTOCOL.wire.table())

    assert surest(publish(), [route]) is route
