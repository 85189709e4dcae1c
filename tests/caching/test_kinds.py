"""Every kind of cached thing: what really runs while it is made is among the sources that its version is of."""

import ast
import inspect
import sys
import threading
import types
from collections import defaultdict
from collections.abc import Collection
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from motionloom.assembly import learn_yardsticks
from motionloom.assembly.derived.take_badges import measure_takes
from motionloom.assembly.results.point_lines import measure_points
from motionloom.caching import KINDS, Kind
from motionloom.caching.modules import Module, Sources
from motionloom.caching.versions import APART, PACKAGE, digest_sources, maker_names
from motionloom.conform import PointViewSettings, ViewSettings, make_point_view, make_view
from motionloom.corpus import Corpus, Take, make_layers, read_neutral_pose
from motionloom.graphs import transition_graph_of
from motionloom.graphs.view_measures import measure_view_features
from motionloom.methods import annotate, buildup, dynamics, snap
from motionloom.methods.dynamics.request import Prior
from motionloom.methods.timeline import Settings
from motionloom.methods.timeline.prepare import prepare_view
from motionloom.methods.timeline.solvers.block_clusters import find_clusters
from motionloom.motion import PointMotion, cut
from motionloom.tasks import processes

TAKES = ("idle/toe_taps", "idle/weight_shifts")
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "node_modules" not in path.parts)
MODULES = {".".join([PACKAGE.name, *p.relative_to(PACKAGE).with_suffix("").parts]): p for p in SOURCES}
MODULES = {name.removesuffix(".__init__"): path for name, path in MODULES.items()}
NAMES = {str(path): name for name, path in MODULES.items()}
ABOVE = ("motionloom.studio", "motionloom.cli", "motionloom.__main__")
ASIDE = (*ABOVE, "motionloom.render", "motionloom.performer")  # rooms that make nothing that is cached
LISTS = {name for name, path in MODULES.items() if path.name == "__init__.py"} - {PACKAGE.name}  # they pass names on
MORE = b"\nfrom motionloom.performer import perform\n\n\ndef perform_more():\n    return perform()\n"


def kinds() -> dict[str, Kind]:
    """All kinds there are, whichever modules were loaded before."""
    for name, path in MODULES.items():
        if "@cached(" in path.read_text():
            import_module(name)
    return {name: kind for name, kind in KINDS.items() if kind.make.__module__ in MODULES}


def make_everything(corpus: Corpus) -> None:
    """Make one of each kind; a new kind needs a line here."""
    make_layers(corpus, workers=0)
    measure_takes(corpus, corpus.infos())
    read_neutral_pose(corpus, corpus.skeleton(corpus.info(TAKES[0]).skeleton or ""))
    view = make_view(corpus, TAKES, ViewSettings(fps=30.0))
    view.whole_layer("positions")
    measure_view_features(view)
    transition_graph_of(view)
    learn_yardsticks(view)
    annotate.find_windows(view, annotate.USUAL)
    find_clusters(prepare_view(view, Settings()), size=16, n_clusters=20)
    snap.prepare(corpus, snap.GraphRequest(takes=TAKES, fps=30.0))
    buildup.prepare(corpus, buildup.Material(takes=TAKES, fps=30.0))
    dynamics.prepare(corpus, dynamics.Material(takes=TAKES, fps=30.0))
    make_view(corpus, None, ViewSettings(fps=30.0, mirrored=True))  # with a take on another skeleton
    points = make_point_view(corpus, None, PointViewSettings(fps=30.0))
    measure_points(points.with_head("some/points"), points)
    dynamics.prepare(corpus, dynamics.Material(("some/points",), 30.0, Prior(dimensions=3, mirrored=True)))


def add_another_body(corpus: Corpus) -> None:
    """A take of somebody taller with uneven legs, whose feet have to be planted again in a view."""
    take = corpus.take(TAKES[0])
    skeleton = take.motion.skeleton
    offsets = 1.1 * skeleton.offsets + np.random.default_rng(0).normal(scale=0.01, size=skeleton.offsets.shape)
    motion = replace(cut(take.motion, 0, 120), skeleton=replace(skeleton, offsets=offsets))
    corpus.add(Take("somebody/else", motion, take.source), floor_height=0.0)


def add_points(corpus: Corpus) -> None:
    """A take of the markers of a face, of which one has a gap."""
    rng, times = np.random.default_rng(0), np.arange(240)[:, None, None] / 60
    waves = np.sin(times * rng.uniform(2, 9, (1, 12, 3)) + rng.uniform(0, 6, (1, 12, 3)))
    positions = rng.normal(scale=0.05, size=(1, 12, 3)) + waves * np.linspace(0, 0.01, 12)[:, None]
    positions[20:30, 3] = np.nan
    names = tuple(f"marker_{number}" for number in range(12))
    corpus.add(Take("some/points", PointMotion(names, positions, 60.0), corpus.take(TAKES[0]).source))


class Recorder:
    """Writes down which modules of the package run while things of a kind are made."""

    def __init__(self) -> None:
        self.ran: dict[str, set[str]] = defaultdict(set)
        self.making: list[str] = []

    def note(self, module: str) -> None:
        for kind in self.making if module not in APART else []:
            self.ran[kind].add(module)

    def on_event(self, frame: types.FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & inspect.CO_OPTIMIZED and code.co_filename in NAMES:
            self.note(NAMES[code.co_filename])  # functions only: modules and classes run when they are loaded

    @contextmanager
    def recording(self, kind: str):
        self.making.append(kind)
        sys.setprofile(self.on_event)
        threading.setprofile(self.on_event)
        try:
            yield
        finally:
            self.making.remove(kind)
            if not self.making:
                sys.setprofile(None)
                threading.setprofile(None)

    def recorded(self, kind: str, function):
        def run_recorded(*args, **kwargs):
            with self.recording(kind):
                return function(*args, **kwargs)

        return run_recorded


def watch_kernels(recorder: Recorder, monkeypatch) -> None:
    """Compiled code does not run in Python, but it is taken from its module by name whenever it is used."""

    class Watched(types.ModuleType):
        def __getattribute__(self, name):
            if not name.startswith("__"):
                recorder.note(object.__getattribute__(self, "__name__"))
            return super().__getattribute__(name)

    for name in MODULES:
        if name.endswith("._kernels"):
            monkeypatch.setattr(import_module(name), "__class__", Watched)


@pytest.fixture(scope="module")
def ran(make, tmp_path_factory) -> dict[str, set[str]]:
    """The modules that really ran while each kind was made, on a small corpus."""
    recorder = Recorder()
    for name in MODULES:
        if not name.startswith(ABOVE):
            import_module(name)  # so that nothing is loaded while something is made
    with pytest.MonkeyPatch.context() as patch:
        corpus = make.demo_corpus(tmp_path_factory.mktemp("kinds") / "corpus", TAKES)
        add_another_body(corpus)
        add_points(corpus)
        call = Kind.__call__
        patch.setattr(Kind, "__call__", lambda kind, *a, **k: recorder.recorded(kind.name, call)(kind, *a, **k))
        patch.setattr(processes, "count_cores", lambda: 1)  # worker processes cannot be watched
        for kind in kinds().values():
            for given in kind.inputs:
                where = sys.modules[given.__module__]
                patch.setattr(where, given.__name__, recorder.recorded(kind.name, getattr(where, given.__name__)))
        watch_kernels(recorder, patch)
        make_everything(corpus)
        corpus.close()
    return recorder.ran


@pytest.fixture(scope="module")
def sources() -> Sources:
    return Sources(PACKAGE)


def digest(kind: Kind, sources: Sources) -> tuple[str, frozenset[str]]:
    version, reached = digest_sources(maker_names(*kind.makers), sources)
    return version, reached.modules


class Changed(Sources):
    """The sources of the package with something more at the end of some modules; the others are parsed once for all."""

    def __init__(self, sources: Sources, names: Collection[str], more: bytes = b"# more\n") -> None:
        super().__init__(PACKAGE)
        self._sources, self._names, self._more = sources, names, more

    def read(self, name: str) -> bytes:
        return super().read(name) + (self._more if name in self._names else b"")

    def module(self, name: str) -> Module | None:
        return super().module(name) if name in self._names else self._sources.module(name)


def test_there_is_a_scenario_for_every_kind(ran):
    assert set(ran) == set(kinds())


@pytest.mark.parametrize("name", sorted(kinds()))
def test_all_that_runs_while_a_thing_is_made_is_behind_its_version(ran, sources, name):
    assert ran[name] - digest(kinds()[name], sources)[1] == set()


@pytest.mark.parametrize("name", sorted(kinds()))
def test_a_change_of_any_module_that_runs_makes_a_thing_anew(ran, sources, name):
    version, _ = digest(kinds()[name], sources)
    same = [module for module in ran[name] if digest(kinds()[name], Changed(sources, [module]))[0] == version]
    assert len(ran[name]) > 1 and same == []


@pytest.mark.parametrize("name", sorted(kinds()))
def test_changes_elsewhere_make_nothing_anew(sources, name):
    version, reached = digest(kinds()[name], sources)
    elsewhere = LISTS | {module for module in MODULES if module.startswith(ASIDE)}
    assert digest(kinds()[name], Changed(sources, elsewhere, MORE)) == (version, reached)
    assert len(reached) < len(MODULES) / 4
    assert not any(module.startswith(ASIDE) for module in reached)


@pytest.mark.parametrize("name", sorted(kinds()))
def test_a_thing_of_one_method_does_not_depend_on_another(sources, name):
    kind = kinds()[name]
    rooms = {".".join(module.split(".")[:3]) for module in digest(kind, sources)[1] if ".methods." in module}
    assert rooms <= {".".join(kind.make.__module__.split(".")[:3])}


def test_nothing_is_cached_past_the_kinds():
    """Whoever writes to the tables of cached things has a kind; results that people keep are no cache.

    Nor is the classifier that was learnt last: it is kept with the version that learnt it, and says if that is another.
    """
    writers = {str(path.relative_to(PACKAGE)) for path in SOURCES if "keep_model(" in path.read_text()}
    assert writers == {
        "corpus/models.py",
        "corpus/packs.py",
        "corpus/neutral_poses.py",
        "corpus/pair_packs.py",
        "conform/base_view.py",
        "conform/statistics.py",
        "assembly/results/kept_results.py",
        "classify/kept_classifiers.py",
        "methods/timeline/continuations.py",
    }


def test_modules_below_the_top_do_nothing_when_they_are_loaded(sources):
    """What a module does to others while it is loaded would not be seen."""
    harmless = {"TYPE_CHECKING", "__name__ == '__main__'"}
    busy = {
        (name, ast.unparse(code)[:80])
        for name in MODULES
        if not name.startswith(ABOVE)
        for code in sources.module(name).on_load
        if not (isinstance(code, ast.If) and ast.unparse(code.test) in harmless)
    }
    assert busy == set()
