"""Every recorded capture is read once, and all that is claimed of it is held.

The claims are the functions of `traffic`, `findings`, `messages` and `encoding`, and that the
capture's line among the goldens is as it was. A claim that fails does not keep the others from
being tried.

Some claims take as long as the reading: that all decoders agree, that trees are inside their bytes,
what `read` shows, the messages of captures that have many. `make test` holds them of captures that
show together all that any capture shows, and of a tenth of the others; `make test-sweep` of the
rest. Of long captures, which have most of all frames, `make test` reads those with a kind of frame
of their own, and a third of those with another thing of their own.
"""

import tomllib
from types import ModuleType

import pytest
from tests.cli import goldens
from tests.failures import Failures
from tests.recorded import encoding, findings, index, messages, reading, traffic
from tests.recorded.share import (
    MANY_FRAMES,
    parameters,
    read_by_default,
    showing_all_frames,
    showing_all_rows,
)


def claims(module: ModuleType) -> list[str]:
    """Return the names of the claims of a module, in order."""
    return [
        name
        for name, each in vars(module).items()
        if getattr(each, "__module__", "") == module.__name__
        and list(getattr(each, "__annotations__", {})) == ["reading", "return"]
        and not name.startswith("_")
    ]


CLAIMS = [
    (name, getattr(module, name))
    for module in (traffic, findings, messages, encoding)
    for name in claims(module)
]


LENGTHY = {
    traffic.shallow_values_are_the_values_with_lists_counted,
    traffic.the_reference_agrees,
    traffic.items_of_trees_are_inside_their_bytes,
    traffic.fields_are_those_of_the_values,
    findings.what_reading_marks_in_bodies_is_found,
    encoding.first_frames_are_encoded_as_they_were,
    encoding.first_frames_are_changed,
}
"""Claims about frames, which few captures show as well as all."""
OF_MESSAGES = {messages.every_message_has_its_number}
"""Claims about messages, of which captures of many frames have as many as all others together."""


def is_held(claim: object, line: index.Line) -> bool:
    """Whether a claim is held of a capture in `make test`."""
    if line.capture in showing_all_frames():
        return True
    return claim not in LENGTHY and (claim not in OF_MESSAGES or line.frames < MANY_FRAMES)


REST = [line for line in index.lines().values() if line.capture not in showing_all_frames()]


@pytest.mark.parametrize("line", parameters(index.lines().values(), read_by_default()))
def test_what_is_claimed_of_a_capture(line: index.Line) -> None:
    """All of it, of one reading; then what `read` shows, by its own reading."""
    capture, read = line.capture, reading.read(line.capture)
    with Failures() as failures:
        for name, claim in CLAIMS:
            if is_held(claim, line):
                with failures.of(name):
                    claim(read)
        with failures.of("what `read` shows"):
            held(read, goldens.text_of(read.path) if capture in showing_all_rows() else "")


@pytest.mark.sweep
@pytest.mark.parametrize("line", parameters(REST, frozenset()))
def test_the_rest_of_what_is_claimed_of_a_capture(line: index.Line) -> None:
    """What `make test` holds of others."""
    read = reading.read(line.capture)
    with Failures() as failures:
        for name, claim in CLAIMS:
            if not is_held(claim, line):
                with failures.of(name):
                    claim(read)
        with failures.of("what `read` shows"):
            held(read, goldens.text_of(read.path))


def held(read: reading.Reading, text: str) -> None:
    """Compare a capture with its line, and with its text if that is given, where it is kept."""
    line, now = index.lines()[read.capture], goldens.line_of(read, text)

    assert now._replace(digest="") == line._replace(digest=""), "python -m tests.cli.goldens"
    if not text:
        return
    place = goldens.place(read.capture)
    if place.exists():
        wanted, shown = place.read_text("utf-8").splitlines(), goldens.shortened(text).splitlines()
        for number, (before, after) in enumerate(zip(wanted, shown, strict=False), 1):
            assert after == before, f"line {number} of {place}"
        assert len(shown) == len(wanted)
    assert now.digest == line.digest, f"see {goldens.command(read.capture)}"


def test_goldens_are_of_the_captures() -> None:
    """Each capture has its line, the cover its texts, and nothing is left over."""
    known = index.lines()
    texts = {goldens.place(each) for each in goldens.whole(known.values())}

    assert list(known) == goldens.captures()
    assert goldens.there() == texts | {index.FOLDER / f"{e.protocol}.jsonl" for e in known.values()}


def test_goldens_are_small() -> None:
    """Below a megabyte and a quarter, so that a change of them can be looked at."""
    assert sum(each.stat().st_size for each in goldens.there()) < 1_250_000


def test_a_cover_shows_all_that_its_captures_show() -> None:
    """With fewer captures."""
    for protocol in sorted({each.protocol for each in index.lines().values()}):
        every = index.of(protocol)
        chosen = index.cover(every)

        assert {f for each in chosen for f in each.shows} == {f for e in every for f in e.shows}
        assert len(chosen) < len(every)


def test_a_digest_that_is_in_no_commit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to compare with."""
    line = index.lines()["rabbitmq_stream/publish_confirm"]._replace(digest="0" * 40)
    monkeypatch.setattr(goldens, "lines", lambda: {line.capture: line})

    assert "is in no commit yet" in goldens.difference(line.capture)


def test_messages_of_most_captures_are_compared() -> None:
    """The list of exceptions stays an exception."""
    assert messages.exact_share() > 0.5


def test_every_recreated_bug_tells_its_rules() -> None:
    """The rules of a bug, most of them with the frame that is to be named."""
    bugs = [each for each in index.of("rabbitmq_stream") if "/bug_" in each.capture]
    told = {each.capture for each in bugs if annotates(each)}

    assert {each.capture for each in bugs} - told == {
        "rabbitmq_stream/bug_dropped_in_mid_frame",
        "rabbitmq_stream/bug_recovery_given_up_js",  # what is missing there is a subscription
    }
    assert findings.unnamed() <= set(index.lines())
    assert len(told) >= 60


def annotates(line: index.Line) -> bool:
    """Whether the provenance of a capture names guilty frames."""
    return bool(tomllib.loads((line.path.parent / "provenance.toml").read_text()).get("guilty"))
