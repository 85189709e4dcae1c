"""The websocket: pages hear what happens, and get frames of motions."""

import asyncio
import contextlib

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from motionloom.errors import MotionloomError
from motionloom.studio.server.house import House
from motionloom.studio.server.hub import Listener
from motionloom.studio.server.jobs import BUG
from motionloom.studio.server.messages.sockets import AskFrames, CancelJob, FromPage, JobTold, Pong, Refused
from motionloom.studio.server.motions import pack_frames

router = APIRouter(prefix="/api")
_MESSAGE: TypeAdapter[FromPage] = TypeAdapter(FromPage)


@router.websocket("/socket")
async def socket(websocket: WebSocket) -> None:
    """Serve one page until it goes."""
    house: House = websocket.app.state.house
    await websocket.accept()
    listener = house.hub.add()
    writer = asyncio.create_task(_write(websocket, listener))
    for job in house.jobs.all():
        listener.put(JobTold(job=job).model_dump_json())
    try:
        while True:
            await _answer(house, listener, await websocket.receive_text())
    except (WebSocketDisconnect, RuntimeError, KeyError):  # gone; or it sent bytes, which no page does
        pass
    finally:
        house.hub.remove(listener)
        writer.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await writer


async def _answer(house: House, listener: Listener, text: str) -> None:
    try:
        message = _MESSAGE.validate_json(text)
    except ValidationError:
        listener.put(Refused(error="the page sent a message that the server does not know").model_dump_json())
        return
    if isinstance(message, AskFrames):
        listener.put(await _frames(house, message))
    elif isinstance(message, CancelJob):
        house.jobs.cancel(message.job)
    else:
        listener.put(Pong().model_dump_json())


async def _frames(house: House, message: AskFrames) -> bytes | str:
    try:
        return await asyncio.to_thread(pack_frames, house, message.motion, message.start, message.stop)
    except MotionloomError as error:
        return Refused(error=str(error), motion=message.motion).model_dump_json()
    except Exception:
        return Refused(error=BUG, motion=message.motion).model_dump_json()


async def _write(websocket: WebSocket, listener: Listener) -> None:
    while True:
        message = await listener.queue.get()
        if isinstance(message, bytes):
            await websocket.send_bytes(message)
        elif message is not None:
            await websocket.send_text(message)
