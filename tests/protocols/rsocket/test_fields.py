"""Fields that span commands, in recorded traffic."""

from tests.fields.known import roles, seen


def test_stream_and_flags() -> None:
    """Of every frame; a flag only of frame types that have it."""
    capture = "rsocket/keepalive_websocket_go"

    assert seen(capture, "rsocket.stream_id")["request_response"] == {1}
    assert seen(capture, "rsocket.flags")["payload"] == {0x160}
    assert seen(capture, "rsocket.flags.respond") == {"keepalive": {False, True}}
    assert seen(capture, "rsocket.flags.next") == {"payload": {True}}


def test_failures() -> None:
    """Frames of the type ERROR."""
    assert seen("rsocket/setup_refused_websocket_js_0_0", "rsocket.failed") == {"error": {True}}


def test_roles() -> None:
    """Of members, by their names."""
    assert roles("rsocket") == {
        "body": {"data"},
        "chance": {
            "first_available_client_position",
            "last_received_client_position",
            "last_received_position",
            "last_received_server_position",
            "parent_id",
            "resume_identification_token",
            "span_id",
            "token",
            "trace_id_high",
            "trace_id_low",
        },
        "correlates": {"stream_id"},
        "identifies": {"resume_identification_token"},
        "keyword": {"auth_type", "data_mime_type", "metadata_mime_type", "mime_type"},
        "text": {"error_data"},
        "user": {"username"},
    }
