"""Windows: one feature vector per tenth of a second, the same wherever the body stands and whichever way it faces."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.classify.windows import find_windows
from motionloom.conform import make_view
from motionloom.corpus import Corpus, Source, Take
from motionloom.errors import BadInput
from motionloom.methods.annotate import PAPER, USUAL
from motionloom.motion import Placement, cut, mirror, place


def windows_of(folder, motions, settings=USUAL):
    """The windows of a corpus of some motions, by their names."""
    with Corpus.create(folder) as corpus:
        for name, motion in motions.items():
            corpus.add(Take(name, motion, Source(name, "test", name, motion.fps, 1.0)), floor_height=0.0)
        return find_windows(make_view(corpus), settings)


def test_windows_of_mirrored_takes_are_the_mirrored_windows(tmp_path, view):
    motion = view.motion("run/two")
    with Corpus.create(tmp_path / "corpus") as corpus:
        for name, shown in (("as it is", motion), ("mirrored", mirror(motion, keep_skeleton=True))):
            corpus.add(Take(name, shown, Source(name, "test", name, motion.fps, 1.0)), floor_height=0.0)
        windows = find_windows(make_view(corpus), USUAL)
    first, second = (slice(*windows.range_of(name)) for name in windows.names)
    np.testing.assert_allclose(windows.coordinates[1, first], windows.coordinates[0, second], atol=0.02)


def test_every_frame_has_the_window_whose_middle_is_nearest(view):
    windows = find_windows(view, USUAL)
    for number, name in enumerate(windows.names):
        start, stop = view.range_of(name)
        own = np.arange(windows.starts[number], windows.starts[number + 1])
        gaps = np.abs(np.arange(start, stop)[:, None] - windows.frames[own])
        nearest = windows.nearest(number)
        np.testing.assert_array_equal(gaps[np.arange(stop - start), nearest - own[0]], gaps.min(axis=1))


@pytest.mark.parametrize("settings", [USUAL, PAPER], ids=["usual", "paper"])
def test_windows_do_not_depend_on_where_the_body_stands_and_faces(tmp_path, view, settings):
    motion = view.motion("run/two")
    elsewhere = place(motion, Placement(2.1, np.array([30.0, -4.0])))
    windows = windows_of(tmp_path / "corpus", {"here": motion, "there": elsewhere}, settings)
    here, there = (windows.coordinates[:, slice(*windows.range_of(name))] for name in windows.names)
    np.testing.assert_allclose(here, there, atol=5e-3)


def test_windows_are_evenly_spaced_and_their_mean_squared_distance_is_one(view):
    windows = find_windows(view, USUAL)
    for name, (start, stop) in zip(windows.names, windows.ranges):
        frames = windows.frames[slice(*windows.range_of(name))]
        assert (start <= frames).all() and (frames < stop).all()
        assert np.abs(np.diff(frames) - view.fps / USUAL.rate).max() <= 1  # the last may be nearer
    both = windows.coordinates.reshape(-1, windows.coordinates.shape[-1]).astype(float)
    assert 2 * both.var(axis=0).sum() == pytest.approx(1.0, abs=0.01)  # the mean over all pairs


def test_a_take_of_a_few_frames_has_one_window(tmp_path, view):
    motion = view.motion("run/two")
    windows = windows_of(tmp_path / "corpus", {"short": cut(motion, 50, 53), "whole": motion})
    start, stop = windows.range_of("short")
    assert stop - start == 1
    np.testing.assert_array_equal(windows.nearest(windows.names.index("short")), start)


def test_windows_are_computed_once_for_a_view(view, monkeypatch):
    first = find_windows(view, USUAL)
    monkeypatch.setattr("motionloom.classify.windows.body_signals", lambda *_: pytest.fail("again"))
    np.testing.assert_array_equal(find_windows(view, USUAL).coordinates, first.coordinates)


def test_an_unknown_take_and_a_skeleton_without_legs_are_refused(view):
    with pytest.raises(BadInput, match="no take 'nowhere' to annotate; there are 5: run/one"):
        find_windows(view, USUAL).range_of("nowhere")
    legless = replace(view.skeleton, roles={"hips": view.skeleton.roles["hips"]})
    with pytest.raises(BadInput, match="has no legs to normalize lengths by"):
        find_windows(replace(view, skeleton=legless, key="legless"), USUAL)
