"""Removed takes: removal, restoring, reimport of damaged takes from quarantine, and permanent deletion."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.corpus import packs, pair_packs
from motionloom.corpus.integrity.damage import find_damage
from motionloom.corpus.store import array_files, catalogue
from motionloom.corpus.store.interrupts import uninterrupted
from motionloom.corpus.store.packed_curves import describe_curves
from motionloom.corpus.store.packed_take import PackedTake
from motionloom.errors import BadInput, CorpusError

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus

_WAS_ASKED = f"removed_because LIKE '{catalogue.ASKED}%'"  # removed by a person, even if it was found damaged since


def remove(corpus: "Corpus", names: Iterable[str]) -> list[int]:
    """Mark takes as removed; all or none. Returns their row ids."""
    ids = [corpus.take_id(name) for name in names]
    with catalogue.transaction(corpus.connection) as db:
        rows = [(catalogue.now(), catalogue.ASKED, i) for i in ids]
        db.executemany("UPDATE takes SET removed = ?, removed_because = ? WHERE id = ?", rows)
    return ids


def restore(corpus: "Corpus", names: Sequence[str], numbers: Iterable[int] | None = None) -> None:
    """Restore removed takes, and quarantined ones whose array is intact; all or none."""
    wanted = [None] * len(names) if numbers is None else list(numbers)
    if len(wanted) != len(names):
        raise BadInput(f"{len(wanted)} row ids for {len(names)} takes; give one for each")
    found = [(name, *_last_removed(corpus, name, number)) for name, number in zip(names, wanted)]
    with catalogue.transaction(corpus.connection) as db:
        for name, take, digest in found:
            corpus.require_free(name, "rename or remove that one first")
            same = db.execute("SELECT name FROM takes WHERE removed IS NULL AND digest = ?", [digest]).fetchone()
            if same is not None:
                raise CorpusError(
                    f"'{name}' was added again as '{same[0]}'; remove that take first to restore this one"
                )
            db.execute("UPDATE takes SET removed = NULL, removed_because = NULL WHERE id = ?", [take])


def find_quarantined(corpus: "Corpus", digest: str) -> int | None:
    """The row id of the last quarantined take with this content; None if there is none."""
    row = corpus.connection.execute(
        f"SELECT id FROM takes WHERE removed IS NOT NULL AND NOT {_WAS_ASKED} AND digest = ? ORDER BY id DESC",
        [digest],
    ).fetchone()
    return None if row is None else int(row[0])


def replace_quarantined(
    corpus: "Corpus", take: int, packed: PackedTake, stored: Mapping[str, array_files.StoredArray]
) -> None:
    """Restore a quarantined take with a new array; it keeps its labels, corrected floor and roles, and its curves."""
    values = catalogue.take_values(packed, stored["frames"])
    row = corpus.connection.execute(
        "SELECT floor_given, floor_height, skeleton FROM takes WHERE id = ?", [take]
    ).fetchone()
    if row[0] == 1 and isinstance(row[1], float) and not packed.floor_given:
        del values["floor_height"], values["floor_given"]
    if packed.skeleton is not None and _hierarchy(corpus, row[2]) == packed.skeleton.hierarchy_digest:
        del values["skeleton"]
    with catalogue.transaction(corpus.connection) as db:
        catalogue.insert_skeleton(db, packed.skeleton)
        columns = ", ".join(f"{column} = ?" for column in values)
        db.execute(
            f"UPDATE takes SET {columns}, removed = NULL, removed_because = NULL WHERE id = ?", [*values.values(), take]
        )
        has_curves = db.execute("SELECT 1 FROM curves WHERE take = ?", [take]).fetchone()
        if packed.curves is not None and not has_curves:
            catalogue.insert_curves(db, take, *describe_curves(packed.curves), stored["curves"])


@uninterrupted()
def purge(corpus: "Corpus", damaged: bool) -> list[str]:
    """Delete removed takes permanently, with their arrays and models; quarantined ones only if `damaged`."""
    return _delete(corpus, _chosen(damaged))


@uninterrupted()
def purge_each(corpus: "Corpus", damaged: bool) -> list[str]:
    """As `purge`, one take after another: on a full disk each frees space for the next."""
    ids = [take for (take,) in corpus.connection.execute(f"SELECT id FROM takes WHERE {_chosen(damaged)}").fetchall()]
    names: list[str] = []
    for take in ids:
        corpus.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # the log must not grow
        names += _delete(corpus, f"id = {int(take)}")
    return sorted(names)


def _chosen(damaged: bool) -> str:
    return "removed IS NOT NULL" + ("" if damaged else f" AND {_WAS_ASKED}")


def _delete(corpus: "Corpus", chosen: str) -> list[str]:
    """Delete the takes that fulfil a condition, with their arrays and models."""
    rows = corpus.connection.execute(f"SELECT name, digest, file FROM takes WHERE {chosen} ORDER BY name").fetchall()
    others = corpus.connection.execute(
        f"SELECT digest FROM takes WHERE id NOT IN (SELECT id FROM takes WHERE {chosen})"
    )
    gone = {digest for _, digest, _ in rows} - {digest for (digest,) in others}
    packs.drop_takes(corpus, gone)
    pair_packs.drop_takes(corpus, gone)
    with catalogue.transaction(corpus.connection) as db:
        db.execute(f"DELETE FROM takes WHERE {chosen}")
        _delete_models(corpus, gone)
    used = catalogue.files_in_use(corpus.connection)
    for path in corpus.arrays.iterdir():
        if path.name not in used:
            array_files.discard(path)
    for _, _, file in rows:
        array_files.discard(corpus.folder / array_files.QUARANTINE / file)
    return [name for name, _, _ in rows]


def _delete_models(corpus: "Corpus", gone: set[str]) -> None:
    """Delete models and views that were computed from takes with this content."""
    for kind, key, takes in corpus.connection.execute("SELECT kind, key, takes FROM models").fetchall():
        if gone & set(json.loads(takes)):
            corpus.connection.execute("DELETE FROM models WHERE kind = ? AND key = ?", [kind, key])


def _last_removed(corpus: "Corpus", name: str, number: int | None) -> tuple[int, str]:
    row = corpus.connection.execute(
        "SELECT id, digest, removed_because, file, crc FROM takes WHERE removed IS NOT NULL AND name = ? "
        "AND id = COALESCE(?, id) ORDER BY id DESC",
        [name, number],
    ).fetchone()
    if row is None:
        removed = sorted({info.name for info in corpus.infos(removed=True)})
        raise CorpusError(f"no removed take '{name}'; removed are: {', '.join(removed) or 'none'}")
    take, digest, because, file, crc = row
    if because != catalogue.ASKED:
        _restore_array(corpus, name, take, because, array_files.StoredArray(file, crc))
    return int(take), digest


def _restore_array(corpus: "Corpus", name: str, take: int, because: str, stored: array_files.StoredArray) -> None:
    """Move the array of a quarantined take back to the arrays, if it is intact; else raise."""
    quarantine = corpus.folder / array_files.QUARANTINE
    for folder in (corpus.arrays, quarantine):
        if (folder / stored.file).exists() and _is_intact(corpus, take, stored, folder):
            if folder is quarantine:
                os.replace(quarantine / stored.file, corpus.arrays / stored.file)
                array_files.sync_folder(corpus.arrays)
            return
    raise CorpusError(f"'{name}' is in quarantine because it is damaged ({because}); import it again from its file")


def _is_intact(corpus: "Corpus", take: int, stored: array_files.StoredArray, folder: Path) -> bool:
    row = corpus.connection.execute(f"{catalogue.INFOS} WHERE takes.id = ?", [take]).fetchone()
    try:
        return find_damage(corpus, take, catalogue.info_of(row), stored, folder) is None
    except array_files.NotReadableNow:
        raise
    except CorpusError:
        return False


def _hierarchy(corpus: "Corpus", skeleton: str) -> str | None:
    try:
        return corpus.skeleton(skeleton).hierarchy_digest
    except CorpusError:
        return None
