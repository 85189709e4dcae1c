"""Files that a page brings in: streamed into a folder of the corpus, imported from there, then gone."""

import asyncio
import contextlib
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

from motionloom.errors import BadInput
from motionloom.studio.desks.library import UPLOADS
from motionloom.studio.document import FOLDER
from motionloom.studio.server.security import check_extension, safe_child
from motionloom.studio.server.settings import UPLOAD_LIMIT
from motionloom.studio.server.studio import Studio

BATCH_LIMIT = 8 * UPLOAD_LIMIT  # bytes of all files that are brought in at once
FULL = 1 << 20  # bytes that are gathered before they are written
_BATCH = re.compile(r"[a-z0-9]{8,40}")


def folder_of(studio: Studio, batch: str) -> Path:
    """Where the files of one batch lie."""
    if not _BATCH.fullmatch(batch):
        raise BadInput("a batch is named by 8 to 40 small letters and digits")
    return safe_child(studio.folder, f"{FOLDER}/{UPLOADS}/{batch}")


async def receive(studio: Studio, batch: str, file: str, chunks: AsyncIterator[bytes]) -> int:
    """Write one file as it comes in; returns its size. A file that does not come whole leaves nothing behind."""
    check_extension(file)
    folder = await asyncio.to_thread(_writable_folder, studio, batch)  # where it may wait for the corpus
    path = safe_child(folder, file)
    sizes: dict[str, int] = studio.kept.setdefault("uploads", {})  # bytes of each batch so far
    before = sizes.get(batch, 0)
    size, waiting = 0, bytearray()
    try:
        await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        with open(path, "wb") as out:
            async for chunk in chunks:
                waiting += chunk
                size += len(chunk)
                if before + size > BATCH_LIMIT:
                    raise BadInput(f"more than {BATCH_LIMIT >> 30} GB at once; bring the files in smaller batches")
                if len(waiting) >= FULL:
                    await asyncio.to_thread(out.write, bytes(waiting))
                    waiting.clear()
            await asyncio.to_thread(out.write, bytes(waiting))
    except OSError as error:
        _discard(path)
        raise BadInput(f"{file} could not be kept ({error.strerror or error}); is the disk full?") from None
    except BaseException:
        _discard(path)
        raise
    sizes[batch] = sizes.get(batch, 0) + size
    return size


def drop(studio: Studio, batch: str) -> None:
    """Throw the files of a batch away."""
    shutil.rmtree(folder_of(studio, batch), ignore_errors=True)
    studio.kept.get("uploads", {}).pop(batch, None)


def _writable_folder(studio: Studio, batch: str) -> Path:
    with studio.corpus(write=True):
        return folder_of(studio, batch)


def _discard(path: Path) -> None:
    with contextlib.suppress(OSError):  # it may not even be a file
        path.unlink()
