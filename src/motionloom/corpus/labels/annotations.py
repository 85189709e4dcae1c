"""Annotations of takes: labels, contacts and events, given by people or programs."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from motionloom.corpus.labels.verified_ranges import keeping_verified
from motionloom.corpus.records import Contact, Event, Label
from motionloom.corpus.store import serialization
from motionloom.corpus.store.catalogue import transaction
from motionloom.errors import BadInput
from motionloom.formats.limits import LONGEST_NAME

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

_REMEMBERED = "remembered "  # prefix of the keys of stored values in the table `about`


def read_labels(corpus: "Corpus", name: str | None, source: str | None) -> list[Label]:
    return [Label(*row) for row in _read(corpus, "labels", "label, start, stop, source", name, source)]


def read_contacts(corpus: "Corpus", name: str | None, source: str | None) -> list[Contact]:
    return [Contact(*row) for row in _read(corpus, "contacts", "point, start, stop, source", name, source)]


def read_events(corpus: "Corpus", name: str | None, source: str | None) -> list[Event]:
    rows = _read(corpus, "events", "kind, frame, source, data", name, source)
    return [Event(take, kind, frame, by, serialization.read_data(data) or {}) for take, kind, frame, by, data in rows]


def add_labels(corpus: "Corpus", labels: Iterable[Label], are_listed: bool = True) -> int:
    """Add labels, all or none; returns how many are new. Raises if verified frames would change.

    With `are_listed` the labels count as the full list of where they hold in their takes; see `LabelState.is_listed`.
    """
    rows = []
    pairs: set[tuple[str, str]] = set()
    takes: dict[str, tuple[int, int]] = {}  # row id and number of frames
    for label in labels:
        if label.take not in takes:
            takes[label.take] = corpus.take_id(label.take), corpus.info(label.take).n_frames
        take, n_frames = takes[label.take]
        check_frames(label.take, n_frames, label.start, label.stop, f"label '{label.label}'")
        check_word(label.label, "label")
        check_word(label.source, "source")
        rows.append((take, label.label, int(label.start), int(label.stop), label.source))
        pairs.add((label.take, label.label))
    return _insert(corpus, "labels", rows, pairs, are_listed)


def remove_labels(corpus: "Corpus", labels: Iterable[Label]) -> int:
    """Remove exactly these labels; returns how many were removed. Raises if verified frames would change."""
    corpus.require_writing()
    removed = list(labels)
    rows = [(corpus.take_id(label.take), label.label, label.start, label.stop, label.source) for label in removed]
    pairs = {(label.take, label.label) for label in removed}
    with transaction(corpus.connection) as db, keeping_verified(corpus, pairs):
        before = db.total_changes
        db.executemany(
            "DELETE FROM labels WHERE take = ? AND label = ? AND start = ? AND stop = ? AND source = ?", rows
        )
        n_removed = db.total_changes - before
        db.executemany(
            """DELETE FROM listed WHERE take = ? AND label = ? AND NOT EXISTS (
                SELECT 1 FROM labels WHERE labels.take = listed.take AND labels.label = listed.label)""",
            {row[:2] for row in rows},
        )
        return n_removed


def add_contacts(corpus: "Corpus", contacts: Iterable[Contact]) -> int:
    """Add contacts, all or none; returns how many are new."""
    rows = []
    for contact in contacts:
        check_range(corpus, contact.take, contact.start, contact.stop, f"contact of {contact.point}")
        check_word(contact.point, "point")
        check_word(contact.source, "source")
        rows.append(
            (corpus.take_id(contact.take), contact.point, int(contact.start), int(contact.stop), contact.source)
        )
    return _insert(corpus, "contacts", rows)


def add_events(corpus: "Corpus", events: Iterable[Event]) -> int:
    """Add events, all or none; returns how many are new."""
    rows = []
    for event in events:
        check_range(corpus, event.take, event.frame, event.frame + 1, f"event '{event.kind}'")
        check_word(event.kind, "kind of event")
        check_word(event.source, "source")
        rows.append((corpus.take_id(event.take), event.kind, int(event.frame), event.source, _as_json(event)))
    return _insert(corpus, "events", rows)


def label_track(corpus: "Corpus", name: str, label: str, source: str | None) -> np.ndarray:
    """(F,) int8: +1 where the label holds, -1 elsewhere; 0 throughout for a take without labels."""
    ranges = read_labels(corpus, name, source)
    track = np.full(corpus.info(name).n_frames, -1 if ranges else 0, np.int8)
    for part in ranges:
        if part.label == label:
            track[part.start : part.stop] = 1
    return track


def remember(corpus: "Corpus", what: str, value: Any) -> None:
    """Store a JSON value under a key."""
    corpus.require_writing()
    try:
        text = json.dumps(value, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise BadInput(f"'{what}' cannot be stored as JSON ({error}); use numbers, strings and lists only") from error
    with transaction(corpus.connection) as db:
        db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", [_REMEMBERED + what, text])


def remembered(corpus: "Corpus", what: str) -> Any:
    """The JSON value stored under a key, or None."""
    row = corpus.connection.execute("SELECT value FROM about WHERE key = ?", [_REMEMBERED + what]).fetchone()
    try:
        return None if row is None else json.loads(row[0])
    except (TypeError, ValueError):  # damaged: as if it were missing
        return None


def check_range(corpus: "Corpus", take: str, start: int, stop: int, what: str) -> None:
    """Raise unless [start, stop) is a range of frames of the take."""
    check_frames(take, corpus.info(take).n_frames, start, stop, what)


def check_frames(take: str, n_frames: int, start: int, stop: int, what: str) -> None:
    """Raise unless [start, stop) is a range of the frames that a take has."""
    if start >= stop:
        raise BadInput(f"{take}: frames [{start}, {stop}) of {what} are an empty range; start must be below stop")
    if not 0 <= start < stop <= n_frames:
        raise BadInput(f"{take}: frames [{start}, {stop}) of {what} are out of range: the take has {n_frames} frames")


def check_word(word: str, what: str) -> None:
    """Raise unless a name is printable text without leading or trailing spaces."""
    is_usual = word.isprintable() and serialization.is_text(word) and len(word) <= LONGEST_NAME
    if not word or word != word.strip() or not is_usual:
        shown = serialization.shorten(word)
        raise BadInput(f"'{shown}' is not a valid {what}; use printable words such as 'walk' or 'left hand busy'")


def _read(corpus: "Corpus", table: str, columns: str, name: str | None, source: str | None) -> list[tuple]:
    query = f"SELECT takes.name, {', '.join(f'{table}.{c.strip()}' for c in columns.split(','))} FROM {table}"
    query += f" JOIN takes ON takes.id = {table}.take WHERE removed IS NULL"
    values: list[object] = []
    if name is not None:
        query, values = query + " AND takes.id = ?", [corpus.take_id(name)]
    if source is not None:
        query, values = query + f" AND {table}.source = ?", [*values, source]
    order = "events.frame, events.kind" if table == "events" else "start, stop"
    return corpus.connection.execute(f"{query} ORDER BY takes.name, {order}, {table}.rowid", values).fetchall()


def _insert(
    corpus: "Corpus",
    table: str,
    rows: list[tuple],
    labelled: Iterable[tuple[str, str]] = (),
    are_listed: bool = False,
) -> int:
    """Insert rows, duplicates ignored; `labelled` are their takes and labels, recorded in `listed` if `are_listed`."""
    corpus.require_writing()
    if not rows:
        return 0
    with transaction(corpus.connection) as db, keeping_verified(corpus, labelled):
        before = db.total_changes
        db.executemany(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?, ?, ?)", rows)
        n_new = db.total_changes - before
        if are_listed:
            db.executemany("INSERT OR IGNORE INTO listed VALUES (?, ?)", {row[:2] for row in rows})
        return n_new


def _as_json(event: Event) -> str:
    try:
        return json.dumps(dict(event.data), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise BadInput(
            f"{event.take}: the data of event '{event.kind}' cannot be stored as JSON ({error}); "
            "use numbers, strings and lists only"
        ) from error
