"""The procedural performer of the demo corpus: turns scores into motion with exact ground truth."""

from motionloom.performer.body.skeleton import build_skeleton
from motionloom.performer.demo import make_demo_corpus, perform_demo
from motionloom.performer.performance import Performance, perform
from motionloom.performer.scores.demo_scores import demo_scores
from motionloom.performer.scores.score import Cue, Score, Writer

__all__ = [
    "Cue",
    "Performance",
    "Score",
    "Writer",
    "build_skeleton",
    "demo_scores",
    "make_demo_corpus",
    "perform",
    "perform_demo",
]
