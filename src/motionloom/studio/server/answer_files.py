"""What becomes of an answer: takes of the corpus, and files."""

import io
import json
import zipfile

from motionloom.assembly import Result, keep_characters
from motionloom.errors import BadInput
from motionloom.formats.file_names import distinct_names, portable
from motionloom.studio.desks import METHOD
from motionloom.studio.server.answers import FoundAnswer, answers_of
from motionloom.studio.server.messages.methods import SavedAnswer
from motionloom.studio.server.searches import get_ready
from motionloom.studio.server.studio import Studio

MEDIA = {
    "bvh": "text/plain",
    "glb": "model/gltf-binary",
    "npz": "application/octet-stream",
    "csv": "text/csv",
    "c3d": "application/octet-stream",
    "png": "image/png",
    "mp4": "video/mp4",
    "json": "application/json",
    "zip": "application/zip",
}
EXTENSIONS = [name for name in MEDIA if name != "zip"]  # an archive holds the files of several characters


def save_answer(studio: Studio, answer: str, name: str) -> SavedAnswer:
    """Keep every character of an answer as a take, with the labels of the frames that it plays."""
    found = answers_of(studio).find(answer)
    with studio.corpus(write=True) as corpus:
        kept = keep_characters(corpus, name, found.result, method=found.method)
    added = [take.name for take in kept.takes if take.status == "imported"]
    if not added:
        raise BadInput(f"'{kept.duplicates[0]}' has the same frames already; nothing was added")
    studio.changed("takes")
    if found.request is not None:  # takes and labels are read again before the next search asks for it
        get_ready(studio, found.method, found.request)
    return SavedAnswer(takes=added, labels=kept.n_labels)


def export_answer(studio: Studio, answer: str, extension: str, skeleton: str | None = None) -> tuple[str, bytes]:
    """An answer as a file: its real extension, which is zip for several characters, and its content.

    Args:
        studio: that has it.
        answer: its name.
        extension: of the file, without the dot.
        skeleton: of which take motions are written on; None for that which it was made on.
    """
    if extension not in EXTENSIONS:
        raise BadInput(f"an answer cannot be written as '{extension}'; the extensions are {', '.join(EXTENSIONS)}")
    found = answers_of(studio).find(answer)
    if extension == "json":
        return extension, (json.dumps(found.result.report.to_data(), indent=1, allow_nan=False) + "\n").encode()
    if extension == "png":
        return extension, _draw(studio, found)
    parts = found.result.split()
    if len(parts) == 1:
        return extension, _write_character(studio, parts[0], found.method, extension, skeleton)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        names = [f"{found.method}_{part.character.name}" for part in parts]
        files = distinct_names([portable(name) for name in names], f".{extension}")
        for part, name, file in zip(parts, names, files):
            archive.writestr(file, _write_character(studio, part, name, extension, skeleton))
    return "zip", packed.getvalue()


def _draw(studio: Studio, found: FoundAnswer) -> bytes:
    return studio.ask(METHOD + found.method, "draw", {"result": found.result, "title": found.method})


def _write_character(studio: Studio, result: Result, name: str, extension: str, skeleton: str | None) -> bytes:
    """The file of the only character of a result."""
    arguments = {"result": result, "name": name, "extension": extension, "skeleton": skeleton}
    return studio.ask("display", "export", arguments)
