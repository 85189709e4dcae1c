"""Group videos: every body is in every picture, in its colour, until the last is done."""

from dataclasses import replace

import numpy as np
import pytest
from imageio_ffmpeg import count_frames_and_secs, read_frames

from motionloom.errors import BadInput
from motionloom.motion import cut
from motionloom.render import write_group_video

SIZE = (320, 192)


def pictures_of(path) -> list[np.ndarray]:
    reader = read_frames(str(path))
    width, height = next(reader)["size"]
    return [np.frombuffer(frame, np.uint8).reshape(height, width, 3).astype(int) for frame in reader]


def beside(motion, metres):
    return replace(motion, root_positions=motion.root_positions + [metres, 0, 0])


def columns_of(picture, channel):
    """Where a body is of whose colour one channel is the most."""
    other = 2 - channel
    return np.nonzero(picture[..., channel] - picture[..., other] > 40)[1]


def test_all_bodies_are_in_every_picture_apart_from_each_other(make, tmp_path):
    motion = make.motion(60, wildness=0.1)
    walks = replace(motion, root_positions=motion.root_positions + np.linspace(0, 4, 60)[:, None] * [0, 0, 1.0])
    write_group_video(tmp_path / "two.mp4", [walks, beside(walks, 1.5)], fps=10, size=SIZE)
    pictures = pictures_of(tmp_path / "two.mp4")
    assert len(pictures) == 10
    for picture in pictures:
        red, blue = columns_of(picture, 0), columns_of(picture, 2)
        assert len(red) > 200 and len(blue) > 200
        assert abs(red.mean() - blue.mean()) > 40
        assert min(red.min(), blue.min()) > 0 and max(red.max(), blue.max()) < SIZE[0] - 1


def test_who_is_done_stays_while_others_go_on(make, tmp_path):
    motion = make.motion(60, wildness=0.1)
    write_group_video(tmp_path / "two.mp4", [cut(motion, 0, 12), beside(motion, 1.5)], fps=30, size=SIZE)
    assert count_frames_and_secs(tmp_path / "two.mp4")[0] == 30
    assert len(columns_of(pictures_of(tmp_path / "two.mp4")[-1], 0)) > 200


def test_bodies_of_several_rates_or_none_are_refused(make, tmp_path):
    for motions in ([], [make.motion(9), make.motion(9, fps=30.0)]):
        with pytest.raises(BadInput, match=r"one rate|at least one body"):
            write_group_video(tmp_path / "none.mp4", motions, size=SIZE)
    assert not (tmp_path / "none.mp4").exists()
