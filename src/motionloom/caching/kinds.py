"""Kinds of things that a corpus caches, each with the function that makes it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar

from motionloom.caching.versions import code_version, maker_names

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Kind(Generic[Arguments, Made]):
    """A kind of cached thing: calling it makes one.

    What its function is given must be part of the key under which the thing is cached (a view with its key, settings),
    or be made by one of the inputs. All else that decides the thing is found in the sources.
    """

    name: str
    make: Callable[Arguments, Made]
    inputs: "tuple[Callable[..., Any] | Kind[..., Any], ...]" = ()  # makers of what it is given besides
    at_most: int = 64  # so many are kept in a corpus: those made or used last

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Made:
        return self.make(*args, **kwargs)

    @property
    def makers(self) -> tuple[Callable[..., Any], ...]:
        """All functions that decide what is made."""
        inputs = [maker for given in self.inputs for maker in (given.makers if isinstance(given, Kind) else (given,))]
        return (self.make, *inputs)

    @property
    def code_version(self) -> str:
        """Of all code that decides what is made."""
        return code_version(*self.makers)


KINDS: dict[str, Kind[..., Any]] = {}  # by name, those of all modules loaded so far


def cached(
    name: str, *, inputs: tuple[Callable[..., Any] | Kind[..., Any], ...] = (), at_most: int = 64
) -> Callable[[Callable[Arguments, Made]], Kind[Arguments, Made]]:
    """Turn a function into the kind of things that it makes; arguments as in `Kind`."""

    def register(make: Callable[Arguments, Made]) -> Kind[Arguments, Made]:
        kind = Kind(name, make, inputs, at_most)
        if name in KINDS and maker_names(KINDS[name].make) != maker_names(make):
            raise ValueError(f"'{name}' is a kind already, made by {maker_names(KINDS[name].make)[0]}")
        KINDS[name] = kind
        return kind

    return register
