"""Fields that span commands, in recorded traffic."""

from tests.fields.known import roles, seen


def test_method_and_status() -> None:
    """The method of every row of a call, the status of its last one."""
    methods = seen("liftbridge/cursors_go", "grpc.method")

    assert set(methods) >= {"call", "message", "headers", "reply", "status"}
    assert "SetCursor" in methods["call"]
    assert 0 in seen("liftbridge/cursors_go", "grpc.status")["status"]


def test_failures() -> None:
    """Calls that end with another status than ok."""
    assert set(seen("liftbridge/streams_go", "grpc.failed")) <= {"status", "reset"}
    assert "status" in seen("liftbridge/streams_go", "grpc.failed")


def test_roles() -> None:
    """Of members, by their names."""
    assert roles("grpc") == {
        "address": {"authority"},
        "body": {"message"},
        "chance": {"authorization"},
        "correlates": {"stream_id"},
        "keyword": {"content_type", "method", "path"},
        "server_host": {"authority"},
        "text": {"status_message"},
    }
