"""Curves that were recorded beside takes, such as those of a face: kept with a take, whatever happens to it."""

from typing import TYPE_CHECKING

from motionloom.corpus.store import array_files, catalogue
from motionloom.corpus.store.packed_curves import describe_curves, pack_curves, unpack_curves
from motionloom.errors import BadInput, CorpusError
from motionloom.formats import limits
from motionloom.motion import Curves

if TYPE_CHECKING:
    from motionloom.corpus.corpus import Corpus


def read_recorded_curves(corpus: "Corpus", name: str) -> Curves | None:
    """The curves beside a take; None if there are none."""
    query = "SELECT content, digest, file, crc FROM curves WHERE take = ?"
    row = corpus.connection.execute(query, [corpus.take_id(name)]).fetchone()
    if row is None:
        return None
    content, digest, *stored = row
    try:
        return unpack_curves(content, digest, array_files.open_array(corpus.arrays, array_files.StoredArray(*stored)))
    except CorpusError as error:
        raise type(error)(f"its curves are damaged: {error}") from error


def set_recorded_curves(corpus: "Corpus", name: str, curves: Curves | None) -> None:
    """Keep curves beside a take instead of those that it has; None forgets them."""
    take = corpus.take_id(name)
    excess = None if curves is None else limits.find_excess_of_curves(curves)
    if excess is not None:
        raise BadInput(f"{name}: {excess}")
    old = [file for (file,) in corpus.connection.execute("SELECT file FROM curves WHERE take = ?", [take])]
    arrays = {} if curves is None else {"curves": pack_curves(curves)}
    try:
        with (
            catalogue.storing_arrays(corpus.connection, corpus.arrays, arrays) as stored,
            catalogue.transaction(corpus.connection) as db,
        ):
            db.execute("DELETE FROM curves WHERE take = ?", [take])
            if curves is not None:
                catalogue.insert_curves(db, take, *describe_curves(curves), stored["curves"])
    except array_files.NotWritable as error:
        raise CorpusError(
            f"{corpus.folder}: curves could not be written ({error.reason}); nothing was changed"
        ) from error
    catalogue.delete_unused(corpus.connection, corpus.arrays, old)
