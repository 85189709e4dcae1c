"""Corpus: the takes we work from, with what is known about them, in one folder."""

import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.caching import Recent
from motionloom.corpus import given_grounds, joint_roles, layers, recorded_curves, removed_takes
from motionloom.corpus.labels import acceptance, annotations, label_names, proposals, verified_ranges
from motionloom.corpus.records import Added, Classified, Contact, Event, Label, Proposal, TakeInfo, Verified
from motionloom.corpus.store import array_files, catalogue, reserve, serialization
from motionloom.corpus.store.connection import Connection, NoSpace
from motionloom.corpus.store.interrupts import uninterrupted
from motionloom.corpus.store.opening import open_locked
from motionloom.corpus.store.packed_take import PackedTake, check_floor, check_name, pack, unpack
from motionloom.corpus.store.write_lock import LentLock, WriteLock
from motionloom.corpus.take_names import suggest_names
from motionloom.errors import CorpusError
from motionloom.formats.take import Take
from motionloom.motion import Curves, Footing, Ground, Skeleton

UNSHARED = 32  # things that only this process can use are kept in memory, the newest


class Corpus:
    """A folder of takes, opened for reading or, by one process at a time, for writing.

    Frames are memory-mapped when a take is read. Use it as a context manager, or close it.
    """

    def __init__(self, folder: Path, connection: Connection, lock: WriteLock | LentLock | None) -> None:
        self.folder = folder
        self._connection = connection
        self._lock = lock
        self._skeletons: dict[str, Skeleton] = {}
        self.unshared: Recent[tuple[str, str], Any] = Recent(UNSHARED)  # by kind and key; see `caching.is_shared`

    @staticmethod
    def create(path: str | Path) -> "Corpus":
        """Create an empty corpus in a folder that does not exist or is empty, and open it for writing."""
        catalogue.make_folder(Path(path))
        return Corpus.open(path, write=True)

    @staticmethod
    def open(path: str | Path, write: bool = False, *, lent: bool = False) -> "Corpus":
        """Open a corpus; `write=True` takes the write lock or raises `CorpusBusy`.

        With `lent` no lock is taken: the caller is a worker of the process that holds the lock, and ends before that
        process releases it. Each change is one transaction either way; the catalogue serializes them.
        """
        folder = Path(path)
        catalogue.open_catalogue(folder, write=False).close()  # raises before a lock file is written to a bad folder
        lock = None if not write else LentLock(folder) if lent else WriteLock(folder)
        try:
            return Corpus(folder, open_locked(folder, lock), lock)
        except BaseException:
            if lock is not None:
                lock.release()
            raise

    def close(self) -> None:
        """Close the catalogue and release the write lock."""
        self._connection.close()
        if self._lock is not None:
            if isinstance(self._lock, WriteLock):
                reserve.keep_reserve(self.folder)
            self._lock.release()
            self._lock = None

    def __enter__(self) -> "Corpus":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        self.close()

    @property
    def connection(self) -> Connection:
        """The connection to the catalogue."""
        if self._connection.is_outdated:  # queries that are under way keep the old one
            self._connection = catalogue.open_catalogue(self.folder, write=False)
        return self._connection

    @property
    def can_write(self) -> bool:
        """Whether this process holds the write lock."""
        return self._lock is not None

    @property
    def arrays(self) -> Path:
        """The folder of the arrays."""
        return self.folder / array_files.FOLDER

    def names(self) -> list[str]:
        """The names of all takes, sorted."""
        return [
            name for (name,) in self.connection.execute("SELECT name FROM takes WHERE removed IS NULL ORDER BY name")
        ]

    def infos(self, *, removed: bool = False) -> list[TakeInfo]:
        """What is known about every take, without its frames; or about the removed ones."""
        rows = self.connection.execute(
            f"{catalogue.INFOS} WHERE removed IS {'NOT ' if removed else ''}NULL ORDER BY name"
        )
        infos = []
        for row in rows.fetchall():
            with self._advising(skip=removed):  # the row of a take in quarantine may be unreadable
                infos.append(catalogue.info_of(row))
        return infos

    def info(self, name: str) -> TakeInfo:
        """What is known about one take, without its frames."""
        row = self.connection.execute(f"{catalogue.INFOS} WHERE removed IS NULL AND name = ?", [name]).fetchone()
        if row is None:
            raise self._unknown(name)
        with self._advising():
            return catalogue.info_of(row)

    def take(self, name: str) -> Take:
        """Read a take as it was recorded, in metres and with y up."""
        info = self.info(name)
        with self._advising(f"take '{name}': "):
            skeleton = self.skeleton(info.skeleton) if info.skeleton is not None else None
            point_names = self.point_names(name)
        motion = unpack(self.frames(name), info.fps, skeleton, point_names)
        return Take(name, motion, info.source, info.findings, self.curves(name) if info.curves else None)

    def frames(self, name: str) -> np.ndarray:
        """The stored frames of a take, memory-mapped, read-only.

        Returns:
            (F, 3 + 4 J) float32: root position in metres, then joint rotations; for points (F, 3 M) metres.
        """
        row = self.connection.execute(
            "SELECT file, crc FROM takes WHERE removed IS NULL AND name = ?", [name]
        ).fetchone()
        if row is None:
            raise self._unknown(name)
        try:
            return array_files.open_array(self.arrays, catalogue.stored(row))
        except CorpusError as error:
            raise type(error)(f"take '{name}': {error}") from error

    def point_names(self, name: str) -> tuple[str, ...] | None:
        """The names of a take's points; None for a body."""
        return self.point_names_of(self.take_id(name))

    def point_names_of(self, take: int) -> tuple[str, ...] | None:
        """As `point_names`, by the take's row id in the catalogue."""
        row = self.connection.execute("SELECT point_names FROM takes WHERE id = ?", [take]).fetchone()
        return serialization.read_names(row[0]) if row[0] is not None else None

    def skeleton(self, digest: str) -> Skeleton:
        """The skeleton with this digest; see `TakeInfo.skeleton`."""
        if digest not in self._skeletons:
            row = self.connection.execute("SELECT content FROM skeletons WHERE digest = ?", [digest]).fetchone()
            if row is None:
                raise CorpusError(f"its skeleton {serialization.shorten(digest)} is missing in the catalogue")
            self._skeletons[digest] = serialization.skeleton_from_json(row[0])
        return self._skeletons[digest]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes of the block, written and synced to disk together when it ends; none of them if it raises."""
        self.require_writing()
        with uninterrupted(), catalogue.transaction(self.connection):
            yield

    def add(self, take: Take, *, name: str | None = None, floor_height: float | None = None) -> Added:
        """Add a take; when this returns, it is written and synced to disk.

        Args:
            take: to add; body motions and points both.
            name: of the take in the corpus; None for its own.
            floor_height: metres, world; None to estimate it.
        """
        self.require_writing()
        named = take if name is None else replace(take, name=name)
        return self.add_packed(pack(named, floor_height))

    @uninterrupted()
    def add_packed(self, packed: PackedTake) -> Added:
        """Add a take that was packed before, in this process or in a worker."""
        self.require_writing()
        same = self.connection.execute(
            "SELECT name, skeleton FROM takes WHERE removed IS NULL AND digest = ?", [packed.digest]
        ).fetchone()
        if same is not None:
            skeleton = packed.skeleton.digest if packed.skeleton is not None else None
            return Added(packed.name, "duplicate", same[0], has_other_roles=same[1] != skeleton)
        self.require_free(packed.name, "rename or remove it, or import with a prefix")
        quarantined = removed_takes.find_quarantined(self, packed.digest)
        try:
            with catalogue.storing_arrays(self.connection, self.arrays, packed.arrays) as stored:
                if quarantined is not None:
                    removed_takes.replace_quarantined(self, quarantined, packed, stored)
                else:
                    with catalogue.transaction(self.connection):
                        catalogue.insert_take(self.connection, packed, stored)
        except array_files.NotWritable as error:
            raise CorpusError(
                f"{self.folder}: '{packed.name}' could not be written ({error.reason}); it was not added"
            ) from error
        return Added(packed.name, "imported")

    def set_floor(self, name: str, floor_height: float) -> None:
        """Set the floor height of a take, in metres, instead of the estimate."""
        self.require_writing()
        check_floor(name, floor_height)
        with catalogue.transaction(self.connection) as db:
            db.execute(
                "UPDATE takes SET floor_height = ?, floor_given = 1 WHERE id = ?",
                [float(floor_height), self.take_id(name)],
            )

    def set_ground(self, name: str, ground: Ground | None) -> None:
        """Keep what the feet of a take stand on, with its floor; None forgets boxes and terrain and keeps the floor."""
        self.require_writing()
        given_grounds.set_given_ground(self, name, ground)

    def ground(self, name: str) -> Ground | None:
        """The ground that was given for a take, metres, world; None if none was."""
        with self._advising(f"take '{name}': "):
            return given_grounds.read_given_ground(self, name)

    def set_curves(self, name: str, curves: Curves | None) -> None:
        """Keep curves beside a take instead of those that it has; None forgets them."""
        self.require_writing()
        recorded_curves.set_recorded_curves(self, name, curves)

    def curves(self, name: str) -> Curves | None:
        """The curves that were recorded beside a take, such as those of its face; None if there are none."""
        with self._advising(f"take '{name}': "):
            return recorded_curves.read_recorded_curves(self, name)

    def set_roles(self, name: str, roles: Mapping[str, str | None], *, this_take_only: bool = False) -> list[str]:
        """Correct which joint plays which role, in all takes of the skeleton of this take; returns their names.

        Layers and views are recomputed when they are next read.

        Args:
            name: of a take.
            roles: joint by role, such as {"left_foot": "ankle_L"}; None removes a role.
            this_take_only: leave the other takes of its skeleton unchanged.
        """
        self.require_writing()
        return joint_roles.set_roles(self, name, roles, this_take_only)

    def remove(self, names: str | Iterable[str]) -> list[int]:
        """Remove takes, with their labels; all or none. `restore` brings them back until `purge`.

        Returns their row ids, which tell them apart from takes of the same name that are removed later.
        """
        self.require_writing()
        wanted = _listed(names)
        return reserve.with_reserve(self.folder, lambda: removed_takes.remove(self, wanted))

    def restore(self, names: str | Iterable[str], numbers: Iterable[int] | None = None) -> None:
        """Restore removed takes with their labels, contacts, events and layers; all or none.

        A take that a repair moved to the quarantine is restored too if its array is intact after all.

        Args:
            names: of the takes.
            numbers: row ids that `remove` returned for them; None for the last removed take of each name.
        """
        self.require_writing()
        removed_takes.restore(self, _listed(names), numbers)

    def rename(self, old: str, new: str) -> None:
        """Rename a take."""
        self.require_writing()
        check_name(new)
        take = self.take_id(old)
        if new != old:
            self.require_free(new, "choose another name, or rename or remove that one first")
        with catalogue.transaction(self.connection) as db:
            db.execute("UPDATE takes SET name = ? WHERE id = ?", [new, take])

    def purge(self, *, damaged: bool = False) -> list[str]:
        """Delete removed takes permanently, with the arrays and views that depend on them. Returns their names.

        Takes that a repair moved to the quarantine stay, because importing their files again restores their labels;
        `damaged=True` deletes them too.
        """
        self.require_writing()
        try:
            return removed_takes.purge(self, damaged)
        except NoSpace:  # take by take, because each frees some
            return reserve.with_reserve(self.folder, lambda: removed_takes.purge_each(self, damaged))

    def labels(self, name: str | None = None, *, source: str | None = None) -> list[Label]:
        """The labels of a take, or of all takes."""
        return annotations.read_labels(self, name, source)

    def add_labels(self, labels: Iterable[Label]) -> int:
        """Add labels, all or none; duplicates are ignored. Returns how many are new."""
        return annotations.add_labels(self, labels)

    def remove_labels(self, labels: Iterable[Label]) -> int:
        """Remove exactly these labels. Returns how many were removed."""
        return annotations.remove_labels(self, labels)

    def rename_label(self, old: str, new: str) -> int:
        """Rename a label in all takes; returns how many labels of people were renamed."""
        return label_names.rename_label(self, old, new)

    def label_names(self) -> list[str]:
        """The names of all labels of the corpus, sorted."""
        return label_names.label_names(self)

    def label_track(self, name: str, label: str, *, source: str | None = None) -> np.ndarray:
        """A label over time: (F,) int8, +1 where it holds, -1 elsewhere; 0 throughout for a take without any labels."""
        return annotations.label_track(self, name, label, source)

    def verified(self, name: str | None = None) -> list[Verified]:
        """The ranges in which a person has verified labels, in a take or in all takes."""
        return verified_ranges.read_verified(self, name)

    def verify(self, ranges: Iterable[Verified]) -> None:
        """Mark labels as verified by a person over these frames, as they are; all or none."""
        acceptance.verify(self, ranges)

    def accept(
        self,
        take: str,
        labels: Iterable[str],
        start: int,
        stop: int,
        ranges: Mapping[str, Sequence[tuple[int, int]]],
    ) -> acceptance.Acceptance:
        """Set labels in [start, stop) of a take to these ranges and mark the frames as verified by a person.

        Labels outside [start, stop) stay as they are. The acceptance that is returned can `undo` the change.

        Args:
            take: name of the take.
            labels: that were verified.
            start: first verified frame.
            stop: the frame after the last.
            ranges: by label, the frames [a, b) in which it holds; a label without ranges holds in no frame.
        """
        return acceptance.accept(self, take, labels, start, stop, ranges)

    def proposals(self, name: str | None = None, *, answered: bool = False) -> list[Proposal]:
        """Ranges that a classifier proposes in unverified frames; `answered`: its proposals in verified frames."""
        return proposals.read_proposals(self, name, answered)

    def classified(self, name: str | None = None, *, answered: bool = False) -> list[Classified]:
        """Ranges in which a classifier has decided about labels, for or against; `answered` as in `proposals`."""
        return proposals.read_classified(self, name, answered)

    def set_proposals(
        self,
        take: str,
        labels: Iterable[str],
        ranges: Iterable[Proposal],
        *,
        model: Mapping[str, Any] | None = None,
        code_version: str = "",
    ) -> int:
        """Replace the proposals of labels of a take; verified frames keep theirs.

        Args:
            take: name of the take.
            labels: that the classifier decided over the whole take, also those that hold in no frame.
            ranges: in which the classifier proposes them.
            model: settings of the classifier, as JSON can hold them.
            code_version: of the classifier.

        Returns:
            The number of proposed ranges, those in verified frames left out.
        """
        return proposals.set_proposals(self, take, labels, ranges, model, code_version)

    def contacts(self, name: str | None = None, *, source: str | None = None) -> list[Contact]:
        """The annotated contacts of a take, such as the performer's ground truth; detected ones are a layer."""
        return annotations.read_contacts(self, name, source)

    def add_contacts(self, contacts: Iterable[Contact]) -> int:
        """Add contacts, all or none; returns how many are new."""
        return annotations.add_contacts(self, contacts)

    def events(self, name: str | None = None, *, source: str | None = None) -> list[Event]:
        """The events of a take, or of all takes."""
        return annotations.read_events(self, name, source)

    def add_events(self, events: Iterable[Event]) -> int:
        """Add events, all or none; returns how many are new."""
        return annotations.add_events(self, events)

    def remember(self, what: str, value: Any) -> None:
        """Store a JSON value, such as the settings that a person chose, under a key; it replaces the stored one."""
        annotations.remember(self, what, value)

    def remembered(self, what: str) -> Any:
        """The JSON value stored under a key; None if there is none or it cannot be read."""
        return annotations.remembered(self, what)

    def layer(self, name: str, layer: str) -> np.ndarray:
        """A layer of a take: computed per frame, cached if the corpus is open for writing; see `layers.LAYERS`.

        facing (F, 3): metres along x and z, heading in radians; positions, velocities, accelerations (F, J, 3):
        metres and seconds, x left, y up, z forwards; contacts (F, 4) bool: heel and ball, left and right.
        """
        return layers.read_layer(self, name, layer)

    def footing(self, name: str) -> Footing:
        """What the feet of a take stand on besides its floor, such as steps, each with the frames in which they do."""
        return layers.read_footing(self, name)

    def take_id(self, name: str) -> int:
        """The row id of a take in the catalogue."""
        row = self.connection.execute("SELECT id FROM takes WHERE removed IS NULL AND name = ?", [name]).fetchone()
        if row is None:
            raise self._unknown(name)
        return int(row[0])

    def require_writing(self) -> None:
        """Raise unless this process holds the write lock."""
        if not self.can_write:
            raise CorpusError(f"{self.folder} is open for reading only; open it with write=True to change it")

    @contextmanager
    def _advising(self, subject: str = "", skip: bool = False) -> Iterator[None]:
        """Add to an error about an unreadable row how to repair it."""
        try:
            yield
        except CorpusError as error:
            if not skip:
                raise CorpusError(f"{subject}{error}; {array_files.repair_advice(self.folder)}") from error

    def require_free(self, name: str, advice: str) -> None:
        """Raise if a take has this name."""
        if self.connection.execute("SELECT 1 FROM takes WHERE removed IS NULL AND name = ?", [name]).fetchone():
            raise CorpusError(f"a take '{name}' with other content exists already; {advice}")

    def _unknown(self, name: str) -> CorpusError:
        return CorpusError(f"no take '{name}' in {self.folder}; {suggest_names(name, self.names())}")


def _listed(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(dict.fromkeys(names))
