"""A document is written only if it can be read again."""

import pytest

from motionloom.errors import MotionloomError
from motionloom.studio import document


def painted(n_ranges: int) -> document.Document:
    content = document.Document()
    content.annotate.drafts = {"walk": {"step": [(2 * number, 2 * number + 1, 1) for number in range(n_ranges)]}}
    return content


def test_a_document_with_equal_parts_is_read_as_it_was_written(tmp_path):
    content, part = painted(3), document.ButtonPart(clips=["a", "b"])
    content.control.buttons = {"a": part, "b": part}
    document.save(tmp_path, "dance", content, document.History(revision=1))
    loaded = document.load(tmp_path, "dance")
    assert loaded.content == content and not loaded.problems


def test_a_document_that_is_too_long_to_be_read_is_refused_and_the_old_one_stays(tmp_path):
    document.save(tmp_path, "dance", painted(3), document.History(revision=1))
    with pytest.raises(MotionloomError, match="at most"):
        document.save(tmp_path, "dance", painted(40_000), document.History(revision=2))
    loaded = document.load(tmp_path, "dance")
    assert loaded.content == painted(3) and loaded.history.revision == 1 and not loaded.problems
