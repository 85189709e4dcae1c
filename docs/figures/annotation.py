"""The picture of docs/annotation.md: what is proposed for a take that nobody has verified, beside what holds there."""

import tempfile
from pathlib import Path

import numpy as np

from motionloom.conform import make_view
from motionloom.methods.annotate import Request, proposal_ranges, propose_tracks, train_view
from motionloom.performer import make_demo_corpus
from motionloom.render import PaintedTrack, PlayedRun, TimelineSheet, write_timeline_sheet

HERE = Path(__file__).parent
LABELS = ("stand", "walk", "run", "jump", "wave")
VERIFIED = ("walk/slow", "run/fast", "jump/run_and_jump_1", "wave/walk_and_wave_1")
SHOWN = "jump/run_and_jump_2"


def draw(folder: Path) -> None:
    """Learn from four takes, propose for another, draw that as a timeline sheet."""
    with tempfile.TemporaryDirectory() as scratch, make_demo_corpus(Path(scratch) / "demo") as corpus:
        view = make_view(corpus)
        truth = np.full((view.n_frames, len(LABELS)), -1, np.int8)
        for name in view.names:
            start, _ = view.range_of(name)
            for label in view.labels(name):
                if label.label in LABELS:
                    truth[start + label.start : start + label.stop, LABELS.index(label.label)] = 1
        verified = np.zeros_like(truth)
        for name in VERIFIED:
            verified[slice(*view.range_of(name))] = truth[slice(*view.range_of(name))]
        proposals = propose_tracks(train_view(view, LABELS, verified), Request(takes=[SHOWN]))
        holds = truth[slice(*view.range_of(SHOWN))]
        sheet = TimelineSheet(
            motion=view.motion(SHOWN),
            tracks=[
                PaintedTrack(label, np.maximum(holds[:, LABELS.index(label)], 0), proposals.tracks[SHOWN][:, column])
                for column, label in enumerate(proposals.labels)
            ],
            runs=[PlayedRun(0, len(holds), SHOWN)],
            sentences=[
                "learnt from " + ", ".join(VERIFIED),
                *(
                    f"proposed: {proposal.label} in frames [{proposal.start}, {proposal.stop}), "
                    f"confidence {proposal.confidence:.2f}"
                    for proposal in proposal_ranges(proposals, view)
                ),
            ],
        )
        title = "Labels proposed (dark) for a take that nobody has looked at, and what really holds (green)"
        write_timeline_sheet(folder / "annotation.png", sheet, title)


if __name__ == "__main__":
    draw(HERE)
