"""Draw dynamics_faces_*.png: requests to faces beside what other methods make of them; with a folder, videos too.

python docs/figures/dynamics_faces.py [FOLDER OF VIDEOS]
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from motionloom.assembly import prepare_for, realize, solve
from motionloom.conform.point_view import PointView
from motionloom.corpus import Corpus
from motionloom.methods import dynamics
from motionloom.methods.dynamics import Request
from motionloom.motion import PointMotion
from motionloom.performer import make_demo_corpus
from motionloom.render import ComparedFace, write_face_comparison, write_face_comparison_video

FOLDER = Path(__file__).parent
REQUESTS = FOLDER.parents[1] / "examples" / "optimize" / "face"
SHOWN = {
    "keys_and_trajectory": "three key poses and the way of a corner of the mouth",
    "screen_points": "six points on a picture at three instants",
    "trajectories": "the ways of five points, and no pose",
    "features": "the mouth's width and height and the openness of the eyes, and no pose",
    "sequence": "expressions one after another: halfway between poses that are held",
}
BETWEEN = (0.2, 0.4, 0.6, 1.6, 1.8, 2.0, 3.0, 3.2, 3.4)  # seconds between the poses of the sequence
METHODS = {"dynamics": "with what was learnt", "linear": "a line between poses", "subspace": "inverse kinematics, PCA"}


def main(videos: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder, make_demo_corpus(Path(folder) / "corpus") as corpus:
        for name, title in SHOWN.items():
            faces = compared(corpus, Request.read(REQUESTS / f"{name}.yaml"))
            frames = [round(60 * time) for time in BETWEEN] if name == "sequence" else None
            write_face_comparison(FOLDER / f"dynamics_faces_{name}.png", faces, title, frames)
            if videos is not None:
                write_face_comparison_video(videos / f"{name}.mp4", faces, title)


def compared(corpus: Corpus, request: Request) -> list[ComparedFace]:
    """What was performed, where the request follows a take, and what each method makes of it."""
    given = tuple(dict.fromkeys(each.joint for each in (*request.points, *request.projections)))
    given += tuple(name for each in request.distances for name in (each.joint, each.other) if name is not None)
    faces = []
    for method, title in METHODS.items():
        asked = replace(request, method=method)
        model = prepare_for(dynamics, corpus, asked)
        motion = realize(dynamics, solve(dynamics, model, asked)[0], model).character.motion
        assert isinstance(motion, PointMotion)
        if not faces and request.head is not None and request.head.like is not None:
            faces.append(ComparedFace("performed", performed(model.points, request, motion.n_frames), given, True))
        faces.append(ComparedFace(title, motion, given))
    return faces


def performed(view: PointView, request: Request, n_frames: int) -> PointMotion:
    """The stretch of the take that the head moves like."""
    assert request.head is not None and request.head.like is not None
    like = request.head.like
    start, stop = view.range_of(like.take)
    first = int(abs(view.source_frames[start:stop] - like.frame).argmin())
    whole = view.with_head(like.take)
    return replace(whole, positions=whole.positions[first : first + n_frames])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
