"""Quick performances: what was finished before is kept, only the rest is performed, and the whole stays what it is."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.features.facing import find_facing
from motionloom.methods import buildup
from motionloom.methods.buildup import Request, Settings
from motionloom.methods.buildup.finished import find_finished
from motionloom.methods.buildup.sequence.outcome import WINDOW
from motionloom.methods.buildup.tree.search_tree import GrowthSettings
from motionloom.motion import kinematics

SMALL = Settings(growth=GrowthSettings(seconds=8.0, nodes=60_000))
WAVE, WALK = {"label": "wave"}, {"take": "walk/stop_and_go", "frame": 200}
STEPS = [{"pose": WAVE, "place": [0.5, 2.0], "within": 3.0}, {"pose": WALK, "for": "2s"}, {"for": "1.5s"}]
EDITED = {"edits": [{"kind": "insert", "from": "2s", "pose": {"take": "walk/stop_and_go", "frame": 50}}]}


@pytest.fixture
def fresh(model):
    """A model that nothing was performed with yet."""
    return replace(model, settings=SMALL)


def only(model, steps, **more):
    return next(iter(buildup.search(model, Request.from_data({"steps": steps, **more}))))


def frames_of(performed):
    return performed.played[0].motion.root_positions, performed.played[0].motion.local_rotations


def ground_of(motion):
    return find_facing(motion.skeleton, kinematics.world_positions(motion))[1]


@pytest.mark.parametrize("more", [{}, EDITED], ids=["steps", "with an edit"])
def test_what_was_finished_keeps_its_bits_when_a_step_is_added(fresh, more):
    before = buildup.perform(only(fresh, STEPS[:2], **more), fresh)
    answer = only(fresh, STEPS, **more)
    quick = buildup.perform(answer, fresh, quick=True)
    kept = before.played[0].motion.n_frames - round(WINDOW * fresh.fps)
    for old, new in zip(frames_of(before), frames_of(quick)):
        assert np.array_equal(new[:kept], old[:kept])
        assert not np.array_equal(new[kept : len(old)], old[kept:]), "the join reaches back"
    (played,) = quick.played
    assert played.plan.n_frames == played.motion.n_frames == len(played.contacts) == played.provenance.n_frames
    assert played.before.n_frames == played.motion.n_frames == answer.plans[0].n_frames
    assert [piece.content_key for piece in played.plan.pieces] == [p.content_key for p in answer.plans[0].pieces]


@pytest.mark.parametrize("more", [{}, EDITED], ids=["steps", "with an edit"])
def test_what_is_new_is_nearly_as_in_the_whole_and_nothing_jumps(fresh, more):
    buildup.perform(only(fresh, STEPS[:2], **more), fresh)
    answer = only(fresh, STEPS, **more)
    quick, whole = (buildup.perform(answer, fresh, quick=each).played[0].motion for each in (True, False))
    paths = [ground_of(motion) for motion in (quick, whole)]
    np.testing.assert_allclose(paths[0], paths[1], atol=0.03)
    fastest = [np.linalg.norm(np.diff(path, axis=0), axis=1).max() for path in paths]
    assert fastest[0] <= fastest[1] + 0.01


def test_the_whole_has_the_same_bits_whatever_was_performed_before(fresh, model):
    buildup.perform(only(fresh, STEPS[:2]), fresh)
    buildup.perform(only(fresh, STEPS), fresh, quick=True)
    unknown = replace(model, settings=SMALL)
    for one, other in zip(*(frames_of(buildup.perform(only(each, STEPS), each)) for each in (fresh, unknown))):
        assert np.array_equal(one, other)


def test_backing_up_shows_what_is_left_of_what_was_finished(fresh):
    longer = buildup.perform(only(fresh, STEPS), fresh)
    answer = only(fresh, STEPS[:2])
    shorter = buildup.perform(answer, fresh, quick=True)
    n_frames = answer.plans[0].n_frames
    for old, new in zip(frames_of(longer), frames_of(shorter)):
        assert len(new) == n_frames
        assert np.array_equal(new, old[:n_frames])
    assert shorter.played[0].plan.n_frames == n_frames


def test_characters_who_do_the_same_as_before_keep_every_bit(fresh):
    def cast(steps):
        second = {"name": "B", "start": {"position": [3.0, 0.0]}, "steps": steps}
        return only(fresh, [], characters=[{"name": "A", "steps": STEPS[:2]}, second])

    before, quick = buildup.perform(cast(STEPS[:1]), fresh), buildup.perform(cast(STEPS[:2]), fresh, quick=True)
    for old, new in zip(frames_of(before), frames_of(quick)):
        assert np.array_equal(new, old)
    assert quick.played[1].motion.n_frames > before.played[1].motion.n_frames


@pytest.mark.parametrize(
    "before, after",
    [
        ({"steps": STEPS[:2]}, {"steps": [STEPS[0], {**STEPS[1], "place": [1.0, 3.0], "within": 4.0, "exact": True}]}),
        (
            {"steps": STEPS[:2], "hits": [{"joint": "right_hand", "point": [0.3, 1.2, 1.5], "at": "1s"}]},
            {"steps": STEPS[:2], "hits": [{"joint": "right_hand", "point": [0.3, 1.4, 1.5], "at": "1s"}]},
        ),
        ({"steps": STEPS[:2]}, {"steps": STEPS[:2], "start": {"heading": 90}}),
    ],
    ids=["another exact place", "a hit that moved", "another start"],
)
def test_where_the_beginning_is_another_one_the_whole_is_performed(fresh, before, after):
    buildup.perform(only(fresh, **before), fresh)
    answer = only(fresh, **after)
    assert find_finished(fresh, answer.state.characters[0], answer.plans[0]) is None


def test_a_hit_that_is_new_is_met_in_what_was_finished(fresh):
    buildup.perform(only(fresh, STEPS[:2]), fresh)
    motion = buildup.perform(only(fresh, STEPS[:2]), fresh, quick=True).played[0].motion
    hand = kinematics.world_positions(motion)[60, motion.skeleton.index("right_hand")]
    hit = {"joint": "right_hand", "point": [float(value) for value in hand + [0.02, 0.05, 0.0]], "at": "60f"}
    answer = only(fresh, STEPS[:2], hits=[hit])
    assert find_finished(fresh, answer.state.characters[0], answer.plans[0]) is not None
    motion = buildup.perform(answer, fresh, quick=True).played[0].motion
    reached = kinematics.world_positions(motion)[60, motion.skeleton.index("right_hand")]
    assert np.linalg.norm(reached - hit["point"]) <= 1e-3
