"""Putting a corpus in order: what is good stays, what is damaged goes where it can be looked at."""

import json
import os
from datetime import UTC, datetime

from motionloom.corpus import catalogue, store
from motionloom.corpus.corpus import Corpus
from motionloom.corpus.layers import LAYERS, make_layers


def quarantine_take(corpus: Corpus, take: int, file: str, reason: str) -> None:
    """Take a damaged take out of use; its rows stay, and what is left of its array moves to the quarantine folder."""
    with catalogue.transaction(corpus.connection) as db:
        db.execute(
            "UPDATE takes SET removed = ?, removed_because = ? WHERE id = ?", [_now(), f"damaged: {reason}", take]
        )
    path = corpus.arrays / file
    if path.exists():
        quarantine = corpus.folder / store.QUARANTINE
        quarantine.mkdir(exist_ok=True)
        os.replace(path, quarantine / file)


def set_aside_row(corpus: Corpus, table: str, row: int, reason: str) -> None:
    """Move a label, contact or event that cannot be right to the table of things set aside."""
    with catalogue.transaction(corpus.connection) as db:
        cursor = db.execute(f"SELECT * FROM {table} WHERE rowid = ?", [row])
        content = dict(zip((column[0] for column in cursor.description), cursor.fetchone()))
        db.execute("INSERT INTO set_aside VALUES (?, ?, ?, ?)", [table, json.dumps(content), reason, _now()])
        db.execute(f"DELETE FROM {table} WHERE rowid = ?", [row])


def drop_layer(corpus: Corpus, name: str, take: int, layer: str, file: str) -> None:
    """Forget a damaged layer and make it again, where its take is in use."""
    with catalogue.transaction(corpus.connection) as db:
        db.execute("DELETE FROM layers WHERE take = ? AND layer = ?", [take, layer])
    (corpus.arrays / file).unlink(missing_ok=True)
    if layer in LAYERS and name in corpus.names():
        make_layers(corpus, [name], [layer], workers=0)


def drop_model(corpus: Corpus, kind: str, key: str) -> None:
    """Forget a damaged model or view; it is made again when it is asked for."""
    with catalogue.transaction(corpus.connection) as db:
        db.execute("DELETE FROM models WHERE kind = ? AND key = ?", [kind, key])


def forget_file(corpus: Corpus, file: str) -> None:
    """Delete a file of the arrays folder unless something uses it after all."""
    if file not in catalogue.files_in_use(corpus.connection):
        (corpus.arrays / file).unlink(missing_ok=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
