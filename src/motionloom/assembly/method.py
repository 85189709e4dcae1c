"""What a method is: the one protocol by which commands, the studio, the tour and the tests run every method.

    model     = prepare(corpus, material_of(corpus, request), settings)     once for a choice of takes
    answers   = search(model, request, seed=..., stop=..., previous=...)    better and better
    performed = perform(answer, model)                                      frames, with the joins that were really made
    result    = judge(performed, model)                                     how well it is what was asked for

`run.py` has what is the same for all methods: the loop over answers, and performing and judging the best of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from motionloom.assembly.plans.plan import Plan
from motionloom.assembly.playing.played import Played
from motionloom.assembly.results.result import Result, Timing
from motionloom.corpus import Corpus

BEST, OTHER = "best", "other"  # kinds of answers that mean the same in every method


@dataclass(frozen=True)
class Material:
    """What a model is made from: the takes that a request chooses, or all, at one rate."""

    takes: tuple[str, ...] | None = None  # patterns of names; None for all that were recorded
    fps: float = 60.0  # frames per second of the motions to come


State = TypeVar("State")


@dataclass(frozen=True, eq=False)
class Answer(Generic[State]):
    """One answer of a search: what to play, what it costs, and what the method needs to go on from it."""

    plans: tuple[Plan, ...]  # one for each character of the request
    cost: float  # lower is better; in the unit of the method
    state: State  # of the method: to perform and judge the answer, and to start the next search from
    kind: str = BEST  # how it was found: "first", "best", "restart 12"; "other": as good in another way
    seconds: float = 0.0  # since the search began
    costs: Mapping[str, float] = field(default_factory=dict)  # what the cost is the sum of, by name
    differs: float | None = None  # of an "other" answer: the share of frames that no answer before it has
    is_settled: bool = False  # no better answer will come of this search

    @property
    def plan(self) -> Plan:
        """The plan of the only character."""
        (plan,) = self.plans
        return plan

    def describe(self) -> str:
        """'cost 12.5: labels 3.0, cuts 9.5'."""
        parts = ", ".join(f"{name} {cost:.1f}" for name, cost in self.costs.items() if cost)
        return f"cost {self.cost:.1f}" + (f": {parts}" if parts else "")


@dataclass(frozen=True, eq=False)
class Performed(Generic[State]):
    """The motions of an answer, finished but not measured: they can be shown while `judge` measures them."""

    answer: Answer[State]
    played: tuple[Played, ...]  # one for each character; their plans have the joins that were really made
    timings: tuple[Timing, ...] = ()  # of steps before playing
    is_quick: bool = False  # made with less care, to be shown while `perform` does it again

    @property
    def plans(self) -> tuple[Plan, ...]:
        """What is really played."""
        return tuple(played.plan for played in self.played)


class Method(Protocol):
    """The package of a method; `motionloom.methods.load` gives it by name.

    Besides these functions a method may have `draw_sheet(path, result, title)`, the picture of a result, drawn from the
    result alone; without it a contact sheet is drawn. `WARM_UP` are requests as plain data that the studio searches for
    once in the background when it opens a corpus, so that the first search of a person finds everything compiled.
    """

    @property
    def Request(self) -> Any:
        """What can be asked: a frozen dataclass that inherits `RequestFile`."""

    @property
    def Settings(self) -> Any:
        """Numbers that change how the method works, not what is asked: a frozen dataclass with defaults."""

    @property
    def Model(self) -> Any:
        """What is learnt from a corpus; has `view`, `save(path)`, `load(path, view)` and `is_same(other)`."""

    @property
    def material_of(self) -> Callable[[Corpus, Any], Any]:
        """`material_of(corpus, request)`: the `Material` that a request chooses from."""

    @property
    def prepare(self) -> Callable[..., Any]:
        """`prepare(corpus, material=None, settings=None, *, progress=None)`: a model; None for all takes."""

    @property
    def search(self) -> Callable[..., Iterator[Answer[Any]]]:
        """`search(model, request, *, seed=0, stop=None, previous=None, others=0, progress=None)`: a stream of answers.

        The first answer always comes, however soon the search is stopped. After it none costs more than the one before.
        When nothing better is to come, the best is yielded (again) with `is_settled`; after it up to `others` answers
        of kind "other". Every search settles if it is not stopped. `previous` is an answer of an earlier search of the
        same model: it may make the search faster and the answers on the way better, but does not change the settled
        one: the same request and seed settle on the same motion, which may then cost more than an answer on the way.
        """

    @property
    def perform(self) -> Callable[..., Performed[Any]]:
        """`perform(answer, model, *, quick=False, stop=None)`: the motions; quick ones come sooner, with less care."""

    @property
    def judge(self) -> Callable[..., Result]:
        """`judge(performed, model, *, quick=False, others=(), stop=None)`: the result with its report.

        A quick report leaves out what takes long: quality and reasons. `others` are answers that the report mentions.
        """


def best_first(answers: Sequence[Answer[State]]) -> list[Answer[State]]:
    """Answers by their cost."""
    return sorted(answers, key=lambda answer: answer.cost)
