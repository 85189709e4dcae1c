"""Which code made something: a digest of all sources that decide it, so that a change of code is noticed by itself.

The digest is of whole files: those of all modules that `reachability` finds. It is made when it is first asked for, and
remembered in a file (`version_file.py`). It is of what this process runs: where one of the files has changed since the
process began, nobody can tell which of both it runs, so the version is one that no other process has.
"""

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from motionloom import __version__
from motionloom.caching.modules import Sources, SourceUnreadable
from motionloom.caching.reachability import Reached, reached_modules
from motionloom.caching.version_file import VersionFile, digest_modules

OWN = "~"  # in versions that no other process has, before its number
CHECK_SECONDS = 1.0  # between two looks at the files behind a version
PACKAGE = Path(__file__).resolve().parents[1]
APART = {  # they decide whether something is made, never what
    f"{PACKAGE.name}.caching.{name}"
    for name in ("kinds", "mentions", "modules", "reachability", "version_file", "versions")
}
_STARTED = time.time()
_THIS_PROCESS = uuid4().hex[:8]


@dataclass
class _Known:
    """A version that was found before, and the files behind it as they were."""

    version: str
    files: dict[Path, tuple[int, int]]
    checked: float  # seconds of `time.monotonic`: the last look at the files


_sources = Sources(PACKAGE)
_file: list[VersionFile] = []  # one, once it was read
_known: dict[tuple[str, ...], _Known] = {}


def code_version(*makers: Callable[..., Any]) -> str:
    """A digest of the sources of all code that some functions can reach: the same as long as none of them changes.

    Args:
        makers: functions of modules. Of those outside of this package all modules of their own package count that they
            reach, or their own module where that is in no package; and what they use of this one.
    """
    names = maker_names(*makers)
    known = _known.get(names)
    if known is None:
        known = _known[names] = _find(names)
    elif time.monotonic() - known.checked > CHECK_SECONDS:
        known.checked = time.monotonic()
        if any(_stamp(path) != stamp for path, stamp in known.files.items()):
            known.version = _unlike_others(known.version)
    return known.version


def is_shared(version: str) -> bool:
    """Whether other processes may have the same version; what was made under any other is of no use to them."""
    return OWN not in version


def maker_names(*makers: Callable[..., Any]) -> tuple[str, ...]:
    """Functions as "package.module:name", sorted."""
    names = set()
    for maker in makers:
        function = maker.func if isinstance(maker, partial) else maker
        named = function if hasattr(function, "__qualname__") else type(function)
        names.add(f"{named.__module__}:{named.__qualname__}")
    return tuple(sorted(names))


def digest_sources(names: Iterable[str], sources: Sources) -> tuple[str, Reached]:
    """The digest of the sources behind some functions, and the modules that they are in.

    Args:
        names: of the functions, as `maker_names` gives them.
        sources: of the modules.
    """
    split = [name.partition(":") for name in names]
    reached = reached_modules([(module, function) for module, _, function in split], sources, apart=APART)
    return digest_modules(reached.modules, sources), reached


def _find(names: tuple[str, ...]) -> _Known:
    now = time.monotonic()
    modules = [name.partition(":")[0] for name in names]
    outside = [module for module in modules if module.partition(".")[0] != PACKAGE.name]
    is_ours = not outside
    for module in outside:
        _add_outside(module)
    try:
        version, reached = _search(names) if is_ours else digest_sources(names, _sources)
    except SourceUnreadable:
        return _Known(__version__ if is_ours else _unlike_others(__version__), {}, now)
    files = {path: _stamp(path) for name in reached.consulted if (path := _sources.path(name)) is not None}
    if any(_STARTED * 1e9 < changed <= time.time_ns() for changed, _ in files.values()):
        version = _unlike_others(version)
    return _Known(version, files, now)


def _add_outside(module: str) -> None:
    """Let the package of a module outside of this one count, or the module where it is in none."""
    package = module.partition(".")[0]
    folders = [Path(folder) for folder in getattr(sys.modules.get(package), "__path__", ())]
    if folders:
        _sources.add_package(package, folders)
    else:
        _sources.add(module, Path(getattr(sys.modules.get(module), "__file__", None) or ""))


def _search(names: tuple[str, ...]) -> tuple[str, Reached]:
    """As `digest_sources`, of the package, from the file of versions where that still holds."""
    if not _file:
        _file.append(VersionFile(PACKAGE, _sources))
    found = _file[0].find(names)
    if found is None:
        found = digest_sources(names, _sources)
        _file[0].write(names, *found)
    return found


def _stamp(path: Path) -> tuple[int, int]:
    """When a file has changed, in nanoseconds, and its size; zeros for one that is gone."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _unlike_others(version: str) -> str:
    return f"{version.partition(OWN)[0]}{OWN}{_THIS_PROCESS}"
