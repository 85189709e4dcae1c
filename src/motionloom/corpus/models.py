"""Models and views: arrays made from several takes, kept with the settings and the code that made them."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.corpus import catalogue, store
from motionloom.corpus.interrupts import uninterrupted
from motionloom.errors import CorpusError

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


def find_model(corpus: "Corpus", kind: str, key: str) -> dict[str, np.ndarray] | None:
    """The arrays of a model, mapped into memory; None where there is none or it is damaged."""
    rows = corpus.connection.execute(
        "SELECT name, file, crc FROM model_arrays WHERE kind = ? AND key = ?", [kind, key]
    ).fetchall()
    try:
        arrays = {name: store.open_array(corpus.arrays, store.StoredArray(file, crc)) for name, file, crc in rows}
    except CorpusError:  # it can be made again
        return None
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
    """Keep the arrays of a model under its key; all or nothing.

    Args:
        corpus: open for writing.
        kind: what it is, such as "view".
        key: digest of everything it depends on.
        arrays: by name; none of them empty.
        settings: what it was made with.
        takes: digests of the takes it was made from.
        code_version: of the code that made it.
        at_most: so many of this kind are kept, the newest; None for all.
    """
    corpus.require_writing()
    stored = {name: store.write_array(corpus.arrays, array) for name, array in arrays.items()}
    old = catalogue.files_in_use(corpus.connection)
    with catalogue.transaction(corpus.connection) as db:
        # what other code made is never asked for again
        db.execute("DELETE FROM models WHERE kind = ? AND (key = ? OR code_version != ?)", [kind, key, code_version])
        if at_most is not None:
            older = "SELECT rowid FROM models WHERE kind = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?"
            db.execute(f"DELETE FROM models WHERE rowid IN ({older})", [kind, at_most - 1])
        row = (kind, key, json.dumps(dict(settings), sort_keys=True), code_version, json.dumps(list(takes)))
        db.execute("INSERT INTO models VALUES (?, ?, ?, ?, ?, datetime('now'))", row)
        rows = [(kind, key, name, array.file, array.crc) for name, array in stored.items()]
        db.executemany("INSERT INTO model_arrays VALUES (?, ?, ?, ?, ?)", rows)
    for file in old - catalogue.files_in_use(corpus.connection):
        (corpus.arrays / file).unlink(missing_ok=True)
