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
}


def known_methods() -> dict[str, MethodInfo]:
    """The methods of the table, and those that the environment adds."""
    return {**METHODS, **_added(os.environ.get(MORE, ""))}


def load(name: str) -> "Method":
    """The package of a method."""
    known = known_methods()
    if name not in known:
        raise BadInput(f"no method '{name}'; there are {', '.join(known)}")
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
    added = {}
    for entry in filter(None, text.split(",")):
        name, separator, package = entry.partition("=")
        if not (separator and name and package):
            raise BadInput(f"{MORE} has '{entry}'; write name=package, with commas between several")
        try:
            module = import_module(package)
        except ImportError as error:
            raise BadInput(f"{MORE}: cannot import {package} ({error}); is it on PYTHONPATH?") from None
        sentence = (module.__doc__ or package).strip().splitlines()[0]
        title = name.replace("_", " ").capitalize()
        added[name] = MethodInfo(package, title, sentence, warms_up=hasattr(module, "WARM_UP"))
    return added
