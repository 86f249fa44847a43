"""What rules ask of answers, and of the requests of the next connection."""

from streamshark.protocols.rsocket.answer_predicates import (
    belongs_to_another,
    leaves_out,
    refuses_credentials,
)


def test_an_answer_belongs_to_another_request() -> None:
    """If others do as well, and some repeat the value of their own request."""
    asked = [(n, n, b'{"id": %d}' % n) for n in range(4)]
    replied = [
        (0, 0, b'{"id": 0}', b'{"id": 0}'),
        (1, 1, b'{"id": 1}', b'{"id": 2}'),
    ]
    row = {
        "peer.asked_for": asked, "me.replied": replied, "OTHERS": 2, "stream.n": 2, "stream.t": 2,
        "stream.question": b'{"id": 2}', "data": b'{"id": 3}',
    }  # fmt: skip

    assert belongs_to_another(row) == "id 3 in place of 2"
    assert not belongs_to_another({**row, "data": b'{"id": 2}'})
    assert not belongs_to_another({**row, "data": b'{"id": 9}'})
    assert not belongs_to_another({**row, "data": b"no JSON"})
    assert not belongs_to_another({**row, "me.replied": replied[1:]})


def test_a_refusal_is_about_credentials() -> None:
    """Not any refusal is."""
    assert refuses_credentials({"error_data": "token expired"})
    assert not refuses_credentials({"error_data": "no such route"})


def test_a_stream_is_left_out() -> None:
    """If others are requested again, numbers aside."""
    lost = [("request_stream", b"prices", b"from 3"), ("request_stream", b"orders", b"from 4")]
    again = [("request_stream", b"prices", b"from 9")]

    assert leaves_out({"wanted.lost": lost, "wanted.again": again}).startswith("request_stream")
    assert not leaves_out({"wanted.lost": lost, "wanted.again": [*again, lost[1]]})
    assert not leaves_out({"wanted.lost": lost, "wanted.again": []})
