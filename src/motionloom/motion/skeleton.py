"""Skeleton: names, parents, rest offsets and roles of joints."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion.roles import LIMB_ROLES, ROLES, find_roles, pair_sides

HEEL_SETBACK = 0.25  # distance of the heel behind the ankle, relative to the length from ankle to ball
SOLE_THICKNESS = 0.01  # metres from the ball joint down to the floor when the foot rests


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A hierarchy of joints with rigid bones, sorted so that every parent comes before its children."""

    names: tuple[str, ...]  # J joint names, unique
    parents: np.ndarray  # (J,) int, -1 for the root, which is joint 0
    offsets: np.ndarray  # (J, 3) metres in the parent's frame; the root's own offset is not used
    end_parents: np.ndarray = field(default_factory=lambda: np.zeros(0, int))  # (E,) joints with an end site
    end_offsets: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (E, 3) metres in that joint's frame
    roles: Mapping[str, str] = field(default_factory=dict)  # role -> joint name; recognised by name if empty
    name: str = "skeleton"

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        for attribute, dtype in (("parents", int), ("offsets", float), ("end_parents", int), ("end_offsets", float)):
            array = np.array(getattr(self, attribute), dtype=dtype)
            array.setflags(write=False)
            object.__setattr__(self, attribute, array)
        _check(self)
        object.__setattr__(self, "roles", dict(self.roles) or find_roles(self.names, self.parents))
        known = set(self.names)
        unknown = [f"{role} = {joint}" for role, joint in self.roles.items() if joint not in known]
        if unknown:
            raise BadInput(
                f"skeleton '{self.name}': no such joint for {', '.join(unknown)}; known joints: {', '.join(self.names)}"
            )

    @property
    def n_joints(self) -> int:
        return len(self.names)

    def index(self, joint: str) -> int:
        """The index of a joint, by name or role."""
        name = self.roles.get(joint, joint)
        if name not in self._index:
            known = ", ".join(sorted(self.roles)) or "none"
            raise BadInput(f"no joint '{joint}'; joints: {', '.join(self.names)}; roles: {known}")
        return self._index[name]

    def has(self, *roles: str) -> bool:
        """Whether every one of these roles has a joint."""
        return all(role in self.roles for role in roles)

    def chain(self, joint: int) -> list[int]:
        """The joints from the root to this one, both included."""
        return list(self._chains[joint])

    @cached_property
    def _chains(self) -> tuple[tuple[int, ...], ...]:
        chains: list[tuple[int, ...]] = []
        for joint, parent in enumerate(self.parents.tolist()):
            chains.append((*(chains[parent] if parent >= 0 else ()), joint))
        return tuple(chains)

    def with_roles(self, roles: Mapping[str, str | None]) -> "Skeleton":
        """The skeleton with corrected roles: {"left_foot": "ankle_L"}; None removes a role."""
        unknown = sorted(set(roles) - set(ROLES))
        if unknown:
            raise BadInput(f"no role {', '.join(unknown)}; the roles are {', '.join(ROLES)}")
        corrected = {**self.roles, **roles}
        return replace(self, roles={role: joint for role, joint in corrected.items() if joint is not None})

    def scaled(self, factor: float) -> "Skeleton":
        """The skeleton with all bones scaled by a factor."""
        return replace(self, offsets=self.offsets * factor, end_offsets=self.end_offsets * factor)

    @cached_property
    def rest_positions(self) -> np.ndarray:
        """(J, 3) metres: joint positions in the rest pose, with the root at the origin."""
        positions = np.zeros((self.n_joints, 3))
        for joint in range(1, self.n_joints):
            positions[joint] = positions[self.parents[joint]] + self.offsets[joint]
        return positions

    @cached_property
    def mirror_indices(self) -> np.ndarray:
        """(J,) int: the counterpart of each joint on the other side, by name, else by role, or the joint itself."""
        pairs = pair_sides(self.names)
        for limb in LIMB_ROLES:
            if self.has(f"left_{limb}", f"right_{limb}"):
                left, right = self.index(f"left_{limb}"), self.index(f"right_{limb}")
                if pairs[left] == left and pairs[right] == right:
                    pairs[left], pairs[right] = right, left
        return pairs

    def bone(self, lower: str, upper: str) -> np.ndarray:
        """The bone from one joint to another below it, by role: (3,) metres in the rest pose.

        It passes over joints in between, such as twist joints. Without the upper joint it begins at the parent.
        """
        chain = self.chain(self.index(lower))
        first = chain.index(self.index(upper)) if self.has(upper) and self.index(upper) in chain[:-1] else -2
        return np.asarray(self.offsets[chain[first:][1:] or chain[-1:]].sum(axis=0))

    @cached_property
    def leg_length(self) -> float:
        """Length of thigh and shin in metres, mean of the known legs; 0 if there is none."""
        lengths = [
            float(
                np.linalg.norm(self.bone(f"{side}_knee", f"{side}_hip"))
                + np.linalg.norm(self.bone(f"{side}_foot", f"{side}_knee"))
            )
            for side in ("left", "right")
            if self.has(f"{side}_knee", f"{side}_foot")
        ]
        return float(np.mean(lengths)) if lengths else 0.0

    def heel_offset(self, side: str, rest_height: float | None = None) -> np.ndarray:
        """Offset of the heel, (3,) metres in the ankle's frame: below and slightly behind the ankle.

        Many skeletons have no heel joint. With the leg straight and the foot flat the shin points down, so the heel
        is the ankle's rest height along the shin and `HEEL_SETBACK` of the foot's length behind it.

        Args:
            side: "left" or "right".
            rest_height: metres from the ankle to the floor when the foot rests; None to derive it from the bones.
        """
        ankle = self.index(f"{side}_foot")
        shin = self.bone(f"{side}_foot", f"{side}_knee")
        down = shin / max(float(np.linalg.norm(shin)), 1e-9)
        to_ball = self._ball_offset(side, ankle)
        forward = to_ball - down * (to_ball @ down)
        height = to_ball @ down + SOLE_THICKNESS if rest_height is None else rest_height
        return down * max(height, SOLE_THICKNESS) - HEEL_SETBACK * forward

    def _ball_offset(self, side: str, ankle: int) -> np.ndarray:
        if self.has(f"{side}_ball"):
            return self.rest_positions[self.index(f"{side}_ball")] - self.rest_positions[ankle]
        ends = np.flatnonzero(self.end_parents == ankle)
        return self.end_offsets[ends[0]] if len(ends) else np.zeros(3)

    @cached_property
    def digest(self) -> str:
        """Digest of names, parents, roles and offsets."""
        h = hashlib.sha256(repr((self.names, sorted(self.roles.items()))).encode())
        for array in (self.parents, self.offsets, self.end_parents, self.end_offsets):
            h.update(np.ascontiguousarray(array).tobytes())
        return h.hexdigest()[:16]

    @cached_property
    def hierarchy_digest(self) -> str:
        """Digest of names and parents; takes with the same one can be conformed to one skeleton."""
        return hashlib.sha256(repr((self.names, self.parents.tolist())).encode()).hexdigest()[:16]

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Skeleton) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


def _check(skeleton: Skeleton) -> None:
    n = len(skeleton.names)
    if n == 0:
        raise BadInput("a skeleton needs at least one joint")
    if len(set(skeleton.names)) != n:
        twice = sorted(name for name, count in Counter(skeleton.names).items() if count > 1)
        raise BadInput(f"joint names must be unique; duplicates: {', '.join(twice)}")
    if skeleton.parents.shape != (n,) or skeleton.offsets.shape != (n, 3):
        raise BadInput(
            f"parents have shape {skeleton.parents.shape} and offsets {skeleton.offsets.shape}, expected ({n},) and "
            f"({n}, 3) for {n} names"
        )
    if skeleton.parents[0] != -1 or (skeleton.parents[1:] < 0).any() or (skeleton.parents >= np.arange(n)).any():
        raise BadInput("joint 0 must be the only root, and every parent must come before its children")
    if skeleton.end_offsets.shape != (len(skeleton.end_parents), 3):
        raise BadInput(
            f"end_offsets have shape {skeleton.end_offsets.shape}, expected ({len(skeleton.end_parents)}, 3)"
        )
    if not np.isfinite(skeleton.offsets).all() or not np.isfinite(skeleton.end_offsets).all():
        raise BadInput("a bone offset is not finite")
