"""Keeping results: as a take in a corpus, to be used like any other, or as a file that any reader of motions reads."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from motionloom.assembly.plans.plan import frame_arrays
from motionloom.assembly.plans.plan_files import pack_plan, unpack_plan
from motionloom.assembly.requests.plain_data import UNREADABLE
from motionloom.assembly.results.result import Character, HeldLabel, Report, Result
from motionloom.corpus import Added, Corpus, Label, Source, Take
from motionloom.corpus.material import COMPOSED, MADE_BY
from motionloom.corpus.models import find_model, keep_model
from motionloom.corpus.store.packed_take import check_name
from motionloom.errors import BadInput, FormatError, MotionloomError
from motionloom.formats import npz
from motionloom.formats.atomic_write import replace_file
from motionloom.formats.npz_arrays import pack_arrays, read_arrays
from motionloom.formats.text import read_bytes, shorten
from motionloom.motion import Footing, Motion, PointMotion
from motionloom.motion.provenance import Provenance, SourceOfFrames

KIND = "result"  # of the model that has what a take does not
LAYOUT = 2  # of its arrays, in `about`; the first did not say it, and had neither name nor labels nor plan
_ARRAYS = ("indices", "frames", "weights", "about")  # of every result; bodies have contacts too, some have a plan
_OWN = npz.RESULT_PREFIX  # in files the names of these arrays begin so


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
    """Keep every character of a result as a take, with the labels that hold in its frames; all of it or nothing.

    Args:
        corpus: open for writing.
        name: of the new take; of several characters each is kept as NAME/CHARACTER.
        result: to keep.
        method: that made it, which the labels name as where they are from.
    """
    check_new_takes(corpus, name, result)  # all of them, before the first is added
    with corpus.transaction():
        kept = [_keep_labelled(corpus, *each, method) for each in zip(take_names(name, result), result.split())]
    return Kept(tuple(added for added, _ in kept), sum(n_labels for _, n_labels in kept))


def _keep_labelled(corpus: Corpus, take: str, part: Result, method: str) -> tuple[Added, int]:
    """Keep a character with its labels, of which the number is returned."""
    added = keep_result(corpus, take, part)
    if added.status != "imported":
        return added, 0
    labels = [Label(take, held.label, held.start, held.stop, method) for held in part.character.labels]
    return added, corpus.add_labels(labels)


def keep_result(
    corpus: Corpus, name: str, result: Result, *, floor_height: float = 0.0, like: Source | None = None
) -> Added:
    """Keep the only character of a result as a take, with all else that the result has; see `load_result`.

    A take that has the same frames already stays as it is, and what is returned names it; under the same name, all else
    is what was given last.

    Args:
        corpus: open for writing.
        name: of the new take.
        result: to keep. Frames are rounded to float32, as in every take.
        floor_height: metres, world; where its floor is.
        like: what its files get their units, axes and rotation orders from; its path says what the take was made of.
    """
    motion = result.character.motion
    digest = hashlib.sha256(b"".join(array.tobytes() for array in frame_arrays(motion))).hexdigest()
    source = Source(COMPOSED, MADE_BY, digest, motion.fps, 1.0)
    if like is not None:
        source = replace(like, format=MADE_BY, digest=digest, fps=motion.fps, rest_frame_dropped=False)
    with corpus.transaction():
        added = corpus.add(Take(name, motion, source), floor_height=floor_height)
        if added.duplicate_of in (None, name):
            content = corpus.info(name).digest
            arrays = result_arrays(result)
            keep_model(corpus, KIND, content, arrays, settings={"name": name}, takes=[content], code_version=None)
    return added


def load_result(corpus: Corpus, name: str) -> Result:
    """The result that was kept as a take, with frames as the take has them; what older versions kept has no plan."""
    take = corpus.take(name)
    arrays = find_model(corpus, KIND, corpus.info(name).digest)
    if arrays is None:
        raise BadInput(f"'{name}' is not a kept result; it is a recording, or its stored result is missing")
    return result_of_arrays(take.motion, arrays)


def write_result(path: str | Path, result: Result) -> None:
    """Write a result as an .npz that also reads as a motion; `read_result` brings it back, bit for bit.

    How long its steps took is not written, so that equal results give equal bytes.
    """
    untimed = replace(result, report=replace(result.report, timings=()))
    own = {f"{_OWN}{key}": array for key, array in result_arrays(untimed).items()}
    replace_file(path, pack_arrays({**npz.motion_arrays(result.character.motion), **own}))


def read_result(path: str | Path) -> Result:
    """Read what `write_result` wrote."""
    take = npz.read(path)
    wanted = [*_ARRAYS, *(["contacts"] if isinstance(take.motion, Motion) else [])]
    names = [_OWN + key for key in (*wanted, "plan", "supports")]
    found = read_arrays(path, read_bytes(path), npz.is_array_of_motion, names, foreign=npz.FOREIGN)
    if any(_OWN + key not in found for key in wanted):
        raise FormatError(path, "this is a motion without provenance and report; it was not written as a result")
    try:
        return result_of_arrays(take.motion, {name.removeprefix(_OWN): array for name, array in found.items()})
    except (*UNREADABLE, MotionloomError) as error:
        raise FormatError(path, f"the stored report is damaged ({shorten(str(error), 200)})") from None


def result_arrays(result: Result) -> dict[str, np.ndarray]:
    """Everything of a result but the motion, as arrays."""
    character = result.character
    origin = character.provenance
    about = {
        "layout": LAYOUT,
        "sources": [{"name": s.name, "kind": s.kind, "details": dict(s.details)} for s in origin.sources],
        "report": result.report.to_data(),
        "name": character.name,
        "labels": [asdict(label) for label in character.labels],
    }
    supports = character.footing.to_rows()
    return {
        **({} if character.contacts is None else {"contacts": character.contacts}),
        **({"supports": supports} if len(supports) else {}),
        "indices": origin.indices,
        "frames": origin.frames,
        "weights": origin.weights,
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
        **({} if character.plan is None else {"plan": np.frombuffer(pack_plan(character.plan), np.uint8)}),
    }


def result_of_arrays(motion: Motion | PointMotion, arrays: Mapping[str, np.ndarray]) -> Result:
    """Back from a motion and the arrays beside it."""
    about = json.loads(np.asarray(arrays["about"]).tobytes())
    if about.get("layout", 1) > LAYOUT:
        raise BadInput(f"a result of layout {about['layout']}, but this motionloom reads up to {LAYOUT}; update it")
    sources = tuple(SourceOfFrames(s["name"], s["kind"], s["details"]) for s in about["sources"])
    origin = Provenance(sources, arrays["indices"], arrays["frames"], arrays["weights"])
    contacts = np.asarray(arrays["contacts"]) if "contacts" in arrays else None
    labels = tuple(HeldLabel(**label) for label in about.get("labels", []))
    plan = unpack_plan(np.asarray(arrays["plan"]).tobytes()) if "plan" in arrays else None
    footing = Footing.from_rows(np.asarray(arrays["supports"])) if "supports" in arrays else Footing()
    character = Character(motion, origin, contacts, about.get("name", ""), plan, labels, footing)
    return Result((character,), Report.from_data(about["report"]))
