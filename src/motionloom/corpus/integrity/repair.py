"""Repairs of a corpus: intact rows and files stay, damaged ones are moved aside where they can be inspected."""

import json
import os
import sqlite3
from dataclasses import replace
from typing import Any

from motionloom.corpus.corpus import Corpus
from motionloom.corpus.layers import LAYERS, make_layers
from motionloom.corpus.records import TakeInfo
from motionloom.corpus.store import array_files, catalogue, serialization
from motionloom.corpus.store.interrupts import uninterrupted
from motionloom.formats.take import Finding


@uninterrupted()
def quarantine_take(corpus: Corpus, take: int, file: str, reason: str) -> None:
    """Mark a damaged take as removed; its rows stay, and its array file moves to the quarantine folder."""
    with catalogue.transaction(corpus.connection) as db:
        (because,) = _row(db, "SELECT removed_because FROM takes WHERE id = ?", take)
        before = f"{catalogue.ASKED}, then " if because == catalogue.ASKED else ""
        db.execute(
            "UPDATE takes SET removed = ?, removed_because = ? WHERE id = ?",
            [catalogue.now(), f"{before}damaged: {reason}", take],
        )
        others = db.execute(
            "SELECT 1 FROM takes WHERE file = ? AND (removed IS NULL OR removed_because = ?)", [file, catalogue.ASKED]
        ).fetchone()
    path = corpus.arrays / file
    if path.exists() and not others:  # a take with the same frames is checked on its own
        quarantine = corpus.folder / array_files.QUARANTINE
        quarantine.mkdir(exist_ok=True)
        os.replace(path, quarantine / file)


def rewrite_texts(corpus: Corpus, take: int, info: TakeInfo) -> None:
    """Replace the damaged source and findings of a take by what could be read; the old texts are set aside."""
    with catalogue.transaction(corpus.connection) as db:
        old = dict(zip(("source", "findings"), _row(db, "SELECT source, findings FROM takes WHERE id = ?", take)))
        _set_aside(db, "takes", {"take": take, **old}, "cannot be read")
        new = serialization.source_to_json(info.source), serialization.findings_to_json(_as_repaired(info.findings))
        db.execute("UPDATE takes SET source = ?, findings = ? WHERE id = ?", [*new, take])


def set_aside_row(corpus: Corpus, table: str, row: int, reason: str) -> None:
    """Move an invalid row to the table `set_aside`.

    With a label, verified ranges of it in its take are set aside too: else they would verify that it does not hold.
    """
    with catalogue.transaction(corpus.connection) as db:
        content = _move_aside(db, table, row, reason)
        if table == "labels" and content:
            rows = db.execute("SELECT rowid, label FROM verified WHERE take = ?", [content["take"]]).fetchall()
            is_word = isinstance(content["label"], str) and serialization.is_text(content["label"])
            for verified, label in rows:
                if not is_word or label == content["label"]:
                    _move_aside(db, "verified", verified, f"its label was set aside: {reason}")


@uninterrupted()
def drop_layer(corpus: Corpus, name: str, take: int, layer: str, file: str) -> None:
    """Delete a damaged layer and recompute it, unless its take is removed."""
    with catalogue.transaction(corpus.connection) as db:
        db.execute("DELETE FROM layers WHERE take = ? AND layer = ?", [take, layer])
    catalogue.delete_unused(corpus.connection, corpus.arrays, [file])  # equal layers share a file
    if layer in LAYERS and name in corpus.names():
        make_layers(corpus, [name], [layer], workers=0)


def drop_model(corpus: Corpus, kind: str, key: str) -> None:
    """Delete a damaged model or view; it is computed again when it is next needed."""
    with catalogue.transaction(corpus.connection) as db:
        db.execute("DELETE FROM models WHERE kind = ? AND key = ?", [kind, key])


def delete_unreferenced(corpus: Corpus, file: str) -> None:
    """Delete an array file unless a row refers to it."""
    if file not in catalogue.files_in_use(corpus.connection):
        (corpus.arrays / file).unlink(missing_ok=True)


def quarantine_array(corpus: Corpus, file: str) -> None:
    """Move an array file to the quarantine, if it is there, unless a row refers to it."""
    if file not in catalogue.files_in_use(corpus.connection) and (corpus.arrays / file).exists():
        quarantine = corpus.folder / array_files.QUARANTINE
        quarantine.mkdir(exist_ok=True)
        os.replace(corpus.arrays / file, quarantine / file)


def _as_repaired(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Findings about damaged texts become findings about a repair."""
    return tuple(
        replace(finding, kind="repair") if finding.kind == serialization.LOST else finding for finding in findings
    )


def _row(db: sqlite3.Connection, query: str, take: int) -> tuple:
    return tuple(db.execute(query, [take]).fetchone())


def _move_aside(db: sqlite3.Connection, table: str, row: int, reason: str) -> dict[str, Any]:
    cursor = db.execute(f"SELECT * FROM {table} WHERE rowid = ?", [row])
    found = cursor.fetchone()
    if found is None:  # moved together with another row
        return {}
    content = dict(zip((column[0] for column in cursor.description), found))
    _set_aside(db, table, content, reason)
    db.execute(f"DELETE FROM {table} WHERE rowid = ?", [row])
    return content


def _set_aside(db: sqlite3.Connection, what: str, content: dict[str, Any], reason: str) -> None:
    row = [what, json.dumps(content, default=repr), reason, catalogue.now()]
    db.execute("INSERT INTO set_aside VALUES (?, ?, ?, ?)", row)
