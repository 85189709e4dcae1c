"""Routes of the workspace Annotate."""

from motionloom.studio.server.json_body import api_router
from motionloom.studio.server.messages.annotate import (
    Acceptance,
    Accepted,
    AcceptLabels,
    AnnotateState,
    LearningChoice,
    Renamed,
    RenameWord,
    TakeTracks,
)
from motionloom.studio.server.messages.session import Done, Job
from motionloom.studio.server.routes import TheStudio
from motionloom.studio.server.workspaces import annotate

router = api_router("/api/annotate")


@router.get("/state")
def annotate_state(studio: TheStudio) -> AnnotateState:
    """How things stand with labelling."""
    return annotate.describe_state(studio)


@router.get("/tracks")
def take_tracks(studio: TheStudio, take: str) -> TakeTracks:
    """The state of all labels of a take."""
    with studio.corpus() as corpus:
        return annotate.describe_tracks(corpus, take)


@router.post("/learn")
def learn_labels(studio: TheStudio, wanted: LearningChoice) -> Job:
    """Choose words and settings, learn from what is verified, and propose for all takes."""
    return annotate.start_learning(studio, wanted).status


@router.post("/accept")
def accept_labels(studio: TheStudio, wanted: AcceptLabels) -> Accepted:
    """Say that labels of a stretch are right as they are shown; then learn again."""
    with studio.changing("labels") as corpus:
        done = annotate.accept(corpus, wanted)
    annotate.start_learning(studio)
    return done


@router.post("/undo")
def undo_acceptance(studio: TheStudio, wanted: Acceptance) -> Done:
    """Put back what was there before something was accepted; then learn again."""
    with studio.changing("labels") as corpus:
        annotate.take_back(corpus, wanted)
    annotate.start_learning(studio)
    return Done()


@router.post("/rename")
def rename_word(studio: TheStudio, wanted: RenameWord) -> Renamed:
    """Rename a label in all takes."""
    with studio.changing("labels") as corpus:
        renamed = annotate.rename_word(corpus, wanted)
    annotate.start_learning(studio)
    return renamed
