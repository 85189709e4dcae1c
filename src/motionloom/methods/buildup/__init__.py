"""Interactive build-up: extend an animation pose by pose (Lee and Lee).

`poses` groups what looks alike, `tree` unrolls the transition graph from the last pose and finds where its paths end,
`sequence` is what was built so far, with its steps, edits and hits.
"""

from motionloom.methods.buildup.judge import judge
from motionloom.methods.buildup.model import Model
from motionloom.methods.buildup.perform import perform
from motionloom.methods.buildup.prepare import material_of, prepare
from motionloom.methods.buildup.request import Edit, Hit, Material, Pose, Request, Settings, Start, Step
from motionloom.methods.buildup.search import search

__all__ = [
    "Edit",
    "Hit",
    "Material",
    "Model",
    "Pose",
    "Request",
    "Settings",
    "Start",
    "Step",
    "judge",
    "material_of",
    "perform",
    "prepare",
    "search",
]
