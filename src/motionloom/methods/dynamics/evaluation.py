"""Evaluation: how well a linear system tells the next pose of takes that it has not seen (figure 2).

Takes are left out in turn, with their mirrored copies. The error of a frame is the angle, averaged over the joints that
move, between its pose and the pose that the system predicts from the frames before with the controls that explain it
best: A x + B B' z. Beside the pose within the subspace it is 0 where there are as many controls as dimensions; beside
the pose as recorded, what the subspace cannot show comes on top.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from motionloom.conform.base_view import take_of
from motionloom.errors import BadInput
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.prepare import training_motions
from motionloom.methods.dynamics.prior.linear_system import LinearSystem, learn_linear_system
from motionloom.methods.dynamics.prior.pose_vectors import PoseVectors, learn_pose_vectors
from motionloom.methods.dynamics.prior.subspace import Subspace, learn_subspace
from motionloom.motion import Motion, rotations
from motionloom.tasks import Progress, Stop, check_stop

ORDERS = (1, 2, 3, 4)
DIMENSIONS = (10, 20, 30, 40)
CONTROLS = (0, 1, 2, 4, 6, 8, 12, 16, 20, 30, 40)
FOLDS = 10
MOST_FRAMES = 1500  # frames of the takes of a fold that are measured


@dataclass(frozen=True)
class OneStepError:
    """The mean error of a kind of system, over all frames of takes that were left out."""

    dimensions: int  # d_x
    order: int  # m
    controls: int  # d_u
    degrees: float  # per joint, beside the pose within the subspace
    degrees_raw: float  # per joint, beside the pose as recorded

    def to_data(self) -> dict[str, float]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Evaluation:
    """One-step errors of all kinds of systems that were tried."""

    errors: tuple[OneStepError, ...]  # by dimensions, orders and controls, ascending
    takes: tuple[str, ...]
    folds: int
    frames: int  # that were measured
    fps: float  # of the model

    @property
    def dimensions(self) -> list[int]:
        """The d_x that were tried."""
        return sorted({error.dimensions for error in self.errors})

    def curve(self, dimensions: int, order: int) -> list[OneStepError]:
        """The errors of some dimensions and order by their controls."""
        return [error for error in self.errors if (error.dimensions, error.order) == (dimensions, order)]

    def to_data(self) -> dict[str, object]:
        """As plain data."""
        about = {"takes": list(self.takes), "folds": self.folds, "frames": self.frames, "fps": self.fps}
        return {**about, "errors": [error.to_data() for error in self.errors]}


@dataclass(frozen=True)
class Tried:
    """The kinds of systems to try; None for what there are usual numbers of."""

    dimensions: tuple[int, ...] | None = None
    orders: tuple[int, ...] = ORDERS
    controls: tuple[int, ...] | None = None
    folds: int = FOLDS  # at most; each leaves out its share of the takes


def evaluate(
    model: Model, tried: Tried | None = None, *, progress: Progress | None = None, stop: Stop | None = None
) -> Evaluation:
    """Measure one-step errors, leaving out the takes that a model was learnt from in turn.

    Args:
        model: whose takes and labels are used; its own prior is not.
        tried: kinds of systems.
        progress: called as progress(done, total).
        stop: asked now and then; if it answers True, `Stopped` is raised.
    """
    tried = tried or Tried()
    motions, labels = _motions_of(model), model.material.prior.labels
    if len(motions) < 2:
        held = f" in which {' or '.join(labels)} holds" if labels else ""
        raise BadInput(f"takes are left out in turn, and there is one{held}: {next(iter(motions))}; choose more")
    n_folds = max(2, min(tried.folds, len(motions)))
    takes = tuple(motions)
    total, done = n_folds * len(tried.orders), 0
    sums: dict[tuple[int, int, int], np.ndarray] = {}
    counted: dict[tuple[int, int, int], int] = {}
    frames = 0
    for fold in range(n_folds):
        fit = _Fold.learn([m for n, take in enumerate(takes) if n % n_folds != fold for m in motions[take]])
        tests = [motion for take in takes[fold::n_folds] for motion in motions[take][::2]]
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
    return Evaluation(tuple(found), takes, n_folds, frames, model.prior.fps)


def _motions_of(model: Model) -> dict[str, list[Motion]]:
    """The stretches of each take, each before its mirrored copy."""
    found: dict[str, list[Motion]] = {}
    for take in dict.fromkeys(take_of(name) for name in model.learnt_from):
        names = [name for name in model.learnt_from if take_of(name) == take]
        try:
            copies = [
                training_motions(model.view, [name], model.material.prior.labels, model.settings) for name in names
            ]
        except BadInput:  # the label does not hold in this take
            continue
        both = copies if len(copies) == 2 else [copies[0], copies[0]]
        found[take] = [motion for pair in zip(*both) for motion in pair]
    return found


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
    """What is learnt from the takes that are not left out."""

    vectors: PoseVectors
    written: list[np.ndarray]  # (F, D) scaled vectors of each motion
    subspace: Subspace  # with all its directions

    @staticmethod
    def learn(motions: Sequence[Motion]) -> "_Fold":
        vectors = learn_pose_vectors(motions)
        if not len(vectors.joints):
            raise BadInput("no joint moves in the chosen takes; choose takes in which the body moves")
        # the last frame of a motion has no velocity of its own
        written = [vectors.encode(motion)[0][:-1] for motion in motions if motion.n_frames > 2]
        whole = learn_subspace(np.concatenate(written), dimensions=min(vectors.size, sum(map(len, written))))
        return _Fold(vectors, written, whole)

    @property
    def n_frames(self) -> int:
        return sum(len(each) for each in self.written)

    def measure(
        self, tests: Sequence[Motion], dimensions: int, order: int, controls: Sequence[int] | None
    ) -> list[tuple[tuple[int, int, int], np.ndarray]]:
        """For each number of controls, (N, 2) degrees of all frames of the tests: in the subspace, and as recorded."""
        subspace = Subspace(self.subspace.directions[:, :dimensions], self.subspace.middle, self.subspace.variances)
        takes = [subspace.to_coordinates(each) for each in self.written]
        system = learn_linear_system([take for take in takes if len(take) > order], order, controls=dimensions)
        numbers = CONTROLS if controls is None else controls
        counts = sorted({number for number in numbers if number <= dimensions} | {dimensions})
        found: dict[int, list[np.ndarray]] = {count: [] for count in counts}
        for test in tests:
            written = self.vectors.encode(test)[0][:-1]
            if len(written) > order:
                kept = np.unique(np.linspace(order, len(written) - 1, MOST_FRAMES).astype(int))
                for count, errors in _one_step(self.vectors, subspace, system, written, kept, counts):
                    found[count].append(errors)
        return [((dimensions, order, count), np.concatenate(errors)) for count, errors in found.items() if errors]


def _one_step(
    vectors: PoseVectors,
    subspace: Subspace,
    system: LinearSystem,
    written: np.ndarray,
    frames: np.ndarray,
    counts: list,
) -> list[tuple[int, np.ndarray]]:
    """For each number of controls, (N, 2) mean degrees over joints of some frames of a motion."""
    coordinates = subspace.to_coordinates(written)
    shown = _joint_rotations(vectors, subspace.to_vectors(coordinates[frames]))
    raw = _joint_rotations(vectors, written[frames])
    predicted = system.predict(coordinates)[frames - system.order]
    driven = (coordinates[frames] - predicted) @ system.drives  # (N, d)
    result = []
    for count in counts:
        made = predicted + driven[:, :count] @ system.drives[:, :count].T
        poses = _joint_rotations(vectors, subspace.to_vectors(made))
        beside = [rotations.angle_between(poses, other).mean(axis=1) for other in (shown, raw)]
        result.append((count, np.degrees(np.stack(beside, axis=1))))
    return result


def _joint_rotations(vectors: PoseVectors, written: np.ndarray) -> np.ndarray:
    """(N, M, 4) rotations of the joints that move about their means, without the root."""
    return rotations.exp(vectors.turns(written)[:, 1:])
