"""What a motion costs: wrong labels, cuts, and how far it is from its places. Every search is held against this."""

from dataclasses import dataclass

import numpy as np

from motionloom.methods.timeline.model import Model
from motionloom.methods.timeline.objective.problem import Problem, wrong_cells
from motionloom.motion import Placement, compose, invert
from motionloom.motion.angles import wrap_angles


@dataclass(frozen=True)
class Costs:
    """What a motion costs, in wrong frames."""

    labels: float
    cuts: float
    places: float
    besides: float = 0.0  # for what is done besides what is painted, and for bodies in the air

    @property
    def total(self) -> float:
        return self.labels + self.cuts + self.places + self.besides


def cost_of(model: Model, problem: Problem, frames: np.ndarray) -> Costs:
    """What it costs to play (F,) frames of a model one after another."""
    frames = np.asarray(frames)
    cuts = find_cuts(model, frames)
    jumps = cut_distances(model, frames, cuts)
    return Costs(
        labels=float(wrong_cells(problem, frames).sum()),
        cuts=float(problem.cut_weight * (problem.fee * len(cuts) + jumps.sum())),
        places=place_cost(model, problem, frames),
        besides=float(problem.company.of_frames(frames).sum()),
    )


def find_cuts(model: Model, frames: np.ndarray) -> np.ndarray:
    """(C,) frames of the answer that do not follow, in their recording, the frame before."""
    return np.flatnonzero(model.following[frames[:-1]] != frames[1:]) + 1


def cut_distances(model: Model, frames: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """(C,) usual distances between what would have come and what comes."""
    would_come = model.coordinates[model.following[frames[cuts - 1]]]
    return np.linalg.norm(would_come - model.coordinates[frames[cuts]], axis=1)


def place_pieces(model: Model, problem: Problem, frames: np.ndarray) -> list[tuple[int, int, Placement]]:
    """The runs of the answer without a cut: frames [start, stop) of the answer, and where their recording is moved to.

    The facing that would have come after a run is the facing that the next run begins with.
    """
    borders = [0, *find_cuts(model, frames).tolist(), len(frames)]
    facing = problem.start
    placed = []
    for start, stop in zip(borders, borders[1:]):
        placement = compose(facing, invert(_facing(model, frames[start])))
        placed.append((start, stop, placement))
        facing = compose(placement, _facing(model, model.following[frames[stop - 1]]))
    return placed


def path_of(model: Model, problem: Problem, frames: np.ndarray) -> np.ndarray:
    """(F, 3) metres along x and z and heading in radians of the answer, before anything is bent."""
    path = np.empty((len(frames), 3))
    for start, stop, placement in place_pieces(model, problem, frames):
        facings = model.facings[frames[start:stop]]
        c, s = np.cos(placement.heading), np.sin(placement.heading)
        x, z = facings[:, 0], facings[:, 1]
        path[start:stop, 0] = c * x + s * z + placement.slide[0]
        path[start:stop, 1] = -s * x + c * z + placement.slide[1]
        path[start:stop, 2] = facings[:, 2] + placement.heading
    return path


def place_misses(problem: Problem, path: np.ndarray) -> np.ndarray:
    """(places, 2) metres and radians by which a path misses each place; 0 where none is asked for."""
    return misses_at(problem, path[[place.frame for place in problem.places]])


def misses_at(problem: Problem, at_places: np.ndarray) -> np.ndarray:
    """(..., places, 2) metres and radians by which (..., places, 3) facings at the time of each place miss it."""
    misses = np.zeros((*at_places.shape[:-1], 2))
    for number, place in enumerate(problem.places):
        x, z, heading = np.moveaxis(at_places[..., number, :], -1, 0)
        if place.position is not None:
            misses[..., number, 0] = np.hypot(x - place.position[0], z - place.position[1])
        if place.heading is not None:
            misses[..., number, 1] = np.abs(wrap_angles(heading - place.heading))
    return misses


def price_misses(model: Model, problem: Problem, misses: np.ndarray) -> np.ndarray:
    """(...) what (..., places, 2) misses cost."""
    weights = np.array([place.weight for place in problem.places])
    return model.settings.place_miss * (misses @ [1.0, model.settings.heading_miss] @ weights)


def place_cost(model: Model, problem: Problem, frames: np.ndarray) -> float:
    """What missing its places costs a motion."""
    if not problem.places:
        return 0.0
    return float(price_misses(model, problem, place_misses(problem, path_of(model, problem, frames))))


def _facing(model: Model, frame: int) -> Placement:
    x, z, heading = model.facings[frame]
    return Placement(float(heading), np.array([x, z]))
