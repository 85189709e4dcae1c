"""What a corpus and its documents hold, as plain values that can be compared."""

import zlib
from pathlib import Path

import numpy as np

from motionloom.corpus import Corpus, check
from motionloom.studio import document

# Columns that tell when something was done: two runs differ in them.
_TIMES = {"added", "made", "since"}
_TABLES = (
    "takes labels contacts events layers models model_arrays set_aside verified proposals classified listed skeletons "
    "about grounds curves"
).split()


_CACHES = ("layers", "models", "model_arrays")


def corpus_state(folder: Path) -> tuple[dict[str, list[str]], dict[str, int | None]]:
    """Every row of the catalogue without times, and the checksum of every array that a row refers to, read anew."""
    with Corpus.open(folder) as corpus:
        rows = {table: _rows(corpus, table) for table in _TABLES}
        files = {file for table in ("takes", "layers", "model_arrays", "curves") for file in _files(corpus, table)}
        arrays = {file: _checksum(corpus.arrays / file) for file in sorted(files)}
        for name in corpus.names():
            corpus.take(name)
    return rows, arrays


def authored_state(folder: Path) -> object:
    """As `corpus_state`, without what is cached: it is complete where it is, and made again where it is not."""
    rows, arrays = corpus_state(folder)
    with Corpus.open(folder) as corpus:
        own = {*_files(corpus, "takes"), *_files(corpus, "curves")}
    kept = {table: lines for table, lines in rows.items() if table not in _CACHES}
    return kept, {file: checksum for file, checksum in arrays.items() if file in own}


def corpus_check(folder: Path) -> list[str]:
    """What a repair leaves wrong in a corpus."""
    left = [str(problem) for problem in check(folder, repair=True).left]
    return left + [f"after repair: {problem}" for problem in check(folder).problems]


def document_state(folder: Path) -> object:
    """Every document: what was authored, its steps, and what of it cannot be read."""
    loaded = {name: document.load(folder, name) for name in sorted(document.names(folder))}
    return {
        name: (found.content.model_dump(mode="json"), found.history.model_dump(mode="json"), dict(found.problems))
        for name, found in loaded.items()
    }


def _rows(corpus: Corpus, table: str) -> list[str]:
    cursor = corpus.connection.execute(f"SELECT * FROM {table}")
    columns = [column[0] for column in cursor.description]
    return sorted(
        repr([_comparable(column, value) for column, value in zip(columns, row) if column not in _TIMES]).replace(
            str(corpus.folder), "FOLDER"
        )
        for row in cursor.fetchall()
    )


def _comparable(column: str, value: object) -> object:
    return value is not None if column == "removed" else value  # when it was removed does not matter


def _files(corpus: Corpus, table: str) -> list[str]:
    return [file for (file,) in corpus.connection.execute(f"SELECT file FROM {table}")]


def _checksum(path: Path) -> int | None:
    """None for an array that is not there: a repair has moved it to the quarantine."""
    if not path.exists():
        return None
    return zlib.crc32(np.ascontiguousarray(np.load(path, allow_pickle=False)).tobytes())
