"""Settings: how labels are learnt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from motionloom.errors import BadInput

Features = Literal["usual", "positions"]
Kernel = Literal["laplace", "gauss", "both"]
CLASSIFIERS = ("usual", "paper")
GAMMAS = (1e-3, 1e3)  # allowed range, in mean distances between windows


@dataclass(frozen=True)
class Settings:
    """Settings of the classifier; README.md has measurements."""

    features: Features = "usual"  # "positions": joint positions alone, as in the paper
    kernel: Kernel = "laplace"  # exp(-d / gamma), the paper's; "gauss": exp(-(d / gamma)^2); "both": their mean
    gamma: float | None = None  # in mean distances between windows of the view; None: default of the kernel
    out_of_margin_cost: float = 100.0  # penalty of margin violations (C); high: verified frames are fitted closely
    mirrored: bool = True  # learn from mirrored copies too
    smoothing: float = 3.0  # cost of switching a label on or off, nats; 0: no smoothing
    slope: float = 2.0  # of the logistic function from decision value to confidence, per margin
    rate: float = 10.0  # windows per second
    window: float = 1.0  # seconds of motion in a window
    most_windows: int = 6000  # maximum number to learn from; of more, those with the largest weights are kept

    def __post_init__(self) -> None:
        _check_choice("features", self.features, ("usual", "positions"))
        _check_choice("kernel", self.kernel, ("laplace", "gauss", "both"))
        positive = ("out_of_margin_cost", "slope", "rate", "window", "most_windows")
        bad = [name for name in positive if not 0 < getattr(self, name) < float("inf")]
        bad += ["smoothing"] if not 0 <= self.smoothing < float("inf") else []
        if bad:
            raise BadInput(f"{bad[0]} is {getattr(self, bad[0])}; give a positive finite number")
        if self.gamma is not None and not GAMMAS[0] <= self.gamma <= GAMMAS[1]:
            raise BadInput(f"gamma is {self.gamma}; give {GAMMAS[0]:g} to {GAMMAS[1]:g} mean distances between windows")


def choose_settings(classifier: str = "usual", **changes: Any) -> Settings:
    """The settings of a named classifier, "usual" or "paper", with changes."""
    _check_choice("classifier", classifier, CLASSIFIERS)
    known = Settings.__dataclass_fields__
    unknown = sorted(set(changes) - set(known))
    if unknown:
        raise BadInput(f"no setting '{unknown[0]}'; the settings are {', '.join(known)}")
    return replace(PAPER if classifier == "paper" else USUAL, **changes)


def _check_choice(what: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise BadInput(f"{what} '{value}'; choose one of {', '.join(choices)}")


USUAL = Settings()
PAPER = Settings(features="positions", kernel="laplace", mirrored=False, smoothing=0.0)  # Arikan et al. 2003, 3.1
