"""Fields that span commands, in recorded traffic."""

from tests.fields.known import roles, seen


def test_subject_and_subscription() -> None:
    """Of every verb that has them."""
    capture = "nats/bug_sid_unknown"

    assert seen(capture, "nats.subject") == {"sub": {"a.b", "c"}, "pub": {"a.b"}, "msg": {"a.b"}}
    assert seen(capture, "nats.sid") == {"sub": {"1", "2"}, "unsub": {"2"}, "msg": {"7"}}


def test_queue() -> None:
    """Of subscriptions, and of messages between servers."""
    assert seen("nats/interactions_py", "nats.queue") == {"sub": {"workers"}}
    assert set(seen("nats/routes_py", "nats.queue")) >= {"rs_plus", "rmsg"}


def test_failures() -> None:
    """The server reports them."""
    assert seen("nats/wrong_password_py", "nats.failed") == {"err": {True}}


def test_roles() -> None:
    """Of members, by their names."""
    assert roles("nats") == {
        "address": {
            "connect_urls",
            "gateway_url",
            "gateway_urls",
            "ip",
            "leafnode_urls",
            "ws_connect_urls",
        },
        "body": {"payload"},
        "chance": {"client_id", "nonce", "reply_to", "server_id", "sig"},
        "client_host": {"client_ip"},
        "host": {"connect_urls", "host"},
        "identifies": {"sid"},
        "keyword": {"compress_mode", "compression"},
        "port": {"port"},
        "product": {"git_commit", "go", "lang", "version"},
        "reference": {"name"},
        "stream": {"subject"},
        "text": {"message"},
        "user": {"account", "remote_account", "route_account", "user"},
    }
