"""The application: routes, errors as sentences, the built page."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.staticfiles import StaticFiles

from motionloom import __version__
from motionloom.assembly.requests.yaml_text import shorten
from motionloom.errors import BadInput, CorpusBusy, MotionloomError
from motionloom.studio.server import problems
from motionloom.studio.server.jobs import DeskBusy
from motionloom.studio.server.messages.session import ErrorMessage
from motionloom.studio.server.open_document import ChangedOnDisk, Conflict, GoneFromDisk
from motionloom.studio.server.routes import (
    annotate,
    buildup,
    direct,
    library,
    methods,
    motions,
    session,
    sketches,
    snap,
    socket,
    timeline,
)
from motionloom.studio.server.settings import Settings
from motionloom.studio.server.studio import NothingOpen, Studio
from motionloom.tasks import Stopped

ROUTERS = (
    session.router,
    motions.router,
    library.router,
    sketches.router,
    methods.router,
    annotate.router,
    timeline.router,
    snap.router,
    buildup.router,
    direct.router,
    socket.router,
)
STATUS = {
    NothingOpen: 409,
    Conflict: 409,
    GoneFromDisk: 410,
    ChangedOnDisk: 412,
    CorpusBusy: 409,
    BadInput: 400,
    Stopped: 503,
    DeskBusy: 503,
}


def make_routes() -> list[BaseRoute]:
    """All routes, for describing them."""
    app = FastAPI(responses={400: {"model": ErrorMessage}}, generate_unique_id_function=lambda route: route.name)
    for router in ROUTERS:
        app.include_router(router)
    return app.routes


def create_app(settings: Settings) -> FastAPI:
    """The application with everything it needs; closing it closes the corpus and ends the desks."""
    studio = Studio(settings)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        studio.broadcast.bind(asyncio.get_running_loop())
        yield
        await asyncio.to_thread(studio.shut)

    app = FastAPI(
        title="motionloom studio",
        version=__version__,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        responses={400: {"model": ErrorMessage}},
    )
    app.state.studio = studio
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(MotionloomError, _send_problem)
    app.add_exception_handler(RequestValidationError, _send_invalid)
    app.add_exception_handler(HTTPException, _send_refused)
    for kind in (OSError, Exception):
        app.add_exception_handler(kind, _send_bug)
    static = Path(os.environ.get("MOTIONLOOM_STUDIO_STATIC", settings.static))
    if static.is_dir():
        app.mount("/", StaticFiles(directory=static, html=True), name="page")
    return app


def _send_problem(request: Request, error: Exception) -> Response:
    status = next((number for kind, number in STATUS.items() if isinstance(error, kind)), 400)
    return _answer(request, str(error), status)


def _send_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = shorten(".".join(str(part) for part in first["loc"][1:]), 100)
    return _answer(request, f"{where or 'the request'}: {first['msg']}", 400)


def _send_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "there is nothing here", 405: "that cannot be done here"}
    return _answer(request, words.get(error.status_code, str(error.detail)), error.status_code)


def _send_bug(request: Request, error: Exception) -> Response:
    problems.log_unexpected(error)
    return _answer(request, request.app.state.studio.explain(error), 500)


def _answer(request: Request, sentence: str, status: int) -> Response:
    shown = problems.present(sentence, request.app.state.studio.folders)
    return JSONResponse(ErrorMessage(error=shown).model_dump(), status)
