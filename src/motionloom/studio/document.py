"""The document: what a person painted, placed and chose; saved as readable files in the folder `studio` of the corpus.

NAME.yaml says what was chosen, NAME.request.yaml (a timeline) and NAME.graph.yaml (a hub graph) are requests that the
command line runs as well, NAME.history.json holds the steps that can be undone.
"""

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from motionloom.errors import BadInput, MotionloomError
from motionloom.formats.atomic_write import replace_file
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.methods.timeline.request import Request

FOLDER = "studio"
FIRST = "untitled"
REQUEST, GRAPH, HISTORY = ".request.yaml", ".graph.yaml", ".history.json"
MOST_STEPS = 300  # of the history that are kept
_NAME = re.compile(r"[\w][\w .+-]{0,79}")

WORKSPACES = ("library", "annotate", "timeline", "graph", "control")
METHOD = "method:"  # before the name of a method: its generated workspace


def _check_workspace(name: str) -> str:
    """A workspace of the page, or that of a method; methods come and go, so any name of one will do."""
    if name in WORKSPACES or (name.startswith(METHOD) and len(name) > len(METHOD)):
        return name
    raise ValueError(f"'{name}' is no workspace; there are {', '.join(WORKSPACES)}, and {METHOD}NAME for methods")


Workspace = Annotated[str, Field(max_length=100), AfterValidator(_check_workspace)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class LibraryPart(_Part):
    """What was chosen in the library."""

    take: str | None = None  # the one that is looked at


class AnnotatePart(_Part):
    """What was chosen for labelling."""

    vocabulary: list[str] = []
    take: str | None = None
    classifier: Literal["usual", "paper"] = "usual"
    kernel: Literal["laplace", "gauss", "both"] | None = None
    gamma: float | None = None  # mean distances between windows; None: chosen by the system
    drafts: dict[str, dict[str, list[tuple[int, int, int]]]] = {}  # what was painted but not accepted yet, by take and
    # label: frames [start, stop), then +1 where the label holds and -1 where it does not


class TimelinePart(_Part):
    """What was painted and placed."""

    tracks: list[str] = []  # labels that have a row, from above
    request: Request = Field(default_factory=lambda: Request(length="10s"))


class ButtonPart(_Part):
    """What a button does that a person has changed."""

    name: str = Field("", max_length=40)  # "": as its clips are called
    clips: list[str] = []  # by their names in the graph; one of them is played


class ControlPart(_Part):
    """What was put on buttons."""

    buttons: dict[str, ButtonPart] = {}  # by button, such as "a"; one that is not here does what is proposed


class GraphPart(_Part):
    """The hub graph that was authored."""

    request: GraphRequest = Field(default_factory=lambda: GraphRequest(takes=(), hubs=()))
    colours: dict[str, int] = {}  # of hubs, by name: numbers of the palette


class MethodPart(_Part):
    """What is asked of a method in its generated workspace."""

    request: dict[str, Any]  # plain data as it was typed: it need not make sense yet


class Document(_Part):
    """All that a person authored."""

    workspace: Workspace = "library"
    library: LibraryPart = Field(default_factory=LibraryPart)
    annotate: AnnotatePart = Field(default_factory=AnnotatePart)
    timeline: TimelinePart = Field(default_factory=TimelinePart)
    graph: GraphPart = Field(default_factory=GraphPart)
    control: ControlPart = Field(default_factory=ControlPart)
    methods: dict[str, MethodPart] = {}  # by name; those whose method is not known today stay


def names(corpus: Path) -> list[str]:
    """The documents of a corpus, the one that was saved last first."""
    folder = corpus / FOLDER
    if not folder.is_dir():
        return []
    files = [path for path in folder.glob("*.yaml") if _is_name(path.stem)]
    return [path.stem for path in sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)]


def load(corpus: Path, name: str) -> tuple[Document, str]:
    """A document, and a sentence about what of it could not be read; a new one where there is none."""
    check_name(name)
    path, problems = corpus / FOLDER / f"{name}.yaml", []
    content: dict[str, Any] = {}
    if path.exists():
        try:
            content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
            content.pop("motionloom", None)
            Document.model_validate(content)
        except (yaml.YAMLError, ValidationError, AttributeError, OSError, ValueError) as error:
            problems.append(f"{path.name} cannot be read ({_first_line(error)})")
            content = {}
    for part, extension, kind in (("timeline", REQUEST, Request), ("graph", GRAPH, GraphRequest)):
        file = corpus / FOLDER / f"{name}{extension}"
        try:
            content.setdefault(part, {})["request"] = kind.read(file)
        except MotionloomError as error:
            if file.exists():
                problems.append(str(error).replace(str(corpus / FOLDER) + "/", ""))
    return Document.model_validate(content), "; ".join(problems)


def save(corpus: Path, name: str, document: Document, history: Any) -> None:
    """Write a document: each of its files whole or not at all, and what was authored before how it came about."""
    check_name(name)
    folder = corpus / FOLDER
    folder.mkdir(exist_ok=True)
    document.timeline.request.write(folder / f"{name}{REQUEST}")
    document.graph.request.write(folder / f"{name}{GRAPH}")
    content = {"motionloom": "studio document, version 1", **document.model_dump(mode="json", exclude_none=True)}
    for part in ("timeline", "graph"):
        del content[part]["request"]  # it is a file of its own
    replace_file(folder / f"{name}.yaml", yaml.safe_dump(content, sort_keys=False, allow_unicode=True).encode())
    replace_file(folder / f"{name}{HISTORY}", json.dumps(history, ensure_ascii=False).encode())


def load_history(corpus: Path, name: str) -> Any:
    """The steps of a document; None where there are none that can be read."""
    try:
        return json.loads((corpus / FOLDER / f"{name}{HISTORY}").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def rename(corpus: Path, old: str, new: str) -> None:
    """Give a document another name; whenever it is cut off, the document is whole under one of them."""
    check_name(new)
    folder = corpus / FOLDER
    if (folder / f"{new}.yaml").exists():
        raise BadInput(f"there is a document '{new}' already; choose another name")
    for extension in (HISTORY, REQUEST, GRAPH):
        if (folder / f"{old}{extension}").exists():
            replace_file(folder / f"{new}{extension}", (folder / f"{old}{extension}").read_bytes())
    if (folder / f"{old}.yaml").exists():
        (folder / f"{old}.yaml").rename(folder / f"{new}.yaml")
    for extension in (HISTORY, REQUEST, GRAPH):
        (folder / f"{old}{extension}").unlink(missing_ok=True)


def check_name(name: str) -> None:
    """Raise unless it can be the name of a document."""
    if not _is_name(name):
        raise BadInput(f"'{name}' is no name of a document; use letters, digits, spaces, dots and dashes")


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and not name.endswith((".", " ", ".request", ".graph", ".history"))


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error).splitlines()[0] if str(error) else type(error).__name__
