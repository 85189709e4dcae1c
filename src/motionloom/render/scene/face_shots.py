"""Shots of faces: framed on the face, seen from the front or from a side, with nothing around it."""

from dataclasses import dataclass

import numpy as np

from motionloom.motion import PointMotion, rotations
from motionloom.motion.drawn_points import DrawnPoints
from motionloom.motion.head_motion import HeadMotion, to_head, to_world
from motionloom.render.scene.camera import Camera, look_from
from motionloom.render.scene.frame import DEFAULT_LOOK, Look

VIEWS = {
    "front": 0.0,
    "quarter": np.pi / 5,
    "side": np.pi / 2,
    "back": np.pi,
}  # heading of the camera relative to where the face looks; from its left
LENS = 0.25  # radians of field of view: narrow, against the bulge of near noses
ABOVE = 0.05  # radians of the camera above the horizon
ROOM = 1.08  # of the face that a picture shows
SAMPLE = 200  # frames, at most, that it is framed by
LIGHT = (-0.35, 0.6, 1.0)  # more from the front than that of bodies: eyes and mouths lie deep
BARE = DEFAULT_LOOK.backdrop


@dataclass(frozen=True, eq=False)
class FacePoses:
    """A face around its middle, looking along +z on average: where its markers are, and what a picture has to show."""

    positions: np.ndarray  # (F, M, 3) metres, with the turning of the head
    centres: np.ndarray  # (F, 3) metres, world: the middle of the face, whatever its mouth does
    headings: np.ndarray  # (F,) radians, unwrapped: where it looks
    height: float  # metres, from the lowest marker ever to the highest
    widths: dict[str, float]  # metres, by view

    @property
    def heading(self) -> float:
        """Radians: where it looks on average."""
        return _mean_heading(self.headings)


def bare_look(samples: int = DEFAULT_LOOK.samples) -> Look:
    """Colours and light of pictures without a floor."""
    return Look(backdrop=BARE, ground=BARE, line=BARE, shadow=BARE, grid=0.0, light=LIGHT, samples=samples)


def pose_face(motion: PointMotion, drawn: DrawnPoints) -> FacePoses:
    """The poses of a face, for pictures of them."""
    head, headings = drawn.find_head(motion), drawn.find_headings(motion)
    still = to_head(motion.positions, head)
    sample = still[:: max(1, -(-len(still) // SAMPLE))]
    middle = (np.nanmax(sample, axis=(0, 1)) + np.nanmin(sample, axis=(0, 1))) / 2
    turned = rotations.multiply(rotations.about_y(-_mean_heading(headings)), head.rotations)
    posed = to_world(still - middle, HeadMotion(np.zeros((len(still), 3)), turned))
    shown = posed[:: max(1, -(-len(still) // SAMPLE))]
    reaches = {view: shown @ np.array([np.cos(angle), 0.0, -np.sin(angle)]) for view, angle in VIEWS.items()}
    return FacePoses(
        posed,
        to_world(np.broadcast_to(middle, (len(still), 1, 3)), head)[:, 0],
        headings,
        2 * ROOM * float(np.nanmax(np.abs(shown[..., 1]))),
        {view: 2 * ROOM * float(np.nanmax(np.abs(reach))) for view, reach in reaches.items()},
    )


def face_camera(centre: np.ndarray, heading: float, height: float, view: str) -> Camera:
    """The camera for a face.

    Args:
        centre: (3,) metres, world.
        heading: radians: where the face looks.
        height: metres that the picture shows from top to bottom.
        view: one of `VIEWS`.
    """
    distance = 0.5 * height / np.tan(LENS / 2)
    return look_from(centre, heading + VIEWS[view], distance, elevation=ABOVE, field_of_view=LENS)


def _mean_heading(headings: np.ndarray) -> float:
    return float(np.arctan2(np.sin(headings).mean(), np.cos(headings).mean()))
