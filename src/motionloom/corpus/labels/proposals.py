"""Proposals of a classifier: ranges of labels with confidence, and the ranges that it has classified."""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from motionloom.corpus.labels.annotations import check_range, check_word
from motionloom.corpus.labels.frame_ranges import Range, cut_out, keep_inside
from motionloom.corpus.labels.verified_ranges import verified_ranges
from motionloom.corpus.records import Classified, Proposal
from motionloom.corpus.store.catalogue import now, transaction
from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

_COLUMNS = {"proposals": "confidence", "classified": "model, code_version, made"}  # besides take, label, start, stop


def read_proposals(corpus: "Corpus", name: str | None, answered: bool) -> list[Proposal]:
    """The proposals of a take, or of all takes, in unverified frames; with `answered` in verified ones."""
    return [Proposal(*row) for row in _read(corpus, "proposals", name, answered)]


def read_classified(corpus: "Corpus", name: str | None, answered: bool) -> list[Classified]:
    """The ranges that a classifier has decided, in unverified frames; with `answered` in verified ones."""
    return [Classified(*row[:6]) for row in _read(corpus, "classified", name, answered)]


def set_proposals(
    corpus: "Corpus",
    take: str,
    labels: Iterable[str],
    proposals: Iterable[Proposal],
    model: Mapping[str, Any] | None,
    code_version: str,
) -> int:
    """Replace the proposals of some labels of a take, outside verified frames; returns the number of ranges."""
    corpus.require_writing()
    words = tuple(dict.fromkeys(labels))
    new = list(proposals)
    n_frames = corpus.info(take).n_frames
    for word in words:
        check_word(word, "label")
    for proposal in new:
        _check(corpus, proposal, take, words)
    settings = json.dumps(dict(model or {}), sort_keys=True)
    classified = [(word, 0, n_frames, settings, code_version, now()) for word in words]
    rows = [(row.label, int(row.start), int(row.stop), float(row.confidence)) for row in sorted(new)]
    with transaction(corpus.connection):
        verified = {label: ranges for (_, label), ranges in verified_ranges(corpus, take).items()}
        _replace(corpus, "classified", take, words, verified, classified)
        return _replace(corpus, "proposals", take, words, verified, rows)


def _read(corpus: "Corpus", table: str, name: str | None, answered: bool) -> list[tuple]:
    columns = ", ".join(f"{table}.{column}" for column in _COLUMNS[table].split(", "))
    query = f"""SELECT takes.name, label, start, stop, {columns} FROM {table}
        JOIN takes ON takes.id = {table}.take WHERE removed IS NULL"""
    values: list[object] = []
    if name is not None:
        query, values = f"{query} AND takes.id = ?", [corpus.take_id(name)]
    rows = corpus.connection.execute(f"{query} ORDER BY takes.name, start, stop, label", values).fetchall()
    verified = verified_ranges(corpus, name) if rows else {}
    clip = keep_inside if answered else cut_out
    return [
        (take, label, *part, *rest)
        for take, label, start, stop, *rest in rows
        for part in clip([(start, stop)], verified.get((take, label), []))
    ]


def _replace(
    corpus: "Corpus",
    table: str,
    take: str,
    labels: tuple[str, ...],
    verified: Mapping[str, list[Range]],
    rows: list[tuple],
) -> int:
    """Replace the rows outside verified frames; those inside stay as they are."""
    db, row = corpus.connection, corpus.take_id(take)
    columns = f"label, start, stop, {_COLUMNS[table]}"
    kept = []
    for label in labels:
        old = db.execute(f"SELECT {columns} FROM {table} WHERE take = ? AND label = ?", [row, label]).fetchall()
        kept += [
            (word, *part, *rest)
            for word, start, stop, *rest in old
            for part in keep_inside([(start, stop)], verified.get(word, []))
        ]
    fresh = [
        (word, *part, *rest)
        for word, start, stop, *rest in rows
        for part in cut_out([(start, stop)], verified.get(word, []))
    ]
    db.executemany(f"DELETE FROM {table} WHERE take = ? AND label = ?", [(row, label) for label in labels])
    places = ", ".join("?" * (len(columns.split(",")) + 1))
    db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", [(row, *values) for values in kept + fresh])
    return len(fresh)


def _check(corpus: "Corpus", proposal: Proposal, take: str, labels: tuple[str, ...]) -> None:
    label = proposal.label
    if proposal.take != take or label not in labels:
        raise BadInput(
            f"proposal of '{label}' for {proposal.take}: expected one for {take} of the labels "
            f"{', '.join(labels) or '(none)'}, which were classified"
        )
    check_range(corpus, take, proposal.start, proposal.stop, f"proposal '{label}'")
    if not 0.0 <= proposal.confidence <= 1.0:
        raise BadInput(f"{take}: confidence of proposal '{label}' must be from 0 to 1, got {proposal.confidence}")
