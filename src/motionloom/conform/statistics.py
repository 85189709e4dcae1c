"""Statistics of a corpus: what is learnt from its recordings as a whole, kept while few of them change.

Principal components, scales, usual distances and clusters belong to a corpus, not to the takes that are asked for now:
so what is made of single takes with them stays valid when takes are added, removed or left out. They are learnt from a
sample of at most `SAMPLE_SECONDS` of all recordings, kept, and used until they are learnt again. That is due when more
than `DUE` of the seconds of the corpus have come or gone since. `learning_again` does it aside: all that is made inside
of it uses new statistics, and others see them when everything is there. Where hardly anything is left of what they were
learnt from (`OUTDATED`), they are learnt at once.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionloom.caching import Kind
from motionloom.conform.base_view import MIRRORED, BaseView
from motionloom.conform.view import View
from motionloom.conform.view_builder import ViewSettings, make_view
from motionloom.corpus import Corpus, TakeInfo
from motionloom.corpus.material import recorded_bodies
from motionloom.corpus.models import find_model, keep_model, rename_models

SAMPLE_SECONDS = 1200.0  # of all recordings, at most, whole takes
DUE = 0.1  # of the seconds of a corpus: with more changes since, statistics are to be learnt again
OUTDATED = 0.5  # with more, they are learnt before they are used
_NEXT = "next "  # prefix of the keys of statistics that are learnt again, and not in use yet
_ABOUT = "about"  # the array that says what they were learnt from, as JSON
_learning: ContextVar[frozenset[str]] = ContextVar("learning", default=frozenset())  # folders of corpora


@dataclass(frozen=True, eq=False)
class Statistics:
    """What was learnt from the recordings of a corpus."""

    arrays: dict[str, np.ndarray]
    digest: str  # of what was learnt: what is made with it is cached under it
    n_takes: int  # that were in the corpus when it was learnt
    seconds: float  # that these were long
    changed: float  # 0 to 1: of the seconds that the corpus has now, those that have come or gone since

    @property
    def is_due(self) -> bool:
        """Whether they are to be learnt again."""
        return self.changed > DUE

    def describe(self) -> str:
        """A sentence for reports."""
        since = f", {self.changed:.0%} of the seconds have changed since" if self.changed >= 0.005 else ""
        due = "; they are due to be learnt again" if self.is_due else ""
        takes = f"{self.n_takes} take{'s' * (self.n_takes != 1)}"
        return f"statistics of the corpus: learnt from {takes}, {self.seconds / 60:.1f} minutes{since}{due}"


def learn_statistics(
    view: View,
    kind: Kind[..., dict[str, np.ndarray]],
    settings: Mapping[str, Any],
    learn: Callable[[View], dict[str, np.ndarray]],
) -> Statistics:
    """Statistics of the corpus of a view: those that are kept, else learnt now, and kept if it is open for writing.

    The view remembers which were used with it, for reports.

    Args:
        view: whose skeleton and rate they are for, whatever takes it shows.
        kind: of the statistics.
        settings: all that they depend on besides recordings, skeleton, rate and code, as JSON can hold it.
        learn: makes them of a view of recordings, by calling the kind.
    """
    found = _find_or_learn(view, kind, settings, learn)
    view.statistics[kind.name] = found
    return found


def _find_or_learn(
    view: View,
    kind: Kind[..., dict[str, np.ndarray]],
    settings: Mapping[str, Any],
    learn: Callable[[View], dict[str, np.ndarray]],
) -> Statistics:
    corpus, version = view.corpus, kind.code_version
    made_with = {**settings, "skeleton": view.skeleton.digest, "fps": view.fps}
    key = hashlib.sha256(json.dumps([made_with, version], sort_keys=True).encode()).hexdigest()[:32]
    key = _NEXT + key if str(corpus.folder) in _learning.get() else key
    found = find_model(corpus, kind.name, key, at_most=kind.at_most)
    kept = None if found is None else _read(corpus, found)
    if kept is not None and kept.changed <= (DUE if key.startswith(_NEXT) else OUTDATED):
        return kept
    infos = recorded_bodies(corpus.infos())
    about = {"seconds": {info.digest: info.duration for info in infos}}
    arrays = dict(learn(_sample(view, infos)))
    arrays[_ABOUT] = np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8)
    if corpus.can_write:
        keep_model(
            corpus, kind.name, key, arrays, settings=made_with, takes=[], code_version=version, at_most=kind.at_most
        )
    else:
        corpus.unshared.put((kind.name, key), arrays)  # the sample is larger than most of what is asked for
    return _read(corpus, arrays)


def describe_used(view: BaseView) -> list[str]:
    """Sentences for reports about the statistics that were used with a view; one where all were learnt together."""
    return list(dict.fromkeys(used.describe() for used in view.statistics.values()))


@contextmanager
def learning_again(corpus: Corpus) -> Iterator[None]:
    """Learn statistics again, aside: what is made inside uses new ones, which others see when the block has ended."""
    corpus.require_writing()
    before = _learning.set(_learning.get() | {str(corpus.folder)})
    try:
        yield
    finally:
        _learning.reset(before)
    rename_models(corpus, _NEXT)


def recorded_only(view: View) -> View:
    """A view without the mirrored copies of its takes, for statistics that these would change."""
    names = [name for name in view.names if not name.endswith(MIRRORED)]
    return make_view(view.corpus, names, ViewSettings(fps=view.fps), skeleton=view.skeleton, is_passing=True)


def _sample(view: View, infos: list[TakeInfo]) -> View:
    """A view of recordings, mirrored too, in an order that adding takes does not change, as many as are enough."""
    chosen, seconds = [], 0.0
    for info in sorted(infos, key=lambda info: info.digest):
        if seconds >= SAMPLE_SECONDS:
            break
        chosen.append(info.name)
        seconds += info.duration
    settings = ViewSettings(fps=view.fps, mirrored=True)
    return make_view(view.corpus, sorted(chosen), settings, skeleton=view.skeleton, is_passing=True)


def _read(corpus: Corpus, arrays: Mapping[str, np.ndarray]) -> Statistics:
    learnt = {name: np.asarray(array) for name, array in arrays.items() if name != _ABOUT}
    seconds: dict[str, float] = json.loads(bytes(arrays[_ABOUT]))["seconds"]
    now = {info.digest: info.duration for info in recorded_bodies(corpus.infos())}
    changed = sum({**seconds, **now}[take] for take in seconds.keys() ^ now.keys())
    h = hashlib.sha256()
    for name in sorted(learnt):
        h.update(name.encode())
        h.update(np.ascontiguousarray(learnt[name]).tobytes())
    return Statistics(
        learnt,
        h.hexdigest()[:32],
        n_takes=len(seconds),
        seconds=sum(seconds.values()),
        changed=min(changed / max(sum(now.values()), 1e-9), 1.0),
    )
