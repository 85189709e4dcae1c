"""YAML that other people wrote: plain values are read, everything else is refused in one sentence with its line."""

import pytest
import yaml

from motionloom.assembly.requests import yaml_text
from motionloom.assembly.requests.yaml_text import (
    MOST_DEPTH,
    MOST_DIGITS,
    MOST_VALUES,
    TEXT_LIMIT,
    dump_yaml,
    read_yaml,
)
from motionloom.errors import FormatError

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n" for before, after in zip("abcdefgh", "bcdefghi")
)


def refusal(text):
    with pytest.raises(FormatError) as caught:
        read_yaml(text, "mine.yaml")
    sentence = str(caught.value)
    assert sentence.startswith("mine.yaml") and "\n" not in sentence and len(sentence) < 300
    sentence.encode()
    return sentence


def test_plain_values_are_read_as_any_yaml_reader_does():
    text = (
        '# a comment\nlength: 10s\ntakes: [walk/1, \'no\', "yes", "\\u00e9"]\n'
        "places:\n  - {at: 1.5, by: 0x1F, to: -7}\n"
        "is: true\nnot: off\nnone: ~\nempty:\ntext: |\n  two\n  lines\nlong: 1000\nmore: >-\n  folded\n  text\n"
        "big: 1.0e+3\nclock: 1:30\n'1': quoted\n\"true\": quoted\nequals: =\n"
    )
    assert read_yaml(text, "mine.yaml").data == yaml.safe_load(text.replace("equals: =", "equals: '='"))


def test_names_of_digits_with_an_underscore_are_text():
    assert read_yaml("[141_20, 1_0.5, 0x_ff, 12, 1.5]", "mine.yaml").data == ["141_20", "1_0.5", "0x_ff", 12, 1.5]
    assert read_yaml("{13_36: 1}", "mine.yaml").data == {"13_36": 1}


def test_what_we_write_is_read_back_the_same():
    data = {"a": [1, 2.5, None, True, "2020-01-01", "no", "=", "<<", "é 走", "1e5", ""], "b": {"c": {}, "d": []}}
    assert read_yaml(dump_yaml(data), "mine.yaml").data == data


def test_values_that_are_used_twice_are_written_out_twice():
    pair = [1.0, 2.0]
    text = dump_yaml({"first": pair, "second": pair})
    assert "&" not in text and read_yaml(text, "mine.yaml").data == {"first": pair, "second": pair}


def test_aliases_are_refused_however_few():
    assert "line 2: anchors (&twice)" in refusal("x: 1\na: &twice [1]\nb: *twice\n")
    assert "write the value out" in refusal(BOMB)
    assert "write the value out" in refusal("a: *nowhere\n")


@pytest.mark.parametrize(
    "value",
    [
        "!!python/object/apply:os.system ['true']", "!!python/name:os.system ''", "!!set {a, b}", "!!binary aGk=",
        "!!timestamp 2020-01-01", "!!omap [a: 1]", "!!pairs [a: 1]", "!foo bar", "!foo [1]", "!!map [1]", "!<x> {}",
    ],
)  # fmt: skip
def test_tags_are_refused(value):
    sentence = refusal(f"length: 10s\nvalue: {value}\n")
    assert "line 2" in sentence and "tag" in sentence


def test_tags_that_say_what_a_value_is_anyway_are_allowed():
    text = "a: !!str 5\nb: !!int 7\nc: !!float 1\nd: !!seq [!!bool yes]\ne: !!map {f: ! 12}\ng: !!null ''\n"
    assert read_yaml(text, "mine.yaml").data == yaml.safe_load(text)
    for value in ("!!int x", "!!int ''", "!!float x", "!!bool perhaps"):
        assert "is not valid YAML" in refusal(f"a: {value}\n")


@pytest.mark.parametrize(
    "text", ["? [a, b]\n: 1\n", "? {a: b}\n: 1\n", "a: 1\n1: 2\n", "true: 1\n", "~: 1\n", "2.5: 1\n", "2020-01-01: 1\n"]
)
def test_keys_that_are_no_text_are_refused(text):
    assert "key" in refusal(text)


def test_merge_keys_and_keys_given_twice_are_refused():
    assert "<<" in refusal("a: 1\n<<: {b: 2}\n")
    assert "line 3: 'a' is given twice" in refusal("a: 1\nb: 2\na: 3\n")
    assert "given twice" in refusal("a: 1\n'a': 3\n")


@pytest.mark.parametrize("escaped", ["\\ud800", "\\udfff", "\\0", "\\x07", "\\x1b", "\\x7f", "\\uffff", "\\x85"])
def test_characters_that_no_text_can_hold_are_refused(escaped):
    for text in (f'a: "x{escaped}y"\n', f'"x{escaped}y": 1\n', f'a: ["{escaped}"]\n'):
        assert "line 1" in refusal(text)


@pytest.mark.parametrize("character", ["\0", "\ud800", "\x07", "\ufffe"])
def test_such_characters_are_refused_in_the_file_itself(character):
    refusal(f"a: 'x{character}y'\n")


def test_tabs_and_new_lines_in_text_stay():
    assert read_yaml('a: "x\\ty\\nz"\n', "mine.yaml").data == {"a": "x\ty\nz"}


@pytest.mark.parametrize(
    "number",
    ["1" * 5000, "-" + "9" * 4301, "0x" + "f" * 100_000, "0b" + "1" * 100_000, "1" + ":59" * 50_000, "7" * 101],
)
def test_numbers_with_too_many_digits_are_refused(number):
    assert f"at most {MOST_DIGITS}" in refusal(f"length: {number}\n")


@pytest.mark.parametrize("number", [".nan", ".inf", "-.inf", "1.0e+999"])
def test_what_is_no_finite_number_is_refused_with_its_key(number):
    assert "line 2: a[1].b" in refusal(f"x: 1\na: [1, {{b: {number}}}]\n")


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 100_000, "a: " + "[" * 200 + "]" * 200, "- " * 1000 + "x"])
def test_deep_nesting_is_refused(text):
    assert f"{MOST_DEPTH}" in refusal(text)


def test_more_values_than_a_person_writes_are_refused():
    assert len(read_yaml("[" + "a," * (MOST_VALUES - 1) + "]", "mine.yaml").data) == MOST_VALUES - 1
    assert "100,000" in refusal("[" + "a," * MOST_VALUES + "]")


def test_too_long_a_text_is_refused_before_it_is_parsed(monkeypatch):
    monkeypatch.setattr(yaml_text.yaml, "parse", lambda *_, **__: pytest.fail("it was parsed"))
    assert "1,000,000" in refusal("a" * (TEXT_LIMIT + 1))


@pytest.mark.parametrize(
    "text",
    ["a: [1\n", "a: 1\n b: 2\n", "{", "a: 'x\n", "%YAML 9.9\n---\na: 1\n", "\tb: 1", "a: 2020-99-01", "a: 2020-01-01",
     "@", "--- a\n--- b\n"],
)  # fmt: skip
def test_what_is_no_yaml_is_refused(text):
    assert "is not valid YAML" in refusal(text)


def test_lines_of_parts_are_known():
    read = read_yaml("a: 1\nb:\n  - {c: 2}\n  - c: 3\n    d: 4\n", "mine.yaml")
    assert [read.line_of(where) for where in [("a",), ("b", 0), ("b", 1, "d"), ("b", 9), ("nothing",), ()]] == [
        1, 3, 5, 3, 1, 1,
    ]  # fmt: skip


def test_an_empty_text_is_nothing():
    assert read_yaml("", "mine.yaml").data is None
    assert read_yaml("# only a comment\n", "mine.yaml").data is None
    assert read_yaml("walk", "mine.yaml").data == "walk"
