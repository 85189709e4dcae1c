"""Reading what nobody had seen: axes, units, rates, flips and floors, of files alone and in other conventions."""

import csv
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measure import figure
from benchmarks.unseen.conventions import SIX, UNITS, rewrite
from motionloom import formats
from motionloom.assembly.derived.spike_repair import repair_spikes
from motionloom.corpus import Corpus, TakeInfo, import_files
from motionloom.features.flips import find_flips
from motionloom.features.floor import FloorSettings, estimate_floor
from motionloom.formats import ReadOptions, Take
from motionloom.formats.detection import rate
from motionloom.formats.options import CMU_UNIT
from motionloom.motion import Motion, cut, kinematics

WRONG_RATE = "143_06"  # the only file here whose stated rate is wrong
REWRITTEN, SEED, MOST_FRAMES = 30, 15, 600
MOST_USED = ("13", "16", "69", "143")  # subjects with most takes, seen most while developing; the others apart
SINKING, TRUE_FLOOR = "141_15", 0.065  # metres: other takes of this body are at 5 to 8 cm
ON_ONE_FLOOR = FloorSettings(least_share=0.0)  # the lowest feet that rest at all, however short


def reading_figures(data: Path) -> list[dict]:
    """Everything that is claimed about reading files that were not used before."""
    return [
        *_alone_figures(data),
        *_convention_figures(data),
        *_rate_figures(data),
        *_corpus_figures(data),
        *_mending_figures(data),
    ]


def _alone_figures(data: Path) -> list[dict]:
    """Every file on its own: all recordings, and the odd ones."""
    measured = []
    for words, takes in (("all recordings", _all(data)), ("odd takes", _odd(data))):
        axes = sum(take.source.up != "y" for take in takes)
        units = sum(not np.isclose(take.source.metres_per_unit, CMU_UNIT) for take in takes)
        alarms = [take.name for take in takes if _warns(take, "rate") and take.name != WRONG_RATE]
        what = f"{words} ({len(takes)})"
        measured += [
            figure(f"reading; wrong axes; {what}", axes, "files", "lower"),
            figure(f"reading; wrong units; {what}", units, "files", "lower"),
            figure(f"reading; false alarms about rates; {what}", len(alarms), "files", "lower"),
            figure(f"reading; doubts about axes; {what}", sum(_warns(take, "up") for take in takes), "files", "lower"),
        ]
    return measured


def _convention_figures(data: Path) -> list[dict]:
    """Seeded takes, rewritten as files in six conventions, and with rest poses that lie."""
    takes = _all(data)
    chosen = np.random.default_rng(SEED).choice(len(takes), REWRITTEN, replace=False)
    wrong = {"axes": 0, "units": 0, "rates": 0}
    lying = {"side": 0, "back": 0}
    with tempfile.TemporaryDirectory() as folder:
        for number in chosen.tolist():
            motion = _motion(takes[number])
            motion = cut(motion, 0, min(motion.n_frames, MOST_FRAMES))
            for up, unit, rest in SIX:
                read = formats.read(rewrite(Path(folder) / "a.bvh", motion, up, unit, rest))
                wrong["axes"] += read.source.up != up
                wrong["units"] += not np.isclose(read.source.metres_per_unit, UNITS[unit])
                wrong["rates"] += _warns(read, "rate") and takes[number].name != WRONG_RATE
            for rest in lying:
                read = formats.read(rewrite(Path(folder) / "a.bvh", motion, "y", "centimetres", rest))
                lying[rest] += read.source.up == "y"
    conventions = f"{REWRITTEN} takes in six conventions"
    return [
        *(figure(f"reading; wrong {what}; {conventions}", n, "files", "lower") for what, n in wrong.items()),
        *(
            figure(f"reading; right although the rest pose lies on its {rest}", 100 * n / REWRITTEN, "%", "higher")
            for rest, n in lying.items()
        ),
    ]


def _rate_figures(data: Path) -> list[dict]:
    """Takes with their rate stated wrongly: found out, of all subjects and of those seen least."""
    measured, mistaken = [], 0
    for words, factor in (("twice", 2.0), ("four times", 4.0), ("half", 0.5)):
        right: dict[str, list[bool]] = {}
        for subject, motion in _indexed(data):
            found = rate.weigh(replace(motion, fps=motion.fps * factor)).fps
            is_right = found is not None and abs(np.log(found / motion.fps)) < np.log(1.05)
            mistaken += found is not None and not is_right
            right.setdefault(subject, []).append(is_right)
        every = [found for takes in right.values() for found in takes]
        others = [found for subject, takes in right.items() if subject not in MOST_USED for found in takes]
        name = f"reading; rates stated at {words} the true one, found out"
        measured.append(figure(name, 100 * np.mean(every), "% of takes", "higher"))
        measured.append(figure(f"{name}; other subjects", 100 * np.mean(others), "% of takes", "higher"))
    return [*measured, figure("reading; wrong rates taken for another", mistaken, "takes", "lower")]


def _corpus_figures(data: Path) -> list[dict]:
    """Everything imported into one corpus: floors beside those of the same body, flips, takes that are doubted."""
    with tempfile.TemporaryDirectory() as folder, Corpus.create(Path(folder) / "corpus") as corpus:
        import_files(corpus, [data / "cmu"])
        import_files(corpus, [data / "odd"], prefix="odd")
        infos = [info for info in corpus.infos() if info.kind == "body"]
        alone = {info.name: estimate_floor(_motion(corpus.take(info.name)), ON_ONE_FLOOR) for info in infos}
        odd = corpus.info(f"odd/{SINKING}").floor_height
    return [*_floor_figures(infos, alone, odd), *_flip_figures(data, infos)]


def _floor_figures(infos: list[TakeInfo], alone: dict[str, float], odd: float) -> list[dict]:
    far = changed = 0
    for takes in _by_body(infos):
        median, before = np.median([t.floor_height for t in takes]), np.median([alone[t.name] for t in takes])
        far += sum(abs(take.floor_height - median) > 0.06 for take in takes)
        near = [take for take in takes if abs(alone[take.name] - before) <= 0.04]
        changed += sum(abs(take.floor_height - alone[take.name]) > 1e-6 for take in near)  # frames are kept as float32
    doubted = sum(any(flag.kind == "floor" for flag in info.flags) for info in infos)
    return [
        figure("reading; floors over 6 cm from the median of bodies of 3 takes or more", far, "takes", "lower"),
        figure("reading; floors that changed although within 4 cm of the median", changed, "takes", "lower"),
        figure(f"reading; floor of {SINKING} beside others of its body", 100 * abs(odd - TRUE_FLOOR), "cm", "lower"),
        figure("reading; floors that are doubted", doubted, "takes", "lower"),
    ]


def _flip_figures(data: Path, infos: list[TakeInfo]) -> list[dict]:
    with (data / "cmu" / "INDEX.csv").open() as file:
        known = {row["file"].removesuffix(".bvh") for row in csv.DictReader(file) if "spikes" in row["flaws"]}
    flagged = {info.name for info in infos if any(flag.kind == "flip" for flag in info.flags)}
    return [
        figure(
            "reading; known spikes in which flips are found",
            100 * len(known & flagged) / len(known),
            "%",
            "higher",
        ),
        figure(f"reading; takes in which joints turn over, of {len(infos)}", len(flagged), "takes", "lower"),
    ]


def _mending_figures(data: Path) -> list[dict]:
    """Takes in which spikes and short flips were mended: flips that are left, and how much faster any joint became."""
    before, after, faster = 0, 0, 0.0
    for take in _all(data):
        motion = _motion(take)
        repaired = repair_spikes(motion)
        if repaired.describe():
            before += sum(flip.is_short for flip in find_flips(motion))
            after += sum(flip.is_short for flip in find_flips(repaired.motion))
            faster = max(faster, float((_fastest(repaired.motion) - _fastest(motion)).max()))
    return [
        figure("reading; short flips that are left after mending", 100 * after / max(before, 1), "%", "lower"),
        figure("reading; a joint that is faster after mending; the worst", faster, "m/s", "lower"),
    ]


def _fastest(motion: Motion) -> np.ndarray:
    """(J,) metres per second: the largest speed of each joint."""
    return np.linalg.norm(np.diff(kinematics.world_positions(motion), axis=0), axis=-1).max(axis=0) * motion.fps


def _by_body(infos: Iterable[TakeInfo]) -> Iterator[list[TakeInfo]]:
    """The takes of bodies that have three or more."""
    bodies: dict[str | None, list[TakeInfo]] = {}
    for info in infos:
        bodies.setdefault(info.skeleton, []).append(info)
    return (takes for takes in bodies.values() if len(takes) >= 3)


@cache
def _all(data: Path) -> list[Take]:
    """Every body recording that there is, each read on its own."""
    paths = [*sorted(data.glob("cmu/*/*.bvh")), *sorted(data.glob("cmu/*/*.amc")), *sorted(data.glob("odd/*.bvh"))]
    return [formats.read(path, ReadOptions()) for path in paths]


def _odd(data: Path) -> list[Take]:
    names = {path.stem for path in data.glob("odd/*.bvh")}
    return [take for take in _all(data) if "odd" in Path(take.source.path).parts and take.name in names]


def _indexed(data: Path) -> Iterator[tuple[str, Motion]]:
    """Subject and motion of the takes of the index, which are all at their true rate."""
    sets = {"original", "asf_amc", "odd"}
    for take in _all(data):
        if Path(take.source.path).parent.name not in sets:
            yield take.name.partition("_")[0], _motion(take)


def _motion(take: Take) -> Motion:
    assert isinstance(take.motion, Motion)
    return take.motion


def _warns(take: Take, kind: str) -> bool:
    return any(finding.kind == kind and finding.is_warning for finding in take.findings)
