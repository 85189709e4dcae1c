"""The procedural performer of the demo corpus: turns scores into motion with exact ground truth."""

from motionloom.performer.demo import make_demo_corpus, perform_demo
from motionloom.performer.demo_scores import demo_scores
from motionloom.performer.performance import Performance, perform
from motionloom.performer.score import Cue, Score, Writer
from motionloom.performer.skeleton import build_skeleton

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
