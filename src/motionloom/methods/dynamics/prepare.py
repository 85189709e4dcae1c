"""Preparing: takes on one skeleton, and a prior learnt from those that were chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from motionloom.assembly import choose_material
from motionloom.caching import cached
from motionloom.conform import View, ViewSettings, make_view
from motionloom.conform.base_view import take_of
from motionloom.corpus import Corpus, TakeFinder
from motionloom.corpus.material import named_only
from motionloom.errors import BadInput
from motionloom.methods.dynamics.model import Model, arrays_of, prior_of
from motionloom.methods.dynamics.prior.learning import LearningSettings, learn
from motionloom.methods.dynamics.request import Material, Prior, Request, Settings
from motionloom.motion import Motion, Skeleton, cut
from motionloom.tasks import Progress


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
    likes += [each.like for each in request.root]
    named += [like.take for like in likes if like is not None]
    if request.contacts_like is not None:
        named.append(request.contacts_like.take)
    if request.start_from is not None:
        named.append(request.start_from)
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
    chosen = choose_material(corpus, material.takes)
    names = [*chosen, *(name for name in material.shown if name not in chosen)]
    shown = ViewSettings(material.fps, material.skeleton, mirrored=True)
    view = make_view(corpus, names, shown, skeleton=skeleton, progress=progress)
    wanted, mirrored = set(chosen), material.prior.mirrored
    learnt_from = tuple(name for name in view.names if take_of(name) in wanted and (mirrored or take_of(name) == name))
    if not learnt_from:
        raise BadInput(f"none of the chosen takes can be shown on the skeleton of {view.names[0]}; choose others")
    given = learning_settings(material.prior, settings.seed)
    about = {"learning": asdict(given), "labels": material.prior.labels, "step": step_of(view.fps, settings.model_fps)}
    arrays = view.model(
        _learn_arrays, {**about, "motions": learnt_from}, view, learnt_from, material.prior.labels, settings, given
    )
    facts = dict(zip(("frames", "controls", "persistence"), arrays["facts"].tolist()))
    facts.update(
        {f"likelihood_{n + 1}": value for n, value in enumerate(arrays.get("likelihoods", np.zeros(0)).tolist())}
    )
    fps = view.fps / step_of(view.fps, settings.model_fps)
    return Model(view, settings, material, prior_of(arrays, view.skeleton, fps), learnt_from, facts)


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
    ranges = [(0, motion.n_frames)]
    if labels is not None:
        held = np.zeros(motion.n_frames + 1, bool)
        for label in view.labels(name):
            if label.label in labels:
                held[label.start : label.stop] = True
        held[-1] = False
        edges = np.flatnonzero(np.diff(np.concatenate([[False], held]).astype(int)))
        ranges = [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2])]
    return [thinned(cut(motion, start, stop), step) for start, stop in ranges]


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
    learnt = learn([motion for _, motion in stretches], given, [take_of(name) for name, _ in stretches])
    facts = [float(learnt.n_frames), float(learnt.system.n_controls), float(learnt.pull == "persistence")]
    arrays: Mapping[str, np.ndarray] = arrays_of(learnt.prior)
    return {**arrays, "facts": np.array(facts), "likelihoods": np.array(learnt.likelihoods)}
