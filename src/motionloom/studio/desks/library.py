"""The desk for the library: importing, measuring, cleaning, mirroring, trimming and exporting takes."""

import contextlib
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.errors import BadInput, MotionloomError
from motionloom.quality.badges import Badges
from motionloom.studio.desks.lent_corpus import open_lent
from motionloom.studio.document import FOLDER
from motionloom.tasks import Stopped, Task

if TYPE_CHECKING:
    from motionloom.motion import Motion, Skeleton

UPLOADS = "uploads"  # the folder beside the documents in which uploaded files wait
STALE = 3600.0  # seconds after which what was uploaded and never imported goes
REST = 0.5  # of the time that measuring takes it pauses: a person may want the processor
SEND_PAUSE = 0.3  # seconds between two messages with what was measured
SKELETON = ".asf"  # read with the .amc beside it, and no take itself


class LibraryDesk:
    """Works on takes as a whole.

    Args:
        folder: of the corpus.
        can_write: whether it may be changed.
        clock: gives seconds; what is measured is sent when enough of them have gone by.
    """

    def __init__(self, folder: Path, can_write: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.corpus = open_lent(folder, can_write)
        self._clock = clock

    def warm_up(self, task: Task) -> None:
        """Clear away what was uploaded long ago, and load what importing and cleaning need."""
        folder = self.corpus.folder / FOLDER / UPLOADS
        if self.corpus.can_write and folder.is_dir():
            for left in folder.iterdir():
                if time.time() - left.stat().st_mtime > STALE:
                    shutil.rmtree(left, ignore_errors=True)
        from motionloom.assembly.derived import derived_takes  # noqa: F401

    def import_files(self, task: Task, folder: str) -> list[dict[str, Any]]:
        """Import everything in a folder of uploaded files, sending the outcome of each; then the folder is deleted."""
        from motionloom.corpus import import_each

        place, outcomes = Path(folder), []
        files = sorted(path for path in place.rglob("*") if path.is_file())
        takes = [path for path in files if path.suffix.lower() != SKELETON]
        try:
            for path in files:
                if path.suffix.lower() == SKELETON and not _has_amc(path, takes):
                    shown = path.relative_to(place).as_posix()
                    outcomes.append(_outcome(shown, "refused", message="a skeleton alone; bring its .amc files too"))
                    task.send(outcomes[-1])
            task.progress(0, len(takes), "files")
            each = import_each(
                self.corpus,
                takes,
                below=place,
                hidden=place,
                workers=1,
                note=lambda sentence: task.progress(len(takes), len(takes), sentence),
            )
            for done, imported in enumerate(each, 1):
                message = (
                    _without_name(imported.message, imported.path)
                    .replace(f"{place}/", "")
                    .replace(str(place), "the upload")
                )
                outcomes.append(
                    _outcome(imported.path, imported.status, imported.name, imported.duplicate_of or "", message)
                )
                task.send(outcomes[-1])
                task.progress(done, len(takes), imported.path)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        return outcomes

    def measure(self, task: Task) -> int:
        """Measure the badges of all takes that have none yet, sending them ahead; returns how many there were."""
        from motionloom.assembly.derived.take_badges import measure_takes

        measured: dict[str, list[Any]] = {}
        count, sent_at, began = 0, self._clock(), self._clock()

        def send(name: str, badges: Badges, done: int, total: int) -> None:
            nonlocal count, sent_at, began
            measured[name] = [badges.skate, badges.floor, badges.spikes]
            count = done
            if self._clock() - sent_at > SEND_PAUSE or done == total or task.stop():
                task.send(dict(measured))
                measured.clear()
                sent_at = self._clock()
            task.progress(done, total, "takes measured")
            time.sleep(REST * (self._clock() - began))
            began = self._clock()

        measure_takes(self.corpus, self.corpus.infos(), send)
        if measured:
            task.send(dict(measured))
        return count

    def mirror(self, task: Task, takes: list[str]) -> list[dict[str, Any]]:
        """Mirror takes into new ones."""
        from motionloom.assembly.derived.derived_takes import mirror_take

        return self._make_each(task, takes, "mirrored", lambda take: {"made": mirror_take(self.corpus, take)})

    def trim(self, task: Task, take: str, start: int, stop: int) -> list[dict[str, Any]]:
        """Keep some frames of a take as a new one."""
        from motionloom.assembly.derived.derived_takes import trim_take

        return self._make_each(
            task, [take], "trimmed", lambda take: {"made": trim_take(self.corpus, take, start, stop)}
        )

    def clean(self, task: Task, takes: list[str], feet: bool, spikes: bool) -> list[dict[str, Any]]:
        """Clean takes into new ones, and say what their badges were and are."""
        from motionloom.assembly.derived.derived_takes import clean_take

        def clean_one(take: str) -> dict[str, Any]:
            cleaned = clean_take(self.corpus, take, feet=feet, spikes=spikes, check=task.check)
            return {"made": cleaned.take, "before": asdict(cleaned.before), "after": asdict(cleaned.after)}

        return self._make_each(task, takes, "cleaned", clean_one)

    def export(
        self,
        task: Task,
        take: str,
        extension: str,
        folder: str,
        skeleton: str | None = None,
        together: Sequence[str] = (),
    ) -> str:
        """Write a take as a file into a folder; returns its path.

        Args:
            task: not used.
            take: to write.
            extension: of the file.
            folder: to write to.
            skeleton: of which take, or "reference"; None for its own.
            together: takes whose places share one scale on the other skeleton.
        """
        from motionloom import formats
        from motionloom.corpus import read_neutral_pose
        from motionloom.motion import Motion

        if extension not in formats.WRITABLE:
            raise BadInput(f"'{extension}' cannot be written; the extensions are {', '.join(formats.WRITABLE)}")
        read = self.corpus.take(take)
        path = Path(folder) / f"{take.rsplit('/', 1)[-1]}{extension}"
        try:
            motion = read.motion if skeleton is None else self._on_skeleton(take, skeleton, together)
            neutral = None
            if extension == ".glb" and isinstance(motion, Motion):  # other formats show no body
                neutral = read_neutral_pose(self.corpus, motion.skeleton)
            formats.write(path, motion, read.source, name=take, neutral=neutral)
        except MotionloomError as error:
            raise BadInput(str(error).replace(str(path), take)) from None
        except OSError as error:
            raise BadInput(f"{take} cannot be written ({error.strerror or error}); is the disk full?") from None
        return str(path)

    def _on_skeleton(self, take: str, skeleton: str, together: Sequence[str]) -> "Motion":
        """A take on another skeleton; takes that are exported together share one scale."""
        from motionloom.assembly.results.exported_skeleton import find_skeleton, shared_scale, take_on_skeleton

        wanted = find_skeleton(self.corpus, skeleton)
        scale = shared_scale(self.corpus, self._carried(together or [take], wanted), wanted)
        return take_on_skeleton(self.corpus, take, wanted, scale).motion

    def _carried(self, takes: Sequence[str], skeleton: "Skeleton") -> list[str]:
        """Of some takes, those that can be shown on a skeleton."""
        from motionloom.retarget import check_retargetable

        carried = []
        for take in takes:
            digest = self.corpus.info(take).skeleton
            with contextlib.suppress(MotionloomError):
                if digest is not None:
                    check_retargetable(self.corpus.skeleton(digest), skeleton)
                    carried.append(take)
        return carried

    def _make_each(self, task: Task, takes: list[str], done_to: str, make: Any) -> list[dict[str, Any]]:
        """Make a new take of each, and go on where one cannot be; raises where none can.

        One that is stopped gives what it has made by then, so that it can be taken back.
        """
        made: list[dict[str, Any]] = []
        for number, take in enumerate(takes):
            if any("made" in outcome for outcome in made) and task.stop():
                return made
            task.progress(number, len(takes), take)
            try:
                made.append({"take": take, **make(take)})
            except Stopped:
                if not any("made" in outcome for outcome in made):
                    raise
                return made
            except MotionloomError as error:
                if len(takes) == 1:
                    raise
                made.append({"take": take, "error": str(error)})
        if not any("made" in outcome for outcome in made):
            raise BadInput(f"none of the {len(takes)} takes could be {done_to}: {made[0]['error']}")
        return made


def _outcome(file: str, status: str, take: str = "", duplicate_of: str = "", message: str = "") -> dict[str, Any]:
    return {"file": file, "status": status, "take": take, "duplicate_of": duplicate_of, "message": message}


def _has_amc(skeleton: Path, takes: list[Path]) -> bool:
    return any(path.parent == skeleton.parent and path.suffix.lower() == ".amc" for path in takes)


def _without_name(message: str, file: str) -> str:
    """The reason alone: the page shows the file beside it."""
    return message.removeprefix(file).lstrip(": ")
