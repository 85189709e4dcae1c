"""The actors: faces of other proportions, that move more or less, and less or more alike on both sides."""

import zlib
from dataclasses import dataclass

import numpy as np

from motionloom.errors import BadInput
from motionloom.performer.face.markers import INDEX, LEFT, MIRROR, NAMES, NEUTRAL

MOUTH = [INDEX[name] for name in NAMES if "lip" in name or "mouth" in name]
BROWS = [INDEX[name] for name in NAMES if "brow" in name]
LOWER = [INDEX[name] for name in ("chin", "left_jaw", "right_jaw")]
EYES = [INDEX[name] for name in NAMES if name.partition("_")[2] in LEFT and ("_eye" in name or "lid" in name)]


@dataclass(frozen=True)
class Actor:
    """The proportions and habits of a face; 1 is the average."""

    name: str
    width: float = 1.0
    height: float = 1.0
    depth: float = 1.0
    mouth_width: float = 1.0
    brow_height: float = 0.0  # millimetres that brows are higher
    chin_drop: float = 0.0  # millimetres that the chin is lower
    expressiveness: float = 1.0  # of all displacements
    asymmetry: float = 1.0  # how unlike the two sides are, at rest and moving; 0: mirror images
    blinks: float = 17.0  # per minute, at rest

    @property
    def size(self) -> float:
        """Of the face as a whole."""
        return float((self.width * self.height * self.depth) ** (1 / 3))


ACTORS = {
    actor.name: actor
    for actor in (
        Actor("ada"),
        Actor("ben", 1.06, 1.08, 1.05, 1.04, -1.5, 4.0, 0.85, 1.2, 13.0),
        Actor("cleo", 0.94, 0.93, 0.96, 0.95, 2.0, -2.0, 1.1, 0.7, 21.0),
        Actor("dara", 1.04, 0.97, 0.98, 1.1, 0.5, 1.0, 0.95, 1.5, 16.0),
    )
}


def find_actor(name: str) -> Actor:
    """An actor by name; the first of them for no name."""
    if not name:
        return next(iter(ACTORS.values()))
    if name not in ACTORS:
        raise BadInput(f"no actor '{name}'; the actors are {', '.join(ACTORS)}")
    return ACTORS[name]


def shape_face(actor: Actor) -> np.ndarray:
    """(40, 3) millimetres: the markers of an actor at rest, in the frame of the head."""
    face = NEUTRAL.copy()
    face[MOUTH, 0] *= actor.mouth_width
    face[BROWS, 1] += actor.brow_height
    face[LOWER, 1] -= actor.chin_drop
    face *= [actor.width, actor.height, actor.depth]
    lopsided = np.random.default_rng(zlib.crc32(actor.name.encode())).normal(0.0, 0.5, face.shape)
    lopsided[EYES] = 0.0  # lids lie on eyeballs that are alike
    odd = (lopsided - lopsided[MIRROR] * [-1.0, 1.0, 1.0]) / 2
    return face + actor.asymmetry * odd
