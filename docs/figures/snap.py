"""The pictures of docs/snap.md: graphs of examples/graphs, built from the demo corpus."""

import tempfile
from pathlib import Path

from motionloom.methods import snap
from motionloom.methods.snap.sheets import draw_hubs, draw_turns
from motionloom.performer import make_demo_corpus

HERE = Path(__file__).parent
GRAPHS = HERE.parents[1] / "examples" / "graphs"


def draw(folder: Path) -> None:
    """Draw the common poses of the fighting graph, and the turns of the walking graph."""
    with tempfile.TemporaryDirectory() as scratch, make_demo_corpus(Path(scratch) / "demo") as corpus:
        for name, draw_it, title in (
            ("fighting", draw_hubs, "the two largest match sets of fighting"),
            ("walking", draw_turns, "turns of the walking graph"),
        ):
            model = snap.prepare(corpus, snap.GraphRequest.read(GRAPHS / f"{name}.yaml"))
            draw_it(folder / f"snap_{name}.png", model, title)


if __name__ == "__main__":
    draw(HERE)
