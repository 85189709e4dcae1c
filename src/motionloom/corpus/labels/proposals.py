"""What a machine says about labels: proposals with confidence, and where it has decided at all."""

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
    """The proposals of a take, or of all takes, in frames that nobody has verified; or in those that somebody has."""
    return [Proposal(*row) for row in _read(corpus, "proposals", name, answered)]


def read_classified(corpus: "Corpus", name: str | None, answered: bool) -> list[Classified]:
    """Where a machine has decided, in frames that nobody has verified; or in those that somebody has."""
    return [Classified(*row[:6]) for row in _read(corpus, "classified", name, answered)]


def set_proposals(
    corpus: "Corpus",
    take: str,
    labels: Iterable[str],
    proposals: Iterable[Proposal],
    model: Mapping[str, Any] | None,
    code_version: str,
) -> int:
    """Replace what a machine says about some labels of a take, outside verified frames; returns how many ranges."""
    corpus.require_writing()
    words = tuple(dict.fromkeys(labels))
    new = list(proposals)
    n_frames = corpus.info(take).n_frames
    for word in words:
        check_word(word, "label")
    for one in new:
        _check(corpus, one, take, words)
    told = json.dumps(dict(model or {}), sort_keys=True)
    decided = [(word, 0, n_frames, told, code_version, now()) for word in words]
    said = [(one.label, int(one.start), int(one.stop), float(one.confidence)) for one in sorted(new)]
    with transaction(corpus.connection):
        verified = {label: ranges for (_, label), ranges in verified_ranges(corpus, take).items()}
        _replace(corpus, "classified", take, words, verified, decided)
        return _replace(corpus, "proposals", take, words, verified, said)


def forget_proposals(corpus: "Corpus", names: Iterable[str], labels: Iterable[str] | None) -> int:
    """Take away what a machine says about labels (None: all) of takes in frames that nobody has verified."""
    corpus.require_writing()
    n_gone = 0
    with transaction(corpus.connection):
        for take in names:
            verified = {label: ranges for (_, label), ranges in verified_ranges(corpus, take).items()}
            open_ones = [one.label for one in read_proposals(corpus, take, answered=False)]
            decided = [one.label for one in read_classified(corpus, take, answered=False)]
            words = tuple(set(decided) | set(open_ones)) if labels is None else tuple(labels)
            n_gone += sum(label in words for label in open_ones)
            for table in _COLUMNS:
                _replace(corpus, table, take, words, verified, [])
    return n_gone


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
    """Write rows outside verified frames in place of those there; what was said inside them stays as it is."""
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
    db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", [(row, *one) for one in kept + fresh])
    return len(fresh)


def _check(corpus: "Corpus", one: Proposal, take: str, labels: tuple[str, ...]) -> None:
    if one.take != take or one.label not in labels:
        raise BadInput(
            f"a proposal of '{one.label}' for {one.take}, but the machine decided {', '.join(labels) or 'nothing'} "
            f"of {take}; name its label and take"
        )
    check_range(corpus, take, one.start, one.stop, f"proposal of '{one.label}'")
    if not 0.0 <= one.confidence <= 1.0:
        raise BadInput(f"{take}: proposal of '{one.label}' with confidence {one.confidence}; it must be from 0 to 1")
