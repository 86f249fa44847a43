"""What `stats` adds up, against sums made from the rows' JSON without the engine."""

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from streamshark.conversations.statistics import Statistics
from streamshark.session import Session
from streamshark.views.display_options import DisplayOptions
from streamshark.views.json import JsonRows
from streamshark.views.statistics import sheets

CAPTURES = Path(__file__).parents[2] / "captures" / "rabbitmq_stream"
Times = dict[str, list[int]]


def rows(path: str) -> Iterator[dict[str, Any]]:
    """The frames of a capture as JSON."""
    view = JsonRows(DisplayOptions())
    for row in Session([path]).rows():
        told = json.loads(view.row(row))
        if told["frame"] is not None:
            yield told


def response_times(path: str) -> Times:
    """Command to times until the answer, by correlation ids and publishing ids alone."""
    asked: dict[Any, int] = {}
    published: dict[Any, int] = {}
    times: Times = defaultdict(list)
    for row in rows(path):
        flow, name, fields, t = row["flow"], row["command"], row["fields"], row["time_ns"]
        key = flow, name, row["correlation_id"]
        if name == "publish":
            for each in fields["published_messages"]:
                published[flow, fields["publisher_id"], each["publishing_id"]] = t
        elif name == "publish_confirm":
            waited = [flow, fields["publisher_id"], fields["publishing_ids"][0]]
            times[name].append(t - published[tuple(waited)])
        elif row["kind"] == "request":
            asked[key] = t
        elif row["kind"] == "response" and key in asked:
            times[name].append(t - asked.pop(key))
    return times


def starved(path: str) -> int:
    """Time in which subscriptions had no credit, while they were there."""
    balance: dict[Any, int] = {}
    since: dict[Any, int] = {}
    total = 0
    for row in rows(path):
        fields, t = row["fields"], row["time_ns"]
        key = row["flow"], fields.get("subscription_id")
        match row["command"], row["kind"]:
            case "subscribe", "request":
                asked = key, fields["credit"]
            case "subscribe", "response":
                key, credit = asked
                balance[key] = credit
            case "credit", "command":
                balance[key] += fields["credit"]
            case "deliver", _:
                balance[key] -= 1
            case "unsubscribe", "request":
                left = row["flow"], fields["subscription_id"]
            case "unsubscribe", "response":
                total += t - since.pop(left, t)
        if key in balance:
            if balance[key] <= 0:
                since.setdefault(key, t)
            else:
                total += t - since.pop(key, t)
    return total


def stats(path: str) -> tuple[Statistics, dict[str, list[dict[str, Any]]]]:
    """What `stats` has: the sums, and its sheets by name."""
    session = Session([path])
    analysis, statistics = session.analysis(conversations=True), Statistics()
    for row in analysis.rows():
        statistics.take(row)
        statistics.end(analysis.ended())
    statistics.end(analysis.ended())
    made = sheets(statistics, session)
    return statistics, {
        each.name: [
            dict(zip([column.name for column in each.columns], row, strict=True))
            for row in each.rows
        ]
        for each in made
    }


@pytest.mark.parametrize(
    "name", ["publish_confirm/traffic.pcapng", "sub_batches_java/traffic.pcapng.gz",
             "locator_to_leader/traffic.pcapng.gz"],
)  # fmt: skip
def test_response_times(name: str) -> None:
    """Count, least, mean and greatest exactly, percentiles within 1 %."""
    path = str(CAPTURES / name)
    wanted = response_times(path)
    statistics, _ = stats(path)

    found = {
        name: each.times for (_, name), each in statistics.commands.items() if each.times.count
    }
    assert wanted.keys() <= found.keys() <= wanted.keys() | {"tune"}
    for command, times in wanted.items():
        values, known = sorted(times), found[command]
        assert known.count == len(values)
        assert (known.least, known.greatest) == (values[0], values[-1])
        assert known.mean == pytest.approx(sum(values) / len(values), rel=1e-6)
        for percent in (50, 95, 99):
            exact = values[max(math.ceil(len(values) * percent / 100) - 1, 0)]
            assert known.percentile(percent) == pytest.approx(exact, rel=0.0101)


@pytest.mark.parametrize(
    "name", ["credit_runs_out/traffic.pcapng", "credit_zero/traffic.pcapng",
             "credit_starves_java/traffic.pcapng.gz", "bug_credit_never_renewed/traffic.pcapng"],
)  # fmt: skip
def test_time_without_credit(name: str) -> None:
    """Of the consumer's connection."""
    path = str(CAPTURES / name)
    _, found = stats(path)

    wanted = starved(path)
    assert wanted > 3_000_000_000
    assert sum(each["starved_ns"] or 0 for each in found["connections"]) == wanted


def test_throughput_and_batches() -> None:
    """Bytes, messages and rates of a connection; messages per frame."""
    path = str(CAPTURES / "sub_batches_java" / "traffic.pcapng.gz")
    _, found = stats(path)
    told = list(rows(path))

    for each in found["connections"]:
        own = [row for row in told if row["flow"] == each["flow"]]
        sent = sum(row["length"] for row in own if row["sender"] == "client")
        lasted = (own[-1]["time_ns"] - own[0]["time_ns"]) / 1e9
        assert each["client_bytes"] == sent
        assert each["client_bytes_per_second"] == pytest.approx(sent / lasted)
    (publish,) = [each for each in found["batches"] if each["command"] == "publish"]
    assert (publish["frames"], publish["messages"]) == (9, 205)
    assert publish["compression_ratio"] > 2
