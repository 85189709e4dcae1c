"""Evaluation: how well a linear system tells the next pose of takes that it has not seen (figure 2).

Takes are left out in turn, with their mirrored copies, or the last share of each of them is. The error of a frame is
how far its pose is from the one that the system predicts from the frames before with the controls that explain it best:
A x + B B' z. It is an angle, averaged over the joints that move, or a distance, averaged over points. Beside the pose
within the subspace it is 0 where there are as many controls as dimensions; beside the pose as recorded, what the
subspace cannot show comes on top.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.conform.base_view import take_of
from motionloom.errors import BadInput
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.point_lessons import point_lessons
from motionloom.methods.dynamics.prepare import training_motions
from motionloom.methods.dynamics.prior.dynamic_prior import Vectors
from motionloom.methods.dynamics.prior.learning import write_lessons
from motionloom.methods.dynamics.prior.linear_system import LinearSystem, learn_linear_system
from motionloom.methods.dynamics.prior.subspace import Subspace, learn_subspace
from motionloom.motion import Motion, PointMotion, cut
from motionloom.tasks import Progress, Stop, check_stop

ORDERS = (1, 2, 3, 4)
DIMENSIONS = (10, 20, 30, 40)
CONTROLS = (0, 1, 2, 4, 6, 8, 12, 16, 20, 30, 40)
FOLDS = 10
MOST_FRAMES = 1500  # frames of a motion that are measured

Moving = Motion | PointMotion


@dataclass(frozen=True)
class OneStepError:
    """The mean error of a kind of system, over all frames that were left out."""

    dimensions: int  # d_x
    order: int  # m
    controls: int  # d_u
    error: float  # beside the pose within the subspace: degrees per joint, or millimetres per point
    raw: float  # the same beside the pose as recorded

    def to_data(self, unit: str) -> dict[str, float]:
        """As plain data."""
        kind = {"dimensions": self.dimensions, "order": self.order, "controls": self.controls}
        return {**kind, unit: self.error, f"{unit}_raw": self.raw}


@dataclass(frozen=True)
class Evaluation:
    """One-step errors of all kinds of systems that were tried."""

    errors: tuple[OneStepError, ...]  # by dimensions, orders and controls, ascending
    takes: tuple[str, ...]
    folds: int  # 1 where the last share of each take was left out
    frames: int  # that were measured
    fps: float  # of the model
    unit: str  # "degrees" per joint, or "mm" per point

    @property
    def dimensions(self) -> list[int]:
        """The d_x that were tried."""
        return sorted({error.dimensions for error in self.errors})

    @property
    def per(self) -> str:
        """What errors are means of: "degrees per joint"."""
        return f"{self.unit} per {'joint' if self.unit == 'degrees' else 'point'}"

    def curve(self, dimensions: int, order: int) -> list[OneStepError]:
        """The errors of some dimensions and order by their controls."""
        return [error for error in self.errors if (error.dimensions, error.order) == (dimensions, order)]

    def to_data(self) -> dict[str, object]:
        """As plain data."""
        about = {"takes": list(self.takes), "folds": self.folds, "frames": self.frames, "fps": self.fps}
        return {**about, "unit": self.unit, "errors": [error.to_data(self.unit) for error in self.errors]}


@dataclass(frozen=True)
class Tried:
    """The kinds of systems to try; None for what there are usual numbers of."""

    dimensions: tuple[int, ...] | None = None
    orders: tuple[int, ...] = ORDERS
    controls: tuple[int, ...] | None = None
    folds: int = FOLDS  # at most; each leaves out its share of the takes
    last: float | None = None  # leave out the last share of each take instead, such as 0.2


def evaluate(
    model: Model, tried: Tried | None = None, *, progress: Progress | None = None, stop: Stop | None = None
) -> Evaluation:
    """Measure one-step errors, leaving out the takes that a model was learnt from in turn, or the last share of each.

    Args:
        model: whose takes and labels are used; its own prior is not.
        tried: kinds of systems.
        progress: called as progress(done, total).
        stop: asked now and then; if it answers True, `Stopped` is raised.
    """
    tried = tried or Tried()
    taken = _taken(model)
    n_folds = 1 if tried.last is not None else max(2, min(tried.folds, len(taken)))
    total, done = n_folds * len(tried.orders), 0
    sums: dict[tuple[int, int, int], np.ndarray] = {}
    counted: dict[tuple[int, int, int], int] = {}
    frames = 0
    for learnt, tests in _folds(model, taken, tried, n_folds):
        fit = _Fold.learn(learnt)
        frames += sum(min(test.n_frames, MOST_FRAMES) for test in tests)
        for order in tried.orders:
            check_stop(stop)
            for dimensions in _dimensions(tried, fit):
                for key, errors in fit.measure(tests, dimensions, order, tried.controls):
                    sums[key] = sums.get(key, np.zeros(2)) + errors.sum(axis=0)
                    counted[key] = counted.get(key, 0) + len(errors)
            done += 1
            if progress is not None:
                progress(done, total)
    found = [OneStepError(*key, *(sums[key] / counted[key]).tolist()) for key in sorted(sums) if counted[key]]
    if not found:
        raise BadInput(f"no take is longer than {max(tried.orders)} frames of the model; choose longer takes")
    unit = "mm" if model.is_of_points else "degrees"
    return Evaluation(tuple(found), tuple(taken), n_folds, frames, model.prior.fps, unit)


@dataclass(frozen=True, eq=False)
class _Taken:
    """What can be learnt from a take."""

    own: tuple[Moving, ...]  # stretches at the rate of the model
    mirrored: tuple[Moving, ...] = ()  # the same in a mirror

    @property
    def lessons(self) -> list[Moving]:
        return [*self.own, *self.mirrored]


def _taken(model: Model) -> dict[str, _Taken]:
    """The stretches of each take, with their mirrored copies."""
    found: dict[str, _Taken] = {}
    for take in dict.fromkeys(take_of(name) for name in model.learnt_from):
        names = [name for name in model.learnt_from if take_of(name) == take]
        try:
            found[take] = _points_of(model, take) if model.is_of_points else _bodies_of(model, names)
        except BadInput:  # the label does not hold in this take, or a point is always missing
            continue
    return found


def _bodies_of(model: Model, names: Sequence[str]) -> _Taken:
    labels = model.material.prior.labels
    return _Taken(*(tuple(training_motions(model.bodies, [name], labels, model.settings)) for name in names))


def _points_of(model: Model, take: str) -> _Taken:
    prior = model.material.prior
    lessons = point_lessons(model.points, [take], prior.labels, model.step, bool(prior.mirrored))
    step = 2 if lessons.is_mirrored else 1  # each is before its mirror image
    return _Taken(lessons.stretches[::step], lessons.stretches[1::2] if lessons.is_mirrored else ())


def _folds(
    model: Model, taken: dict[str, _Taken], tried: Tried, n_folds: int
) -> Iterator[tuple[list[Moving], list[Moving]]]:
    """What is learnt from, and what is left out."""
    if tried.last is not None:
        if not taken:
            raise BadInput("none of the chosen takes has a stretch to learn from; choose others")
        share = 1 - tried.last
        learnt = [_part(each, 0.0, share) for of_take in taken.values() for each in of_take.lessons]
        yield learnt, [_part(each, share, 1.0) for of_take in taken.values() for each in of_take.own]
        return
    labels, takes = model.material.prior.labels, tuple(taken)
    if len(takes) < 2:
        held = f" in which {' or '.join(labels)} holds" if labels else ""
        there = takes[0] if takes else "none"
        raise BadInput(f"takes are left out in turn, and there is one{held}: {there}; choose more")
    for fold in range(n_folds):
        others = [take for number, take in enumerate(takes) if number % n_folds != fold]
        learnt = [each for take in others for each in taken[take].lessons]
        yield learnt, [each for take in takes[fold::n_folds] for each in taken[take].own]


def _part(motion: Moving, first: float, last: float) -> Moving:
    """The frames of a motion between two shares of it."""
    start, stop = round(first * motion.n_frames), round(last * motion.n_frames)
    if isinstance(motion, PointMotion):
        return replace(motion, positions=motion.positions[start:stop])
    return cut(motion, start, stop)


def _dimensions(tried: Tried, fit: "_Fold") -> Sequence[int]:
    most = min(fit.vectors.size, fit.n_frames)
    if tried.dimensions is None:
        return [number for number in DIMENSIONS if number <= most] or [most]
    if max(tried.dimensions) > most:
        raise BadInput(
            f"{max(tried.dimensions)} dimensions: the poses have {fit.vectors.size} numbers, and {fit.n_frames} frames "
            f"are left to learn from when takes are left out; give at most {most}"
        )
    return sorted(set(tried.dimensions))


@dataclass(frozen=True, eq=False)
class _Fold:
    """What is learnt from what is not left out."""

    vectors: Vectors
    written: list[np.ndarray]  # (F, D) scaled vectors of each motion
    subspace: Subspace  # with all its directions

    @staticmethod
    def learn(motions: Sequence[Moving]) -> "_Fold":
        vectors, written = write_lessons([motion for motion in motions if motion.n_frames > 2])
        whole = learn_subspace(np.concatenate(written), dimensions=min(vectors.size, sum(map(len, written))))
        return _Fold(vectors, written, whole)

    @property
    def n_frames(self) -> int:
        return sum(len(each) for each in self.written)

    def measure(
        self, tests: Sequence[Moving], dimensions: int, order: int, controls: Sequence[int] | None
    ) -> list[tuple[tuple[int, int, int], np.ndarray]]:
        """For each number of controls, (N, 2) errors of all frames of the tests: in the subspace, and as recorded."""
        subspace = Subspace(self.subspace.directions[:, :dimensions], self.subspace.middle, self.subspace.variances)
        takes = [subspace.to_coordinates(each) for each in self.written]
        system = learn_linear_system([take for take in takes if len(take) > order], order, controls=dimensions)
        numbers = CONTROLS if controls is None else controls
        counts = sorted({number for number in numbers if number <= dimensions} | {dimensions})
        found: dict[int, list[np.ndarray]] = {count: [] for count in counts}
        for test in tests:
            written = lessons_of(self.vectors, test)
            if len(written) > order:
                kept = np.unique(np.linspace(order, len(written) - 1, MOST_FRAMES).astype(int))
                for count, errors in _one_step(self.vectors, subspace, system, written, kept, counts):
                    found[count].append(errors)
        return [((dimensions, order, count), np.concatenate(errors)) for count, errors in found.items() if errors]


def lessons_of(vectors: Vectors, motion: Moving) -> np.ndarray:
    """(F, D) vectors of a motion that can be learnt from."""
    return vectors.lessons(motion)  # type: ignore[arg-type]  # both are of bodies, or both of points


def _one_step(
    vectors: Vectors,
    subspace: Subspace,
    system: LinearSystem,
    written: np.ndarray,
    frames: np.ndarray,
    counts: list,
) -> list[tuple[int, np.ndarray]]:
    """For each number of controls, (N, 2) mean errors of some frames of a motion."""
    coordinates = subspace.to_coordinates(written)
    shown, raw = subspace.to_vectors(coordinates[frames]), written[frames]
    predicted = system.predict(coordinates)[frames - system.order]
    driven = (coordinates[frames] - predicted) @ system.drives  # (N, d)
    result = []
    for count in counts:
        made = subspace.to_vectors(predicted + driven[:, :count] @ system.drives[:, :count].T)
        result.append((count, np.stack([vectors.apart(made, other) for other in (shown, raw)], axis=1)))
    return result
