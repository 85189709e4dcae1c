"""Takes whose rows are damaged or lost: their content is found again by its digest, among the arrays that are there."""

import itertools
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

import numpy as np

from motionloom.corpus.integrity.catalogue_rows import CatalogueRows, Row, TableRows
from motionloom.corpus.store import catalogue, serialization
from motionloom.corpus.store.packed_take import BODY, POINTS, content_digest, content_digests, unpack
from motionloom.errors import CorpusError
from motionloom.formats.take import Finding, Source
from motionloom.motion import Motion, Skeleton
from motionloom.motion.packed import packed_width

RATES = (24.0, 25.0, 30.0, 50.0, 60.0, 90.0, 100.0, 120.0, 200.0, 240.0, 250.0)  # frames per second, to try
NAMES, CONTENTS = "take_names", "take_contents"  # indexes
LOST = "damaged: its row in the catalogue was lost"


@dataclass(frozen=True)
class FoundTake:
    """A take of a damaged catalogue: its row, and what is to be reported about it."""

    row: Row
    message: str | None = None
    is_recovered: bool = True


@dataclass(frozen=True)
class _Content:
    """What a digest proves: which array it is of, and what its numbers mean."""

    file: str
    crc: int
    n_frames: int
    fps: float
    skeleton: str | None
    point_names: tuple[str, ...] | None

    def values(self) -> Row:
        return {
            "kind": BODY if self.skeleton is not None else POINTS,
            "n_frames": self.n_frames,
            "fps": float(self.fps),
            "skeleton": self.skeleton,
            "point_names": json.dumps(self.point_names) if self.point_names is not None else None,
            "file": self.file,
            "crc": self.crc,
        }


class _Arrays:
    """The arrays of a corpus, found by the digest of the take that they would be."""

    def __init__(self, folder: Path, skeletons: dict[str, Skeleton], rows: Iterable[Row]) -> None:
        self.folder, self.skeletons = folder, skeletons
        rows = list(rows)
        rates = {row["fps"] for row in rows if isinstance(row["fps"], int | float)}
        self.rates = [*(float(rate) for rate in rates), *(rate for rate in RATES if rate not in rates)]
        self.point_names = {names for row in rows if (names := _read_point_names(row)) is not None}
        self._found: dict[str, _Content] | None = None

    def find(self, digest: str) -> _Content | None:
        """The array with this content; all are tried, with all rates and skeletons of the catalogue."""
        if self._found is None:
            self._found = {}
            for path in sorted(self.folder.glob("*.npy")):
                self._found |= dict(self._contents(path))
        return self._found.get(digest)

    def proves(self, row: Row, digest: str) -> _Content | None:
        """The content of a row's own array, if it has this digest."""
        try:
            frames = _load(self.folder / str(row["file"]))
        except (OSError, ValueError, EOFError):
            return None
        meant = self.skeletons.get(str(row["skeleton"])), _read_point_names(row)
        return next(
            (
                content
                for found, content in self._tried(str(row["file"]), frames, [meant], [row["fps"]])
                if found == digest
            ),
            None,
        )

    def _contents(self, path: Path) -> Iterator[tuple[str, _Content]]:
        try:
            frames = _load(path)
        except (OSError, ValueError, EOFError):
            return
        meant: list[tuple[Skeleton | None, tuple[str, ...] | None]]
        meant = [(skeleton, None) for skeleton in _distinct(self.skeletons.values())]
        meant += [(None, names) for names in self.point_names]
        yield from self._tried(path.name, frames, meant, self.rates)

    def _tried(
        self,
        file: str,
        frames: np.ndarray,
        meant: Iterable[tuple[Skeleton | None, tuple[str, ...] | None]],
        rates: Iterable[object],
    ) -> Iterator[tuple[str, _Content]]:
        """Every digest that frames can have, with what they are then."""
        if frames.ndim != 2 or frames.dtype != np.float32:
            return
        for (skeleton, names), rate in itertools.product(meant, list(rates)):
            width = packed_width(skeleton.n_joints) if skeleton is not None else 3 * len(names or ())
            if width != frames.shape[1] or not isinstance(rate, int | float) or not rate > 0:
                continue
            content = _Content(
                file,
                zlib.crc32(np.ascontiguousarray(frames).reshape(-1).view(np.uint8).data),
                len(frames),
                float(rate),
                skeleton.digest if skeleton is not None else None,
                names,
            )
            for digest in content_digests(frames, float(rate), skeleton, names):
                yield digest, content


def find_takes(found: CatalogueRows, skeletons: dict[str, Skeleton], arrays: Path) -> dict[int, FoundTake]:
    """All takes of a damaged catalogue by row id: those whose rows are believed, and those found by their content."""
    takes = found.tables["takes"]
    search = _Arrays(arrays, skeletons, takes.rows.values())
    doubted = {int(str(row["rowid"])): row for row, _ in takes.doubtful}
    entries = takes.index_entries
    result: dict[int, FoundTake] = {}
    for take in sorted({*takes.rows, *doubted, *entries.get(NAMES, {}), *entries.get(CONTENTS, {})}):
        evidence = _Evidence(take, takes, doubted.get(take))
        if take in takes.rows:
            result[take] = _confirm(takes.rows[take], search)
        elif evidence.is_live:
            result[take] = _recover(evidence, search)
    return result


class _Evidence:
    """What is left of a take whose row is damaged or lost."""

    def __init__(self, take: int, takes: TableRows, doubted: Row | None) -> None:
        names, contents = (takes.index_entries.get(index, {}).get(take) for index in (NAMES, CONTENTS))
        self.take, self.row = take, doubted
        self.names = _texts([names[0] if names else None, doubted["name"] if doubted else None])
        self.digests = _texts([contents[0] if contents else None, doubted["digest"] if doubted else None])
        self.is_live = bool(names or contents)  # removed takes are not in the indexes

    def name(self) -> str:
        """Its name; where there are two, the one that its file has."""
        if len(self.names) == 1:
            return self.names[0]
        source = serialization.read_source(self.row["source"], 1.0)[0].path if self.row is not None else ""
        of_file = [name for name in self.names if source and PurePath(name).name == PurePath(source).stem]
        return of_file[0] if len(of_file) == 1 else f"recovered/{(self.digests or [str(self.take)])[0][:8]}"


def _confirm(row: Row, search: _Arrays) -> FoundTake:
    """A row that is believed, corrected where the digest of its content proves it wrong."""
    is_quarantined = row["removed"] is not None and row["removed_because"] != catalogue.ASKED
    digest = str(row["digest"])
    if is_quarantined or not (search.folder / str(row["file"])).is_file():
        return FoundTake(row)
    content = search.proves(row, digest) or search.find(digest)
    if content is not None:
        corrected = row | content.values()
        changed = [name for name, value in corrected.items() if value != row[name]]
        what = f"its {' and '.join(changed)} in the catalogue could not be right; corrected by its content"
        return FoundTake(corrected, what if changed else None)
    reason = "its row and its array contradict each other"
    return FoundTake(row | _removed(f"damaged: {reason}"), f"{reason}; import its file again", False)


def _recover(evidence: _Evidence, search: _Arrays) -> FoundTake:
    """A take by its content; without it a row in quarantine that keeps its labels until its file is imported again."""
    name = evidence.name()
    for digest in evidence.digests:
        content = search.find(digest)
        if content is not None:
            row = _row(name, digest) | content.values() | _described(content, search)
            message = "its row in the catalogue was lost and is made anew from its array; its floor is estimated again"
            return FoundTake(row, message)
    digest = evidence.digests[0] if evidence.digests else f"unknown {evidence.take}"
    row = _row(name, digest) | _removed(LOST)
    return FoundTake(row, "its row in the catalogue is lost; import its file again, then its labels are back", False)


def _row(name: str, digest: str) -> Row:
    """A row about which nothing is known but its name and its content."""
    finding = Finding("repair", "its row in the catalogue was lost and made anew", is_warning=True)
    return {
        "id": None,
        "name": name,
        "kind": BODY,
        "n_frames": 0,
        "fps": 0.0,
        "floor_height": 0.0,
        "floor_given": 0,
        "skeleton": None,
        "point_names": None,
        "digest": digest,
        "source": serialization.source_to_json(Source("", "unknown", "", 1.0, 1.0)),
        "findings": serialization.findings_to_json((finding,)),
        "file": "",
        "crc": 0,
        "added": catalogue.now(),
        "code_version": "",
        "removed": None,
        "removed_because": None,
    }


def _described(content: _Content, search: _Arrays) -> Row:
    """The floor and the source of a take that was found by its content."""
    from motionloom.features.floor import estimate_floor

    skeleton = search.skeletons.get(content.skeleton or "")
    motion = unpack(_load(search.folder / content.file), content.fps, skeleton, content.point_names)
    floor = estimate_floor(motion) if isinstance(motion, Motion) else 0.0
    source = Source("", "unknown", "", content.fps, 1.0)
    return {"floor_height": float(floor), "source": serialization.source_to_json(source)}


def _removed(reason: str) -> Row:
    return {"removed": catalogue.now(), "removed_because": reason}


def read_skeletons(rows: TableRows) -> dict[str, Skeleton]:
    """The skeletons whose content has the digest that they are stored under."""
    skeletons = {}
    for row in rows.rows.values():
        try:
            skeleton = serialization.skeleton_from_json(row["content"])
        except CorpusError:
            continue
        if skeleton.digest == row["digest"] and skeleton.hierarchy_digest == row["hierarchy"]:
            skeletons[skeleton.digest] = skeleton
    return skeletons


def _distinct(skeletons: Iterable[Skeleton]) -> list[Skeleton]:
    """Skeletons that differ in more than their roles: all others give the same digests of takes."""
    return list({content_digest(np.zeros((1, 1), np.float32), 1.0, s, None): s for s in skeletons}.values())


def _load(path: Path) -> np.ndarray:
    frames: np.ndarray = np.load(path, mmap_mode="r", allow_pickle=False)
    return frames


def _read_point_names(row: Row) -> tuple[str, ...] | None:
    try:
        return serialization.read_names(row["point_names"]) if row["point_names"] is not None else None
    except CorpusError:
        return None


def _texts(values: Iterable[object]) -> list[str]:
    return list(dict.fromkeys(value for value in values if isinstance(value, str)))
