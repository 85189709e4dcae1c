"""Standing about: feet are planted nearly all the time, the weight goes to the given side, toes tap and heels stay."""

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.motion import find_runs
from motionloom.performer import Writer, perform
from motionloom.performer.body.skeleton import centre_of_mass

POINTS = ("left_heel", "left_ball", "right_heel", "right_ball")


@pytest.fixture(scope="module")
def idles(demo):
    return [seen for seen in demo if seen.performance.name.startswith("idle/")]


def frames_of(performance, word):
    frames = np.zeros(performance.motion.n_frames, bool)
    for label in performance.labels:
        if label.label == word:
            frames[label.start : label.stop] = True
    return frames


def contacts_of(performance):
    """Which points are down, (F, 4)."""
    down = np.zeros((performance.motion.n_frames, len(POINTS)), bool)
    for contact in performance.contacts:
        down[contact.start : contact.stop, POINTS.index(contact.point)] = True
    return down


def test_a_whole_foot_is_planted_in_every_frame(idles):
    for seen in idles:
        idle, down = frames_of(seen.performance, "idle"), contacts_of(seen.performance)
        assert idle.mean() > 0.7, seen.performance.name
        assert (down[idle, :2].all(-1) | down[idle, 2:].all(-1)).all(), seen.performance.name


def test_points_that_lie_still_on_the_floor_are_in_contact(demo):
    for seen in demo:
        if seen.performance.name.startswith(("idle/", "fight/")):
            down = contacts_of(seen.performance)
            for k, name in enumerate(POINTS):
                track = seen.points[name]
                still = np.linalg.norm(np.diff(track, axis=0), axis=-1) < 1e-7
                still &= np.abs(track[1:, 1]) < 0.001
                for start, stop in find_runs(still):
                    if stop - start >= 4:
                        assert down[start + 2 : stop - 1, k].all(), (seen.performance.name, name, start, stop)


def test_weight_shifts_leave_both_feet_where_they_are(idles):
    for seen in idles:
        shifting = frames_of(seen.performance, "weight_shift")
        assert contacts_of(seen.performance)[shifting].all(), seen.performance.name


def test_the_weight_goes_to_the_given_side():
    score = Writer("w").then("idle", 1)
    for to in ("left", "right", "middle"):
        score.then("weight_shift", 2.2, to=to)
    from tests.performer.conftest import look_at

    seen = look_at(perform(score.done(), np.random.default_rng(2)))
    mass = centre_of_mass(seen.positions)[:, 0]
    left, right = (seen.points[f"{side}_heel"][:, 0] for side in ("left", "right"))
    share = (mass - right) / (left - right)  # 1 on the left foot
    assert share[180] > 0.72 and share[315] < 0.28 and 0.4 < share[445] < 0.6


def test_one_foot_shuffles_while_the_other_stays(idles):
    shuffles = 0
    for seen in idles:
        down = contacts_of(seen.performance)
        for label in (label for label in seen.performance.labels if label.label == "foot_shuffle"):
            frames = slice(label.start, label.stop)
            moved = [~down[frames, side].all() for side in (slice(0, 2), slice(2, 4))]
            assert sorted(moved) == [False, True], (seen.performance.name, label)
            ball = POINTS[1 if moved[0] else 3]
            track = seen.points[ball]
            assert np.linalg.norm(track[label.stop] - track[label.start]) < 0.02
            assert 0.04 < np.linalg.norm(track[frames] - track[label.start], axis=-1).max() < 0.2
            shuffles += 1
    assert shuffles >= 5


def test_toes_tap_and_heels_stay(idles):
    taps = 0
    for seen in idles:
        down = contacts_of(seen.performance)
        for label in (label for label in seen.performance.labels if label.label == "toe_tap"):
            frames = slice(label.start, label.stop)
            assert down[frames, 0].all() and down[frames, 2].all(), (seen.performance.name, label)
            lifted = [find_runs(~down[frames, k]) for k in (1, 3)]
            assert min(map(len, lifted)) == 0
            taps += max(map(len, lifted))
            for side, runs in zip(("left", "right"), lifted):
                for start, stop in runs:
                    raised = seen.points[f"{side}_toe"][label.start + start : label.start + stop, 1].max()
                    assert 0.04 < raised < 0.14
    assert taps >= 15


def test_who_stands_about_stands(idles):
    for seen in idles:
        idle, stand, shuffle = (frames_of(seen.performance, word) for word in ("idle", "stand", "foot_shuffle"))
        assert not (stand & shuffle).any()
        assert (idle & ~stand & ~shuffle).sum() <= 0.1 * idle.sum(), seen.performance.name


@pytest.mark.parametrize(
    ("action", "options", "message"),
    [
        ("weight_shift", {"to": "up"}, "no weight shift to 'up'; to: left, middle, right"),
        ("toe_tap", {"foot": "third"}, "no foot 'third'; feet: left, right"),
        ("foot_shuffle", {"foot": "third"}, "no foot 'third'"),
    ],
)
def test_what_cannot_be_done_is_refused(action, options, message):
    with pytest.raises(BadInput, match=message):
        perform(Writer("x").then("idle", 1).then(action, 2.5, **options).done(), np.random.default_rng(0))
