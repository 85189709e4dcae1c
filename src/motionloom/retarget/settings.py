"""Settings of retargeting."""

from dataclasses import dataclass
from typing import Literal

Hands = Literal["body", "floor", "world"]


@dataclass(frozen=True)
class RetargetSettings:
    """What is kept beside the directions of bones."""

    hands: Hands = "body"  # hands keep their place relative to the body, the floor below them, or the (scaled) world
    keep_heights: bool = False  # supports keep their height above the floor; else they scale as the places do
    plant: bool = True  # feet that rest are planted again, and limbs beyond straight brought back
    keep_touches: bool = True  # hands that touch each other, the head or the hips still do
    touch: float = 0.05  # metres, of the source: hands nearer than this to something touch it
    fade: float = 0.3  # seconds over which a hand goes to what it touches and back


DEFAULT = RetargetSettings()
