"""Passing through hubs: takes bent so that each goes through the common poses of its match frames, feet planted."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.blending import DisplacementSettings, Match, displace, read_pose
from motionloom.blending.poses import MovingPose
from motionloom.constraints import FootplantSettings, plant_feet
from motionloom.methods.snap.builder.hub_poses import Feet, HubPose, Passage, average_trios, read_trio
from motionloom.motion import Motion, cut, place, rotations

AROUND = 60  # frames beside a stretch that is bent anew, so that its ends do not feel that they are ends


@dataclass(frozen=True)
class BendSettings:
    """How takes are bent."""

    iterations: int = 3  # of evolving the common poses; the paper has 3 to 5
    turns: int = 10  # of Newton's method while common poses evolve; what is planted in the end is planted exactly
    displacement: DisplacementSettings = field(default_factory=DisplacementSettings)
    ease: float = 0.2  # seconds over which a difference in acceleration fades beside a match frame


@dataclass(frozen=True, eq=False)
class Bending:
    """A take to bend, with everything that this needs: what a worker process is sent."""

    take: Motion
    passages: Sequence[Passage]
    trios: Sequence[Motion]  # of each passage: the three frames of its hub
    contacts: np.ndarray  # (F, 4) bool, agreed with the hubs
    feet: Feet
    settings: BendSettings
    is_exact: bool  # whether hubs are locked and feet planted exactly, or all of it only about


@dataclass(frozen=True, eq=False)
class BentTake:
    """A take that goes through its hubs."""

    motion: Motion
    trios: Sequence[tuple[MovingPose, MovingPose, MovingPose]] = ()  # at its passages, where it does so only about


def bend_take(asked: Bending) -> BentTake:
    """Bend a take so that it goes through the three frames of its hubs, and plant its feet; exactly, or about."""
    passages, feet = asked.passages, asked.feet
    bent = _through(asked.take, passages, asked.trios, asked.settings)
    if not asked.is_exact:
        about = _plant(bent, asked.contacts, feet, FootplantSettings(turns=asked.settings.turns))
        return BentTake(about, [read_trio(about, one) for one in passages])
    locked = [one.frame for one in passages]
    planted = _plant(bent, asked.contacts, feet, FootplantSettings(lock_fade=0.0), locked)
    root, local = planted.root_positions.copy(), planted.local_rotations.copy()
    for one, trio in zip(passages, asked.trios):
        laid = place(trio, one.placement)
        beside = slice(one.frame - 1, one.frame + 2)
        root[beside], local[beside] = laid.root_positions, laid.local_rotations
    return BentTake(replace(planted, root_positions=root, local_rotations=local))


def load_kernels() -> None:
    """Load what bending compiles, for worker processes that part afterwards."""
    import scipy.linalg  # noqa: F401

    import motionloom.constraints._kernels
    import motionloom.motion._kernels  # noqa: F401


Bender = Callable[[Sequence[Bending]], Iterable[BentTake]]  # bends takes, here or in worker processes; in order


def evolve(
    takes: Sequence[Motion],
    passages: Sequence[Sequence[Passage]],
    contacts: Sequence[np.ndarray],
    n_hubs: int,
    feet: Feet,
    settings: BendSettings,
    bend: Bender,
    step: Callable[[], None],
) -> tuple[list[Motion], list[Motion]]:
    """Find common poses through which takes go with their feet planted, so that locking them changes little (4.2.2).

    Args:
        takes: that have passages, as they were recorded.
        passages: of each take.
        contacts: of each take, agreed with the hubs.
        n_hubs: hubs are 0 ... n_hubs - 1.
        feet: of the view.
        settings: how often, how far maps reach.
        bend: bends takes.
        step: called after each take of each iteration.

    Returns:
        The three frames of each hub; and the takes as they were planted last, which is about how they will be.
    """
    working = [read_trio(take, one) for take, through in zip(takes, passages) for one in through]
    hubs = [one.hub for through in passages for one in through]
    last: list[Motion] = []
    for _ in range(settings.iterations):
        common = _average(working, hubs, n_hubs, takes[0])
        asked = [
            Bending(take, through, [common[one.hub] for one in through], flags, feet, settings, is_exact=False)
            for take, through, flags in zip(takes, passages, contacts)
        ]
        working, last = [], []
        for done in bend(asked):
            working += done.trios
            last.append(done.motion)
            step()
    return _average(working, hubs, n_hubs, takes[0]), last


def ask_exactly(
    take: Motion,
    passages: Sequence[Passage],
    hubs: Sequence[HubPose],
    contacts: np.ndarray,
    feet: Feet,
    settings: BendSettings,
) -> Bending:
    """What has to be done to lock a take to its hubs, with its feet planted."""
    trios = [hubs[one.hub].frames for one in passages]
    return Bending(take, passages, trios, contacts, feet, settings, is_exact=True)


def pass_again(
    before: Motion,
    take: Motion,
    passages: Sequence[Passage],
    hubs: Sequence[HubPose],
    contacts: np.ndarray,
    feet: Feet,
    settings: BendSettings,
    gone: Sequence[int],
) -> Motion:
    """Bend a take anew where it does not pass through hubs any more; its other passages stay as they are.

    Args:
        before: the take, bent through all passages.
        take: as recorded.
        passages: those that are left.
        hubs: all of them.
        contacts: (F, 4) bool, agreed with the passages that are left.
        feet: of the view.
        settings: how.
        gone: frames of the passages that are not left.
    """
    root, local = before.root_positions.copy(), before.local_rotations.copy()
    last, shortest = take.n_frames - 1, round(settings.displacement.shortest * take.fps) + 1
    borders = [0, *(one.frame for one in passages), last]
    for start, stop in zip(borders, borders[1:]):
        if not any(start < frame < stop for frame in gone):
            continue
        first, end = max(start - AROUND, 0), min(stop + AROUND + 1, take.n_frames)
        inside = [one for one in passages if first + shortest <= one.frame < end - shortest]
        shifted = [replace(one, frame=one.frame - first) for one in inside]
        part = bend_take(ask_exactly(cut(take, first, end), shifted, hubs, contacts[first:end], feet, settings)).motion
        root[start : stop + 1] = part.root_positions[start - first : stop - first + 1]
        local[start : stop + 1] = part.local_rotations[start - first : stop - first + 1]
    return replace(before, root_positions=root, local_rotations=local)


def _average(working: Sequence[tuple], hubs: Sequence[int], n_hubs: int, like: Motion) -> list[Motion]:
    of_hub = [[trio for trio, own in zip(working, hubs) if own == hub] for hub in range(n_hubs)]
    return [average_trios(trios, like) for trios in of_hub]


def _plant(
    bent: Motion, contacts: np.ndarray, feet: Feet, settings: FootplantSettings, locked: Sequence[int] = ()
) -> Motion:
    """Plant what can stand of the feet; nothing of a body without legs."""
    if not feet.can_stand.any():
        return bent
    return plant_feet(bent, contacts, heels=feet.heels, locked=locked, settings=settings).motion


def _through(take: Motion, passages: Sequence[Passage], trios: Sequence[Motion], settings: BendSettings) -> Motion:
    """A take that goes through the three frames of its hubs; nothing is planted."""
    laid = [place(trio, one.placement) for one, trio in zip(passages, trios)]
    matches = [Match(one.frame, read_pose(three, 1, seconds=0.0)) for one, three in zip(passages, laid)]
    bent = displace(take, matches, settings=replace(settings.displacement, velocity_seconds=0.0)).motion
    root, local = bent.root_positions.copy(), bent.local_rotations.copy()
    borders = [0, *(one.frame for one in passages), take.n_frames - 1]
    longest = max(2, round(settings.ease * take.fps))
    for number, (one, three) in enumerate(zip(passages, laid)):
        for side in (-1, 1):
            room = min(longest, abs(borders[number + 1 + side] - one.frame) - 1)
            _ease_in(root, local, one.frame, side, room, three)
    return replace(bent, root_positions=root, local_rotations=local)


def _ease_in(root: np.ndarray, local: np.ndarray, frame: int, side: int, room: int, three: Motion) -> None:
    """Let the frame beside a match frame be the hub's; what that changes grows and fades as an acceleration does.

    Displacement maps meet pose and velocity. What is left one frame away is a difference in acceleration: taken out
    there alone it would be a jolt, so it goes on as the square of the time and fades with it.
    """
    beside = frame + side
    shift = three.root_positions[1 + side] - root[beside]
    turn = rotations.log(rotations.multiply(three.local_rotations[1 + side], rotations.inverse(local[beside])))
    away = np.arange(1, room)
    shares = (away**2 * (1 - away / room) ** 3) / (1 - 1 / room) ** 3
    touched = frame + side * away
    root[touched] += shares[:, None] * shift
    local[touched] = rotations.multiply(rotations.exp(shares[:, None, None] * turn), local[touched])
