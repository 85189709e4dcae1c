"""A watch on a page: everything that goes wrong on it, and what it still waits for."""

import contextlib
import re
from dataclasses import dataclass, field

from playwright.sync_api import Page

# What Chromium says about drawing in software; real trouble with WebGL is an error of three's or ours.
_DRIVER = re.compile(r"GPU stall due to ReadPixels|GL Driver Message|Automatic fallback to software WebGL")


@dataclass
class Watch:
    """Hears everything that goes wrong on a page."""

    heard: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    under_way: list[str] = field(default_factory=list)  # addresses that the page waits for

    def begin(self) -> None:
        """Forget what was, for a new test."""
        self.heard.clear()
        self.allowed.clear()

    def allow(self, pattern: str) -> None:
        """Say that something of this kind is expected from now on."""
        self.allowed.append(pattern)

    def allow_lost_line(self) -> None:
        """Say that the server is about to end: whatever is under way then fails in one way or another."""
        self.allow(r"WebSocket|net::ERR_|409.*/api/document")  # saved, but nobody heard it: the page saves it again

    def waits_for(self, pattern: str) -> bool:
        """Whether an answer of this kind is still to come."""
        return any(re.search(pattern, address) for address in self.under_way)

    def listen(self, page: Page) -> None:
        """Begin to hear."""
        page.on("request", lambda request: self.under_way.append(request.url))
        page.on("requestfinished", lambda request: self._ended(request.url))
        page.on("requestfailed", lambda request: self._ended(request.url))
        page.on("console", lambda message: self._console(message.type, message.text, message.location.get("url", "")))
        page.on("pageerror", lambda error: self.heard.append(f"thrown: {error.stack or error.message}"))
        page.on("requestfailed", lambda request: self._failed(request.method, request.url, request.failure or ""))
        page.on("response", lambda answer: answer.status >= 400 and self._refused(answer.status, answer.url))

    def unexpected(self) -> list[str]:
        """What nobody had announced."""
        return [message for message in self.heard if not any(re.search(pattern, message) for pattern in self.allowed)]

    def _console(self, kind: str, text: str, where: str) -> None:
        if kind in ("error", "warning") and not _DRIVER.search(text):
            self.heard.append(f"console {kind}: {text} ({where})")

    def _failed(self, method: str, url: str, why: str) -> None:
        if why != "net::ERR_ABORTED":  # the page itself lost interest: a reload, a newer request
            self.heard.append(f"failed: {method} {url} {why}")

    def _ended(self, url: str) -> None:
        with contextlib.suppress(ValueError):  # begun before anybody listened
            self.under_way.remove(url)

    def _refused(self, status: int, url: str) -> None:
        self.heard.append(f"answered {status}: {url}")
