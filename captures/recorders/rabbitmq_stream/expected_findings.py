"""The rows of `[[guilty]]`: which frame a rule is to name.

What a driver blames while it plays comes from `Stage.blame`. For captures recorded before there
was that, `EARLIER` says it from their scenarios; the frame is found by the reader of `seen`.

    python3 -m captures.recorders.rabbitmq_stream.expected_findings     writes the rows of EARLIER
"""

import tomllib
from pathlib import Path

from captures.recorders import lab
from captures.recorders.rabbitmq_stream import coverage
from captures.recorders.rabbitmq_stream.setup import Blame

Told = tuple[str, int, str, int, int]
"""Rule, connection, sender, key on the wire, and which frame with that key (from 1; -1: last)."""

EARLIER: dict[str, list[Told]] = {
    "bad_bodies": [
        ("F3", 0, "client", 0x0F, 1),
        ("F3", 2, "client", 0x06, 1),
        ("D15", 1, "client", 0x07, 1),
        ("S2", 3, "client", 0x01, 1),
    ],
    "cluster_wrong_node": [("M7", 1, "client", 0x07, 1)],
    "consumer_update_extra_bytes": [("A4", 0, "client", 0x801A, 1)],
    "consumer_update_unanswered": [("A1", 0, "server", 0x1A, 1)],
    "correlation_id_reused": [("X3", 0, "client", 0x0F, 2), ("X3", 0, "client", 0x0B, 1)],
    "create_bad_argument": [("S4", 0, "client", 0x0D, 1)],
    "create_bad_argument_4": [("S4", n, "client", 0x0D, 1) for n in range(5)],
    "create_refused": [
        ("S3", 0, "client", 0x0D, 3),
        ("S3", 0, "client", 0x0D, 4),
        ("S4", 0, "client", 0x0D, 5),
    ],
    "credit_gate": [("C3", 0, "client", 0x09, n) for n in range(1, 6)],
    "credit_inactive_consumer": [("A2", 1, "client", 0x07, 2)],
    "credit_negative": [("C6", 0, "client", 0x09, 1)],
    "credit_runs_out": [("C2", 0, "server", 0x08, 2)],
    "credit_zero": [("C7", 0, "client", 0x07, 1)],
    "delete_stream_under_consumer": [
        ("M6", 0, "client", 0x02, 1),
        ("M6", 0, "client", 0x09, 2),
        ("M6", 0, "client", 0x0C, 1),
    ],
    "deliver_maximum_3": [("V4", 0, "client", 0x1B, 1)],
    "duplicate_ids": [
        ("I2", 0, "client", 0x01, 2),
        ("I2", 0, "client", 0x01, 3),
        ("I4", 0, "client", 0x07, 2),
        ("I5", 0, "client", 0x0C, 1),
    ],
    "exchange_unknown_command": [("V2", 0, "client", 0x1B, 1)],
    "filter_value_left_out_go": [("U1", 2, "client", 0x02, 2), ("U4", 2, "client", 0x02, 2)],
    "filter_value_left_out_rstream": [
        ("U1", 2, "client", 0x02, 1),
        ("U1", 3, "client", 0x02, 1),
        ("U4", 2, "client", 0x02, 1),
        ("U4", 3, "client", 0x02, 1),
    ],
    "frame_too_large": [("T3", 0, "client", 0x02, 1)],
    "frame_too_large_rust": [("T3", 3, "client", 0x02, 2)],
    "frames_after_close": [("K4", 0, "client", 0x0F, 1), ("K4", 0, "client", 0x02, 1)],
    "heartbeat_missed": [("H1", 0, "client", 0x15, 1)],
    "js_refused_by_3_10": [("V3", 0, "client", 0x1B, 1)],
    "login_fails": [("N6", 0, "client", 0x13, 1)],
    "login_fails_late": [("N6", 0, "client", 0x13, 1)],
    "loopback_user_from_outside": [("N6", 0, "client", 0x13, 1)],
    "mechanism_not_offered": [("N2", 0, "client", 0x13, 1)],
    "newer_client_to_old_broker": [
        ("V3", 0, "client", 0x1B, 1),
        ("V5", 1, "client", 0x1C, 1),
        ("V5", 2, "client", 0x1D, 1),
        ("V5", 3, "client", 0x02, 1),
    ],
    "non_ascii_name_rstream": [("S1", 0, "client", 0x0D, 1)],
    "producer_reopened_java": [("I2", 1, "client", 0x01, 3)],
    "publish_error_sub_batch": [("U3", 0, "client", 0x02, 1), ("U3", 0, "client", 0x02, 2)],
    "publish_error_unknown_publisher": [
        ("I1", 0, "client", 0x02, 1),
        ("I1", 0, "client", 0x02, 2),
    ],
    "publish_truncated_entry": [("U4", 0, "client", 0x02, 1)],
    "publish_wrong_count": [("F10", 0, "client", 0x02, 1), ("F10", 0, "client", 0x02, 2)],
    "publisher_starts_too_low": [("I6", 0, "client", 0x02, 2)],
    "reauthenticate_refused": [("N7", 0, "client", 0x13, 2), ("N7", 1, "client", 0x13, 2)],
    "reference_too_long": [
        ("S3", 0, "client", 0x01, 1),
        ("S3", 0, "client", 0x07, 1),
        ("S3", 0, "client", 0x0B, 1),
    ],
    "request_before_open": [("N1", 0, "client", 0x0F, 1), ("N4", 0, "client", 0x0F, 1)],
    "rust_refused_by_3_10": [("V3", 0, "client", 0x1B, 1)],
    "server_close_unknown_frame": [("F5", 0, "client", 0x63, 1)],
    "stream_stats_go_3_10": [("V5", 1, "client", 0x1C, 1)],
    "sub_batch_in_publish_v2": [("U2", 0, "client", 0x02, 1)],
    "sub_batch_wrong_header": [("U3", 0, "client", 0x02, n) for n in (1, 2, 3)]
    + [("D9", 0, "server", 0x08, n) for n in (1, 2, 3)],
    "unsubscribe_then_credit": [
        ("I5", 0, "client", 0x09, 2),
        ("I5", 0, "client", 0x09, 3),
        ("I5", 0, "client", 0x0C, 2),
    ],
    "version_unknown": [("F6", 0, "client", 0x01, 1)],
    "vhost_missing": [("N6", 0, "client", 0x15, 1)],
    "vhost_missing_late": [("N6", 0, "client", 0x15, 1)],
    "wrong_direction": [("F8", 0, "client", 0x03, 1)],
}


def row(blame: Blame, file: Path, ports: list[int]) -> dict[str, object]:
    """What the driver counted, and the packet with the frame's last byte."""
    parts = coverage.pieces(file, ports)[blame.connection, blame.sender]
    end = min(part.sequence for part in parts) + blame.end
    packet = next(p.number for p in parts if p.sequence < end <= p.sequence + len(p.data))
    told: dict[str, object] = {"rule": blame.rule} if blame.rule else {}
    told |= {
        "connection": blame.connection,
        "sender": blame.sender,
        "nth": blame.nth,
    }
    told |= {"last": blame.last} if blame.last else {}
    return told | {"key": f"0x{blame.key:04x}", "packet": packet}


def earlier(scenario: str, found: list[coverage.Seen]) -> list[Blame]:
    """What is told of a scenario, among the frames of its capture."""
    blames = []
    for rule, connection, sender, key, which in EARLIER.get(scenario, []):
        mine = [f for f in found if (f.stream, f.sender) == (connection, sender)]
        places = [n for n, frame in enumerate(mine, 1) if frame.key == key]
        nth = places[which - 1 if which > 0 else which]
        end = sum(frame.length for frame in mine[:nth])
        blames.append(Blame(f"RMQ-{rule}", connection, sender, nth, key, end, 0))
    return blames


def unnamed(chosen: list[coverage.Seen], found: list[coverage.Seen]) -> list[Blame]:
    """Frames without a rule: of each direction those from the first that is chosen to the last."""
    blames = []
    for stream, sender in sorted({(f.stream, f.sender) for f in chosen}):
        mine = [f for f in found if (f.stream, f.sender) == (stream, sender)]
        places = [n for n, frame in enumerate(mine, 1) if frame in chosen]
        nth, last = places[0], places[-1] if len(places) > 1 else 0
        end = sum(frame.length for frame in mine[:nth])
        blames.append(Blame("", stream, sender, nth, mine[nth - 1].key, end, last))
    return blames


def main() -> None:
    """Puts the rows into the provenance of captures that have none yet."""
    for scenario in EARLIER:
        about = coverage.FOLDER / scenario / "provenance.toml"
        data = tomllib.loads(about.read_text())
        expected = data.pop("expected")
        file, ports = coverage.capture(scenario)
        blames = earlier(scenario, list(coverage.frames(file, ports)))
        data["guilty"] = [row(blame, file, ports) for blame in blames]
        lab.write_toml(about, data | {"expected": expected})


if __name__ == "__main__":
    main()
