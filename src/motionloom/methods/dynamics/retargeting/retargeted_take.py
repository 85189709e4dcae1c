"""Retargeted takes: a take of another body than the model's, as the motion that an edit starts from."""

from dataclasses import replace

import numpy as np

from motionloom.conform.base_view import take_of
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.retargeting.prior_retarget import PriorRetargeted, retarget_with_prior
from motionloom.motion import Motion, resample
from motionloom.retarget import Retargeted, RetargetReport, check_retargetable, size_ratio


def retarget_take(model: Model, name: str) -> PriorRetargeted | None:
    """A take on the skeleton of a model, by its prior; kept in the model.

    Args:
        model: whose view shows the take as the kit retargets it.
        name: of a motion of the view.

    Returns:
        None for a take that has the skeleton itself, and for mirrored copies.
    """
    if name not in model.kept:
        info = model.view.corpus.info(take_of(name))
        is_own = info.skeleton == model.skeleton.digest or take_of(name) != name
        model.kept[name] = None if is_own else _retarget(model, name)
    found = model.kept[name]
    assert found is None or isinstance(found, PriorRetargeted)
    return found


def _retarget(model: Model, name: str) -> PriorRetargeted:
    view = model.bodies
    source = _on_floor(model, name)
    check_retargetable(source.skeleton, view.skeleton)
    contacts = np.asarray(view.layer(name, "contacts"), bool)
    ratio = size_ratio(source.skeleton, view.skeleton)
    kit = Retargeted(
        _exact(view.motion(name)), contacts, view.footing(name), 0.0, RetargetReport(ratio, ratio, at_rest=())
    )
    return retarget_with_prior(source, kit, model.prior, contacts=contacts)


def _on_floor(model: Model, name: str) -> Motion:
    """The take as it was recorded, at the rate of the view, with its floor at y = 0."""
    info = model.view.corpus.info(name)
    take = model.view.corpus.take(name).motion
    assert isinstance(take, Motion)
    same_rate = abs(take.fps - model.fps) <= 1e-9 * model.fps
    shown = _exact(take if same_rate else resample(take, model.fps))
    return replace(shown, root_positions=shown.root_positions - np.array([0.0, info.floor_height, 0.0]))


def _exact(motion: Motion) -> Motion:
    return replace(
        motion,
        root_positions=np.asarray(motion.root_positions, float),
        local_rotations=np.asarray(motion.local_rotations, float),
    )
