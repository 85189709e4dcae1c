"""Walk at random through the transition graph of some takes: new motion of any length, every frame traceable.

python examples/05_walk_a_graph.py demo/corpus out.glb walk/normal_1 walk/corners_left
"""

import sys

import numpy as np

from motionloom import formats
from motionloom.assembly import assemble, plan_clips
from motionloom.conform import make_view
from motionloom.corpus import Corpus
from motionloom.graphs import clips_along, random_walk, transition_graph_of

SECONDS = 8.0


def main(path: str, out: str, *takes: str) -> None:
    with Corpus.open(path) as corpus:
        view = make_view(corpus, takes or None)
        built = transition_graph_of(view)
        print(built.report.describe())  # what the graph left out, and why

        walk = random_walk(built.graph, SECONDS, np.random.default_rng(1))
        clips = clips_along(built.graph, walk, n_frames=round(SECONDS * view.fps))
        plan = plan_clips(view, clips, kind="displacement")
        print(plan.describe())

        result = assemble(plan, view)
        print(result.report.describe())
        source, frame, _ = result.provenance.of_frame(100)[0]
        print(f"frame 100 is frame {frame:.0f} of {source.name}")
        formats.write(out, result.motion)


if __name__ == "__main__":
    main(*sys.argv[1:])
