"""The view builder: conforms every take to the reference skeleton, each by itself, and puts a view together of them."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.caching import cached
from motionloom.conform.base_view import MIRRORED, LeftOut, choose_takes, remember_view, some_of
from motionloom.conform.conformed_motion import (
    conform,
    nearest_frames,
    plant_again,
)
from motionloom.conform.ground_patches import lay_patches
from motionloom.conform.reference import find_reference
from motionloom.conform.view import View
from motionloom.corpus import Corpus, TakeInfo
from motionloom.corpus.packs import Arrays, Packed, Part, read_parts
from motionloom.errors import BadInput, SkeletonMismatch
from motionloom.features.feet import has_points
from motionloom.motion import Footing, Motion, Skeleton, mirror
from motionloom.motion.arrays import check_rate
from motionloom.motion.footing import COLUMNS
from motionloom.motion.packed import pack_frames, unpack_frames
from motionloom.retarget import check_retargetable

EVEN = 1e-4  # metres; tolerance for left and right bones to count as equally long
_OTHER_SIDE = [2, 3, 0, 1]  # contact points with left and right swapped


@dataclass(frozen=True)
class ViewSettings:
    """How takes are conformed."""

    fps: float = 60.0  # frames per second
    reference: str | None = None  # the take with the reference skeleton; None for that of the corpus
    mirrored: bool = False  # with a left-right mirrored copy of every take


DEFAULT = ViewSettings()


def make_view(
    corpus: Corpus,
    names: Iterable[str] | None = None,
    settings: ViewSettings = DEFAULT,
    *,
    skeleton: Skeleton | None = None,
    is_passing: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> View:
    """Conform takes to one skeleton, one frame rate and the floor y = 0, whatever their hierarchy, rate and size.

    What cannot be carried over is left out, with the reason (`View.left_out`); it is an error if nothing can. What is
    made of each take is cached if the corpus is open for writing, whatever other takes are in the view.

    Args:
        corpus: to read from.
        names: of the takes; None for all takes with a skeleton.
        settings: frame rate, reference skeleton, mirrored copies.
        skeleton: to conform to, whatever the settings say; None for what they say.
        is_passing: nothing is kept that is made of it as a whole, and it takes no place among the views used last.
        progress: called as progress(takes_done, takes_total).
    """
    check_rate(settings.fps)
    chosen = choose_takes(corpus, names, "body")
    if all(info.kind != "body" for info in chosen):
        raise SkeletonMismatch(f"{some_of([info.name for info in chosen])}: points without a skeleton have no view")
    skeleton = skeleton or _choose_skeleton(corpus, settings)
    infos, left_out = _leave_out(corpus, chosen, skeleton)
    conforming = _Conforming(corpus, tuple(infos), settings, skeleton)
    packed = conforming.run(progress)
    key = hashlib.sha256(json.dumps([conforming.keys, settings.fps, skeleton.digest]).encode()).hexdigest()[:32]
    if not is_passing:
        conforming.remember(key, packed.starts["frames"])
    shown = [info.name for info in infos]
    shown += [name + MIRRORED for name in shown] if settings.mirrored else []
    return View(
        corpus=corpus,
        key=key,
        skeleton=skeleton,
        fps=float(settings.fps),
        names=tuple(shown),
        digests=tuple(info.digest for info in infos),
        motion_keys=tuple(conforming.keys),
        frames=packed.arrays["frames"],
        starts=packed.starts["frames"],
        source_frames=packed.arrays["source_frames"],
        source_contacts=packed.arrays["source_contacts"],
        supports=_number(packed.arrays["supports"], packed.starts["supports"]),
        left_out=tuple(left_out),
    )


def find_left_out(corpus: Corpus) -> list[LeftOut]:
    """The takes of a corpus that cannot be shown on its reference skeleton, each with the reason; points among them.

    It is empty where nothing can be shown at all, because there is no body.
    """
    infos = corpus.infos()
    if all(info.kind != "body" for info in infos):
        return []
    return _split(corpus, infos, find_reference(corpus).skeleton)[1]


def motion_key(info: TakeInfo, fps: float, skeleton: Skeleton) -> str:
    """The digest of all that decides a take in a view; see `View.motion_keys`."""
    take = [info.digest, info.skeleton, info.floor_height, info.ground]
    parts = [*take, fps, skeleton.digest, _conform_take.code_version]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def _choose_skeleton(corpus: Corpus, settings: ViewSettings) -> Skeleton:
    """The reference skeleton: that of the settings, or of the corpus."""
    if settings.reference is None:
        return find_reference(corpus).skeleton
    reference = corpus.info(settings.reference)
    if reference.skeleton is None:
        raise BadInput(f"the reference {reference.name} has points and no skeleton; choose a take of a body")
    return corpus.skeleton(reference.skeleton)


def _leave_out(corpus: Corpus, infos: list[TakeInfo], skeleton: Skeleton) -> tuple[list[TakeInfo], list[LeftOut]]:
    """The takes that can be shown on a skeleton, and why the others cannot; raises if none can."""
    shown, left_out = _split(corpus, infos, skeleton)
    if not shown:
        named = some_of([info.name for info in infos])
        raise SkeletonMismatch(f"{named}: no take can be shown on the reference skeleton: {left_out[0].reason}")
    return shown, left_out


def _split(corpus: Corpus, infos: list[TakeInfo], skeleton: Skeleton) -> tuple[list[TakeInfo], list[LeftOut]]:
    """The takes that can be shown on a skeleton, and why the others cannot."""
    shown, left_out = [], []
    reasons: dict[str | None, str] = {None: "it has points and no skeleton"}
    for info in infos:
        if info.skeleton not in reasons:
            reasons[info.skeleton] = _obstacle(corpus.skeleton(info.skeleton or ""), skeleton)
        if reasons[info.skeleton]:
            left_out.append(LeftOut(info.name, reasons[info.skeleton]))
        else:
            shown.append(info)
    return shown, left_out


def _obstacle(source: Skeleton, skeleton: Skeleton) -> str:
    """What keeps motions of a skeleton from being shown on another; empty if nothing does."""
    if source.hierarchy_digest == skeleton.hierarchy_digest:
        return ""
    try:
        check_retargetable(source, skeleton)
    except SkeletonMismatch as error:
        return str(error)
    return ""


@dataclass(frozen=True, eq=False)
class _Conforming:
    """The motions of a view, each to be conformed by itself: all takes, then their mirrored copies."""

    corpus: Corpus
    infos: tuple[TakeInfo, ...]
    settings: ViewSettings
    skeleton: Skeleton

    @cached_property
    def keys(self) -> list[str]:
        """Of all motions: digests of what decides each, its name not among it."""
        keys = [motion_key(info, self.settings.fps, self.skeleton) for info in self.infos]
        return keys + ([f"{key}~" for key in keys] if self.settings.mirrored else [])

    def run(self, progress: Callable[[int, int], None] | None) -> Packed:
        """The arrays of all motions."""
        made: dict[int, Arrays] = {}
        n_takes, done = len(self.infos), 0

        def make(number: int) -> Arrays:
            nonlocal done
            if number < n_takes:
                made[number] = _conform_take(self.corpus, self.infos[number], self.settings.fps, self.skeleton)
                done += 1
                if progress is not None:
                    progress(done, n_takes)
                return made[number]
            original = made.get(number - n_takes) or self._read(number - n_takes)
            is_planted = self.infos[number - n_takes].skeleton != self.skeleton.digest
            return _mirror_take(original, self.skeleton, self.settings.fps, is_planted)

        parts = self._parts()
        return read_parts(self.corpus, _conform_take, parts, make)

    def remember(self, key: str, starts: np.ndarray) -> None:
        """Keep a row for the view with this key."""
        settings = asdict(replace(self.settings, reference=self.skeleton.digest))
        takes = [info.digest for info in self.infos]
        remember_view(self.corpus, key, starts, settings=settings, takes=takes, version=_conform_take.code_version)

    def _parts(self) -> list[Part]:
        digests = [info.digest for info in self.infos]
        return [Part(key, digests[i % len(digests)]) for i, key in enumerate(self.keys)]

    def _read(self, number: int) -> Arrays:
        """The arrays of a take that was conformed before."""
        info, fps, skeleton = self.infos[number], self.settings.fps, self.skeleton
        part = self._parts()[number]
        found = read_parts(
            self.corpus, _conform_take, [part], lambda _: _conform_take(self.corpus, info, fps, skeleton)
        )
        return found.arrays


@cached("conformed take")
def _conform_take(corpus: Corpus, info: TakeInfo, fps: float, skeleton: Skeleton) -> dict[str, np.ndarray]:
    """The arrays of one take in a view; see `View`, where supports have the number of their motion too."""
    take = corpus.take(info.name).motion
    assert isinstance(take, Motion)
    rests = corpus.layer(info.name, "contacts")
    recorded = corpus.footing(info.name)
    floor = _lowest_surface(corpus, info, recorded)
    conformed = conform(take, floor, skeleton, fps, contacts=rests, footing=recorded)
    frames, nearest = nearest_frames(take, conformed.motion)
    return _arrays(conformed.motion, frames, rests[nearest] & has_points(skeleton), conformed.footing)


def _mirror_take(arrays: Arrays, skeleton: Skeleton, fps: float, is_planted: bool) -> dict[str, np.ndarray]:
    """The arrays of the mirrored copy of a take."""
    motion = unpack_frames(arrays["frames"], skeleton, fps)
    contacts = np.asarray(arrays["source_contacts"])[:, _OTHER_SIDE] & has_points(skeleton)
    footing = Footing.from_rows(np.asarray(arrays["supports"])).mirrored()
    copy = _mirror(motion, contacts, is_planted, footing)
    return _arrays(copy, np.asarray(arrays["source_frames"]), contacts, footing)


def _arrays(motion: Motion, frames: np.ndarray, contacts: np.ndarray, footing: Footing) -> dict[str, np.ndarray]:
    laid = lay_patches(motion, contacts, footing)
    return {
        "frames": pack_frames(motion),
        "source_frames": frames,
        "source_contacts": contacts,
        "supports": laid.to_rows().reshape(-1, len(COLUMNS)),
    }


def _number(supports: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """(K, 10) the supports of all motions, each row with the number of its motion first."""
    numbers = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.insert(np.asarray(supports, float), 0, numbers, axis=1)


def _lowest_surface(corpus: Corpus, info: TakeInfo, footing: Footing) -> float:
    """Metres, world: the floor of a take, or what feet stand on below it, as in a pit: supports are above the floor."""
    if footing.ground.terrain is None:
        return info.floor_height
    heights = corpus.layer(info.name, "contact_heights")
    return min(info.floor_height, float(np.nanmin(heights))) if np.isfinite(heights).any() else info.floor_height


def _mirror(motion: Motion, contacts: np.ndarray, is_planted: bool, footing: Footing) -> Motion:
    """The mirrored copy; planted feet are planted again if left and right legs of the skeleton differ."""
    copy = mirror(motion, keep_skeleton=True)
    is_even = np.allclose(mirror(motion).skeleton.offsets, motion.skeleton.offsets, atol=EVEN)
    return plant_again(copy, contacts, footing) if is_planted and not is_even else copy
