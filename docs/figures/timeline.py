"""The pictures of docs/timeline.md: requests of examples/requests, made with the demo corpus."""

import tempfile
from pathlib import Path

from motionloom.assembly import realize, solve
from motionloom.methods import timeline
from motionloom.methods.timeline import Request, draw_sheet, prepare
from motionloom.performer import make_demo_corpus

HERE = Path(__file__).parent
REQUESTS = HERE.parents[1] / "examples" / "requests"
DRAWN = (
    "stumble_run_jump",
    "walk_not_wave",
    "walk_wave_second_half",
    "walk_and_wave",
    "push_while_running",
    "run_there_and_back",
)


def draw(folder: Path) -> None:
    """Draw a timeline sheet of each request."""
    with tempfile.TemporaryDirectory() as scratch, make_demo_corpus(Path(scratch) / "demo") as corpus:
        model = prepare(corpus)
        for name in DRAWN:
            request = Request.read(REQUESTS / f"{name}.yaml")
            result = realize(timeline, solve(timeline, model, request)[0], model)
            title = (REQUESTS / f"{name}.yaml").read_text().splitlines()[0].removeprefix("# ").rstrip(".")
            draw_sheet(folder / f"timeline_{name}.png", result, title)


if __name__ == "__main__":
    draw(HERE)
