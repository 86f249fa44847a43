"""The table of what is secret, and the forms of credentials."""

import json
from random import Random

import pytest
from tests.failures import Failures

from streamshark.schema import secrets


@pytest.mark.parametrize(
    ("secret", "names"),
    [
        (
            True,
            (
                "Authorization authorization-bin PROXY-Authorization cookie Set-Cookie x-api-key"
                " apiKey API_KEY x-amz-security-token delegation_token access_token pass passwd"
                " client_secret jwt sig nkey_seed user-credentials"
            ),
        ),
        (
            False,
            (
                "user name grpc-timeout content-type traceparent key continuation_tokens passage"
                " Nats-Msg-Id author keyspace tokens_used signature_count compass"
            ),
        ),
    ],
)
def test_names(names: str, *, secret: bool) -> None:
    """Any case, any separators, with `-bin` or without."""
    wrong = [each for each in names.split() if secrets.is_secret(each) is not secret]

    assert wrong == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("nats://me:pw@host:4222", "nats://***@host:4222"),
        ("tls://token@host, tls://other", "tls://***@host, tls://other"),
        ("https://a:p@ss@h/x", "https://***@h/x"),
        ("/rsocket?id=5&access_token=abc&x=1", "/rsocket?id=5&access_token=***&x=1"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("Basic Z3Vlc3Q6Z3Vlc3Q=", "Basic ***"),
        ("basic authentication", "basic authentication"),
        ("see eyJhbGciOi.eyJzdWIi.c2ln now", "see *** now"),
        ("https://host/path?page=2", "https://host/path?page=2"),
        ("to me@host", "to me@host"),
    ],
)
def test_credentials_in_text(text: str, shown: str) -> None:
    """Users of URLs, parameters, tokens; nothing else."""
    assert secrets.scrubbed(text) == shown


def test_form_of_any_part() -> None:
    """What has a credential in some part of it, cut anywhere, has the form of one as a whole."""
    pieces = (
        *(
            b"?token=abc",
            b"&a=",
            b"=",
            b"?",
            b"a",
            b" ",
            b"://",
            b":\\/\\/",
            b"me:pw@",
            b"bearer ",
            b"x.y",
        ),
        *(
            b"eyJhbGci.",
            b"eyJhbGci",
            b"Basic QWJj1",
            b";pat=",
            b"#k%65y=1",
            b'"',
            b"\xff",
            b"Bearer.v1 ",
        ),
    )
    random = Random(5)  # noqa: S311 - the same each time
    found = 0
    with Failures() as failures:
        for _ in range(3000):
            whole = b"".join(random.choices(pieces, k=6))
            start, end = sorted(random.choices(range(len(whole) + 1), k=2))
            if secrets.credentials(whole[start:end]):
                found += 1
                with failures.of(whole):
                    assert secrets.has_form(whole)
    assert found > 500


def test_an_equals_sign_alone_is_no_form() -> None:
    """Random bytes have one; the name of a secret parameter before it is rare."""
    random = Random(5)  # noqa: S311 - the same each time
    assert not any(secrets.has_form(random.randbytes(20_000)) for _ in range(20))
    assert secrets.has_form(b"?" + b"n" * 59 + b"token=" + b"x")
    assert not secrets.has_form(b"?" + b"n" * 60 + b"token=" + b"x")


def test_members_of_json() -> None:
    """Their values stay JSON and say nothing; others stay as they are, in cut objects too."""
    data = b'{"a": {"Api-Key": "one\\"x", "n": 1}, "secret": ["two", 345, true], "token": 678}'

    shown = secrets.hidden(data, list(secrets.members(data)))

    assert len(shown) == len(data)
    assert json.loads(shown) == {
        "a": {"Api-Key": "******", "n": 1},
        "secret": ["***", 111, True],
        "token": 111,
    }
    for end in range(len(data)):
        part = data[:end]
        left = secrets.hidden(part, list(secrets.members(part)))
        assert not [each for each in (b"on", b"tw", b"34", b"67") if each in left], part
