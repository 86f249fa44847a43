"""JSON Web Tokens in credentials."""

import base64
import json

from tests.failures import every

from streamshark.findings.web_tokens import expiry, token_fault

NOW = 1_700_000_000


def token(header: object, claims: object) -> bytes:
    """A token whose signature is not valid."""
    made = (base64.urlsafe_b64encode(json.dumps(e).encode()).rstrip(b"=") for e in (header, claims))
    return b".".join((*made, b"c2ln"))


RSA = {"alg": "RS256"}


@every(
    ("data", "found"),
    [
        (token(RSA, {"exp": NOW + 60}), ""),
        (token(RSA, {"exp": NOW - 30}), ""),
        (token(RSA, {"exp": NOW - 3600}), "expired at 2023-11-14 21:13:20 UTC"),
        (b"Bearer " + token(RSA, {"exp": NOW - 3600}) + b"\0", "expired at"),
        (token(RSA, {"exp": (NOW + 60) * 1000}), "not in seconds"),
        (token(RSA, {"exp": NOW + 600, "nbf": NOW + 300}), "not valid before"),
        (token(RSA, {"exp": NOW + 600, "nbf": NOW - 300}), ""),
        (token(RSA, {"exp": True}), ""),
        (token(RSA, {"exp": "soon"}), ""),
        (token(RSA, {"sub": "app"}), ""),
        (token({"alg": "none"}, {"sub": "app"}), "not signed"),
        (token(RSA, []), ""),
        (b"eyJ.eyJ.", ""),
        (b"eyJhbGciOiJSUzI1NiJ9.eyJ!!!!.c2ln", ""),
        (b"", ""),
    ],
)
def test_tokens(data: bytes, found: str) -> None:
    """Their time, their unit, their signature; what is no token says nothing."""
    assert found in token_fault(data, NOW * 10**9)
    assert bool(token_fault(data, NOW * 10**9)) is bool(found)


@every(
    ("data", "found"),
    [
        (token(RSA, {"exp": NOW}), True),
        (token(RSA, {"exp": NOW + 1}), False),
        (token(RSA, {"exp": 0}), False),
        (token(RSA, {"exp": True}), False),
        (token(RSA, {"sub": "app"}), False),
        (b"secret", False),
    ],
)
def test_ends_of_tokens(data: bytes, found: bool) -> None:  # noqa: FBT001 - what is expected
    """To the second."""
    assert bool(expiry(data, NOW * 10**9)) is found
