"""Point optimization: a request to points on a head as one problem.

What an edit asks of some points moves these, and those around them as recordings have it; all others stay.
"""

from dataclasses import replace

import numpy as np

from motionloom.methods.dynamics.demands.asked_faces import ask_faces, likely_term
from motionloom.methods.dynamics.demands.point_setting import PointSetting, make_point_setting
from motionloom.methods.dynamics.demands.read_demands import Demands, Earlier
from motionloom.methods.dynamics.demands.read_point_demands import read_point_demands
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.optimized_motion import Clock, Optimization, make_problem, with_keys
from motionloom.methods.dynamics.point_references import make_point_references, point_references_of
from motionloom.methods.dynamics.prior.likely_poses import widened_between
from motionloom.methods.dynamics.prior.neighbours import edit_prior, with_rest
from motionloom.methods.dynamics.prior.smooth_priors import WITH_SUBSPACE, prior_for
from motionloom.methods.dynamics.request import Request


def set_up_points(model: Model, request: Request, earlier: Optimization | None = None) -> Optimization:
    """Read a request to points; see `set_up`."""
    setting = make_point_setting(model, request, None if earlier is None else earlier.setting)
    known = None if earlier is None else Earlier(earlier.setting, earlier.demands)
    demands = read_point_demands(setting, known)
    learnt = replace(model.prior, vectors=setting.codec)
    prior = with_keys(setting, prior_for(request.method, learnt), demands.keys)
    faces = ask_faces(setting, demands, prior, () if earlier is None else earlier.faces)
    likely = [face.pose for face in faces]
    if len(likely) > 1:
        places = np.array([pose.frame for pose in likely]) / setting.step
        prior = widened_between(prior, places, np.array([pose.coordinates for pose in likely]))
    moved, recorded = moved_points(setting, demands), model.prior.subspace
    if setting.source is None:
        # what keys have beside the subspace lasts between them
        references = make_point_references(setting, prior, demands.keys, likely)
        if moved and prior.name == "dynamics":
            prior = with_rest(prior, moved, followed_points(demands))
            references = references.widened(prior.size)
    else:
        prior = edit_prior(prior, recorded, moved) if prior.name in WITH_SUBSPACE else prior
        references = point_references_of(setting, prior, demands.keys)
    clock = Clock.of(setting, demands)
    terms = clock.terms(demands)
    if likely:
        terms.append(likely_term(model.prior, likely, clock.rows([pose.frame for pose in likely])))
    problem = make_problem(setting, prior, clock, references, terms, is_placed=True, earlier=earlier)
    return Optimization(setting, demands, references, problem, np.zeros((len(references.places), 0)), faces)


def moved_points(setting: PointSetting, demands: Demands) -> list[int]:
    """The points that are moved beside the subspace: as asked, else those that demands are about, without poses."""
    free = setting.request.hold.free
    if free is not None:
        return sorted({setting.spot(name, "hold").joint for name in free})
    return sorted({point for demand in demands.parts if demand.spots for point in demand.joints})


def followed_points(demands: Demands) -> list[int]:
    """The points that are asked to follow something over time."""
    over_time = (demand for demand in demands.parts if demand.spots and len(demand.pulled) < len(demand.frames))
    return sorted({point for demand in over_time for point in demand.joints})
