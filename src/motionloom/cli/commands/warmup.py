"""`motionloom warmup`: compiles the numba kernels, so that the first command does not have to."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.console import echo, progress_bar

if TYPE_CHECKING:
    from motionloom.motion import Motion


def warmup() -> None:
    """Compile the numba kernels once, so that later commands start immediately."""
    start = time.perf_counter()
    with progress_bar("compiling") as progress:
        for done, step in enumerate(STEPS):
            step()
            progress(done + 1, len(STEPS))
    echo(f"ready after {time.perf_counter() - start:.1f} s")


def _kinematics() -> None:
    import numpy as np

    from motionloom.motion import kinematics

    motion = _small_motion()
    for dtype in (np.float32, np.float64):
        kinematics.forward(motion.skeleton, motion.root_positions.astype(dtype), motion.local_rotations.astype(dtype))


def _reading() -> None:
    import tempfile

    from motionloom import formats

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.bvh"
        formats.write(path, _small_motion())
        formats.read(path)
        (Path(folder) / "small.asf").write_text(SMALL_ASF)
        (Path(folder) / "small.amc").write_text(SMALL_AMC)
        formats.read(Path(folder) / "small.amc")


def _drawing() -> None:
    from motionloom import render
    from motionloom.motion import PointMotion, kinematics

    motion = _small_motion()
    render.draw_contact_sheet(motion)
    render.draw_contact_sheet(PointMotion(motion.skeleton.names, kinematics.world_positions(motion), motion.fps))


def _comparing() -> None:
    import numpy as np

    from motionloom import similarity
    from motionloom.similarity.slice_minima import find_slice_minima

    motions = similarity.stack([_small_motion(), _small_motion()])
    points = similarity.measure_points(motions.positions, motions.starts)
    angles = similarity.measure_angles(motions.local_rotations, motions.starts)
    features = similarity.measure_features(np.arange(32.0).reshape(16, 2), motions.starts)
    for measure in (points, angles, features):
        similarity.find_minima(measure, 0.1)
        similarity.find_neighbours(measure)
        find_slice_minima(measure, 0.1)
    similarity.warp_time(np.ones((3, 3)))


def _indexing() -> None:
    import numpy as np

    from motionloom import similarity
    from motionloom.similarity.index import build_index, update_index

    points = np.arange(300.0).reshape(150, 2) % 7
    index = build_index(similarity.measure_features(points[:100], [0, 50, 100]))
    update_index(index, [0, 1, -1], similarity.measure_features(points, [0, 50, 100, 150]))


def _merging() -> None:
    import numpy as np

    from motionloom.corpus._kernels import count_entries, merge_entries

    own = np.zeros(1, np.int64), np.ones((1, 1), bool), np.zeros(1, np.int64)
    for can_write in (True, False):  # lists that were made now, and mapped ones
        starts, frames, distances = np.array([0, 1]), np.zeros(1, np.int32), np.zeros(1, np.float32)
        for array in (frames, distances):
            array.setflags(write=can_write)
        count_entries(starts, frames, *own, np.zeros(1, np.int64))
        out = starts, np.zeros(1, np.int32), np.zeros(1, np.float32)
        merge_entries(starts, frames, distances, *own, np.zeros(1, np.int64), *out)


def _constraining() -> None:
    from motionloom.constraints import PositionTarget, solve_ik

    solve_ik(_small_motion(), [PositionTarget("left_foot", 3, (0.1, 0.2, 0.1))])


def _planting() -> None:
    import numpy as np

    from motionloom.constraints import plant_feet

    motion = _small_motion()
    plant_feet(motion, np.tile([True, False, False, False], (motion.n_frames, 1)))  # the left heel


def _retargeting() -> None:
    import numpy as np

    from motionloom.motion import Motion, rotations
    from motionloom.performer.body.skeleton import build_skeleton
    from motionloom.retarget import plan_retarget
    from motionloom.retarget.carried_rotations import carry_motion

    skeleton = build_skeleton()
    motion = Motion(skeleton, np.zeros((2, 3)), rotations.identity((2, skeleton.n_joints)), 60.0)
    carry_motion(motion, plan_retarget(skeleton, skeleton.scaled(2.0)), 0.0, 2.0)


def _stepping() -> None:
    import numpy as np

    from motionloom.methods.timeline.passes._kernels import cheapest_cuts, relax, relax_from_ends

    values, points = np.zeros(3, np.float32), np.zeros((3, 2), np.float32)
    lists = np.zeros((3, 1), np.int32), np.zeros((3, 1), np.float32)
    out, choice = np.zeros(2, np.float32), np.zeros(2, np.int32)
    relax(values, *lists, points, 0, (1.0, 1.0), values, 1.0, 0, out, choice)
    relax_from_ends(values, *lists, 2, (1.0, 1.0), 0, out, choice)
    cheapest_cuts(np.zeros(2), np.eye(2), np.eye(2), (1.0, 1.0), np.ones(2), np.zeros(2, np.int64))


def _choosing_blocks() -> None:
    import numpy as np

    from motionloom.methods.timeline.passes._kernels import enter_blocks

    frames, room, points = np.arange(2), np.zeros((3, 2)), np.zeros((2, 2))
    enter_blocks(points, frames, room[0], frames, points, frames, 1.0, 0.5, room[1], room[2], frames.copy())


def _placing() -> None:
    import numpy as np

    from motionloom.methods.timeline.places._kernels import carry_back, carry_on, join_all, price_all, price_places

    frames, facings, moves = np.zeros(2, np.int32), np.zeros((2, 3), np.float32), np.zeros((2, 5), np.float32)
    ahead, places, costs = np.zeros((2, 1, 3), np.float32), np.ones((1, 5)), np.zeros(2, np.float32)
    lists = np.zeros((2, 1), np.int32), np.zeros((2, 1), np.float32), (1.0, 1.0)
    carry_back(ahead, frames, moves)
    price_places((0.0, 0.0, 0.0, 1.0, 0.0), ahead[0], places)
    arrivals = carry_on(facings, frames, moves)
    keys = price_all(costs, arrivals, ahead, places, 1.0)
    known, better = (costs, facings, moves, np.zeros(2, np.int64)), (keys, costs.copy(), frames, arrivals)
    join_all(*known, *lists, costs, ahead, places, 1.0, 1.0, *better)


def _annotating() -> None:
    import numpy as np

    from motionloom.classify._kernels import fill_row
    from motionloom.classify.gram import empty_gram, extend
    from motionloom.classify.svm import train
    from motionloom.classify.viterbi import decide_track
    from motionloom.methods.annotate import USUAL

    gram = extend(empty_gram(), np.arange(4), np.random.default_rng(0).random((2, 4, 2), np.float32), USUAL)
    rows, sides = np.arange(4), np.zeros(4, np.int8)
    train(gram, rows, sides, rows < 2, USUAL)
    fill_row(gram.values, rows, sides, 0, np.zeros(4, np.float32))
    decide_track(np.ones(3), USUAL)


def _snapping() -> None:
    import numpy as np

    from motionloom.methods.snap.author._kernels import grow_sets

    frames, distances, counted = np.zeros(1, np.int32), np.zeros(1, np.float32), np.zeros(1, np.int64)
    for can_write in (True, False):  # minima computed now, and minima from the cache
        minima = np.array([0, 1]), frames, distances
        for array in minima:
            array.setflags(write=can_write)
        grow_sets(np.zeros(1, np.int64), *minima, 1.0, np.ones(1, bool), np.array([[0, 1]]), 1, counted, np.zeros(1))


def _building_up() -> None:
    import numpy as np

    from motionloom.graphs import Matches, connect
    from motionloom.methods.buildup.hits import _kernels as hits
    from motionloom.methods.buildup.sequence.meetings import MeetingRules, find_meetings
    from motionloom.methods.buildup.tree.end_index import Query, find_ends, index_ends
    from motionloom.methods.buildup.tree.graph_tables import GraphTables
    from motionloom.methods.buildup.tree.mirrored_tables import mirror
    from motionloom.methods.buildup.tree.search_tree import Entry, GrowthSettings, grow_tree, subtree, unroll_to_depth
    from motionloom.motion import Placement

    pair, none = (np.array([4]), np.array([24])), np.zeros(1)
    graph = connect(Matches(*pair, none, none, np.zeros((1, 2))), np.array([0, 20, 40]), ("a", "b"), 60.0, "m", 1.0)
    tables = GraphTables(graph, np.zeros((40, 3)), np.arange(40, dtype=np.int32) // 4 % 3, 3)
    entries, growth = [Entry(0, 0, Placement.none())], GrowthSettings(seconds=1.0, nodes=100, apart=0.0)
    tree = grow_tree(tables, entries, growth)
    find_ends(index_ends(unroll_to_depth(tables, entries, 1)), Query((0.0, 0.0)))
    subtree(tree, 0, 1)
    find_meetings(tree, grow_tree(mirror(tables)[0], entries, growth), MeetingRules(0, 0, 60), 1)
    scored = np.empty(tree.n_nodes), np.empty(tree.n_nodes), np.empty(tree.n_nodes, np.int32)
    nodes = (tree.nodes, tree.begins, tree.arrivals, tree.since, tree.headings, tree.slides)
    points, prices, balls = np.zeros((40, 1, 3)), np.zeros((40, 1)), np.zeros((graph.n_nodes, 4))
    goals, around, limits = np.zeros((1, 3)), np.zeros(4), (0, 0.0, 60.0, 1.0)
    stops, groups = tables.spans[1], tables.groups
    hits.reach_points(nodes, stops, points, prices, balls, goals, around, 0, limits, groups, -1, *scored)


def _optimizing() -> None:
    import numpy as np

    from motionloom.methods.dynamics.trajectory import _kernels
    from motionloom.methods.dynamics.trajectory.basis import Basis

    basis = Basis(n_frames=4)
    first, weights = basis.rows(np.arange(4))
    bands, gradient, blocks = np.zeros((8, 8)), np.zeros((4, 2)), np.zeros((4, 2, 2))
    for is_same in (True, False):
        _kernels.add_blocks(bands, first, weights, first, weights, blocks, is_same)
    _kernels.add_vectors(gradient, first, weights, np.zeros((4, 2)))


def _fitting() -> None:
    import numpy as np

    from motionloom.markers import MarkerSet, fit_markers, put_on

    motion = _small_motion()
    joints = motion.skeleton.names[:3] * 2
    offsets = 0.1 * np.eye(3)[[0, 2, 0, 1, 1, 2]]
    markers = MarkerSet(tuple("abcdef"), joints, offsets)
    fit_markers(motion.skeleton, put_on(motion, markers), markers)


STEPS = (
    _kinematics,
    _reading,
    _drawing,
    _comparing,
    _indexing,
    _merging,
    _constraining,
    _planting,
    _retargeting,
    _stepping,
    _choosing_blocks,
    _placing,
    _annotating,
    _snapping,
    _building_up,
    _optimizing,
    _fitting,
)


SMALL_ASF = """:version 1.10
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
    id 1
    name lfemur
    direction 0 -1 0
    length 7
    axis 0 0 0 XYZ
    dof rx
  end
:hierarchy
  begin
    root lfemur
  end
"""
SMALL_AMC = ":FULLY-SPECIFIED\n:DEGREES\n" + "".join(f"{i}\nroot 0 16 0 0 0 0\nlfemur {i}\n" for i in (1, 2, 3))


def _small_motion() -> "Motion":
    """A motion of a swinging leg, a few frames long."""
    import numpy as np

    from motionloom.motion import Motion, Skeleton, rotations

    offsets = np.array([[0, 0, 0], [0.1, 0, 0], [0, -0.45, 0], [0, -0.42, 0]])
    skeleton = Skeleton(("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot"), np.array([-1, 0, 1, 2]), offsets)
    turns = np.zeros((8, 4, 3))
    turns[:, 1, 0] = np.linspace(0, 1, 8)
    return Motion(skeleton, np.tile([0, 0.9, 0], (8, 1)), rotations.exp(turns), 60.0)
