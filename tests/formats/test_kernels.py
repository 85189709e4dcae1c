"""Compiled loops against their plain twins."""

import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from motionloom.errors import FormatError
from motionloom.formats import _kernels, text
from motionloom.motion import rotations


def parse_plainly(content: bytes) -> list[float]:
    """The twin of the number parser: split at white space, let Python read each token."""
    values = []
    for token in content.split():
        if not re.fullmatch(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", token) or not np.isfinite(float(token)):
            raise ValueError(token)
        values.append(float(token))
    return values


tokens = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e6, 1e6).map(lambda x: f"{x:.4f}"),
    st.floats(-1e6, 1e6).map(lambda x: f"{x:.6e}"),
    st.integers(-(10**30), 10**30).map(str),
    st.from_regex(r"[+-]?[0-9]{0,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(
        ["nan", "inf", "-", "+", ".", "e5", "1e", "1e+", "--1", "1.2.3", "0x10", "1_0", "", "-0", "+.5", "7."]
    ),
)
gaps = st.sampled_from([" ", "\n", "\t", "\r\n", "\r", "  \n ", "\x0b", "\x0c"])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(tokens, gaps), max_size=12))
@example([("1.7976931348623157e308", " "), ("4.9e-324", "\n"), ("123456789012345678901234567890.5", "")])
def test_numbers_are_read_as_python_reads_them(pairs: list[tuple[str, str]]) -> None:
    content = "".join(token + gap for token, gap in pairs).encode()
    try:
        expected = parse_plainly(content)
    except ValueError:
        with pytest.raises(FormatError, match="is not a valid number"):
            text.parse_numbers("f", content, 0, 100, 1)
        return
    block = text.parse_numbers("f", content, 0, 100, 1)
    assert block.count == len(expected)
    np.testing.assert_allclose(block.values, expected, rtol=3e-16, atol=0)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(-(10**9), 10**9), st.integers(0, 6)), min_size=1, max_size=30))
def test_numbers_of_up_to_fifteen_digits_are_exactly_what_python_reads(parts: list[tuple[int, int]]) -> None:
    content = " ".join(f"{whole / 10**decimals:.{decimals}f}" for whole, decimals in parts).encode()
    assert text.parse_numbers("f", content, 0, 100, 1).values.tolist() == parse_plainly(content)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 4), max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_lines_that_hold_the_wrong_number_of_values_are_found(counts: list[int], end: str) -> None:
    content = end.join(" ".join(["1"] * n) for n in counts).encode()
    block = text.parse_numbers("f", content, 0, 1000, 2)
    wrong = [i for i, n in enumerate(counts) if n not in (0, 2)]
    assert block.count == sum(counts) and block.n_lines == sum(n > 0 for n in counts) and block.n_ragged == len(wrong)
    assert block.ragged_line == (wrong[0] if wrong else None)
    assert not wrong or block.ragged_count == counts[wrong[0]]


def test_a_wild_count_does_not_cost_memory() -> None:
    block = text.parse_numbers("f", b"1 2 3", 0, 10**15, 10**6)
    assert block.values.tolist() == [1, 2, 3] and block.count == 3


def test_a_bad_token_is_named_with_its_line() -> None:
    with pytest.raises(FormatError) as refusal:
        text.parse_numbers("f", b"1 2\r\n3 4\r\n5 x6\r\n", 0, 6, 2)
    assert refusal.value.line == 3 and "'x6'" in refusal.value.reason


def test_chained_turns_are_the_euler_rotations_of_the_motion_room() -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(-500, 500, (40, 5))
    columns = np.array([[0, 1, 2], [3, -1, -1], [4, 0, -1], [-1, -1, -1]])
    axes = np.array([[2, 1, 0], [1, -1, -1], [0, 2, -1], [-1, -1, -1]])
    turned = np.empty((40, 4, 4))
    _kernels.turn_angles(values, columns, axes, np.pi / 180, turned)
    orders = ("ZYX", "Y", "XZ", "")
    for joint, order in enumerate(orders):
        angles = np.radians(values[:, columns[joint][: len(order)]])
        assert (rotations.angle_between(turned[:, joint], rotations.from_euler(angles, order)) < 1e-9).all()


@pytest.mark.parametrize("order", rotations.TAIT_BRYAN_ORDERS + rotations.PROPER_ORDERS)
def test_smoothed_angles_are_the_same_rotations_without_jumps(order: str) -> None:
    steps = np.random.default_rng(2).normal(0, 0.05, (300, 3)).cumsum(axis=0)
    q = rotations.exp(steps + np.array([0.3, 1.4, 0.2]))
    angles = rotations.to_euler(q, order)
    smooth = angles.copy()
    _kernels.smooth_angles(smooth, order[0] == order[2])
    assert (rotations.angle_between(rotations.from_euler(smooth, order), q) < 1e-7).all()
    assert np.abs(np.diff(smooth, axis=0)).sum() <= np.abs(np.diff(angles, axis=0)).sum() + 1e-9


def test_numbers_are_parsed_by_one_compiled_function_whether_there_are_any_or_not():
    text.parse_numbers("some", b"1 2 3", 0, 3, 3)
    text.parse_numbers("none", b"", 0, 3, 3)
    assert len(_kernels.parse_numbers.signatures) == 1
