"""Defaults and tolerances are written once, in Python: the page gets them in schemas, reports and generated files."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from motionloom.methods import METHODS, load
from motionloom.methods.snap import GraphRequest
from motionloom.studio.server.page_constants import list_page_constants, list_player_constants

SOURCES = Path(__file__).parents[3] / "src/motionloom/studio/web/src"
GENERATED = {SOURCES / "api/constants.ts", SOURCES / "player/constants.ts"}
WRITTEN = [
    path
    for path in SOURCES.rglob("*")
    if path.suffix in (".ts", ".svelte")
    and not path.name.endswith(".test.ts")
    and "testing" not in path.parts
    and path not in GENERATED
]
AUTHORING = [path for path in WRITTEN if not {"view3d", "widgets", "motion", "player"} & {*path.parts}]  # of requests
PAGE_ONLY = {"MOST_SECONDS"}  # numbers of the player that its twin in Python does not have: it never sleeps
EVERYDAY = {
    "at",
    "for",
    "frame",
    "heading",
    "length",
    "position",
    "fps",
}  # names that mean other things in a page as well


def read_code(path: Path) -> str:
    """A source of the page without its looks."""
    return re.sub(r"<style>.*</style>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def defaults_of(schema: dict[str, Any]) -> Iterator[str]:
    """The names of all numbers of a schema that have a default."""
    for part in (schema, *schema.get("$defs", {}).values()):
        for name, field in part.get("properties", {}).items():
            if isinstance(field.get("default"), int | float) and not isinstance(field["default"], bool):
                yield name


@pytest.mark.parametrize("request_kind", [*(load(name).Request for name in METHODS), GraphRequest])
def test_no_default_of_a_request_is_repeated_in_the_page(request_kind):
    names = set(defaults_of(dict(request_kind.schema()))) - EVERYDAY
    repeated = re.compile(rf"\b({'|'.join(map(re.escape, sorted(names)))})\b['\"]?\s*[:=]\s*[0-9]")
    for path in AUTHORING:
        found = repeated.search(read_code(path))
        assert found is None, f"{path.relative_to(SOURCES)}: '{found and found[0]}'; take it from the request's schema"


def test_w_min_and_alpha_are_among_the_defaults_that_are_looked_for():
    assert "w_min" in set(defaults_of(dict(GraphRequest.schema())))
    assert "alpha" in set(defaults_of(dict(load("timeline").Request.schema())))


def test_no_generated_number_is_declared_by_hand():
    shared = {**list_page_constants(), **list_player_constants()}
    declared = re.compile(rf"const ({'|'.join(shared)}) = [0-9M]")
    for path in WRITTEN:
        found = declared.search(read_code(path))
        assert found is None, f"{path.relative_to(SOURCES)}: '{found and found[0]}'; import it from constants.ts"


def test_numbers_of_the_player_are_those_of_its_twin_in_python():
    declared = re.compile(r"const ([A-Z][A-Z_]*) = [0-9.]+\b")
    player = [path for path in WRITTEN if "player" in path.parts]
    by_hand = {name for path in player for name in declared.findall(read_code(path))}
    assert by_hand == PAGE_ONLY, "name it in Python and add it to list_player_constants"
