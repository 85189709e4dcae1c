"""The pictures of docs/timeline.md: requests of examples/requests, made with the demo corpus."""

import tempfile
from pathlib import Path

from motionloom.methods.timeline import Request, Settings, draw_sheet, make_plan, pose_problem, prepare, realize, search
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
        model = prepare(corpus, Settings())
        for name in DRAWN:
            request = Request.read(REQUESTS / f"{name}.yaml")
            problem = pose_problem(model, request)
            *_, best = search(model, problem)
            result = realize(make_plan(model, problem, best, request), model)
            title = (REQUESTS / f"{name}.yaml").read_text().splitlines()[0].removeprefix("# ").rstrip(".")
            draw_sheet(folder / f"timeline_{name}.png", model, problem, best.frames, result, title)


if __name__ == "__main__":
    draw(HERE)
