"""The markers of the shared C3D file: hips, trunk and right arm of a person who lifts a box; no legs, no head.

Where each is on the body is a guess from its name; it is learnt with the pose. Three markers of the scapula that slide
far below the skin, one that is hardly seen, and those of the box are left out.
"""

from motionloom.markers import MarkerSet, Place, place_markers
from motionloom.motion import Skeleton

TRUNK, CLAVICLE = ("chest", "spine", "hips"), ("right_clavicle", "chest", "spine", "hips")
ARM, FOREARM, HAND = ("right_shoulder",), ("right_elbow",), ("right_hand", "right_elbow")
PLACES = {
    "ASISl": Place(("hips",), "left_hip", "left_hip", 0, (0.02, 0.045, 0.055)),
    "ASISr": Place(("hips",), "right_hip", "right_hip", 0, (-0.02, 0.045, 0.055)),
    "PSISl": Place(("hips",), "left_hip", "left_hip", 0, (-0.03, 0.05, -0.075)),
    "PSISr": Place(("hips",), "right_hip", "right_hip", 0, (0.03, 0.05, -0.075)),
    "STERl": Place(TRUNK, "chest", "neck", 0.9, (0.01, -0.02, 0.06)),
    "STERr": Place(TRUNK, "chest", "neck", 0.9, (-0.01, -0.02, 0.06)),
    "STER": Place(TRUNK, "chest", "neck", 0.9, (0, -0.03, 0.065)),
    "XIPH": Place(TRUNK, "spine", "neck", 0.5, (0, -0.03, 0.08)),
    "T1": Place(TRUNK, "chest", "neck", 1, (0, -0.01, -0.045)),
    "T10": Place(TRUNK, "spine", "neck", 0.45, (0, 0, -0.065)),
    "CLAV_SC": Place(CLAVICLE, "chest", "neck", 0.9, (-0.02, -0.01, 0.055)),
    "CLAVm": Place(CLAVICLE, "chest", "right_shoulder", 0.4, (0, 0.03, 0.045)),
    "CLAV_ant": Place(CLAVICLE, "chest", "right_shoulder", 0.6, (0, 0.03, 0.045)),
    "CLAV_post": Place(CLAVICLE, "chest", "right_shoulder", 0.6, (0, 0.04, 0.03)),
    "CLAVl": Place(CLAVICLE, "chest", "right_shoulder", 0.8, (0, 0.035, 0.03)),
    "CLAV_AC": Place(CLAVICLE, "right_shoulder", "right_shoulder", 0, (0.015, 0.035, 0.02)),
    "ACRO_tip": Place(CLAVICLE, "right_shoulder", "right_shoulder", 0, (-0.005, 0.035, 0.01)),
    "SCAP_AA": Place(CLAVICLE, "right_shoulder", "right_shoulder", 0, (-0.01, 0.03, -0.015)),
    "SCAPl": Place(CLAVICLE, "right_shoulder", "right_shoulder", 0, (0.01, 0.025, -0.035)),
    "SCAPm": Place(CLAVICLE, "chest", "right_shoulder", 0.7, (0, 0.02, -0.05)),
    "DELT": Place(ARM, "right_shoulder", "right_elbow", 0.2, (0, 0.03, 0.0)),
    "ARMl": Place(ARM, "right_shoulder", "right_elbow", 0.45, (0, 0.025, 0)),
    "ARMm": Place(ARM, "right_shoulder", "right_elbow", 0.6, (0, 0, 0.025)),
    "ARMp_up": Place(ARM, "right_shoulder", "right_elbow", 0.5, (0, 0.01, -0.025)),
    "ARMp_do": Place(ARM, "right_shoulder", "right_elbow", 0.75, (0, 0.01, -0.025)),
    "EPICl": Place(ARM, "right_shoulder", "right_elbow", 1, (0.0, 0.01, -0.02)),
    "EPICm": Place(ARM, "right_shoulder", "right_elbow", 1, (0, -0.02, 0.01)),
    "LARMm": Place(FOREARM, "right_elbow", "right_hand", 0.3, (0, 0, -0.02)),
    "LARMl": Place(FOREARM, "right_elbow", "right_hand", 0.3, (0, 0.0, 0.02)),
    "LARM_elb": Place(FOREARM, "right_elbow", "right_hand", 0.1, (0, -0.015, -0.02)),
    "LARM_ant": Place(FOREARM, "right_elbow", "right_hand", 0.4, (0, 0.02, 0)),
    "STYLr": Place(FOREARM, "right_elbow", "right_hand", 1, (0, 0, 0.02)),
    "STYLr_up": Place(FOREARM, "right_elbow", "right_hand", 0.9, (0, 0, 0.02)),
    "STYLu": Place(FOREARM, "right_elbow", "right_hand", 1, (0, 0, -0.02)),
    "WRIST": Place(FOREARM, "right_elbow", "right_hand", 1, (0, 0.012, 0)),
    "INDEX": Place(HAND, "right_hand", "right_hand", 0, (-0.055, 0.01, 0.02)),
    "LASTC": Place(HAND, "right_hand", "right_hand", 0, (-0.05, 0.008, -0.02)),
    "MEDH": Place(HAND, "right_hand", "right_hand", 0, (-0.03, 0.008, -0.02)),
    "LATH": Place(HAND, "right_hand", "right_hand", 0, (-0.03, 0.01, 0.02)),
}


def upper_body_markers(skeleton: Skeleton) -> MarkerSet:
    """The set on a skeleton, by its proportions."""
    return place_markers(skeleton, PLACES)
