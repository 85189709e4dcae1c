"""Draw dynamics_keys.png, dynamics_stairs.png and dynamics_poses.png: motions that were optimized."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from motionloom.assembly import Result, prepare_for, realize, solve
from motionloom.corpus import Corpus
from motionloom.methods import dynamics
from motionloom.performer import make_demo_corpus
from motionloom.render import ComparedBody, write_comparison_sheet

FOLDER = Path(__file__).parent
REQUESTS = FOLDER.parents[1] / "examples" / "optimize" / "performed"
METHODS = {
    "dynamics": "optimized, with what other walks teach",
    "linear": "a line between the poses, with the same contacts",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, make_demo_corpus(Path(folder) / "corpus") as corpus:
        request = dynamics.Request.read(REQUESTS / "walk_from_keys.yaml")
        request = replace(request, poses=(request.poses[0], request.poses[-1]))
        bodies = [ComparedBody(title, make(corpus, request, method).motion) for method, title in METHODS.items()]
        write_comparison_sheet(FOLDER / "dynamics_keys.png", bodies, "a walk from two key poses, two seconds apart")
        draw(corpus, "dynamics_stairs.png", ["stairs", "small_steps"], "contacts at other places and heights")
        styles = ["baby_walk", "cartoon_walk"]
        draw(corpus, "dynamics_poses.png", styles, "poses that were written by hand, and what walks teach")


def draw(corpus: Corpus, name: str, requests: Sequence[str], title: str) -> None:
    """Draw what some requests give, of as many frames, in one sheet."""
    results = [make(corpus, dynamics.Request.read(REQUESTS / f"{request}.yaml"), "dynamics") for request in requests]
    bodies = [
        ComparedBody(request.replace("_", " "), result.motion, footing=result.character.footing)
        for request, result in zip(requests, results)
    ]
    write_comparison_sheet(FOLDER / name, bodies, title)


def make(corpus: Corpus, request: dynamics.Request, method: str) -> Result:
    """The result of a request, with a prior or what stands in its place."""
    asked = replace(request, method=method)
    model = prepare_for(dynamics, corpus, asked)
    return realize(dynamics, solve(dynamics, model, asked)[0], model)


if __name__ == "__main__":
    main()
