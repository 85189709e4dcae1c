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
from motionloom.render import (
    Camera,
    Look,
    draw_contact_sheet,
    find_footprints,
    look_from,
    make_figures,
    make_footprints,
    render_frame,
)
from motionloom.render.scene.figures import BODY_COLOUR

REFERENCES = Path(__file__).with_name("references")
MEAN_TOLERANCE, LARGE_DIFFERENCE, FEW = 1.0, 40, 0.004  # of 255; at most this part of the pixels may differ much
SIZE = (300, 240)
COLOURS = (BODY_COLOUR, (0.80, 0.68, 0.50))  # of the first and the second character


MIDDLE = (
    ("Hips", "", (0, 0, 0)), ("Spine", "Hips", (0, 0.1, -0.01)), ("Chest", "Spine", (0, 0.26, 0)),
    ("Neck", "Chest", (0, 0.16, 0)), ("Head", "Neck", (0, 0.1, 0.02)),
)  # fmt: skip
LIMBS = (
    ("Clavicle", "Chest", (0.03, 0.11, 0.01)), ("Arm", "Clavicle", (0.14, 0, -0.02)), ("ForeArm", "Arm", (0.28, 0, 0)),
    ("Hand", "ForeArm", (0.25, 0, 0)), ("UpLeg", "Hips", (0.09, -0.06, 0)), ("Leg", "UpLeg", (0, -0.42, 0)),
    ("Foot", "Leg", (0, -0.41, 0)), ("Toe", "Foot", (0, -0.07, 0.13)),
)  # fmt: skip


def person() -> Skeleton:
    """A skeleton of its own, so that these pictures change only when body or renderer do."""
    rows = list(MIDDLE)
    for side, sign in (("Left", 1), ("Right", -1)):
        centre = {name for name, _, _ in MIDDLE}
        rows += [(side + name, up if up in centre else side + up, (sign * x, y, z)) for name, up, (x, y, z) in LIMBS]
    names = [name for name, _, _ in rows]
    parents = [names.index(up) if up else -1 for _, up, _ in rows]
    return Skeleton(tuple(names), np.array(parents), np.array([offset for _, _, offset in rows], float))


def pose(changes: dict[str, tuple[float, float, float]], height: float = 0.97) -> Motion:
    """A person in a T, changed by degrees about the (y, x, z) axes of some joints."""
    skeleton = person()
    local = rotations.identity((1, skeleton.n_joints))
    for joint, degrees in changes.items():
        local[0, skeleton.index(joint)] = rotations.from_euler(np.radians(degrees), "YXZ")
    return Motion(skeleton, np.array([[0.0, height, 0.0]]), local, 60.0)


def stride(n_frames: int = 60) -> Motion:
    """Legs and arms that swing on the way along +z."""
    phase = np.linspace(0, 2 * np.pi, n_frames)
    poses = []
    for angle in np.degrees(0.5 * np.sin(phase)):
        swing = {"left_hip": (0, angle, 0), "right_hip": (0, -angle, 0)}
        swing |= {"left_knee": (0, 20 + angle / 2, 0), "right_knee": (0, 20 - angle / 2, 0)}
        poses.append(pose({**ARMS_DOWN, **swing}))
    way = np.linspace(0, 1.4, n_frames)[:, None] * np.array([0.0, 0.0, 1.0]) + np.array([0.0, 0.95, 0.0])
    return Motion(poses[0].skeleton, way, np.concatenate([p.local_rotations for p in poses]), 60.0)


ARMS_DOWN = {"left_shoulder": (0, 0, -75), "right_shoulder": (0, 0, 75)}
SITTING = {
    **{f"{side}_hip": (0, -85, 0) for side in ("left", "right")},
    **{f"{side}_knee": (0, 85, 0) for side in ("left", "right")},
    **ARMS_DOWN,
}
ARMS_UP = {"left_shoulder": (0, 0, 70), "right_shoulder": (0, 0, -70)}


def fit_camera(
    points: np.ndarray, heading: float, size: tuple[int, int], *, elevation: float = 0.2, field_of_view: float = 0.4
) -> Camera:
    """A camera that looks at (N, 3) points from a heading, at the distance that fits all of them, with a margin."""
    points = np.asarray(points, float)
    camera = look_from((points.min(axis=0) + points.max(axis=0)) / 2, heading, 1.0, elevation=elevation)
    right, up, away = camera.axes
    spread = np.array([[(points @ axis).min(), (points @ axis).max()] for axis in (right, up, away)])
    middle = spread.mean(axis=1) @ np.stack([right, up, away])
    half_width, half_height, half_depth = np.ptp(spread, axis=1) / 2 * 1.12
    tangent = np.tan(field_of_view / 2)
    distance = max(half_height / tangent, half_width / (tangent * size[0] / size[1])) + half_depth
    return look_from(middle, heading, max(float(distance), 0.1), elevation=elevation, field_of_view=field_of_view)


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


HALF_FACE = {  # centimetres of the left half and the middle: left, up, forwards
    "brow_inner": (1.4, 4.4, 8.8), "brow_middle": (3.3, 5.0, 8.2), "brow_outer": (5.2, 4.3, 6.6),
    "eye_inner": (1.7, 2.0, 7.6), "eye_outer": (4.7, 2.1, 6.8), "lid_upper": (3.2, 2.8, 7.9),
    "lid_lower": (3.2, 1.7, 7.9),
    "nostril": (1.7, -2.0, 9.1), "cheek": (4.8, -1.2, 7.4), "lip_corner": (2.5, -5.0, 8.5), "jaw": (4.0, -7.0, 6.4),
    "temple": (6.4, 6.0, 4.5), "cheek_outer": (6.6, -2.2, 4.2),
}  # fmt: skip
MIDDLE_FACE = {
    "forehead": (0, 7.4, 8.8), "nose_tip": (0, -1.2, 10.8), "nose_top": (0, 2.4, 9.0), "lip_upper": (0, -4.1, 9.9),
    "lip_lower": (0, -5.8, 9.7), "chin": (0, -8.4, 9.2),
}  # fmt: skip


def face() -> PointMotion:
    """A face that is at rest and then smiles with its mouth open."""
    points = dict(MIDDLE_FACE)
    for side, sign in (("left", 1), ("right", -1)):
        points |= {f"{side}_{name}": (sign * x, y, z) for name, (x, y, z) in HALF_FACE.items()}
    rest = np.array(list(points.values()), float) / 100
    smile = rest.copy()
    for name, number in zip(points, range(len(points))):
        outwards = np.sign(rest[number, 0])
        if "corner" in name:
            smile[number] += np.array([0.009 * outwards, 0.010, -0.004])
        elif name in ("lip_lower", "chin"):
            smile[number] += np.array([0.0, -0.012, -0.002])
        elif "cheek" in name or "lower" in name:
            smile[number] += np.array([0.0, 0.004, 0.002])
    share = np.clip(np.arange(60) / 30 - 0.5, 0, 1)[:, None, None]
    return PointMotion(tuple(points), rest + share * (smile - rest) + np.array([0.3, 1.2, -0.5]), 60.0)


def face_sheet() -> np.ndarray:
    sheet = draw_contact_sheet(face(), title="smile", n_poses=2)[:, :800]
    third = Image.fromarray(sheet).resize((sheet.shape[1] // 3, sheet.shape[0] // 3), Image.Resampling.BOX)
    return np.asarray(third)


def footprints() -> np.ndarray:
    motion = pose(ARMS_DOWN)
    soles = make_footprints(find_footprints(motion, np.ones((1, 4), bool)))
    camera = fit_camera(soles.points * 2.0, 0.5, SIZE, elevation=0.8)
    return render_frame([soles], camera, SIZE, look=Look(grid=0.25))


def contact_sheet() -> np.ndarray:
    resting = np.arange(60)[:, None] // 15 % 2 == np.array([0, 0, 1, 1])
    sheet = draw_contact_sheet(stride(), contacts=resting, title="stride", n_poses=8)
    third = Image.fromarray(sheet).resize((sheet.shape[1] // 3, sheet.shape[0] // 3), Image.Resampling.BOX)
    return np.asarray(third)


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
        face_sheet,
        footprints,
        contact_sheet,
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
