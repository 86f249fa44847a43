"""The drift check finds what is wrong and what is missing."""

import pytest
from tests.drift.rabbitmq_stream import HEADER, VARIABLE, VERSIONS, compare, main

from streamshark.protocols.rabbitmq_stream.codes import Key, OffsetType, ResponseCode


def checkout(**changes: str) -> dict[str, str]:
    """The files as a broker with our tables has them, some names changed."""
    lines = [f"-define(COMMAND_{each.name}, {each:d})." for each in Key]
    lines += [f"-define(RESPONSE_CODE_{each.name}, {each:d})." for each in ResponseCode]
    lines += [f"-define(OFFSET_TYPE_{each.name}, {each:d})." for each in OffsetType]
    text = "\n".join(["-define(REQUEST, 0).", "-define(RESPONSE, 1).", *lines, ""])
    for old, new in changes.items():
        text = text.replace(old, new)
    return {HEADER: text, VERSIONS: "[{publish, ?VERSION_1, ?VERSION_2}]."}


def test_equal_tables_do_not_differ() -> None:
    """Nothing is said of a broker with our tables."""
    assert compare(checkout().__getitem__) == []


def test_another_name_or_number_is_wrong() -> None:
    """A renamed command, a code that moved."""
    told = compare(checkout(COMMAND_TUNE="COMMAND_TUNA").__getitem__)

    assert [(each.wrong, each.what) for each in told] == [
        (True, "command 20: tuna there, tune here")
    ]


def test_what_is_new_there_is_missing_here() -> None:
    """A command, and a version."""
    files = checkout()
    files[HEADER] += "-define(COMMAND_TELEPORT, 32).\n"
    files[VERSIONS] = "[{publish, ?VERSION_1, ?VERSION_3}, {teleport, ?VERSION_1, ?VERSION_1}]."

    assert [each.what for each in compare(files.__getitem__)] == [
        "command 32: teleport there, None here",
        "publish: no version 3 here",
        "teleport: no frame here",
    ]
    assert not any(each.wrong for each in compare(files.__getitem__))


def test_a_checkout_must_be_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the variable nothing is compared, and that is said."""
    monkeypatch.delenv(VARIABLE, raising=False)

    assert main() == 2
    assert VARIABLE in capsys.readouterr().err
