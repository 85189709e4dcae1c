"""Labelling: what the careful user does until the 7.5-minute set is verified, through the routes that the page uses.

The user of `benchmarks.timeline.careful_user` looks at what is offered, paints over every wrong run, and accepts; what
is accepted is what is shown then, so that borders stay where the machine or a stroke put them. Every stroke, erasure,
drag of an edge, acceptance and typed word is an action.
"""

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from starlette.testclient import TestClient

from benchmarks.measure import figure
from benchmarks.timeline import corpora
from benchmarks.timeline.careful_user import BORDER, SHORTEST
from motionloom.corpus import Corpus, Label
from motionloom.corpus.labels.frame_ranges import Range, flags_of, near_borders
from motionloom.motion.runs import find_runs

SECONDS = {"stroke": 4.0, "erasure": 4.0, "edge": 4.0, "accept": 1.0, "word": 3.0}  # that a person needs for each
PAPER = 60.0  # minutes


@dataclass
class Diary:
    """What the user did."""

    actions: Counter = field(default_factory=Counter)
    takes: int = 0
    watched: float = 0.0  # seconds of motion, each once at its own pace
    answered: list[float] = field(default_factory=list)  # seconds that accepting took
    waited: list[float] = field(default_factory=list)  # seconds from accepting until something new is offered
    right: float = 0.0  # frames that are labelled as the reference says, borders apart
    counted: float = 0.0

    def minutes(self) -> float:
        """What a person needs for all of it."""
        by_hand = sum(SECONDS[kind] * count for kind, count in self.actions.items())
        return (by_hand + self.watched + sum(self.waited)) / 60


def figures(data: Path) -> list[dict]:
    """Actions and minutes for the football-like set, beside painting all segments by hand and the paper's hour."""
    with _page(data) as (page, truth):
        diary = label_everything(page, truth, corpora.FOOTBALL_LABELS)
        n_segments = sum(label.label in corpora.FOOTBALL_LABELS for label in truth)
        by_hand = Diary(Counter(stroke=n_segments, accept=diary.takes, word=len(corpora.FOOTBALL_LABELS)))
        by_hand.watched = diary.watched
        actions = diary.actions
        return [
            figure("labelling; actions of a careful user", sum(actions.values()), "actions", "lower"),
            figure("labelling; strokes that paint", actions["stroke"], "actions", "lower"),
            figure("labelling; strokes that erase, and rejections", actions["erasure"], "actions", "lower"),
            figure("labelling; edges dragged", actions["edge"], "actions", "lower"),
            figure("labelling; takes accepted", actions["accept"], "actions", "lower"),
            figure(
                f"labelling; actions when all {n_segments} segments are painted by hand",
                sum(by_hand.actions.values()),
                "actions",
                "lower",
            ),
            figure("labelling; time of a person", diary.minutes(), "min", "lower", paper=PAPER),
            figure("labelling; time of a person without proposals", by_hand.minutes(), "min", "lower", paper=PAPER),
            figure("labelling; frames that are right in the end", 100 * diary.right / diary.counted, "%", "higher"),
            figure("labelling; accepting; 95th percentile", 1000 * np.percentile(diary.answered, 95), "ms", "lower"),
            figure(
                "labelling; from accepting to the next offer; 95th percentile",
                np.percentile(diary.waited, 95),
                "s",
                "lower",
            ),
        ]


def label_everything(page: TestClient, truth: Sequence[Label], words: Sequence[str]) -> Diary:
    """Take what is offered, correct it and accept it, until nothing is left."""
    diary = Diary(Counter(word=len(words)))
    choice = {"vocabulary": list(words), "classifier": "usual", "kernel": None, "gamma": None}
    _ok(page.post("/api/annotate/learn", json=choice))
    offers = _offers(page)
    while offers:
        _look_and_accept(page, offers[0], truth, words, diary)
        offers = _offers(page)
    return diary


def _look_and_accept(
    page: TestClient, offer: Mapping, truth: Sequence[Label], words: Sequence[str], diary: Diary
) -> None:
    """One stretch: watch it, paint over what is wrong, accept."""
    tracks = _ok(page.get("/api/annotate/tracks", params={"take": offer["take"]})).json()
    n_frames, fps, (start, stop) = tracks["frames"], tracks["fps"], (offer["start"], offer["stop"])
    shown = {label["label"]: _standing(label, n_frames) for label in tracks["labels"]}
    ranges: dict[str, list[Range]] = {}
    for word in words:
        held = flags_of([(x.start, x.stop) for x in truth if (x.take, x.label) == (offer["take"], word)], n_frames)
        corrected, kinds = correct(shown.get(word, np.zeros(n_frames, bool)), held, (start, stop), fps)
        diary.actions.update(kinds)
        ranges[word] = [(start + a, start + b) for a, b in find_runs(corrected[start:stop])]
        counted = ~near_borders(held, BORDER * fps)[start:stop]
        diary.counted += counted.sum()
        diary.right += (corrected == held)[start:stop][counted].sum()
    _wait_until_quiet(page)  # whoever watches leaves it the time to test what was learnt
    wanted = {"take": offer["take"], "labels": list(words), "start": start, "stop": stop, "ranges": ranges}
    begin = time.perf_counter()
    _ok(page.post("/api/annotate/accept", json=wanted))
    diary.answered.append(time.perf_counter() - begin)
    _offers(page)
    diary.waited.append(time.perf_counter() - begin)
    diary.actions["accept"] += 1
    diary.takes += 1
    diary.watched += (stop - start) / fps


def correct(shown: np.ndarray, held: np.ndarray, window: Range, fps: float) -> tuple[np.ndarray, list[str]]:
    """What a label track is after a careful user has painted over it inside a window, and with which actions.

    Args:
        shown: (F,) bool, where the label is shown to hold.
        held: (F,) bool, where it holds.
        window: frames that are looked at.
        fps: frames per second.
    """
    inside = flags_of([window], len(held))
    wrong = (shown != held) & inside
    off = wrong & ~near_borders(held, BORDER * fps)
    corrected, kinds = shown.copy(), []
    for start, stop in find_runs(wrong):
        if max((b - a for a, b in find_runs(off[start:stop])), default=0) < SHORTEST * fps:
            continue  # nobody would see it
        corrected[start:stop] = held[start:stop]
        touches = [bool(shown[at]) for at in (start - 1, stop) if window[0] <= at < window[1]]
        if held[start]:
            kinds.append("edge" if any(touches) else "stroke")
        else:  # a proposal of which a part is right is shortened by its edge, unless the wrong part is in its middle
            kinds.append("edge" if touches.count(True) == 1 else "erasure")
    return corrected, kinds


def _standing(label: Mapping, n_frames: int) -> np.ndarray:
    """(F,) bool: where a label is shown, as in the page."""
    verified = flags_of(label["verified"], n_frames)
    proposed = flags_of([(range_["start"], range_["stop"]) for range_ in label["proposed"]], n_frames)
    return flags_of(label["holds"], n_frames) | (proposed & ~verified)


def _offers(page: TestClient) -> list[dict]:
    """What is offered, as soon as nothing is being learnt any more."""
    _wait_until_quiet(page, "learn")
    return _ok(page.get("/api/annotate/state")).json()["offers"]


def _wait_until_quiet(page: TestClient, *kinds: str) -> None:
    while any(
        job["state"] in ("waiting", "running") and (not kinds or job["kind"] in kinds)
        for job in page.get("/api/jobs").json()
    ):
        time.sleep(0.02)


def _ok(answer):
    assert answer.status_code == 200, answer.text
    return answer


@contextmanager
def _page(data: Path) -> Iterator[tuple[TestClient, list[Label]]]:
    """A page on the set without labels, warmed up, and the labels that would be right."""
    from motionloom.studio.server.app import create_app
    from motionloom.studio.server.settings import Settings

    with tempfile.TemporaryDirectory(prefix="motionloom-bench-") as home:
        folder = Path(home) / "football"
        shutil.copytree(corpora.football(data).folder, folder)
        with Corpus.open(folder, write=True) as corpus:
            truth = corpus.labels()
            corpus.remove_labels(truth)
        with TestClient(create_app(Settings(Path(home), folder)), base_url="http://127.0.0.1") as page:
            _wait_until_quiet(page)
            yield page, truth
