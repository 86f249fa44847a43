"""Tables of conversations as Lua: what is printed, and what one pass cannot say."""

from dataclasses import replace

from tests.madeup.parrot_traffic import PROTOCOL

from streamshark.lua.conversations import LuaTables
from streamshark.lua.plugin import Plugin
from streamshark.lua.steps import ValueNames
from streamshark.protocols.catalog import catalog, find


def tables(name: str) -> LuaTables:
    """Those of one protocol."""
    return LuaTables(find(name, catalog()), ValueNames())


def test_pairs_lives_and_rules_are_those_of_the_protocol() -> None:
    """Pairs, lifecycles and rules are those of the protocol."""
    text = tables("rabbitmq_stream").text()
    assert 'asks = "subscribe",\n    answers = "subscribe_response"' in text
    assert 'id = "RMQ-I4"' in text
    assert "sub.balance - 1" in text


def test_rules_of_what_a_plugin_is_not_told_are_left_out() -> None:
    """Rules are left out that need what no plugin is told of; time and ends are told."""
    known = {each.table.id for each in tables("rabbitmq_stream").rules}
    assert {
        "RMQ-F1b",
        "RMQ-H1",
        "RMQ-K2",
        "RMQ-X2",
        "RMQ-B2",
        "RMQ-M2b",
    } <= known  # time, ends, repetitions
    assert "RMQ-B22" not in known  # the segments of a frame


def test_a_slot_that_is_also_assigned_elsewhere_is_not_leant_on() -> None:
    """A slot is stale that also changes where a plugin is told nothing."""
    made = tables("rabbitmq_stream")
    assert ("conn", "split_count") in made.stale
    assert ("side", "retransmissions") in made.never


def test_columns_say_how_far_a_frame_is_read() -> None:
    """Columns say how far a frame is read."""
    made = tables("rabbitmq_stream")
    (publish, *_) = made.model.trees["publish"]
    columns = made.columns(publish)
    assert "published_messages.publishing_id" in columns.gathers["published_messages"]
    assert columns.awaited is None
    (credit, *_) = made.model.trees["credit"]
    assert made.columns(credit).awaited == {"subscription_id", "credit"}


def test_a_protocol_without_tables_gets_no_engine() -> None:
    """A protocol without tables gets no engine; one with tables does."""
    bare = replace(PROTOCOL, conversations=(), rules=())
    for protocol, has_tables in ((PROTOCOL, True), (bare, False)):
        plugin = Plugin(protocol)
        assert bool(plugin.meaning.model.pairs or plugin.meaning.rules) is has_tables
        assert ("function talks.follow" in plugin.text()) is has_tables
