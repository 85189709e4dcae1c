"""Takes beside others of their skeleton and folder: another up axis, unit, frame rate or floor is doubted.

These belong to a skeleton and its source, so one take that differs is more likely read wrongly than recorded
otherwise. What differs is reported and never changed, with one exception: a take that has just been imported stands on
the floor of its body's other takes if its feet rest there, or hardly anywhere.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from motionloom.corpus.material import MADE_BY
from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store import catalogue, serialization
from motionloom.corpus.store.interrupts import uninterrupted
from motionloom.errors import CorpusError
from motionloom.features.floor import floats_above, rests_on
from motionloom.formats import Finding
from motionloom.motion import Motion

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

FAR = 0.05  # metres between the floor of a take and that of its body, the median of all its takes
PAIR_FAR = 0.10  # metres between the floors of a body's only two takes
MIN_BODY = 3  # takes of a body, for one of them to be judged by the others
MIN_PEERS = 2  # takes beside which another one differs
MOST = 2 / 3  # share of them that has to agree


@dataclass(frozen=True)
class BodyFloor:
    """The floor of a body: the median of the estimated floors of its takes."""

    height: float  # metres, world
    n_takes: int


def find_doubts(corpus: "Corpus") -> dict[str, tuple[Finding, ...]]:
    """Warnings about takes of a corpus that differ from others of their skeleton and folder, by name."""
    infos = corpus.infos()
    return compare_takes(infos, _footless(corpus, infos))


def find_body_floors(corpus: "Corpus") -> dict[str, BodyFloor]:
    """The floor of every body with three or more takes whose floors were estimated, by the name of each such take."""
    infos = corpus.infos()
    return _body_floors(infos, _footless(corpus, infos))


def compare_takes(infos: Sequence[TakeInfo], footless: Collection[str] = ()) -> dict[str, tuple[Finding, ...]]:
    """Warnings about takes that differ from others of their skeleton and folder, by name.

    Args:
        infos: of all takes.
        footless: digests of skeletons without feet, whose floors are rough guesses.
    """
    bodies = [info for info in infos if info.kind == "body" and info.source.format != MADE_BY]
    doubts: dict[str, list[Finding]] = defaultdict(list)
    for found in (_doubt_axes(bodies), _doubt_units(bodies), _doubt_rates(bodies), _doubt_floors(bodies, footless)):
        for name, finding in found:
            doubts[name].append(finding)
    return {name: tuple(findings) for name, findings in doubts.items()}


def compare_imported(corpus: "Corpus", names: Iterable[str]) -> str:
    """Compare takes that were just imported with the others, and keep what is found with them.

    A damaged row or a full disk does not undo an import: the takes stay as they are.

    Args:
        corpus: open for writing.
        names: of the new takes; the others stay as they are.

    Returns:
        Why they could not be compared, as a sentence for users; empty if they were.
    """
    try:
        changed = _compared(corpus, set(names))
        if changed:
            _write(corpus, changed)
    except CorpusError as error:
        return f"the new takes were not compared with the others: {error}"
    return ""


def _compared(corpus: "Corpus", names: Collection[str]) -> list[TakeInfo]:
    """The takes among these about which something was found, with it, and with the floor that they stand on."""
    infos = corpus.infos()
    footless = _footless(corpus, infos)
    known, floors = {info.name: info for info in infos}, _body_floors(infos, footless)
    doubts, changed = compare_takes(infos, footless), []
    for name in sorted(set(names) & set(doubts)):
        found = doubts[name]
        height = known[name].floor_height
        if any(finding.kind == "floor" for finding in found) and name in floors:
            height, floor = _settle_floor(corpus, known[name], floors[name])
            found = (*(finding for finding in found if finding.kind != "floor"), floor)
        changed.append(replace(known[name], floor_height=height, findings=known[name].findings + found))
    return changed


def _settle_floor(corpus: "Corpus", info: TakeInfo, body: BodyFloor) -> tuple[float, Finding]:
    """The floor of its body if the feet of a take rest there or nowhere, else its own; and a finding."""
    motion = corpus.take(info.name).motion
    assert isinstance(motion, Motion)
    if rests_on(motion, body.height):
        why = "and feet rest there"
    elif floats_above(motion, body.height):
        why = "because feet hardly rest in this one"
    else:
        message = f"{_far_from(info, body)}, but no foot rests there; see `motionloom floor`"
        return info.floor_height, Finding("floor", message, True)
    message = f"the floor is at {_cm(body.height)}, that of the {body.n_takes} takes of this body, {why}"
    return body.height, Finding("floor", f"{message}; from this take alone it was {_cm(info.floor_height)}", True)


@uninterrupted()
def _write(corpus: "Corpus", infos: Iterable[TakeInfo]) -> None:
    with catalogue.transaction(corpus.connection) as db:
        for info in infos:
            values = [info.floor_height, serialization.findings_to_json(info.findings), corpus.take_id(info.name)]
            db.execute("UPDATE takes SET floor_height = ?, findings = ? WHERE id = ?", values)


def _doubt_axes(bodies: Sequence[TakeInfo]) -> Iterable[tuple[str, Finding]]:
    for info, most, n in _differing(bodies, lambda info: (info.hierarchy, _folder(info)), lambda info: info.source.up):
        message = f"{info.source.up} is up here, but {most} in {n} other takes with these joints in the same folder"
        yield info.name, Finding("other_up", f"{message}; it was not turned: give --up {most} if that is wrong", True)


def _doubt_units(bodies: Sequence[TakeInfo]) -> Iterable[tuple[str, Finding]]:
    def unit(info: TakeInfo) -> str:
        return f"{info.source.metres_per_unit:.4g}"

    for info, most, n in _differing(bodies, lambda info: (info.hierarchy, _folder(info)), unit):
        message = f"1 unit is {unit(info)} m here, but {most} m in {n} other takes with these joints in the same folder"
        yield info.name, Finding("other_unit", f"{message}; give --scale {most} if that is wrong", True)


def _doubt_rates(bodies: Sequence[TakeInfo]) -> Iterable[tuple[str, Finding]]:
    """Takes at another rate than the body's others in their folder, or as others whose rate was found to be wrong."""
    for info, most, n in _differing(bodies, lambda info: (info.skeleton, _folder(info)), lambda info: f"{info.fps:g}"):
        message = f"{info.fps:g} frames per second here, but {most} in {n} other takes of this body in the same folder"
        yield info.name, Finding("other_rate", f"{message}; give --fps {most} if that is wrong", True)
    for takes in _grouped(bodies, lambda info: (info.skeleton, info.source.fps, info.fps)):
        wrong = [info for info in takes if any(flag.kind == "rate" for flag in info.flags)]
        if len(wrong) >= MIN_PEERS:
            words = f"{len(wrong)} of {len(takes)} takes of this body that state {takes[0].fps:g} frames per second"
            for info in (info for info in takes if info not in wrong):
                yield info.name, Finding("other_rate", f"{words} seem to be recorded at another; this one too?", True)


def _doubt_floors(bodies: Sequence[TakeInfo], footless: Collection[str]) -> Iterable[tuple[str, Finding]]:
    floors = _body_floors(bodies, footless)
    for info in bodies:
        body = floors.get(info.name)
        if body is not None and abs(info.floor_height - body.height) > FAR:
            yield info.name, Finding("floor", f"{_far_from(info, body)}; see `motionloom floor --body`", True)
    for pair in _by_body(bodies, footless):
        if len(pair) == 2 and abs(pair[0].floor_height - pair[1].floor_height) > PAIR_FAR:
            for info, other in (pair, pair[::-1]):
                message = f"the floor is at {_cm(info.floor_height)}, but at {_cm(other.floor_height)} in {other.name}"
                yield info.name, Finding("floor", f"{message}, the other take of this body", True)


def _far_from(info: TakeInfo, body: BodyFloor) -> str:
    return (
        f"the floor is at {_cm(info.floor_height)}, far from that of the {body.n_takes} takes of this body, "
        f"{_cm(body.height)}"
    )


def _differing(
    infos: Iterable[TakeInfo], group: Callable[[TakeInfo], object], value: Callable[[TakeInfo], str]
) -> Iterable[tuple[TakeInfo, str, int]]:
    """Takes that differ from most others of their group: the take, the value of those, and how many they are."""
    for takes in _grouped(infos, group):
        counts = Counter(value(info) for info in takes)
        most, n = counts.most_common(1)[0]
        if n < len(takes) and n >= max(MIN_PEERS, MOST * (len(takes) - 1)):
            yield from ((info, most, n) for info in takes if value(info) != most)


def _body_floors(infos: Iterable[TakeInfo], footless: Collection[str]) -> dict[str, BodyFloor]:
    return {
        info.name: BodyFloor(float(np.median([other.floor_height for other in takes])), len(takes))
        for takes in _by_body(infos, footless)
        if len(takes) >= MIN_BODY
        for info in takes
    }


def _by_body(infos: Iterable[TakeInfo], footless: Collection[str]) -> list[list[TakeInfo]]:
    """The takes of each body with feet whose floor was estimated; one body under two up axes counts as two."""
    recorded = [info for info in infos if info.kind == "body" and info.source.format != MADE_BY]
    standing = [info for info in recorded if not info.floor_given and info.skeleton not in footless]
    return _grouped(standing, lambda info: (info.skeleton, info.source.up))


def _footless(corpus: "Corpus", infos: Iterable[TakeInfo]) -> set[str]:
    """The digests of the skeletons that have no feet, or cannot be read."""
    footless = set()
    for digest in {info.skeleton for info in infos if info.skeleton is not None}:
        try:
            has_feet = corpus.skeleton(digest).has("left_foot") or corpus.skeleton(digest).has("right_foot")
        except CorpusError:  # a damaged row, which is reported where the take is read
            has_feet = False
        if not has_feet:
            footless.add(digest)
    return footless


def _grouped(infos: Iterable[TakeInfo], group: Callable[[TakeInfo], object]) -> list[list[TakeInfo]]:
    groups: dict[object, list[TakeInfo]] = defaultdict(list)
    for info in infos:
        groups[group(info)].append(info)
    return list(groups.values())


def _folder(info: TakeInfo) -> str:
    return str(PurePath(info.source.path).parent)


def _cm(metres: float) -> str:
    return f"{100 * metres:+.1f} cm"
