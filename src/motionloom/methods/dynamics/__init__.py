"""Constraint-based motion optimization: say what must hold, and a model learnt from motion fills in the rest.

After Chai and Hodgins. `prior` is how likely motions are, `trajectory` finds the likeliest that meets terms, `terms`
and `demands` are what a request asks, `closing` meets exactly what must hold.
"""

from motionloom.methods.dynamics.judge import judge
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.perform import perform
from motionloom.methods.dynamics.prepare import material_of, prepare
from motionloom.methods.dynamics.request import Material, Request, Settings
from motionloom.methods.dynamics.search import search

__all__ = ["Material", "Model", "Request", "Settings", "judge", "material_of", "perform", "prepare", "search"]
