"""The verdicts of a timeline's report, which pages and pictures show as they are."""

import pytest

from motionloom.assembly import Join
from motionloom.methods.timeline.report.measures import JudgedJoin, Stretch
from motionloom.methods.timeline.report.report import _is_hard, _join_lines, _right_share


def join(distance, share_calmer):
    return JudgedJoin(90, "a", 10.0, "b", 20.0, Join.usual("inertialize"), distance, 0.2, "Head", share_calmer)


def test_joins_are_hard_that_can_be_seen():
    assert not _is_hard(join(1.0, 0.4))
    assert _is_hard(join(5.0, 0.4))
    assert _is_hard(join(3.0, 0.95))
    assert not _is_hard(join(3.0, 0.5))


def test_the_share_that_holds_counts_frames_and_is_none_where_nothing_is_painted():
    def stretch(start, stop, right):
        return Stretch("walk", 1, start, stop, (), right, right)

    assert _right_share([stretch(0, 100, 1.0), stretch(100, 400, 0.5)]) == pytest.approx(0.625)
    assert _right_share([]) is None


def test_a_join_calmer_than_all_windows_is_not_harder_than_none_of_them():
    (line,) = _join_lines([join(1.0, 0.001)], 60.0)
    assert "0 %" not in line.note and "calmer than nearly all windows without a join" in line.note
    (line,) = _join_lines([join(1.0, 0.25)], 60.0)
    assert "harder than 25 % of windows without a join" in line.note
