"""Small valid files of every format, made here: what mutations begin with."""

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from motionloom import formats
from motionloom.formats import Source
from motionloom.methods.snap.graph.hub_graph import Action, Clip, HubGraph, Node
from motionloom.methods.snap.graph.hubs_file import hubs_bytes
from motionloom.motion import Box, Motion, PointMotion, Skeleton, Support, rotations
from motionloom.motion.footing import COLUMNS

BVH = b"""HIERARCHY
ROOT Hips
{
 OFFSET 0 0 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
 JOINT LeftUpLeg
 {
  OFFSET 1 -2.5 0
  CHANNELS 3 Zrotation Yrotation Xrotation
  End Site
  {
   OFFSET 0 -7 0
  }
 }
 JOINT Head
 {
  OFFSET 0 9 0
  CHANNELS 4 Xposition Zrotation Yrotation Xrotation
 }
}
MOTION
Frames: 3
Frame Time: 0.0083333
1 17 2 10 20 30 1 2 3 0 4 5 6
1 17 2 11 21 31 2 3 4 0 5 6 7
1 17 2.5e0 12 22 32 3 4 5 0 6 7.25 8
"""

ASF = b""":version 1.10
:units
 length 0.45
 angle deg
:root
 order TX TY TZ RX RY RZ
 axis XYZ
 position 0 0 0
 orientation 0 0 0
:bonedata
 begin
  name back
  direction 0 1 0
  length 5.5
  axis 0 0 20 XYZ
  dof rx ry tx l
  limits (-20 45)
         (-30 30)
         (-inf inf)
         (0 1)
 end
 begin
  name head
  direction 0 1 0
  length 2
  axis 0 0 0 ZYX
  dof rx
 end
:hierarchy
 begin
  root back
  back head
 end
"""

AMC = b""":FULLY-SPECIFIED
:DEGREES
1
root 0 17.5 0 0 0 0
back 1 2 0 0
head 3
2
root 0 17 0 1 1 1
back 2 3 0 1
head 4.5
"""

CSV = b"""take,label,start,stop,source
walk,walk,0,4,user
walk,"turn, left",2,6,anna
walk,idle,6,8,user
"""

CURVES = b"""Timecode,BlendShapeCount,EyeBlinkLeft,EyeBlinkRight,JawOpen,HeadYaw
16:55:51:58.453,4,0.1824302822,0.1832505763,0.0318495780,-0.0666924417
16:55:52:00.453,4,0.1838173866,0.1846435666,0.0313495780,-0.0158433933
16:55:52:02.453,0,,,,
16:55:52:04.452,4,0.1839611381,0.1847852618,0.0308495780,0.0015507631
"""
TRC = b"""PathFileType\t4\t(X/Y/Z)\ta.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
100\t100\t3\t2\tmm\t100\t1\t3
Frame#\tTime\tC7\t\t\tLANK\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

1\t0.00\t10.5\t1500\t-3\t12\t80\t4
2\t0.01\t10.6\t1501\t-3\t\t\t
3\t0.02\t10.7\t1502\t-3\t13\t80\t4.25
"""

YAML = b"""length: 4s
labels:
  - {label: walk, from: start, to: 2s}
  - {label: turn, from: 2.5s, to: end, value: must_not}
places:
  - {at: end, position: [1.5, 2.0], heading: 90}
frames:
  - {at: 1s, take: walk, frame: 3}
fps: 60
"""


def make_skeleton() -> Skeleton:
    offsets = np.array([(0, 0, 0), (0, 0.5, 0), (0, 0.2, 0), (0.1, -0.45, 0), (-0.1, -0.45, 0)])
    names = ("Hips", "Spine", "Head", "LeftFoot", "RightFoot")
    return Skeleton(
        names, np.array([-1, 0, 1, 0, 0]), offsets, np.array([2]), np.array([[0, 0.2, 0]]), name="stick figure"
    )


def make_motion(n_frames: int = 8, fps: float = 60.0) -> Motion:
    rng = np.random.default_rng(3)
    skeleton = make_skeleton()
    turns = rotations.exp(rng.normal(scale=0.4, size=(n_frames, skeleton.n_joints, 3)))
    return Motion(skeleton, rng.normal(size=(n_frames, 3)) + np.array([0, 1, 0]), turns, fps)


def make_points() -> PointMotion:
    positions = np.random.default_rng(4).normal(size=(6, 3, 3))
    positions[2, 1] = np.nan  # a marker that was not seen
    return PointMotion(("brow", "chin", "nose tip"), positions, 100.0)


def npz_file(motion: Motion | PointMotion) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "seed.npz"
        formats.write(path, motion, Source("seed.bvh", "bvh", "0123", 60.0, 0.01, rotation_orders=("ZYX",) * 5))
        return path.read_bytes()


def make_hub_graph() -> HubGraph:
    """Two hubs, a clip from each to the other, one that leads back, and the start and end of a take."""
    return _graph_of(())


def make_stepped_graph() -> HubGraph:
    """The same graph, with clips that stand on a step, on a stone for some of their frames, and on a rung."""
    step, stone, rung = (
        Box((0.1, 0.2), (0.3, 0.2), 0.4, 0.15, 0.0),
        Box((1.0, -0.5), (0.1, 0.15), -2.0, 0.4, 0.0),
        Box((0.0, 0.3), (0.25, 0.02), 1.0, 0.6, 0.57),
    )
    placed = ((0, Support(step, 0, 6)), (0, Support(stone, 3, 5)), (2, Support(step, 0, 4)), (4, Support(rung, 1, 7)))
    return _graph_of(placed)


def _graph_of(supports: Sequence[tuple[int, Support]]) -> HubGraph:
    rng = np.random.default_rng(5)
    skeleton = make_skeleton()
    nodes = [
        Node("stand", "hub", (True, True, False, False)),
        Node("walk", "hub"),
        Node("in", "start"),
        Node("out", "end"),
    ]
    edges, lengths = [(0, 1), (1, 0), (0, 0), (2, 0), (1, 3)], [6, 5, 4, 3, 7]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    clips = [
        Clip(f"clip {k}", a, b, "take", 100 * k, 100 * k + n, {"walk": 1.0, "turn": 0.25})
        for k, ((a, b), n) in enumerate(zip(edges, lengths))
    ]
    return HubGraph(
        skeleton,
        60.0,
        tuple(nodes),
        tuple(clips),
        _random_frames(rng, int(starts[-1]), skeleton.n_joints),
        starts,
        rng.random((int(starts[-1]), 4)) < 0.5,
        _random_frames(rng, 6, skeleton.n_joints).reshape(2, 3, -1),
        rng.normal(size=(len(clips), 3)),
        (Action("walk", (0, 1)), Action("turn", (2,))),
        np.array([[clip, *support.to_row()] for clip, support in supports], float).reshape(-1, 1 + len(COLUMNS)),
    )


def _random_frames(rng: np.random.Generator, n_frames: int, n_joints: int) -> np.ndarray:
    turns = rotations.exp(rng.normal(scale=0.4, size=(n_frames, n_joints, 3)))
    return np.concatenate([rng.normal(size=(n_frames, 3)), turns.reshape(n_frames, -1)], axis=1).astype(np.float32)


@cache
def point_files() -> dict[str, bytes]:
    """A marker table, a TRC file and a C3D file, each with a gap."""
    points, source = make_points(), Source("", "c3d", "", 60.0, 0.001, up="z")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.csv", "a.c3d"):
            formats.write(Path(folder) / name, points, source)
        table, c3d = (Path(folder) / "a.csv").read_bytes(), (Path(folder) / "a.c3d").read_bytes()
    return {"markers": table, "trc": TRC, "c3d": c3d}


def make_seeds() -> dict[str, tuple[bytes, ...]]:
    """Valid files by kind, see `mutations.KINDS`."""
    return {
        "bvh": (BVH,),
        "asf": (ASF,),
        "amc": (AMC,),
        "csv": (CSV,),
        "yaml": (YAML,),
        "npz": (npz_file(make_motion()), npz_file(make_points())),
        **{kind: (content,) for kind, content in point_files().items()},
        "hubs": (hubs_bytes(make_hub_graph()), hubs_bytes(make_stepped_graph())),
        "curves": (CURVES,),
    }
