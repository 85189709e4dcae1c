"""Takes made from takes: mirrored, trimmed, cleaned. The old one stays; the new one says where its frames come from."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from motionloom.assembly.derived.foot_skate_cleanup import clean_feet
from motionloom.assembly.derived.spike_repair import repair_spikes
from motionloom.assembly.results.kept_results import keep_result
from motionloom.assembly.results.result import Measured, Report, Result
from motionloom.conform.base_view import MIRRORED, swap_sides
from motionloom.corpus import Contact, Corpus, Event, Label, Take, TakeInfo, Verified
from motionloom.corpus.material import MADE_BY
from motionloom.errors import BadInput
from motionloom.features.floor import estimate_floor
from motionloom.features.supported_contacts import detect_footing
from motionloom.motion import Motion, PointMotion, cut, mirror, provenance
from motionloom.quality.badges import LIMITS, Badges, measure_badges

OTHER_SIDE = [2, 3, 0, 1]  # contact points of the other foot
OWN_FLOOR = 0.01  # metres from the floor estimated from a take alone within which it is that one


@dataclass(frozen=True)
class Cleaned:
    """A take that was cleaned: the new take, and what badges say of the old and of the new one."""

    take: str
    before: Badges
    after: Badges
    report: Report


def mirror_take(corpus: Corpus, name: str, new: str | None = None) -> str:
    """Keep the mirror image of a take, on the same skeleton, with its labels for the other side; returns its name.

    Args:
        corpus: open for writing.
        name: of the take.
        new: name of the new take; None for one that is free.
    """
    info, motion = _body(corpus, name, "mirrored")
    image = mirror(motion, keep_skeleton=True)
    contacts = corpus.layer(name, "contacts")[:, OTHER_SIDE]
    origin = provenance.recorded(name + MIRRORED, np.arange(motion.n_frames))
    result = Result.of_body(image, contacts, origin, Report(asked={"mirror": name}))
    return _keep(corpus, info, new or free_name(corpus, f"{name} mirrored"), result, "mirrored", is_mirrored=True)


def trim_take(corpus: Corpus, name: str, start: int, stop: int, new: str | None = None) -> str:
    """Keep the frames [start, stop) of a take as a take, with what is known about them; returns its name.

    Args:
        corpus: open for writing.
        name: of the take; of points too.
        start: first frame.
        stop: the frame after the last.
        new: name of the new take; None for one that is free.
    """
    info = corpus.info(name)
    if not 0 <= start < stop <= info.n_frames:
        raise BadInput(f"{name}: frames [{start}, {stop}) are out of range: the take has {info.n_frames} frames")
    if stop - start == info.n_frames:
        raise BadInput(f"{name}: all of its frames would stay; choose fewer")
    new = new or free_name(corpus, f"{name} trimmed")
    take = corpus.take(name)
    if isinstance(take.motion, PointMotion):
        source = replace(take.source, path=f"{name}, trimmed", format=MADE_BY, rest_frame_dropped=False)
        part = replace(take.motion, positions=take.motion.positions[start:stop])
        with corpus.transaction():
            added = corpus.add(Take(new, part, source), floor_height=info.floor_height)
            _check_new(added.duplicate_of)
            _carry(corpus, name, new, start, stop)
        return new
    contacts = corpus.layer(name, "contacts")[start:stop]
    origin = provenance.recorded(name, np.arange(start, stop))
    result = Result.of_body(
        cut(take.motion, start, stop), contacts, origin, Report(asked={"trim": name, "frames": [start, stop]})
    )
    return _keep(corpus, info, new, result, "trimmed", start=start, stop=stop)


def clean_take(
    corpus: Corpus,
    name: str,
    new: str | None = None,
    *,
    feet: bool = True,
    spikes: bool = True,
    check: Callable[[], None] = lambda: None,
) -> Cleaned:
    """Keep a cleaned copy of a take: spikes of joints are repaired, feet stand on the floor and stand still.

    Args:
        corpus: open for writing.
        name: of the take.
        new: name of the new take; None for one that is free.
        feet: plant the feet; the floor is estimated anew unless a person set it or it is that of the body.
        spikes: repair spikes.
        check: called between the steps, the last time before anything is kept; raises to stop.
    """
    info, motion = _body(corpus, name, "cleaned")
    if not (feet or spikes):
        raise BadInput(f"{name}: nothing to clean was named; choose feet, spikes or both")
    before = measure_badges(motion, corpus.layer(name, "contacts"), info.floor_height, footing=corpus.footing(name))
    check()
    repaired = repair_spikes(motion).motion if spikes else motion
    is_own = not info.floor_given and abs(info.floor_height - estimate_floor(motion)) < OWN_FLOOR
    floor = estimate_floor(repaired) if feet and is_own else info.floor_height
    contacts, footing = detect_footing(repaired, floor, ground=corpus.ground(name))
    check()
    origin = provenance.recorded(name, np.arange(motion.n_frames))
    result = Result.of_body(repaired, contacts, origin, Report(asked={"clean": name}))
    if feet:
        result = clean_feet(repaired, contacts, floor, footing=footing, name=name)
    check()
    after = measure_badges(result.motion, contacts, floor, source=repaired, footing=footing)
    report = replace(result.report, quality=_compare(before, after))
    new = new or free_name(corpus, f"{name} clean")
    check()
    kept = _keep(corpus, replace(info, floor_height=floor), new, replace(result, report=report), "cleaned")
    return Cleaned(kept, before, after, report)


def free_name(corpus: Corpus, name: str) -> str:
    """The name, with a number behind it where there is such a take already."""
    taken, number, free = set(corpus.names()), 2, name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free


def _body(corpus: Corpus, name: str, what: str) -> tuple[TakeInfo, Motion]:
    motion = corpus.take(name).motion
    if not isinstance(motion, Motion):
        raise BadInput(f"{name}: points without a skeleton cannot be {what}; choose a take of a body")
    return corpus.info(name), motion


def _keep(
    corpus: Corpus,
    info: TakeInfo,
    new: str,
    result: Result,
    done: str,
    *,
    start: int = 0,
    stop: int | None = None,
    is_mirrored: bool = False,
) -> str:
    like = replace(info.source, path=f"{info.name}, {done}")
    with corpus.transaction():
        added = keep_result(corpus, new, result, floor_height=info.floor_height, like=like)
        _check_new(added.duplicate_of)
        _carry(corpus, info.name, new, start, info.n_frames if stop is None else stop, is_mirrored)
    return new


def _check_new(duplicate_of: str | None) -> None:
    if duplicate_of is not None:
        raise BadInput(f"nothing would change: '{duplicate_of}' has exactly these frames already")


def _carry(corpus: Corpus, old: str, new: str, start: int, stop: int, is_mirrored: bool = False) -> None:
    """Copy what people know of the frames [start, stop) of a take, and of its ground, to the take made of them."""

    def word(name: str) -> str:
        return swap_sides(name) if is_mirrored else name

    def inside(one: Label | Verified | Contact) -> tuple[int, int] | None:
        first, last = max(one.start, start) - start, min(one.stop, stop) - start
        return (first, last) if first < last else None

    labels = [Label(new, word(label.label), *at, label.source) for label in corpus.labels(old) if (at := inside(label))]
    verified = [Verified(new, word(range_.label), *at) for range_ in corpus.verified(old) if (at := inside(range_))]
    contacts = [
        Contact(new, word(rest.point), *at, rest.source) for rest in corpus.contacts(old) if (at := inside(rest))
    ]
    events = [
        Event(new, event.kind, event.frame - start, event.source, event.data)
        for event in corpus.events(old)
        if start <= event.frame < stop
    ]
    ground = corpus.ground(old)
    if ground is not None:
        corpus.set_ground(new, ground.mirrored() if is_mirrored else ground)
    _carry_curves(corpus, old, new, start, stop, is_mirrored)
    corpus.add_labels(labels)
    corpus.verify(verified)
    if contacts:
        corpus.add_contacts(contacts)
    if events:
        corpus.add_events(events)


def _carry_curves(corpus: Corpus, old: str, new: str, start: int, stop: int, is_mirrored: bool) -> None:
    """Copy the rows of curves in the frames [start, stop) of a take to the take made of them."""
    curves, info = corpus.curves(old), corpus.info(old)
    is_whole = (start, stop) == (0, info.n_frames)  # then rows before its beginning and after its end stay too
    part = curves if curves is None or is_whole else curves.cut(start / info.fps, stop / info.fps)
    if part is not None:
        corpus.set_curves(new, part.mirrored() if is_mirrored else part)


def _compare(before: Badges, after: Badges) -> tuple[Measured, ...]:
    names = {"skate": "foot skate", "floor": "feet off the floor", "spikes": "spikes"}
    return tuple(
        Measured(words, getattr(after, name), LIMITS[name].unit, before=getattr(before, name))
        for name, words in names.items()
    )
