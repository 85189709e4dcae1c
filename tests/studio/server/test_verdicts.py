"""The verdict of an answer: one sentence and its numbers, for the badge and for the report."""

import pytest

from motionloom.assembly import Part, Report
from motionloom.assembly.results.spelling import whole_percent
from motionloom.studio.server.verdicts import verdict_of


def report(*met, **details):
    return Report(
        parts=tuple(Part(f"part {n}", 1.0, "m", 0.5, is_met, "") for n, is_met in enumerate(met)), details=details
    )


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (report(), "found a motion"),
        (report(True, True), "everything is met"),
        (report(True, False, False), "2 of 3 missed"),
        (report(True, share=0.985, share_of="the paint"), "everything is met, 98 % of the paint holds"),
        (report(False, True, share=0.5, share_of="the paint"), "1 of 2 missed, 50 % of the paint holds"),
        (report(True, share=None, share_of="the paint"), "everything is met"),
        (report(True, share="most"), "everything is met"),  # a method may call something else so
    ],
)
def test_a_verdict_counts_parts_and_says_how_much_holds(found, sentence):
    verdict = verdict_of(found)
    assert verdict.sentence == sentence
    assert (verdict.missed, verdict.of) == (sum(not part.met for part in found.parts), len(found.parts))
    assert (verdict.missed == 0) == found.is_met


def test_a_share_is_rounded_down_and_is_100_only_where_all_of_it_holds():
    for frames in (1, 7, 60, 600, 100_000):
        for wrong in {0, 1, frames // 3, frames}:
            percent = whole_percent(1 - wrong / frames)
            assert percent == 100 * (frames - wrong) // frames
            assert (percent == 100) == (wrong == 0)
