"""The document: what a person painted, placed and chose; saved as readable files in the folder `studio` of the corpus.

NAME.yaml says what was chosen, NAME.request.yaml (a timeline), NAME.graph.yaml (a hub graph), NAME.buildup.yaml (a
build-up) and NAME.dynamics.yaml (a directed motion) are requests that the command line runs as well, NAME.history.json
holds the steps that can be undone.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from motionloom.assembly.requests.request_files import LONG_TEXT, RequestFile, parse
from motionloom.assembly.requests.yaml_text import dump_yaml, read_yaml
from motionloom.errors import BadInput, FormatError, MotionloomError
from motionloom.formats.atomic_write import make_folder, sync_folder
from motionloom.methods.snap.author.graph_request import GraphRequest
from motionloom.methods.timeline.request import ForcedFrames, Paint, Place, Request
from motionloom.studio.buildup_request import BuildupRequest
from motionloom.studio.direct_request import DirectRequest
from motionloom.studio.document_files import (
    BUILDUP,
    DIRECT,
    EXTENSIONS,
    GRAPH,
    HISTORY,
    MAIN,
    MISSING,
    REQUEST,
    digest,
    keep_aside,
    list_files,
    read_files,
    replace_files,
)

FOLDER = "studio"
FIRST = "untitled"
UNREADABLE, EDITED = "unreadable", "edited"  # why a file is kept aside
MOST_STEPS = 300  # of the history that are kept
_NAME = re.compile(r"[\w][\w .+-]{0,79}")

WORKSPACES = ("library", "annotate", "timeline", "graph", "buildup", "direct", "control")
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


class BeyondPart(_Part):
    """What lies beyond the end of a timeline that was made shorter: not asked for, and back when it is made longer."""

    labels: list[Paint] = []
    frames: list[ForcedFrames] = []
    places: list[Place] = []


class TimelinePart(_Part):
    """What was painted and placed."""

    tracks: list[str] = []  # labels that have a row, from above
    request: Request = Field(default_factory=lambda: Request(length="10s"))
    beyond: BeyondPart = Field(default_factory=BeyondPart)


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


class PropPart(_Part):
    """A thing in space to hit or to touch."""

    name: str = Field(max_length=40)
    position: tuple[float, float, float]  # metres, y up
    colour: int = 0  # number in the palette


class BuildupPart(_Part):
    """What is built up."""

    request: BuildupRequest = Field(default_factory=BuildupRequest)
    props: list[PropPart] = []


class DirectPart(_Part):
    """What a motion is asked to meet."""

    request: DirectRequest = Field(default_factory=DirectRequest)


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
    buildup: BuildupPart = Field(default_factory=BuildupPart)
    direct: DirectPart = Field(default_factory=DirectPart)
    control: ControlPart = Field(default_factory=ControlPart)
    methods: dict[str, MethodPart] = {}  # by name; those whose method is not known today stay


class CommandRecord(_Part):
    """One step of the history: plain values that undo and redo need."""

    kind: str
    title: str
    args: Any = None
    memory: Any = None


class History(BaseModel):
    """How a document came about: the steps that can be undone and done again."""

    revision: int = 0  # counted up with every save; 0: never saved
    past: list[CommandRecord] = []
    future: list[CommandRecord] = []


@dataclass(frozen=True)
class Loaded:
    """A document as it was read, and what of it could not be."""

    content: Document
    history: History
    digests: Mapping[str, str]  # of its files, by extension
    problems: Mapping[str, str]  # why a file cannot be read, by extension


NEW = Loaded(Document(), History(), dict.fromkeys(EXTENSIONS, MISSING), {})


def names(corpus: Path) -> list[str]:
    """The documents of a corpus, the one that was saved last first."""
    files = list_files(corpus / FOLDER)
    written = {
        file.removesuffix(MAIN): max(files.get(other, 0) for other in files_of(file.removesuffix(MAIN)).values())
        for file in files
        if file.endswith(MAIN) and _is_name(file.removesuffix(MAIN))
    }
    return sorted(written, key=lambda name: written[name], reverse=True)


def files_of(name: str) -> dict[str, str]:
    """The names of the files of a document, by extension."""
    return {extension: f"{name}{extension}" for extension in EXTENSIONS}


def load(corpus: Path, name: str, known: Loaded = NEW) -> Loaded:
    """Read a document; what cannot be read, or is not there, is as in the one that is known."""
    check_name(name)
    files = files_of(name)
    found = read_files(corpus / FOLDER, files.values())
    parts: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for extension, read in _PARSERS.items():
        file = files[extension]
        try:
            if (content := found[file]) is not None:
                parts[extension] = read(_decode(file, content), file)
        except MotionloomError as error:
            problems[extension] = str(error)
    return Loaded(
        content=_assemble(parts, known.content),
        history=parts.get(HISTORY, known.history),
        digests={extension: digest(found[file]) for extension, file in files.items()},
        problems=problems,
    )


def read_digests(corpus: Path, name: str) -> dict[str, str]:
    """What tells whether the files of a document have changed, by extension."""
    found = read_files(corpus / FOLDER, files_of(name).values())
    return {extension: digest(found[file]) for extension, file in files_of(name).items()}


def save(
    corpus: Path, name: str, document: Document, history: History, aside: Mapping[str, str] | None = None
) -> tuple[dict[str, str], list[str]]:
    """Write a document as one step: all of its files or none, and synced.

    Args:
        corpus: its folder.
        name: of the document.
        document: what was authored.
        history: how it came about.
        aside: why the content of files is kept aside before it is replaced, "unreadable" or "edited", by extension. A
            request that could not be read stays where it is as long as there is nothing to put in its place.

    Returns:
        The digests of the files, by extension, and the names under which files were kept.
    """
    check_name(name)
    folder, aside = corpus / FOLDER, aside or {}
    if not folder.is_dir():
        make_folder(folder)
        sync_folder(corpus)
    contents = _pack(document, history)
    for extension, why in aside.items():
        if why == UNREADABLE and contents[extension] == _EMPTY.get(extension):
            del contents[extension]
    files = files_of(name)
    present = read_digests(corpus, name)
    kept = [
        keep_aside(folder, files[extension], why)
        for extension, why in aside.items()
        if extension in contents and present[extension] not in (MISSING, digest(contents[extension]))
    ]
    replace_files(folder, {files[extension]: content for extension, content in contents.items()})
    return {**present, **{extension: digest(content) for extension, content in contents.items()}}, kept


def rename(corpus: Path, old: str, new: str) -> None:
    """Give a document another name, as one step."""
    check_name(new)
    folder = corpus / FOLDER
    present = list_files(folder)
    if taken := [file for file in files_of(new).values() if file in present]:
        what = f"a document '{new}'" if taken[0] == f"{new}{MAIN}" else f"a file {taken[0]}"
        raise BadInput(f"there is {what} already; choose another name")
    found = read_files(folder, files_of(old).values())
    changes: dict[str, bytes | None] = {}
    for extension, file in files_of(old).items():
        content = found[file]
        if isinstance(content, OSError):
            raise BadInput(f"{file} cannot be read ({content.strerror or content}), so the document was not renamed")
        if content is not None:
            changes |= {f"{new}{extension}": content, file: None}
    if changes:
        replace_files(folder, changes)


def check_name(name: str) -> None:
    """Raise unless it can be the name of a document."""
    if not _is_name(name):
        raise BadInput(f"'{name}' is no name of a document; use letters, digits, spaces, dots and dashes")


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and not name.endswith(
        (".", " ", ".request", ".graph", ".buildup", ".dynamics", ".history")
    )


class _DocumentFile(RequestFile):
    """What errors of NAME.yaml call it."""

    kind = "studio document"
    example = "workspace: library"


def _parse_main(text: str, file: str) -> dict[str, Any]:
    """NAME.yaml as plain data, without the requests."""
    data, line_of = parse(text, file, _DocumentFile)
    data.pop("motionloom", None)
    try:
        Document.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = [part for part in first["loc"] if isinstance(part, str | int)]
        raise FormatError(file, f"{'.'.join(map(str, where))}: {first['msg']}", line_of(where)) from None
    return data


def _parse_history(text: str, file: str) -> History:
    try:
        return History.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        raise FormatError(file, f"is not valid JSON ({error.msg})", error.lineno) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise FormatError(file, f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except (ValueError, RecursionError) as error:  # numbers and brackets without end
        raise FormatError(file, f"is not valid JSON ({error})") from None


# Parts whose requests are files of their own.
_REQUESTS = {"timeline": REQUEST, "graph": GRAPH, "buildup": BUILDUP, "direct": DIRECT}

_PARSERS: dict[str, Callable[[str, str], Any]] = {
    MAIN: _parse_main,
    REQUEST: Request.parse,
    GRAPH: GraphRequest.parse,
    BUILDUP: BuildupRequest.parse,
    DIRECT: DirectRequest.parse,
    HISTORY: _parse_history,
}


def _decode(file: str, content: bytes | OSError) -> str:
    if isinstance(content, OSError):
        raise FormatError(file, f"cannot be read ({content.strerror or content})")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(file, f"is not text ({error})", content[: error.start].count(b"\n") + 1) from None


def _assemble(parts: Mapping[str, Any], known: Document) -> Document:
    """A document from its parts; those that are missing are as in the one that is known."""
    content = dict(parts[MAIN]) if MAIN in parts else known.model_dump(by_alias=True, exclude_none=True)
    for part, extension in _REQUESTS.items():
        content[part] = {**content.get(part, {}), "request": parts.get(extension, getattr(known, part).request)}
    return Document.model_validate(content)


def _pack(document: Document, history: History) -> dict[str, bytes]:
    """The content of the files of a document, by extension."""
    plain = document.model_dump(mode="json", by_alias=True, exclude_none=True)
    content = {"motionloom": "studio document, version 1", **plain}
    for part in _REQUESTS:
        del content[part]["request"]  # it is a file of its own
    if document.timeline.beyond == BeyondPart():
        del content["timeline"]["beyond"]
    main = dump_yaml(content)
    if len(main) > LONG_TEXT:
        read_yaml(main, "the document")  # raises where it could not be read again
    return {
        MAIN: _encode(main),
        REQUEST: _encode(document.timeline.request.to_text()),
        GRAPH: _encode(document.graph.request.to_text()),
        BUILDUP: _encode(document.buildup.request.to_text()),
        DIRECT: _encode(document.direct.request.to_text()),
        HISTORY: _encode(json.dumps(history.model_dump(mode="json"), ensure_ascii=False)),
    }


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise BadInput(f"the document has text that no file can hold ({error.reason}); type it again") from None


_EMPTY = {extension: _pack(Document(), History())[extension] for extension in _REQUESTS.values()}
