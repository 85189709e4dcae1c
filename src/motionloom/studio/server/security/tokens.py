"""Secrets that let a person in: the token of whoever started the studio, and a ticket for the browser that it opens."""

import contextlib
import hmac
import os
import re
import secrets
import stat
import threading
from pathlib import Path

FILE = "studio-token"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,100}")


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(24)


def own_token(folder: Path | None = None) -> str:
    """The token of this user, the same every time: pages that are open go on when the studio is started again.

    It lies in a file that nobody else can read. One that others could have read or written is not used any more; where
    none can be kept, the token is good for this once.

    Args:
        folder: where it is kept; the user's own folder of such things by default.
    """
    folder = folder or state_folder()
    path = folder / FILE
    with contextlib.suppress(OSError, ValueError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for _ in range(2):  # the second time there is none, or one that another studio has just made
            known = _read(path)
            if known is not None:
                return known
            _write(path, new_token())
    return new_token()


def state_folder() -> Path:
    """Where programs keep what belongs to a user and is no document."""
    chosen = os.environ.get("XDG_STATE_HOME", "")
    base = Path(chosen) if os.path.isabs(chosen) else Path.home() / ".local" / "state"
    return base / "motionloom"


class Ticket:
    """Lets in once: it stands on the command line of a browser, where other users of a computer can read it."""

    def __init__(self) -> None:
        self.text = new_token()
        self._guard = threading.Lock()
        self._is_used = False

    def redeem(self, given: str) -> bool:
        """Whether a text is this ticket and was not used before; from now on it is."""
        is_right = is_same(given, self.text)
        with self._guard:
            is_first = not self._is_used
            self._is_used = self._is_used or is_right
        return is_right and is_first


def is_same(given: str, secret: str) -> bool:
    """Whether two texts are the same, in a time that does not say where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _read(path: Path) -> str | None:
    """The token in a file that is this user's alone; any other file is removed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return None
    except OSError:  # a link, or no permission to read it
        path.unlink()
        return None
    with open(descriptor, encoding="ascii", errors="replace") as file:
        about = os.fstat(file.fileno())
        text = file.read(200).strip()
    is_own = not hasattr(os, "getuid") or about.st_uid == os.getuid()
    is_private = os.name == "nt" or not about.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    if is_own and is_private and _TOKEN.fullmatch(text):
        return text
    path.unlink()
    return None


def _write(path: Path, token: str) -> None:
    """Keep a token, unless another studio was first."""
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(token + "\n")
        with contextlib.suppress(FileExistsError):
            os.link(partial, path)
    finally:
        partial.unlink()
