"""A screen of the studio: a document of its own, a time at which it stands, and its picture as a small file."""

from pathlib import Path

import numpy as np
from benchmarks.studio.browser import until
from PIL import Image
from playwright.sync_api import Page

ALL_ROWS = 340  # pixels of the timeline in which the rows of the picture can all be seen
FLAT, SHADED = 160, 96  # colours of a picture that are kept as they are, and those that share the rest
_NEW_DOCUMENT = """(name) => fetch("api/document/new", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name }),
})"""


def open_document(page: Page, name: str) -> None:
    """Work in a new document from now on."""
    page.evaluate(_NEW_DOCUMENT, name)
    page.reload()
    until(page, f"window.motionloom?.studio.documentName === '{name}'")


def stand_at(page: Page, seconds: float) -> None:
    """Pause there."""
    page.evaluate(f"motionloom.stage.player.pause(), motionloom.stage.seek({seconds})")
    until(page, "!motionloom.studio.isLoading")


def take(page: Page, path: Path) -> None:
    """Take a picture of the screen, as a small file."""
    page.wait_for_timeout(400)  # what fades has faded
    page.screenshot(path=path)
    shrink(path)


def shrink(path: Path) -> None:
    """Make a picture's file small: flat areas, and strong colours above all, stay as they are; shades share some."""
    pixels = np.asarray(Image.open(path).convert("RGB"))
    numbers = pixels.reshape(-1, 3).astype(np.int64) @ [65536, 256, 1]
    kinds, where, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    colours = np.stack([kinds >> 16, kinds >> 8 & 255, kinds & 255], axis=1).astype(np.uint8)  # (C, 3)
    strength = colours.max(axis=1).astype(int) - colours.min(axis=1)
    order = np.argsort(-counts * (1 + strength))
    rest = np.repeat(colours[order[FLAT:]], counts[order[FLAT:]], axis=0)
    palette = colours[order[:FLAT]]
    if len(rest):
        shared = Image.fromarray(rest[None]).quantize(SHADED, dither=Image.Dither.NONE).getpalette() or []
        palette = np.concatenate([palette, np.array(shared, np.uint8).reshape(-1, 3)[:SHADED]])
    apart = ((colours[:, None].astype(int) - palette[None].astype(int)) ** 2).sum(axis=2)  # (C, P)
    picture = Image.fromarray(apart.argmin(axis=1)[where].reshape(pixels.shape[:2]).astype(np.uint8), "P")
    picture.putpalette(palette.tobytes())
    picture.save(path, optimize=True)
