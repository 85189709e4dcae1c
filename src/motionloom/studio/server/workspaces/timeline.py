"""The labels that can be painted on a timeline, and how much there is of each."""

from motionloom.conform.label_tracks import LAYER_WORDS
from motionloom.methods.timeline.report.coverage import count_labels
from motionloom.studio.server.messages.timeline import PaintableLabel
from motionloom.studio.server.studio import Studio


def list_labels(studio: Studio, takes: list[str] | None) -> list[PaintableLabel]:
    """What can be painted with some takes: labels, then what every frame has, a foot on the ground."""
    with studio.corpus() as corpus:
        if not any(info.kind == "body" for info in corpus.infos()):
            return []
        counted = count_labels(corpus, takes)
    spoken = [
        PaintableLabel(label=label.label, seconds=label.seconds, takes=label.takes, longest=label.longest)
        for label in counted
    ]
    return spoken + [PaintableLabel(label=word) for word in sorted(LAYER_WORDS)]
