"""Write the table of malformed files and their messages into docs/formats.md: python -m docs.figures.malformed_files"""

from pathlib import Path

from tests.formats.test_malformed import table

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "formats.md"
START, END = "<!-- malformed files -->\n", "<!-- end of malformed files -->"


def main() -> None:
    """Run every malformed file of the tests and put what it gets between the two marks of the page."""
    page = PAGE.read_text()
    before, after = page.split(START)[0], page.split(END)[1]
    PAGE.write_text(f"{before}{START}{table()}\n{END}{after}")


if __name__ == "__main__":
    main()
