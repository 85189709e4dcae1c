"""Points that are missing: what is likely beside those that are seen."""

import numpy as np

from motionloom.methods.dynamics.demands.filled_points import fill_points


def test_a_missing_point_is_nearly_where_it_was(faces):
    model = faces.model({"start_from": "face/happiness"})
    codec, prior = model.prior.point_vectors, model.prior
    vectors = codec.written(model.points.motion("face/happiness").positions)
    assert fill_points(vectors, prior.subspace) is vectors
    corner = 3 * codec.names.index("left_mouth_corner") + np.arange(3)
    gone = vectors.copy()
    gone[100:160, corner] = np.nan
    filled = fill_points(gone, prior.subspace)
    seen = np.isfinite(gone)
    np.testing.assert_array_equal(filled[seen], vectors[seen])
    off = np.linalg.norm(filled[100:160, corner] - vectors[100:160, corner], axis=1) / codec.scale
    line = np.linspace(vectors[99, corner], vectors[160, corner], 62)[1:-1]
    off_line = np.linalg.norm(line - vectors[100:160, corner], axis=1) / codec.scale
    assert off.max() < 0.001 < off_line.max()


def test_a_point_that_is_never_seen_is_as_the_others_say(faces):
    model = faces.model({"start_from": "face/happiness"})
    codec = model.prior.point_vectors
    vectors = codec.written(model.points.motion("face/happiness").positions).copy()
    lid = 3 * codec.names.index("right_upper_lid") + np.arange(3)
    was = vectors[:, lid].copy()
    vectors[:, lid] = np.nan
    filled = fill_points(vectors, model.prior.subspace)
    off = np.linalg.norm(filled[:, lid] - was, axis=1) / codec.scale
    assert np.isfinite(filled).all() and off.mean() < 0.001
