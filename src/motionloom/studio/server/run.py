"""Running the server: its socket first, so that its address is known, then the application behind its guard."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from motionloom.errors import BadInput
from motionloom.studio.server import connections
from motionloom.studio.server.app import create_app
from motionloom.studio.server.problems import log
from motionloom.studio.server.security import LOOPBACK, Guard, Hosts, Ticket, new_token
from motionloom.studio.server.settings import Settings

USUAL_PORT = 8765  # where it is free: browsers remember panel sizes by address and port
_LARGEST_MESSAGE = 64 * 1024  # bytes that a page may send over the websocket at once
_SECONDS_TO_END = 2  # for requests that are still being answered
SECONDS_TO_LEAVE = 10.0  # after which what is stuck is left
_LEFT = 1  # exit code: done in part
_WORKERS = ("AnyIO worker thread", "asyncio_")  # threads that requests are answered in


def serve(settings: Settings, ready: Callable[[str, str], None] = lambda address, opened: None) -> None:
    """Serve until Ctrl-C or a signal; then the corpus is closed and the desks have ended.

    Args:
        settings: where no token is given, one is made.
        ready: called once it answers, with the address for people, which holds the token, and the address for the
            browser that is opened, which is good for once: other users of a computer see command lines.
    """
    token, ticket = settings.token or new_token(), Ticket()
    listener = listen(settings.host, settings.port)
    with contextlib.closing(listener), contextlib.suppress(KeyboardInterrupt):
        port = listener.getsockname()[1]
        app = create_app(settings)
        guarded = Guard(app, name_hosts(settings.host, port), token, ticket)
        base = _address(settings.host, port)
        config = uvicorn.Config(
            guarded,
            http=connections.Connection,
            limit_concurrency=connections.MOST,
            log_level="critical",  # what goes wrong is logged by the application, once
            access_log=False,
            proxy_headers=False,
            server_header=False,
            ws_max_size=_LARGEST_MESSAGE,
            ws_per_message_deflate=False,  # frames hardly shrink, and most pages are on this computer
            timeout_graceful_shutdown=_SECONDS_TO_END,
        )
        addresses = f"{base}?token={token}", f"{base}?ticket={ticket.text}"
        server = _Server(config, lambda: ready(*addresses), app.state.studio.dismiss)
        server.serve_until_asked(listener)


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address; port 0 is the usual one where it is free, else any."""
    if port == 0:
        with contextlib.suppress(OSError):
            return _bind(host, USUAL_PORT)
    try:
        return _bind(host, port)
    except socket.gaierror:
        raise BadInput(f"there is no computer '{host}'; name an address of this one, or 0.0.0.0 for all") from None
    except OverflowError:
        raise BadInput(f"port {port} is none; ports are from 1 to 65535") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        if "in use" in reason:
            raise BadInput(f"port {port} is in use; name another one, or none and a free one is taken") from None
        raise BadInput(f"cannot listen at {host} port {port}: {reason}") from None


def name_hosts(host: str, port: int) -> Hosts:
    """The names under which a server at an address is asked for."""
    if host not in ("0.0.0.0", "::", ""):
        return Hosts(port, (*LOOPBACK, _in_address(host).lower()))
    own = socket.gethostname().lower()
    return Hosts(port, (*LOOPBACK, own, f"{own}.local", socket.getfqdn().lower()), takes_addresses=True)


class _Server(uvicorn.Server):
    """Says when it answers, and when it is about to end; ends when it is asked to, whatever is still being done.

    Asked by a signal, it closes everything in order. Requests that are stuck cannot be ended, only left: that is done
    when `SECONDS_TO_LEAVE` have gone by, or when a second signal comes. What was acknowledged by then is saved.
    """

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending
        self._deadline = threading.Timer(SECONDS_TO_LEAVE, _leave)
        self._deadline.daemon = True

    def serve_until_asked(self, listener: socket.socket) -> None:
        """Serve until a signal comes; SIGTERM then ends the process, as it does with every other program."""
        self.run(sockets=[listener])
        if signal.SIGTERM in self._captured_signals:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.raise_signal(signal.SIGTERM)
        workers = [thread for thread in threading.enumerate() if thread.name.startswith(_WORKERS)]
        for worker in workers:
            worker.join(1.0)  # one that has nothing to do ends now
        if any(worker.is_alive() for worker in workers):
            _leave()  # it would keep the process alive
        self._deadline.cancel()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take signals; once one has come until the process ends, so that a second one is taken too."""
        before = {}
        if threading.current_thread() is threading.main_thread():
            before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items() if not self._captured_signals else ():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End in order; when it is asked for a second time, at once."""
        if self._captured_signals:
            os._exit(_LEFT)
        self._deadline.start()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await asyncio.to_thread(self._ending)  # requests that wait for a desk are answered now
        await super().shutdown(sockets)


def _leave() -> None:
    """End the process, whatever its threads do."""
    log.warning("the studio was still at work on a request, which was given up; everything saved before is safe")
    logging.shutdown()
    os._exit(_LEFT)


def _bind(host: str, port: int) -> socket.socket:
    family, *_ = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    return socket.create_server((host, port), family=family)


def _address(host: str, port: int) -> str:
    shown = host if host not in ("0.0.0.0", "::", "") else _own_address()
    return f"http://{_in_address(shown)}:{port}/"


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_address() -> str:
    """The address by which others most likely reach this computer; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]
    return socket.gethostname()
