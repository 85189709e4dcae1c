"""The procedural performer of the demo corpus: turns scores into motion with exact ground truth."""

from motionloom.performer.body.skeleton import build_skeleton
from motionloom.performer.demo import make_demo_corpus, perform_demo, perform_demo_faces
from motionloom.performer.face_performance import FacePerformance, perform_face
from motionloom.performer.performance import Performance, perform
from motionloom.performer.scores.demo_face_scores import demo_face_scores
from motionloom.performer.scores.demo_scores import demo_scores
from motionloom.performer.scores.score import Cue, Score, Writer

__all__ = [
    "Cue",
    "FacePerformance",
    "Performance",
    "Score",
    "Writer",
    "build_skeleton",
    "demo_face_scores",
    "demo_scores",
    "make_demo_corpus",
    "perform",
    "perform_demo",
    "perform_demo_faces",
    "perform_face",
]
