"""Badges of the takes of a corpus: measured once and remembered with it, measured again where something changed."""

import time
from collections.abc import Callable, Iterable, Mapping

from motionloom.caching import cached, is_shared
from motionloom.corpus import Corpus, TakeInfo
from motionloom.corpus.take_list import Listed
from motionloom.errors import MotionloomError
from motionloom.motion import Motion
from motionloom.quality.badges import Badges, measure_badges

REMEMBERED = "badges"  # the name under which the corpus keeps them
SAVE_SECONDS = 5.0  # between two times that what was measured is kept

OnMeasured = Callable[[str, Badges, int, int], None]  # called as on_measured(take, badges, done, total)


def badge_key(info: TakeInfo | Listed) -> str:
    """What the badges of a take depend on beside the code: its frames, its skeleton's roles, its floor and ground."""
    key = f"{info.digest[:16]} {(info.skeleton or '')[:8]} {info.floor_height:.4f}"
    return key if info.ground is None else f"{key} {info.ground[:16]}"


def remembered_badges(corpus: Corpus) -> dict[str, Badges]:
    """What was measured before, by `badge_key`; nothing where other code measured it."""
    version = _measure.code_version
    kept = corpus.remembered(REMEMBERED) if is_shared(version) else corpus.unshared.get((REMEMBERED, version))
    if not isinstance(kept, dict) or kept.get("code") != version:
        return {}
    return {key: Badges(*values) for key, values in kept["takes"].items()}


def measure_takes(
    corpus: Corpus, infos: Iterable[TakeInfo], on_measured: OnMeasured | None = None
) -> dict[str, Badges]:
    """Measure the takes that were not measured yet; cached if the corpus is open for writing.

    Badges measured so far are saved if `on_measured` raises, which is how to stop.

    Args:
        corpus: with the takes.
        infos: which of them; takes of points have no badges.
        on_measured: called after each measured take, as on_measured(take, badges, done, total).

    Returns:
        The badges of all that could be measured, by `badge_key`.
    """
    known = remembered_badges(corpus)
    bodies = [info for info in infos if info.kind == "body"]
    missing = [info for info in bodies if badge_key(info) not in known]
    saved_at, is_saved = time.monotonic(), True
    try:
        for number, info in enumerate(missing, 1):
            badges = _measure(corpus, info)
            if badges is None:
                continue
            known[badge_key(info)], is_saved = badges, False
            if time.monotonic() - saved_at > SAVE_SECONDS:
                _remember(corpus, known)
                saved_at, is_saved = time.monotonic(), True
            if on_measured is not None:
                on_measured(info.name, badges, number, len(missing))
    finally:
        if not is_saved:
            _remember(corpus, known)
    return {badge_key(info): known[badge_key(info)] for info in bodies if badge_key(info) in known}


@cached("badges")
def _measure(corpus: Corpus, info: TakeInfo) -> Badges | None:
    try:
        motion = corpus.take(info.name).motion
        assert isinstance(motion, Motion)
        rests, footing = corpus.layer(info.name, "contacts"), corpus.footing(info.name)
        return measure_badges(motion, rests, info.floor_height, footing=footing)
    except MotionloomError:  # removed in the meantime, or damaged: `motionloom check` says what is wrong
        return None


def _remember(corpus: Corpus, known: Mapping[str, Badges]) -> None:
    """Keep the badges of all takes of a corpus, the removed ones too; those of takes that changed since go."""
    if corpus.can_write:
        there = {badge_key(info) for info in (*corpus.infos(), *corpus.infos(removed=True))}
        takes = {key: [badges.skate, badges.floor, badges.spikes] for key, badges in known.items() if key in there}
        version = _measure.code_version
        kept = {"code": version, "takes": takes}
        if is_shared(version):
            corpus.remember(REMEMBERED, kept)
        else:  # no other process could use them, and they would take the place of those that can be used
            corpus.unshared.put((REMEMBERED, version), kept)
