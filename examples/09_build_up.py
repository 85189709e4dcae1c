"""Build up a fight pose by pose: see what could come next, choose, go on, and end exactly at a place.

python examples/09_build_up.py demo/corpus out.glb 'fight/*'
"""

import sys
from dataclasses import replace

from motionloom import formats
from motionloom.assembly import prepare_for, realize, solve
from motionloom.corpus import Corpus
from motionloom.methods import buildup
from motionloom.methods.buildup.sequence.ways import Browser
from motionloom.methods.buildup.tree.end_index import Query


def main(path: str, out: str, *takes: str) -> None:
    with Corpus.open(path) as corpus:
        request = buildup.Request(steps=(), takes=takes or None)
        model = prepare_for(buildup, corpus, request)
        print(model.describe())

        group = int(model.palette.order[len(model.palette.order) // 2])  # a pose from the middle of the palette
        take, frame = model.clip_frame(int(model.groups.centres[group]))
        (character,) = solve(buildup, model, request)[0].state.characters
        browser = Browser.of(model, character.sequence)  # everything that can be reached from the first pose
        for way in browser.ways(Query((0.5, 0.5), group, within=2.0), count=3):
            x, z, _ = way.end.place
            print(f"to frame {frame} of {take} in {way.end.n_frames / model.fps:.2f} s, at ({x:.2f}, {z:.2f}) m")

        step = buildup.Step(pose=buildup.Pose(take, frame), place=(0.5, 0.5), within=2.0)
        back = buildup.Step(place=(0.0, 0.0), within=2.0, exact=True)
        request = replace(request, steps=(step, back))
        result = realize(buildup, solve(buildup, model, request)[0], model)
        print(result.report.describe())
        formats.write(out, result.motion)


if __name__ == "__main__":
    main(*sys.argv[1:])
