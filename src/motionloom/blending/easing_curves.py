"""Easing curves of joins: ramps from 0 to 1, fading offsets, Hermite and Bezier curves of rotations."""

import numpy as np

from motionloom.motion import rotations


def ease_c1(u: np.ndarray) -> np.ndarray:
    """Smoothstep: from 0 at u <= 0 to 1 at u >= 1, with slope 0 at both ends."""
    u = np.clip(u, 0.0, 1.0)
    return u * u * (3 - 2 * u)


def ease_c2(u: np.ndarray) -> np.ndarray:
    """Smootherstep: from 0 at u <= 0 to 1 at u >= 1, with slope and curvature 0 at both ends."""
    u = np.clip(u, 0.0, 1.0)
    return u**3 * (10 + u * (6 * u - 15))


def fade_value(u: np.ndarray) -> np.ndarray:
    """A quintic from 1 to 0 with slope and curvature 0 at both ends."""
    return 1.0 - ease_c2(u)


def fade_slope(u: np.ndarray) -> np.ndarray:
    """A quintic that is 0 at both ends and leaves u = 0 with slope 1; curvature 0 at both, slope 0 at u = 1."""
    u = np.clip(u, 0.0, 1.0)
    return u * (1 - u) ** 3 * (1 + 3 * u)


def hermite_fade(u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The cubic Hermite segment that ends at u = 1 in 0 with slope 0: its weights for value and slope at u = 0."""
    u = np.clip(u, 0.0, 1.0)
    return (1 - u) ** 2 * (1 + 2 * u), u * (1 - u) ** 2


def rotation_fade(offsets: np.ndarray, rates: np.ndarray, u: np.ndarray) -> np.ndarray:
    """A rotation curve that starts with a value and a velocity and ends at u = 1 at the identity with velocity 0.

    A cubic Bezier curve in cumulative form, q(u) = q0 exp(w1 b1(u)) exp(w2 b2(u)) exp(w3 b3(u)), each b going from 0 to
    1 (Kim, Kim and Shin 1996): three constant rotation vectors, so that value and velocity at both ends are exact. Here
    w1 is a third of the velocity, w3 is 0, and w2 closes the gap along the shorter arc.

    Args:
        offsets: (..., 4) the value at u = 0.
        rates: (..., 3) radians per unit of u, in the rotation's local frame.
        u: (N,) times.

    Returns:
        (N, ..., 4).
    """
    u = np.clip(u, 0.0, 1.0).reshape(-1, *[1] * rates.ndim)  # (N, ..., 1)
    leaving = rates / 3
    to_go = rotations.inverse(rotations.multiply(offsets, rotations.exp(leaving)))
    closing = rotations.log(to_go)
    offsets = np.where(to_go[..., :1] < 0, -offsets, offsets)  # so that the curve ends at +1, not at its antipode -1
    turned = rotations.multiply(offsets, rotations.exp(leaving * (1 - (1 - u) ** 3)))
    return rotations.multiply(turned, rotations.exp(closing * (u * u * (3 - 2 * u))))
