"""The websocket takes whatever comes: odd messages get a sentence, and a page that does not read is not waited for."""

import asyncio
import json
import logging

import pytest

from motionloom.studio.server.broadcast import FRAMES_WAITING, MOST_BYTES, Broadcast
from motionloom.studio.server.messages.sockets import Pong
from motionloom.studio.server.routes import socket as socket_routes

TAKE = "take:walk/normal_1"


def frames(**changes):
    return json.dumps({"type": "frames", "motion": TAKE, "start": 0, "stop": 9, **changes})


ODD = [
    frames(start=9, stop=3), frames(start=5, stop=5), frames(start=-1), frames(stop=0), frames(stop=-5),
    frames(start=10**30, stop=10**30 + 1), frames(stop=10**400), frames(start=2**63, stop=2**63 + 5), frames(start=1.5),
    frames(start="a"), frames(start=None), frames(start=[]), frames(start=True, stop={}), frames(motion=5),
    frames(motion=None), frames(motion="x" * 50_000), frames(motion=""), frames(motion="take:"),
    frames(motion="take:\0"), frames(motion="take:../../etc/passwd"), frames(motion="answer:1"),
    frames(motion="answer:1/99999999999999999999"), frames(motion="answer:\u00b2"), frames(more=1),
    frames().replace("normal", "\\ud800"), frames().replace("9}", "NaN}"), frames().replace("9}", "Infinity}"),
    "", " ", "null", "true", "5", "[]", "{}", '"frames"', "{", "not json", "[" * 50_000, '{"a":' * 20_000,
    '{"type": "frames"}', '{"type": 5}', '{"type": null}', '{"type": "job"}', '{"type": "cancel"}',
    '{"type": "cancel", "job": "all"}', '{"type": "cancel", "job": 1e999}', '{"type": "ping", "more": 1}',
    b"", b"\x00", b"\xff\xfe\xfd", b'{"type": "ping"}', bytes(60_000),
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=[str(number) for number in range(len(ODD))])
def test_an_odd_message_gets_a_sentence_and_the_socket_stays_open(client, caplog, odd):
    with caplog.at_level(logging.WARNING), client.websocket_connect("/api/socket") as socket:
        socket.send_bytes(odd) if isinstance(odd, bytes) else socket.send_text(odd)
        told = socket.receive_json()
        assert told["type"] == "refused" and told["error"] and len(told["error"]) <= 600
        assert "went wrong in the studio" not in told["error"]
        socket.send_json({"type": "ping"})
        assert socket.receive_json() == {"type": "pong"}
    assert not caplog.records


def test_frames_that_are_no_range_are_named(client):
    with client.websocket_connect("/api/socket") as socket:
        socket.send_text(frames(start=9, stop=3))
        told = socket.receive_json()
    assert told == {
        "type": "refused",
        "motion": TAKE,
        "error": "frames 9 to 3 are no range: the start comes before the stop",
    }


def test_what_no_job_has_is_cancelled_without_a_word(client):
    with client.websocket_connect("/api/socket") as socket:
        for job in (-1, 0, 10**30):
            socket.send_json({"type": "cancel", "job": job})
        socket.send_json({"type": "ping"})
        assert socket.receive_json() == {"type": "pong"}


class Line:
    """A page on a line over which nothing gets through: it asks for frames and reads none."""

    def __init__(self):
        self.asked = 0
        self.sent = 0
        self.breaks = asyncio.Event()

    async def receive(self):
        self.asked += 1
        if self.asked == 1:
            return {"type": "websocket.connect"}
        await asyncio.sleep(0)
        return {"type": "websocket.receive", "text": frames()}

    async def send(self, message):
        if message["type"] == "websocket.send":
            self.sent += 1
            await self.breaks.wait()
            raise RuntimeError("the line is gone")


def run_line(client, monkeypatch, rounds=20_000):
    """Let such a page ask for as long as it is listened to; then its line breaks."""
    message = bytes(FRAMES_WAITING // 4)

    async def answer(*_):
        return message

    async def run():
        line = Line()
        scope = {"type": "websocket", "path": "/api/socket", "headers": [], "query_string": b"", "app": client.app}
        serving = asyncio.create_task(client.app(scope, line.receive, line.send))
        for _ in range(rounds):
            await asyncio.sleep(0)
        asked, goes_on = line.asked, not serving.done()
        line.breaks.set()
        await serving
        return asked, goes_on

    monkeypatch.setattr(socket_routes, "_frames", answer)
    return asyncio.run(run())


def test_a_page_that_reads_nothing_is_not_listened_to_any_longer(client, monkeypatch):
    asked, goes_on = run_line(client, monkeypatch)
    assert goes_on and asked < 20
    assert not client.app.state.studio.broadcast._subscribers  # and when its line breaks nothing is left of it


def test_what_waits_for_a_page_is_counted_in_bytes_too():
    async def tell():
        broadcast = Broadcast()
        broadcast.bind(asyncio.get_running_loop())
        deaf = broadcast.subscribe()
        for _ in range(5):
            broadcast.send_to(deaf, bytes(MOST_BYTES // 4))
        return [deaf.queue.get_nowait() for _ in range(deaf.queue.qsize())]

    assert asyncio.run(tell()) == [None]


def test_a_page_that_reads_hears_more_than_may_wait():
    async def tell():
        broadcast = Broadcast()
        broadcast.bind(asyncio.get_running_loop())
        page = broadcast.subscribe()
        heard = 0
        for _ in range(20):
            broadcast.send_to(page, bytes(MOST_BYTES // 4))
            heard += len(await page.get())
        broadcast.send(Pong())
        await asyncio.sleep(0)
        return heard, await page.get()

    assert asyncio.run(tell()) == (5 * MOST_BYTES, '{"type":"pong"}')
