"""Versions that were found before, in a file beside the compiled modules, so that sources are not searched every time.

The file says which modules are behind a version, and which ones the search has consulted: packages that only pass names
on too, and modules that were not there. Whether a version still holds is found from the sources of all of them: as long
as none has changed or was added, the search would reach the same ones. So a file that is old, or lost, costs time and
nothing else; where it cannot be written it is done without.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from motionloom.caching.modules import LISTING, Sources, SourceUnreadable
from motionloom.caching.reachability import Reached

FILE = "code_versions.json"
SEARCH = ("mentions", "modules", "reachability", "version_file")  # modules of this room: others may find other things


class VersionFile:
    """The modules behind functions of a package, as they were found before."""

    def __init__(self, package: Path, sources: Sources) -> None:
        self._path = package / "__pycache__" / FILE
        self._sources = sources
        self._search = digest_modules((f"{package.name}.caching.{name}" for name in SEARCH), sources)
        self._versions = self._read()

    def find(self, names: tuple[str, ...]) -> tuple[str, Reached] | None:
        """The digest of the sources behind some functions, and their modules; None where a search may find others."""
        with suppress(SourceUnreadable, ValueError, TypeError, KeyError):
            kept = self._versions[" ".join(names)]
            reached = Reached(frozenset(kept["modules"]), frozenset(kept["consulted"]))
            if stamp_modules(reached.consulted, self._sources) == kept["stamp"]:
                return str(kept["digest"]), reached
        return None

    def write(self, names: tuple[str, ...], digest: str, reached: Reached) -> None:
        """Add what was found, to what other processes may have added meanwhile."""
        found = {
            "digest": digest,
            "stamp": stamp_modules(reached.consulted, self._sources),
            "modules": sorted(reached.modules),
            "consulted": sorted(reached.consulted),
        }
        self._versions = {**self._read(), **self._versions, " ".join(names): found}
        if sys.dont_write_bytecode:
            return
        temporary = self._path.with_suffix(f".{os.getpid()}.tmp")
        with suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)
            temporary.write_text(json.dumps({"search": self._search, "versions": self._versions}))
            os.replace(temporary, self._path)

    def _read(self) -> dict[str, dict[str, Any]]:
        with suppress(OSError, ValueError, TypeError, KeyError):
            content = json.loads(self._path.read_text())
            if content["search"] == self._search:
                return dict(content["versions"])
        return {}


def digest_modules(names: Iterable[str], sources: Sources) -> str:
    """A digest of the sources of modules."""
    digest = hashlib.sha256()
    for name in sorted(names):
        source = sources.source(name)
        digest.update(f"{name} {len(source)}\n".encode())
        digest.update(source)
    return digest.hexdigest()[:16]


def stamp_modules(names: Iterable[str], sources: Sources) -> str:
    """A digest of the sources of modules, of which of them are packages and which are missing."""
    paths = {name: sources.path(name) for name in names}
    packages = sorted(name for name, path in paths.items() if path is not None and path.name == "__init__.py")
    there = [name for name, path in paths.items() if path is not None or name.endswith(LISTING)]
    digest = hashlib.sha256(" ".join([digest_modules(there, sources), *packages]).encode())
    return digest.hexdigest()[:16]
