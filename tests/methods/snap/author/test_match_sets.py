"""Match sets: grown from one frame, the largest of all, and what cannot be one."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.snap.author.match_sets import check_set, free_frames, grow_set, suggest_sets
from motionloom.motion import Placement, concatenate, cut, place
from motionloom.similarity import measure_points, slice_through, stack
from motionloom.similarity.slice_minima import find_slice_minima

SPACING = 9
THRESHOLD = 0.25


@pytest.fixture(scope="module")
def clouds(make):
    """Three motions that come back to the same pose again and again, somewhere else each time."""
    loop = make.motion(40, seed=5, wildness=0.3)
    rounds = [place(loop, Placement(0.7 * k, np.array([k, -2.0 * k]))) for k in range(4)]
    other = concatenate([make.motion(30, seed=6, wildness=0.3), *rounds[:2]])
    motions = [concatenate(rounds), other, cut(rounds[2], 3, 38)]
    some = stack(motions)
    return measure_points(some.positions, some.starts)


def by_hand(clouds, seed: int, taken=()) -> list[int]:
    """The paper's rule: minima below the threshold, nearest first, if far enough from all match frames."""
    found = slice_through(clouds, seed, threshold=THRESHOLD)
    chosen: list[int] = []
    for frame in sorted(found.minima.tolist(), key=lambda minimum: (found.distances[minimum], minimum)):
        start, stop = clouds.ranges[frame]
        if frame - start < SPACING or stop - 1 - frame < SPACING:
            continue
        near = [other for other in [*chosen, *taken] if start <= other < stop and abs(other - frame) < SPACING]
        if not near:
            chosen.append(frame)
    return sorted(chosen)


@pytest.mark.parametrize("taken", [(), (60, 175)])
def test_a_set_is_grown_nearest_first_with_room_between(clouds, taken):
    minima = find_slice_minima(clouds, THRESHOLD)
    sizes = set()
    for seed in np.flatnonzero(clouds.comparable)[::5].tolist():
        grown = grow_set(minima, clouds.starts, seed, THRESHOLD, spacing=SPACING, taken=taken)
        assert grown.frames.tolist() == by_hand(clouds, seed, taken)
        np.testing.assert_allclose(grown.distances, clouds.pairs(seed, grown.frames), atol=1e-6)
        sizes.add(len(grown.frames))
    assert max(sizes) >= 4


@pytest.mark.parametrize("taken", [(), (60, 175)])
def test_the_first_suggestion_is_the_largest_set_that_any_frame_gives(clouds, taken):
    minima = find_slice_minima(clouds, THRESHOLD)
    suggested = suggest_sets(minima, clouds.starts, THRESHOLD, spacing=SPACING, taken=taken, count=1)[0]
    free = free_frames(clouds.starts, SPACING, taken)
    best = (0, np.inf)
    for seed in np.flatnonzero(free & clouds.comparable).tolist():
        grown = by_hand(clouds, seed, taken)
        if len(grown) >= 2:
            best = min(best, (-len(grown), float(clouds.pairs(seed, np.array(grown)).mean())))
    assert (-len(suggested.frames), suggested.mean_distance) == pytest.approx(best, abs=1e-6)


def test_suggestions_are_ranked_and_each_says_something_new(clouds):
    minima = find_slice_minima(clouds, THRESHOLD)
    found = suggest_sets(minima, clouds.starts, THRESHOLD, spacing=SPACING, count=4)
    assert len(found) >= 2
    assert [len(found_set.frames) for found_set in found] == sorted(
        (len(found_set.frames) for found_set in found), reverse=True
    )
    for number, found_set in enumerate(found):
        for better in found[:number]:
            assert np.abs(better.frames - found_set.seed).min() >= SPACING
        assert found_set.frames.tolist() == by_hand(clouds, found_set.seed)


def test_what_is_accepted_keeps_the_next_ones_away(clouds):
    minima = find_slice_minima(clouds, THRESHOLD)
    taken: list[int] = []
    for _ in range(3):
        one = suggest_sets(minima, clouds.starts, THRESHOLD, spacing=SPACING, taken=taken, count=1)[0]
        check_set(one.frames.tolist(), clouds.starts, spacing=SPACING, taken=taken)  # refuses what is too near
        taken += one.frames.tolist()
    assert len(set(taken)) == len(taken)


def test_no_suggestion_where_nothing_is_alike(clouds):
    minima = find_slice_minima(clouds, 1e-12)
    assert suggest_sets(minima, clouds.starts, 0.0, spacing=200) == []


def test_minima_have_to_be_known_up_to_the_threshold(clouds):
    with pytest.raises(BadInput, match="find more first"):
        suggest_sets(find_slice_minima(clouds, 0.1), clouds.starts, 0.2, spacing=SPACING)


@pytest.mark.parametrize(
    ("frames", "taken", "sentence"),
    [
        ([50], (), "a match set of 1 frame; a hub needs at least 2"),
        ([50, 50], (), "a match set of 1 frame"),
        ([50, 55], (), "frame 50 and frame 55 are 5 frames apart"),
        ([50, 100], (100,), "of another hub"),
        ([50, 100], (96,), "frame 96 and frame 100 are 4 frames apart"),
        ([3, 100], (), "frame 3 is 3 frames from an end of its take"),
        ([50, 158], (), "frame 158 is 1 frame from an end of its take"),
        ([-1, 50], (), "match frame -1 is out of range: the takes have 305 frames"),
        ([50, 10_000], (), "is out of range"),
    ],
)
def test_what_cannot_be_a_hub_is_refused_in_words(clouds, frames, taken, sentence):
    with pytest.raises(BadInput, match=sentence):
        check_set(frames, clouds.starts, spacing=SPACING, taken=taken)


def test_a_set_that_can_be_a_hub_comes_back_in_order(clouds):
    assert check_set([100, 50], clouds.starts, spacing=SPACING).tolist() == [50, 100]
