"""Body optimization: a request to a body as one problem."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.methods.dynamics.demands.asked_heights import asked_heights, with_short_legs
from motionloom.methods.dynamics.demands.asked_sways import asked_sways
from motionloom.methods.dynamics.demands.body_setting import make_body_setting
from motionloom.methods.dynamics.demands.contact_demands import rest_term
from motionloom.methods.dynamics.demands.demand import Demand
from motionloom.methods.dynamics.demands.held_reach import within_reach
from motionloom.methods.dynamics.demands.held_rest import hold_terms, layer_columns
from motionloom.methods.dynamics.demands.raised_contacts import ground_levels
from motionloom.methods.dynamics.demands.read_demands import Earlier, read_demands
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.optimized_motion import Clock, Optimization, make_problem, with_keys
from motionloom.methods.dynamics.prior.free_layer import with_free_layer
from motionloom.methods.dynamics.prior.smooth_priors import WITH_SUBSPACE, prior_for
from motionloom.methods.dynamics.raised_body import raise_body
from motionloom.methods.dynamics.references import make_references, references_of, spline_through
from motionloom.methods.dynamics.request import Request
from motionloom.methods.dynamics.terms.linear_terms import PlaceTerm
from motionloom.methods.dynamics.terms.point_terms import PointTerm
from motionloom.motion.angles import wrap_angles
from motionloom.motion.placement import heading_of

TRAVELS = 0.3  # metres between two places from which on a body is taken to look where it goes
ANCHOR = np.array([0.001, 0.001, np.radians(0.1)])  # deviations of the place of a motion that is asked to be nowhere


def set_up_body(model: Model, request: Request, earlier: Optimization | None = None) -> Optimization:
    """Read a request to a body; see `set_up`."""
    setting = make_body_setting(model, request, None if earlier is None else earlier.setting)
    known = None if earlier is None else Earlier(earlier.setting, earlier.demands)
    demands = read_demands(setting, known)
    raised = setting.source
    if raised is not None:
        heights, sways = asked_heights(setting, demands), asked_sways(setting, demands)
        raised = raise_body(raised, demands.contacts.flags, heights, sways)
        demands = within_reach(setting, with_short_legs(setting, demands, raised), raised)
    prior = with_keys(setting, prior_for(request.method, model.prior), demands.keys)
    if setting.source is not None and prior.name in WITH_SUBSPACE:
        prior = with_free_layer(prior, *layer_columns(setting, demands))
    clock = Clock.of(setting, demands)
    terms = clock.terms(demands)
    anchors = find_anchors(demands.parts)
    guessed = guess_places(anchors, (setting.n_model_frames - 1) * setting.step + 1, request.method)
    levels = ground_levels(demands.contacts, model.ball_height, len(guessed))
    if raised is None:
        references = make_references(setting, prior, demands.keys, guessed, levels, anchors.has_place)
    else:
        references = references_of(setting, prior, raised)
    rest = rest_term(setting, demands.contacts)
    if rest is not None:
        terms.append(rest)
    if setting.source is not None:
        terms += hold_terms(setting, demands, references.vectors, references.places)
    elif not anchors.has_place:
        terms.append(PlaceTerm(np.zeros(1, int), guessed[:1], ANCHOR))
    is_placed = anchors.has_place or setting.source is not None
    problem = make_problem(setting, prior, clock, references, terms, is_placed=is_placed, earlier=earlier)
    moved = np.zeros((len(references.places), 3))
    if setting.source is not None and anchors.headings:
        moved[:, 2] = turns_of(anchors, references.places[:, 2])
    return Optimization(setting, demands, references, problem, moved)


@dataclass(frozen=True, eq=False)
class Anchors:
    """Frames in which it is asked where the root is on the ground, and which way the body looks."""

    places: dict[int, np.ndarray]  # (2,) metres
    headings: dict[int, float]  # radians
    points: dict[int, np.ndarray]  # (2,) metres: of any points of the body

    @property
    def has_place(self) -> bool:
        """Whether anything says where on the ground the motion is."""
        return bool(self.places or self.points)


def find_anchors(demands: Sequence[Demand]) -> Anchors:
    """What demands say of places on the ground."""
    anchors = Anchors({}, {}, {})
    points: dict[int, list[np.ndarray]] = {}
    for demand in demands:
        term = demand.make_term(demand.pulled)  # its rows are frames of the motion here
        if isinstance(term, PlaceTerm):
            free = np.isinf(term.deviations)
            for frame, target in zip(demand.pulled.tolist(), term.targets):
                if not free[:2].any():
                    anchors.places[frame] = target[:2]
                if not free[2]:
                    anchors.headings[frame] = float(target[2])
        elif isinstance(term, PointTerm) and len(demand.pulled):
            free = np.isinf(np.broadcast_to(term.deviations, (len(term.rows), 3)))
            for frame, target, gone in zip(demand.pulled.tolist(), term.targets, free):
                if not gone[[0, 2]].any():
                    points.setdefault(frame, []).append(target[[0, 2]])
    anchors.points.update({frame: np.mean(found, axis=0) for frame, found in points.items()})
    return anchors


def turns_of(anchors: Anchors, headings: np.ndarray) -> np.ndarray:
    """(F,) radians between the headings that are asked for and (F,) those of an edit, on from frame to frame.

    Where they get beyond half a turn, as along a circle, the shorter way to each heading would flip from one side to
    the other; zeros where they do not.
    """
    frames = np.array(sorted(anchors.headings))
    turns = np.unwrap(wrap_angles(np.array([anchors.headings[frame] for frame in frames.tolist()]) - headings[frames]))
    if np.abs(turns).max() <= np.pi:
        return np.zeros(len(headings))
    return np.interp(np.arange(len(headings)), frames, turns)


def guess_places(anchors: Anchors, n_frames: int, method: str) -> np.ndarray:
    """(F, 3) places between those that are asked for; the body looks where it goes where nothing is said."""
    known = anchors.places or anchors.points
    every = np.arange(n_frames)
    guessed = np.zeros((n_frames, 3))
    if known:
        frames = np.array(sorted(known))
        places = np.array([known[frame] for frame in frames])
        if method == "spline":
            guessed[:, :2] = spline_through(frames, places)(every)
        else:
            guessed[:, :2] = np.stack([np.interp(every, frames, column) for column in places.T], axis=1)
    if anchors.headings:
        frames = np.array(sorted(anchors.headings))
        headings = np.unwrap([anchors.headings[frame] for frame in frames])
        guessed[:, 2] = np.interp(every, frames, headings)
    elif np.linalg.norm(guessed[-1, :2] - guessed[0, :2]) > TRAVELS:
        guessed[:, 2] = heading_of(guessed[-1, :2] - guessed[0, :2])
    return guessed
