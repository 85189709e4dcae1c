"""Frames of a finished motion that are replaced by some of another; all other frames keep their bits."""

from dataclasses import dataclass, replace

from motionloom.motion import Footing, Motion, concatenate, cut, provenance
from motionloom.motion.footing import concatenate_supports
from motionloom.motion.provenance import Provenance


@dataclass(frozen=True)
class FrameReplacement:
    """Frames [first, last) of a motion that are replaced by some of another; none where it is only cut."""

    first: int
    last: int
    own: range

    def motion(self, motion: Motion, new: Motion) -> Motion:
        """The motion with the new frames in it."""
        parts = [
            (motion, range(self.first)),
            (new, self.own),
            (motion, range(self.last, motion.n_frames)),
        ]
        return concatenate([cut(each, frames.start, frames.stop) for each, frames in parts if len(frames)])

    def provenance(self, origins: Provenance, new: Provenance) -> Provenance:
        """Where its frames come from."""
        parts = [
            (origins, range(self.first)),
            (new, self.own),
            (origins, range(self.last, origins.n_frames)),
        ]
        kept = [provenance.cut(each, frames.start, frames.stop) for each, frames in parts if len(frames)]
        return provenance.concatenate(kept)

    def footing(self, footing: Footing, new: Footing, n_frames: int) -> Footing:
        """What its feet stand on, of a motion of so many frames."""
        parts = [
            (self.first, footing.cut(0, self.first)),
            (len(self.own), new.cut(self.own.start, self.own.stop)),
            (n_frames - self.last, footing.cut(self.last, n_frames)),
        ]
        return replace(footing, supports=concatenate_supports(parts))
