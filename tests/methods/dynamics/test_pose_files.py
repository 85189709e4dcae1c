"""Key poses that are files of their own."""

from motionloom.methods.dynamics import Request


def test_a_pose_file_is_looked_for_beside_its_request(tmp_path):
    (tmp_path / "request.yaml").write_text(
        "poses: [{at: 0s, file: poses/a.bvh}, {at: 1s, file: /elsewhere/b.bvh}, {at: 2s, pose: {take: walk}}]"
    )
    request = Request.read(tmp_path / "request.yaml")
    assert [pose.file for pose in request.poses] == [f"{tmp_path}/poses/a.bvh", "/elsewhere/b.bvh", None]
    assert [pose.at for pose in request.poses] == ["0s", "1s", "2s"]
    text = "poses: [{at: 0s, file: poses/a.bvh}]"
    assert Request.parse(text).poses[0].file == "poses/a.bvh"
