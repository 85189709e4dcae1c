"""Optimization: what a request asks of a body, or of points on a head, as one problem."""

from motionloom.methods.dynamics.body_optimization import set_up_body
from motionloom.methods.dynamics.model import Model
from motionloom.methods.dynamics.optimized_motion import Optimization
from motionloom.methods.dynamics.point_optimization import set_up_points
from motionloom.methods.dynamics.request import Request


def set_up(model: Model, request: Request, earlier: Optimization | None = None) -> Optimization:
    """Read a request: its demands, its reference and its problem.

    Args:
        model: with the prior.
        request: to read.
        earlier: of the same model; what it shares with the request is not read again.
    """
    return (set_up_points if model.is_of_points else set_up_body)(model, request, earlier)
