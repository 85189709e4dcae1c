"""The methods: each turns a corpus and a request into new motion. None imports another.

A method is a package that keeps to the protocol `assembly.Method`: a `Request`, `Settings` and a `Model`, and the
functions `material_of`, `prepare`, `search`, `perform` and `judge`. Commands, the studio, the tour, the contract tests
and the benchmarks run it through `assembly.prepare_for`, `solve` and `realize`. Packages are loaded when they are used.

`annotate`, beside them, is a service: it learns from what people verified and proposes labels, and makes no motion.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from motionloom.errors import BadInput

if TYPE_CHECKING:
    from motionloom.assembly import Method

PIECES = ("Request", "Settings", "Model", "material_of", "prepare", "search", "perform", "judge")  # of every method
MODEL_PIECES = ("save", "load", "is_same")
MORE = "MOTIONLOOM_METHODS"  # environment: methods outside of this package, as "name=package" with commas between


@dataclass(frozen=True)
class MethodInfo:
    """What is known of a method before its package is loaded."""

    package: str
    title: str  # for people
    summary: str  # one sentence: what it makes of what
    warms_up: bool = False  # it has `WARM_UP`: requests that the studio searches for once when it opens a corpus
    makes: tuple[str, ...] = ("body",)  # kinds of takes it makes, "body" and "points"; () for unknown
    problem: str = ""  # why its package cannot be imported, a sentence; "" where it can


METHODS: Mapping[str, MethodInfo] = {
    "timeline": MethodInfo(
        "motionloom.methods.timeline",
        "Timeline",
        "Make the motion that a request asks for: labels over time, forced frames, places; with a report.",
        warms_up=True,
    ),
    "snap": MethodInfo(
        "motionloom.methods.snap",
        "Hub graphs",
        "Make the motion of a graph walk: clips, actions, places and controls, one after another; with a report.",
    ),
    "buildup": MethodInfo(
        "motionloom.methods.buildup",
        "Build-up",
        "Extend a motion pose by pose: poses, places, times, edits in the middle, points to hit; with a report.",
    ),
    "dynamics": MethodInfo(
        "motionloom.methods.dynamics",
        "Direct",
        "Make or change a motion so that poses, points, paths and contacts hold, by what is learnt; with a report.",
        makes=("body", "points"),
    ),
}


def known_methods() -> dict[str, MethodInfo]:
    """The methods of the table, and those that the environment adds."""
    return {**METHODS, **_added(os.environ.get(MORE, ""))}


def load(name: str) -> "Method":
    """The package of a method."""
    known = known_methods()
    if name not in known:
        raise BadInput(f"no method '{name}'; there are {', '.join(known)}")
    if known[name].problem:
        raise BadInput(known[name].problem)
    package = import_module(known[name].package)
    missing = [piece for piece in PIECES if not hasattr(package, piece)]
    model = getattr(package, "Model", None)
    missing += [f"Model.{piece}" for piece in MODEL_PIECES if model is not None and not hasattr(model, piece)]
    if missing:
        raise BadInput(
            f"{known[name].package} is not a method: it lacks {', '.join(missing)}; see docs/adding_a_method.md"
        )
    return cast("Method", package)


@cache
def _added(text: str) -> dict[str, MethodInfo]:
    added: dict[str, MethodInfo] = {}
    for entry in filter(None, text.split(",")):
        name, separator, package = entry.partition("=")
        if not (separator and name and package):
            raise BadInput(f"{MORE} has '{entry}'; write name=package, with commas between several")
        if name in METHODS or name in added:
            taken = "a method of motionloom already" if name in METHODS else "there twice"
            raise BadInput(f"{MORE}: '{name}' is {taken}; choose another name")
        added[name] = _read_info(name, package)
    return added


def _read_info(name: str, package: str) -> MethodInfo:
    """What is known of an added method; whatever its package does wrong concerns those who use it and nobody else."""
    title = name.replace("_", " ").capitalize()
    try:
        module = import_module(package)
    except Exception as error:
        is_missing = isinstance(error, ImportError)
        reason = " ".join(str(error if is_missing else f"{type(error).__name__}: {error}").split())
        problem = f"{MORE}: cannot import {package} ({reason})" + ("; is it on PYTHONPATH?" if is_missing else "")
        return MethodInfo(package, title, problem, makes=(), problem=problem)
    sentence = (module.__doc__ or package).strip().splitlines()[0]
    return MethodInfo(package, title, sentence, warms_up=hasattr(module, "WARM_UP"), makes=())
