"""Body size: thresholds in metres are for adults, and are scaled for bodies that are smaller or larger than those."""

from motionloom.motion import Skeleton

LEG_SHARE = 0.491  # of the height of a person: thigh and shank
ADULT_LEGS = (0.70, 1.06)  # metres from hip to ankle along the bones: thresholds are the same for all in this range


def size_factor(skeleton: Skeleton) -> float:
    """The size of a body relative to the nearest adult's: 1 for adults, and for bodies without legs."""
    leg, (shortest, longest) = skeleton.leg_length, ADULT_LEGS
    return leg / min(max(leg, shortest), longest) if leg > 0 else 1.0


def body_height(skeleton: Skeleton) -> float:
    """About how tall a body is, metres, from its legs: thigh and shank are 0.245 and 0.246 of the height of a person
    (Drillis and Contini 1966)."""
    return skeleton.leg_length / LEG_SHARE
