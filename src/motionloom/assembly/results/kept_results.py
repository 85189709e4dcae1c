"""Keeping results: as a take in a corpus, to be used like any other, or as a file that any reader of motions reads."""

import hashlib
import io
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from motionloom.assembly.requests.plain_data import UNREADABLE
from motionloom.assembly.results.result import Character, Report, Result
from motionloom.corpus import Added, Corpus, Label, Source, Take, TakeInfo
from motionloom.corpus.models import find_model, keep_model
from motionloom.corpus.store.packed_take import check_name
from motionloom.errors import BadInput, FormatError
from motionloom.formats import npz
from motionloom.formats.atomic_write import replace_file
from motionloom.motion import Motion, PointMotion
from motionloom.motion.provenance import Provenance, SourceOfFrames

MADE_BY = "motionloom"  # format of the source of takes that were made, not recorded
COMPOSED = "several takes"  # path of the source of those that were not made of one
KIND = "result"  # of the model that has what a take does not
LAYOUT = "1"  # of its arrays; results are never made again, so they do not go when the code changes
_ARRAYS = ("contacts", "indices", "frames", "weights", "about")


@dataclass(frozen=True)
class Kept:
    """The takes that a result was kept as."""

    takes: tuple[Added, ...]  # one for each character
    n_labels: int  # labels that were added to them

    @property
    def duplicates(self) -> tuple[str, ...]:
        """Takes that have the same frames already, instead of which nothing was added."""
        return tuple(added.duplicate_of for added in self.takes if added.duplicate_of is not None)


def check_new_take(corpus: Corpus, name: str) -> None:
    """Raise unless a result can be kept under a name, before anything takes long or is written."""
    check_name(name)
    if name in corpus.names():
        raise BadInput(f"there is a take '{name}' already; choose another name, or rename or remove that take")


def take_names(name: str, result: Result) -> list[str]:
    """The takes that the characters of a result are kept as: NAME, or NAME/CHARACTER where there are several."""
    if len(result.characters) == 1:
        return [name]
    return [f"{name}/{character.name}" for character in result.characters]


def check_new_takes(corpus: Corpus, name: str, result: Result) -> None:
    """Refuse a name under which not every character of a result could be kept."""
    for take in take_names(name, result):
        check_new_take(corpus, take)


def keep_characters(corpus: Corpus, name: str, result: Result, *, method: str = "") -> Kept:
    """Keep every character of a result as a take, with the labels that hold in its frames.

    Args:
        corpus: open for writing.
        name: of the new take; of several characters each is kept as NAME/CHARACTER.
        result: to keep.
        method: that made it, which the labels name as where they are from.
    """
    check_new_takes(corpus, name, result)  # all of them, before the first is added
    takes, n_labels = list[Added](), 0
    for take, part in zip(take_names(name, result), result.split()):
        character = part.character
        added = keep_result(corpus, take, part)
        if added.status == "imported":
            labels = [Label(take, held.label, held.start, held.stop, method) for held in character.labels]
            n_labels += corpus.add_labels(labels)
        takes.append(added)
    return Kept(tuple(takes), n_labels)


def keep_result(
    corpus: Corpus, name: str, result: Result, *, floor_height: float = 0.0, like: Source | None = None
) -> Added:
    """Keep the only character of a result as a take, with its contacts, provenance and report; see `load_result`.

    A take that has the same frames already stays as it is, and what is returned names it; under the same name,
    contacts, provenance and report are those given last.

    Args:
        corpus: open for writing.
        name: of the new take.
        result: to keep. Frames are rounded to float32, as in every take.
        floor_height: metres, world; where its floor is.
        like: what its files get their units, axes and rotation orders from; its path says what the take was made of.
    """
    motion = result.character.motion
    digest = hashlib.sha256(b"".join(array.tobytes() for array in _frame_arrays(motion))).hexdigest()
    source = Source(COMPOSED, MADE_BY, digest, motion.fps, 1.0)
    if like is not None:
        source = replace(like, format=MADE_BY, digest=digest, fps=motion.fps, rest_frame_dropped=False)
    added = corpus.add(Take(name, motion, source), floor_height=floor_height)
    if added.duplicate_of in (None, name):
        content = corpus.info(name).digest
        keep_model(
            corpus, KIND, content, result_arrays(result), settings={"name": name}, takes=[content], code_version=LAYOUT
        )
    return added


def is_composed(info: TakeInfo) -> bool:
    """Whether a take was put together from others; what was made of one take, such as a mirrored one, was not."""
    return (info.source.format, info.source.path) == (MADE_BY, COMPOSED)


def load_result(corpus: Corpus, name: str) -> Result:
    """The result that was kept as a take."""
    take = corpus.take(name)
    arrays = find_model(corpus, KIND, corpus.info(name).digest)
    if arrays is None:
        raise BadInput(f"'{name}' is not a kept result; it is a recording, or its stored result is missing")
    return result_of_arrays(take.motion, arrays)


def write_result(path: str | Path, result: Result) -> None:
    """Write a result as an .npz that also reads as a motion; `read_result` brings all of it back, bit for bit."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "motion.npz"
        npz.write(plain, result.character.motion, name=Path(path).stem)
        with np.load(plain, allow_pickle=False) as archive:
            arrays = dict(archive)
    packed = io.BytesIO()
    own = {f"result_{key}": array for key, array in result_arrays(result).items()}
    np.savez_compressed(packed, **arrays, **own)  # type: ignore[arg-type]
    replace_file(path, packed.getvalue())


def read_result(path: str | Path) -> Result:
    """Read what `write_result` wrote."""
    take = npz.read(path)
    with np.load(path, allow_pickle=False) as archive:
        wanted = [key for key in _ARRAYS if key != "contacts" or isinstance(take.motion, Motion)]
        if any(f"result_{key}" not in archive for key in wanted):
            raise FormatError(path, "this is a motion without provenance and report; it was not written as a result")
        try:
            return result_of_arrays(take.motion, {key: archive[f"result_{key}"] for key in wanted})
        except (*UNREADABLE, BadInput) as error:
            raise FormatError(path, f"the stored report is damaged ({error})") from None


def result_arrays(result: Result) -> dict[str, np.ndarray]:
    """Everything of a result but the motion, as arrays."""
    origin = result.provenance
    sources = [{"name": s.name, "kind": s.kind, "details": dict(s.details)} for s in origin.sources]
    about = json.dumps({"sources": sources, "report": result.report.to_data()}).encode()
    contacts = result.character.contacts
    return {
        **({} if contacts is None else {"contacts": contacts}),
        "indices": origin.indices,
        "frames": origin.frames,
        "weights": origin.weights,
        "about": np.frombuffer(about, np.uint8),
    }


def result_of_arrays(motion: Motion | PointMotion, arrays: Mapping[str, np.ndarray]) -> Result:
    """Back from a motion and the arrays beside it."""
    about = json.loads(np.asarray(arrays["about"]).tobytes())
    sources = tuple(SourceOfFrames(s["name"], s["kind"], s["details"]) for s in about["sources"])
    origin = Provenance(sources, arrays["indices"], arrays["frames"], arrays["weights"])
    contacts = np.asarray(arrays["contacts"]) if "contacts" in arrays else None
    return Result((Character(motion, origin, contacts),), Report.from_data(about["report"]))


def _frame_arrays(motion: Motion | PointMotion) -> tuple[np.ndarray, ...]:
    return (motion.root_positions, motion.local_rotations) if isinstance(motion, Motion) else (motion.positions,)
