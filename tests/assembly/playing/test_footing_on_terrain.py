"""Frames of takes on a hill: in a result they stand on patches of it, wherever they are placed, joined and bent."""

from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks.unseen.performed_supports import perform_supports

from motionloom.assembly import plan_clips, play
from motionloom.assembly.derived.derived_takes import clean_take, mirror_take, trim_take
from motionloom.assembly.playing.assemble import measure_played
from motionloom.conform import make_view
from motionloom.constraints import GroundTarget
from motionloom.corpus import Corpus
from motionloom.features.feet import foot_points
from motionloom.formats.take import Source, Take
from motionloom.motion import Placement, kinematics


@pytest.fixture(scope="module")
def hills(tmp_path_factory):
    """A corpus with two walks over hills, each with its ground."""
    with Corpus.create(tmp_path_factory.mktemp("hills") / "corpus") as corpus:
        for name, seed, size in (("a", 90, 1.0), ("b", 91, 1.15)):
            walk = perform_supports("hills", seed, 60.0, size)
            corpus.add(Take(name, walk.motion, Source(name, "made", "", 60.0, 1.0)), floor_height=0.0)
            corpus.set_ground(name, walk.ground)
        yield corpus


def nearest_cut(view):
    """A plan that leaves take a on its hill and goes on in b, where both are most alike in pose and height."""
    bodies = [kinematics.world_positions(view.motion(name)) for name in "ab"]
    poses = [(body - body[:, :1] * [1, 0, 1]).reshape(len(body), -1) for body in bodies]
    on_hill = [np.flatnonzero((heights > 0.1)[100:-100]) + 100 for heights in (body[:, 0, 1] - 1 for body in bodies)]
    far = np.linalg.norm(poses[0][on_hill[0], None] - poses[1][None, on_hill[1]], axis=-1)
    leaves, comes = (int(own[at]) for own, at in zip(on_hill, np.unravel_index(far.argmin(), far.shape)))
    slide = (bodies[0][leaves, 0] - bodies[1][comes, 0])[[0, 2]]
    clips = [("a", leaves - 100, leaves, np.zeros(2)), ("b", comes, comes + 100, slide)]
    return plan_clips(
        view, [SimpleNamespace(name=n, start=a, stop=b, placement=Placement(0.0, at)) for n, a, b, at in clips]
    )


@pytest.mark.parametrize("bent", [False, True])
def test_bodies_are_carried_by_the_patches_of_their_hills(hills, bent):
    view = make_view(hills, ["a", "b"])
    plan = nearest_cut(view)
    end = play(plan, view).motion.root_positions[-1, [0, 2]]
    played = play(plan, view, targets=[GroundTarget(-1, position=end + [0.25, 0.15])] if bent else ())
    numbers = {line.name: line.value for line in measure_played(played).report.quality}
    assert numbers["deepest foot point below the floor"] < 10.0
    assert not any("in the air" in name and value for name, value in numbers.items())
    points = foot_points(played.motion, 0.0)
    under = played.footing.under(points, played.contacts)
    assert under[played.contacts].max() > 0.15
    assert np.percentile(np.abs(points[..., 1] - under)[played.contacts], 80) < 0.03


def test_takes_made_of_a_take_stand_on_its_ground(hills):
    ground = hills.ground("a")
    assert hills.ground(trim_take(hills, "a", 50, 200)).to_data() == ground.to_data()
    assert hills.ground(mirror_take(hills, "a")).to_data() == ground.mirrored().to_data()
    cleaned = clean_take(hills, "a")
    assert hills.ground(cleaned.take).to_data() == ground.to_data()
    points = foot_points(hills.take(cleaned.take).motion, 0.0, like=hills.take("a").motion, ground=ground)
    contacts = hills.layer("a", "contacts")
    heights = points[..., 1] - ground.supports_at(points)
    assert max(np.ptp(heights[contacts[:, k], k]) for k in range(4)) < 0.002
