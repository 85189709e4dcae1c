"""The pictures of docs/studio.md: every screen and state of the studio, on the demo corpus.

Needs Chromium. To look at after every change of the front end: python -m docs.figures.studio [FOLDER [GROUP ...]]
"""

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.studio.browser import browse, serve
from docs.figures.studio_screens.annotate import draw_annotate, forget
from docs.figures.studio_screens.beginnings import draw_beginnings
from docs.figures.studio_screens.buildup import draw_buildup
from docs.figures.studio_screens.direct import draw_direct
from docs.figures.studio_screens.generated import draw_generated
from docs.figures.studio_screens.hub_graphs import draw_control, draw_graph
from docs.figures.studio_screens.library import draw_library, draw_small, fill
from docs.figures.studio_screens.timeline import draw_timeline

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


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE, sys.argv[2:])
