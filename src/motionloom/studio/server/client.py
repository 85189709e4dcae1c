"""Generating the page's side of the protocol from the messages and routes: `python -m motionloom.studio.server.client`.

Writes server/openapi.json, web/src/api/types.ts (all messages), web/src/api/client.ts (a function for each route) and
web/src/api/constants.ts and web/src/player/constants.ts (numbers that Python and the page share).
"""

import json
import re
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from motionloom.studio.server.messages import sockets
from motionloom.studio.server.messages.buildup import Browsed
from motionloom.studio.server.messages.direct import Dragged
from motionloom.studio.server.messages.timeline import TimelineDetails
from motionloom.studio.server.packing import MEDIA_TYPE
from motionloom.studio.server.page_constants import (
    list_page_constants,
    list_player_constants,
    write_constants,
    write_empty_document,
)

STUDIO = Path(__file__).resolve().parents[1]
_NOTE = "// Made by `python -m motionloom.studio.server.client` from the server's messages and routes; do not edit.\n"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_REFERENCE = "#/components/schemas/"


def generate() -> dict[Path, str]:
    """The files and what belongs in them."""
    described = describe_api()
    return {
        STUDIO / "server" / "openapi.json": json.dumps(described, indent=1, ensure_ascii=False) + "\n",
        STUDIO / "web" / "src" / "api" / "types.ts": write_types(described["components"]["schemas"]),
        STUDIO / "web" / "src" / "api" / "client.ts": write_client(described["paths"]),
        STUDIO / "web" / "src" / "api" / "constants.ts": (
            f'{_NOTE}\nimport type * as T from "./types";\n\n{write_constants(list_page_constants())}\n\n'
            f"{write_empty_document()}\n"
        ),
        STUDIO / "web" / "src" / "player" / "constants.ts": f"{_NOTE}\n{write_constants(list_player_constants())}\n",
    }


def describe_api() -> dict[str, Any]:
    """The OpenAPI description of all routes, with messages of the websocket and details of reports beside them."""
    from fastapi.openapi.utils import get_openapi

    from motionloom.studio.server.app import make_routes

    routes = make_routes()
    described = get_openapi(  # what is read and what is written is one type each
        title="motionloom studio", version="1", routes=routes, separate_input_output_schemas=False
    )
    more: dict[str, Any] = {
        "FromPage": sockets.FromPage,
        "FromServer": sockets.FromServer,
        "TimelineDetails": TimelineDetails,
        "Browsed": Browsed,
        "Dragged": Dragged,
    }
    schemas = described["components"]["schemas"]
    for name, kind in more.items():
        schema = TypeAdapter(kind).json_schema(ref_template=_REFERENCE + "{model}")
        schemas.update(schema.pop("$defs"))
        schemas[name] = schema
    described["components"]["schemas"] = dict(sorted(schemas.items()))
    return described


def write_types(schemas: dict[str, Any]) -> str:
    """A TypeScript type for every message."""
    parts = [_NOTE]
    for name, schema in schemas.items():
        if name in ("HTTPValidationError", "ValidationError"):
            continue
        about = f"/** {schema['description'].splitlines()[0]} */\n" if "description" in schema else ""
        if "properties" in schema:
            parts.append(f"{about}export interface {name} {_fields(schema)}\n")
        else:
            parts.append(f"{about}export type {name} = {_type(schema)};\n")
    return "\n".join(parts)


def write_client(paths: dict[str, Any]) -> str:
    """A TypeScript function for every route."""
    functions, used = [], set()
    for path, methods in paths.items():
        for method, route in methods.items():
            text = _function(path, method.upper(), route)
            functions.append(text)
            used |= set(re.findall(r"\bT\.(\w+)", text))
    head = f'{_NOTE}\nimport {{ ask, askBinary, send }} from "./asking";\nimport type * as T from "./types";\n'
    is_used = {name: any(f"{name}(" in text or f"{name}<" in text for text in functions) for name in _HELPERS}
    head = head.replace("ask, askBinary, send", ", ".join(name for name in _HELPERS if is_used[name]))
    return head + "\n" + "\n".join(functions)


_HELPERS = ("ask", "askBinary", "send")


def _function(path: str, method: str, route: dict[str, Any]) -> str:
    name = _camel(route["operationId"].split("_api_")[0])
    parameters = route.get("parameters", [])
    body = route.get("requestBody")
    takes, query = [], []
    address = path
    for parameter in parameters:
        title = _camel(parameter["name"])
        is_needed = parameter.get("required", False)
        takes.append((title, f"{title}{'' if is_needed else '?'}: {_type(parameter['schema'], 'T.')}", is_needed))
        if parameter["in"] == "path":
            address = address.replace("{" + parameter["name"] + "}", "${encodeURIComponent(" + title + ")}")
        else:
            query.append(f"{parameter['name']}: {title}" if title != parameter["name"] else title)
    sends = ""
    if body is not None:
        content = body["content"]
        is_json = "application/json" in content
        kind = _type(content["application/json"]["schema"], "T.") if is_json else "Blob"
        takes.append(("body", f"body: {kind}", True))
        sends = ", body"
    takes.sort(key=lambda argument: not argument[2])
    arguments = ", ".join(text for _, text, _ in takes)
    where = f"`{address}`" if "${" in address else f'"{address}"'
    asked = f", {{ {', '.join(query)} }}" if query else (", {}" if sends else "")
    answer = route["responses"]["200"]["content"]
    about = f"/** {route['description'].splitlines()[0]} */\n"
    if MEDIA_TYPE in answer and "application/json" not in answer:
        call = f'askBinary("{method}", {where}{asked}{sends})'
        return f"{about}export const {name} = ({arguments}): Promise<ArrayBuffer> =>\n  {call};\n"
    kind = _type(answer["application/json"]["schema"], "T.")
    helper = "send" if sends and body is not None and "application/json" not in body["content"] else "ask"
    call = f'{helper}<{kind}>("{method}", {where}{asked}{sends})'
    return f"{about}export const {name} = ({arguments}): Promise<{kind}> =>\n  {call};\n"


def _fields(schema: dict[str, Any]) -> str:
    lines = []
    for name, field in schema["properties"].items():
        is_needed = field.get("default", ...) is not None  # the page sends and gets everything but what may be nothing
        shown = name if re.fullmatch(r"\w+", name) else json.dumps(name)
        lines.append(f"  {shown}{'' if is_needed else '?'}: {_type(field)};\n")
    return "{\n" + "".join(lines) + "}"


def _type(schema: dict[str, Any], within: str = "") -> str:
    """A schema as a TypeScript type."""
    if "$ref" in schema:
        return within + schema["$ref"].removeprefix(_REFERENCE)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(_type(part, within) for part in schema[key]))
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return "[" + ", ".join(_type(item, within) for item in schema["prefixItems"]) + "]"
        inner = _type(schema.get("items", {}), within)
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if kind == "object":
        if "properties" in schema:
            return _fields(schema)
        values = schema.get("additionalProperties", {})
        return f"Record<string, {_type(values, within) if isinstance(values, dict) else 'unknown'}>"
    return _PLAIN.get(kind or "", "unknown")


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def main() -> None:
    """Write the files."""
    for path, text in generate().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
