"""The pictures of docs/studio.md: every screen and state of the studio, on the demo corpus.

Needs Chromium. To look at after every change of the front end: python -m docs.figures.studio [FOLDER [GROUP ...]]
"""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from benchmarks.studio import painting
from benchmarks.studio.browser import Studio, browse, look, serve, settle, until, wait_for_jobs
from PIL import Image
from playwright.sync_api import Browser, Page

from motionloom.corpus import Corpus
from motionloom.methods import MORE
from motionloom.performer import make_demo_corpus

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "tests" / "example_method"
GROUPS = (
    "beginnings",
    "library",
    "small",
    "annotate",
    "timeline",
    "graph",
    "buildup",
    "direct",
    "control",
    "generated",
)
SMALL = (1280, 720)  # the least that the studio asks for
TAKES = 200  # in the picture of a full library
ALL_ROWS = 340  # pixels of the timeline in which the rows of the picture can all be seen
FLAT, SHADED = 160, 96  # colours of a picture that are kept as they are, and those that share the rest
WORDS = ("walk", "run", "jump", "turn_left", "stand", "wave")
TAUGHT = (  # takes whose labels somebody accepts in the picture of annotation; the others have none
    "walk/normal_1", "run/run_1", "wave/standing", "jump/up", "walk/circle_left", "run/walk_run_walk_1",
)  # fmt: skip
PROPOSED = "wave/walk_and_wave_1"
BUILT = ((0.62, 0.68), (0.4, 0.72), (0.66, 0.66))  # where poses are dragged to, fractions of the view
DIRECTED = "walk/circle_left"
PINNED = ((1.6, "left_hand", 20, 110), (2.9, "right_hand", -30, 60))  # seconds, joints, and by how many pixels
HELD = (2.2, "right_hand", -60, 150)
UNMET = (
    painting.Stroke("walk", 0.0, 4.0),
    painting.Stroke("wave", 1.5, 3.5),
    painting.Stroke("sneak", 4.0, 6.0),
    painting.Stroke("jump", 4.6, 5.6),  # nobody jumps while sneaking
    painting.Stroke("run", 6.0, 10.0),
    painting.Stroke("turn_left", 7.0, 9.0, "must_not"),
)


def draw(folder: Path, groups: Sequence[str] = ()) -> None:
    """Take all pictures, or those of some groups."""
    groups = groups or GROUPS
    if unknown := [group for group in groups if group not in GROUPS]:
        raise SystemExit(f"no pictures '{unknown[0]}'; the groups are {', '.join(GROUPS)}")
    with tempfile.TemporaryDirectory() as scratch, browse() as browser:
        home = Path(scratch) / "recordings"
        home.mkdir()
        if "beginnings" in groups:
            draw_beginnings(browser, home, folder)
        else:
            make_demo_corpus(home / "demo").close()
        if "library" in groups:
            with serve(fill(home / "demo", home / "full")) as studio:
                draw_library(browser, studio, folder)
        if "annotate" in groups:
            with serve(forget(home / "demo", home / "taught")) as studio:
                draw_annotate(browser, studio, folder)
        with serve(home / "demo") as studio:
            drawn = {"small": draw_small, "timeline": draw_timeline, "graph": draw_graph, "buildup": draw_buildup}
            drawn |= {"direct": draw_direct, "control": draw_control}
            for group, take_group in drawn.items():
                if group in groups:
                    take_group(browser, studio, folder)
        if "generated" in groups:
            paths = os.pathsep.join(filter(None, [str(EXAMPLE), os.environ.get("PYTHONPATH")]))
            with serve(home / "demo", more={MORE: "medley=medley", "PYTHONPATH": paths}) as studio:
                draw_generated(browser, studio, folder)


def draw_beginnings(browser: Browser, home: Path, folder: Path) -> None:
    """Empty, loading and error, and the sheet of keys; the demo corpus is made meanwhile."""
    with serve(None, home) as studio, look(browser, studio, goes=False) as page:
        page.goto(studio.address)
        page.get_by_test_id("open-demo").wait_for()
        take(page, folder / "studio_empty.png")
        page.get_by_test_id("open-demo").click()
        page.get_by_text(re.compile(r"\b[1-9]\d* of \d+")).first.wait_for()
        take(page, folder / "studio_loading.png")
        page.get_by_test_id("canvas").wait_for(timeout=600_000)
        settle(page)
        page.keyboard.press("h")
        page.get_by_test_id("help-sheet").wait_for()
        take(page, folder / "studio_help.png")
        page.route("**/api/session", lambda route: route.abort())  # as when the server has ended
        page.reload()
        page.get_by_test_id("failure").wait_for()
        take(page, folder / "studio_error.png")


def draw_library(browser: Browser, studio: Studio, folder: Path) -> None:
    """Many takes; one that plays, with its plots; the same in the dark."""
    with look(browser, studio) as page:
        take(page, folder / "studio_library.png")
        play(page)
        take(page, folder / "studio_take.png")
    with look(browser, studio, theme="dark") as page:
        play(page)
        take(page, folder / "studio_dark.png")


def draw_small(browser: Browser, studio: Studio, folder: Path) -> None:
    """A take that plays, on a small screen."""
    with look(browser, studio, screen=SMALL) as page:
        play(page)
        take(page, folder / "studio_small.png")


def play(page: Page) -> None:
    """Look at somebody who walks and runs, with onion skins and plots."""
    page.get_by_test_id("search").fill("walk_run_walk_1")
    page.locator("[data-take]").first.click()
    until(page, "motionloom.stage.player.motion?.info.id.includes('walk_run_walk_1') && !motionloom.studio.isLoading")
    page.get_by_test_id("search").fill("")
    page.locator("[data-testid^=lane-]").nth(3).wait_for()
    for name in ("view-ghosts", "view-trail"):
        page.get_by_test_id(name).click()
    page.get_by_test_id("play").click()
    until(page, "motionloom.studio.time > 4")
    page.locator("[data-testid^=lane-]").last.scroll_into_view_if_needed()


def draw_annotate(browser: Browser, studio: Studio, folder: Path) -> None:
    """Proposals on a take after a few were accepted."""
    with look(browser, studio) as page:
        page.evaluate(f"motionloom.studio.preferences.timelineHeight = {ALL_ROWS}")
        page.get_by_test_id("workspace-annotate").click()
        words = page.get_by_test_id("first-words")
        words.get_by_role("button", name="None", exact=True).click()
        for word in WORDS:
            words.get_by_role("button", name=re.compile(rf"^{word}\b")).first.click()
        page.get_by_test_id("use-words").click()
        for name in TAUGHT:
            choose_lesson(page, name)
            page.keyboard.press("Enter")
            until(page, f"{_VERIFIED} >= 1")  # the list shows the one that was looked for
            wait_for_jobs(page)
        choose_lesson(page, PROPOSED)
        page.get_by_test_id("annotate-search").fill("")
        stand_at(page, 3.0)
        take(page, folder / "studio_annotate.png")


def choose_lesson(page: Page, name: str) -> None:
    """Show a take among those to label."""
    page.get_by_test_id("annotate-search").fill(name)
    page.get_by_test_id("annotate-takes").get_by_role("option", name=name).click()
    until(page, f"motionloom.stage.player.motion?.info.id === 'take:{name}' && !motionloom.studio.isLoading")
    wait_for_jobs(page)


_VERIFIED = "document.querySelectorAll('[data-testid=annotate-takes] .tick').length"


def draw_timeline(browser: Browser, studio: Studio, folder: Path) -> None:
    """A result with one stretch that cannot be met; and a waypoint in the hand."""
    with look(browser, studio) as page:
        page.evaluate(f"motionloom.studio.preferences.timelineHeight = {ALL_ROWS}")
        painting.open_timeline(page, tuple(dict.fromkeys(stroke.label for stroke in UNMET)))
        for stroke in UNMET:
            painting.draw_stroke(page, stroke)  # each replaces the search of the one before
        until(page, painting.SHOWN)
        wait_for_jobs(page)
        stand_at(page, 2.4)  # in the middle of the wave
        take(page, folder / "studio_timeline.png")
        for stroke in UNMET[2:4]:
            painting.draw_stroke(page, replace(stroke, tool="erase"))
        stand_at(page, 4.5)
        disc = painting.place_waypoint(page)
        until(page, painting.SHOWN)
        wait_for_jobs(page)
        painting.drag_waypoint(page, disc, 40, lets_go=False)
        page.wait_for_timeout(1500)
        take(page, folder / "studio_waypoint.png")
        page.mouse.up()


def draw_graph(browser: Browser, studio: Studio, folder: Path) -> None:
    """Two hubs of those who fight, the first two suggestions, and a clip that plays."""
    with look(browser, studio) as page:
        page.evaluate(f"motionloom.studio.preferences.timelineHeight = {ALL_ROWS}")
        page.evaluate("motionloom.studio.preferences.panelWidth = 400")
        page.evaluate(_NEW_DOCUMENT, "hubs")
        until(page, "motionloom.studio.documentName === 'hubs'")
        page.get_by_test_id("workspace-graph").click()
        page.get_by_test_id("graph-search").fill("fight")
        page.get_by_test_id("choose-found").click()
        for hubs, name in enumerate(("left", "right"), start=1):
            page.get_by_test_id("suggestion").first.click()
            until(page, f"motionloom.studio.hubs?.graph.hubs === {hubs}")
            page.get_by_test_id("rename-hub").nth(hubs - 1).click()
            page.get_by_test_id("hub-name").fill(name)
            page.keyboard.press("Enter")
            until(page, f"motionloom.studio.hubs?.graph.nodes.some((node) => node.name === '{name}')")
        page.get_by_test_id("arc").and_(page.locator("[aria-label*=kick]")).first.focus()
        page.keyboard.press("Enter")
        until(page, "motionloom.studio.playing")
        stand_at(page, 1.1)  # in the middle of the kick
        take(page, folder / "studio_graph.png")


def draw_buildup(browser: Browser, studio: Studio, folder: Path) -> None:
    """Somebody who fights: a pose dragged over the floor; one in the middle; and, in the dark, a second fighter."""
    with look(browser, studio) as page:
        build_fighter(page, "built")
        hold_pose(page, len(BUILT) - 1, BUILT[-1])
        page.wait_for_timeout(1500)  # other ways and the shading come when the hand rests
        take(page, folder / "studio_buildup.png")
        page.mouse.up()
        page.keyboard.press("Escape")
        drag_edit(page)
        take(page, folder / "studio_buildup_edit.png")
        page.mouse.up()
    with look(browser, studio, theme="dark") as page:
        build_fighter(page, "fighters")
        page.get_by_test_id("add-character").click()
        until(page, "motionloom.stage.members.length === 2")
        wait_for_jobs(page)
        accept_pose(page, 2, (0.55, 0.62))
        page.get_by_test_id("aim-at").select_option("A/head")
        page.get_by_test_id("joint-hit").wait_for()
        page.locator("[data-testid=badge][data-look=good], [data-testid=badge][data-look=missed]").wait_for()
        wait_for_jobs(page)
        page.evaluate("motionloom.stage.player.pause(); motionloom.stage.seek(motionloom.studio.length)")
        take(page, folder / "studio_buildup_hit.png")


def build_fighter(page: Page, document: str) -> None:
    """Two poses accepted and a prop, in a document of its own."""
    page.evaluate(_NEW_DOCUMENT, document)
    page.reload()
    until(page, f"window.motionloom?.studio.documentName === '{document}'")
    page.get_by_test_id("workspace-buildup").click()
    page.get_by_test_id("palette").wait_for()
    page.get_by_test_id("material").get_by_role("button").first.click()
    page.get_by_test_id("buildup-takes").fill("fight/*")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('[data-testid=pose]').length > 0")
    wait_for_jobs(page)
    for number, place in enumerate(BUILT[:-1]):
        accept_pose(page, number, place)
        if number == 0:
            page.get_by_test_id("add-prop").click()


def accept_pose(page: Page, number: int, place: tuple[float, float]) -> None:
    """Drag a pose over the floor, and accept it."""
    hold_pose(page, number, place)
    page.mouse.up()
    page.get_by_test_id("accept").click()
    until(page, "!document.querySelector('[data-testid=accept]')")
    wait_for_jobs(page)


def drag_edit(page: Page) -> None:
    """Put a pose in the middle, and drag its ghost until the bridge to there is known."""
    lane = page.get_by_test_id("lane-character:0").bounding_box()
    tile = page.locator("[data-testid=pose][data-reached=true]").nth(2)
    tile.scroll_into_view_if_needed()
    box = tile.bounding_box()
    assert box is not None and lane is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(lane["x"] + 0.4 * lane["width"], lane["y"] + 20, steps=8)
    page.mouse.up()
    page.get_by_test_id("chosen-edit").wait_for()
    page.get_by_test_id("bridge").wait_for()
    wait_for_jobs(page)
    page.get_by_test_id("choose-edit").click()
    until(page, "motionloom.stage.view.statistics().rests")
    x, y = page.evaluate(_FEET_OF_GHOST)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y + 30, steps=6)
    page.get_by_test_id("bridge").wait_for()


def hold_pose(page: Page, number: int, place: tuple[float, float]) -> None:
    """Drag a pose that can be had over the floor, to fractions of the view."""
    reached = page.locator("[data-testid=pose][data-reached=true]")
    until(page, "document.querySelectorAll('[data-testid=pose][data-reached=true]').length > 9")
    tile = reached.nth(3 * number + 1)
    tile.scroll_into_view_if_needed()
    box, view = tile.bounding_box(), page.get_by_test_id("canvas").bounding_box()
    assert box is not None and view is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(view["x"] + view["width"] * place[0], view["y"] + view["height"] * place[1], steps=8)
    until(page, "document.querySelector('[data-testid=duration]') !== null")


def draw_direct(browser: Browser, studio: Studio, folder: Path) -> None:
    """A walk with pins in some frames, and a hand that is dragged."""
    with look(browser, studio) as page:
        page.evaluate(_NEW_DOCUMENT, "directed")
        page.reload()
        until(page, "window.motionloom?.studio.documentName === 'directed'")
        page.get_by_test_id("workspace-direct").click()
        page.get_by_test_id("start-from").select_option(DIRECTED)
        until(page, "motionloom.stage.members[0]?.body && document.querySelector('[data-testid=pose]') !== null")
        wait_for_jobs(page)
        for seconds, joint, across, up in PINNED:
            hold_joint(page, seconds, joint, across, up)
            page.mouse.up()
            wait_for_jobs(page)
        hold_joint(page, *HELD)
        page.wait_for_timeout(1000)
        take(page, folder / "studio_direct.png")
        page.mouse.up()


def hold_joint(page: Page, seconds: float, joint: str, across: int, up: int) -> None:
    """Go to a time and drag a joint by some pixels."""
    page.evaluate(f"motionloom.stage.player.pause(); motionloom.stage.seek({seconds})")
    page.wait_for_timeout(1000)
    view = page.get_by_test_id("canvas").bounding_box()
    assert view is not None
    x, y = page.evaluate(f"motionloom.stage.view.pixelAt(motionloom.stage.placeOf('{joint}'))")
    page.mouse.move(view["x"] + x, view["y"] + y)
    page.mouse.down()
    page.mouse.move(view["x"] + x + across, view["y"] + y - up, steps=12)


def draw_control(browser: Browser, studio: Studio, folder: Path) -> None:
    """Somebody who fights, with a button held; and, in the dark, somebody who is steered along a bend."""
    with look(browser, studio) as page:
        drive(page, "fight")
        page.keyboard.down("2")
        until(page, "motionloom.drive.graph.clips[motionloom.drive.clip]?.name.startsWith('kick')")
        until(page, "motionloom.drive.untilChoice < 1.3")
        page.keyboard.press("Space")
        take(page, folder / "studio_control.png")
        page.keyboard.up("2")
    with look(browser, studio, theme="dark") as page:
        drive(page, "walk")
        page.keyboard.down("a")
        until(page, "motionloom.drive.ride.seconds > 7")
        page.keyboard.press("Space")
        take(page, folder / "studio_steering.png")


def draw_generated(browser: Browser, studio: Studio, folder: Path) -> None:
    """The workspace of the example method: a form made from the schema of its requests, and an answer."""
    with look(browser, studio) as page:
        page.get_by_test_id("workspace-method:medley").click()
        page.get_by_test_id("add-takes").click()
        page.get_by_test_id("field-takes[0]").wait_for()
        for number, pattern in enumerate(("walk/normal_1", "run/run_1", "jump/*")):
            field = page.get_by_test_id(f"field-takes[{number}]").locator("input")
            if not field.count():
                page.get_by_test_id("add-takes").click()
            field.fill(pattern)
            field.press("Tab")
        page.get_by_test_id("search").click()
        page.locator("[data-testid=badge][data-look=good], [data-testid=badge][data-look=missed]").wait_for()
        stand_at(page, 3.0)
        take(page, folder / "studio_generated.png")


def drive(page: Page, takes: str) -> None:
    """Make a graph of some takes in a document of its own, and begin to drive."""
    page.evaluate(_NEW_DOCUMENT, takes)
    page.reload()
    until(page, f"window.motionloom?.studio.documentName === '{takes}'")
    page.get_by_test_id("workspace-control").click()
    page.get_by_test_id("make-graph").filter(has_text=takes).first.click()
    until(page, "motionloom.drive.graph !== null && motionloom.drive.ride.seconds > 1")


# Where the ghost stands, pixels of the window.
_FEET_OF_GHOST = """() => {
  const [wantedX, , wantedZ] = motionloom.stage.extras.characters[0].pose.root;
  const box = document.querySelector("[data-testid=canvas]").getBoundingClientRect();
  let best = [0, 0, Infinity];
  for (let x = box.left; x < box.right; x += 3)
    for (let y = box.top; y < box.bottom; y += 3) {
      const found = motionloom.stage.view.groundAt(x, y);
      const away = found === null ? Infinity : Math.hypot(found[0] - wantedX, found[1] - wantedZ);
      if (away < best[2]) best = [x, y, away];
    }
  return best.slice(0, 2);
}"""
_NEW_DOCUMENT = """(name) => fetch("api/document/new", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name }),
})"""


def stand_at(page: Page, seconds: float) -> None:
    """Pause there."""
    page.evaluate(f"motionloom.stage.player.pause(), motionloom.stage.seek({seconds})")
    until(page, "!motionloom.studio.isLoading")


def fill(source: Path, target: Path) -> Path:
    """A corpus of many takes: those of the demo, and parts of them."""
    from motionloom.assembly.derived.derived_takes import trim_take

    shutil.copytree(source, target)
    with Corpus.open(target, write=True) as corpus:
        infos = [info for info in corpus.infos() if info.n_frames > 480]
        for number in range(TAKES - len(corpus.infos())):
            info = infos[number % len(infos)]
            start = 60 * (1 + number // len(infos))  # frames
            trim_take(corpus, info.name, start, start + 180)
    return target


def forget(source: Path, target: Path) -> Path:
    """A corpus in which only some takes have labels."""
    shutil.copytree(source, target)
    with Corpus.open(target, write=True) as corpus:
        corpus.remove_labels([label for label in corpus.labels() if label.take not in TAUGHT])
    return target


def take(page: Page, path: Path) -> None:
    """Take a picture of the screen, as a small file."""
    page.wait_for_timeout(400)  # what fades has faded
    page.screenshot(path=path)
    shrink(path)


def shrink(path: Path) -> None:
    """Make a picture's file small: flat areas, and strong colours above all, stay as they are; shades share some."""
    pixels = np.asarray(Image.open(path).convert("RGB"))
    numbers = pixels.reshape(-1, 3).astype(np.int64) @ [65536, 256, 1]
    kinds, where, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    colours = np.stack([kinds >> 16, kinds >> 8 & 255, kinds & 255], axis=1).astype(np.uint8)  # (C, 3)
    strength = colours.max(axis=1).astype(int) - colours.min(axis=1)
    order = np.argsort(-counts * (1 + strength))
    rest = np.repeat(colours[order[FLAT:]], counts[order[FLAT:]], axis=0)
    palette = colours[order[:FLAT]]
    if len(rest):
        shared = Image.fromarray(rest[None]).quantize(SHADED, dither=Image.Dither.NONE).getpalette() or []
        palette = np.concatenate([palette, np.array(shared, np.uint8).reshape(-1, 3)[:SHADED]])
    apart = ((colours[:, None].astype(int) - palette[None].astype(int)) ** 2).sum(axis=2)  # (C, P)
    picture = Image.fromarray(apart.argmin(axis=1)[where].reshape(pixels.shape[:2]).astype(np.uint8), "P")
    picture.putpalette(palette.tobytes())
    picture.save(path, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE, sys.argv[2:])
