"""The list of takes as pages get it: one look at the takes, one at the labels, one at the badges."""

from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

from motionloom.assembly.derived.take_badges import badge_key, remembered_badges
from motionloom.conform import LeftOut, Reference, describe_left_out, find_left_out, find_reference
from motionloom.corpus import Corpus
from motionloom.corpus.material import MADE_BY
from motionloom.corpus.take_list import Listed, list_takes
from motionloom.errors import MotionloomError
from motionloom.quality.badges import LIMITS
from motionloom.studio.server.problems import name_source

_PERFORMER = "performer"  # format of the source of takes that the performer made

Values = tuple[float | None, float | None, int | None]  # skate, floor, spikes


def describe_takes(corpus: Corpus, measured: dict[str, Values], folders: Sequence[Path]) -> dict[str, Any]:
    """The list of takes in the form of `messages.library.TakeList`, as plain values: checking them takes a second.

    Args:
        corpus: whose takes.
        measured: badges that the corpus may not know yet, by take.
        folders: from which on sources are named.
    """
    listed = list_takes(corpus)
    known = remembered_badges(corpus)
    found, left_out = _reference(corpus)
    points = {take.name for take in listed if take.kind == "points"}
    bodies_left_out = [left for left in left_out if left.take not in points]
    reasons = {left.take: left.reason for left in bodies_left_out}
    rows = []
    for take in listed:
        badges = known.get(badge_key(take)) if take.kind == "body" else None
        values = measured.get(take.name) if badges is None else (badges.skate, badges.floor, badges.spikes)
        rows.append(
            _row(take, values) | {"source": name_source(take.source, folders), "left_out": reasons.get(take.name, "")}
        )
    return {
        "takes": rows,
        "skeletons": _skeletons(corpus, listed, reasons),
        "reference": describe_reference(found) if found is not None else None,
        "left_out": describe_left_out(bodies_left_out),
        "points_left_out": describe_left_out([left for left in left_out if left.take in points]),
        "labels": sorted({label for take in listed for label in take.labels}),
        "limits": {
            name: {"most": limit.most, "unit": limit.unit, "about": limit.about} for name, limit in LIMITS.items()
        },
        "next_badges": 0,
    }


def _row(take: Listed, values: Values | None) -> dict[str, Any]:
    skate, floor, spikes = values or (None, None, None)
    return {
        "name": take.name,
        "kind": take.kind,
        "frames": take.n_frames,
        "fps": take.fps,
        "skeleton": take.skeleton,
        "labels": {label: round(frames / take.fps, 3) for label, frames in take.labels.items()},
        "flags": take.warnings,
        "made": take.format in (MADE_BY, _PERFORMER),
        "measured": values is not None,
        "skate": skate if skate is None else round(skate, 2),
        "floor": floor if floor is None else round(floor, 2),
        "spikes": spikes,
    }


def describe_reference(found: Reference) -> dict[str, Any]:
    """A reference skeleton in the form of `messages.library.ReferenceSkeleton`."""
    return {
        "take": found.take,
        "skeleton": found.skeleton.digest,
        "joints": found.skeleton.n_joints,
        "is_chosen": found.is_chosen,
        "is_removed": found.is_removed,
    }


def _reference(corpus: Corpus) -> tuple[Reference | None, list[LeftOut]]:
    """The reference skeleton, and the takes that cannot be shown on it."""
    try:
        return find_reference(corpus), find_left_out(corpus)
    except MotionloomError:  # no bodies; whoever needs one says what is wrong
        return None, []


def _skeletons(corpus: Corpus, listed: list[Listed], left_out: Container[str]) -> list[dict[str, Any]]:
    names: dict[str, list[str]] = {}
    for take in listed:
        if take.skeleton is not None:
            names.setdefault(take.skeleton, []).append(take.name)
    rows = []
    for digest, takes in names.items():
        try:
            skeleton = corpus.skeleton(digest)
        except MotionloomError:  # the take itself says what is wrong when it is looked at
            continue
        about = {"digest": digest, "name": skeleton.name, "joints": skeleton.n_joints}
        rows.append({**about, "takes": len(takes), "take": takes[0], "can_be_target": takes[0] not in left_out})
    return sorted(rows, key=lambda row: (-row["takes"], row["name"]))
