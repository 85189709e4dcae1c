"""Retarget task: what is minimized when a motion is retargeted with a prior, and how it is finished."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.feet import SIDES, columns_of, foot_points, heel_offsets
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior
from motionloom.methods.dynamics.prior.pose_vectors import HEIGHT, HEIGHT_AT, N_GROUND, find_places
from motionloom.methods.dynamics.retargeting.comparison import Yardstick, compare
from motionloom.methods.dynamics.retargeting.reached_places import AnkleGoal, find_goals, raise_feet, reach_places
from motionloom.methods.dynamics.retargeting.scaled_steps import Step, find_steps
from motionloom.methods.dynamics.terms.linear_terms import PlaceTerm, PoseTerm
from motionloom.methods.dynamics.terms.point_terms import PointTerm
from motionloom.methods.dynamics.trajectory.basis import Basis
from motionloom.methods.dynamics.trajectory.gauss_newton import descend
from motionloom.methods.dynamics.trajectory.led_on import led_on
from motionloom.methods.dynamics.trajectory.normal_equations import Term
from motionloom.methods.dynamics.trajectory.posed import Spot
from motionloom.methods.dynamics.trajectory.problem import Problem, Reference, curve_values
from motionloom.motion import Motion
from motionloom.retarget import (
    Retargeted,
    RetargetMap,
    RetargetSettings,
    learn_bends,
    plan_retarget,
    retarget_motion,
)
from motionloom.retarget.calmed_spikes import calm_spikes
from motionloom.retarget.hand_places import has_hands, place_hands
from motionloom.retarget.held_feet import HeldFeet
from motionloom.tasks import Progress, Stop, check_stop


@dataclass(frozen=True)
class PriorSettings:
    """How far a motion may leave the kit's own, and how exactly feet are brought to their places."""

    degrees: float = 1.0  # usual deviation of joints (equation 16)
    root: float = 0.01  # metres, usual deviation of the root
    feet: float = 0.001  # metres, usual deviation of resting ankles
    soles: float = 0.002  # metres, usual deviation of the heights of heels and balls of feet that rest
    air: float = 0.005  # metres, the same of feet in the air
    fade: float = 0.25  # seconds around a step over which the rest of its change fades
    weights: tuple[float, ...] = (1.0, 0.1, 0.01)  # of the prior, tried in turn
    iterations: int = 30


DEFAULT = PriorSettings()


@dataclass(frozen=True, eq=False)
class RetargetTask:
    """Everything about one motion that does not change from try to try."""

    source: Motion
    kit: Retargeted
    prior: DynamicPrior
    contacts: np.ndarray
    plan: RetargetMap
    retargeting: RetargetSettings
    settings: PriorSettings
    steps: list[Step]
    heels: np.ndarray
    step: int  # frames of the motion for each frame of the model
    coordinates: np.ndarray  # (T, d) of the source's poses on the target, where the kit has the root
    reference: Reference  # in all frames: what the subspace does not show of them

    @staticmethod
    def of(
        source: Motion,
        kit: Retargeted,
        prior: DynamicPrior,
        contacts: np.ndarray,
        retargeting: RetargetSettings,
        settings: PriorSettings,
    ) -> "RetargetTask":
        motion, codec = kit.motion, prior.pose_vectors
        if motion.skeleton != codec.skeleton:
            raise SkeletonMismatch(f"the prior is of '{codec.skeleton.name}', the motion of '{motion.skeleton.name}'")
        step = round(motion.fps / prior.fps)
        if abs(step * prior.fps - motion.fps) > 1e-6 * motion.fps:
            raise BadInput(f"a prior at {prior.fps:g} frames per second for a motion at {motion.fps:g}; learn it again")
        if motion.n_frames <= 2 * step:
            raise BadInput(f"a motion of {motion.n_frames} frames is too short for a prior at {prior.fps:g} per second")
        points = foot_points(source, kit.floor_height)
        steps = find_steps(points, contacts, kit.report.scale)
        heels = heel_offsets(motion, kit.floor_height, kit.footing.ground)
        plan = plan_retarget(source.skeleton, motion.skeleton, learn_bends(source))
        carried = _carried(source, kit, plan, retargeting)
        coordinates, reference = _split(carried, prior, step, kit.floor_height)
        return RetargetTask(
            source, kit, prior, contacts, plan, retargeting, settings, steps, heels, step, coordinates, reference
        )

    @property
    def basis(self) -> Basis:
        return Basis(len(self.coordinates))

    @property
    def _frames(self) -> np.ndarray:
        """(T,) frames of the motion that the frames of the model show; the last may be beyond it."""
        return np.arange(len(self.coordinates)) * self.step

    def solve(self, weight: float, stop: Stop | None, progress: Progress | None) -> tuple[np.ndarray, int]:
        """(T, d + 3) knots, and the iterations that it took."""
        frames, reference = self._frames, self.reference
        shown = Reference(reference.vectors[frames], reference.places[frames], self._still(frames))
        times = np.arange(len(frames), dtype=float)
        problem = Problem(self.prior, self.basis, times, shown, tuple(self._terms(shown)), weight)
        knots = self.basis.fit(np.concatenate([self.coordinates, np.zeros((len(frames), 3))], axis=1))
        iterations = 0
        for descent in descend(problem, knots, most=self.settings.iterations):
            knots, iterations = descent.knots, descent.iterations
            check_stop(stop)
            if progress is not None:
                progress(iterations, self.settings.iterations)
        return knots, iterations

    def _terms(self, shown: Reference) -> Iterator[Term]:
        """Poses as the source has them, the root as the kit has it (equation 16); feet at their places."""
        settings, codec = self.settings, self.prior.pose_vectors
        rows, columns = np.arange(len(self.coordinates)), np.arange(N_GROUND, codec.size)
        own = shown.vectors + self.coordinates @ self.prior.subspace.directions.T
        deviations = np.full(len(columns), np.radians(settings.degrees))
        deviations[columns == HEIGHT_AT] = HEIGHT * settings.root
        yield PoseTerm(rows, columns, own[:, columns], deviations)
        root = np.array([settings.root, settings.root, np.radians(settings.degrees)])
        yield PlaceTerm(rows, shown.places, root)
        floor = np.array([0.0, self.kit.floor_height, 0.0])  # vectors count heights from the floor
        for side, goal in self._ankle_goals().items():
            used = np.flatnonzero(np.isin(self._frames, goal.frames))
            ankle = Spot(self.kit.motion.skeleton.index(f"{side}_foot"))
            wanted = goal.positions[np.searchsorted(goal.frames, self._frames[used])]
            yield PointTerm(used, ankle, wanted - floor, np.full(3, settings.feet))
            yield from self._heights(side, np.isin(self._frames, goal.frames), floor)

    def _heights(self, side: str, rests: np.ndarray, floor: np.ndarray) -> Iterator[Term]:
        """Heel and ball of a foot as high as the kit has them, wherever that is: feet in the air clear the floor."""
        skeleton, heel = self.kit.motion.skeleton, self.heels[SIDES.index(side)]
        spots = [Spot(skeleton.index(f"{side}_foot"), tuple(heel.tolist()))]
        if skeleton.has(f"{side}_ball"):
            spots.append(Spot(skeleton.index(f"{side}_ball")))
        frames = np.minimum(self._frames, self.source.n_frames - 1)
        deviations = np.full((len(frames), 3), np.inf)
        deviations[:, 1] = np.where(rests, self.settings.soles, self.settings.air)
        for spot, column in zip(spots, columns_of(side)):
            yield PointTerm(np.arange(len(frames)), spot, self._points[frames, column] - floor, deviations)

    @cached_property
    def _points(self) -> np.ndarray:
        """(F, 4, 3) metres, world: heels and balls of the kit's own motion."""
        return foot_points(self.kit.motion, self.kit.floor_height, heels=self.heels)

    def _ankle_goals(self) -> dict[str, AnkleGoal]:
        return find_goals(self.kit.motion, self._points, self.contacts, self.steps)

    def motion(self, knots: np.ndarray) -> Motion:
        """The F frames of a solution."""
        n_frames, size = self.source.n_frames, self.prior.size
        values = curve_values(self.basis.rows(np.arange(n_frames) / self.step), knots)
        shown = self.reference.vectors[:n_frames], self.reference.places[:n_frames]
        vectors = shown[0] + values[:, :size] @ self.prior.subspace.directions.T
        made = self.prior.pose_vectors.decode(vectors, shown[1] + values[:, size:], self._still(np.arange(n_frames)))
        root = made.root_positions + np.array([0.0, self.kit.floor_height, 0.0])
        return replace(made, root_positions=root, fps=self.source.fps)

    def _still(self, frames: np.ndarray) -> np.ndarray:
        return np.asarray(self.kit.motion.local_rotations, float)[np.minimum(frames, self.source.n_frames - 1)]

    def finish(self, motion: Motion) -> Motion:
        """Legs reach the places of their feet, hands touch what they touched, jolts are calmed."""
        motion = reach_places(motion, self._ankle_goals(), self.settings.fade)
        motion = raise_feet(motion, self._depths(motion))
        floor, rules = self.kit.floor_height, self.retargeting
        if has_hands(self.plan) and (rules.keep_touches or rules.hands != "body"):
            motion = place_hands(self.source, motion, self.plan, floor, self.kit.report.scale, rules).motion
        points = foot_points(motion, floor, heels=self.heels)
        return calm_spikes(self.source, motion, HeldFeet.of(motion, self.contacts, points))

    def _depths(self, motion: Motion) -> np.ndarray:
        """(F, 2) metres that feet are in what is under them, and deeper than the kit has them."""
        points = foot_points(motion, self.kit.floor_height, heels=self.heels)
        own, above = (
            each[..., 1] - self.kit.footing.under(np.nan_to_num(each), self.contacts) for each in (self._points, points)
        )
        depths = np.nan_to_num(np.minimum(own, 0.0) - above)  # (F, 4)
        return np.stack([depths[:, columns_of(side)].max(axis=1) for side in SIDES], axis=1).clip(min=0.0)

    def compare(self, motion: Motion) -> tuple[Yardstick, ...]:
        """The yardsticks of a motion beside the kit's own."""
        return compare(
            self.source,
            self.kit.motion,
            motion,
            steps=self.steps,
            contacts=self.contacts,
            plan=self.plan,
            heels=self.heels,
            floor_height=self.kit.floor_height,
            touch=self.retargeting.touch,
        )

    def unlikeliness(self, motion: Motion) -> float:
        """Minus the logarithm of the prior per frame of the model."""
        coordinates, _ = _split(motion, self.prior, self.step, self.kit.floor_height)
        return self.prior.energy(coordinates) / len(coordinates)


def _carried(source: Motion, kit: Retargeted, plan: RetargetMap, retargeting: RetargetSettings) -> Motion:
    """The poses of the source on the target, before feet were planted, with the root of the kit's own motion."""
    bare = replace(retargeting, plant=False, keep_touches=False, hands="body")
    scale, floor = kit.report.scale, kit.floor_height
    carried = retarget_motion(
        source, kit.motion.skeleton, floor_height=floor, settings=bare, scale=scale, plan=plan
    ).motion
    return replace(carried, root_positions=kit.motion.root_positions)


def _split(motion: Motion, prior: DynamicPrior, step: int, floor_height: float) -> tuple[np.ndarray, Reference]:
    """(T, d) coordinates of a motion, and what they leave of all frames up to the last one of the model."""
    codec = prior.pose_vectors
    on_floor = np.asarray(motion.root_positions, float) - np.array([0.0, floor_height, 0.0])
    motion = replace(motion, root_positions=on_floor, local_rotations=np.asarray(motion.local_rotations, float))
    n_model = -(-(motion.n_frames - 1) // step) + 1
    motion = led_on(motion, (n_model - 1) * step + 1)
    places, shown = find_places(motion), np.arange(n_model) * step
    speeds = codec.velocities(places[shown]) * codec.scales[:N_GROUND]
    ground = np.repeat(speeds, step, axis=0)[: motion.n_frames]
    poses = codec.poses(motion, places) * codec.scales[N_GROUND:]
    vectors = np.concatenate([ground, poses], axis=1)
    coordinates = prior.subspace.to_coordinates(vectors[shown])
    carried = curve_values(Basis(n_model).rows(np.arange(motion.n_frames) / step), Basis(n_model).fit(coordinates))
    return coordinates, Reference(vectors - carried @ prior.subspace.directions.T, places)
