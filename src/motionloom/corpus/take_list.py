"""Lists of takes: what one line says about each, read in one go, so that ten thousand are there in a moment."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from motionloom.corpus.store import serialization

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

_TAKES = """SELECT id, name, kind, n_frames, fps, floor_height, skeleton, digest, source, findings FROM takes
    WHERE removed IS NULL ORDER BY name"""
_LABELS = """SELECT take, label, SUM(stop - start) FROM labels JOIN takes ON takes.id = labels.take
    WHERE removed IS NULL GROUP BY take, label ORDER BY take, label"""
_LENGTHS = "SELECT name, n_frames, fps FROM takes WHERE removed IS NULL"
_SIZE = "SELECT COUNT(*), TOTAL(n_frames / fps) FROM takes WHERE removed IS NULL"


@dataclass(frozen=True, slots=True)
class Listed:
    """What a line of a list says about a take; numbers are as the catalogue has them."""

    name: str
    kind: str
    n_frames: int
    fps: float
    floor_height: float  # metres, world
    skeleton: str | None  # digest
    digest: str
    source: str  # path of its file, as it was given
    format: str  # of its file
    warnings: tuple[str, ...]  # findings that want a look
    labels: dict[str, int]  # frames in which each holds; where ranges of several sources overlap, all are counted


def list_takes(corpus: "Corpus") -> list[Listed]:
    """All takes, by name; a take whose row is damaged is listed as far as it can be read."""
    labels: dict[int, dict[str, int]] = {}
    for take, label, frames in corpus.connection.execute(_LABELS).fetchall():
        labels.setdefault(take, {})[label] = frames
    found = []
    for row in corpus.connection.execute(_TAKES).fetchall():
        take, name, kind, n_frames, fps, floor, skeleton, digest, source, findings = row
        path, kind_of_file = _read_source(source)
        warnings = _read_warnings(findings)
        held = labels.get(take, {})
        found.append(Listed(name, kind, n_frames, fps, floor, skeleton, digest, path, kind_of_file, warnings, held))
    return found


def read_lengths(corpus: "Corpus") -> dict[str, tuple[int, float]]:
    """Frames, and frames per second, of every take."""
    rows = corpus.connection.execute(_LENGTHS).fetchall()
    return {name: (n_frames, fps) for name, n_frames, fps in rows}


def measure_size(corpus: "Corpus") -> tuple[int, float]:
    """How many takes there are, and how many seconds they last in all."""
    count, seconds = corpus.connection.execute(_SIZE).fetchone()
    return int(count), float(seconds)


def _read_source(text: str) -> tuple[str, str]:
    try:
        content = json.loads(text)
        return str(content["path"]), str(content["format"])
    except (TypeError, ValueError, KeyError):
        return "", ""


def _read_warnings(text: str) -> tuple[str, ...]:
    if text == "[]":
        return ()
    found, lost = serialization.read_findings(text)
    return tuple(one.message for one in found + lost if one.is_warning)
