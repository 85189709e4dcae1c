"""Write the tables of docs/performer.md that hold the performer beside recordings; needs the recordings."""

from pathlib import Path

from benchmarks.performer.compare import as_markdown, compare

from motionloom.cli.commands.bench import find_recordings
from motionloom.performer import perform_demo

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "performer.md"
START, END = "<!-- beside recordings -->\n", "<!-- end of beside recordings -->"


def main() -> None:
    """Measure walks and runs again and put the tables between the two marks of the page."""
    data = find_recordings(REPOSITORY)
    if data is None:
        return
    performances = list(perform_demo(seed=1))
    tables = [
        f"### {title}\n\n{as_markdown(compare(data, performances, gait))}"
        for title, gait in (("Walking", "walk"), ("Running", "run"))
    ]
    page = PAGE.read_text()
    before, after = page.split(START)[0], page.split(END)[1]
    PAGE.write_text(before + START + "\n\n".join(tables) + "\n" + END + after)


if __name__ == "__main__":
    main()
