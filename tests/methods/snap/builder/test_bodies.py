"""Bodies that are not whole: graphs of skeletons without toes, feet or legs, and of joints that nobody has named."""

import numpy as np
import pytest

from motionloom.assembly import realize, solve
from motionloom.corpus import Corpus, Source, Take
from motionloom.errors import BadInput
from motionloom.features.feet import foot_points
from motionloom.methods import snap
from motionloom.methods.snap.builder.hub_poses import learn_feet
from motionloom.motion import Motion, PointMotion, Skeleton, concatenate, kinematics, place
from motionloom.performer import demo_scores, perform


def perform_take(name: str) -> Motion:
    score = next(score for score in demo_scores() if score.name == name)
    return perform(score, np.random.default_rng(1)).motion


def without(motion: Motion, *gone: str) -> Motion:
    """A motion whose skeleton has lost some joints with everything that hangs on them."""
    skeleton = motion.skeleton
    kept: list[int] = []
    for joint, (name, parent) in enumerate(zip(skeleton.names, skeleton.parents.tolist())):
        if name not in gone and (parent < 0 or parent in kept):
            kept.append(joint)
    number = {old: new for new, old in enumerate(kept)}
    ends = [end for end, parent in enumerate(skeleton.end_parents.tolist()) if parent in number]
    smaller = Skeleton(
        tuple(skeleton.names[joint] for joint in kept),
        np.array([number.get(int(skeleton.parents[joint]), -1) for joint in kept]),
        skeleton.offsets[kept],
        np.array([number[int(skeleton.end_parents[end])] for end in ends], int),
        skeleton.end_offsets[ends].reshape(-1, 3),
        name="not whole",
    )
    return Motion(smaller, motion.root_positions, motion.local_rotations[:, kept], motion.fps)


def nameless(motion: Motion) -> Motion:
    """A motion of joints whose names say nothing."""
    old = motion.skeleton
    names = tuple(f"j{number}" for number in range(old.n_joints))
    skeleton = Skeleton(names, old.parents, old.offsets, old.end_parents, old.end_offsets, name="nameless")
    return Motion(skeleton, motion.root_positions, motion.local_rotations, motion.fps)


BODIES = {
    "no toes": ("idle/weight_shifts", lambda motion: without(motion, "LeftToes", "RightToes")),
    "one foot": ("walk/figure_eight", lambda motion: without(motion, "LeftFoot")),
    "no feet": ("walk/figure_eight", lambda motion: without(motion, "LeftFoot", "RightFoot")),
    "no legs": ("walk/figure_eight", lambda motion: without(motion, "LeftThigh", "RightThigh")),
    "no names": ("walk/figure_eight", nameless),
}


@pytest.fixture(scope="module", params=list(BODIES))
def model(request, tmp_path_factory):
    name, change = BODIES[request.param]
    motion = change(perform_take(name))
    with Corpus.create(tmp_path_factory.mktemp("bodies") / "corpus") as corpus:
        corpus.add(Take("a", motion, Source("a", "test", "a", motion.fps, 1.0)), floor_height=0.0)
        hubs = (snap.Hub(largest=True), snap.Hub(largest=True))
        yield request.param, snap.prepare(corpus, snap.GraphRequest(takes=("a",), hubs=hubs))


def test_takes_of_any_body_become_a_graph_that_plays(model):
    _, built = model
    graph = built.graph
    assert all(np.isfinite(getattr(graph, name)).all() for name in ("frames", "hub_frames", "placements"))
    for clip, edge in enumerate(graph.clips):
        first = graph.clip_starts[clip]
        np.testing.assert_array_equal(graph.frames[first : first + 2], graph.hub_frames[edge.source, 1:])
    result = realize(snap, solve(snap, built, snap.Request(length="4s"))[0], built)
    assert result.motion.n_frames == 4 * round(graph.fps)


def test_a_corpus_of_points_says_that_it_has_no_bodies(tmp_path):
    motion = perform_take("walk/figure_eight")
    points = PointMotion(motion.skeleton.names, kinematics.world_positions(motion), motion.fps)
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("a", points, Source("a", "test", "a", points.fps, 1.0)), floor_height=0.0)
        with pytest.raises(BadInput, match="takes of points alone"):
            snap.prepare(corpus)


def test_what_there_is_of_the_feet_stands(model):
    name, built = model
    graph, view = built.graph, built.view
    planted = {point for hub in built.report.build.hubs for point in hub.planted}
    if name in ("no feet", "no legs", "no names"):
        assert not graph.contacts.any() and not planted
        assert any("no leg" in note for note in built.report.notes)
        return
    assert planted and not any("left" in point if name == "one foot" else "ball" in point for point in planted)
    heels = learn_feet(built.view.motion("a"), view.source_contacts).heels
    for hub in range(graph.n_hubs):
        for before in graph.entering[hub]:
            for after in graph.leaving[hub]:
                second = place(graph.clip_motion(after), graph.placement(before))
                points = foot_points(concatenate([graph.clip_motion(before), second]), 0.0, heels=heels)
                flags = np.concatenate([graph.contacts[slice(*graph.clip_starts[c : c + 2])] for c in (before, after)])
                steps = np.linalg.norm(np.diff(points, axis=0), axis=-1)[flags[1:] & flags[:-1]]
                assert steps.max(initial=0.0) < 1e-4
