"""Running the server: its socket first, so that its address is known, then the application behind its guard."""

import asyncio
import contextlib
import dataclasses
import ipaddress
import secrets
import socket
from collections.abc import Callable

import uvicorn

from motionloom.errors import BadInput
from motionloom.studio.server.app import create_app
from motionloom.studio.server.security import LOOPBACK, Guard, Hosts
from motionloom.studio.server.settings import Settings

USUAL_PORT = 8765  # where it is free: browsers remember panel sizes by address and port
_LARGEST_MESSAGE = 1024 * 1024  # bytes that a page may send over the websocket at once
_SECONDS_TO_END = 2  # for requests that are still being answered


def serve(settings: Settings, ready: Callable[[str], None] = lambda address: None) -> None:
    """Serve until Ctrl-C or a signal; then the corpus is closed and the desks have ended.

    Args:
        settings: where others than this computer can reach the server and no token is given, one is made.
        ready: called with the address, with the token, once it answers.
    """
    if settings.token is None and not _is_loopback(settings.host):
        settings = dataclasses.replace(settings, token=secrets.token_urlsafe(24))
    listener = listen(settings.host, settings.port)
    with contextlib.closing(listener), contextlib.suppress(KeyboardInterrupt):
        port = listener.getsockname()[1]
        app = create_app(settings)
        guarded = Guard(app, name_hosts(settings.host, port), settings.token)
        config = uvicorn.Config(
            guarded,
            log_level="critical",  # what goes wrong is logged by the application, once
            access_log=False,
            proxy_headers=False,
            server_header=False,
            ws_max_size=_LARGEST_MESSAGE,
            ws_per_message_deflate=False,  # frames hardly shrink, and most pages are on this computer
            timeout_graceful_shutdown=_SECONDS_TO_END,
        )
        server = _Server(config, lambda: ready(_address(settings, port)), app.state.studio.dismiss)
        server.run(sockets=[listener])


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
    """Says when it answers, and when it is about to end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await asyncio.to_thread(self._ending)  # requests that wait for a desk are answered now
        await super().shutdown(sockets)


def _bind(host: str, port: int) -> socket.socket:
    family, *_ = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    return socket.create_server((host, port), family=family)


def _address(settings: Settings, port: int) -> str:
    host = settings.host if settings.host not in ("0.0.0.0", "::", "") else _own_address()
    token = f"?token={settings.token}" if settings.token is not None else ""
    return f"http://{_in_address(host)}:{port}/{token}"


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_address() -> str:
    """The address by which others most likely reach this computer; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]
    return socket.gethostname()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
