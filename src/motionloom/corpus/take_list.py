"""The list of takes: one row of metadata for each, read with one query, so that ten thousand take a moment."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from motionloom.corpus.material import COMPOSED, MADE_BY
from motionloom.corpus.store import serialization

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

_TAKES = """SELECT id, name, kind, n_frames, fps, floor_height, skeleton, digest, source, findings,
    (SELECT grounds.digest FROM grounds WHERE grounds.take = takes.id) FROM takes WHERE removed IS NULL ORDER BY name"""
_LABELS = """SELECT take, label, SUM(stop - start) FROM labels JOIN takes ON takes.id = labels.take
    WHERE removed IS NULL GROUP BY take, label ORDER BY take, label"""
_LENGTHS = "SELECT name, n_frames, fps FROM takes WHERE removed IS NULL"
_SIZES = "SELECT n_frames, fps, source FROM takes WHERE removed IS NULL"


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of the list of takes; numbers are as stored in the catalogue."""

    name: str
    kind: str
    n_frames: int
    fps: float
    floor_height: float  # metres, world
    skeleton: str | None  # digest
    digest: str
    source: str  # path of its file, as it was given
    format: str  # of its file
    warnings: tuple[str, ...]  # messages of findings that are warnings
    labels: dict[str, int]  # frames in which each holds; overlapping ranges of several sources all count
    ground: str | None = None  # digest of what was given of it


def list_takes(corpus: "Corpus") -> list[Listed]:
    """All takes, sorted by name; of a damaged row what can be read."""
    labels: dict[int, dict[str, int]] = {}
    for take, label, frames in corpus.connection.execute(_LABELS).fetchall():
        labels.setdefault(take, {})[label] = frames
    found = []
    for row in corpus.connection.execute(_TAKES).fetchall():
        take, name, kind, n_frames, fps, floor, skeleton, digest, source, findings, ground = row
        path, kind_of_file = _read_source(source)
        warnings = _read_warnings(findings)
        held = labels.get(take, {})
        about = (name, kind, n_frames, fps, floor, skeleton, digest, path, kind_of_file, warnings, held)
        found.append(Listed(*about, None if ground is None else str(ground)))
    return found


def read_lengths(corpus: "Corpus") -> dict[str, tuple[int, float]]:
    """Number of frames, and frames per second, by take."""
    rows = corpus.connection.execute(_LENGTHS).fetchall()
    return {name: (n_frames, fps) for name, n_frames, fps in rows}


def measure_size(corpus: "Corpus") -> tuple[int, float]:
    """Number of takes, and their total duration in seconds, without those that were put together from others."""
    rows = corpus.connection.execute(_SIZES).fetchall()
    seconds = [n_frames / fps for n_frames, fps, source in rows if _read_source(source) != (COMPOSED, MADE_BY)]
    return len(seconds), float(sum(seconds))


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
    return tuple(finding.message for finding in found + lost if finding.is_warning)
