"""The model: a view of takes, and how likely motions are by those of them that were chosen."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.assembly import Yardsticks, learn_yardsticks
from motionloom.conform import View
from motionloom.conform.base_view import take_of
from motionloom.conform.point_view import PointView
from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, foot_points, heel_offsets, rest_height
from motionloom.features.joint_limits import JointLimits
from motionloom.formats.atomic_write import replacing
from motionloom.methods.dynamics.prior.dynamic_prior import DynamicPrior, Vectors
from motionloom.methods.dynamics.prior.gaussian_mixture import GaussianMixture
from motionloom.methods.dynamics.prior.learning import LITTLE
from motionloom.methods.dynamics.prior.point_vectors import PointVectors
from motionloom.methods.dynamics.prior.pose_vectors import PoseVectors
from motionloom.methods.dynamics.prior.subspace import Subspace
from motionloom.methods.dynamics.request import Material, Settings
from motionloom.motion import Skeleton
from motionloom.motion.skeleton import SOLE_THICKNESS

BALLS = [column for column, point in enumerate(POINTS) if point.endswith("ball")]


@dataclass(frozen=True, eq=False)
class Model:
    """A prior, and the view whose takes requests may name."""

    view: View | PointView
    settings: Settings
    material: Material
    prior: DynamicPrior
    learnt_from: tuple[str, ...]  # motions of the view
    facts: Mapping[str, float] = field(default_factory=dict)  # of learning: frames, shares, likelihoods
    kept: dict[str, object] = field(default_factory=dict)  # takes that were retargeted with it, by their names

    @property
    def fps(self) -> float:
        """Frames per second of the motions to come."""
        return self.view.fps

    @property
    def step(self) -> int:
        """Frames of a motion for each frame of the model."""
        return round(self.view.fps / self.prior.fps)

    @property
    def is_persistent(self) -> bool:
        """Whether its matrices were pulled towards persistence: for want of frames, or because points hold poses."""
        return self.facts.get("persistence", 0.0) > 0

    @property
    def has_little_data(self) -> bool:
        """Whether that was for want of frames."""
        return self.is_persistent and not self.is_of_points

    @property
    def is_of_points(self) -> bool:
        """Whether it is of points on a head, instead of a body."""
        return isinstance(self.view, PointView)

    @property
    def bodies(self) -> View:
        """The view of bodies."""
        assert isinstance(self.view, View)
        return self.view

    @property
    def points(self) -> PointView:
        """The view of points."""
        assert isinstance(self.view, PointView)
        return self.view

    @property
    def skeleton(self) -> Skeleton:
        return self.bodies.skeleton

    @property
    def names(self) -> tuple[str, ...]:
        """Of joints, or of points."""
        return self.points.markers if self.is_of_points else self.skeleton.names

    @cached_property
    def heels(self) -> np.ndarray:
        """(2, 3) metres in the frames of the ankles: heels when feet rest on the floor."""
        own = np.array([heel_offsets(self.bodies.motion(name), 0.0) for name in self.learnt_from[:12]])
        return np.nanmedian(own, axis=0)

    @cached_property
    def ball_height(self) -> float:
        """Metres of the balls of feet above what they rest on."""
        skeleton, heights = self.skeleton, list[float]()
        for name in self.learnt_from[:12]:
            motion = self.bodies.motion(name)
            points = foot_points(motion, 0.0)
            found = [rest_height(points[:, column], motion.fps, 0.0) for column in BALLS]
            heights += [height for height in found if height is not None]
        return float(np.median(heights)) if heights and skeleton.leg_length else SOLE_THICKNESS

    @cached_property
    def yardsticks(self) -> Yardsticks:
        """Of the recordings; learnt when they are first wanted."""
        return learn_yardsticks(self.bodies)

    @property
    def limits(self) -> JointLimits:
        return self.yardsticks.limits

    def describe(self) -> str:
        """What a person wants to know about it."""
        data, what = self.to_data(), "points" if self.is_of_points else "joints that move"
        lines = [
            f"{data['frames']} frames at {data['fps']:g} per second ({data['seconds']:.1f} s) of {data['motions']} "
            f"motions of {data['takes']} takes, {data['joints']} {what}",
            f"d_x {data['dimensions']}: {data['dimensions']} of {data['numbers']} dimensions hold "
            f"{100 * data['variance']:.2f} % of the variance",
            f"d_u {data['controls']}, m {data['order']}, Gaussians {data['gaussians']}",
        ]
        if data["likelihoods"]:
            found = ", ".join(f"{n}: {value:.3f}" for n, value in enumerate(data["likelihoods"], start=1))
            lines.append(f"mean log-likelihood of held-out motions by the number of Gaussians: {found}")
        if self.has_little_data:
            lines.append(
                f"little data: fewer than {data['enough_frames']} frames, so the next pose is pulled towards the last "
                "one, and the differences of given keys count as likely"
            )
        elif self.is_persistent:
            lines.append("the next pose is pulled towards the last one; differences of given keys count as likely")
        lines += self._describe_points() if self.is_of_points else []
        return "\n".join(lines)

    def _describe_points(self) -> list[str]:
        """What a person wants to know about what was learnt from takes of points."""
        facts = self.facts
        filled, left_out = round(facts.get("filled", 0)), round(facts.get("left_out", 0))
        lines, people = [self.points.describe_head()], self.points.people.count
        if people > 1:
            lines.append(f"faces of {people} people; what is learnt is how they move, on a face of one shape")
        if self.material.prior.mirrored:
            is_so = "and their mirror images" if facts.get("mirrored") else "alone: the points are not symmetrical"
            lines.append(f"learnt from the takes {is_so}")
        if filled or left_out:
            lines.append(f"{filled} short gaps filled to learn from; {left_out} frames with longer ones left out")
        return lines

    def to_data(self) -> dict[str, Any]:
        """What was learnt, as plain data."""
        prior, facts = self.prior, self.facts
        likelihoods = [facts[name] for name in sorted(facts) if name.startswith("likelihood_")]
        return {
            "takes": len({take_of(name) for name in self.learnt_from}),
            "motions": len(self.learnt_from),
            "frames": round(facts["frames"]),
            "enough_frames": LITTLE * prior.order * prior.size,
            "has_little_data": self.has_little_data,
            "seconds": facts["frames"] / prior.fps,
            "fps": prior.fps,
            "joints": len(self.names) if self.is_of_points else len(self.prior.pose_vectors.joints),
            "numbers": prior.vectors.size,
            "dimensions": prior.size,
            "variance": prior.subspace.share,
            "order": prior.order,
            "controls": round(facts["controls"]),
            "gaussians": prior.noise.size,
            "likelihoods": likelihoods,
        }

    def is_same(self, other: "Model") -> bool:
        """Whether a search finds the same with both."""
        mine, theirs = arrays_of(self.prior), arrays_of(other.prior)
        same = (self.view.key, self.view.names, self.settings) == (other.view.key, other.view.names, other.settings)
        return same and all(np.array_equal(mine[name], theirs[name]) for name in mine)

    def save(self, path: str | Path) -> None:
        """Write the arrays to a file."""
        about = {
            "view": self.view.key,
            "names": self.view.names,
            "fps": self.prior.fps,
            "learnt_from": self.learnt_from,
            "facts": dict(self.facts),
        }
        with replacing(path) as temporary, temporary.open("wb") as file:
            text = np.frombuffer(json.dumps(about).encode(), np.uint8)
            np.savez(file, model=text, **arrays_of(self.prior))  # type: ignore[arg-type]

    @staticmethod
    def load(path: str | Path, view: View | PointView, settings: Settings | None = None) -> "Model":
        """Read what `save` wrote, for the same view."""
        with np.load(path, allow_pickle=False) as archive:
            about = json.loads(bytes(archive["model"]))
            if about["view"] != view.key or tuple(about["names"]) != view.names:
                raise BadInput(f"{path} was made from another view; learn the model again")
            arrays = {name: archive[name] for name in archive.files if name != "model"}
        prior = prior_of(arrays, view, about["fps"])
        return Model(
            view, settings or Settings(), Material(fps=view.fps), prior, tuple(about["learnt_from"]), about["facts"]
        )


def arrays_of(prior: DynamicPrior) -> dict[str, np.ndarray]:
    """A prior as arrays; `prior_of` is the inverse."""
    return {
        **_arrays_of_vectors(prior.vectors),
        "directions": prior.subspace.directions,
        "middle": prior.subspace.middle,
        "variances": prior.subspace.variances,
        "transitions": prior.transitions,
        "noise_weights": prior.noise.weights,
        "noise_means": prior.noise.means,
        "noise_covariances": prior.noise.covariances,
        "start_mean": prior.start_mean,
        "start_precision": prior.start_precision,
        **({"poses": prior.poses} if len(prior.poses) else {}),
    }


def _arrays_of_vectors(vectors: Vectors) -> dict[str, np.ndarray]:
    if isinstance(vectors, PointVectors):
        return {"scale": np.array([vectors.scale]), "means": vectors.means}
    return {"joints": vectors.joints, "means": vectors.means}


def prior_of(arrays: Mapping[str, Any], view: View | PointView, fps: float) -> DynamicPrior:
    """A prior back from arrays."""
    floats = {name: np.array(values, float) for name, values in arrays.items() if name != "joints"}
    vectors: Vectors
    if isinstance(view, PointView):
        vectors = PointVectors(view.markers, fps, floats["means"], float(floats["scale"][0]))
    else:
        vectors = PoseVectors(view.skeleton, fps, np.array(arrays["joints"], int), floats["means"])
    return DynamicPrior(
        vectors,
        Subspace(floats["directions"], floats["middle"], floats["variances"]),
        floats["transitions"],
        GaussianMixture(floats["noise_weights"], floats["noise_means"], floats["noise_covariances"]),
        floats["start_mean"],
        floats["start_precision"],
        poses=floats.get("poses", np.zeros((0, 0))),
    )
