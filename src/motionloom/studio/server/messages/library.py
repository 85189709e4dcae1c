"""Messages of the library: takes, their badges, what is imported, made and exported."""

from typing import Literal

from pydantic import Field

from motionloom.studio.server.messages.session import Message


class TakeRow(Message):
    """One line of the library."""

    name: str
    kind: Literal["body", "points"]
    frames: int
    fps: float
    skeleton: str | None  # digest
    labels: dict[str, float]  # seconds in which each holds
    flags: list[str]  # sentences that want a look
    left_out: str  # why it cannot be shown on the reference skeleton; empty if it can, and for points
    source: str  # the file it came from, or the take it was made of
    made: bool  # by motionloom rather than recorded
    measured: bool  # the numbers below are known; then None means that the body has no such thing
    skate: float | None  # cm/s
    floor: float | None  # cm
    spikes: int | None


class SkeletonRow(Message):
    """A skeleton that takes have."""

    digest: str
    name: str  # short, for people
    joints: int
    takes: int
    take: str  # the first that has it
    can_be_target: bool  # motions of other skeletons can be written on it


class ReferenceSkeleton(Message):
    """The skeleton that all takes are shown on together."""

    take: str  # that has it
    skeleton: str  # digest
    joints: int
    is_chosen: bool  # by a person; else it is the usual one
    is_removed: bool  # the take is no longer in the corpus, its skeleton is


class StoredReference(Message):
    """A reference as the corpus stores it."""

    take: str
    content: str  # digest of the take
    skeleton: str  # digest
    chosen: bool


class ChooseReference(Message):
    """The take whose skeleton becomes the reference."""

    take: str | None  # None: the usual one


class ChosenReference(Message):
    """The new reference, and what brings the previous one back."""

    reference: ReferenceSkeleton
    before: StoredReference


class BadgeLimit(Message):
    """From where on a badge wants a look."""

    most: float
    unit: str
    about: str


class TakeList(Message):
    """All takes, in one answer."""

    takes: list[TakeRow]
    skeletons: list[SkeletonRow]
    reference: ReferenceSkeleton | None  # None where there are no bodies, or it was deleted for good
    left_out: list[str]  # sentences: which bodies cannot be shown on the reference skeleton, and why
    points_left_out: list[str]  # the same of markers: workspaces of bodies go without them
    labels: list[str]
    limits: dict[str, BadgeLimit]
    next_badges: int  # ask for badges from here on


class NewBadges(Message):
    """Badges that were measured since the page last asked: skate, floor and spikes by take."""

    badges: dict[str, tuple[float | None, float | None, int | None]]
    next: int


class LabelNames(Message):
    """Words that need a colour."""

    labels: list[str] = Field(max_length=2000)


class LabelColours(Message):
    """The colours of labels: numbers of the palette, counted on where there are more labels than colours."""

    numbers: dict[str, int]


class TakeNames(Message):
    """Some takes."""

    takes: list[str] = Field(min_length=1, max_length=20_000)


class RemovedTakes(Message):
    """What is needed to bring the same takes back, and no others of their names."""

    numbers: list[int]  # one for each take


class RestoreTakes(TakeNames):
    """Removed takes that shall come back."""

    numbers: list[int] | None = None  # as returned when they were removed; None: the last of each name


class RenameTake(Message):
    """Another name for a take."""

    take: str
    name: str = Field(min_length=1, max_length=200)


class TrimTake(Message):
    """Frames of a take that become a take of their own."""

    take: str
    start: int = Field(ge=0)
    stop: int = Field(ge=1)


class CleanTakes(Message):
    """What to clean in which takes."""

    takes: list[str] = Field(min_length=1, max_length=20_000)
    feet: bool = True  # feet stand still, on the floor
    spikes: bool = True  # spikes of joints are repaired


class BadgeValues(Message):
    """The badges of a take."""

    skate: float | None
    floor: float | None
    spikes: int | None


class MadeTake(Message):
    """What became of a take that another was to be made of."""

    take: str
    made: str | None = None  # name of the new take
    error: str = ""
    before: BadgeValues | None = None
    after: BadgeValues | None = None


class MadeTakes(Message):
    """What a job has made, once it is done."""

    state: Literal["running", "done", "failed", "cancelled"]
    error: str = ""
    made: list[MadeTake]


class Uploaded(Message):
    """A file has arrived whole."""

    size: int  # bytes


class ImportBatch(Message):
    """Files that were uploaded and shall be imported."""

    batch: str


class ImportedFile(Message):
    """What became of one file."""

    file: str
    status: Literal["imported", "duplicate", "refused"]
    take: str = ""
    duplicate_of: str = ""
    message: str = ""  # why it was refused


class ImportState(Message):
    """How far an import is."""

    state: Literal["running", "done", "failed", "cancelled"]
    error: str = ""
    files: list[ImportedFile]


class ExportTakes(Message):
    """Takes to be written as files."""

    takes: list[str] = Field(min_length=1, max_length=20_000)
    extension: Literal[".bvh", ".glb", ".npz", ".csv", ".c3d"]
    skeleton: str | None = None  # of this take, or "reference"; None: each on its own


class Export(Message):
    """Where an export can be fetched."""

    address: str
    file: str  # what it will be called


class TakeLabel(Message):
    """A label of a take: frames [start, stop)."""

    label: str
    start: int
    stop: int
    source: str
