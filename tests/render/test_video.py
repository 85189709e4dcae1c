"""Videos: of the right length and size, playable, following the figure."""

import subprocess
from dataclasses import replace

import numpy as np
import pytest
from imageio_ffmpeg import count_frames_and_secs, get_ffmpeg_exe, read_frames

from motionloom.errors import BadInput
from motionloom.motion import Motion, PointMotion, Skeleton, cut, kinematics, rotations
from motionloom.motion.head_motion import HeadMotion, put_on_head
from motionloom.performer.face.markers import NAMES, NEUTRAL
from motionloom.render import write_video
from motionloom.render.scene.trajectory import find_centres, find_trajectory
from motionloom.render.video import _follow

SIZE = (160, 96)


def pictures_of(path) -> list[np.ndarray]:
    reader = read_frames(str(path))
    about = next(reader)
    width, height = about["size"]
    return [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in reader]


def test_a_video_plays_in_the_speed_of_the_motion(make, tmp_path):
    write_video(tmp_path / "a.mp4", make.motion(60, fps=60.0), fps=30, size=SIZE)
    n_frames, seconds = count_frames_and_secs(tmp_path / "a.mp4")
    assert n_frames == 30 and seconds == pytest.approx(1.0, abs=0.05)
    assert pictures_of(tmp_path / "a.mp4")[0].shape == (96, 160, 3)


def test_a_video_is_coded_so_that_every_player_opens_it(make, tmp_path):
    write_video(tmp_path / "a.mp4", make.motion(6), size=SIZE)
    about = subprocess.run([get_ffmpeg_exe(), "-i", tmp_path / "a.mp4"], capture_output=True, text=True).stderr
    assert "h264" in about and "yuv420p" in about
    assert b"ftyp" in (tmp_path / "a.mp4").read_bytes()[:12]


def test_the_same_motion_gives_the_same_video(make, tmp_path):
    for name in ("a.mp4", "b.mp4"):
        write_video(tmp_path / name, make.motion(10), size=SIZE)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


def test_the_camera_follows_a_figure_that_walks_away(make, tmp_path):
    motion = make.motion(60, wildness=0.1)
    far = Motion(
        motion.skeleton,
        motion.root_positions + np.linspace(0, 8, 60)[:, None] * [1.0, 0, 0],
        motion.local_rotations,
        60.0,
    )
    write_video(tmp_path / "a.mp4", far, size=SIZE, fps=10)
    for picture in pictures_of(tmp_path / "a.mp4"):
        columns = np.nonzero(picture.astype(int).min(axis=-1)[15:80] < 170)[1]
        assert len(columns) > 30 and 30 < columns.mean() < 130


def test_progress_is_reported_for_every_picture(make, tmp_path):
    reported = []
    write_video(
        tmp_path / "a.mp4",
        make.motion(12, fps=60.0),
        size=SIZE,
        progress=lambda done, all_: reported.append((done, all_)),
    )
    assert reported == [(k, 6) for k in range(1, 7)]


def test_one_frame_and_markers_with_gaps_make_videos(make, tmp_path):
    write_video(tmp_path / "one.mp4", cut(make.motion(5), 0, 1), size=SIZE, contacts=np.ones((1, 4), bool), title="one")
    positions = np.random.default_rng(0).random((20, 5, 3))
    positions[4:9, 1] = np.nan
    positions[12] = np.nan
    write_video(tmp_path / "points.mp4", PointMotion(tuple("abcde"), positions, 100.0), size=SIZE)
    assert len(pictures_of(tmp_path / "one.mp4")) == 1
    assert len(pictures_of(tmp_path / "points.mp4")) == 6


@pytest.mark.parametrize("size", [(160, 96), (96, 96)])
def test_faces_are_framed_wherever_they_go_and_turn(tmp_path, size):
    times = np.arange(60)
    head = HeadMotion(np.linspace([0.0, 1.2, 0.0], [2.0, 1.2, 3.0], 60), rotations.about_y(times / 20))
    still = np.tile(NEUTRAL / 1000, (60, 1, 1))
    still[10:15, 3] = np.nan
    write_video(tmp_path / "face.mp4", put_on_head(PointMotion(NAMES, still, 60.0), head), size=size)
    pictures = np.stack(pictures_of(tmp_path / "face.mp4"))
    assert len(pictures) == 30
    sides = [pictures[:, :, : size[0] // 2], pictures[:, :, size[0] // 2 :]]
    for side in sides:
        covered = (side < 236).any(axis=-1).mean(axis=(1, 2))
        assert covered.min() > 0.08  # while it turns, a face is narrow


def test_wrong_requests_are_refused_in_a_sentence(make, tmp_path):
    with pytest.raises(BadInput, match="even"):
        write_video(tmp_path / "a.mp4", make.motion(5), size=(161, 96))
    with pytest.raises(BadInput, match="above 0"):
        write_video(tmp_path / "a.mp4", make.motion(5), fps=0)
    with pytest.raises(BadInput, match=r"expected \(5, 4\)"):
        write_video(tmp_path / "a.mp4", make.motion(5), contacts=np.zeros((4, 4), bool))
    with pytest.raises(BadInput, match="cannot be written as a video"):
        write_video(tmp_path / "no_such_folder" / "a.mp4", make.motion(5), size=SIZE)


def test_a_video_that_is_broken_off_leaves_no_half_file(make, tmp_path):
    def stop(done: int, all_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_video(tmp_path / "a.mp4", make.motion(30), size=SIZE, progress=stop)
    assert not (tmp_path / "a.mp4").exists()


def test_a_high_jump_stays_in_the_picture(make):
    """The head of a figure that leaps a metre up is not cut off."""
    motion = make.motion(60, wildness=0.0)
    leap = np.zeros((60, 3))
    leap[20:40, 1] = np.sin(np.linspace(0, np.pi, 20))
    motion = replace(motion, root_positions=motion.root_positions + leap)
    cameras = _follow(motion, find_trajectory(motion, 0.0), np.arange(60.0))
    head = kinematics.world_positions(motion)[:, motion.skeleton.index("head")] + [0, 0.2, 0]
    for camera, point in zip(cameras, head):
        across, down, _ = camera.project(point[None], (640, 360))[0]
        assert 0 < down < 360
        assert 0 < across < 640


def test_a_figure_is_where_its_hips_are_also_below_a_reference_joint(make):
    motion = make.motion(5)
    old = motion.skeleton
    skeleton = Skeleton(
        ("Reference", *old.names),
        np.array([-1, *(old.parents + 1)]),
        np.vstack([np.zeros(3), [0, 0.9, 0], old.offsets[1:]]),
    )
    local = np.concatenate([np.tile([1.0, 0, 0, 0], (5, 1, 1)), motion.local_rotations], axis=1)
    below = Motion(skeleton, motion.root_positions - [0, 0.9, 0], local, motion.fps)
    np.testing.assert_allclose(find_centres(below), find_centres(motion), atol=1e-9)
