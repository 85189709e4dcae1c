"""Takes of several skeletons: usable in every workspace, those that are not named once, exports on any that can be."""

import re
import shutil
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.retarget.rigs import a_pose_rig
from playwright.sync_api import expect

from motionloom.corpus import Corpus, Source, Take
from motionloom.motion import PointMotion, Skeleton
from motionloom.retarget import retarget_motion

TAKE, RIG, NAMELESS, POINTS = "walk/normal_1", "rig/walk", "rig/nameless", "face"
SOURCE = Source("x", "npz", "", 60.0, 1.0)


@pytest.fixture(scope="module")
def server(small_corpus, start_server, tmp_path_factory):
    """With a take on a rig of 65 joints, one whose joints cannot be recognised, and points."""
    folder = tmp_path_factory.mktemp("mixed")
    shutil.copytree(small_corpus, folder / "mixed")
    with Corpus.open(folder / "mixed", write=True) as corpus:
        motion = corpus.take(TAKE).motion
        corpus.add(Take(RIG, retarget_motion(motion, a_pose_rig()).motion, SOURCE), floor_height=0.0)
        own = motion.skeleton
        nameless = Skeleton(tuple(f"bone {joint}" for joint in range(own.n_joints)), own.parents, own.offsets)
        corpus.add(Take(NAMELESS, replace(motion, skeleton=nameless), SOURCE), floor_height=0.0)
        corpus.add(Take(POINTS, PointMotion(("p",), np.zeros((60, 1, 3)), 60.0), SOURCE), floor_height=0.0)
    return start_server(folder, folder / "mixed")


@pytest.fixture
def studio(desk):
    desk.begin()
    return desk


def is_named_once(desk) -> None:
    """What cannot be used is named with its reason, once."""
    said = desk.at("left-out")
    said.scroll_into_view_if_needed()
    expect(said).to_contain_text(f"{POINTS}: it has points")
    assert [said.inner_text().count(name) for name in (NAMELESS, f"{POINTS}:")] == [1, 1]


def test_takes_stay_in_sight_beside_what_is_left_out(studio):
    studio.choose_take(RIG)
    expect(studio.at("take-name")).to_have_text(RIG)
    expect(studio.at("left-out")).to_contain_text(NAMELESS)
    expect(studio.at("left-out")).not_to_contain_text(f"{POINTS}:")  # markers are no fault: Direct works on them
    takes, left_out = (studio.resting_box(name) for name in ("take-list", "left-out"))
    assert left_out["height"] <= 80 < 200 < takes["height"]
    studio.picture("mixed_library")


def test_takes_of_another_skeleton_are_offered_in_every_workspace(studio):
    for workspace, testid in (("timeline", "forceable"), ("graph", "graph-take")):
        studio.at(f"workspace-{workspace}").click()
        found = studio.page.locator(f"[data-testid={testid}]")
        expect(found.and_(studio.page.locator(f"[data-take='{RIG}']"))).to_have_count(1)
        names = found.evaluate_all("all => all.map((one) => one.dataset.take)")
        assert TAKE in names and not {NAMELESS, POINTS} & set(names)
        is_named_once(studio)
        studio.picture(f"mixed_{workspace}")


def test_exports_offer_the_skeletons_that_motions_can_be_written_on(studio):
    studio.choose_take(TAKE)
    studio.at("export").click()
    choices = studio.at("export-skeleton").locator("option").all_inner_texts()
    assert [choice.partition(" as ")[0] for choice in choices] == ["its own", "the reference, 24 joints,", "65 joints,"]
    studio.page.keyboard.press("Escape")


def test_a_reference_is_chosen_with_a_click_and_undone(studio):
    studio.choose_take(RIG)
    button, panel = studio.resting_box("choose-reference"), studio.resting_box("take-details")
    assert button["x"] + button["width"] <= panel["x"] + panel["width"] - 8
    before = studio.at("reference").inner_text()
    studio.at("choose-reference").click()
    expect(studio.at("reference")).to_have_text(re.compile("This skeleton"))
    studio.page.evaluate("document.activeElement?.blur()")
    studio.page.keyboard.press("Control+z")
    expect(studio.at("reference")).to_have_text(before)
