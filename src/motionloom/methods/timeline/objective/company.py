"""Company: what frames do besides what is painted, and what they lack beside it.

Who paints `walk` wants somebody who walks, and not one who carries a box as well. So of frames that have all that is
painted, those that have other labels too cost a little more: so little that ten seconds of them cost less than a usual
cut, and it decides only between motions that are nearly as good. Labels that most of what is painted has anyway are
part of it: where nearly all walking is `forwards`, that is nothing besides.

Just before and after a painted stretch, frames without its label cost something too (`soft_edges`).

Frames in which nothing is known to carry the body, such as those on a stool that was not found, cost more, however they
are painted: elsewhere there would be nothing below.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.conform.label_tracks import LAYER_WORDS
from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.soft_edges import LACKS, find_soft_edges

BESIDES = 1 / 128  # wrong frames that a frame costs which has other labels too; a power of two, so that sums are exact
IN_THE_AIR = 0.25  # wrong frames that a frame costs in which nothing is known to carry the body
IMPLIED = 0.5  # a label that a larger share of the frames with all that is painted has is part of it


@dataclass(frozen=True, eq=False)
class Company:
    """What frames of the model cost besides their labels, for every way in which frames of the answer are painted."""

    ways: np.ndarray  # (W, L) int8: the ways in which frames of the answer are painted: +1 must, -1 must not
    way_of: np.ndarray  # (F,) int: that of each frame of the answer
    does_more: np.ndarray  # (W, N) bool: frames that do more than is painted
    lacking: np.ndarray  # (W, N) uint8: halves of labels that frames lack which had better hold; 1 half if unknown
    hovering: np.ndarray  # (N,) bool: frames in which nothing is known to carry the body

    def of_frames(self, frames: np.ndarray, answer: np.ndarray | slice = slice(None)) -> np.ndarray:
        """(n,) wrong frames that frames of the model cost besides their labels, in frames of the answer."""
        ways = self.way_of[answer]
        lacks = LACKS / 2 * self.lacking[ways, frames]
        return BESIDES * self.does_more[ways, frames] + lacks + IN_THE_AIR * self.hovering[frames]

    def costs_anything(self, way: int) -> bool:
        """Whether any frame of the model costs something in a way of painting."""
        return bool(self.does_more[way].any() or self.lacking[way].any() or self.hovering.any())

    def running(self) -> np.ndarray:
        """(W, N + 1) running sums over the frames of the model, in wrong frames."""
        sums = np.zeros((len(self.does_more), self.does_more.shape[1] + 1))
        for does_more, lacking, row in zip(self.does_more, self.lacking, sums[:, 1:]):
            np.cumsum(BESIDES * does_more + LACKS / 2 * lacking + IN_THE_AIR * self.hovering, out=row)
        return sums


def find_company(model: Model, labels: Sequence[str], paint: np.ndarray) -> Company:
    """What the frames of a model do besides what is painted.

    Args:
        model: N frames.
        labels: L painted ones.
        paint: (F, L) int8: +1 must, -1 must not, 0 do not care.
    """
    is_action = np.array([label not in LAYER_WORDS for label in labels], bool)
    edges = (find_soft_edges(paint, model.fps) & is_action).astype(np.int8)
    both, way_of = np.unique(np.concatenate([paint, edges], axis=1), axis=0, return_inverse=True)
    ways, near = np.split(both, 2, axis=1)
    columns = [model.labels.index(label) for label in labels]
    does_more = np.array([_does_more(model, columns, way) for way in ways]).reshape(len(ways), model.n_frames)
    halves = np.array([_lacking(model, columns, way) for way in near]).reshape(len(ways), model.n_frames)
    return Company(ways, way_of.reshape(-1), does_more, halves.astype(np.uint8), model.hovering)


def _lacking(model: Model, columns: Sequence[int], near: np.ndarray) -> np.ndarray:
    """(N,) halves of labels that frames lack which had better hold."""
    wanted = [column for column, is_near in zip(columns, near) if is_near]
    return (1 - model.tracks[:, wanted].astype(int)).sum(axis=1)


def _does_more(model: Model, columns: Sequence[int], way: np.ndarray) -> np.ndarray:
    """(N,) bool: frames with all that must hold in a way of painting, and something else."""
    musts = [column for column, value in zip(columns, way) if value > 0]
    has_all = (model.tracks[:, musts] == 1).all(axis=1) if musts else np.zeros(model.n_frames, bool)
    if not has_all.any():
        return np.zeros(model.n_frames, bool)
    painted = {column for column, value in zip(columns, way) if value}
    others = [c for c, label in enumerate(model.labels) if c not in painted and label not in LAYER_WORDS]
    holds = model.tracks[:, others] == 1
    unusual = holds[has_all].mean(axis=0) <= IMPLIED
    return has_all & holds[:, unusual].any(axis=1)
