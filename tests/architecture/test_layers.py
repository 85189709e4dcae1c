"""Who may import whom: the table of docs/architecture.md, kept true."""

import ast
import json
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "motionloom"

MAY_IMPORT = {
    "tasks": set(),
    "motion": {"tasks"},
    "caching": set(),
    "features": {"motion"},
    "blending": {"motion"},
    "body": {"motion", "features"},
    "formats": {"motion", "body"},
    "render": {"motion", "body", "formats"},
    "similarity": {"motion", "features", "tasks"},
    "constraints": {"motion", "features", "blending"},
    "retarget": {"motion", "features", "constraints"},
    "markers": {"motion", "features", "constraints", "tasks"},
    "quality": {"motion", "features", "similarity"},
    "corpus": {"motion", "formats", "features", "tasks", "caching"},
    "conform": {"motion", "features", "constraints", "retarget", "corpus", "caching"},
    "classify": {"motion", "features", "similarity", "tasks", "corpus", "conform", "caching"},
    "performer": {"motion", "constraints", "corpus"},
    "graphs": {"motion", "similarity", "corpus", "conform", "caching"},
    "assembly": {
        "motion",
        "tasks",
        "formats",
        "features",
        "corpus",
        "conform",
        "blending",
        "constraints",
        "quality",
        "caching",
        "retarget",
        "markers",
    },
}
INSIDE_METHODS = {  # sub-rooms of a method, and files beside them that have a row: what of their method they import
    "methods.annotate.request": set(),
    "methods.annotate.labelling": {"proposal_ranges", "proposed_tracks", "request"},
    "methods.buildup.poses": set(),
    "methods.buildup.tree": set(),
    "methods.buildup.sequence": {"model", "poses", "request", "tree"},
    "methods.buildup.hits": {"model", "request", "tree", "sequence"},
    "methods.dynamics.prior": set(),
    "methods.dynamics.trajectory": {"prior"},
    "methods.dynamics.terms": {"prior", "trajectory"},
    "methods.dynamics.retargeting": {"model", "prior", "trajectory", "terms"},
    "methods.dynamics.demands": {"model", "request", "prior", "trajectory", "terms", "retargeting"},
    "methods.dynamics.closing": {"model", "request", "prior", "trajectory", "demands"},
    "methods.snap.graph": set(),
    "methods.snap.author": {"graph"},
    "methods.snap.builder": {"graph", "author"},
    "methods.snap.play": {"graph", "model", "request"},
    "methods.timeline.objective": {"model", "request"},
    "methods.timeline.passes": {"model", "objective"},
    "methods.timeline.places": {"model", "objective", "passes"},
    "methods.timeline.solvers": {"model", "objective", "passes", "places"},
    "methods.timeline.report": {"model", "request", "objective", "solvers"},
}
INSIDE_ROOMS = {  # sub-rooms of shared rooms: what of their room they import
    "formats.detection": {"limits", "options", "take"},
    "similarity.index": {"feature_space", "measure", "neighbours"},
    "render.scene": set(),
    "render.charts": {"drawing", "scene"},
    "render.sheets": {"charts", "drawing", "scene"},
    "performer.scores": set(),
    "performer.gait": {"curves", "noise", "stage"},
    "performer.body": {"curves", "gait", "noise", "stage"},
    "performer.actions": {"body", "curves", "gait", "noise", "scores", "stage"},
    "performer.face": {"curves", "noise", "stage"},
    "performer.expressions": {"curves", "face", "noise", "scores"},
    "corpus.store": {"records"},
    "corpus.labels": {"corpus", "records", "store", "take_list", "take_names"},
    "corpus.integrity": {"corpus", "given_grounds", "layers", "records", "store"},
}
INSIDE = INSIDE_METHODS | INSIDE_ROOMS
SHARED = set(MAY_IMPORT)
TOP = {"cli", "studio"}
METHODS = {"annotate", "timeline", "snap", "buildup", "dynamics", "morphable", "baselines"}
WEB_SERVER = {"fastapi", "starlette", "uvicorn"}
SLOW = {"numba", "scipy", "sklearn", "matplotlib", "PIL", "imageio_ffmpeg", "rich"} | WEB_SERVER
FORBIDDEN_ROOMS = {"utils", "common", "helpers", "core", "misc"}
IGNORED_FOLDERS = {"build", "dist", "demo", "site"}  # by git, by the linter or by the package build

WEB = PACKAGE / "studio" / "web"
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "node_modules" not in path.parts)


def room_of(module: str) -> str:
    """'motionloom.methods.snap.search' -> 'methods.snap'; 'motionloom.motion.skeleton' -> 'motion'."""
    parts = module.split(".")[1:]
    if not parts:
        return ""
    return ".".join(parts[:2] if parts[0] == "methods" and parts[1:2] and parts[1] in METHODS else parts[:1])


def allowed_in(room: str) -> set[str]:
    """The rooms that a room may import; nothing but the top may import the top."""
    if room in TOP:
        return SHARED | TOP | {f"methods.{name}" for name in METHODS} | {"methods"}
    if room == "methods" or room.startswith("methods."):
        return SHARED
    return MAY_IMPORT[room]


def part_of(module: str) -> str:
    """The part of its method or room: 'motionloom.methods.snap.play.planner' -> 'methods.snap.play'."""
    parts = module.split(".")[1:]
    length = 3 if parts[:1] == ["methods"] else 2
    return ".".join(parts[:length]) if len(parts) >= length else ""


def imported_modules(tree: ast.AST, path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= 1, f"{path}: imports across folders are absolute"
            if node.level == 0:
                modules |= {f"{node.module}.{alias.name}" for alias in node.names}
    return modules


def module_level(tree: ast.Module) -> ast.Module:
    """The tree without the bodies of functions and without what only type checkers read."""

    class Strip(ast.NodeTransformer):
        def visit_FunctionDef(self, node):
            node.body = [ast.Pass()]
            return node

        visit_AsyncFunctionDef = visit_FunctionDef

        def visit_If(self, node):
            return None if ast.unparse(node.test) == "TYPE_CHECKING" else node

    return Strip().visit(tree)


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_room_imports_only_what_the_table_allows(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    room = room_of(".".join(("motionloom", *parts)))
    if room in {"__init__", "__main__", "errors"}:
        rooms = {room_of(m) for m in imported_modules(ast.parse(path.read_text()), path) if m.startswith("motionloom")}
        assert rooms <= ({"cli"} if room == "__main__" else set())
        return
    modules = imported_modules(ast.parse(path.read_text()), path)
    rooms = {room_of(module) for module in modules if module.startswith("motionloom.")}
    strangers = rooms - allowed_in(room) - {room, "errors", "__version__"}
    assert not strangers, f"{path.relative_to(PACKAGE)} may not import {sorted(strangers)}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_part_of_a_method_or_room_imports_only_what_its_row_allows(path):
    part = part_of(".".join(("motionloom", *path.relative_to(PACKAGE).with_suffix("").parts)))
    if part not in INSIDE:
        return  # a file beside the sub-rooms, which may use all of them
    owner = part.rpartition(".")[0]
    modules = imported_modules(ast.parse(path.read_text()), path)
    parts = {part_of(module) for module in modules if room_of(module) == owner}
    strangers = parts - {f"{owner}.{name}" for name in INSIDE[part]} - {part}
    assert not strangers, f"{path.relative_to(PACKAGE)} may not import {sorted(strangers)}"


def test_every_sub_room_of_a_method_has_a_row_of_things_that_exist():
    folders = {path.parent for path in (PACKAGE / "methods").glob("*/*/*.py")}
    sub_rooms = {".".join(folder.relative_to(PACKAGE).parts) for folder in folders}
    assert sub_rooms <= set(INSIDE_METHODS), f"without a row: {sorted(sub_rooms - set(INSIDE_METHODS))}"
    named = {f"{part.rpartition('.')[0]}.{name}" for part, names in INSIDE.items() for name in names}
    for part in set(INSIDE) | named:
        place = PACKAGE.joinpath(*part.split("."))
        assert place.is_dir() or place.with_suffix(".py").is_file(), f"there is no {part}"


def test_the_rows_of_a_method_or_room_have_an_order():
    left = {part: {f"{part.rpartition('.')[0]}.{name}" for name in names} for part, names in INSIDE.items()}
    while left:
        lowest = {part for part, names in left.items() if not names & set(left)}
        assert lowest, f"a ring of imports: {sorted(left)}"
        left = {part: names for part, names in left.items() if part not in lowest}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_slow_packages_are_imported_inside_the_functions_that_need_them(path):
    if path.name == "_kernels.py":
        return  # compiled loops live alone, and are themselves imported inside functions
    modules = imported_modules(module_level(ast.parse(path.read_text())), path)
    serves = path.is_relative_to(PACKAGE / "studio" / "server")  # imported by nothing but the studio itself
    slow = {module.split(".")[0] for module in modules} & (SLOW - WEB_SERVER if serves else SLOW)
    kernels = {module for module in modules if "_kernels" in module.split(".")}
    assert not slow | kernels, f"{path.relative_to(PACKAGE)} imports {sorted(slow | kernels)} when it is loaded"


def test_every_folder_is_a_room_of_the_table():
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    assert rooms <= SHARED | TOP | {"methods"}
    ours = [path for path in PACKAGE.rglob("*") if not {"node_modules", "static"} & set(path.parts)]
    files = {room + extension for room in FORBIDDEN_ROOMS for extension in (".py", ".ts", ".svelte")}
    forbidden = FORBIDDEN_ROOMS | files
    assert not {path.name for path in ours} & forbidden
    assert not {path.name for path in ours if path.is_dir()} & IGNORED_FOLDERS


def test_files_stay_small():
    long = {str(p.relative_to(PACKAGE)): n for p in SOURCES if (n := len(p.read_text().splitlines())) > 450}
    assert not long, f"a file has one subject: {long}"


def test_files_of_the_front_end_stay_small():
    written = [path for path in front_end_sources() if path not in MADE]
    long = {str(p.relative_to(WEB)): n for p in written if (n := len(p.read_text().splitlines())) > 450}
    assert not long, f"a file has one subject: {long}"


def test_the_front_end_names_no_address_outside():
    paths = [
        *front_end_sources(),
        *WEB.glob("*.html"),
        *WEB.glob("*.ts"),
        *WEB.glob("*.js"),
        *WEB.glob("public/**/*.*"),
    ]
    found = {(str(path.relative_to(WEB)), address) for path in paths for address in ADDRESS.findall(path.read_text())}
    remote = {(path, address) for path, address in found if not HOME.match(address)}
    assert not remote, f"everything the page needs comes with it: {sorted(remote)}"


@pytest.mark.parametrize(
    "folder", [WEB, PACKAGE.parents[1] / "tests" / "gltf_validator"], ids=lambda folder: folder.name
)
def test_lock_files_name_no_place_to_download_from(folder):
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert all(name == "" or package["integrity"] for name, package in packages.items())
    assert not [name for name, package in packages.items() if "resolved" in package]


def front_end_sources() -> list[Path]:
    paths = sorted(path for extension in ("ts", "svelte", "css") for path in (WEB / "src").rglob(f"*.{extension}"))
    assert paths, "the front end has sources"
    return paths


MADE = [WEB / "src" / "api" / "types.ts", WEB / "src" / "api" / "client.ts"]  # from the server's messages
ADDRESS = re.compile(r"(?:https?|wss?):/*[^\s'\"`<>)]*")
HOME = re.compile(r"http://www\.w3\.org/|(http|ws)://(127\.0\.0\.1|localhost)\b|(https?|wss?):(//)?(\$\{.*)?$")


def test_the_table_in_the_architecture_page_is_this_one():
    page = (PACKAGE.parents[1] / "docs" / "architecture.md").read_text()
    for room, allowed in (MAY_IMPORT | INSIDE).items():
        row = next((line for line in page.splitlines() if line.startswith(f"| `{room}` |")), None)
        assert row is not None, f"docs/architecture.md has no row for `{room}`"
        named = set(row.split("|")[2].replace("`", "").replace(",", " ").split()) - {"third-party", "shared", "only"}
        assert named == allowed, f"docs/architecture.md says that `{room}` may import {sorted(named)}"
    rows = re.findall(r"^\| `(methods\.\w+\.\w+)` \|", page, re.MULTILINE)
    assert set(rows) == set(INSIDE_METHODS), "docs/architecture.md has a row for each part of a method"
