"""Models and views: arrays made from several takes, kept with the settings and the code that made them."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.corpus.store import array_files, catalogue
from motionloom.corpus.store.interrupts import uninterrupted
from motionloom.errors import CorpusError

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

MADE_OF = "view"  # the setting of a model that has the key of the view it was made of


def find_model(corpus: "Corpus", kind: str, key: str, *, at_most: int | None = None) -> dict[str, np.ndarray] | None:
    """The arrays of a model, mapped into memory; None where there is none or it is damaged.

    Args:
        corpus: to look in.
        kind: as in `keep_model`.
        key: as in `keep_model`.
        at_most: as in `keep_model`; if the corpus is open for writing, the model is marked as used in time.
    """
    rows = corpus.connection.execute(
        "SELECT name, file, crc FROM model_arrays WHERE kind = ? AND key = ?", [kind, key]
    ).fetchall()
    try:
        arrays = {
            name: array_files.open_array(corpus.arrays, array_files.StoredArray(file, crc)) for name, file, crc in rows
        }
    except CorpusError:  # it can be made again
        return None
    if arrays and corpus.can_write and at_most is not None:
        with suppress(CorpusError):  # on a full disk it can be read all the same
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
    code_version: str,
    at_most: int | None = None,
) -> None:
    """Keep the arrays of a model under its key; all or nothing. What nobody can ask for any more goes.

    Args:
        corpus: open for writing.
        kind: what it is, such as "view".
        key: digest of everything it depends on.
        arrays: by name; none of them empty.
        settings: what it was made with.
        takes: digests of the takes it was made from.
        code_version: of the code that made it; models of this kind by other code go.
        at_most: so many of this kind are kept, those made or used last; None for all.
    """
    corpus.require_writing()
    stored = {name: array_files.write_array(corpus.arrays, array) for name, array in arrays.items()}
    row = (kind, key, json.dumps(dict(settings), sort_keys=True), code_version, json.dumps(list(takes)))
    with catalogue.transaction(corpus.connection) as db:
        old = {file for (file,) in db.execute("SELECT file FROM model_arrays")}
        db.execute("DELETE FROM models WHERE kind = ? AND (key = ? OR code_version != ?)", [kind, key, code_version])
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


def _mark_as_used(db: sqlite3.Connection, kind: str, key: str, behind: int) -> None:
    """Make a model the newest of its kind if so many are newer; writing takes longer than reading."""
    own = "SELECT rowid FROM models WHERE kind = ? AND key = ?"
    newer = f"SELECT count(*) FROM models WHERE kind = ? AND rowid > ({own})"
    if db.execute(newer, [kind, kind, key]).fetchone()[0] >= behind:
        last = "SELECT max(rowid) + 1 FROM models"
        db.execute(f"UPDATE models SET rowid = ({last}) WHERE kind = ? AND key = ?", [kind, key])


def _delete_without_view(db: sqlite3.Connection) -> None:
    """Delete the models of views that are gone."""
    views = {key for (key,) in db.execute("SELECT key FROM models WHERE kind = ?", [MADE_OF])}
    for kind, key, text in db.execute("SELECT kind, key, settings FROM models").fetchall():
        made_of = _made_of(text)
        if made_of is not None and made_of not in views:
            db.execute("DELETE FROM models WHERE kind = ? AND key = ?", [kind, key])


def _made_of(settings: str) -> Any:
    """The key of the view in the settings of a model; None where there is none."""
    try:
        read = json.loads(settings)
    except ValueError:  # damaged
        return None
    return read.get(MADE_OF) if isinstance(read, dict) else None
