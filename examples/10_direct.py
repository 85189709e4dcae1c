"""Make a walk of two key poses and when the feet rest, beside a straight line between them; then raise a hand in it.

python examples/10_direct.py demo/corpus out/ walk/normal_2 'walk/normal_[13]'
"""

import sys
from dataclasses import replace
from pathlib import Path

from motionloom import formats
from motionloom.assembly import prepare_for, realize, solve
from motionloom.corpus import Corpus
from motionloom.methods import dynamics
from motionloom.render import ComparedBody, write_comparison_sheet


def main(path: str, folder: str, take: str, *learnt_from: str) -> None:
    poses = [{"at": f"{t}s", "pose": {"take": take, "frame": 200 + 60 * t}, "as_recorded": True} for t in (0, 2)]
    request = dynamics.Request.from_data(
        {
            "poses": poses,
            "contacts_like": {"take": take, "frame": 200},  # when heels and balls rest, not where
            "prior": {"takes": list(learnt_from)},
        }
    )
    Path(folder).mkdir(parents=True, exist_ok=True)
    with Corpus.open(path, write=True) as corpus:  # what is learnt is kept
        model = prepare_for(dynamics, corpus, request)
        print(model.describe())
        bodies = []
        for method in ("dynamics", "linear"):
            asked = replace(request, method=method)
            result = realize(dynamics, solve(dynamics, model, asked)[0], model)
            print(f"{method}: {result.report.details['iterations']} iterations")
            bodies.append(ComparedBody(method, result.motion))
            formats.write(Path(folder) / f"{method}.glb", result.motion)
        write_comparison_sheet(Path(folder) / "both.png", bodies, "two key poses, two seconds apart")

        higher = {"at": "5s", "joint": "right_hand", "moved_by": [0.0, 0.1, 0.15], "hard": True, "name": "hand"}
        edit = dynamics.Request.from_data(
            {"start_from": take, "points": [higher], "prior": {"takes": list(learnt_from)}}
        )
        model = prepare_for(dynamics, corpus, edit)
        result = realize(dynamics, solve(dynamics, model, edit)[0], model)  # all else stays as it was
        print(result.report.describe())
        formats.write(Path(folder) / "edited.glb", result.motion)


if __name__ == "__main__":
    main(*sys.argv[1:])
