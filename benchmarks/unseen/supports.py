"""What feet stand on: contacts on performed stones, stairs and hills; and supports in recordings on props.

Settings were chosen with performed seeds below 20 on one body at 60 frames per second, and with the takes of
`CHOSEN_SUBJECTS`; performed figures are of other seeds, bodies and rates, and "other subjects" are all the rest. Takes
on props are listed by their descriptions in `benchmarks/corpus/props.py`: those on which feet stand are the ones to be
found, in all others a support is a false alarm. So is that of 127_33, "Run Over", although both feet are seen to run
over something 0.2 m high.
"""

from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.corpus.props import REASONS
from benchmarks.corpus.recordings import read_all
from benchmarks.measure import figure
from benchmarks.unseen.performed_supports import KINDS, perform_supports
from motionloom.features.floor import estimate_floor
from motionloom.features.foot_strikes import feet_down
from motionloom.features.supported_contacts import Supported, detect_supports
from motionloom.motion import Motion

SEEDS = range(100, 120)
BODIES = ((60.0, 1.0), (30.0, 1.0), (120.0, 1.0), (60.0, 1.3), (60.0, 0.8))  # frames per second, size of the body
CHOSEN_SUBJECTS = ("13", "40", "56", "143")
FEET_STAND = ("steps", "ladder")  # of the reasons in props.py
CLIMBED = ("everyday/40_09",)  # an obstacle that feet stand on: climb, step over, jump over stepstool
STEPS = ("everyday/13_35", "everyday/13_36", "everyday/13_37", "everyday/143_17", "everyday/114_08")
USUAL = (50.0, 85.0)  # percent of the time that each foot rests


def supports_figures(data: Path) -> list[dict]:
    """F1 beside the performer's truth; supports of all recordings; how long each foot rests on steps."""
    return _performed() + _found(data) + _resting(data)


def _performed() -> list[dict]:
    measured = []
    for kind in KINDS:
        counts, heights = np.zeros(2), []
        for seed in SEEDS:
            fps, size = BODIES[seed % len(BODIES)]
            walk = perform_supports(kind, seed, fps, size)
            found = detect_supports(walk.motion, estimate_floor(walk.motion))
            both = found.contacts & walk.contacts
            counts += [both.sum(), (found.contacts ^ walk.contacts).sum()]
            heights.append(np.abs(found.heights - found.floor_height - walk.heights)[both])
        hits, wrong = counts
        measured += [
            figure(f"supports; F1 of contacts on performed {kind}", 2 * hits / (2 * hits + wrong), "", "higher"),
            figure(
                f"supports; heights of contacts on performed {kind}; 99 % within",
                100 * np.percentile(np.concatenate(heights), 99),
                "cm",
                "lower",
            ),
        ]
    return measured


def _found(data: Path) -> list[dict]:
    found = {name: bool(_detect(data, name).supports) for name in read_all(data)}
    wanted = {name for name in found if _is_stood_on(name)}
    alarms = [name for name, is_found in found.items() if is_found and name not in wanted]
    others = [name for name in wanted if _subject(name) not in CHOSEN_SUBJECTS]
    hits, other_hits = sum(found[name] for name in wanted), sum(found[name] for name in others)
    other_alarms = sum(_subject(name) not in CHOSEN_SUBJECTS for name in alarms)
    return [
        figure("supports; takes on props; recall", hits / len(wanted), "", "higher"),
        figure("supports; takes on props; precision", hits / max(hits + len(alarms), 1), "", "higher"),
        figure("supports; takes on props of other subjects; recall", other_hits / len(others), "", "higher"),
        figure("supports; false alarms on all other takes", len(alarms), "takes", "lower"),
        figure("supports; false alarms on takes of other subjects", other_alarms, "takes", "lower"),
    ]


def _resting(data: Path) -> list[dict]:
    measured = []
    for name in STEPS:
        shares = 100 * feet_down(_detect(data, name).contacts).mean(axis=0)
        outside = max(USUAL[0] - shares.min(), shares.max() - USUAL[1], 0.0)
        take = name.split("/")[1]
        measured += [
            figure(f"supports; {take}; the foot that rests less", shares.min(), "%", "higher"),
            figure(f"supports; {take}; a foot rests outside 50-85 %", outside, "%", "lower"),
        ]
    return measured


def _is_stood_on(name: str) -> bool:
    return name in CLIMBED or REASONS.get(name, "").split(":")[0] in FEET_STAND


def _subject(name: str) -> str:
    return name.split("/")[1].split("_")[0]


@cache
def _detect(data: Path, name: str) -> Supported:
    motion: Motion = read_all(data)[name][0]
    return detect_supports(motion, estimate_floor(motion))
