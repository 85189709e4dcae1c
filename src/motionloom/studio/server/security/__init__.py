"""Who may ask the server, and which files they may name."""

from motionloom.studio.server.security.guard import BODY_LIMIT, LOOPBACK, Guard, Hosts
from motionloom.studio.server.security.names import EXTENSIONS, check_extension, safe_child
from motionloom.studio.server.security.tokens import Ticket, new_token, own_token

__all__ = [
    "BODY_LIMIT", "EXTENSIONS", "LOOPBACK", "Guard", "Hosts", "Ticket", "check_extension", "new_token", "own_token",
    "safe_child",
]  # fmt: skip
