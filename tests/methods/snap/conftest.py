"""Hub graphs out of thin air: random hubs, and random clips that really begin and end in them."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from motionloom.methods.snap.graph.hub_graph import Action, Clip, HubGraph, Node
from motionloom.motion import Motion, Placement, Skeleton, rotations
from motionloom.motion.placement import turn_ground

WORDS = ("walk", "turn", "punch", "idle")


def make_hub_graph(
    seed: int = 0,
    *,
    hubs: int = 2,
    clips: int = 8,
    edges: Sequence[tuple[int, int]] | None = None,
    takes: int = 0,
    lengths: tuple[int, int] = (8, 30),
    reach: float = 0.8,
    skeleton: Skeleton | None = None,
    fps: float = 60.0,
    steps: int = 0,
) -> HubGraph:
    """A graph as the engine would build it: clips of a hub begin with one stored pose and end just before another.

    Args:
        seed: another one, another graph.
        hubs: how many hubs there are; they come first among the nodes.
        clips: how many clips there are between hubs: each hub leads to the next, the others anywhere.
        edges: source and target node of each clip, where they matter; else by chance.
        takes: so many clips lead from the start of a take into a hub, and as many from a hub to the end of a take.
        lengths: fewest and most frames of a clip.
        reach: metres that clips go, about.
        skeleton: five joints where none is given.
        fps: frames per second.
        steps: every clip has so many supports at most, for some of its frames.
    """
    rng = np.random.default_rng(seed)
    skeleton = skeleton or stick_skeleton()
    pairs = list(edges) if edges is not None else _random_edges(rng, hubs, clips)
    nodes = [Node(f"hub {h}", "hub", tuple(bool(b) for b in rng.random(4) < 0.5)) for h in range(hubs)]
    for take in range(takes):
        nodes += [Node(f"start of take {take}", "start"), Node(f"end of take {take}", "end")]
        pairs += [(len(nodes) - 2, int(rng.integers(hubs))), (int(rng.integers(hubs)), len(nodes) - 1)]
    poses = _random_poses(rng, len(nodes), skeleton.n_joints)
    placements, frames, made = [], [], []
    for c, (source, target) in enumerate(pairs):
        n = int(rng.integers(lengths[0], lengths[1] + 1))
        placement = Placement(float(rng.uniform(-2.5, 2.5)), rng.normal(scale=reach, size=2))
        seen = _seen_from(poses[target], placement)
        if nodes[target].kind == "end":
            frames.append(_bridge(rng, poses[source], seen, n))  # a take's last frame is its own
        else:
            frames.append(_bridge(rng, poses[source], seen, n + 1)[:-1])
        word = WORDS[c % len(WORDS)]
        begin = 100 * c
        made.append(Clip(f"{word} {c}", source, target, f"take {c % 3}", begin, begin + n, {word: 1.0, "all": 0.75}))
        placements.append((*placement.slide, placement.heading))
    starts = np.concatenate([[0], np.cumsum([len(clip) for clip in frames])])
    return HubGraph(
        skeleton,
        fps,
        tuple(nodes),
        tuple(made),
        np.concatenate(frames),
        starts,
        rng.random((starts[-1], 4)) < 0.5,
        np.stack([_moment(rng, poses[h]) for h in range(hubs)]),
        np.array(placements),
        tuple(
            Action(word, tuple(c for c, clip in enumerate(made) if word in clip.labels))
            for word in WORDS[: min(3, len(made))]
        ),
        _random_supports(np.random.default_rng([seed, 1]), np.diff(starts), steps),
    )


def stick_skeleton() -> Skeleton:
    """Five joints: enough to move."""
    offsets = np.array([(0, 0, 0), (0, 0.5, 0), (0, 0.2, 0), (0.1, -0.45, 0), (-0.1, -0.45, 0)])
    names = ("Hips", "Spine", "Head", "LeftFoot", "RightFoot")
    return Skeleton(names, np.array([-1, 0, 1, 0, 0]), offsets, name="stick")


@pytest.fixture(scope="session")
def hub_graphs() -> Callable[..., HubGraph]:
    """Make hub graphs out of thin air; see `make_hub_graph`."""
    return make_hub_graph


@pytest.fixture(scope="session")
def walking(tmp_path_factory, make):
    """Two takes of walking, compared and made a graph of one hub, as `prepare` does it by itself."""
    from motionloom.methods.snap import prepare

    corpus = make.demo_corpus(tmp_path_factory.mktemp("snap") / "corpus", ("walk/figure_eight", "walk/stop_and_go"))
    return prepare(corpus)


@pytest.fixture(scope="session")
def compared(walking):
    """The frames of these takes, compared."""
    from motionloom.methods.snap import compare_view

    return compare_view(walking.view)


@pytest.fixture(scope="session")
def stairs(tmp_path_factory):
    """Three takes up two steps, along a landing 30 cm above the floor and down again, made a graph of two hubs."""
    from motionloom.corpus import Corpus, Source, Take
    from motionloom.methods.snap import GraphRequest, prepare

    corpus = Corpus.create(tmp_path_factory.mktemp("stairs") / "corpus")
    for seed in range(3):
        motion, name = perform_landing(seed), f"stairs {seed}"
        corpus.add(Take(name, motion, Source(name, "performer", name, motion.fps, 1.0)), floor_height=0.0)
    return prepare(corpus, GraphRequest.from_data({"w_min": 0.3, "hubs": [{"largest": True}, {"largest": True}]}))


def perform_landing(seed: int, rise: float = 0.15, landing: int = 6) -> Motion:
    """Two steps up, some steps on a landing, two steps down; then on over the floor."""
    from motionloom.performer.actions.stand import standing_gait
    from motionloom.performer.actions.walk import walking_gait
    from motionloom.performer.perform import move, set_stage
    from motionloom.performer.scores.score import Writer
    from motionloom.performer.stage import Footholds

    gait, heights = walking_gait(0.8), np.array([rise, *[2 * rise] * (landing + 1), rise, 0.0])
    seconds = 1.0 + (len(heights) + 3) / gait.cadence
    stage = set_stage(Writer("stairs").then("stand", seconds + 1.5).done(), np.random.default_rng(seed), 60.0)
    stage.set_gait(1.0, gait)
    stage.set_gait(seconds, standing_gait(stage))
    steps = np.arange(len(heights))
    ahead = gait.forward / gait.cadence * (steps + 1)
    stage.requests.append(Footholds(1.0, np.stack([0.08 * (-1.0) ** steps, heights, ahead], axis=-1)))
    return move(stage).motion


def _random_edges(rng: np.random.Generator, hubs: int, clips: int) -> list[tuple[int, int]]:
    ring = [(h, (h + 1) % hubs) for h in range(hubs)][:clips]
    return ring + [(int(a), int(b)) for a, b in rng.integers(hubs, size=(clips - len(ring), 2))]


def _random_poses(rng: np.random.Generator, count: int, n_joints: int) -> np.ndarray:
    """(count, 3 + 4 J) float32: poses that stand over the origin."""
    turns = rotations.exp(rng.normal(scale=0.4, size=(count, n_joints, 3)))
    roots = np.column_stack([np.zeros(count), rng.uniform(0.8, 1.0, count), np.zeros(count)])
    return np.concatenate([roots, turns.reshape(count, -1)], axis=1).astype(np.float32)


def _random_supports(rng: np.random.Generator, lengths: np.ndarray, steps: int) -> np.ndarray:
    """(K, 10) boxes of clips: clip, first frame, last, then the numbers of a box."""
    rows = []
    for clip, length in enumerate(lengths.tolist()):
        for _ in range(int(rng.integers(steps + 1))):
            start = int(rng.integers(length))
            stop = int(rng.integers(start + 1, length + 1))
            x, z, turn, top = rng.normal(size=2).tolist() + rng.uniform([-4, 0.1], [4, 0.6]).tolist()
            rows.append(
                [clip, start, stop, x, z, *rng.uniform(0.05, 0.3, 2), turn, top, float(rng.choice([0, top / 2]))]
            )
    return np.array(rows, float).reshape(-1, 10)


def _seen_from(pose: np.ndarray, placement: Placement) -> np.ndarray:
    """A pose over the origin, moved over the ground."""
    moved = pose.astype(float)
    moved[[0, 2]] = turn_ground(moved[[0, 2]], placement.heading) + placement.slide
    moved[3:7] = rotations.multiply(rotations.about_y(placement.heading), moved[3:7])
    return moved


def _bridge(rng: np.random.Generator, first: np.ndarray, last: np.ndarray, n: int) -> np.ndarray:
    """(n, 3 + 4 J) float32: from one pose to another, exactly there at both ends, and not straight between them."""
    t = np.linspace(0, 1, n)
    bump = np.sin(np.pi * t)[:, None] ** 2
    roots = first[:3] + t[:, None] * (last[:3] - first[:3]) + bump * rng.normal(scale=0.1, size=3)
    a, b = first[3:].reshape(-1, 4), last[3:].reshape(-1, 4)
    turns = rotations.slerp(a[None].astype(float), b[None], t[:, None])
    turns = rotations.multiply(turns, rotations.exp(bump[..., None] * rng.normal(scale=0.3, size=(1, len(a), 3))))
    frames = np.concatenate([roots, turns.reshape(n, -1)], axis=1).astype(np.float32)
    frames[0] = first
    return frames


def _moment(rng: np.random.Generator, pose: np.ndarray) -> np.ndarray:
    """(3, 3 + 4 J) float32: a little before a pose, the pose itself bit for bit, and a little after it."""
    drift = np.zeros_like(pose)
    drift[:3] = rng.normal(scale=0.01, size=3)
    return np.stack([pose - drift, pose, pose + drift])
