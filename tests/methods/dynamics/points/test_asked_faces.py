"""Asked faces: where no whole pose is given, recorded poses that look like what is asked say what the rest does."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom.assembly import solve
from motionloom.methods import dynamics
from motionloom.methods.dynamics.demands.asked_faces import spread_frames
from motionloom.methods.dynamics.dragging import drag
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.optimization import set_up
from motionloom.methods.dynamics.trajectory.normal_equations import Sums
from motionloom.motion import PointMotion
from motionloom.render.scene.camera import Camera

TAKE, FIRST = "face/happiness", 120  # its smile
HEAD = {"like": {"take": TAKE, "frame": FIRST}}
LIPS = ("left_mouth_corner", "upper_lip")


def points(*names: str, **more) -> dict:
    """Trajectories of some points over a second of a smile that is learnt from, and no pose."""
    whole = {"from": "0s", "to": "1s", "like": HEAD["like"]}
    return {"points": [{"joint": name, **whole} for name in names], "head": HEAD, **more}


def screen(faces, **more) -> dict:
    """Corners of the mouth on a picture at two instants of the smile."""
    camera = Camera(np.array([0.3, 1.25, 0.8]), np.array([0.0, 1.22, 0.1]), np.radians(30.0))
    pictures = {"position": camera.position.tolist(), "look_at": camera.target.tolist(), "field_of_view": 30.0}
    was, names = faces.recorded(TAKE, FIRST / 120, 1.0), faces.model(points(*LIPS)).names
    seen = []
    for name in ("left_mouth_corner", "right_mouth_corner"):
        for frame in (15, 45):
            pixel = camera.project(was[frame, names.index(name)], (1000, 1000))[:2].tolist()
            seen.append({"joint": name, "at": f"{frame}f", "camera": "front", "pixel": pixel})
    return {
        "length": "1s",
        "head": HEAD,
        "cameras": {"front": {**pictures, "size": [1000, 1000]}},
        "projections": seen,
        **more,
    }


def without_poses(model: Model) -> Model:
    return replace(model, prior=replace(model.prior, poses=np.zeros((0, 0))))


def made(model, request) -> np.ndarray:
    (played,) = dynamics.perform(solve(dynamics, model, request)[0], model).played
    assert isinstance(played.motion, PointMotion)
    return played.motion.positions


def test_a_face_of_two_points_is_nearer_to_one_that_was_recorded_than_one_gaussian_has_it(faces):
    data = points(*LIPS)
    model, request = faces.model(data), faces.request(data)
    was = faces.recorded(TAKE, FIRST / 120, 1.0)
    off, without = (np.linalg.norm(made(each, request) - was, axis=-1).mean() for each in (model, without_poses(model)))
    assert off < 0.6 * without


@pytest.mark.parametrize(
    "distance", [("left_mouth_corner", "right_mouth_corner"), ("left_upper_lid", "left_lower_lid")]
)
def test_distances_are_asked_of_recorded_poses_too(faces, distance):
    joint, other = distance
    whole = {"from": "0s", "to": "1s", "like": HEAD["like"]}
    found = faces.set_up({"distances": [{"joint": joint, "other": other, **whole}], "head": HEAD}).faces
    was = faces.recorded(TAKE, FIRST / 120, 1.0)
    codec, names = faces.model(points(*LIPS)).prior.point_vectors, faces.model(points(*LIPS)).names
    subspace = faces.model(points(*LIPS)).prior.subspace
    for face in found:
        shown = codec.read(subspace.to_vectors(face.pose.coordinates[None]))[0]
        apart, wanted = (
            np.linalg.norm(each[names.index(joint)] - each[names.index(other)])
            for each in (shown, was[face.pose.frame])
        )
        assert apart == pytest.approx(wanted, abs=1e-3)


def test_pictures_and_parts_of_poses_are_asked_of_recorded_poses_too(faces):
    part = {"at": "0.25s", "pose": {"take": TAKE, "frame": FIRST + 30}, "joints": list(LIPS)}
    was = faces.model(points(*LIPS)).points.motion(TAKE).positions[FIRST // 2 :]
    for data in (screen(faces), {"poses": [part], "length": "1s"}):
        prior, found = faces.model(data).prior, faces.set_up(data).faces
        assert found[0].pose.frame == 15
        for face in found:
            shown = prior.point_vectors.read(prior.subspace.to_vectors(face.pose.coordinates[None]))[0]
            off, of_mean = (
                np.linalg.norm(each - was[face.pose.frame], axis=-1).mean()
                for each in (shown, prior.point_vectors.means)
            )
            assert off < 0.5 * of_mean


@pytest.mark.parametrize(
    "more",
    [
        {"poses": [{"at": "0.5s", "pose": {"take": TAKE, "frame": FIRST}}]},
        {"method": "subspace"},
        {"method": "linear"},
    ],
    ids=["a whole pose", "inverse kinematics", "linear"],
)
def test_where_whole_poses_are_given_or_no_prior_is_wanted_none_are_asked(faces, more):
    assert not faces.set_up(points(*LIPS, **more)).faces
    assert faces.set_up(points(*LIPS)).faces


def test_an_edit_asks_for_no_faces(faces):
    data = {"start_from": TAKE, "points": [{"at": "1s", "joint": LIPS[0], "moved_by": [0.0, 0.001, 0.0]}]}
    assert not faces.set_up(data).faces


def test_what_is_asked_alike_is_not_looked_for_again(faces):
    asked = screen(faces)
    first, model = faces.set_up(asked), faces.model(asked)
    *others, last = asked["projections"]
    other = {**asked, "projections": [*others, {**last, "pixel": [375, 605]}]}
    second = set_up(model, faces.request(other), first)
    assert [face.pose.frame for face in second.faces] == [15, 45]
    assert second.faces[0] is first.faces[0] and second.faces[1] is not first.faces[1]
    fresh = set_up(model, faces.request(other))
    assert np.array_equal(fresh.faces[1].pose.coordinates, second.faces[1].pose.coordinates)
    moved = {**asked, "head": {"position": [0.0, 1.0, 0.0]}}
    assert not any(face in first.faces for face in set_up(model, faces.request(moved), first).faces)


def test_a_search_settles_on_the_same_face_whatever_was_dragged_before(faces):
    data = points(LIPS[0])
    model, request = faces.model(data), faces.request(data)
    far = {**data, "points": [*data["points"], {"at": "0.5s", "joint": "chin", "position": [0.0, 1.15, 0.12]}]}
    dragged = drag(model, faces.request(far)).state
    dragged = drag(model, request, dragged).state
    fresh, after = (set_up(model, request, earlier).faces for earlier in (None, dragged.optimization))
    for one, other in zip(fresh, after, strict=True):
        assert np.array_equal(one.pose.coordinates, other.pose.coordinates)


def test_the_gradient_of_likely_poses_is_that_of_differences(faces):
    rng = np.random.default_rng(3)
    found = faces.set_up(points(*LIPS))
    problem, term = found.problem, found.problem.terms[-1]
    knots = found.start + 0.01 * rng.normal(size=found.start.shape)
    values = problem.at_samples(knots)
    sums = Sums.zeros(len(values), problem.n_frames, problem.n_unknowns)
    term.add_to(sums, problem.posed(values))
    direction = rng.normal(size=values.shape)
    step = 1e-5
    ahead, behind = (term.cost(problem.posed(values + sign * step * direction)) for sign in (1, -1))
    assert (sums.gradient * direction).sum() == pytest.approx((ahead - behind) / (2 * step), rel=1e-5)
    curved = np.einsum("nu,nuv,nv->", direction, sums.blocks, direction)
    middle = term.cost(problem.posed(values))
    assert curved == pytest.approx((ahead - 2 * middle + behind) / step**2, rel=1e-3)


def test_recorded_poses_are_kept_with_a_model(faces, tmp_path):
    model = faces.model(points(*LIPS))
    model.save(tmp_path / "model.npz")
    again = Model.load(tmp_path / "model.npz", model.view, model.settings)
    assert again.prior.poses.tobytes() == model.prior.poses.tobytes() and len(again.prior.poses) > 500


@pytest.mark.parametrize(
    ("frames", "wanted"),
    [
        ([30], [30]),
        ([0, 60, 120], [0, 60, 120]),
        (range(0, 91, 2), [0, 18, 36, 54, 72, 90]),
        ([10, 14, 18], [14]),
        ([0, 2, 4, 100, 104], [2, 100]),
    ],
)
def test_frames_are_spread_over_what_is_asked(frames, wanted):
    assert spread_frames(np.array(frames), 20.0).tolist() == pytest.approx(wanted, abs=4)
