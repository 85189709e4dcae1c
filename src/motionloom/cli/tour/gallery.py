"""The gallery page of the tour: one HTML file beside the pictures, readable without a network."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from motionloom import __version__

VIDEO_SIZE = (640, 360)  # pixels, of videos that the gallery shows


@dataclass(frozen=True)
class Exhibit:
    """A take in the gallery, with its files."""

    name: str
    labels: list[str]
    seconds: float
    sheet: Path
    video: Path
    files: tuple[Path, ...]


def write_gallery(path: Path, exhibits: list[Exhibit], facts: str) -> None:
    """Write the page; links are relative, so that the folder can be moved."""
    from motionloom.formats.atomic_write import replace_file

    cards = "\n".join(_card(exhibit) for exhibit in exhibits)
    page = PAGE.format(style=STYLE, facts=escape(facts), cards=cards, version=__version__)
    replace_file(path, page.encode())


def _card(exhibit: Exhibit) -> str:
    labels = "".join(f"<span class=label>{escape(label)}</span>" for label in exhibit.labels)
    files = " ".join(f'<a href="{escape(f.name)}">{_title(f)}</a>' for f in (*exhibit.files, exhibit.video))
    return CARD.format(
        name=escape(exhibit.name),
        seconds=f"{exhibit.seconds:.1f}",
        labels=labels,
        files=files,
        sheet=escape(exhibit.sheet.name),
        video=escape(exhibit.video.name),
    )


def _title(file: Path) -> str:
    return {".png": "chart of the feet", ".json": "report"}.get(file.suffix, file.suffix[1:].upper())


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>motionloom: the tour</title>
<style>{style}</style>
<header>
<h1>motionloom <small>{version}</small></h1>
<p>The demo corpus, made by the procedural performer: {facts}. Its labels are in
<a href="labels.csv">labels.csv</a>, the corpus itself in the folder <code>corpus</code>. The first cards are new
motion: timelines of labels, whose requests are in the folder <code>requests</code>, a hub graph with its common poses,
authored in the folder <code>graphs</code>, a fight that is built up pose by pose, whose request is in the folder
<code>sequences</code>, a walk that is optimized between two key poses and a face between five, whose requests are in
the folder <code>directed</code>, and a random walk through the transition graph of a few takes, joined, with
their feet planted. GLB files open in every glTF viewer, in Blender and
in game engines.</p>
</header>
<main>
{cards}
</main>
"""

CARD = """<article>
<h2>{name} <small>{seconds} s</small></h2>
<video src="{video}" autoplay loop muted playsinline title="click to pause"
 onclick="this.paused ? this.play() : this.pause()"></video>
<a href="{sheet}" title="open the contact sheet"><img src="{sheet}" alt="contact sheet of {name}" loading="lazy"></a>
<p>{labels}</p>
<p class=files>{files}</p>
</article>"""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2329; --soft: #68727d; --line: #d9dee3; --paper: #f6f7f8; --card: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #98a2ad; --line: #333a41; --paper: #16191c; --card: #1e2226; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header, main { max-width: 1400px; margin: 0 auto; padding: 24px; }
header p { max-width: 720px; color: var(--soft); }
h1 { margin: 0; font-size: 26px; } h2 { margin: 0 0 12px; font-size: 15px; }
small { font-weight: 400; color: var(--soft); }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(420px, 1fr)); gap: 20px; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 16px; }
video, img { display: block; width: 100%; border-radius: 4px; margin-bottom: 12px; background: #e9ecef; }
video { aspect-ratio: 16 / 9; cursor: pointer; }
img { height: 190px; object-fit: cover; object-position: top; }
p { margin: 0 0 8px; }
.label { display: inline-block; padding: 1px 8px; margin: 0 6px 6px 0; }
.label { border: 1px solid var(--line); border-radius: 10px; }
.files a { margin-right: 12px; }
a { color: #2f6fb2; }
"""
