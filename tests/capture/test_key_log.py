"""Lines of TLS key logs."""

from streamshark.capture.key_log import lines_of, random_of

OURS, THEIRS = bytes(range(32)), bytes(32)
LOG = b"\n".join(
    (
        b"# comment",
        b"CLIENT_RANDOM " + OURS.hex().encode() + b" 00ff",
        b"CLIENT_TRAFFIC_SECRET_0 " + THEIRS.hex().encode() + b" 00ff",
        b"RSA 0011223344556677 00ff",
        b"broken",
        b"CLIENT_RANDOM " + b"zz" * 32 + b" 00ff",
        b"",
    )
)


def test_lines_of_connections() -> None:
    """Lines of the given connections are kept, and lines that name no connection."""
    assert [line.split()[0] for line in lines_of(LOG, {OURS})] == [
        b"CLIENT_RANDOM",
        b"RSA",
        b"CLIENT_RANDOM",
    ]
    assert [random_of(line) for line in lines_of(LOG, {OURS})] == [OURS, None, None]
