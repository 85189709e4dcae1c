"""The report of retargeting: what was carried, what was not, and what planting and placing changed."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RetargetReport:
    """The outcome of retargeting a motion."""

    scale: float  # of places over the ground
    ratio: float  # of the length of legs
    at_rest: tuple[str, ...]  # joints of the target without a partner
    footplants: int = 0  # that were asked for
    missed_plants: int = 0  # that could not be kept
    overstretched: tuple[str, ...] = ()  # sentences: limbs beyond straight that were brought back
    touches: int = 0  # times that hands touch each other, the head or the hips
    hands_out_of_reach_mm: float = 0.0  # farthest that a touching hand is from where it should be

    @property
    def is_met(self) -> bool:
        """Whether everything that was asked for was done."""
        return self.missed_plants == 0

    def sentences(self) -> tuple[str, ...]:
        """What users should know, one sentence each."""
        kept = self.footplants - self.missed_plants
        lines = [f"scaled by {self.scale:.3f}, legs {self.ratio:.3f} times as long"]
        if self.footplants:
            lines.append(f"{kept} of {self.footplants} footplants kept")
        if self.touches:
            lines.append(f"{self.touches} touches of hands kept within {self.hands_out_of_reach_mm:.0f} mm")
        if self.at_rest:
            lines.append(f"{len(self.at_rest)} joints without a partner stay at rest: {', '.join(self.at_rest[:8])}")
        return (*lines, *self.overstretched)

    def to_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "scale": self.scale,
            "leg_ratio": self.ratio,
            "joints_at_rest": list(self.at_rest),
            "footplants": self.footplants,
            "missed_footplants": self.missed_plants,
            "overstretched": list(self.overstretched),
            "touches": self.touches,
            "hands_out_of_reach_mm": self.hands_out_of_reach_mm,
        }
