"""Corpus: the takes we work from, with what is known about them, in one folder."""

import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.corpus import joint_roles, layers, removed_takes
from motionloom.corpus.labels import acceptance, annotations, label_names, proposals, verified_ranges
from motionloom.corpus.records import Added, Classified, Contact, Event, Label, Proposal, TakeInfo, Verified
from motionloom.corpus.store import array_files, catalogue, serialization
from motionloom.corpus.store.connection import Connection
from motionloom.corpus.store.interrupts import uninterrupted
from motionloom.corpus.store.packed_take import PackedTake, check_floor, check_name, pack, unpack
from motionloom.corpus.store.write_lock import LentLock, WriteLock
from motionloom.errors import CorpusError
from motionloom.formats.take import Take
from motionloom.motion import Skeleton


class Corpus:
    """A folder of takes, opened for reading or, by one process at a time, for writing.

    Frames stay on disk until a take is asked for. Use it as a context manager, or close it.
    """

    def __init__(self, folder: Path, connection: Connection, lock: WriteLock | LentLock | None) -> None:
        self.folder = folder
        self.connection = connection
        self._lock = lock
        self._skeletons: dict[str, Skeleton] = {}

    @staticmethod
    def create(path: str | Path) -> "Corpus":
        """Make an empty corpus in a folder that does not exist or is empty, and open it for writing."""
        catalogue.make_folder(Path(path))
        return Corpus.open(path, write=True)

    @staticmethod
    def open(path: str | Path, write: bool = False, *, lent: bool = False) -> "Corpus":
        """Open a corpus; `write=True` takes the write lock or raises `CorpusBusy`.

        With `lent` no lock is taken: the caller works for the process that holds it and lends it out, and ends
        before that one lets go. Single changes are whole either way; the catalogue puts them one after another.
        """
        folder = Path(path)
        catalogue.open_catalogue(
            folder, write=False
        ).close()  # says what is wrong with the folder before a lock is left in it
        lock = None if not write else LentLock(folder) if lent else WriteLock(folder)
        try:
            if write:
                (folder / array_files.FOLDER).mkdir(exist_ok=True)  # copies and archives may leave empty folders out
            return Corpus(folder, catalogue.open_catalogue(folder, write), lock)
        except BaseException:
            if lock is not None:
                lock.release()
            raise

    def close(self) -> None:
        """Let go of the files and of the write lock."""
        self.connection.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> "Corpus":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        self.close()

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
            with self._advising(skip=removed):  # of a take that was set aside it may be unknown what it was
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
        """Read a take, as it came from its file, in our units and axes."""
        info = self.info(name)
        with self._advising(f"take '{name}': "):
            skeleton = self.skeleton(info.skeleton) if info.skeleton is not None else None
            point_names = self.point_names(name)
        motion = unpack(self.frames(name), info.fps, skeleton, point_names)
        return Take(name, motion, info.source, info.findings)

    def frames(self, name: str) -> np.ndarray:
        """The stored frames of a take, mapped into memory, read-only.

        Returns:
            (F, 3 + 4 J) float32: root position in metres, then joint rotations; for points (F, 3 M) metres.
        """
        row = self.connection.execute(
            "SELECT file, crc FROM takes WHERE removed IS NULL AND name = ?", [name]
        ).fetchone()
        if row is None:
            raise self._unknown(name)
        return array_files.open_array(self.arrays, catalogue.stored(row))

    def point_names(self, name: str) -> tuple[str, ...] | None:
        """The names of a take's points; None for a body."""
        return self.point_names_of(self.take_id(name))

    def point_names_of(self, take: int) -> tuple[str, ...] | None:
        """As `point_names`, for a row of the catalogue."""
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

    def add(self, take: Take, *, name: str | None = None, floor_height: float | None = None) -> Added:
        """Keep a take; when this returns, it is on the disk.

        Args:
            take: what to keep; body motions and points both.
            name: under which name; None for the take's own.
            floor_height: metres, world; None to estimate it.
        """
        self.require_writing()
        named = take if name is None else Take(name, take.motion, take.source, take.findings)
        return self.add_packed(pack(named, floor_height))

    @uninterrupted()
    def add_packed(self, packed: PackedTake) -> Added:
        """Keep a take that was packed before, in this process or in another."""
        self.require_writing()
        same = self.connection.execute(
            "SELECT name, skeleton FROM takes WHERE removed IS NULL AND digest = ?", [packed.digest]
        ).fetchone()
        if same is not None:
            skeleton = packed.skeleton.digest if packed.skeleton is not None else None
            return Added(packed.name, "duplicate", same[0], has_other_roles=same[1] != skeleton)
        self.require_free(packed.name, "rename or remove it, or import with a prefix")
        set_aside = removed_takes.find_set_aside(self, packed.digest)
        try:
            frames = array_files.write_array(self.arrays, packed.frames)
            if set_aside is not None:
                removed_takes.put_back(self, set_aside, packed, frames)
            else:
                with catalogue.transaction(self.connection):
                    catalogue.insert_take(self.connection, packed, frames)
        except OSError as error:
            raise CorpusError(
                f"{self.folder}: '{packed.name}' could not be written ({error.strerror or error}); it was not added"
            ) from error
        return Added(packed.name, "imported")

    def set_floor(self, name: str, floor_height: float) -> None:
        """Say where the floor is under a take, in metres, instead of the estimate."""
        self.require_writing()
        check_floor(name, floor_height)
        with catalogue.transaction(self.connection) as db:
            db.execute(
                "UPDATE takes SET floor_height = ?, floor_given = 1 WHERE id = ?",
                [float(floor_height), self.take_id(name)],
            )

    def set_roles(self, name: str, roles: Mapping[str, str | None], *, this_take_only: bool = False) -> list[str]:
        """Correct which joint plays which role, in all takes of the skeleton of this take; returns their names.

        Layers and views are made again when they are asked for.

        Args:
            name: of a take.
            roles: joint by role, such as {"left_foot": "ankle_L"}; None takes a role away.
            this_take_only: leave the other takes of its skeleton as they are.
        """
        self.require_writing()
        return joint_roles.set_roles(self, name, roles, this_take_only)

    def remove(self, names: str | Iterable[str]) -> list[int]:
        """Remove takes, with their labels; all or none. `restore` brings them back until `purge`.

        Returns their numbers, by which they are told from takes of the same name that are removed later.
        """
        self.require_writing()
        return removed_takes.remove(self, _listed(names))

    def restore(self, names: str | Iterable[str], numbers: Iterable[int] | None = None) -> None:
        """Bring removed takes back, with everything that was known about them; all or none.

        A take that a repair set aside comes back too where its array is whole after all.

        Args:
            names: of the takes.
            numbers: that `remove` gave for them; None for the last take of each name.
        """
        self.require_writing()
        removed_takes.restore(self, _listed(names), numbers)

    def rename(self, old: str, new: str) -> None:
        """Give a take another name."""
        self.require_writing()
        check_name(new)
        take = self.take_id(old)
        if new != old:
            self.require_free(new, "choose another name, or rename or remove that one first")
        with catalogue.transaction(self.connection) as db:
            db.execute("UPDATE takes SET name = ? WHERE id = ?", [new, take])

    def purge(self, *, damaged: bool = False) -> list[str]:
        """Delete removed takes for good, with the arrays and views that need them. Returns their names.

        Those that a repair set aside stay, because importing their files again brings back what was said about them;
        `damaged=True` deletes them too.
        """
        self.require_writing()
        return removed_takes.purge(self, damaged)

    def labels(self, name: str | None = None, *, source: str | None = None) -> list[Label]:
        """The labels of a take, or of all takes."""
        return annotations.read_labels(self, name, source)

    def add_labels(self, labels: Iterable[Label]) -> int:
        """Add labels, all or none; one that is there already stays one. Returns how many are new."""
        return annotations.add_labels(self, labels)

    def remove_labels(self, labels: Iterable[Label]) -> int:
        """Take exactly these labels away. Returns how many there were."""
        return annotations.remove_labels(self, labels)

    def rename_label(self, old: str, new: str) -> int:
        """Use another word for a label, wherever it was said; returns how many labels of people it was."""
        return label_names.rename_label(self, old, new)

    def label_names(self) -> list[str]:
        """Every label that is used in the corpus, sorted."""
        return annotations.label_names(self)

    def label_track(self, name: str, label: str, *, source: str | None = None) -> np.ndarray:
        """A label over time: (F,) int8, +1 where it holds, -1 elsewhere; 0 throughout for a take without any labels."""
        return annotations.label_track(self, name, label, source)

    def verified(self, name: str | None = None) -> list[Verified]:
        """Where a person has looked at labels, in a take or in all takes."""
        return verified_ranges.read_verified(self, name)

    def verify(self, ranges: Iterable[Verified]) -> None:
        """Say that a person has looked at labels over these frames and finds them right as they are; all or none."""
        acceptance.verify(self, ranges)

    def accept(
        self,
        take: str,
        labels: Iterable[str],
        start: int,
        stop: int,
        ranges: Mapping[str, Sequence[tuple[int, int]]],
    ) -> acceptance.Acceptance:
        """Write down what a person says: in [start, stop) of the take these labels hold exactly in these ranges.

        Outside [start, stop) everything stays. The frames are verified; the acceptance can `undo` it all.

        Args:
            take: name of the take.
            labels: that the person has looked at.
            start: first frame that the person has looked at.
            stop: the frame after the last.
            ranges: by label, the frames [a, b) in which it holds; a label without any holds nowhere.
        """
        return acceptance.accept(self, take, labels, start, stop, ranges)

    def proposals(self, name: str | None = None, *, answered: bool = False) -> list[Proposal]:
        """What a machine proposes in frames that nobody has verified; `answered`: what it had where somebody has."""
        return proposals.read_proposals(self, name, answered)

    def classified(self, name: str | None = None, *, answered: bool = False) -> list[Classified]:
        """Where a machine has decided about labels, for or against; as in `proposals`."""
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
        """Replace what a machine says about labels of a take; nothing changes in verified frames.

        Args:
            take: name of the take.
            labels: that were decided over the whole take, also those that hold nowhere.
            ranges: where the machine says that they hold.
            model: what decided: settings as JSON can hold them.
            code_version: of the code that decided.

        Returns:
            How many ranges are proposed, those in verified frames left out.
        """
        return proposals.set_proposals(self, take, labels, ranges, model, code_version)

    def forget_proposals(self, names: str | Iterable[str], labels: Iterable[str] | None = None) -> int:
        """Take away what a machine says about labels (None for all) of takes. Returns how many ranges."""
        return proposals.forget_proposals(self, _listed(names), labels)

    def contacts(self, name: str | None = None, *, source: str | None = None) -> list[Contact]:
        """The contacts that were given for a take, such as the performer's truth; detected ones are a layer."""
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
        """Keep a plain value, such as the settings that a person chose, under a name; it replaces what was kept."""
        annotations.remember(self, what, value)

    def remembered(self, what: str) -> Any:
        """What was kept under a name; None where there is nothing, or nothing that can be read."""
        return annotations.remembered(self, what)

    def layer(self, name: str, layer: str) -> np.ndarray:
        """Something computed per frame of a take, kept in the corpus by whoever may write; see `layers.LAYERS`.

        facing (F, 3): metres along x and z, heading in radians; positions, velocities, accelerations (F, J, 3):
        metres and seconds, x left, y up, z forwards; contacts (F, 4) bool: heel and ball, left and right.
        """
        return layers.read_layer(self, name, layer)

    def take_id(self, name: str) -> int:
        """The row of a take in the catalogue."""
        row = self.connection.execute("SELECT id FROM takes WHERE removed IS NULL AND name = ?", [name]).fetchone()
        if row is None:
            raise self._unknown(name)
        return int(row[0])

    def require_writing(self) -> None:
        """Raise unless this process holds the write lock."""
        if not self.can_write:
            raise CorpusError(f"{self.folder} is open for reading; open it with write=True to change it")

    @contextmanager
    def _advising(self, subject: str = "", skip: bool = False) -> Iterator[None]:
        """Say what to do about a row that cannot be read."""
        try:
            yield
        except CorpusError as error:
            if not skip:
                raise CorpusError(f"{subject}{error}; {array_files.repair_advice(self.folder)}") from error

    def require_free(self, name: str, advice: str) -> None:
        """Raise unless no take has this name."""
        if self.connection.execute("SELECT 1 FROM takes WHERE removed IS NULL AND name = ?", [name]).fetchone():
            raise CorpusError(f"there is a take '{name}' with other content; {advice}")

    def _unknown(self, name: str) -> CorpusError:
        return CorpusError(f"no take '{name}' in {self.folder}; {_nearest(name, self.names())}")


def _nearest(name: str, names: Sequence[str]) -> str:
    import difflib

    if not names:
        return "it is empty"
    close = [n for n in names if n.endswith("/" + name)] or difflib.get_close_matches(name, names, n=5, cutoff=0.6)
    return (
        f"did you mean {', '.join(close)}?" if close else f"it has {len(names)} takes, such as {', '.join(names[:5])}"
    )


def _listed(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(dict.fromkeys(names))
