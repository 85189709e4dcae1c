"""Constraint-based optimization of real walks: edits, keys and bodies with quirks of their own."""

import numpy as np
import pytest

from motionloom.corpus import Corpus
from motionloom.corpus.importing import import_files
from motionloom.features.feet import foot_points
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Request
from motionloom.motion import kinematics, rotations

pytestmark = pytest.mark.real

WALKS = ("16_16", "16_21", "16_22", "16_31", "16_32", "16_47", "16_58")


@pytest.fixture(scope="module")
def corpus(data, tmp_path_factory):
    corpus = Corpus.create(tmp_path_factory.mktemp("dynamics") / "corpus")
    import_files(corpus, [data / "cmu" / "locomotion_optim" / f"{name}.bvh" for name in (*WALKS, "16_05", "16_35")])
    return corpus


def make(corpus, **asked):
    """The finished motion of a request, its report by name, and the model."""
    request = Request.from_data({"prior": {"takes": [name for name in WALKS if name != "16_31"]}, **asked})
    model = dynamics.prepare(corpus, dynamics.material_of(corpus, request))
    *_, answer = dynamics.search(model, request)
    (played,) = dynamics.perform(answer, model).played
    return played.motion, {part.name: part for part in played.parts}, model


@pytest.mark.parametrize("take", WALKS)
def test_an_empty_edit_of_a_recording_changes_nothing_bit_for_bit(corpus, take):
    motion, parts, model = make(corpus, start_from=take)
    source = model.view.motion(take)
    np.testing.assert_array_equal(motion.root_positions, source.root_positions)
    np.testing.assert_array_equal(motion.local_rotations, source.local_rotations)
    assert all(part.met for part in parts.values())


@pytest.mark.parametrize("moved", [(0, 0.2, 0), (0, -0.2, 0), (0.2, 0, 0)])
@pytest.mark.parametrize("take", ["16_31", "16_58"])
def test_a_hand_moved_in_a_recorded_walk_is_met_and_leaves_the_gait(corpus, take, moved):
    hand = {"joint": "right_hand", "at": "1s", "moved_by": moved, "hard": True}
    motion, parts, model = make(corpus, start_from=take, points=[hand])
    source = model.view.motion(take)
    joint = motion.skeleton.index("right_hand")
    before, after = kinematics.world_positions(source), kinematics.world_positions(motion)
    assert np.linalg.norm(after[60, joint] - before[60, joint] - moved) < 1e-3
    assert all(part.met for part in parts.values())
    if moved[1] < 0:  # the arm hangs down: the body has to go along
        return
    legs = [motion.skeleton.index(f"{side}_{role}") for side in ("left", "right") for role in ("hip", "knee", "foot")]
    turned = np.degrees(rotations.angle_between(motion.local_rotations[:, legs], source.local_rotations[:, legs]))
    assert turned.mean() < 2.0
    assert np.abs(motion.root_positions - source.root_positions).max() < 0.05


def steps_of_feet(motion, contacts):
    """Metres per frame that heels and balls move while they rest."""
    moved = np.linalg.norm(np.diff(foot_points(motion, 0.0), axis=0), axis=-1)
    return moved[contacts[1:] & contacts[:-1]]


@pytest.mark.parametrize("take", ["16_31", "16_58"])
def test_recorded_feet_rest_as_they_did_where_a_hand_is_asked_to_rest_and_the_root_elsewhere(corpus, take):
    hand = {"joint": "right_hand", "from": "1s", "to": "1.2s"}
    root = {"at": "0.5s", "position": [0.3, 0.2]}
    motion, parts, model = make(corpus, start_from=take, contacts=[hand], root=[root])
    contacts = np.asarray(model.view.layer(take, "contacts"), bool)
    before, after = (steps_of_feet(each, contacts) for each in (model.view.motion(take), motion))
    assert np.abs(after - before).max() < 1e-3
    assert all(part.met for part in parts.values())


@pytest.mark.parametrize("take", ["16_31", "16_58"])
@pytest.mark.parametrize("frame", [50, 65, 80])
def test_a_pose_of_another_walk_is_put_into_a_recorded_one_without_a_jolt(corpus, take, frame):
    pose = {"at": "80f", "pose": {"take": "16_21", "frame": frame}, "hard": True}
    motion, parts, model = make(corpus, start_from=take, poses=[pose])
    source = model.view.motion(take)
    hardest = [
        np.linalg.norm(np.diff(kinematics.world_positions(each), n=2, axis=0), axis=-1).max() * 60**2
        for each in (source, motion)
    ]
    assert hardest[1] < 2.0 * hardest[0]
    assert all(part.met for part in parts.values())


@pytest.mark.parametrize("n_keys", [2, 4])
def test_a_left_out_walk_is_found_between_its_keys(corpus, n_keys):
    at = np.linspace(0, 120, n_keys).round().astype(int)
    poses = [{"at": f"{f}f", "pose": {"take": "16_31", "frame": int(f + 10)}, "as_recorded": True} for f in at]
    errors = {}
    for method in ("dynamics", "linear"):
        motion, _, model = make(corpus, length="121f", poses=poses, method=method)
        recorded = model.view.motion("16_31").local_rotations[10:131]
        moving = model.prior.vectors.joints
        errors[method] = np.degrees(
            rotations.angle_between(motion.local_rotations[:, moving], recorded[:, moving])
        ).mean()
    assert errors["dynamics"] < 0.75 * errors["linear"]


def test_running_and_walking_are_told_apart(corpus):
    """Keys of a run are unlikely by a prior of walks."""
    walk, run = (
        [{"at": f"{f}f", "pose": {"take": take, "frame": f + 20}} for f in (0, 20, 40)] for take in ("16_31", "16_35")
    )
    costs = []
    for poses in (walk, run):
        request = Request.from_data({"prior": {"takes": list(WALKS)}, "length": "41f", "poses": poses})
        model = dynamics.prepare(corpus, dynamics.material_of(corpus, request))
        *_, answer = dynamics.search(model, request)
        costs.append(answer.cost)
    assert costs[1] > 3 * costs[0]


@pytest.mark.parametrize("how_hard", [True, False])
@pytest.mark.parametrize("take", ["16_22", "16_47"])
def test_a_recorded_walk_crouches_where_its_root_is_asked_to_be_lower(corpus, take, how_hard):
    source = make(corpus, start_from=take)[0]
    frame = source.n_frames // 2
    height = float(source.root_positions[frame, 1]) - 0.15
    motion, parts, model = make(corpus, start_from=take, root=[{"at": f"{frame}f", "height": height, "hard": how_hard}])
    assert all(part.met for part in parts.values())
    assert abs(motion.root_positions[frame, 1] - height) < (1e-3 if how_hard else 5e-3)
    away = np.linalg.norm(motion.root_positions - source.root_positions, axis=1)
    assert max(away[: frame - 30].max(), away[frame + 31 :].max()) < 0.01  # half a second before and after
    contacts = np.asarray(model.view.layer(take, "contacts"), bool)
    off = np.linalg.norm(foot_points(motion, 0.0) - foot_points(source, 0.0), axis=-1)
    assert off[contacts].max() < 1e-3
    accelerations = [
        np.linalg.norm(np.diff(each.root_positions, n=2, axis=0), axis=1).max() * 3600 for each in (motion, source)
    ]
    assert accelerations[0] < accelerations[1] + 8


def test_a_recorded_jump_is_higher_at_its_top_where_it_is_asked_to_be(corpus):
    source = make(corpus, start_from="16_05")[0]
    frame = int(np.argmax(source.root_positions[:, 1]))
    height = float(source.root_positions[frame, 1]) + 0.2
    motion, parts, model = make(corpus, start_from="16_05", root=[{"at": f"{frame}f", "height": height}])
    assert all(part.met for part in parts.values())
    contacts = np.asarray(model.view.layer("16_05", "contacts"), bool)
    off = np.linalg.norm(foot_points(motion, 0.0) - foot_points(source, 0.0), axis=-1)
    assert off[contacts].max() < 2e-3
    assert off[frame].min() > 0.1  # feet go along


@pytest.mark.parametrize("take", ["16_22", "16_58"])
def test_a_recorded_body_sways_for_a_hand_that_is_a_little_out_of_reach(corpus, take):
    source = make(corpus, start_from=take)[0]
    frame = source.n_frames // 2
    along = source.root_positions[-1] - source.root_positions[0]
    aside = np.array([-along[2], 0, along[0]]) / np.hypot(along[0], along[2])
    hand = {"joint": "right_hand", "at": f"{frame}f", "moved_by": (0.8 * aside).round(6).tolist(), "hard": True}
    motion, parts, _ = make(corpus, start_from=take, points=[hand])
    assert all(part.met for part in parts.values())
    away = np.linalg.norm(motion.root_positions - source.root_positions, axis=1)
    assert away.max() < 0.25 and max(away[: frame - 45].max(), away[frame + 46 :].max()) < 0.01
