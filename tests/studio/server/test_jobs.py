"""Jobs: progress, cancel, failures in words; and the broadcast to pages."""

import asyncio
import threading
import time
from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from motionloom.errors import BadInput
from motionloom.studio.server.broadcast import MOST_WAITING, Broadcast
from motionloom.studio.server.jobs import KEPT, DeskBusy, Jobs
from motionloom.studio.server.messages.sockets import Pong
from motionloom.studio.server.problems import BUG
from motionloom.tasks import Assistant, Stopped

PATIENCE = 30.0


class Desk:
    def count(self, task, upto):
        for number in range(upto):
            task.progress(number, upto, "counting")
        task.send("nearly")
        return upto

    def wait(self, task):
        task.progress(1, 2)
        while not task.stop():
            time.sleep(0.005)
        task.progress(2, 2)

    def refuse(self, task):
        raise BadInput("the file is no recording")

    def stumble(self, task):
        return {}["nothing"]


class BroadcastOfTests(Broadcast):
    """Keeps what is sent instead of sending it."""

    def __init__(self):
        super().__init__()
        self.sent = []

    def send(self, message):
        self.sent.append(message.job)


@pytest.fixture
def desk():
    desk = Assistant(Desk)
    yield desk
    desk.close()


@pytest.fixture
def broadcast():
    return BroadcastOfTests()


def start(jobs, desk, method, **options):
    arguments = options.pop("arguments", {})
    return jobs.start(desk, method, arguments, kind="test", title=f"to {method}", **options)


def test_a_job_goes_from_waiting_to_done_and_pages_hear_of_it(desk, broadcast):
    jobs, parts = Jobs(broadcast), []
    job = start(jobs, desk, "count", arguments={"upto": 5}, on_part=parts.append, after=lambda n: n + 1)
    assert job.future.result(PATIENCE) == 6
    assert parts == ["nearly"]
    assert [broadcast.sent[0].state, broadcast.sent[-1].state] == ["waiting", "done"]
    assert broadcast.sent[-1].done == broadcast.sent[-1].total


def test_a_cancelled_job_is_cancelled_at_once_and_stays_so(desk, broadcast):
    jobs = Jobs(broadcast)
    job = start(jobs, desk, "wait")
    jobs.cancel(job.status.id)
    assert jobs.all()[0].state == "cancelled"
    with pytest.raises(Stopped):
        job.future.result(PATIENCE)
    assert jobs.all()[0].state == "cancelled"
    jobs.cancel(12345)


def test_a_job_whose_work_is_done_cannot_be_cancelled_by_what_comes_after_it(desk, broadcast):
    jobs = Jobs(broadcast)
    job = start(jobs, desk, "count", arguments={"upto": 2}, after=lambda n: (jobs.cancel_all(), n)[1])
    assert job.future.result(PATIENCE) == 2
    assert jobs.all()[0].state == "done"


def test_a_new_job_with_the_same_key_takes_the_place_of_the_old_one(desk, broadcast):
    jobs = Jobs(broadcast)
    old = start(jobs, desk, "wait", key="search")
    new = start(jobs, desk, "count", arguments={"upto": 2}, key="search")
    assert new.future.result(PATIENCE) == 2
    assert old.status.state == "cancelled"


def test_of_two_jobs_that_begin_at_once_the_newer_one_stays(broadcast):
    jobs, begun, goes_on = Jobs(broadcast), threading.Event(), threading.Event()

    class SlowDesk:
        def call(self, *_):
            begun.set()
            assert goes_on.wait(PATIENCE)
            return SimpleNamespace(future=Future(), cancel=lambda: None)

    desk, started = SlowDesk(), []
    crowd = [threading.Thread(target=lambda: started.append(start(jobs, desk, "wait", key="search"))) for _ in range(2)]
    crowd[0].start()
    assert begun.wait(PATIENCE)
    crowd[1].start()
    goes_on.set()
    for thread in crowd:
        thread.join(PATIENCE)
    assert [job.status.state for job in sorted(started, key=lambda job: job.status.id)] == ["cancelled", "waiting"]


def test_a_desk_that_is_slow_to_begin_holds_up_no_other_job(desk, broadcast):
    jobs, begun, goes_on = Jobs(broadcast), threading.Event(), threading.Event()

    class SlowDesk:
        def call(self, *_):
            begun.set()
            assert goes_on.wait(PATIENCE)
            return SimpleNamespace(future=Future(), cancel=lambda: cancelled.append(True))

    def go_on_without_it():
        jobs.cancel(jobs.all()[0].id)
        done.append(start(jobs, desk, "count", arguments={"upto": 2}).future.result(PATIENCE))

    slow, cancelled, done = [], [], []
    crowd = [
        threading.Thread(target=lambda: slow.append(start(jobs, SlowDesk(), "wait"))),
        threading.Thread(target=go_on_without_it),
    ]
    crowd[0].start()
    assert begun.wait(PATIENCE)
    crowd[1].start()
    crowd[1].join(PATIENCE)
    assert done == [2]
    goes_on.set()
    crowd[0].join(PATIENCE)
    assert cancelled == [True]
    assert slow[0].status.state == "cancelled"


def test_a_job_that_nobody_can_wait_for_any_longer_is_cancelled_and_says_what_it_waited_for(desk, broadcast):
    jobs = Jobs(broadcast)
    first, second = start(jobs, desk, "wait"), start(jobs, desk, "count", arguments={"upto": 2})
    with pytest.raises(DeskBusy, match=r"to count: no answer in 0\.01 s behind 'to wait'"):
        jobs.wait(second, 0.01)
    assert second.status.state == "cancelled"
    jobs.cancel(first.status.id)
    assert jobs.wait(start(jobs, desk, "count", arguments={"upto": 3}), PATIENCE) == 3


def test_failures_are_reported_in_words_and_bugs_without_their_insides(desk, broadcast):
    jobs = Jobs(broadcast)
    refused, broken = start(jobs, desk, "refuse"), start(jobs, desk, "stumble")
    for job, words in ((refused, "the file is no recording"), (broken, BUG)):
        with pytest.raises(Exception):  # noqa: B017
            job.future.result(PATIENCE)
        assert (job.status.state, job.status.error) == ("failed", words)


def test_a_full_disk_is_reported_as_what_it_is(desk, broadcast):
    def write(_):
        raise OSError(28, "No space left on device")

    job = start(Jobs(broadcast), desk, "count", arguments={"upto": 1}, after=write)
    with pytest.raises(OSError):
        job.future.result(PATIENCE)
    assert "No space left on device" in job.status.error and "Errno" not in job.status.error


def test_a_part_that_the_server_stumbles_over_fails_its_job_and_the_desk_goes_on(desk, broadcast):
    jobs = Jobs(broadcast)
    job = start(jobs, desk, "count", arguments={"upto": 1}, on_part=lambda part: part.no_such_thing)
    with pytest.raises(AttributeError):
        job.future.result(PATIENCE)
    assert (job.status.state, job.status.error) == ("failed", BUG)
    assert start(jobs, desk, "count", arguments={"upto": 2}).future.result(PATIENCE) == 2


def test_what_goes_wrong_after_the_desk_is_done_fails_the_job(desk, broadcast):
    def refuse(_):
        raise BadInput("the disk is full")

    job = start(Jobs(broadcast), desk, "count", arguments={"upto": 1}, after=refuse)
    with pytest.raises(BadInput):
        job.future.result(PATIENCE)
    assert job.status.error == "the disk is full"


def test_only_the_last_of_many_finished_jobs_are_kept(desk, broadcast):
    jobs = Jobs(broadcast)
    for _ in range(KEPT + 20):
        start(jobs, desk, "count", arguments={"upto": 1}).future.result(PATIENCE)
    assert len(jobs.all()) <= KEPT + 1


def test_a_page_that_reads_nothing_is_let_go_and_the_others_hear_everything():
    async def tell():
        broadcast = Broadcast()
        broadcast.bind(asyncio.get_running_loop())
        deaf, awake = broadcast.subscribe(), broadcast.subscribe()
        heard = 0
        for _ in range(MOST_WAITING + 10):
            broadcast.send(Pong())
            await asyncio.sleep(0)
            while not awake.queue.empty():
                awake.queue.get_nowait()
                heard += 1
        return heard, [deaf.queue.get_nowait() for _ in range(deaf.queue.qsize())]

    heard, waiting = asyncio.run(tell())
    assert heard == MOST_WAITING + 10
    assert waiting == [None]  # its line is closed, so that it comes back and looks at everything anew


def test_jobs_are_sent_over_the_socket_and_cancelled_over_it(client):
    studio = client.app.state.studio
    desk = Assistant(Desk)
    try:
        with client.websocket_connect("/api/socket") as socket:
            job = studio.jobs.start(desk, "wait", {}, kind="test", title="to wait")
            first = socket.receive_json()
            assert (first["type"], first["job"]["id"]) == ("job", job.status.id)
            socket.send_json({"type": "cancel", "job": job.status.id})
            while socket.receive_json()["job"]["state"] != "cancelled":
                pass
            with pytest.raises(Stopped):
                job.future.result(PATIENCE)
        assert [job["state"] for job in client.get("/api/jobs").json()] == ["cancelled"]
    finally:
        desk.close()
