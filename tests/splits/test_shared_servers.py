"""What others have learned of servers comes in its time, and shows who must read again."""

from streamshark.splits.shared_servers import START, Asked, Learned, ServerNews

EARLY = Learned((0, 5, 0, 1), "certain", "10.0.0.1:5552", 2)
LATE = Learned((0, 9, 0, 4), "advertised", "broker:4222", "nats ")


def test_news_come_in_their_time() -> None:
    """Each once, when its packet is reached."""
    news = ServerNews([LATE, EARLY])
    assert news.take() == []
    news.now = (0, 5, 0, 1)
    assert news.take() == [EARLY]
    news.now = (1, 0, 0, 0)
    assert news.take() == [LATE]
    assert news.take() == []


def test_who_must_read_again() -> None:
    """A part is read again if it asked for a server that others knew, by any address."""
    asked = Asked((0, 7, 0, 2), "10.0.0.1:5552")
    assert asked.is_answered([EARLY, LATE])
    assert not asked.is_answered([LATE])
    assert not asked._replace(at=START).is_answered([EARLY])
    assert Asked((0, 9, 0, 5), "10.0.0.9:4222").is_answered([LATE])
    assert not Asked((0, 9, 0, 5), "10.0.0.9:4223").is_answered([EARLY, LATE])
