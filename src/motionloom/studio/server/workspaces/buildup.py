"""Building up on the server: poses to choose from, and ways to where a pose is dragged."""

import asyncio
from typing import Any

from motionloom.errors import BadInput
from motionloom.studio.server import problems
from motionloom.studio.server.messages import buildup as m
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.packing import pack
from motionloom.studio.server.studio import Studio

DESK = "buildup"
PALETTE = "poses"  # kind of job, and its key: a newer one replaces what still runs


def start_palette(studio: Studio, wanted: m.GetPalette) -> Job:
    """Let the desk prepare the poses of a request; pages get them when they are there."""

    def send(found: dict[str, Any]) -> None:
        studio.broadcast.send(m.PaletteReady(tag=wanted.tag, palette=m.PosePalette.model_validate(found)))

    job = studio.start(
        DESK,
        "palette",
        {"request": wanted.request.to_data(), "revision": studio.revision},
        kind=PALETTE,
        title="finding poses",
        key=PALETTE,
        quiet=True,
        after=send,
    )
    return job.status


def stand(studio: Studio, wanted: m.GetStanding) -> m.Standing:
    """Where a character stands, and what can be reached from there."""
    arguments = {"request": wanted.request.to_data(), "character": wanted.character, "revision": studio.revision}
    return m.Standing.model_validate(studio.ask(DESK, "stand", arguments))


def choose_ways(studio: Studio, wanted: m.ChooseWays) -> m.ChosenWays:
    """The way of a step for its hit, and those of the steps after it."""
    if wanted.character >= len(wanted.request.cast) or wanted.step >= len(wanted.request.cast[wanted.character].steps):
        raise BadInput("there is no such step; it was taken back")
    arguments = {**wanted.model_dump(include={"character", "step"}), "request": wanted.request.to_data()}
    return m.ChosenWays(clips=studio.ask(DESK, "choose_ways", {**arguments, "revision": studio.revision}))


async def browse(studio: Studio, wanted: m.Browse) -> bytes | str:
    """The ways to where a pose is dragged as a binary message; a sentence where there are none."""
    lasting = None if wanted.seconds is None else f"{wanted.seconds:.2f}s"
    step = {"pose": wanted.pose, "place": wanted.place, "heading": wanted.heading, "lasting": lasting}
    arguments = {"key": wanted.key, "step": step, "count": wanted.count, "shades": wanted.shades}
    arguments["edits"] = wanted.edits
    try:
        call = studio.call(DESK, "browse", arguments)
        header, arrays = await asyncio.wait_for(asyncio.wrap_future(call.future), studio.settings.answer_limit)
        return pack(m.Browsed(tag=wanted.tag, **header).model_dump(mode="json"), arrays)
    except Exception as error:
        problems.log_unexpected(error)
        return m.NotBrowsed(tag=wanted.tag, error=studio.explain(error)).model_dump_json()
