"""Models and views: arrays computed from several takes, cached under a digest of takes, settings and code."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.caching import is_shared
from motionloom.corpus.store import array_files, catalogue
from motionloom.corpus.store.interrupts import uninterrupted
from motionloom.errors import CorpusError

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

LASTING = "1"  # the code version of what is never made again, as all versions of motionloom have written it
MADE_OF = "view"  # the setting of a model that holds the key of the view it was computed from


def find_model(corpus: "Corpus", kind: str, key: str, *, at_most: int | None = None) -> dict[str, np.ndarray] | None:
    """The arrays of a cached model, memory-mapped if they are in the corpus; None if it is missing or damaged.

    Args:
        corpus: to read.
        kind: as in `keep_model`.
        key: as in `keep_model`.
        at_most: as in `keep_model`; if the corpus is open for writing, the model is marked as recently used.
    """
    unshared: dict[str, np.ndarray] | None = corpus.unshared.get((kind, key))
    if unshared is not None:
        return unshared
    rows = corpus.connection.execute(
        "SELECT name, file, crc FROM model_arrays WHERE kind = ? AND key = ?", [kind, key]
    ).fetchall()
    try:
        arrays = {
            name: array_files.open_array(corpus.arrays, array_files.StoredArray(file, crc)) for name, file, crc in rows
        }
    except CorpusError:  # it can be computed again
        return None
    if arrays and corpus.can_write and at_most is not None:
        with suppress(CorpusError):  # on a full disk it can still be read
            _mark_as_used(corpus.connection, kind, key, at_most // 2)
    return arrays or None


@uninterrupted()
def keep_model(
    corpus: "Corpus",
    kind: str,
    key: str,
    arrays: Mapping[str, np.ndarray],
    *,
    settings: Mapping[str, Any],
    takes: Sequence[str],
    code_version: str | None,
    at_most: int | None = None,
) -> None:
    """Cache the arrays of a model under its key, atomically, and delete models that are stale.

    What no other process could use is cached in memory alone: a model of a version that only this one has, and one of a
    view that the corpus does not have. Otherwise processes whose sources change would delete each other's models. So is
    what a full disk has no room for, if it can be computed again.

    Args:
        corpus: open for writing.
        kind: of the model, such as "view".
        key: digest of everything it depends on.
        arrays: by name; none of them empty.
        settings: that it was computed with.
        takes: digests of the takes it was computed from.
        code_version: of the code that computed it; models of this kind with another version are deleted. None for what
            cannot be computed again: no other is deleted, whatever its version.
        at_most: size of the cache for this kind, least recently used models are deleted first; None for unlimited.
    """
    corpus.require_writing()
    version = LASTING if code_version is None else code_version
    if not (is_shared(version) and _has_view(corpus, settings)):
        _keep_in_memory(corpus, kind, key, arrays)
        return
    try:
        row = (kind, key, json.dumps(dict(settings), sort_keys=True), version, json.dumps(list(takes)))
        _write_model(corpus, row, arrays, settings, code_version, at_most)
    except CorpusError:  # a full disk
        if code_version is None:
            raise  # it cannot be computed again
        _keep_in_memory(corpus, kind, key, arrays)


def find_arrays(corpus: "Corpus", kind: str, code_version: str, name: str) -> Iterator[tuple[str, np.ndarray]]:
    """One array of every model of a kind that this version of the code made, with its key, the newest first.

    Those that only this process has come first, whatever version made them; damaged ones are passed over.
    """
    for of_kind, key in corpus.unshared.newest_first():
        arrays = corpus.unshared.get((of_kind, key)) if of_kind == kind else None
        if isinstance(arrays, Mapping) and name in arrays:
            yield key, arrays[name]
    rows = corpus.connection.execute(
        "SELECT models.key, file, crc FROM models JOIN model_arrays USING (kind, key) "
        "WHERE models.kind = ? AND models.code_version = ? AND name = ? ORDER BY models.rowid DESC",
        [kind, code_version, name],
    ).fetchall()
    for key, file, crc in rows:
        with suppress(CorpusError):
            yield key, array_files.open_array(corpus.arrays, array_files.StoredArray(file, crc))


def rename_models(corpus: "Corpus", prefix: str) -> None:
    """Let models whose keys have a prefix take the place of those without it; all or none."""
    corpus.require_writing()
    with catalogue.transaction(corpus.connection) as db:
        old = {file for (file,) in db.execute("SELECT file FROM model_arrays")}
        rows = db.execute("SELECT kind, key FROM models WHERE substr(key, 1, ?) = ?", [len(prefix), prefix]).fetchall()
        for kind, key in rows:
            arrays = db.execute(
                "SELECT name, file, crc FROM model_arrays WHERE kind = ? AND key = ?", [kind, key]
            ).fetchall()
            db.execute("DELETE FROM models WHERE kind = ? AND key = ?", [kind, key[len(prefix) :]])
            db.execute("DELETE FROM model_arrays WHERE kind = ? AND key = ?", [kind, key])
            db.execute("UPDATE models SET key = ? WHERE kind = ? AND key = ?", [key[len(prefix) :], kind, key])
            for name, file, crc in arrays:
                db.execute(
                    "INSERT INTO model_arrays VALUES (?, ?, ?, ?, ?)", [kind, key[len(prefix) :], name, file, crc]
                )
    catalogue.delete_unused(corpus.connection, corpus.arrays, old)


def delete_models(corpus: "Corpus", kind: str, keys: Sequence[str]) -> None:
    """Delete models of a kind, with the arrays that no other needs."""
    corpus.require_writing()
    files: set[str] = set()
    with catalogue.transaction(corpus.connection) as db:
        for key in keys:
            rows = db.execute("SELECT file FROM model_arrays WHERE kind = ? AND key = ?", [kind, key])
            files |= {file for (file,) in rows}
            db.execute("DELETE FROM models WHERE kind = ? AND key = ?", [kind, key])
    catalogue.delete_unused(corpus.connection, corpus.arrays, files)


def _keep_in_memory(corpus: "Corpus", kind: str, key: str, arrays: Mapping[str, np.ndarray]) -> None:
    corpus.unshared.put((kind, key), {name: _read_only(array) for name, array in arrays.items()})


def _write_model(
    corpus: "Corpus",
    row: tuple[str, str, str, str, str],
    arrays: Mapping[str, np.ndarray],
    settings: Mapping[str, Any],
    code_version: str | None,
    at_most: int | None,
) -> None:
    kind, key, *_ = row
    with (
        catalogue.storing_arrays(corpus.connection, corpus.arrays, arrays) as stored,
        catalogue.transaction(corpus.connection) as db,
    ):
        old = {file for (file,) in db.execute("SELECT file FROM model_arrays")}
        stale = "key = ? OR code_version != ?"  # nothing differs from None, which SQL calls NULL
        db.execute(f"DELETE FROM models WHERE kind = ? AND ({stale})", [kind, key, code_version])
        if at_most is not None:
            older = "SELECT rowid FROM models WHERE kind = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?"
            db.execute(f"DELETE FROM models WHERE rowid IN ({older})", [kind, at_most - 1])
        db.execute("INSERT INTO models VALUES (?, ?, ?, ?, ?, datetime('now'))", row)
        for name, array in arrays.items():
            array_files.write_missing(corpus.arrays, array, stored[name])
            values = (kind, key, name, stored[name].file, stored[name].crc)
            db.execute("INSERT INTO model_arrays VALUES (?, ?, ?, ?, ?)", values)
        _mark_as_used(db, MADE_OF, str(settings.get(MADE_OF)), 1)
        _delete_without_view(db)
    catalogue.delete_unused(corpus.connection, corpus.arrays, old)


def _has_view(corpus: "Corpus", settings: Mapping[str, Any]) -> bool:
    """Whether the view that a model is made of, if it is made of one, is in the corpus."""
    view = settings.get(MADE_OF)
    rows = corpus.connection.execute("SELECT 1 FROM models WHERE kind = ? AND key = ?", [MADE_OF, view])
    return view is None or rows.fetchone() is not None


def _read_only(array: np.ndarray) -> np.ndarray:
    """As one that is read from the corpus."""
    kept = array.view()
    kept.setflags(write=False)
    return kept


def _mark_as_used(db: sqlite3.Connection, kind: str, key: str, behind: int) -> None:
    """Make a model the most recently used of its kind, unless fewer than `behind` are newer: writing is slow."""
    own = "SELECT rowid FROM models WHERE kind = ? AND key = ?"
    newer = f"SELECT count(*) FROM models WHERE kind = ? AND rowid > ({own})"
    if db.execute(newer, [kind, kind, key]).fetchone()[0] >= behind:
        last = "SELECT max(rowid) + 1 FROM models"
        db.execute(f"UPDATE models SET rowid = ({last}) WHERE kind = ? AND key = ?", [kind, key])


def _delete_without_view(db: sqlite3.Connection) -> None:
    """Delete the models of views that are deleted."""
    views = {key for (key,) in db.execute("SELECT key FROM models WHERE kind = ?", [MADE_OF])}
    for kind, key, text in db.execute("SELECT kind, key, settings FROM models").fetchall():
        made_of = _made_of(text)
        if made_of is not None and made_of not in views:
            db.execute("DELETE FROM models WHERE kind = ? AND key = ?", [kind, key])


def _made_of(settings: str) -> Any:
    """The key of the view in the settings of a model; None if there is none."""
    try:
        read = json.loads(settings)
    except ValueError:  # damaged
        return None
    return read.get(MADE_OF) if isinstance(read, dict) else None
