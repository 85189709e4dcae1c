"""Routes of the workspace Annotate."""

from fastapi import APIRouter

from motionloom.studio.server import annotating
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
from motionloom.studio.server.routes import TheHouse

router = APIRouter(prefix="/api/annotate")


@router.get("/state")
def annotate_state(house: TheHouse) -> AnnotateState:
    """How things stand with labelling."""
    return annotating.describe_state(house)


@router.get("/tracks")
def take_tracks(house: TheHouse, take: str) -> TakeTracks:
    """What is said about the labels of a take."""
    with house.corpus() as corpus:
        return annotating.describe_tracks(corpus, take)


@router.post("/learn")
def learn_labels(house: TheHouse, wanted: LearningChoice) -> Job:
    """Choose words and settings, learn from what is verified, and propose for all takes."""
    return annotating.start_learning(house, wanted).told


@router.post("/accept")
def accept_labels(house: TheHouse, wanted: AcceptLabels) -> Accepted:
    """Say that labels of a stretch are right as they are shown; then learn again."""
    with house.changing("labels") as corpus:
        done = annotating.accept(corpus, wanted)
    annotating.start_learning(house)
    return done


@router.post("/undo")
def undo_acceptance(house: TheHouse, wanted: Acceptance) -> Done:
    """Put back what was there before something was accepted; then learn again."""
    with house.changing("labels") as corpus:
        annotating.take_back(corpus, wanted)
    annotating.start_learning(house)
    return Done()


@router.post("/rename")
def rename_word(house: TheHouse, wanted: RenameWord) -> Renamed:
    """Use another word for a label, wherever it was said."""
    with house.changing("labels") as corpus:
        renamed = annotating.rename_word(corpus, wanted)
    annotating.start_learning(house)
    return renamed
