"""Notes where Wireshark hides frames: by a preference, or by another dissector on the port."""

from tests.failures import Failures
from tests.judge.judging import tshark
from tests.judge.traffic import CAPTURES, PLUGINS

CASES = (
    (
        "rabbitmq_stream/frame_of_agreed_maximum",
        "tcp.desegment_tcp_streams:FALSE",
        "the preference tcp.desegment_tcp_streams is off",
    ),
    (
        "rabbitmq_stream/lossy_line",
        "tcp.reassemble_out_of_order:FALSE",
        "tcp.reassemble_out_of_order lets its frames be shown",
    ),
    (
        "rabbitmq_stream/truncated_snap_length",
        "tcp.reassemble_out_of_order:TRUE",
        "the snap length cut off bytes for which the preference tcp.reassemble_out_of_order waits",
    ),
    (
        "rabbitmq_stream/amqp_port_by_mistake",
        "tcp.try_heuristic_first:FALSE",
        "These bytes begin RabbitMQ Streams, but another dissector has the port 5672",
    ),
    ("rabbitmq_stream/frame_of_agreed_maximum", "tcp.desegment_tcp_streams:TRUE", ""),
    ("rabbitmq_stream/truncated_snap_length", "tcp.reassemble_out_of_order:FALSE", ""),
)
"""Capture, preference, and what a note says; empty for no note."""


def test_notes_about_hidden_frames() -> None:
    """They are expert items, and there is none where nothing is hidden."""
    with Failures() as failures:
        for name, preference, expected in CASES:
            with failures.of(f"{name} {preference}"):
                capture = next((CAPTURES / name).glob("traffic.*"))
                script = [PLUGINS / "rabbitmq_stream.lua"]
                fields = ("-T", "fields", "-e", "_ws.expert.message", "-o", preference)
                lines = tshark(capture, script, *fields).splitlines()
                notes = [each for each in lines if "preference" in each or "has the port" in each]
                assert bool(notes) == bool(expected)
                assert all(expected in each for each in notes)


def test_first_segment_may_end_within_the_first_frame() -> None:
    """On a port of another protocol, and with what is recognised on any port."""
    capture = next((CAPTURES / "nats/object_over_a_slow_line_go").glob("traffic.*"))
    for preference in ("nats.shared_ports:4223", "tcp.try_heuristic_first:TRUE"):
        only = ("-c", "8", "-Y", "nats", "-T", "fields", "-e", "frame.number", "-e", "nats.command")
        found = tshark(capture, [PLUGINS / "nats.lua"], *only, "-o", preference)
        assert found.splitlines() == ["6\tinfo", "8\tconnect"], preference
