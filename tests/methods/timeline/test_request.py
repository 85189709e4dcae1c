"""Requests: what they say, how they are read and written, and what is wrong with wrong ones."""

import json

import pytest
import yaml

from motionloom.errors import FormatError
from motionloom.methods.timeline import Paint, Place, Request

WHOLE = """
length: 10s
labels:
  - {label: walk, from: 0s, to: 4s}
  - {label: wave, from: 2s, to: 4s, value: must_not}
  - {label: run, from: 5s}
frames:
  - {at: 6s, take: football_like/143_04, frame: 310}
  - {at: 8s, take: football_like/143_04, start: 400, stop: 460}
places:
  - {at: end, position: [3.0, 4.0], heading: 90, weight: 2.0}
alpha: 0.2
fps: 30
takes: [football_like/*]
"""


def test_every_part_of_a_request_is_read(tmp_path):
    (tmp_path / "request.yaml").write_text(WHOLE)
    request = Request.read(tmp_path / "request.yaml")
    assert request.labels[1] == Paint(label="wave", start="2s", stop="4s", value="must_not")
    assert request.labels[2].stop == "end"
    assert (request.frames[0].frame, request.frames[1].stop) == (310, 460)
    assert request.places == (Place(position=(3.0, 4.0), heading=90.0, weight=2.0),)
    assert (request.alpha, request.fps, request.takes) == (0.2, 30.0, ("football_like/*",))


def test_a_request_that_is_written_and_read_is_the_same(tmp_path):
    request = Request.from_data(yaml.safe_load(WHOLE))
    request.write(tmp_path / "again.yaml")
    assert Request.read(tmp_path / "again.yaml") == request
    assert Request.from_data(json.loads(json.dumps(request.to_data()))) == request


def test_alpha_weighs_cuts_against_labels_as_in_the_paper():
    """Eq. 1 divided by 2 alpha: a wrong cell changes D by 2."""
    assert Request(length="1s", alpha=1 / 9).cut_weight == pytest.approx(4.0)
    assert Request(length="1s", alpha=1.0).cut_weight == 0.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "length: 10s\nlabels:\n  - {label: walk, form: 0s}\n",
            r"line 3: unknown 'labels\[0\].form'; there can be label, from,",
        ),
        ("length: 2s\nlabels:\n  - {lable: walk}\n", r"line 3: unknown 'labels\[0\].lable'"),
        ("length: 2s\nlables: []\n", "line 2: unknown 'lables'; there can be length, labels, frames, places"),
        ("labels: []\n", "'length' is missing"),
        ("length: soon\n", "line 1: length: 'soon' is not a valid time; expected seconds like 2.5s, frames like 150f"),
        ("length: 10\n", "line 1: length: '10' is not a valid time; expected seconds like 2.5s"),
        ("length: 2s\nalpha: 0\n", "line 2: alpha: it should be greater than or equal to 0.000001"),
        ("length: 2s\nplaces:\n  - {heading: 3, weight: 1.0e+300}\n", "less than or equal to 1000000"),
        ("length: 2s\nlabels: walk\n", r"line 2: labels: it should be a list \(found 'walk'\)"),
        ("length: 2s\nlabels: [walk]\n", r"labels\[0\]: it should be names with values"),
        ("length: 2s\nplaces:\n  - {position: [1, 2, 3]}\n", "it should have at most 2 values, not 3"),
        ("length: 2s\nalpha: .nan\n", "alpha"),
        ("length: 2s\nlabels:\n  - {label: walk, value: maybe}\n", "it should be 'must' or 'must_not'"),
        ("length: 2s\nframes:\n  - {at: 1s, take: a, frame: 3, start: 1, stop: 2}\n", "give either frame, or both"),
        ("length: 2s\nframes:\n  - {at: 1s, take: a, start: 5, stop: 5}\n", "has none; start must be below stop"),
        ("length: 2s\nplaces:\n  - {at: end}\n", "give a position, a heading, or both"),
        ("length: 2s\nplaces:\n  - {position: [.inf, 0]}\n", "finite"),
        ("- 1\n- 2\n", "is not a request; expected at least `length: 10s`"),
    ],
)
def test_one_sentence_says_what_is_wrong_with_a_file_and_where(text, message, tmp_path):
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        Request.read(tmp_path / "bad.yaml")
    assert "\n" not in str(caught.value)


def test_the_schema_names_every_part():
    described = Request.schema()
    assert set(described["properties"]) >= {"length", "labels", "frames", "places", "alpha", "fps", "takes"}
    assert set(described["$defs"]["Paint"]["properties"]) == {"label", "from", "to", "value"}
    assert described["required"] == ["length"]
