"""Malformed files, each with the exact sentence it gets. `python -m tests.formats.test_malformed` prints the table."""

import os
import tempfile
from pathlib import Path

import pytest
from tests.formats.malformed import asfamc, bvh, live_link, npz, points
from tests.formats.malformed.malformed_file import Malformed

from motionloom import formats
from motionloom.errors import FormatError

MALFORMED: list[Malformed] = [
    *bvh.MALFORMED,
    *asfamc.MALFORMED,
    *npz.MALFORMED,
    *points.MALFORMED,
    *live_link.MALFORMED,
]


def refuse(folder: Path, file: Malformed) -> str:
    """Write the file and those beside it into a folder, read it, and return the message."""
    for name, content in file.beside.items():
        (folder / name).write_bytes(content)
    (folder / file.name).write_bytes(file.content())
    with pytest.raises(FormatError) as refusal:
        (formats.read_curves if file in live_link.MALFORMED else formats.read)(file.name)
    return str(refusal.value)


@pytest.mark.parametrize("file", MALFORMED, ids=[file.name for file in MALFORMED])
def test_a_malformed_file_is_refused_in_one_sentence_that_helps(
    file: Malformed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    at_fault = "a.asf" if file.name.startswith("asf_") else file.name
    assert refuse(tmp_path, file) == at_fault + file.message


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"gone\.bvh: cannot be read \(No such file or directory\)\. Is the path right\?"
    ):
        formats.read(tmp_path / "gone.bvh")


def test_the_page_about_formats_shows_every_message() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text()
    assert table() in page, "run python -m docs.figures.malformed_files"


def table() -> str:
    """All malformed files with their messages, as a Markdown table."""
    rows = ["| file | message |", "| --- | --- |"]
    before = Path.cwd()
    for file in MALFORMED:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                message = refuse(Path(folder), file)
            finally:
                os.chdir(before)
        rows.append(f"| `{file.name}` | {message.replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
