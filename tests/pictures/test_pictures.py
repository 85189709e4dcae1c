"""Pictures against reference pictures; a failure leaves both and their difference in a folder that it names.

To accept new pictures after looking at them: python tests/pictures/test_pictures.py
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from motionloom.motion import Motion, PointMotion, Skeleton, rotations
from motionloom.performer.skeleton import build_skeleton
from motionloom.render import COLOURS, Look, find_footprints, fit_camera, make_figures, make_footprints, render_frame

REFERENCES = Path(__file__).with_name("references")
MEAN_TOLERANCE, LARGE_DIFFERENCE, FEW = 1.0, 40, 0.004  # of 255; at most this part of the pixels may differ much
SIZE = (300, 240)


def pose(changes: dict[str, tuple[float, float, float]], height: float = 0.97) -> Motion:
    """The performer in a T, changed by (x, y, z) degrees of some joints, turned in their own frames."""
    skeleton = build_skeleton()
    local = rotations.identity((1, skeleton.n_joints))
    for joint, degrees in changes.items():
        local[0, skeleton.index(joint)] = rotations.from_euler(np.radians(degrees), "YXZ")
    return Motion(skeleton, np.array([[0.0, height, 0.0]]), local, 60.0)


ARMS_DOWN = {"left_shoulder": (0, 0, -75), "right_shoulder": (0, 0, 75)}
SITTING = {
    **{f"{side}_hip": (0, -85, 0) for side in ("left", "right")},
    **{f"{side}_knee": (0, 85, 0) for side in ("left", "right")},
    **ARMS_DOWN,
}
ARMS_UP = {"left_shoulder": (0, 0, 70), "right_shoulder": (0, 0, -70)}


def draw(motions: list[Motion | PointMotion], heading: float, **options) -> np.ndarray:
    figures = [make_figures(motion, [0], colour)[0] for motion, colour in zip(motions, COLOURS)]
    figures = [figure.moved(np.array([1.3 * k, 0, 0])) for k, figure in enumerate(figures)]
    camera = fit_camera(np.concatenate([figure.points for figure in figures]), heading, SIZE)
    return render_frame(figures, camera, SIZE, **options)


def t_pose_front() -> np.ndarray:
    return draw([pose({})], 0.0)


def standing_back() -> np.ndarray:
    return draw([pose(ARMS_DOWN)], np.pi - 0.5)


def sitting_side() -> np.ndarray:
    return draw([pose(SITTING, 0.55)], -np.pi / 2 + 0.3)


def arms_up_jump() -> np.ndarray:
    return draw([pose(ARMS_UP, 1.3)], 0.6)


def two_characters() -> np.ndarray:
    return draw([pose(ARMS_DOWN), pose(ARMS_UP)], 0.3)


def capsules() -> np.ndarray:
    names, parents = ("root", "a", "b", "c", "d"), np.array([-1, 0, 1, 0, 3])
    offsets = np.array([(0, 0, 0), (0.2, 0.5, 0), (0.1, 0.4, 0.2), (-0.3, 0.2, 0), (-0.1, -0.6, 0)], float)
    skeleton = Skeleton(names, parents, offsets)
    return draw([Motion(skeleton, np.array([[0, 0.6, 0.0]]), rotations.identity((1, 5)), 30.0)], 0.4)


def markers() -> np.ndarray:
    turns = np.linspace(0, 6 * np.pi, 60)
    spiral = np.stack([0.4 * np.cos(turns), 0.1 + turns / 12, 0.4 * np.sin(turns)], axis=-1)
    spiral[::9] = np.nan
    return draw([PointMotion(tuple(map(str, range(60))), spiral[None], 60.0)], 0.4)


def footprints() -> np.ndarray:
    motion = pose(ARMS_DOWN)
    soles = make_footprints(find_footprints(motion, np.ones((1, 4), bool)))
    camera = fit_camera(soles.points * 2.0, 0.5, SIZE, elevation=0.8)
    return render_frame([soles], camera, SIZE, look=Look(grid=0.25))


PICTURES: dict[str, Callable[[], np.ndarray]] = {
    function.__name__: function
    for function in (
        t_pose_front,
        standing_back,
        sitting_side,
        arms_up_jump,
        two_characters,
        capsules,
        markers,
        footprints,
    )
}


@pytest.mark.parametrize("name", PICTURES)
def test_picture_looks_as_it_did_when_last_looked_at(name):
    drawn = PICTURES[name]()
    with Image.open(REFERENCES / f"{name}.png") as file:
        expected = np.asarray(file.convert("RGB"))
    assert drawn.shape == expected.shape
    apart = np.abs(drawn.astype(int) - expected.astype(int))
    much = (apart.max(axis=-1) > LARGE_DIFFERENCE).mean()
    if apart.mean() > MEAN_TOLERANCE or much > FEW:
        folder = Path(tempfile.mkdtemp(prefix=f"picture_{name}_"))
        for kind, picture in (("drawn", drawn), ("expected", expected), ("difference", np.minimum(4 * apart, 255))):
            Image.fromarray(picture.astype(np.uint8)).save(folder / f"{kind}.png")
        pytest.fail(
            f"{name}: mean difference {apart.mean():.2f} of 255 (at most {MEAN_TOLERANCE}), {much:.2%} of the pixels "
            f"differ much (at most {FEW:.2%}); drawn.png, expected.png and difference.png are in {folder}"
        )


def test_every_reference_picture_is_small_and_used():
    for path in REFERENCES.glob("*.png"):
        assert path.stem in PICTURES, f"{path.name} belongs to no test"
        assert path.stat().st_size < 60_000, path.name


if __name__ == "__main__":
    REFERENCES.mkdir(exist_ok=True)
    for name, function in PICTURES.items():
        Image.fromarray(function()).save(REFERENCES / f"{name}.png", optimize=True)
