"""Directing by hand: from the event of a dragged joint, or marker of a face, to the pose of the motion that follows it.

Real pointer events on a take of a walk with twelve pins and the contacts of its feet, and on a recorded face with
twelve pins, as in `latency`: the clock starts with the event's own time stamp and stops when the pose of the new
motion is handed to the renderer; the page's drawing calls do not reach the renderer meanwhile, which draws in software
here. An event whose place a newer one has overtaken is answered with that one. Every answer is the whole motion, all
frames of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Page

from benchmarks.measure import figure
from benchmarks.studio import corpora
from benchmarks.studio.browser import browse, copy_of, look, serve, settle, until, wait_for_jobs

SCRIPT = Path(__file__).with_name("directing.js")
SECONDS = 5.0  # of the motion, about, if there is a take so short
PINS = 11  # beside the one that is dragged
N_EVENTS = 120  # of each drag
PACE = 16  # milliseconds between two events, as a mouse sends them


@dataclass(frozen=True)
class Subject:
    """What is directed: where its pins are and what is dragged."""

    kind: str  # of its takes
    pinned: tuple[str, ...]
    drags: Mapping[str, float]  # shares of the time
    reach: tuple[int, int]  # pixels that something is dragged to and fro, across and up


BODY = Subject(
    "body",
    ("right_hand", "left_hand", "head", "left_foot"),
    {"right_hand": 0.3, "left_hand": 0.5, "head": 0.6, "right_foot": 0.4, "hips": 0.7},
    (70, 60),
)
FACE = Subject(
    "points",
    ("Mouth_Lend", "Mouth_Down", "Leyebrow_M", "Chin"),
    {"Mouth_Rend": 0.3, "Mouth_Lend": 0.5, "Mouth_Up": 0.6, "Reyebrow_M": 0.4, "Chin": 0.7},
    (16, 14),
)


def figures(data: Path) -> list[dict]:
    """Joints of a walk are dragged, one after another; then markers of a face."""
    took, inside, seconds = drag_all(corpora.locomotion(data), BODY)
    on_face, inside_face, seconds_face = drag_all(corpora.faces(data), FACE)
    return [
        figure("dragged joint to its new pose; 95 %", float(np.percentile(took, 95)), "ms", "lower"),
        figure("dragged joint to its new pose; median", float(np.median(took)), "ms", "lower"),
        figure("dragged joint to its motion, server; 95 %", float(np.percentile(inside, 95)), "ms", "lower"),
        figure("dragged joint to its motion, server; median", float(np.median(inside)), "ms", "lower"),
        figure("directing by hand; drag events", len(took), "events", "higher"),
        figure("directing by hand; seconds of motion", seconds, "s", "higher"),
        figure("dragged marker to the new face; 95 %", float(np.percentile(on_face, 95)), "ms", "lower"),
        figure("dragged marker to the new face; median", float(np.median(on_face)), "ms", "lower"),
        figure("dragged marker to its motion, server; 95 %", float(np.percentile(inside_face, 95)), "ms", "lower"),
        figure("dragged marker to its motion, server; median", float(np.median(inside_face)), "ms", "lower"),
        figure("directing a face by hand; drag events", len(on_face), "events", "higher"),
        figure("directing a face by hand; seconds of motion", seconds_face, "s", "higher"),
    ]


def drag_all(folder: Path, subject: Subject) -> tuple[list[float], list[float], float]:
    """Milliseconds of every drag event, those of them in the server, and the seconds of the motion."""
    with (
        copy_of(folder) as corpus,
        browse() as browser,
        serve(corpus) as studio,
        look(browser, studio, goes=False) as page,
    ):
        page.add_init_script(path=SCRIPT)
        page.goto(studio.address)
        settle(page)
        seconds = open_direct(page, subject)
        pin_joints(page, subject, seconds)
        page.evaluate("void (probe.draws = false)")
        first, *_ = subject.drags
        drag_joint(page, first, 0.2 * seconds, subject.reach)  # compiled now
        page.evaluate("void (directed.drags.length = directed.inside.length = 0)")
        for joint, share in subject.drags.items():
            drag_joint(page, joint, share * seconds, subject.reach)
        took, inside = page.evaluate("[directed.drags, directed.inside]")
    return took, inside, seconds


def open_direct(page: Page, subject: Subject) -> float:
    """Open a take of about the wanted length in the workspace; returns its seconds."""
    page.get_by_test_id("workspace-direct").click()
    wait_for_jobs(page)
    takes = page.evaluate("fetch('/api/takes').then((answer) => answer.json()).then((list) => list.takes)")
    alike = [take for take in takes if take["kind"] == subject.kind]
    take = min(alike, key=lambda take: abs(take["frames"] / take["fps"] - SECONDS))
    page.get_by_test_id("start-from").select_option(take["name"])
    is_there = "motionloom.stage.members[0]?.motion.id.startsWith('answer:')"
    until(page, is_there if subject.kind == "points" else f"{is_there} && motionloom.stage.members[0].body")
    wait_for_jobs(page)
    return page.evaluate("motionloom.studio.length")


def pin_joints(page: Page, subject: Subject, seconds: float) -> None:
    """Pin joints where they are, all over the motion."""
    joints = subject.pinned
    for number in range(PINS):
        page.evaluate(f"motionloom.stage.seek({seconds * (number + 0.5) / PINS})")
        page.get_by_test_id("joint").select_option(joints[number % len(joints)])
        page.get_by_test_id("pin").click()
        until(page, f"motionloom.studio.document.direct.request.points.length === {number + 1}")
    wait_for_jobs(page)


def drag_joint(page: Page, joint: str, time: float, reach: tuple[int, int]) -> None:
    """Drag a joint in circles and let it go; wait until the motion has settled."""
    page.evaluate(f"motionloom.stage.player.pause(); motionloom.stage.seek({time})")
    page.wait_for_timeout(300)
    view = page.get_by_test_id("canvas").bounding_box()
    assert view is not None
    x, y = page.evaluate(f"motionloom.stage.view.pixelAt(motionloom.stage.placeOf('{joint}'))")
    page.mouse.move(view["x"] + x, view["y"] + y)
    page.mouse.down()
    for angle in np.linspace(0, 4 * np.pi, N_EVENTS):
        across, up = reach[0] * np.sin(angle), reach[1] * np.sin(2 * angle)
        page.mouse.move(view["x"] + x + across, view["y"] + y - up)
        page.wait_for_timeout(PACE)
    page.mouse.up()
    wait_for_jobs(page)
