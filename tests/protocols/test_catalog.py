"""Protocols and formats are found, wherever they are."""

from pathlib import Path

import pytest

from streamshark.errors import StreamsharkError
from streamshark.protocols import catalog as found
from streamshark.protocols.catalog import carriers, catalog, find, formats, layers, named

PARROTS = str(Path(__file__).parents[1] / "madeup")
FORMAT = """
from streamshark.decoding.payloads import DecodedPayload, Format
FORMAT = Format("{id}", frozenset({{"message"}}), lambda _: DecodedPayload(3, []), lambda _: 99)
"""


def package(folder: Path, name: str, text: str) -> str:
    """A package in a folder; returns the folder."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(text)
    return str(folder)


def test_siblings() -> None:
    """Every folder, by id, protocols apart from formats."""
    assert "rabbitmq_stream" in [each.wire.id for each in catalog()]
    assert {"amqp1", "json", "text"} <= {each.id for each in formats()}
    assert [each.id for each in formats()] == sorted(each.id for each in formats())


def test_below_a_path(tmp_path: Path) -> None:
    """The folder itself or those in it; a format like a protocol."""
    assert find("parrot", catalog([PARROTS])).title == "Parrot"
    assert find("parrot-talk", catalog([f"{PARROTS}/parrot"])).title == "Parrot"
    path = package(tmp_path, "squawks", FORMAT.format(id="squawk"))

    known = layers(catalog(), formats([path]))

    body = known.body("message", b"abc")
    assert body is not None
    assert body.reader.id == "amqp1" or body.decoded.value == 3


def test_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By their entry point."""
    entries = tmp_path / "crow-1.0.dist-info" / "entry_points.txt"
    entries.parent.mkdir()
    (entries.parent / "METADATA").write_text("Metadata-Version: 2.1\nName: crow\nVersion: 1.0\n")
    entries.write_text(f"[{found.GROUP}]\ncrow = crow_format\n")
    (tmp_path / "crow_format.py").write_text(FORMAT.format(id="crow"))
    monkeypatch.setattr(found, "_siblings", list)

    assert formats() == ()
    monkeypatch.syspath_prepend(tmp_path)
    assert [each.id for each in formats()] == ["crow"]
    assert catalog() == ()


def test_two_of_one_name(tmp_path: Path) -> None:
    """Two protocols of one name are an error of the user."""
    path = package(tmp_path, "other_amqp", FORMAT.format(id="amqp1"))
    with pytest.raises(StreamsharkError, match="format id amqp1 is used twice"):
        formats([path])
    text = "from streamshark.protocols.rabbitmq_stream import PROTOCOL"
    path = package(tmp_path / "more", "other_streams", text)
    with pytest.raises(StreamsharkError, match="protocol id rabbitmq_stream is used twice"):
        catalog([path])


def test_what_cannot_be_found(tmp_path: Path) -> None:
    """Is named, and what is known."""
    with pytest.raises(StreamsharkError, match=r"known: .*rabbitmq_stream"):
        find("amqp", catalog())
    with pytest.raises(StreamsharkError, match="no such folder"):
        catalog([str(tmp_path / "nowhere")])
    path = package(tmp_path, "broken_folder", "import nothing_of_this_name")
    with pytest.raises(StreamsharkError, match="nothing_of_this_name"):
        catalog([path])
    assert "broken_folder" not in __import__("sys").modules


def test_carriers(tmp_path: Path) -> None:
    """Folders beside the protocols, and below a path; two of one name are an error."""
    path = package(tmp_path, "crates", "from tests.framing.box_carrier import BOXES as CARRIER")

    assert [each.id for each in carriers()] == ["http2", "websocket"]
    assert [each.id for each in carriers([path])] == ["boxes", "http2", "websocket"]
    package(tmp_path, "other_crates", "from tests.framing.box_carrier import BOXES as CARRIER")
    with pytest.raises(StreamsharkError, match="carrier id boxes is used twice"):
        carriers([path])


def test_what_a_name_means() -> None:
    """A protocol, by its short name too, or a carrier; the error lists both."""
    protocols, borne = catalog(), carriers()

    assert named("websocket", protocols, borne) is borne[-1]
    assert named("rmqstream", protocols, borne) in protocols
    with pytest.raises(StreamsharkError, match=r"unknown protocol 'crow' \(known: .*, websocket\)"):
        named("crow", protocols, borne)
    with pytest.raises(StreamsharkError, match=r"known: none\)"):
        named("crow", [], [])


def test_embedded_records_and_formats_make_the_layers() -> None:
    """Those of the protocols that are given."""
    assert layers(catalog(), ()).body("sub_batch", b"") is not None
    assert layers((), formats()).body("message", b"{}") is not None
    assert layers((), ()).body("message", b"{}") is None
