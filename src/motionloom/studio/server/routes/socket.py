"""The websocket: what happens is sent to pages, and so are frames of motions."""

import asyncio
import contextlib
from collections.abc import Awaitable

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from motionloom.studio.server import problems
from motionloom.studio.server.broadcast import Subscriber
from motionloom.studio.server.messages.buildup import Browse
from motionloom.studio.server.messages.direct import Drag
from motionloom.studio.server.messages.sockets import AskFrames, CancelJob, FromPage, JobUpdate, Pong, Refused
from motionloom.studio.server.motions import pack_frames
from motionloom.studio.server.studio import Studio
from motionloom.studio.server.workspaces.buildup import browse
from motionloom.studio.server.workspaces.direct import drag

router = APIRouter(prefix="/api")
COME_BACK = 1013  # what a socket is closed with whose page may try again
_MESSAGE: TypeAdapter[FromPage] = TypeAdapter(FromPage)


@router.websocket("/socket")
async def socket(websocket: WebSocket) -> None:
    """Serve one page until it goes."""
    studio: Studio = websocket.app.state.studio
    if not studio.has_room():
        await websocket.close(COME_BACK)
        return
    subscriber = studio.broadcast.subscribe()  # before the connection is accepted, so that the page misses nothing
    for job in studio.jobs.all():
        studio.broadcast.send_to(subscriber, JobUpdate(job=job).model_dump_json())
    sides: list[asyncio.Task] = []
    try:
        await websocket.accept()
        sides = [asyncio.create_task(side(websocket, studio, subscriber)) for side in (_read, _write)]
        await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)  # the page is gone, whichever side notices
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        studio.broadcast.unsubscribe(subscriber)
        for side in [*sides, *subscriber.under_way]:
            side.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await side


async def _read(websocket: WebSocket, studio: Studio, subscriber: Subscriber) -> None:
    """Answer one message after another; of a page that does not read the answers no further ones are taken."""
    while True:
        received = await websocket.receive()
        if received["type"] == "websocket.disconnect":
            return
        await _answer(studio, subscriber, received.get("text") or "")
        await subscriber.wait_for_room()


async def _answer(studio: Studio, subscriber: Subscriber, text: str) -> None:
    try:
        message = _MESSAGE.validate_json(text)
    except ValidationError:
        refused = Refused(error="the page sent a message that the server does not know")
        studio.broadcast.send_to(subscriber, refused.model_dump_json())
        return
    if isinstance(message, AskFrames):
        studio.broadcast.send_to(subscriber, await _frames(studio, message))
    elif isinstance(message, Browse):
        subscriber.begin(_send(studio, subscriber, browse(studio, message)))
    elif isinstance(message, Drag):
        subscriber.begin(_send(studio, subscriber, drag(studio, message, subscriber.drags)))
    elif isinstance(message, CancelJob):
        studio.jobs.cancel(message.job)
    else:
        studio.broadcast.send_to(subscriber, Pong().model_dump_json())


async def _frames(studio: Studio, message: AskFrames) -> bytes | str:
    try:
        return await asyncio.to_thread(pack_frames, studio, message.motion, message.start, message.stop)
    except Exception as error:
        problems.log_unexpected(error)
        return Refused(error=studio.explain(error), motion=message.motion).model_dump_json()


async def _send(studio: Studio, subscriber: Subscriber, answer: Awaitable[bytes | str]) -> None:
    """Answer in turn of its own: frames that the page asks for meanwhile do not wait for it."""
    studio.broadcast.send_to(subscriber, await answer)


async def _write(websocket: WebSocket, _: Studio, subscriber: Subscriber) -> None:
    """Send what waits for the page."""
    while True:
        message = await subscriber.get()
        if isinstance(message, bytes):
            await websocket.send_bytes(message)
        elif message is not None:
            await websocket.send_text(message)
        else:
            await websocket.close(COME_BACK)
            return
