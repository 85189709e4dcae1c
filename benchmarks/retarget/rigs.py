"""Skeletons to retarget to, with proportions of our own: an A-pose body of 65 joints, one with twist joints, a child.

They are made like those of common animation tools: names, chains, rest poses and helpers, not their measures.
"""

import numpy as np

from motionloom.motion import Skeleton

FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")
CHILD_HEIGHT = 1.1  # metres


class _Builder:
    """Joints added one after the other, by name."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.parents: list[int] = []
        self.offsets: list[tuple[float, float, float]] = []
        self.ends: list[tuple[int, tuple[float, float, float]]] = []

    def add(self, name: str, parent: str | None, x: float, y: float, z: float) -> str:
        self.names.append(name)
        self.parents.append(-1 if parent is None else self.names.index(parent))
        self.offsets.append((x, y, z))
        return name

    def end(self, name: str, x: float, y: float, z: float) -> None:
        self.ends.append((self.names.index(name), (x, y, z)))

    def build(self, name: str, roles: dict[str, str] | None = None) -> Skeleton:
        order = self._depth_first()
        place = {old: new for new, old in enumerate(order)}
        parents = [-1 if self.parents[old] < 0 else place[self.parents[old]] for old in order]
        ends = [(place[joint], offset) for joint, offset in self.ends]
        return Skeleton(
            tuple(self.names[old] for old in order),
            np.array(parents),
            np.array([self.offsets[old] for old in order]),
            np.array([joint for joint, _ in ends], int),
            np.array([offset for _, offset in ends]).reshape(-1, 3),
            roles or {},
            name,
        )

    def _depth_first(self) -> list[int]:
        order: list[int] = []

        def visit(joint: int) -> None:
            order.append(joint)
            for child, parent in enumerate(self.parents):
                if parent == joint:
                    visit(child)

        visit(0)
        return order


def a_pose_rig() -> Skeleton:
    """65 joints: three of the spine, one of the neck, clavicles, fingers of four joints each; arms 42 degrees down."""
    rig, prefix = _Builder(), "mixamorig:"
    rig.add(f"{prefix}Hips", None, 0, 0, 0)
    rig.add(f"{prefix}Spine", f"{prefix}Hips", 0, 0.095, -0.012)
    rig.add(f"{prefix}Spine1", f"{prefix}Spine", 0, 0.115, -0.004)
    rig.add(f"{prefix}Spine2", f"{prefix}Spine1", 0, 0.13, -0.002)
    rig.add(f"{prefix}Neck", f"{prefix}Spine2", 0, 0.15, 0.008)
    rig.add(f"{prefix}Head", f"{prefix}Neck", 0, 0.085, 0.024)
    rig.add(f"{prefix}HeadTop_End", f"{prefix}Head", 0, 0.185, 0.02)
    down, spread = np.radians(42.0), np.radians(4.0)
    for side, out in (("Left", 1.0), ("Right", -1.0)):
        name = f"{prefix}{side}"
        along = np.array([out * np.cos(down), -np.sin(down), 0.0])
        rig.add(f"{name}Shoulder", f"{prefix}Spine2", out * 0.058, 0.112, 0.0)
        rig.add(f"{name}Arm", f"{name}Shoulder", out * 0.125, -0.01, -0.015)
        rig.add(f"{name}ForeArm", f"{name}Arm", *(0.272 * along))
        rig.add(f"{name}Hand", f"{name}ForeArm", *(0.252 * along))
        for number, finger in enumerate(FINGERS):
            start = 0.03 * along if finger == "Thumb" else 0.095 * along
            start = start + np.array([0.0, 0.0, 0.036 - 0.018 * number])
            rig.add(f"{name}Hand{finger}1", f"{name}Hand", *start)
            for joint in (2, 3, 4):
                rig.add(f"{name}Hand{finger}{joint}", f"{name}Hand{finger}{joint - 1}", *(0.027 * along))
        leg = np.array([out * np.sin(spread), -np.cos(spread), 0.0])
        rig.add(f"{name}UpLeg", f"{prefix}Hips", out * 0.092, -0.055, 0.0)
        rig.add(f"{name}Leg", f"{name}UpLeg", *(0.405 * leg))
        rig.add(f"{name}Foot", f"{name}Leg", *(0.42 * leg))
        rig.add(f"{name}ToeBase", f"{name}Foot", out * 0.012, -0.082, 0.135)
        rig.add(f"{name}Toe_End", f"{name}ToeBase", 0, 0.0, 0.07)
    return rig.build("a_pose")


def twist_rig() -> Skeleton:
    """A body below a root on the floor, five joints of the spine, two of the neck, twist joints beside the bones.

    As read from a file with z up, which readers turn: arms 55 degrees down, elbows and knees slightly bent.
    """
    rig = _Builder()
    rig.add("root", None, 0, 0, 0)
    rig.add("pelvis", "root", 0, 0.965, 0.01)
    above = "pelvis"
    for number, offset in enumerate(
        ((0, 0.03, -0.01), (0, 0.08, 0.012), (0, 0.085, 0.0), (0, 0.09, -0.012), (0, 0.11, -0.02))
    ):
        above = rig.add(f"spine_0{number + 1}", above, *offset)
    rig.add("neck_01", "spine_05", 0, 0.135, 0.012)
    rig.add("neck_02", "neck_01", 0, 0.05, 0.012)
    rig.add("head", "neck_02", 0, 0.052, 0.012)
    rig.end("head", 0, 0.19, 0.01)
    for side, out in (("l", 1.0), ("r", -1.0)):
        _twist_arm(rig, side, out)
        _twist_leg(rig, side, out)
    for helper in ("ik_foot_root", "ik_hand_root"):
        rig.add(helper, "root", 0, 0, 0)
    return rig.build("twist")


def _twist_arm(rig: _Builder, side: str, out: float) -> None:
    upper, lower = np.radians(55.0), np.radians(48.0)
    along = np.array([out * np.cos(upper), -np.sin(upper), -0.06])
    below = np.array([out * np.cos(lower), -np.sin(lower), 0.22])
    rig.add(f"clavicle_{side}", "spine_05", out * 0.02, 0.095, 0.01)
    rig.add(f"upperarm_{side}", f"clavicle_{side}", out * 0.15, -0.005, -0.02)
    rig.add(f"lowerarm_{side}", f"upperarm_{side}", *(0.29 * along))
    rig.add(f"hand_{side}", f"lowerarm_{side}", *(0.265 * below))
    for number in (1, 2):
        rig.add(f"upperarm_twist_0{number}_{side}", f"upperarm_{side}", *(0.29 * along * number / 3))
        rig.add(f"lowerarm_twist_0{number}_{side}", f"lowerarm_{side}", *(0.265 * below * (1 - number / 3)))
    for number, finger in enumerate(FINGERS):
        start = below * (0.03 if finger == "Thumb" else 0.1) + np.array([0.0, 0.0, 0.03 - 0.017 * number])
        rig.add(f"{finger.lower()}_01_{side}", f"hand_{side}", *start)
        for joint in (2, 3):
            rig.add(f"{finger.lower()}_0{joint}_{side}", f"{finger.lower()}_0{joint - 1}_{side}", *(0.03 * below))


def _twist_leg(rig: _Builder, side: str, out: float) -> None:
    rig.add(f"thigh_{side}", "pelvis", out * 0.1, -0.02, -0.005)
    rig.add(f"calf_{side}", f"thigh_{side}", out * 0.025, -0.43, 0.03)
    rig.add(f"foot_{side}", f"calf_{side}", out * 0.02, -0.41, -0.045)
    rig.add(f"ball_{side}", f"foot_{side}", out * 0.018, -0.085, 0.155)
    rig.end(f"ball_{side}", 0, 0, 0.06)
    rig.add(f"thigh_twist_01_{side}", f"thigh_{side}", out * 0.012, -0.215, 0.015)
    rig.add(f"calf_twist_01_{side}", f"calf_{side}", out * 0.01, -0.205, -0.022)


def child_rig() -> Skeleton:
    """A child of 1.1 m: a large head, short legs and arms, which hang down; one joint of the spine."""
    rig = _Builder()
    rig.add("Hips", None, 0, 0, 0)
    rig.add("Spine", "Hips", 0, 0.1, -0.005)
    rig.add("Neck", "Spine", 0, 0.185, 0.0)
    rig.add("Head", "Neck", 0, 0.06, 0.01)
    rig.end("Head", 0, 0.19, 0.01)
    for side, out in (("Left", 1.0), ("Right", -1.0)):
        rig.add(f"{side}Collar", "Spine", out * 0.03, 0.15, 0.0)
        rig.add(f"{side}Shoulder", f"{side}Collar", out * 0.085, -0.005, -0.01)
        rig.add(f"{side}Elbow", f"{side}Shoulder", out * 0.02, -0.175, -0.01)
        rig.add(f"{side}Wrist", f"{side}Elbow", out * 0.015, -0.155, 0.02)
        rig.end(f"{side}Wrist", out * 0.01, -0.1, 0.02)
        rig.add(f"{side}Hip", "Hips", out * 0.065, -0.035, 0.0)
        rig.add(f"{side}Knee", f"{side}Hip", out * 0.005, -0.225, 0.005)
        rig.add(f"{side}Ankle", f"{side}Knee", out * 0.005, -0.215, -0.01)
        rig.add(f"{side}Toe", f"{side}Ankle", out * 0.005, -0.055, 0.09)
        rig.end(f"{side}Toe", 0, 0, 0.04)
    return rig.build("child")


RIGS = {"a_pose": a_pose_rig, "twist": twist_rig, "child": child_rig}
