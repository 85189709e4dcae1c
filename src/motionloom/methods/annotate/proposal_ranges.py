"""Proposals as ranges of frames of takes, in the form that the corpus stores."""

import numpy as np

from motionloom.conform import View
from motionloom.conform.label_tracks import take_ranges
from motionloom.corpus import Proposal
from motionloom.methods.annotate.proposed_tracks import Proposals
from motionloom.motion.runs import find_runs


def proposal_ranges(proposals: Proposals, view: View) -> list[Proposal]:
    """The ranges in which labels are proposed, in frames of their takes, sorted; verified frames are left out.

    Args:
        proposals: of takes of the view.
        view: from which they were made.
    """
    found = []
    for take, tracks in proposals.tracks.items():
        for column, label in enumerate(proposals.labels):
            for start, stop in find_runs(tracks[:, column] > 0):
                flags = np.zeros(len(tracks), bool)
                flags[start:stop] = True
                sure = float(proposals.confidences[take][start:stop, column].mean())
                found += [Proposal(take, label, *frames, min(sure, 1.0)) for frames in take_ranges(view, take, flags)]
    return sorted(found)
