"""Bad input: one sentence each, with a way out; what cannot be met comes as near as it can."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import formats
from motionloom.corpus import Take
from motionloom.errors import BadInput, MotionloomError
from motionloom.methods.dynamics.demands.reach import rigid_distance
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.motion import Skeleton, cut

POSE = {"take": "walk/normal_1", "frame": 230}
HAND = {"joint": "right_hand", "at": "0.5s"}
KNEE = {"joint": "left_knee", "at": "0.5s"}
EDIT = {"start_from": "walk/normal_1"}


def refusal(desk, **asked) -> str:
    """The sentence with which a request is refused before anything is searched for."""
    with pytest.raises(BadInput) as raised:
        desk.set_up({"length": "1s", "poses": desk.ends, **asked})
    message = str(raised.value)
    assert message and "\n" not in message and "Traceback" not in message
    return message


@pytest.mark.parametrize(
    ("asked", "sentences"),
    [
        # times
        ({"points": [{**HAND, "at": "3s", "position": (0, 1, 0)}]}, ["3s is after the end; the motion lasts 1.00 s"]),
        ({"points": [{**HAND, "at": ["0.1s", "200f"], "position": (0, 1, 0)}]}, ["200f is after the end"]),
        (
            {"contacts": [{"joint": "left_foot", "from": "0.5s", "to": "1.5s"}]},
            ["contact 1, left_foot: 1.5s is after the end"],
        ),
        (
            {"contacts": [{"joint": "left_foot", "from": "0.5s", "to": "0.5s"}]},
            ["is no time; `from` must come before `to`"],
        ),
        (
            {"points": [{"joint": "head", "from": "0.6s", "to": "0.2s", "position": (0, 1, 0)}]},
            ["from 0.6s to 0.2s is no time"],
        ),
        ({"points": [{**HAND, "at": [], "position": (0, 1, 0)}]}, ["empty list of times; give at least one"]),
        (
            {"points": [{"joint": "head", "position": (0, 1, 0)}]},
            ["give `at` with a time or several, or `from` and `to`"],
        ),
        (
            {"points": [{"joint": "head", "at": "0.1s", "from": "0s", "to": "end", "position": (0, 1, 0)}]},
            ["give `at`"],
        ),
        ({"points": [{**HAND, "at": "-1s", "position": (0, 1, 0)}]}, ["'-1s' is not a valid time"]),
        ({"points": [{**HAND, "at": "nans", "position": (0, 1, 0)}]}, ["'nans' is not a valid time"]),
        ({"points": [{**HAND, "at": ".5s", "position": (0, 1, 0)}]}, ["points[0].at: '.5s' is not a valid time"]),
        ({"length": "end"}, ["'end' is not a valid length"]),
        ({"length": "0s"}, ["give a `length` between 0.07 and 600 s"]),
        ({"length": "601s"}, ["give a `length` between"]),
        # joints
        ({"points": [{**HAND, "joint": "tail", "position": (0, 1, 0)}]}, ["no joint 'tail' on the skeleton"]),
        ({"contacts": [{"joint": "hoof", "from": "0s", "to": "end"}]}, ["contact 1, hoof: no joint 'hoof'"]),
        ({"angles": [{**HAND, "joint": "wing", "bend": 10}]}, ["no joint 'wing'"]),
        ({"angles": [{**HAND, "joint": "head", "bend": 10}]}, ["'head' is neither a knee nor an elbow; give `turns`"]),
        ({"poses": [{"at": "0s", "pose": POSE, "joints": ["nose"]}]}, ["no joint 'nose'"]),
        (
            {"distances": [{**HAND, "other": "right_hand", "metres": 0.2}]},
            ["from itself is 0; give another joint, or a point"],
        ),
        ({"distances": [{**HAND, "metres": 0.2}]}, ["give another joint or a point in space"]),
        ({"distances": [{**HAND, "point": (0, 1, 0)}]}, ["give one of metres, path and like"]),
        ({"distances": [{**HAND, "point": (0, 1, 0), "path": (0.2, 0.3)}]}, ["a path needs `from` and `to`"]),
        (
            {**EDIT, "distances": [{**KNEE, "other": "left_foot", "metres": 0.2}]},
            ["'left_knee' and 'left_foot' are on one bone, always 0.405 m apart; give joints"],
        ),
        (
            {**EDIT, "distances": [{**KNEE, "joint": "left_hip", "other": "right_hip", "metres": 0.5, "hard": True}]},
            ["'left_hip' and 'right_hip' are on one bone, always"],
        ),
        (
            {"distances": [{**KNEE, "joint": "left_heel", "other": "left_ball", "metres": 0.5}]},
            ["'left_heel' and 'left_ball' are on one bone, always"],
        ),
        ({**EDIT, "hold": {"free": ["nose"]}}, ["no joint 'nose'"]),
        # numbers
        ({"points": [{**HAND, "position": (0, float("nan"), 0)}]}, ["finite"]),
        ({"points": [{**HAND, "position": (0, float("inf"), 0)}]}, ["finite"]),
        ({"points": [{**HAND, "position": (None, None, None)}]}, ["free along all axes asks nothing"]),
        (
            {"points": [{**HAND, "position": (0, 1, 0), "path": [(0, 0, 0), (1, 1, 1)]}]},
            ["give one of position, moved_by"],
        ),
        ({"points": [{**HAND, "path": [(0, 0, 0), (1, 1, 1)]}]}, ["a path needs `from` and `to`"]),
        (
            {"points": [{**HAND, "moved_by": (0, 1, 0)}]},
            ["`moved_by` needs a motion that is edited; give `start_from`"],
        ),
        ({"points": [{**HAND, "position": (0, 1, 0), "within": 0}]}, ["greater than 0"]),
        ({"orientations": [{**HAND, "turns": (0, float("nan"), 0)}]}, ["finite"]),
        ({"orientations": [{**HAND}]}, ["give turns, or a frame that it is like"]),
        ({"distances": [{**HAND, "point": (0, 1, 0), "metres": -1}]}, ["greater than or equal to 0"]),
        ({"distances": [{**HAND, "point": (0, 1, 0), "metres": float("nan")}]}, ["finite"]),
        ({"root": [{"at": "0.5s", "heading": float("nan")}]}, ["finite"]),
        ({"root": [{"at": "0.5s"}]}, ["give a position, a heading, a height, a path, or a take"]),
        ({"root": [{"at": "0.5s", "path": [(0, 0), (1, 1)]}]}, ["a path needs `from` and `to`"]),
        ({"prior_weight": 0}, ["greater than 0"]),
        ({"fps": float("nan")}, ["fps"]),
        ({"knots": 0.3}, ["knots every 0.3 frames; give 1 or more, or 0 for every frame"]),
        # cameras
        ({"projections": [{**HAND, "camera": "b", "pixel": (0, 0)}]}, ["no camera 'b'; there are none"]),
        ({"cameras": {"a": {"position": (1, 1, 1), "look_at": (1, 1, 1)}}}, ["sees nothing; give another point"]),
        ({"cameras": {"a": {"position": (1, 1, 1), "look_at": (0, 1, 1), "field_of_view": 0}}}, ["greater than 1"]),
        ({"cameras": {"a": {"position": (1, 1, 1), "look_at": (0, 1, 1), "field_of_view": None}}}, ["field_of_view"]),
        ({"cameras": {"a": {"position": (1, 1, 1), "look_at": (0, 1, 1), "size": (0, 100)}}}, ["greater than 0"]),
        (
            {"points": [{**HAND, "position": (0, 1, 0), "offset": (1e9, 0, 0)}]},
            ["points[0].offset[0]: it should be less than or equal to 100"],
        ),
        ({"poses": [{"at": "0s", "pose": POSE, "joints": []}]}, ["`joints` is an empty list, which asks nothing"]),
        # takes and labels
        ({"poses": [{"at": "0s", "pose": {"take": "walk/nothing"}}]}, ["walk/nothing"]),
        (
            {"poses": [{"at": "0s", "pose": {"take": "walk/normal_1", "frame": 840}}]},
            ["is after its end; it has 840 frames, the last is 839"],
        ),
        ({"poses": [{"at": "0s"}]}, ["give a pose with take and frame, or a file"]),
        ({"poses": [{"at": "0s", "pose": POSE, "as_recorded": True, "place": (0, 0)}]}, ["not both"]),
        ({"start_from": "no/such"}, ["no/such"]),
        ({**EDIT, "length": "20s"}, ["lasts 14.00 s, but 20.00 s are asked for; leave out `length`"]),
        (
            {"root": [{"from": "0s", "to": "end", "like": {"take": "walk/normal_1", "frame": 800}}]},
            ["from frame 800 on, but there are 40; ask for a shorter time"],
        ),
        ({"prior": {"takes": ["nothing/*"]}}, ["nothing/*"]),
        ({"prior": {"takes": ["walk/*"], "labels": ["fly"]}}, ["has one of the labels fly; choose others"]),
        ({"prior": {"takes": ["walk/*"], "labels": []}}, ["label"]),
        (
            {"prior": {"takes": ["walk/*"], "dimensions": 400}},
            ["400 dimensions for poses of 64 numbers; give at most 64"],
        ),
        (
            {"prior": {"takes": ["walk/*"], "dimensions": 5, "controls": 6}},
            ["6 controls for 5 dimensions; give 0 to 5"],
        ),
        ({"prior": {"takes": ["walk/*"], "order": 0}}, ["greater than or equal to 1"]),
        # nothing
        ({"poses": []}, ["the request asks nothing: give poses, points", "edit with `start_from`; such as `poses: ["]),
        ({"poses": [], "length": None}, ["the request asks nothing: give poses, points"]),
        ({"poses": [], "length": None, "feet": "given"}, ["the request asks nothing: give poses, points"]),
        (
            {"poses": [], "length": None, "points": [{**HAND, "at": "end", "position": (0, 1, 0)}]},
            ["names the end needs a `length`, such as 3s"],
        ),
        ({"method": "magic"}, ["method"]),
        ({"wishes": 3}, ["wishes"]),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(desk, asked, sentences):
    message = refusal(desk, **asked)
    for sentence in sentences:
        assert sentence in message


@pytest.mark.parametrize("n_frames", [1, 3, 4])
def test_a_take_that_is_too_short_to_edit_says_how_long_one_has_to_be(desk, make, tmp_path, n_frames):
    corpus = make.demo_corpus(tmp_path / "corpus", ("walk/normal_1",))
    walk = corpus.take("walk/normal_1")
    corpus.add(Take("short", cut(walk.motion, 300, 300 + n_frames), walk.source))
    with pytest.raises(BadInput, match=r"^short is too short to edit: .* start from a take of at least 5 frames$"):
        replace(desk, corpus=corpus).set_up({"start_from": "short"})


@pytest.mark.parametrize(
    ("one", "other", "metres"),
    [
        (Spot(2), Spot(3), 3.0),  # a child of its parent
        (Spot(3), Spot(2), 3.0),
        (Spot(2), Spot(2, (0.0, 0.5, 0.0)), 0.5),  # two points of one bone
        (Spot(2, (0.0, 0.5, 0.0)), Spot(3), 3.5),
        (Spot(1), Spot(4), np.sqrt(2)),  # two children of the root
        (Spot(2), Spot(3, (0.0, 0.5, 0.0)), None),  # turned by the child
        (Spot(1), Spot(3), None),
        (Spot(2), Spot(4), None),
    ],
)
def test_points_on_one_bone_are_always_as_far_apart(one, other, metres):
    offsets = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, -3, 0], [0, 1, 0]], float)
    skeleton = Skeleton(tuple("abcde"), np.array([-1, 0, 1, 2, 0]), offsets)
    found = rigid_distance(skeleton, one, other)
    assert found is None if metres is None else found == pytest.approx(metres)


def test_too_little_to_learn_from_says_how_much_is_needed(make, tmp_path):
    from motionloom.corpus import Corpus, Source, Take

    motion = cut(make.demo_take("walk/normal_1").motion, 100, 106)
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(Take("short", motion, Source("short", "test", "short", motion.fps, 1.0)), floor_height=0.0)
        from motionloom.methods.dynamics import Material, prepare

        with pytest.raises(BadInput) as raised:
            prepare(corpus, Material())
    assert "the longest stretch to learn from has 3 frames of the model; order 3 needs 5" in str(raised.value)


def test_files_that_hold_no_pose_are_refused(desk, tmp_path):
    asked = {"at": "0.5s", "file": str(tmp_path / "none.bvh")}
    for content in (None, b"nothing of a motion"):
        if content is not None:
            (tmp_path / "none.bvh").write_bytes(content)
        with pytest.raises((MotionloomError, OSError)) as raised:
            desk.set_up({"length": "1s", "poses": [*desk.ends, asked]})
        assert "none.bvh" in str(raised.value)


@pytest.mark.parametrize("value", [0.0, np.nan])
def test_files_with_rotations_that_are_none_are_refused(desk, tmp_path, value):
    """A quaternion of no length, or of nan."""
    motion = cut(desk.corpus.take("walk/normal_1").motion, 0, 2)
    formats.write(tmp_path / "pose.npz", motion)
    with np.load(tmp_path / "pose.npz", allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    (name,) = [name for name, array in arrays.items() if array.shape[-1:] == (4,) and array.ndim == 3]
    arrays[name] = arrays[name].copy()
    arrays[name][0, 3] = value
    np.savez(tmp_path / "pose.npz", **arrays)
    with pytest.raises(MotionloomError) as raised:
        desk.set_up({"length": "1s", "poses": [*desk.ends, {"at": "0.5s", "file": str(tmp_path / "pose.npz")}]})
    assert "pose.npz" in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("hard", [True, False])
def test_a_point_out_of_reach_is_told_with_its_distance_and_bodies_do_not_fly_there(desk, hard):
    point = {"joint": "right_hand", "at": "0.5s", "position": (0, 5.0, 2.0), "hard": hard}
    done = desk.make({"length": "1s", "poses": desk.ends, "points": [point]})
    part = done.parts["point 1, right_hand: off by"]
    assert not part.met and 2.0 < part.value < 3.2
    assert done.motion.root_positions[:, 1].max() < 1.5
    up = done.at("right_hand")[30] - done.at("right_shoulder")[30]
    assert up[1] > 0.8 * np.linalg.norm(up)
    if hard:
        assert "it is out of reach from where the body is" in part.why_not


def test_a_root_that_is_asked_to_be_high_takes_its_hands_along(desk):
    point = {"joint": "right_hand", "at": "0.5s", "position": (None, 4.0, None), "hard": True}
    root = {"from": "0s", "to": "end", "height": 3.0, "within": 0.001}
    done = desk.make({"length": "1s", "points": [point], "root": [root], "feet": "free"})
    assert done.parts["point 1, right_hand: off by"].met


def test_what_a_hard_pose_does_not_reach_is_refused_or_named(desk):
    """Without a place of the pose nothing can be said before the motion is found."""
    pose = {"at": "0.5s", "pose": POSE, "hard": True}
    point = {"joint": "right_hand", "at": "0.5s", "position": (None, 1.9, None), "hard": True}
    done = desk.make({"length": "1s", "poses": [*desk.ends, pose], "points": [point]})
    (missed,) = done.missed if len(done.missed) == 1 else [s for s in done.missed if "contradicts" in s][:1]
    assert "it contradicts '" in missed and "let one be not `hard`" in missed


def test_a_point_behind_a_camera_says_so(desk):
    camera = {"position": (-0.1, 1.3, 2), "look_at": (-3, 1, 2)}
    asked = {"joint": "head", "camera": "a", "at": "0.5s", "pixel": (960, 400)}
    done = desk.make({"length": "1s", "poses": desk.ends, "cameras": {"a": camera}, "projections": [asked]})
    (part,) = [part for part in done.parts.values() if part.name.startswith("projection")]
    if not part.met:
        assert "the point is behind the camera; move the camera back, or turn it" in part.why_not and part.value > 0


@pytest.mark.parametrize("joint", ["left_knee", "right_elbow"])
@pytest.mark.parametrize("bend", [179.9, 180])
def test_a_limb_that_is_folded_up_wholly_leaves_the_body_where_it_is(desk, joint, bend):
    asked = {"joint": joint, "at": "0.5s", "bend": bend, "hard": True}
    done = desk.make({**EDIT, "length": "1s", "angles": [asked]})
    assert np.abs(done.finished.positions).max() < 5
    part = done.parts[f"bend 1, {joint}: off by"]
    assert part.met or "camera" not in part.why_not
    assert not any("camera" in sentence for sentence in done.missed)


def test_headings_of_any_size_are_angles(desk):
    asked = {"length": "1s", "poses": desk.ends, "root": [{"at": "0.5s", "heading": 1e300, "hard": True}]}
    done = desk.make(asked)
    assert np.isfinite(done.motion.local_rotations).all()
    assert done.parts["root 1: heading: off by"].met


@pytest.mark.parametrize("far, is_said", [(1.2, False), (300.0, True), (1e6, True)])
def test_places_too_far_apart_for_any_body_are_reached_at_a_speed_that_is_told(desk, far, is_said):
    root = [{"at": "0s", "position": (0, 0)}, {"at": "1s", "position": (0, far)}]
    done = desk.make({"length": "1s", "root": root})
    said = [note for note in done.notes if "m/s at" in note]
    assert len(said) == is_said
    if is_said:
        speeds = np.linalg.norm(np.diff(done.motion.root_positions, axis=0), axis=1) * done.motion.fps
        assert f"the body moves at {speeds.max():.0f} m/s at " in said[0]
        assert said[0].endswith("which no body does; ask for nearer places, or give it more time")
