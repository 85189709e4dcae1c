"""Preparing: takes on one skeleton, or of the same points, and a prior learnt from those that were chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from motionloom.assembly import choose_material, choose_takes_of_a_kind
from motionloom.caching import cached
from motionloom.conform import View, ViewSettings, make_view
from motionloom.conform.base_view import take_of
from motionloom.conform.point_view import PointView
from motionloom.conform.point_view_builder import PointViewSettings, make_point_view
from motionloom.corpus import Corpus, TakeFinder
from motionloom.corpus.material import named_only
from motionloom.errors import BadInput
from motionloom.methods.dynamics.label_ranges import held_ranges
from motionloom.methods.dynamics.model import Model, arrays_of, prior_of
from motionloom.methods.dynamics.point_lessons import point_lessons
from motionloom.methods.dynamics.prior.learning import LearningSettings, Learnt, learn
from motionloom.methods.dynamics.request import Material, Prior, Request, Settings
from motionloom.motion import Motion, Skeleton, cut
from motionloom.tasks import Progress

FACTS = ("frames", "controls", "persistence", "mirrored", "filled", "left_out")  # the last three of points


def material_of(corpus: Corpus, request: Request) -> Material:
    """The takes that a request learns from, and those that it names."""
    infos = corpus.infos()
    finder = TakeFinder([info.name for info in infos], named_only=named_only(infos))
    shown = tuple(dict.fromkeys(finder.find(name) for name in named_takes(request)))
    skeleton = None if request.skeleton is None else finder.find(request.skeleton)
    return Material(request.prior.takes, request.fps, request.prior, shown, skeleton)


def named_takes(request: Request) -> list[str]:
    """The takes that a request names, as it writes them; that of its skeleton is beside them."""
    named = [each.pose.take for each in request.poses if each.pose is not None]
    likes = [each.like for each in request.points] + [each.like for each in request.orientations]
    likes += [each.like for each in request.root] + [each.like for each in request.distances]
    named += [like.take for like in likes if like is not None]
    if request.contacts_like is not None:
        named.append(request.contacts_like.take)
    if request.start_from is not None:
        named.append(request.start_from)
    if request.head is not None:
        named += [frame.take for frame in (request.head.like, request.head.still) if frame is not None]
    return named


def prepare(
    corpus: Corpus,
    material: Material | None = None,
    settings: Settings | None = None,
    *,
    skeleton: Skeleton | None = None,
    progress: Progress | None = None,
) -> Model:
    """Conform takes and learn the prior; both are cached if the corpus is open for writing.

    Args:
        corpus: with takes.
        material: which takes, at which rate, and what of the prior is given; None for all that were recorded.
        settings: of the optimization.
        skeleton: of the motions to come, whatever the material says; None for what it says.
        progress: called as progress(takes_done, takes_total).
    """
    material, settings = material or Material(), settings or Settings()
    if skeleton is None:
        found = choose_takes_of_a_kind(corpus, material.takes, material.shown)
        if found.kind == "points":
            return _prepare_points(corpus, found.takes, material, settings, progress)
        chosen = list(found.takes)
    else:
        chosen = choose_material(corpus, material.takes)
    names = [*chosen, *(name for name in material.shown if name not in chosen)]
    shown = ViewSettings(material.fps, material.skeleton, mirrored=True)
    view = make_view(corpus, names, shown, skeleton=skeleton, progress=progress)
    wanted, mirrored = set(chosen), material.prior.mirrored is not False
    learnt_from = tuple(name for name in view.names if take_of(name) in wanted and (mirrored or take_of(name) == name))
    if not learnt_from:
        raise BadInput(f"none of the chosen takes can be shown on the skeleton of {view.names[0]}; choose others")
    return _learnt_model(view, material, settings, learnt_from)


def _prepare_points(
    corpus: Corpus, chosen: Sequence[str], material: Material, settings: Settings, progress: Progress | None
) -> Model:
    """The same of takes of points."""
    if material.takes is None:
        chosen = _of_the_same_points(corpus, chosen, material.shown)
    names = [*chosen, *(name for name in material.shown if name not in chosen)]
    view = make_point_view(corpus, names, PointViewSettings(material.fps), progress=progress)
    for left in view.left_out:
        if left.take in material.shown:
            raise BadInput(f"{left.take}: {left.reason}; name takes with the same points")
    learnt_from = tuple(name for name in view.names if name in set(chosen))
    if not learnt_from:
        raise BadInput(f"none of the chosen takes has the points of {view.names[0]}; choose others")
    return _learnt_model(view, material, settings, learnt_from)


def _of_the_same_points(corpus: Corpus, takes: Sequence[str], named: Sequence[str]) -> list[str]:
    """Of some takes, those with points of the takes that are named: a corpus may have several sets of markers."""
    wanted = {name for take in named[:1] for name in corpus.point_names(take) or ()}
    return [take for take in takes if not wanted or not wanted.isdisjoint(corpus.point_names(take) or ())]


def _learnt_model(
    view: View | PointView, material: Material, settings: Settings, learnt_from: tuple[str, ...]
) -> Model:
    """The model of a view, learnt from some of its motions; it is kept in the corpus if that is open for writing."""
    given, step = learning_settings(material.prior, settings.seed), step_of(view.fps, settings.model_fps)
    about: dict[str, object] = {"learning": asdict(given), "labels": material.prior.labels, "step": step}
    how = (learnt_from, material.prior.labels, settings, given)
    if isinstance(view, PointView):
        about["mirrored"] = mirrored = bool(material.prior.mirrored)
        arrays = view.model(_learn_points, {**about, "motions": learnt_from}, view, *how, mirrored=mirrored)
    else:
        arrays = view.model(_learn_arrays, {**about, "motions": learnt_from}, view, *how)
    facts = dict(zip(FACTS, arrays["facts"].tolist()))
    facts.update(
        {f"likelihood_{n + 1}": value for n, value in enumerate(arrays.get("likelihoods", np.zeros(0)).tolist())}
    )
    return Model(view, settings, material, prior_of(arrays, view, view.fps / step), learnt_from, facts)


def learning_settings(prior: Prior, seed: int = 0) -> LearningSettings:
    """What a request gives of a prior."""
    return LearningSettings(
        prior.dimensions, prior.controls, prior.order, prior.mixtures, prior.pull, prior.independent_start, seed
    )


def step_of(fps: float, model_fps: float) -> int:
    """Frames of a motion for each frame of the model."""
    return max(1, round(fps / model_fps))


def training_motions(
    view: View, names: Sequence[str], labels: Sequence[str] | None, settings: Settings
) -> list[Motion]:
    """Motions of a view at the rate of the model, or the stretches of them in which one of some labels holds."""
    return [motion for _, motion in _named_stretches(view, names, labels, settings)]


def _named_stretches(
    view: View, names: Sequence[str], labels: Sequence[str] | None, settings: Settings
) -> list[tuple[str, Motion]]:
    """The same, each with the name of its motion."""
    stretches = [(name, motion) for name in names for motion in _stretches(view, name, labels, settings)]
    if not stretches:
        raise BadInput(f"no frame of the chosen takes has one of the labels {', '.join(labels or ())}; choose others")
    return stretches


def _stretches(view: View, name: str, labels: Sequence[str] | None, settings: Settings) -> list[Motion]:
    step = step_of(view.fps, settings.model_fps)
    motion = view.motion(name)
    return [thinned(cut(motion, start, stop), step) for start, stop in held_ranges(view, name, labels)]


def thinned(motion: Motion, step: int) -> Motion:
    """Every so many-th frame of a motion, in float64."""
    return replace(
        motion,
        root_positions=np.asarray(motion.root_positions[::step], float),
        local_rotations=np.asarray(motion.local_rotations[::step], float),
        fps=motion.fps / step,
    )


@cached("dynamic prior")
def _learn_arrays(
    view: View, names: Sequence[str], labels: Sequence[str] | None, settings: Settings, given: LearningSettings
) -> dict[str, np.ndarray]:
    stretches = _named_stretches(view, names, labels, settings)
    return _arrays_of(learn([motion for _, motion in stretches], given, [take_of(name) for name, _ in stretches]))


@cached("dynamic prior of points")
def _learn_points(
    view: PointView,
    names: Sequence[str],
    labels: Sequence[str] | None,
    settings: Settings,
    given: LearningSettings,
    mirrored: bool,
) -> dict[str, np.ndarray]:
    lessons = point_lessons(view, names, labels, step_of(view.fps, settings.model_fps), mirrored)
    return _arrays_of(
        learn(lessons.stretches, given, lessons.names),
        [float(lessons.is_mirrored), float(lessons.filled), float(lessons.left_out)],
    )


def _arrays_of(learnt: Learnt, more: Sequence[float] = ()) -> dict[str, np.ndarray]:
    facts = [float(learnt.n_frames), float(learnt.system.n_controls), float(learnt.pull == "persistence"), *more]
    arrays: Mapping[str, np.ndarray] = arrays_of(learnt.prior)
    return {**arrays, "facts": np.array(facts), "likelihoods": np.array(learnt.likelihoods)}
