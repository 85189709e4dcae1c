"""Directing on the server: a model that is ready, and the motion while something of it is dragged."""

import asyncio
from collections import Counter
from typing import Any

from motionloom.errors import BadInput
from motionloom.studio.server import problems
from motionloom.studio.server.messages import direct as m
from motionloom.studio.server.messages.session import Job
from motionloom.studio.server.motions import pack_arrays
from motionloom.studio.server.packing import pack
from motionloom.studio.server.studio import Studio
from motionloom.tasks import Call

DESK = "direct"
MOST_KEY_TAKES = 60  # whose frames are offered as keys
KEYS = 4  # of each
READY = "directing"  # kind of job, and its key: a newer one replaces what still runs


def start_ready(studio: Studio, wanted: m.GetDirector) -> Job:
    """Let the desk prepare the model of a request; pages are told when it is there."""

    def send(found: dict[str, Any]) -> None:
        studio.broadcast.send(m.DirectorReady(tag=wanted.tag, director=m.Director.model_validate(found)))

    job = studio.start(
        DESK,
        "learn",
        {"request": wanted.request.to_data(), "revision": studio.revision},
        kind=READY,
        title="learning how bodies move",
        key=READY,
        quiet=True,
        for_method="dynamics",
        after=send,
    )
    return job.status


def find_marker_takes(studio: Studio, like: str | None) -> m.MarkerTakes:
    """Takes of the markers that a take has, or that most takes have where none is given."""
    with studio.corpus() as corpus:
        infos = {info.name: info for info in corpus.infos() if info.kind == "points"}
        markers = {name: corpus.point_names(name) for name in infos}
    if like is not None and like not in markers:
        raise BadInput(f"there is no take '{like}' of markers; choose one that has them")
    counts = Counter(markers.values())
    wanted = markers[like] if like is not None else counts.most_common(1)[0][0] if counts else None
    names = [name for name in markers if markers[name] == wanted][:MOST_KEY_TAKES]
    found = studio.ask("display", "telling_frames", {"takes": names, "count": KEYS})
    each = [
        m.KeyFrames(take=name, fps=infos[name].fps, length=infos[name].n_frames, frames=frames)
        for name, frames in zip(names, found)
        if frames
    ]
    return m.MarkerTakes(takes=each)


async def drag(studio: Studio, wanted: m.Drag, unanswered: list[Call]) -> bytes | str:
    """The motion that a drag makes as a binary message; a sentence where it makes none.

    Args:
        studio: with the desk.
        wanted: what the page asks.
        unanswered: drags of the same page, in the order in which they came. What has not begun when a newer one
            comes is not done any more: the page has no use for it, and the newer one would wait.
    """
    arguments = {"request": wanted.request.to_data(), "revision": studio.revision}
    call = None
    try:
        call = studio.call(DESK, "drag", arguments)
        while len(unanswered) > 1:
            unanswered.pop().cancel()
        unanswered.append(call)
        header, arrays = await asyncio.wait_for(asyncio.wrap_future(call.future), studio.settings.answer_limit)
        described = m.Dragged(tag=wanted.tag, **header).model_dump(mode="json")
        return pack(described, arrays if described["points"] else pack_arrays(arrays["roots"], arrays["rotations"]))
    except Exception as error:
        problems.log_unexpected(error)
        return m.NotDragged(tag=wanted.tag, error=studio.explain(error)).model_dump_json()
    finally:
        if call in unanswered:
            unanswered.remove(call)
