"""JetStream by name: what subjects, acks and statuses mean, each of them written by real peers."""

import pytest
from tests.failures import every
from tests.protocols.nats.traffic import CLIENT, SERVER, Talk
from tests.schema.reader_agreement import Vector, vectors

from streamshark.conversations.expression_functions import f_begins, f_called, f_matching
from streamshark.protocols.nats.codes import Status
from streamshark.protocols.nats.jetstream import ACKS, SUBJECTS

VECTORS = [each for each in vectors("nats") if each.file == "jetstream"]
NAMED = [each for each in VECTORS if "meaning" in each.facts]
STATUSES = [each for each in VECTORS if each.command == "hmsg"]
OTHERWISE = {
    "info": "account_info",
    "stream peer remove": "stream_remove_peer",
    "stream peer evacuate": "stream_evacuate_peer",
    "consumer peer remove": "consumer_remove_peer",
    "consumer peer evacuate": "consumer_evacuate_peer",
    "consumer durable create": "consumer_create",
}
"""Requests whose answers name themselves in other words than the subject."""


def subject_of(vector: Vector) -> str:
    """The subject of what a vector publishes."""
    return str(vector.expect["subject"])


@every("pattern", sorted(SUBJECTS))
def test_the_first_pattern_is_the_most_specific(pattern: str) -> None:
    """Plugins, whose tables have no order, take the one with most tokens that are no wildcards."""
    subject = pattern.replace("*", "x").replace(">", "x.y")
    matches = [each for each in SUBJECTS if f_matching(subject, each)]
    specific = max(matches, key=lambda each: len(set(each.split(".")) - {"*", ">"}))
    assert SUBJECTS[matches[0]] == SUBJECTS[specific] == f_called(subject, SUBJECTS)


@every("vector", NAMED, ids=lambda each: each.name)
def test_requests_and_acks(vector: Vector) -> None:
    """By the subject; an ack by how it begins."""
    if subject_of(vector).startswith("$JS.ACK."):
        named = f_begins(bytes.fromhex(vector.expect["payload"]), ACKS)
    else:
        named = f_called(subject_of(vector), SUBJECTS)
    assert named == vector.facts["meaning"]


def test_each_request_and_each_ack_has_a_vector() -> None:
    """Of those that have words of their own."""
    words = {name for pattern, name in SUBJECTS.items() if pattern.startswith("$JS.API.")}
    written = {each.facts["meaning"] for each in NAMED}
    assert words | set(ACKS.values()) == written | {"api request"}


def test_answers_name_themselves_as_their_requests_are_called() -> None:
    """In the type that the server writes."""
    types = {each.facts["name"]: each.facts["note"] for each in VECTORS if "note" in each.facts}
    said = 0
    for each in NAMED:
        told = types.get(f"{each.facts['name']}_response")
        if told is not None:
            meaning = each.facts["meaning"]
            words = OTHERWISE.get(meaning, meaning.replace(" ", "_"))
            assert told == f"io.nats.jetstream.api.v1.{words}_response"
            said += 1
    assert said > 20


@every("vector", STATUSES, ids=lambda each: each.name)
def test_statuses(vector: Vector) -> None:
    """By their numbers; the vector is called as the status is."""
    assert Status(vector.expect["status"]).name.lower() == vector.facts["name"]


def test_each_status_has_a_vector() -> None:
    """All of them, that of a load and that of a lost file too."""
    assert set(Status) == {each.expect["status"] for each in STATUSES}


@pytest.mark.parametrize(
    ("subject", "name"),
    [
        ("$JS.API.CONSUMER.CREATE.ORDERS.worker.orders.*", "consumer create"),
        ("$JS.API.DIRECT.GET.KV_settings.$KV.settings.colour", "direct get"),
        ("$JS.hub.API.STREAM.INFO.ORDERS", "stream info"),
        ("$JS.API.SOMETHING.NEW", "api request"),
        ("$JS.ACK.ORDERS.worker.1.1.1.1.0", "ack"),
        ("$JS.EVENT.ADVISORY.API", "advisory"),
        ("$JS.FC.ORDERS.worker.x", "flow control answer"),
        ("$KV.settings.colour", "key value"),
        ("orders.new", None),
    ],
)
def test_subjects(subject: str, name: str | None) -> None:
    """Subjects of `server/jetstream_api.go`, with names after them, domains and unknown ones."""
    assert f_called(subject, SUBJECTS) == name


def test_rows_are_told() -> None:
    """Requests and their answers, pulls and their statuses, acks; not what is delivered."""
    talk = Talk()
    talk.say(CLIENT, b"SUB in.> 1", b"PUB $JS.API.STREAM.INFO.S in.1 0\r\n")
    talk.say(SERVER, b"MSG in.1 1 2\r\n{}")
    talk.say(CLIENT, b"PUB $JS.API.CONSUMER.MSG.NEXT.S.C in.2 0\r\n")
    talk.say(SERVER, b"MSG a 1 $JS.ACK.S.C.1.1.1.1.0 2\r\nhi")
    talk.say(SERVER, b"HMSG in.2 1 16 16\r\nNATS/1.0 404\r\n\r\n\r\n")
    talk.say(CLIENT, b"PUB $JS.ACK.S.C.1.1.1.1.0 4\r\n+WPI", b"PUB $JS.ACK.S.C.1.1.1.1.0 0\r\n")

    told = [
        each.annotation.context.get("jetstream") if each.annotation else None for each in talk.rows
    ]
    assert told[3:] == [
        "stream info", "stream info", "consumer msg next", None, "consumer msg next",
        "in progress", "ack",
    ]  # fmt: skip
