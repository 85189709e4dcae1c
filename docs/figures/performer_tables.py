"""Write the tables of docs/performer.md that hold the performer beside recordings; needs the recordings."""

from pathlib import Path

from benchmarks.performer import faces
from benchmarks.performer.compare import as_markdown, compare

from motionloom.cli.commands.bench import find_recordings
from motionloom.performer import perform_demo

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "performer.md"
START, END = "<!-- beside recordings -->\n", "<!-- end of beside recordings -->"
FACES, END_FACES = "<!-- faces beside recordings -->\n", "<!-- end of faces beside recordings -->"


def main() -> None:
    """Measure walks, runs and faces again and put the tables between the marks of the page."""
    data = find_recordings(REPOSITORY)
    if data is None:
        return
    performances = list(perform_demo(seed=1))
    tables = [
        f"### {title}\n\n{as_markdown(compare(data, performances, gait))}"
        for title, gait in (("Walking", "walk"), ("Running", "run"))
    ]
    page = _between(PAGE.read_text(), START, "\n\n".join(tables), END)
    ranges = faces.compare_faces(data, faces.perform_at_recorded_rate().values())
    PAGE.write_text(_between(page, FACES, faces.as_markdown(ranges), END_FACES))


def _between(page: str, start: str, text: str, end: str) -> str:
    return page.split(start)[0] + start + text + "\n" + end + page.split(end)[1]


if __name__ == "__main__":
    main()
