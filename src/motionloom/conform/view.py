"""View: takes of a corpus conformed to one skeleton, frame rate and floor; the input of methods that move bodies."""

from dataclasses import dataclass, field

import numpy as np

from motionloom.caching import cached
from motionloom.conform.base_view import BaseView
from motionloom.corpus import compute_layers
from motionloom.errors import BadInput
from motionloom.motion import Footing, Motion, Skeleton
from motionloom.motion.footing import COLUMNS
from motionloom.motion.packed import unpack_frames

NO_SUPPORTS = np.zeros((0, 1 + len(COLUMNS)))


@dataclass(frozen=True, eq=False, kw_only=True)
class View(BaseView):
    """Takes on one skeleton, at one frame rate, on the floor y = 0, concatenated in arrays over all N frames."""

    skeleton: Skeleton
    frames: np.ndarray  # (N, 3 + 4 J) float32: root position, then joint rotations
    source_contacts: np.ndarray  # (N, 4) bool: heels and balls rest, as in the recording
    supports: np.ndarray = field(default_factory=lambda: NO_SUPPORTS)  # (K, 10): motion, then a row of `Footing`
    _layers: dict[str, np.ndarray] = field(default_factory=dict)  # cache, over all N frames

    def motion(self, name: str) -> Motion:
        """One take, conformed."""
        start, stop = self.range_of(name)
        return unpack_frames(self.frames[start:stop], self.skeleton, self.fps)

    def pose(self, frame: int) -> Motion:
        """One of all N frames as a motion."""
        return unpack_frames(self.frames[frame : frame + 1], self.skeleton, self.fps)

    def footing(self, name: str) -> Footing:
        """What the feet of one motion stand on besides the floor: each support with its frames of the motion."""
        own = self.supports[self.supports[:, 0] == self._numbers[name]]
        return Footing.from_rows(own[:, 1:])

    def layer(self, name: str, layer: str) -> np.ndarray:
        """A layer of one motion; as in `Corpus.layer`, except that contacts are those of the recording."""
        start, stop = self.range_of(name)
        return self.whole_layer(layer)[start:stop]

    def whole_layer(self, layer: str) -> np.ndarray:
        """A layer over all N frames: computed once, and cached if the corpus is open for writing."""
        if layer == "contacts":
            return self.source_contacts
        if layer in ("contact_heights", "supports"):
            raise BadInput(f"no layer '{layer}' of a view; what feet of one of its motions stand on is its footing")
        if layer not in self._layers:
            made = self.parts(_compute_layer, {"layer": layer}, lambda name: _compute_layer(self.motion(name), layer))
            self._layers[layer] = made.arrays["frames"]
        return self._layers[layer]


@cached("view layer")
def _compute_layer(motion: Motion, layer: str) -> dict[str, np.ndarray]:
    return {"frames": compute_layers(motion, 0.0, [layer])[layer]}
