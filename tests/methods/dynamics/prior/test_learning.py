"""Learning a prior from motions: what is chosen, mirrored copies, and how much is needed."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import BadInput
from motionloom.methods.dynamics.prior.learning import LearningSettings, learn
from motionloom.motion import Placement, cut, mirror, place


def few(make, count=3, n_frames=60, seed=0):
    return [make.motion(n_frames, seed=seed + number, fps=30.0) for number in range(count)]


def test_the_prior_does_not_know_where_motions_were_and_whither_they_looked(make):
    motions = few(make)
    moved = [place(motion, Placement(0.7 * n, np.array([n, -2.0]))) for n, motion in enumerate(motions)]
    one, other = (learn(each, LearningSettings(dimensions=10)).prior for each in (motions, moved))
    np.testing.assert_allclose(other.transitions, one.transitions, atol=1e-6)
    np.testing.assert_allclose(other.noise.covariances, one.noise.covariances, atol=1e-8)
    np.testing.assert_allclose(other.start_mean, one.start_mean, atol=1e-7)


def test_with_mirrored_copies_a_motion_is_as_likely_as_its_mirror_image(make):
    """Energies, one-step errors and the subspace treat left and right alike."""
    performed = make.demo_take("walk/normal_1").motion
    motions = [cut(replace(performed, fps=30.0), first, first + 120) for first in (100, 300, 500)]
    mirrored = [replace(mirror(motion), skeleton=motion.skeleton) for motion in motions]  # of an even body
    both = learn([*motions, *mirrored], LearningSettings(dimensions=20))
    prior = both.prior
    assert len(both.takes) == 6
    for one, other in zip(both.takes[:3], both.takes[3:]):
        np.testing.assert_allclose(prior.energy(other), prior.energy(one), rtol=1e-5)
        errors = np.linalg.norm(prior.errors(one), axis=1)
        np.testing.assert_allclose(np.linalg.norm(prior.errors(other), axis=1), errors, rtol=1e-4, atol=1e-8)
    alone = learn(motions, LearningSettings(dimensions=20)).prior
    coordinates = [
        alone.subspace.to_coordinates(alone.vectors.encode(motion)[0][:-1]) for motion in (motions[0], mirrored[0])
    ]
    assert alone.energy(coordinates[1]) > 10 * alone.energy(coordinates[0])


def test_the_number_of_gaussians_is_the_one_held_out_motions_like_best(make):
    motions = few(make, 6, 80)
    learnt = learn(motions, LearningSettings(dimensions=3, order=1, controls=2, mixtures=None))
    assert len(learnt.likelihoods) >= 1
    assert learnt.prior.noise.size == int(np.argmax(learnt.likelihoods)) + 1
    given = learn(motions, LearningSettings(dimensions=3, order=1, controls=2, mixtures=2))
    assert given.prior.noise.size == 2 and given.likelihoods == ()


def test_little_data_are_pulled_to_persistence_and_much_data_are_not(make):
    little = learn(few(make, 1, 40), LearningSettings(dimensions=6))
    much = learn(few(make, 3, 80), LearningSettings(dimensions=6))
    assert (little.pull, much.pull) == ("persistence", "zero")
    assert learn(few(make, 1, 40), LearningSettings(dimensions=6, pull="zero")).pull == "zero"


def test_settings_that_are_given_are_kept(make):
    learnt = learn(few(make), LearningSettings(dimensions=7, controls=3, order=2))
    assert (learnt.prior.size, learnt.system.n_controls, learnt.prior.order) == (7, 3, 2)
    assert learnt.n_frames == 3 * 59  # the last frame of a motion has no velocity of its own


def test_motions_too_short_to_teach_are_passed_over(make):
    motions = few(make)
    one = learn(motions, LearningSettings(dimensions=5)).prior
    other = learn([*motions, make.motion(4, seed=9, fps=30.0)], LearningSettings(dimensions=5)).prior
    np.testing.assert_array_equal(other.transitions, one.transitions)


@pytest.mark.parametrize("n_frames", [5, 6, 7, 8, 10])
def test_one_take_of_a_few_frames_is_refused_or_gives_a_prior_that_works(make, n_frames):
    try:
        prior = learn([make.motion(n_frames, seed=1, fps=30.0)], LearningSettings()).prior
    except BadInput as error:
        assert "needs at least 6 frames" in str(error)
        return
    coordinates = np.zeros((12, prior.size))
    assert np.isfinite(prior.energy(coordinates)) and np.isfinite(prior.precisions).all()


@pytest.mark.parametrize(
    ("motions", "settings", "sentence"),
    [
        ((4,), {}, "the longest stretch to learn from has 4 frames of the model; order 3 needs 5: choose longer takes"),
        ((), {}, "the longest stretch to learn from has 0 frames"),
        ((60,), {"dimensions": 64}, "64 dimensions from 59 frames of the model; give at least 64 frames, 2.1 s,"),
        ((60,), {"dimensions": 500}, "500 dimensions for poses of 67 numbers; give at most 67"),
        ((60,), {"dimensions": 4, "controls": 5}, "5 controls for 4 dimensions; give 0 to 4"),
        ((60,), {"dimensions": 4, "mixtures": 16}, "16 Gaussians of 4 numbers from 56 frames; give at least 1, and 5"),
    ],
)  # fmt: skip
def test_too_little_data_are_refused_and_it_is_said_how_much_is_needed(make, motions, settings, sentence):
    with pytest.raises(BadInput) as raised:
        learn([make.motion(n, fps=30.0) for n in motions], LearningSettings(**settings))
    assert str(raised.value).startswith(sentence)
    assert "\n" not in str(raised.value)


def test_a_body_that_does_not_move_teaches_nothing(make):
    motion = make.motion(60, fps=30.0)
    still = replace(
        motion,
        root_positions=np.tile(motion.root_positions[:1], (60, 1)),
        local_rotations=np.tile(motion.local_rotations[:1], (60, 1, 1)),
    )
    with pytest.raises(BadInput, match="no joint moves in the chosen takes; choose takes in which the body moves"):
        learn([still], LearningSettings())
