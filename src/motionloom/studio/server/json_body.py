"""JSON bodies: what a page sends is plain data that every file can keep, or it is refused before anything is done."""

import json
import re
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.routing import APIRoute

from motionloom.assembly.requests.plain_data import check_plain
from motionloom.assembly.requests.yaml_text import MOST_DEPTH, UNUSABLE
from motionloom.errors import BadInput


def api_router(prefix: str) -> APIRouter:
    """A router whose routes read bodies with `read_json`."""
    return APIRouter(prefix=prefix, route_class=_JsonRoute)


def read_json(body: bytes) -> Any:
    """The value of a body; refuses what JSON, or a file that it is kept in, cannot hold."""
    try:
        text = body.decode()
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"the request is not valid JSON: {error}") from None
    except (ValueError, RecursionError):  # no UTF-8, a number of thousands of digits, brackets without end
        raise BadInput("the request is not valid JSON: it holds what cannot be read") from None
    if _SUSPICIOUS.search(text) or UNUSABLE.search(text) or _is_deep(value):
        check_plain(value, "the request")
    return value


_SUSPICIOUS = (
    re.compile(  # what all values that `check_plain` refuses are written with: most bodies need no second look
        r"\\u(?:00[0189]|007f|d[89a-f]|fff[ef])|e\+?[0-9]{3}|[0-9]{100}|NaN|Infinity", re.IGNORECASE
    )
)


def _is_deep(value: Any) -> bool:
    """Whether lists and mappings are inside one another more often than they may be."""
    level, depth = [value], 0
    while level and depth <= MOST_DEPTH:
        inner = [part.values() if isinstance(part, dict) else part for part in level if isinstance(part, (dict, list))]
        level, depth = [part for parts in inner for part in parts if isinstance(part, (dict, list))], depth + 1
    return bool(level)


class _JsonRequest(Request):
    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            try:
                self._json = read_json(await self.body())
            except BadInput as error:
                raise HTTPException(400, str(error)) from None
        return self._json


class _JsonRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_json(request: Request) -> Response:
            return await handle(_JsonRequest(request.scope, request.receive))

        return handle_json
