"""Request: which proposals are wanted."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Request:
    """The proposals to make."""

    takes: Sequence[str] | None = None  # None: all
    labels: Sequence[str] | None = None  # None: all that the model knows
