"""Ground files: what feet stand on, as a YAML or JSON file of metres and radians."""

import json
from pathlib import Path
from typing import Any, NoReturn

from motionloom.assembly.requests.request_files import read_text
from motionloom.assembly.requests.yaml_text import dump_yaml, read_yaml
from motionloom.errors import BadInput, FormatError
from motionloom.formats.atomic_write import replace_file
from motionloom.motion import Ground

JSON_LIMIT = 50_000_000  # characters: MAX_HEIGHTS heights with all their digits
EXAMPLE = "floor: 0"


def read_ground_file(path: str | Path) -> Ground:
    """Read a ground file: `floor`, and if there are any `boxes` and a `terrain`, as in `Ground.to_data`.

    A name that ends in .json is read as JSON, every other one as YAML.
    """
    data = _load_json(path) if Path(path).suffix.lower() == ".json" else read_yaml(read_text(path), path).data
    if not isinstance(data, dict):
        raise FormatError(path, f"is not a ground; expected at least `{EXAMPLE}`")
    try:
        return Ground.from_data(data)
    except BadInput as error:
        raise FormatError(path, str(error)) from None


def write_ground_file(path: str | Path, ground: Ground) -> None:
    """Write a ground file that can be read again; a name that ends in .json gets JSON, every other one YAML."""
    if Path(path).suffix.lower() == ".json":
        replace_file(path, (json.dumps(ground.to_data()) + "\n").encode())
        return
    text = dump_yaml(ground.to_data(), default_flow_style=None, width=100)
    try:
        read_yaml(text, path)
    except FormatError:
        raise BadInput(f"{path}: the ground is too large for YAML; give it a name that ends in .json") from None
    replace_file(path, text.encode())


def _load_json(path: str | Path) -> Any:
    text = read_text(path, JSON_LIMIT)

    def refuse(word: str) -> NoReturn:
        raise FormatError(path, f"{word} cannot be used; it should be a finite number")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise FormatError(path, f"is not valid JSON ({error.msg})", error.lineno) from None
    except (RecursionError, ValueError):
        raise FormatError(path, "is not valid JSON (lists too deep, or a number too long)") from None
