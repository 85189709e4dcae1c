"""Take bending: displacement maps that lead a take through the common poses of its hubs, with planted feet."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.blending import DisplacementSettings, Match, displace, read_pose
from motionloom.blending.moving_pose import MovingPose
from motionloom.constraints import FootplantSettings, correct_overstretch, plant_feet
from motionloom.constraints.carried_supports import carry_to
from motionloom.methods.snap.builder.hub_poses import Feet, HubPose, Passage, average_trios, read_trio
from motionloom.motion import Footing, Motion, cut, place, rotations

FLOOR = Footing()
AROUND = 60  # frames of context on both sides of a stretch that is bent again, so that its ends have no border effects


@dataclass(frozen=True)
class TakeBendSettings:
    """How takes are bent."""

    iterations: int = 3  # of evolving the common poses; the paper uses 3 to 5
    turns: int = 10  # iterations of Newton's method for footplants while common poses evolve; the last pass is exact
    displacement: DisplacementSettings = field(default_factory=DisplacementSettings)
    ease: float = 0.2  # seconds over which a difference in acceleration fades out beside a match frame


@dataclass(frozen=True, eq=False)
class BendTask:
    """A take to bend with all inputs, as it is sent to a worker process."""

    take: Motion
    passages: Sequence[Passage]
    trios: Sequence[Motion]  # the three frames of the hub of each passage
    contacts: np.ndarray  # (F, 4) bool, with those of the hubs imposed
    feet: Feet
    settings: TakeBendSettings
    is_exact: bool  # lock hubs and plant feet exactly; else approximately
    footing: Footing = FLOOR  # at the heights of the hubs


@dataclass(frozen=True, eq=False)
class BentTake:
    """A take that passes through its hubs."""

    motion: Motion
    trios: Sequence[tuple[MovingPose, MovingPose, MovingPose]] = ()  # at its passages, if it was bent approximately


def bend_take(task: BendTask) -> BentTake:
    """Bend a take through the three frames of its hubs, and plant its feet; exactly, or approximately."""
    passages, feet = task.passages, task.feet
    bent = correct_overstretch(_displace_through(task.take, passages, task.trios, task.settings)).motion
    footing = carry_to(task.footing, task.take, bent, task.contacts) if task.footing.supports else task.footing
    if not task.is_exact:
        settings = FootplantSettings(max_iterations=task.settings.turns)
        approximate = _plant(bent, task.contacts, footing, feet, settings)
        return BentTake(approximate, [read_trio(approximate, passage) for passage in passages])
    locked = [passage.frame for passage in passages]
    planted = _plant(bent, task.contacts, footing, feet, FootplantSettings(lock_fade=0.0), locked)
    root, local = planted.root_positions.copy(), planted.local_rotations.copy()
    for passage, trio in zip(passages, task.trios):
        placed = place(trio, passage.placement)
        beside = slice(passage.frame - 1, passage.frame + 2)
        root[beside], local[beside] = placed.root_positions, placed.local_rotations
    return BentTake(replace(planted, root_positions=root, local_rotations=local))


def load_kernels() -> None:
    """Load the compiled kernels of bending, before worker processes are forked."""
    import scipy.linalg  # noqa: F401

    import motionloom.constraints._kernels
    import motionloom.motion._kernels  # noqa: F401


Bender = Callable[[Sequence[BendTask]], Iterable[BentTake]]  # in this process or in workers; results in order


def evolve_common_poses(
    takes: Sequence[Motion],
    passages: Sequence[Sequence[Passage]],
    contacts: Sequence[np.ndarray],
    n_hubs: int,
    feet: Feet,
    settings: TakeBendSettings,
    bend: Bender,
    step: Callable[[], None],
    footings: Sequence[Footing] | None = None,
) -> tuple[list[Motion], list[Motion]]:
    """Iterate the common poses of hubs: bend takes through them, plant feet, average again (4.2.2 of the paper).

    Poses that were averaged from planted takes change little when they are locked.

    Args:
        takes: takes with passages, as recorded.
        passages: of each take.
        contacts: (F, 4) bool of each take, with those of the hubs imposed.
        n_hubs: number of hubs.
        feet: of the view.
        settings: number of iterations, reach of displacement maps.
        bend: bends takes.
        step: called after each take of each iteration.
        footings: of each take, at the heights of the hubs; None for the floor.

    Returns:
        The three frames of each hub; and the takes of the last iteration, approximately bent.
    """
    working = [read_trio(take, passage) for take, own in zip(takes, passages) for passage in own]
    hubs = [passage.hub for own in passages for passage in own]
    last: list[Motion] = []
    for _ in range(settings.iterations):
        common = _average(working, hubs, n_hubs, takes[0])
        tasks = [
            BendTask(take, own, [common[passage.hub] for passage in own], flags, feet, settings, False, footing)
            for take, own, flags, footing in zip(takes, passages, contacts, footings or [FLOOR] * len(takes))
        ]
        working, last = [], []
        for bent in bend(tasks):
            working += bent.trios
            last.append(bent.motion)
            step()
    return _average(working, hubs, n_hubs, takes[0]), last


def exact_task(
    take: Motion,
    passages: Sequence[Passage],
    hubs: Sequence[HubPose],
    contacts: np.ndarray,
    feet: Feet,
    settings: TakeBendSettings,
    footing: Footing = FLOOR,
) -> BendTask:
    """The task of locking a take to its hubs and planting its feet exactly."""
    trios = [hubs[passage.hub].frames for passage in passages]
    return BendTask(take, passages, trios, contacts, feet, settings, is_exact=True, footing=footing)


def bend_again(
    before: Motion,
    take: Motion,
    passages: Sequence[Passage],
    hubs: Sequence[HubPose],
    contacts: np.ndarray,
    feet: Feet,
    settings: TakeBendSettings,
    removed: Sequence[int],
    footing: Footing = FLOOR,
) -> Motion:
    """Bend a take again where passages were removed; the frames between other passages stay as they are.

    Args:
        before: the take, bent through all passages.
        take: as recorded.
        passages: the remaining ones.
        hubs: all of them.
        contacts: (F, 4) bool, with those of the remaining passages imposed.
        feet: of the view.
        settings: of bending.
        removed: frames of the removed passages.
        footing: at the heights of the hubs.
    """
    root, local = before.root_positions.copy(), before.local_rotations.copy()
    last, shortest = take.n_frames - 1, round(settings.displacement.shortest * take.fps) + 1
    borders = [0, *(passage.frame for passage in passages), last]
    for start, stop in zip(borders, borders[1:]):
        if not any(start < frame < stop for frame in removed):
            continue
        first, end = max(start - AROUND, 0), min(stop + AROUND + 1, take.n_frames)
        inside = [passage for passage in passages if first + shortest <= passage.frame < end - shortest]
        shifted = [replace(passage, frame=passage.frame - first) for passage in inside]
        own, below = cut(take, first, end), footing.cut(first, end)
        part = bend_take(exact_task(own, shifted, hubs, contacts[first:end], feet, settings, below)).motion
        root[start : stop + 1] = part.root_positions[start - first : stop - first + 1]
        local[start : stop + 1] = part.local_rotations[start - first : stop - first + 1]
    return replace(before, root_positions=root, local_rotations=local)


def _average(working: Sequence[tuple], hubs: Sequence[int], n_hubs: int, like: Motion) -> list[Motion]:
    """The three frames of each hub, averaged over its working set."""
    of_hub = [[trio for trio, own in zip(working, hubs) if own == hub] for hub in range(n_hubs)]
    return [average_trios(trios, like) for trios in of_hub]


def _plant(
    bent: Motion,
    contacts: np.ndarray,
    footing: Footing,
    feet: Feet,
    settings: FootplantSettings,
    locked: Sequence[int] = (),
) -> Motion:
    """Plant the feet; a body without legs is returned unchanged."""
    if not feet.can_stand.any():
        return bent
    return plant_feet(bent, contacts, footing=footing, heels=feet.heels, locked=locked, settings=settings).motion


def _displace_through(
    take: Motion, passages: Sequence[Passage], trios: Sequence[Motion], settings: TakeBendSettings
) -> Motion:
    """A take displaced so that it passes through the three frames of its hubs; feet are not planted."""
    placed = [place(trio, passage.placement) for passage, trio in zip(passages, trios)]
    matches = [Match(passage.frame, read_pose(trio, 1, seconds=0.0)) for passage, trio in zip(passages, placed)]
    bent = displace(take, matches, settings=replace(settings.displacement, velocity_seconds=0.0)).motion
    root, local = bent.root_positions.copy(), bent.local_rotations.copy()
    borders = [0, *(passage.frame for passage in passages), take.n_frames - 1]
    longest = max(2, round(settings.ease * take.fps))
    for number, (passage, trio) in enumerate(zip(passages, placed)):
        for side in (-1, 1):
            room = min(longest, abs(borders[number + 1 + side] - passage.frame) - 1)
            _ease_in(root, local, passage.frame, side, room, trio)
    return replace(bent, root_positions=root, local_rotations=local)


def _ease_in(root: np.ndarray, local: np.ndarray, frame: int, side: int, room: int, trio: Motion) -> None:
    """Set the frame beside a match frame to that of the hub, and ease the change out over the frames after it.

    Displacement maps match pose and velocity. The difference that is left one frame away is one of acceleration, so it
    continues with the square of the time and fades out; corrected in that frame alone it would be a jolt.
    """
    beside = frame + side
    shift = trio.root_positions[1 + side] - root[beside]
    turn = rotations.log(rotations.multiply(trio.local_rotations[1 + side], rotations.inverse(local[beside])))
    away = np.arange(1, room)
    shares = (away**2 * (1 - away / room) ** 3) / (1 - 1 / room) ** 3
    touched = frame + side * away
    root[touched] += shares[:, None] * shift
    local[touched] = rotations.multiply(rotations.exp(shares[:, None, None] * turn), local[touched])
