"""The page of the rules that the plugins omit."""

from streamshark.findings.rule import Rule
from streamshark.lua.conversations import LuaTables
from streamshark.lua.omitted_rules import main, omitted
from streamshark.lua.plugin import has_plugin
from streamshark.lua.steps import ValueNames
from streamshark.protocols.catalog import catalog, find


def test_the_page_is_fresh() -> None:
    """The page is fresh."""
    assert main(["--check"]) == 0


def test_every_rule_is_evaluated_or_has_a_reason() -> None:
    """No rule is missing in a plugin without a line on the page."""
    missing = []
    for protocol in filter(has_plugin, catalog()):
        tables = LuaTables(protocol, ValueNames())
        printed = {each.table.id for each in tables.rules if not tables.silenced(each)}
        named = {each.id for rules in omitted(protocol).values() for each in rules}
        rules = (each.table for each in tables.model.watches if isinstance(each.table, Rule))
        missing += [each.id for each in rules if each.id not in printed | named]
    assert missing == []


def test_reasons_are_those_of_what_a_rule_depends_on() -> None:
    """An event that sets a slot is the reason of a rule that reads the slot."""
    found = {each.id: why for why, rules in omitted(find("rsocket", catalog())).items()
             for each in rules}  # fmt: skip
    assert found["RSK-B44"] == "Wireshark does not pass PING frames of WebSocket to plugins"
    assert found["RSK-B34"] == "Wireshark does not tell plugins which segments a frame came in"
    assert "RSK-C17c" not in found
