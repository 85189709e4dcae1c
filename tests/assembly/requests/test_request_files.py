"""Request files: YAML in and out, with one sentence and the line for what is wrong; the same for all methods."""

import json
from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import Field
from pydantic.dataclasses import dataclass

from motionloom.assembly.requests.request_files import STRICT, RequestFile
from motionloom.assembly.requests.times import Finite, Time
from motionloom.errors import BadInput, FormatError


@dataclass(frozen=True, config=STRICT)
class Visit:
    """A part of the request below."""

    who: Annotated[str, Field(min_length=1)]
    start: Annotated[Time, Field(alias="from")] = "start"
    mood: Literal["calm", "hasty"] = "calm"
    position: tuple[Finite, Finite] | None = None


@dataclass(frozen=True, config=STRICT)
class Errand(RequestFile):
    """A request that no method has, with every kind of field."""

    example: ClassVar[str] = "length: 10s"
    kind: ClassVar[str] = "list of visits"

    length: Time
    visits: tuple[Visit, ...] = ()
    share: Annotated[float, Field(ge=1e-6, le=1)] = 0.5


WHOLE = {"length": "4s", "visits": [{"who": "baker", "from": "1s", "position": [1.0, -2.0]}], "share": 0.25}


def test_a_request_is_the_same_after_a_round_trip_through_files_text_and_data(tmp_path):
    errand = Errand.from_data(WHOLE)
    errand.write(tmp_path / "errand.yaml")
    assert Errand.read(tmp_path / "errand.yaml") == errand
    assert (tmp_path / "errand.yaml").read_text() == errand.to_text()
    assert Errand.parse(errand.to_text()) == errand
    assert Errand.from_data(json.loads(json.dumps(errand.to_data()))) == errand


def test_words_of_all_languages_can_be_read_in_the_file(tmp_path):
    errand = Errand.from_data({"length": "2s", "visits": [{"who": "Läufer 走"}]})
    errand.write(tmp_path / "errand.yaml")
    assert "Läufer 走" in (tmp_path / "errand.yaml").read_text(encoding="utf-8")
    assert Errand.read(tmp_path / "errand.yaml") == errand


def test_what_was_left_out_is_not_written():
    errand = Errand.from_data({"length": "2s"})
    assert errand.to_data() == {"length": "2s"}
    assert errand.to_whole_data() == {"length": "2s", "visits": [], "share": 0.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "length: 1s\nvisits:\n  - {who: a, form: 0s}\n",
            r"line 3: unknown 'visits\[0\].form'; there can be who, from, mood, position",
        ),
        ("length: 2s\nvisit: []\n", "line 2: unknown 'visit'; there can be length, visits, share"),
        ("visits: []\n", "'length' is missing"),
        ("length: soon\n", "line 1: length: 'soon' is not a valid time; expected seconds like 2.5s"),
        ("length: 10\n", "line 1: length: '10' is not a valid time"),
        ("length: 2s\nshare: 0\n", "line 2: share: it should be greater than or equal to 0.000001"),
        ("length: 2s\nshare: .nan\n", "share"),
        ("length: 2s\nvisits: walk\n", r"line 2: visits: it should be a list \(found 'walk'\)"),
        ("length: 2s\nvisits: [walk]\n", r"visits\[0\]: it should be names with values, such as `length: 10s`"),
        ("length: 2s\nvisits:\n  - {who: a, position: [1, 2, 3]}\n", "it should have at most 2 values, not 3"),
        ("length: 2s\nvisits:\n  - {who: a, position: [.inf, 0]}\n", "finite"),
        ("length: 2s\nvisits:\n  - {who: a, mood: maybe}\n", "it should be 'calm' or 'hasty'"),
        ("length: 2s\nvisits:\n  - {who: 14420}\n", "text, in quotation marks if need be"),
        ("length: 2s\nvisits: []\nvisits: []\n", "line 3: 'visits' is given twice"),
        ("length: 2s\nvisits: &all [*all]\n", r"line 2: anchors \(&all\) cannot be used"),
        ("length: 2020-99-01\n", "is not valid YAML"),
        ("length: 2s\n\0", "is not valid YAML"),
        ("length: [2s\n", "is not valid YAML"),
        ("- 1\n- 2\n", "is not a list of visits; expected at least `length: 10s`"),
        ("", "is not a list of visits"),
    ],
)
def test_one_sentence_says_what_is_wrong_with_a_file_and_where(text, message, tmp_path):
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        Errand.read(tmp_path / "bad.yaml")
    assert "\n" not in str(caught.value)


def test_a_request_that_could_not_be_read_again_is_not_written(tmp_path):
    for who, visits in (("x" * 2_000_000, 1), ("x", 60_000)):
        errand = Errand.from_data({"length": "2s", "visits": [{"who": who}] * visits})
        with pytest.raises(FormatError, match=r"cannot be read|can be read"):
            errand.write(tmp_path / "errand.yaml")
    assert not list(tmp_path.iterdir())
    with pytest.raises(BadInput, match=r"visits\[0\].who: the character U\+D800"):
        Errand.from_data({"length": "2s", "visits": [{"who": "\ud800"}]})


def test_what_is_wrong_with_a_text_is_reported_with_the_line():
    with pytest.raises(FormatError, match=r"mine\.yaml.*line 2.*visit"):
        Errand.parse("length: 4s\nvisit: 3\n", "mine.yaml")
    with pytest.raises(FormatError, match="is not valid YAML"):
        Errand.parse("length: [4s\n")


def test_a_missing_file_and_one_that_is_no_text_are_named(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        Errand.read(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(FormatError, match=r"bytes\.yaml"):
        Errand.read(tmp_path / "bytes.yaml")


def test_plain_data_that_is_wrong_is_refused_in_one_sentence():
    with pytest.raises(BadInput, match=r"visits\[0\].who"):
        Errand.from_data({"length": "1s", "visits": [{"who": ""}]})


@pytest.mark.parametrize(
    "text",
    [
        f"length: 4s\n{'a' * 40_000}: 1\n",
        "length: 4s\nle\u202ength: 1\n",
        f"length: {'9' * 40_000}\n",
        "length: 's\u00a0tart'\n",
        f"length: 4s\nvisits: [{{who: a, mood: {'x' * 40_000}}}]\n",
    ],
)
def test_a_sentence_about_odd_words_is_short_and_printable(text):
    with pytest.raises(FormatError) as refusal:
        Errand.parse(text)
    assert str(refusal.value).isprintable() and len(str(refusal.value)) < 700


def test_the_schema_names_every_part_as_files_do():
    described = Errand.schema()
    assert set(described["properties"]) == {"length", "visits", "share"}
    assert set(described["$defs"]["Visit"]["properties"]) == {"who", "from", "mood", "position"}
    assert described["required"] == ["length"]
