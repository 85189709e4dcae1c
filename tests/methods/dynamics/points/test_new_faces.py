"""New motion of points: key poses, trajectories, distances and pictures, filled in by a prior of faces."""

import numpy as np

HEAD = {"like": {"take": "face/happiness", "frame": 120}}


def stretch(method: str = "dynamics", **more) -> dict:
    """Three keys of a smile and the trajectory of a corner of the mouth over 1.5 s; the smile is not learnt."""
    keys = [
        {"at": f"{at}s", "pose": {"take": "face/happiness", "frame": 120 + round(120 * at)}} for at in (0, 0.75, 1.5)
    ]
    corner = {"from": "0s", "to": "1.5s", "joint": "left_mouth_corner", "like": HEAD["like"]}
    prior = {"takes": ["face/disgust", "face/anger", "face/speaking"]}
    return {"poses": keys, "points": [corner], "head": HEAD, "prior": prior, "method": method, **more}


def test_three_keys_and_a_trajectory_are_met_and_nearer_to_the_take_than_a_line(faces):
    was = faces.recorded("face/happiness", 1.0, 1.5)
    off = {}
    for method in ("dynamics", "linear"):
        done = faces.make(stretch(method))
        assert not done.missed
        off[method] = 1000 * np.linalg.norm(done.motion.positions - was, axis=-1).mean()
    assert off["dynamics"] < 0.9 * off["linear"]


def test_the_answer_is_points_in_the_world_that_a_plan_plays(faces):
    done = faces.make(stretch())
    plan = done.result.character.plan
    assert plan.skeleton == "" and plan.pieces[0].name == "dynamics (dynamics)"
    assert done.motion.names == faces.model(stretch()).names and done.motion.n_frames == 91
    assert done.result.character.contacts is None
    assert abs(done.at("left_mouth_corner")[0, 1] - 1.2) < 0.1, "of somebody who sits"


def test_what_keys_have_beside_the_subspace_lasts_between_them_whatever_points_are_asked_for(faces):
    with_point, alone = faces.set_up(stretch()), faces.set_up({**stretch(), "points": []})
    np.testing.assert_array_equal(with_point.references.vectors, alone.references.vectors)
    size = alone.problem.prior.size
    assert with_point.problem.prior.size == size + 6, "slow and fast, of one point"
    np.testing.assert_array_equal(with_point.references.start[:, :size], alone.references.start)
