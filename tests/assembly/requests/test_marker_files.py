"""Marker files: where people say that markers are, and what is wrong with it."""

from pathlib import Path

import numpy as np
import pytest

from motionloom.assembly.requests.marker_files import MarkerFile
from motionloom.errors import BadInput, FormatError
from motionloom.markers import full_body_markers, put_on
from motionloom.motion import kinematics

EXAMPLES = Path(__file__).parents[3] / "examples" / "markers"


def in_t_pose(markers, skeleton):
    from motionloom.motion import Motion
    from motionloom.motion.rest_pose import t_pose

    motion = Motion(skeleton, np.zeros((1, 3)), kinematics.to_local(skeleton, t_pose(skeleton))[None], 60.0)
    return dict(zip(markers.names, put_on(motion, markers).positions[0])), kinematics.world_positions(motion)[0]


def test_a_set_is_written_and_read_again(make, tmp_path):
    skeleton = make.skeleton(3)
    markers = full_body_markers(skeleton)
    MarkerFile.of(markers).write(tmp_path / "set.yaml")
    again = MarkerFile.read(tmp_path / "set.yaml").place(skeleton)
    assert (again.names, again.joints) == (markers.names, markers.joints)
    np.testing.assert_allclose(again.offsets, markers.offsets, atol=1e-6)


def test_markers_are_placed_like_known_ones_on_joints_and_by_proportions(make):
    skeleton = make.skeleton()
    text = """markers:
  - {name: forehead, like: LFHD}
  - {name: wrist, joint: left_hand}
  - {name: buckle, joint: [navel, hips], offset: [0, 0.1, 0.2]}
  - {name: shin, joint: RightLeg, from: right_knee, to: right_foot, share: 0.5, beyond: [-0.1, 0, 0]}
"""
    markers = MarkerFile.parse(text).place(skeleton)
    places, joints = in_t_pose(markers, skeleton)
    usual, _ = in_t_pose(full_body_markers(skeleton), skeleton)
    np.testing.assert_allclose(places["forehead"], usual["LFHD"])
    np.testing.assert_allclose(places["wrist"], joints[skeleton.index("left_hand")])
    assert (markers.joints[2], markers.offsets[2].tolist()) == ("hips", [0, 0.1, 0.2])
    knee, foot = joints[skeleton.index("right_knee")], joints[skeleton.index("right_foot")]
    assert places["shin"][0] < min(knee[0], foot[0]) - 0.1  # beyond the right side
    assert places["shin"][1] == pytest.approx((knee[1] + foot[1]) / 2)


def test_the_example_is_placed_on_any_body(make):
    for seed in (None, 5):
        markers = MarkerFile.read(EXAMPLES / "upper_body.yaml").place(make.skeleton(seed))
        assert len(markers.names) == 39


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("", "give at least one marker"),
        ("{name: a}", "give exactly one of like, or joint"),
        ("{name: a, like: LFHD, joint: head}", "give exactly one of like, or joint"),
        ("{name: a, like: nose}", "no marker 'nose' in the full-body set; it has C7"),
        ("{name: a, like: LFHD, offset: [0, 0, 0]}", "give exactly one of like, or offset"),
        ("{name: a, joint: head, offset: [0, 1]}", "offset"),
        ("{name: a, joint: head, offset: [0, 0, 99]}", "less than or equal to 10"),
        ("{name: a, joint: head, offset: [0, 0, .nan]}", "finite"),
        ("{name: a, joint: head, offset: [0, 0, 0], beyond: [0, 0, 1]}", "are of a joint without an offset"),
        ("{name: a, joint: head, share: 0.5}", "give it as to"),
        ("{name: a, joint: head, side: left}", "unknown 'markers[0].side'; there can be name, like, joint"),
        ("{name: a, joint: head}, {name: a, joint: hips}", "two markers are called 'a'"),
    ],
)
def test_what_is_wrong_is_one_sentence_with_its_line(entry, message):
    with pytest.raises(FormatError, match="line 1") as refused:
        MarkerFile.parse(f"markers: [{entry}]", "set.yaml")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{name: a, joint: [tail, fin]}", "marker 'a': skeleton 'test person' has no joint 'tail' or 'fin'"),
        ("{name: a, joint: head, from: tail, beyond: [0, 0, 0.1]}", "has no joint 'tail'"),
        ("{name: a, joint: head, from: head, to: tail, share: 0.1}", "has no joint 'tail'"),
        ("{name: a, joint: tail, offset: [0, 0, 0]}", "has no joint 'tail'"),
    ],
)
def test_joints_that_a_skeleton_has_not_are_named(make, entry, message):
    with pytest.raises(BadInput) as refused:
        MarkerFile.parse(f"markers: [{entry}]").place(make.skeleton())
    assert message in str(refused.value)
