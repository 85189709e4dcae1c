"""Versions that were found before, in a file beside the compiled modules, so that sources are not searched every time.

The file says which modules are behind a version. Whether it still holds is found from their sources: as long as none of
these modules has changed, the search would reach the same ones. So a file that is old, or lost, costs time and nothing
else; where it cannot be written it is done without.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from motionloom.caching.modules import Sources, SourceUnreadable

FILE = "code_versions.json"
SEARCH = ("mentions", "modules", "reachability")  # modules of this room: another search may reach other modules


class VersionFile:
    """The modules behind functions of a package, as they were found before."""

    def __init__(self, package: Path, sources: Sources) -> None:
        self._path = package / "__pycache__" / FILE
        self._sources = sources
        self._search = digest_modules((f"{package.name}.caching.{name}" for name in SEARCH), sources)
        self._versions = self._read()

    def find(self, names: tuple[str, ...]) -> tuple[str, set[str]] | None:
        """The digest of the sources behind some functions, and their modules; None where any of them has changed."""
        digest, *modules = self._versions.get(" ".join(names), [""])
        with suppress(SourceUnreadable):
            if modules and digest_modules(modules, self._sources) == digest:
                return digest, set(modules)
        return None

    def write(self, names: tuple[str, ...], digest: str, modules: Iterable[str]) -> None:
        """Add what was found, to what other processes may have added meanwhile."""
        self._versions = {**self._read(), **self._versions, " ".join(names): [digest, *sorted(modules)]}
        if sys.dont_write_bytecode:
            return
        temporary = self._path.with_suffix(f".{os.getpid()}.tmp")
        with suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)
            temporary.write_text(json.dumps({"search": self._search, "versions": self._versions}))
            os.replace(temporary, self._path)

    def _read(self) -> dict[str, list[str]]:
        with suppress(OSError, ValueError, TypeError, KeyError):
            content = json.loads(self._path.read_text())
            if content["search"] == self._search:
                return dict(content["versions"])
        return {}


def digest_modules(names: Iterable[str], sources: Sources) -> str:
    """A digest of the sources of modules."""
    digest = hashlib.sha256()
    for name in sorted(names):
        source = sources.read(name)
        digest.update(f"{name} {len(source)}\n".encode())
        digest.update(source)
    return digest.hexdigest()[:16]
